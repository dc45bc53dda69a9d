"""A typed phrase before what changes or reveals much. It stops accidents and pipes, not a program that can type."""

from __future__ import annotations

from hivemind.errors import Cancelled, NotAllowed
from hivemind.sidecar import output


def require_phrase(phrase: str, consequence: str) -> None:
    """Ask for the phrase at a terminal. Raises NotAllowed without one, Cancelled when something else is typed."""
    if not output.at_terminal():
        raise NotAllowed("This command needs a person at a terminal", f"Run it there and type “{phrase}” when asked.")
    output.note(consequence)
    if output.asked(f"Type “{phrase}” to go on:") != phrase:
        raise Cancelled("The phrase was not typed", "Nothing was changed.")
