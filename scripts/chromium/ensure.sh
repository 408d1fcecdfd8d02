#!/usr/bin/env bash
# Makes Chromium available for the tests and prints its path; does nothing where it is installed already.
# SVC_TEST_CHROMIUM names another one to use.
set -euo pipefail

if [ -n "${SVC_TEST_CHROMIUM:-}" ]; then
    echo "$SVC_TEST_CHROMIUM"
    exit 0
fi

found() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

if ! found >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "installing Chromium" >&2
        { apt-get update -q || true; DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium; } >&2
    else
        echo "Chromium is not installed: install the package chromium, or name one in SVC_TEST_CHROMIUM" >&2
        exit 1
    fi
fi
found
