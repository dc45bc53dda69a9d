"""Keys of services: in the key store of the system, or for this run only. Never in a file, a log or a database."""

from __future__ import annotations

from hivemind.credentials.redaction import Redaction
from hivemind.credentials.store import CredentialStore, SecretKeeper, SystemKeyring

__all__ = ["CredentialStore", "Redaction", "SecretKeeper", "SystemKeyring"]
