"""One mind: the stores that own its tables, bound to one transaction at a time."""

from hivemind.mind.mind import Mind
from hivemind.mind.transaction import MindTransaction

__all__ = ["Mind", "MindTransaction"]
