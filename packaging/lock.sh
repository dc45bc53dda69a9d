#!/bin/sh
# Writes requirements.lock, requirements-dev.lock, requirements-models.lock and requirements-bundle.lock from the ranges
# in pyproject.toml.
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

# What stands in one extra of pyproject.toml, alone.
extra() {
    "${PYTHON:-python3}" - "$1" > "build/$1.in" <<'EOF'
import pathlib, sys, tomllib
project = tomllib.loads(pathlib.Path("pyproject.toml").read_text("utf-8"))["project"]
print(*project["optional-dependencies"][sys.argv[1]], sep="\n")
EOF
}

# The builder of the search model stands on .venv and adds only what its extra names, so nothing else is locked.
extra models
compile build/models.in --no-deps --no-annotate --constraint requirements.lock --output-file requirements-models.lock

# What freezes the program is beside what the program needs, in an environment that has no test tools.
extra bundle
compile build/bundle.in --constraint requirements.lock --output-file requirements-bundle.lock

# The test server, in an environment of its own, and what installs it quickly: nothing of the program stands on these.
for part in requirements installer; do
    compile "tests/services/litellm/$part.in" --no-annotate --output-file "tests/services/litellm/$part.lock"
done
