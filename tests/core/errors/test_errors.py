"""Every error has words for a person and a code of its own, and survives the way between processes.

Covers: imports, requests, services, storage, tree.
"""

from __future__ import annotations

import inspect
import pickle

import pytest

from hivemind import errors
from hivemind.errors import HiveMindError, InternalFault, WorldFault

ALL = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, HiveMindError)]
#: Kinds that group others; nobody raises them for a person without words of their own.
GROUPS = {
    "HiveMindError",
    "WorldFault",
    "StorageFault",
    "ImportFault",
    "NotFound",
    "InvalidRequest",
    "NetFault",
    "ModelFault",
}


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_words_and_way(kind: type[HiveMindError]):
    error = kind(details="d1")
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), back.title, back.hint, back.details) == (kind, error.title, error.hint, "d1")
    assert error.hint.endswith(".")
    assert not error.title.endswith(".")
    assert kind.__name__ in errors.__doc__
    if kind.__name__ not in GROUPS and kind is not HiveMindError:
        assert "title" in vars(kind), "words of its own"
    custom = kind("What happened", "What to do.")
    assert str(custom) == "What happened. What to do."


def test_codes_are_unique_and_faults_are_sorted():
    codes = [kind.code for kind in ALL if "code" in vars(kind)]
    assert len(codes) == len(set(codes))
    assert not issubclass(InternalFault, WorldFault)
