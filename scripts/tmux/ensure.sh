#!/usr/bin/env bash
# Makes tmux, a terminal without a screen, available for the tests and prints its path; does nothing where it is installed already.
# SVC_TEST_TMUX names another one to use.
set -euo pipefail

if [ -n "${SVC_TEST_TMUX:-}" ]; then
    echo "$SVC_TEST_TMUX"
    exit 0
fi

found() { command -v tmux; }

if ! found >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "installing tmux" >&2
        { apt-get update -q || true; DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends tmux; } >&2
    else
        echo "tmux is not installed: install the package tmux, or name one in SVC_TEST_TMUX" >&2
        exit 1
    fi
fi
found
