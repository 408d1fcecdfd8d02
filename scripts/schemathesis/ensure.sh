#!/usr/bin/env bash
# Makes schemathesis available, which tries the API by its own document, and prints the program's path. From PyPI, held to one version.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=4.32.5
home=target/tools/schemathesis-$version
if [ ! -x "$home/bin/st" ]; then
    rm -rf "$home"
    python3 -m venv "$home" >&2
    "$home/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version" >&2
fi
echo "$PWD/$home/bin/st"
