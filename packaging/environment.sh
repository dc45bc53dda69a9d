#!/bin/sh
# Makes .venv hold exactly what a lock names, and puts the system libraries there that Qt needs.
#
#   packaging/environment.sh run    what the app needs          (requirements.lock)
#   packaging/environment.sh dev    that and the test tools     (requirements-dev.lock)
#
# A stamp inside .venv carries a digest of the locks and of pyproject.toml. While it fits, nothing is
# fetched and nothing is written: the second run works without a network.
set -eu

wanted=${1:-run}
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
venv=$root/.venv
case $wanted in
    run) lock=$root/requirements.lock ;;
    dev) lock=$root/requirements-dev.lock ;;
    *) echo "usage: $0 run|dev" >&2; exit 2 ;;
esac

say() { echo "hive-mind: $*"; }

is_python_311() {
    command -v "$1" >/dev/null 2>&1 &&
        "$1" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' >/dev/null 2>&1
}

find_python() {
    for candidate in ${PYTHON:-} python3.11 python3; do
        if is_python_311 "$candidate"; then echo "$candidate"; return; fi
    done
}

has_library() {
    # ldconfig is in /sbin, which is not on every user's PATH.
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -q "^[[:space:]]*$1 "
}

# Debian package names for everything that is missing, found by what it provides and not by its name
# (Ubuntu calls some of them differently and apt knows how to follow).
missing_packages() {
    python=$(find_python)
    if [ -z "$python" ]; then echo python3; fi
    if [ -z "$python" ] || ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then echo python3-venv; fi
    [ -e /etc/ssl/certs/ca-certificates.crt ] || echo ca-certificates
    while read -r library package; do
        has_library "$library" || echo "$package"
    done <<EOF
libEGL.so.1 libegl1
libGL.so.1 libgl1
libxkbcommon.so.0 libxkbcommon0
libdbus-1.so.3 libdbus-1-3
libfontconfig.so.1 libfontconfig1
libglib-2.0.so.0 libglib2.0-0
libpango-1.0.so.0 libpango-1.0-0
libpangoft2-1.0.so.0 libpangoft2-1.0-0
libharfbuzz-subset.so.0 libharfbuzz-subset0
EOF
    [ -e /usr/share/fonts/truetype/dejavu ] || echo fonts-dejavu-core
    if [ -n "${DISPLAY:-}" ]; then
        while read -r library package; do
            has_library "$library" || echo "$package"
        done <<EOF
libxcb-cursor.so.0 libxcb-cursor0
libxcb-icccm.so.4 libxcb-icccm4
libxcb-image.so.0 libxcb-image0
libxcb-keysyms.so.1 libxcb-keysyms1
libxcb-randr.so.0 libxcb-randr0
libxcb-render.so.0 libxcb-render0
libxcb-render-util.so.0 libxcb-render-util0
libxcb-shape.so.0 libxcb-shape0
libxcb-shm.so.0 libxcb-shm0
libxcb-sync.so.1 libxcb-sync1
libxcb-util.so.1 libxcb-util1
libxcb-xfixes.so.0 libxcb-xfixes0
libxcb-xkb.so.1 libxcb-xkb1
libxkbcommon-x11.so.0 libxkbcommon-x11-0
libX11-xcb.so.1 libx11-xcb1
EOF
    fi
    if [ -n "${WAYLAND_DISPLAY:-}" ]; then
        has_library libwayland-client.so.0 || echo libwayland-client0
        has_library libwayland-cursor.so.0 || echo libwayland-cursor0
        has_library libwayland-egl.so.1 || echo libwayland-egl1
    fi
}

install_system_packages() {
    command -v apt-get >/dev/null 2>&1 || return 0
    missing=$(missing_packages | tr '\n' ' ' | sed 's/ *$//')
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" != 0 ]; then
        say "these system packages are missing. Run this once, then try again:" >&2
        echo "    sudo apt-get install --no-install-recommends $missing" >&2
        exit 1
    fi
    say "installing system packages: $missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # shellcheck disable=SC2086  # one word per package is meant
    apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

require_python() {
    python=$(find_python)
    if [ -z "$python" ]; then
        say "Python 3.11 was not found. Install it, or name it: make run PYTHON=/path/to/python3.11" >&2
        exit 1
    fi
}

fingerprint() {
    "$python" - "$@" <<'EOF'
import hashlib, pathlib, sys
digest = hashlib.sha256()
for name in sys.argv[1:]:
    digest.update(pathlib.Path(name).read_bytes())
print(digest.hexdigest()[:20])
EOF
}

make_venv() {
    if [ -e "$venv" ] && ! is_python_311 "$venv/bin/python"; then
        say "the old .venv does not hold a working Python 3.11: making a new one"
        rm -rf "$venv"
    fi
    [ -x "$venv/bin/pip" ] || "$python" -m venv "$venv"
}

install_locked() {
    say "installing from $(basename "$lock") (every file is checked against its hash)"
    rm -f "$venv"/.installed-*
    # No dependencies of their own: the lock is complete but for what packaging/not-installed.txt leaves out.
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
        --require-hashes --no-deps --only-binary :all: -r "$lock"
    # No index: setuptools comes from the lock, so this step needs no network and fetches nothing unchecked.
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
        --no-index --no-deps --no-build-isolation -e "$root"
}

install_system_packages
require_python
# The folder is part of it: an editable install points to where the checkout was.
digest=$(fingerprint "$root/requirements.lock" "$root/requirements-dev.lock" "$root/pyproject.toml")
stamp=$digest-$(echo "$root" | cksum | cut -d ' ' -f 1)
[ -e "$venv/.installed-$wanted-$stamp" ] && exit 0
# The development lock holds everything the app needs, in the same versions (a test compares the two).
[ "$wanted" = run ] && [ -e "$venv/.installed-dev-$stamp" ] && exit 0
make_venv
install_locked
: > "$venv/.installed-$wanted-$stamp"
