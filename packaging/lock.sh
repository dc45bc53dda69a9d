#!/bin/sh
# Writes requirements.lock, requirements-dev.lock and requirements-models.lock from the ranges in pyproject.toml.
#
# The locks are for every system at once (environment markers) and carry the hashes of all wheels of each
# version. Nothing that would have to be compiled is let in. uv lives in its own folder, not in .venv.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
tools=build/lock-tools
[ -x "$tools/bin/uv" ] || {
    "${PYTHON:-python3}" -m venv "$tools"
    "$tools/bin/pip" install --quiet 'uv>=0.9'
}

# Left out although a library names it: packaging/not-installed.txt says what and why.
compile() {
    "$tools/bin/uv" pip compile --quiet --upgrade --no-config --universal \
        --python-version 3.11 --generate-hashes --only-binary :all: \
        --custom-compile-command 'make lock' "$@"
}

all() { compile pyproject.toml --override packaging/not-installed.txt "$@"; }
all --extra build --output-file requirements.lock
all --extra build --extra dev --constraint requirements.lock --output-file requirements-dev.lock

# The builder of the search model stands on .venv and adds only what its extra names, so nothing else is locked.
"${PYTHON:-python3}" - > build/models.in <<'EOF'
import pathlib, tomllib
project = tomllib.loads(pathlib.Path("pyproject.toml").read_text("utf-8"))["project"]
print(*project["optional-dependencies"]["models"], sep="\n")
EOF
compile build/models.in --no-deps --no-annotate --constraint requirements.lock --output-file requirements-models.lock
