"""Keys: kept by the system or for this run, never by a back end that would write them readably."""

from __future__ import annotations

from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail
from keyring.errors import PasswordDeleteError

from hivemind.credentials import CredentialStore, SystemKeyring
from hivemind.errors import InvalidValue, KeyStoreUnavailable


class Drawer(KeyringBackend):
    """A back end with a lock, in memory."""

    priority = 5.0  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        self._open()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._open()
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._open()
        if (service, username) not in self.kept:
            raise PasswordDeleteError
        del self.kept[service, username]

    def _open(self) -> None:
        if self.locked:
            raise keyring.errors.KeyringLocked


@pytest.fixture
def drawer() -> Iterator[Drawer]:
    before = keyring.get_keyring()
    one = Drawer()
    keyring.set_keyring(one)
    yield one
    keyring.set_keyring(before)


def test_a_key_is_kept_found_and_forgotten(drawer: Drawer) -> None:
    store = CredentialStore(SystemKeyring())
    assert store.find_key("openai") is None
    store.keep("openai", " sk-one \n")
    assert CredentialStore(SystemKeyring()).find_key("openai") == "sk-one"
    store.forget("openai")
    store.forget("openai")
    assert store.find_key("openai") is None


def test_a_key_for_this_run_is_kept_nowhere(drawer: Drawer) -> None:
    store = CredentialStore(SystemKeyring())
    store.keep("openai", "sk-kept")
    store.use_for_this_run("openai", "sk-now")
    assert store.find_key("openai") == "sk-now"
    assert CredentialStore(SystemKeyring()).find_key("openai") == "sk-kept"
    assert "sk-now" not in drawer.kept.values()


def test_a_locked_store_is_named(drawer: Drawer) -> None:
    drawer.locked = True
    store = CredentialStore(SystemKeyring())
    for errand in (lambda: store.find_key("a"), lambda: store.keep("a", "sk-1"), lambda: store.forget("a")):
        with pytest.raises(KeyStoreUnavailable):
            errand()
    store.use_for_this_run("a", "sk-1")
    assert store.find_key("a") == "sk-1"


def test_a_system_without_a_safe_store_is_refused() -> None:
    before = keyring.get_keyring()
    keyring.set_keyring(fail.Keyring())
    try:
        with pytest.raises(KeyStoreUnavailable):
            CredentialStore(SystemKeyring()).keep("openai", "sk-one")
    finally:
        keyring.set_keyring(before)


@pytest.mark.parametrize("text", ["", "  ", "two words", "line\nbreak", "ключ", "x" * 5000])
def test_what_is_no_key_is_refused(text: str, drawer: Drawer) -> None:
    with pytest.raises(InvalidValue):
        CredentialStore(SystemKeyring()).keep("openai", text)
    assert drawer.kept == {}
