#!/bin/sh
# Makes a bare Debian 12 to try the bundle in: no Python, no fonts, only the system libraries that Qt expects of a desktop.
#
#   packaging/bare-root.sh DIR     needs debootstrap and the rights of root; a finished DIR is kept as it is
set -eu

root=${1:?usage: packaging/bare-root.sh DIR}
mirror=${MIRROR:-http://deb.debian.org/debian}
#: What a Linux desktop has anyway. The same list stands in README.md.
libraries='libegl1 libgl1 libdbus-1-3 libfontconfig1 libfreetype6 libglib2.0-0 libx11-xcb1 libxcb-glx0 libxcb-randr0
    libxcb-render0 libxcb-shape0 libxcb-shm0 libxcb-sync1 libxcb-xfixes0 libxcb-xkb1'

[ -e "$root/etc/hive-mind-bare" ] && exit 0
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo "hive-mind: a bare system is made by root, with debootstrap (apt-get install debootstrap)" >&2
    exit 1
fi
[ -e "$root/etc/apt" ] || debootstrap --variant=minbase bookworm "$root" "$mirror" >&2
cp /etc/resolv.conf "$root/etc/"
# How this system reaches its mirror (a proxy, a certificate) holds for the bare one too.
cp -rn /etc/apt/apt.conf.d "$root/etc/apt/" 2>/dev/null || true
cp -rn /etc/apt/auth.conf.d "$root/etc/apt/" 2>/dev/null || true
# shellcheck disable=SC2086  # one word per package is meant
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -ec "
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends $(echo $libraries)
" >&2
: > "$root/etc/hive-mind-bare"
