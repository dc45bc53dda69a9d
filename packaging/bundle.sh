#!/bin/sh
# Freezes the window and the command line into dist/hive-mind, from the locks and nothing else.
#
#   packaging/bundle.sh            build
#   packaging/bundle.sh python     only make the environment for it, and print the path of its Python
#
# The environment holds what the program needs and PyInstaller: no test tool is there that could slip in.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
venv=$root/build/bundle-venv
locks='requirements.lock requirements-bundle.lock'

say() { echo "hive-mind: $*"; }

# shellcheck disable=SC2086  # one word per lock is meant
stamp=$venv/.installed-$(cat $locks packaging/bundle.sh | cksum | cut -d ' ' -f 1)
if [ ! -e "$stamp" ]; then
    say "making the environment for the bundle (every file is checked against its hash)" >&2
    rm -rf "$venv"
    "${PYTHON:-.venv/bin/python}" -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
        --require-hashes --no-deps --only-binary :all: -r requirements.lock -r requirements-bundle.lock >&2
    : > "$stamp"
fi
if [ "${1:-}" = python ]; then
    echo "$venv/bin/python"
    exit 0
fi

# Dates inside come from the last commit and the order of sets is fixed: the same source gives the same modules.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1700000000)}
PYTHONHASHSEED=0
PYTHONDONTWRITEBYTECODE=1
QT_QPA_PLATFORM=offscreen
export SOURCE_DATE_EPOCH PYTHONHASHSEED PYTHONDONTWRITEBYTECODE QT_QPA_PLATFORM
nice -n 10 "$venv/bin/python" -m PyInstaller --noconfirm --clean --log-level WARN \
    --distpath dist --workpath build/pyinstaller pyinstaller.spec
say "the bundle is in dist/hive-mind ($(du -sh dist/hive-mind | cut -f 1))"
