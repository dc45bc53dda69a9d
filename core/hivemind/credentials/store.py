"""Keeps the keys of services. The system's key store when it has a safe one, else the memory of this run."""

from __future__ import annotations

from typing import Any, Protocol

from hivemind.errors import InvalidValue, KeyStoreUnavailable

SERVICE = "Hive-Mind"
_LONGEST = 4096
#: Back ends that would write a key readably to a file, or that forget it.
_UNSAFE = ("fail", "null", "plaintext", "keyrings.alt", "chainer")


class SecretKeeper(Protocol):
    """Where keys are kept for longer than a run. Each method may block and raises KeyStoreUnavailable."""

    def read(self, name: str) -> str | None: ...

    def write(self, name: str, secret: str) -> None: ...

    def remove(self, name: str) -> None: ...


class SystemKeyring(SecretKeeper):
    """The key store of the system: Keychain, Credential Manager, Secret Service."""

    def read(self, name: str) -> str | None:
        keyring, faults = _keyring()
        try:
            found: str | None = keyring.get_password(SERVICE, name)
        except faults as fault:
            raise KeyStoreUnavailable(details=type(fault).__name__) from fault
        return found

    def write(self, name: str, secret: str) -> None:
        keyring, faults = _keyring()
        try:
            keyring.set_password(SERVICE, name, secret)
        except faults as fault:
            raise KeyStoreUnavailable(details=type(fault).__name__) from fault

    def remove(self, name: str) -> None:
        keyring, faults = _keyring()
        try:
            if keyring.get_password(SERVICE, name) is not None:
                keyring.delete_password(SERVICE, name)
        except faults as fault:
            raise KeyStoreUnavailable(details=type(fault).__name__) from fault


def _keyring() -> tuple[Any, tuple[type[Exception], ...]]:
    """A safe back end and the faults it may raise. Raises KeyStoreUnavailable when there is none."""
    # Loaded on first use: it looks for back ends among all installed packages.
    import keyring
    import keyring.errors
    from keyring.backends import chainer

    backend = keyring.get_keyring()
    backends = backend.backends if isinstance(backend, chainer.ChainerBackend) else [backend]
    safe = [one for one in backends if not any(word in type(one).__module__.lower() for word in _UNSAFE)]
    if not safe:
        raise KeyStoreUnavailable
    return safe[0], (keyring.errors.KeyringError, OSError, RuntimeError)


class CredentialStore:
    """Keys by the name of their service. A key given for this run comes before the kept one."""

    def __init__(self, keeper: SecretKeeper) -> None:
        self._keeper = keeper
        self._this_run: dict[str, str] = {}

    def find_key(self, name: str) -> str | None:
        """The key, or None. Blocks; a key store that cannot be asked counts as empty only for keys of this run."""
        if name in self._this_run:
            return self._this_run[name]
        return self._keeper.read(name)

    def use_for_this_run(self, name: str, key: str) -> None:
        """Keep the key in memory only."""
        self._this_run[name] = _checked(key)

    def keep(self, name: str, key: str) -> None:
        """Keep the key in the system's store. Blocks. Raises KeyStoreUnavailable; then nothing was written."""
        self._keeper.write(name, _checked(key))
        self._this_run.pop(name, None)

    def forget(self, name: str) -> None:
        """Remove the key everywhere. Blocks."""
        self._this_run.pop(name, None)
        self._keeper.remove(name)


def _checked(key: str) -> str:
    key = key.strip()
    if not key or len(key) > _LONGEST or not key.isascii() or not key.isprintable() or " " in key:
        raise InvalidValue("This does not look like a key", "Paste the key alone, without spaces or line breaks.")
    return key
