#!/usr/bin/env bash
# Makes VS Code's own JavaScript debugger available for the tests and prints its folder. It is on no registry by itself: code-server, which
# is on npm, carries it. Some 46 MB are fetched once, held to their checksum; the extension alone is kept, in target/tools.
# SVC_TEST_JS_DEBUG names another folder to use.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if [ -n "${SVC_TEST_JS_DEBUG:-}" ]; then
    echo "$SVC_TEST_JS_DEBUG"
    exit 0
fi

readonly VERSION=4.139.1
readonly SHA256=75b76d3870dbcb7a4c08627f586a03344ca017be182171020c7405bdb6f2fb33
readonly INSIDE=package/lib/vscode/extensions/ms-vscode.js-debug
home=$PWD/target/tools/js-debug-of-code-server-$VERSION

if [ ! -d "$home" ]; then
    mkdir -p target/tools
    work=$(mktemp -d "$PWD/target/tools/js-debug.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    echo "fetching VS Code's JavaScript debugger" >&2
    (cd "$work" && npm pack --silent "code-server@$VERSION" >&2)
    echo "$SHA256  $work/code-server-$VERSION.tgz" | sha256sum --check --quiet - >&2
    tar -xzf "$work/code-server-$VERSION.tgz" -C "$work" "$INSIDE"
    # At once, or not at all: another process may fetch it, too.
    mv -T "$work/$INSIDE" "$home" 2>/dev/null || [ -d "$home" ]
fi
echo "$home"
