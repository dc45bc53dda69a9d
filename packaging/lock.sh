#!/bin/sh
# Writes requirements.lock and requirements-dev.lock from the ranges in pyproject.toml.
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

compile() {
    "$tools/bin/uv" pip compile pyproject.toml --quiet --upgrade --no-config --universal \
        --python-version 3.11 --generate-hashes --only-binary :all: \
        --custom-compile-command 'make lock' "$@"
}

compile --extra build --output-file requirements.lock
compile --extra build --extra dev --constraint requirements.lock --output-file requirements-dev.lock
