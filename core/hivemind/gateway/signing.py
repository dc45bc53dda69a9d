"""The key that signs checkpoints: Ed25519, kept in the system's key store. It only signs; losing it locks nothing."""

from __future__ import annotations

import base64
import binascii
from types import ModuleType
from typing import TYPE_CHECKING

from hivemind.credentials import SecretKeeper
from hivemind.errors import KeyStoreUnavailable
from hivemind.gateway.notes import Note, SignatureLine, key_id

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

#: Under this name the key lies in the key store.
KEPT_AS = "log-signing-key"
#: How signatures name it. One key per installation: what tells keys apart is the key id.
KEY_NAME = "hive-mind"


def _ed25519() -> ModuleType:
    # Loaded on first use: it brings a whole OpenSSL, and most runs of the program sign nothing.
    from cryptography.hazmat.primitives.asymmetric import ed25519

    return ed25519


class SigningKey:
    """A private key. `public`: its 32 bytes."""

    def __init__(self, seed: bytes) -> None:
        self._private: Ed25519PrivateKey = _ed25519().Ed25519PrivateKey.from_private_bytes(seed)
        self.public: bytes = self._private.public_key().public_bytes_raw()

    @classmethod
    def generate(cls) -> SigningKey:
        return cls(_ed25519().Ed25519PrivateKey.generate().private_bytes_raw())

    @property
    def seed(self) -> bytes:
        """The 32 secret bytes, for the key store alone."""
        return self._private.private_bytes_raw()

    def sign_note(self, note: Note) -> SignatureLine:
        return SignatureLine(KEY_NAME, key_id(KEY_NAME, self.public), self.sign(note.text().encode("utf-8")))

    def sign(self, data: bytes) -> bytes:
        """64 bytes."""
        return self._private.sign(data)


def signed_by(public: bytes, data: bytes, signature: bytes) -> bool:
    """Whether the holder of this key signed these bytes. False for a key that is none."""
    from cryptography.exceptions import InvalidSignature

    try:
        _ed25519().Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


def find_or_make_key(keeper: SecretKeeper) -> SigningKey | None:
    """The installation's key, made at its first use. None when there is no safe place for it. May block."""
    try:
        kept = keeper.read(KEPT_AS)
        if kept is not None:
            return SigningKey(base64.b64decode(kept, validate=True))
        key = SigningKey.generate()
        keeper.write(KEPT_AS, base64.b64encode(key.seed).decode("ascii"))
    except (KeyStoreUnavailable, binascii.Error, ValueError):
        return None
    return key
