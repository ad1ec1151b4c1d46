#!/bin/sh
# venv.sh: makes a Python virtual environment with pinned packages. Does nothing if it was made
# with the same ones before.
#
#     sh packaging/venv.sh build/venv/zig ziglang==0.17.1

venv=$1
shift
[ "$(cat "$venv/packages" 2>/dev/null)" = "$*" ] && exit
rm -rf "$venv"
${PYTHON:-python3} -m venv "$venv" && "$venv/bin/pip" install -q --disable-pip-version-check "$@" || exit
echo "$*" >"$venv/packages"
