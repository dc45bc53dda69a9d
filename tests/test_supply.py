"""What is installed: both locks agree and are hashed, licences allow shipping, nothing phones home."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.source_tree import ROOT

#: Licences a package may have. GPL and AGPL are not here: the app is Apache-2.0. MPL files stay as they are.
ALLOWED = frozenset(
    {"MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC", "PSF-2.0", "MPL-2.0", "LGPL-3.0-only", "0BSD", "Zlib",
     "CC0-1.0", "MIT-0", "MIT-CMU", "MPL-1.1"}
)  # fmt: skip

#: Packages whose metadata states no SPDX expression, with what their licence file says. Read by a person.
READ_BY_HAND = {
    "anthropic": "MIT",
    "apsw": "MIT",  # "any OSI approved licence": we take MIT
    "backports-tarfile": "MIT",
    "brotli": "MIT",
    "charset-normalizer": "MIT",
    "cssselect2": "BSD-3-Clause",
    "docstring-parser": "MIT",
    "flatbuffers": "Apache-2.0",
    "fonttools": "MIT",
    "grimp": "BSD-2-Clause",
    "h11": "MIT",
    "import-linter": "BSD-2-Clause",
    "jaraco-classes": "MIT",
    "jinja2": "BSD-3-Clause",
    "markdown-it-py": "MIT",
    "mdurl": "MIT",
    "nh3": "MIT",
    "onnxruntime": "MIT",
    "pathspec": "MPL-2.0",
    "pluggy": "MIT",
    "protobuf": "BSD-3-Clause",
    "pydyf": "BSD-3-Clause",
    "pypdfium2": "BSD-3-Clause AND Apache-2.0",
    "pyphen": "MPL-1.1",  # offered under GPL, LGPL or MPL: we take MPL and change nothing in it
    "pyside6-essentials": "LGPL-3.0-only",  # offered under LGPL or GPL: we take LGPL and ship Qt as separate files
    "pytest-qt": "MIT",
    "pytest-timeout": "MIT",
    "pyyaml": "MIT",
    "rfc8785": "Apache-2.0",
    "rich": "MIT",
    "shellingham": "ISC",
    "shiboken6": "LGPL-3.0-only",
    "sniffio": "MIT",
    "sortedcontainers": "Apache-2.0",
    "sqlite-vec": "MIT",  # MIT or Apache-2.0
    "tinycss2": "BSD-3-Clause",
    "tinyhtml5": "MIT",
    "tokenizers": "Apache-2.0",
    "weasyprint": "BSD-3-Clause",
    "webencodings": "BSD-3-Clause",
    "zopfli": "Apache-2.0",
}

#: Error reporters, usage counters and metric exporters, and libraries that bring one along.
TELEMETRY = re.compile(
    r"^(sentry|posthog|mixpanel|amplitude|segment|analytics|bugsnag|rollbar|raygun|newrelic|ddtrace|datadog|scarf|"
    r"statsd|honeybadger|elastic-apm|applicationinsights|azure-monitor|countly|matomo|plausible|wandb|comet|"
    r"opentelemetry-(sdk|exporter|instrumentation|distro)|litellm|langfuse|langsmith|chromadb)"
)


def read_lock(name: str) -> dict[str, tuple[Requirement, list[str]]]:
    """Package name to its pinned requirement and its hashes."""
    found: dict[str, tuple[Requirement, list[str]]] = {}
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        if line and not line.lstrip().startswith("#"):
            pin, *hashes = line.split("--hash=")
            requirement = Requirement(pin.strip())
            found[canonicalize_name(requirement.name)] = (requirement, [one.strip() for one in hashes])
    return found


RUN = read_lock("requirements.lock")
DEV = read_lock("requirements-dev.lock")
#: What only building the search model needs, beside what the app has.
MODELS = read_lock("requirements-models.lock")
#: What freezes the program. A tool: of it only the small program in front, whose licence has an exception, is shipped.
BUNDLE = read_lock("requirements-bundle.lock")
HERE = sorted(name for name, (pin, _) in DEV.items() if pin.marker is None or pin.marker.evaluate())


def stated_licence(name: str) -> str:
    """The SPDX expression in the package's own metadata, or nothing."""
    fields = importlib.metadata.metadata(name).json
    return str(fields.get("license_expression", ""))


def is_allowed(expression: str) -> bool:
    """An SPDX expression without brackets: one side of OR must be allowed in full."""
    return any(all(part.strip() in ALLOWED for part in side.split(" AND ")) for side in expression.split(" OR "))


@pytest.mark.parametrize("lock", [RUN, DEV, MODELS, BUNDLE], ids=["run", "dev", "models", "bundle"])
def test_every_locked_package_is_pinned_and_hashed(lock: dict[str, tuple[Requirement, list[str]]]) -> None:
    assert lock
    for pin, hashes in lock.values():
        assert [one.operator for one in pin.specifier] == ["=="], pin
        assert hashes, pin
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", one) for one in hashes), pin


def test_the_development_lock_holds_the_run_lock() -> None:
    assert {name: DEV[name] for name in RUN} == RUN


def test_the_builder_adds_only_what_its_extra_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {canonicalize_name(Requirement(line).name) for line in project["optional-dependencies"]["models"]}
    assert set(MODELS) == named
    assert not named & set(DEV)


def test_what_freezes_the_program_is_apart_from_it() -> None:
    assert "pyinstaller" in BUNDLE
    assert "pyinstaller" not in {*RUN, *DEV}
    assert {name: RUN[name][0] for name in {*RUN} & {*BUNDLE}} == {name: BUNDLE[name][0] for name in {*RUN} & {*BUNDLE}}


def test_what_is_left_out_is_in_no_lock() -> None:
    lines = (ROOT / "packaging" / "not-installed.txt").read_text(encoding="utf-8").splitlines()
    left_out = [Requirement(line) for line in lines if line and not line.startswith("#")]
    assert left_out
    assert all(one.marker is not None and not one.marker.evaluate() for one in left_out)
    assert not {canonicalize_name(one.name) for one in left_out} & {*RUN, *DEV, *MODELS, *BUNDLE}


def test_locks_lie_within_the_ranges_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for wanted, lock in [
        (project["dependencies"] + project["optional-dependencies"]["build"], RUN),
        (project["optional-dependencies"]["dev"], DEV),
        (project["optional-dependencies"]["models"], MODELS),
        (project["optional-dependencies"]["bundle"], BUNDLE),
    ]:
        for line in wanted:
            requirement = Requirement(line)
            pin, _ = lock[canonicalize_name(requirement.name)]
            (version,) = pin.specifier
            assert version.version in requirement.specifier, line


def test_ranges_have_an_upper_end() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for line in chain(project["dependencies"], *project["optional-dependencies"].values()):
        operators = {one.operator for one in Requirement(line).specifier}
        assert operators & {"<", "=="}, line


@pytest.mark.parametrize("name", HERE)
def test_the_tests_run_on_the_locked_version(name: str) -> None:
    assert importlib.metadata.version(name) in DEV[name][0].specifier


@pytest.mark.parametrize("name", HERE)
def test_licence_may_be_shipped(name: str) -> None:
    expression = stated_licence(name) or READ_BY_HAND.get(name, "")
    assert is_allowed(expression), f"{name}: {expression or 'no licence known; read it and add it to READ_BY_HAND'}"


def test_licences_read_by_hand_are_all_needed() -> None:
    stated = {name for name in HERE if stated_licence(name)}
    assert not stated & set(READ_BY_HAND)
    assert set(READ_BY_HAND) <= set(DEV)


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("GPL-3.0-only", False),
        ("AGPL-3.0-or-later", False),
        ("MIT AND GPL-2.0-only", False),
        ("LGPL-3.0-only OR GPL-3.0-only", True),
        ("BSD-3-Clause AND ISC", True),
        ("", False),
    ],
)
def test_licence_expressions_are_judged(expression: str, allowed: bool) -> None:
    assert is_allowed(expression) is allowed


def test_nothing_phones_home() -> None:
    assert [name for name in {**DEV, **MODELS, **BUNDLE} if TELEMETRY.match(name)] == []
    assert TELEMETRY.match("sentry-sdk")
    assert TELEMETRY.match("opentelemetry-exporter-otlp")
    assert not TELEMETRY.match("opentelemetry-api")
