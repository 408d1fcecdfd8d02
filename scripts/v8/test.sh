#!/usr/bin/env bash
# Tests ensure.sh branch by branch on copies in a temporary folder: a small made-up archive, a stand-in for the build
# script and one for curl, so nothing is compiled and no network is asked. Only the last test asks the real release
# page, and takes either answer; SVC_V8_OFFLINE=1 leaves it out.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
TARGET=x86_64-unknown-linux-gnu
ARCHIVE=librusty_v8_simdutf_release_$TARGET.a.gz
KEY=https___github_com_denoland_rusty_v8_releases_download_v150_4_0_librusty_v8_simdutf_release_x86_64_unknown_linux_gnu_a_gz
ASK_REAL_PAGE=yes
if [[ ${SVC_V8_OFFLINE:-} == 1 ]]; then
  ASK_REAL_PAGE=no
fi

unset RUSTY_V8_ARCHIVE RUSTY_V8_MIRROR V8_FROM_SOURCE V8_FORCE_DEBUG SVC_V8_SHARED SVC_V8_OFFLINE
BOX=$(mktemp -d)
trap 'rm -rf "$BOX"' EXIT
PASSED=0 FAILED=0
MAIN='' CACHED='' STATUS='' OUTPUT=''

# Lays a fresh checkout, cargo home and shared folder, whose archive the copy of pins.sh knows.
fresh() {
  rm -rf "${BOX:?}"/*
  MAIN=$BOX/main CACHED=$BOX/cargo/.rusty_v8/$KEY
  mkdir -p "$MAIN/scripts" "$BOX/shared/v8" "$BOX/bin" "$BOX/cargo"
  cp -r "$HERE" "$MAIN/scripts/v8"
  printf '[[package]]\nname = "v8"\nversion = "150.4.0"\n' >"$MAIN/Cargo.lock"
  printf 'v8 = { version = "=150.4.0", features = ["simdutf"] }\n' >"$MAIN/Cargo.toml"
  printf 'an archive' | gzip -n >"$BOX/shared/v8/$ARCHIVE"
  list_sums
  sed -i "s/^V8_SHARED_SHA256=.*/V8_SHARED_SHA256=$(sum_of "$BOX/shared/v8/$ARCHIVE")/" "$MAIN/scripts/v8/pins.sh"
  page_answers no
  # shellcheck disable=SC2016 # the stand-in expands it
  build_is 'printf built | gzip -n >"$2"'
}

# Prints a file's SHA-256.
sum_of() { sha256sum "$1" | cut -d' ' -f1; }

# Writes the shared folder's SHA256SUMS anew from what lies there.
list_sums() { (cd "$BOX/shared/v8" && sha256sum "$ARCHIVE" >SHA256SUMS); }

# Puts a stand-in for curl first in PATH that answers as told and notes that it was asked.
page_answers() {
  local status=6
  if [[ $1 == yes ]]; then
    status=0
  fi
  printf '#!/bin/sh\necho "$@" >>"%s/asked"\nexit %s\n' "$BOX" "$status" >"$BOX/bin/curl"
  chmod +x "$BOX/bin/curl"
}

# Puts a stand-in in the build script's place.
build_is() { printf '#!/bin/sh\necho run >>"%s/built"\n%s\n' "$BOX" "$1" >"$MAIN/scripts/v8/build-from-registries.sh"; }

# Runs ensure.sh: first variables as NAME=value, then arguments; leaves STATUS and OUTPUT.
ensure() {
  local variables=(CARGO_HOME="$BOX/cargo" CARGO_BUILD_TARGET="$TARGET" PATH="$BOX/bin:$PATH")
  while [[ ${1:-} == *=* ]]; do
    variables+=("$1")
    shift
  done
  STATUS=0
  OUTPUT=$(env "${variables[@]}" "$MAIN/scripts/v8/ensure.sh" "$@" 2>&1) || STATUS=$?
}

# Counts a test: its name, then a condition as a command.
check() {
  local name=$1
  shift
  if "$@"; then
    PASSED=$((PASSED + 1))
    printf 'ok      %s\n' "$name"
  else
    FAILED=$((FAILED + 1))
    printf 'FAILED  %s\n        exit %s, output: %s\n' "$name" "$STATUS" "$OUTPUT"
  fi
}

# The conditions.
silent_success() { [[ $STATUS == 0 && -z $OUTPUT ]]; }
success_saying() { [[ $STATUS == 0 && $OUTPUT == *"$1"* ]]; }
error_saying() {
  local words
  [[ $STATUS != 0 && $OUTPUT == *'error: '* ]] || return 1
  for words; do [[ $OUTPUT == *"$words"* ]] || return 1; done
}
failure_saying() { [[ $STATUS == "$1" && $OUTPUT == *"$2"* ]]; }
holds() { [[ -f $CACHED && $(gzip -dc "$CACHED") == "$1" ]]; }
# Neither the archive nor a left-over of it is in the cache.
cache_is_empty() { [[ -z $(find "$BOX/cargo" -type f) ]]; }
cache_has_one_file() { [[ $(find "$BOX/cargo" -type f | wc -l) == 1 ]]; }
was_built() { [[ -e $BOX/built ]]; }
was_asked() { [[ -e $BOX/asked ]] && grep -q -- "--head.*/v150.4.0/$ARCHIVE" "$BOX/asked"; }
not() { ! "$@"; }

test_cached() {
  fresh
  mkdir -p "${CACHED%/*}"
  printf 'cached' | gzip -n >"$CACHED"
  ensure
  check 'cached: silent' silent_success
  check 'cached: left as it was' holds cached
  check 'cached: page not asked' not was_asked
  : >"$CACHED"
  ensure
  check 'cached but empty: error' error_saying "$CACHED"
}

test_named_archive() {
  fresh
  : >"$BOX/mine.a"
  ensure RUSTY_V8_ARCHIVE="$BOX/mine.a"
  check 'RUSTY_V8_ARCHIVE of a file: silent' silent_success
  check 'RUSTY_V8_ARCHIVE of a file: cache untouched' cache_is_empty
  ensure RUSTY_V8_ARCHIVE="$BOX/none.a"
  check 'RUSTY_V8_ARCHIVE of no file: error' error_saying RUSTY_V8_ARCHIVE "$BOX/none.a"
  ensure RUSTY_V8_ARCHIVE=
  check 'RUSTY_V8_ARCHIVE empty: error' error_saying RUSTY_V8_ARCHIVE
  ensure RUSTY_V8_ARCHIVE=mine.a
  check 'RUSTY_V8_ARCHIVE relative: error' error_saying 'absolute path'
}

test_shared() {
  fresh
  chmod 444 "$BOX/shared/v8/$ARCHIVE"
  ensure
  check 'shared: put in place' success_saying 'in place'
  check 'shared: whole' holds 'an archive'
  check 'shared: no left-over' cache_has_one_file
  check 'shared: page not asked' not was_asked
  ensure
  check 'shared, second run: silent' silent_success

  fresh
  mv "$BOX/shared/v8" "$BOX/elsewhere"
  ensure SVC_V8_SHARED="$BOX/elsewhere"
  check 'SVC_V8_SHARED: put in place' holds 'an archive'
}

test_shared_corrupt() {
  local good bad
  fresh
  good=$(sum_of "$BOX/shared/v8/$ARCHIVE")
  printf 'x' >>"$BOX/shared/v8/$ARCHIVE"
  bad=$(sum_of "$BOX/shared/v8/$ARCHIVE")
  ensure
  check 'shared corrupt: error names file, expected, found' \
    error_saying "$BOX/main/../shared/v8/$ARCHIVE" SHA256SUMS "expected $good" "found $bad"
  check 'shared corrupt: cache untouched' cache_is_empty
  check 'shared corrupt: neither page nor build' not was_built
  list_sums
  ensure
  check 'shared not the pinned one: error' error_saying pins.sh "expected $good" "found $bad"
  check 'shared not the pinned one: cache untouched' cache_is_empty
  : >"$BOX/shared/v8/SHA256SUMS"
  ensure
  check 'shared not listed: error' error_saying 'no line for'
  rm "$BOX/shared/v8/SHA256SUMS"
  ensure
  check 'shared without SHA256SUMS: error' error_saying SHA256SUMS
}

test_release_page() {
  fresh
  rm -r "$BOX/shared"
  page_answers yes
  ensure
  check 'page answers: said' success_saying 'release page answers'
  check "page answers: asked for the crate's archive" was_asked
  check 'page answers: no build' not was_built
  check 'page answers: cache untouched' cache_is_empty
  ensure CARGO_BUILD_TARGET=aarch64-apple-darwin
  check 'other target, page answers: said' success_saying 'release page answers'
}

test_build() {
  fresh
  rm -r "$BOX/shared"
  ensure
  check 'page silent: build announced' success_saying 'about 65 minutes'
  check 'page silent: built and in place' holds built
  check 'page silent: no left-over' cache_has_one_file

  fresh
  rm -r "$BOX/shared"
  page_answers yes
  ensure SVC_V8_OFFLINE=1
  check 'SVC_V8_OFFLINE: page not asked' not was_asked
  check 'SVC_V8_OFFLINE: built' holds built

  fresh
  rm -r "$BOX/shared"
  # shellcheck disable=SC2016 # the stand-in expands it
  build_is 'echo half >"$2"; exit 3'
  ensure
  check 'build fails: error' error_saying 'run again'
  check 'build fails: cache untouched' cache_is_empty
  # shellcheck disable=SC2016 # the stand-in expands it
  build_is 'echo nonsense >"$2"'
  ensure
  check 'build leaves nonsense: error' error_saying 'no whole archive'
  check 'build leaves nonsense: cache untouched' cache_is_empty

  fresh
  ensure CARGO_BUILD_TARGET=aarch64-unknown-linux-gnu
  check 'other target, page silent: error says what is missing' \
    error_saying aarch64-unknown-linux-gnu 'only be downloaded' RUSTY_V8_ARCHIVE
  check 'other target, page silent: no build' not was_built
}

test_version() {
  fresh
  printf '[[package]]\nname = "v8"\nversion = "151.0.0"\n' >"$MAIN/Cargo.lock"
  ensure
  check 'Cargo.lock of another v8: error' error_saying Cargo.lock 151.0.0 150.4.0
  check 'Cargo.lock of another v8: cache untouched' cache_is_empty
  rm "$MAIN/Cargo.lock"
  printf 'v8 = "=151.1.0"\n' >"$MAIN/Cargo.toml"
  ensure
  check 'Cargo.toml of another v8: error' error_saying Cargo.toml 151.1.0 150.4.0
  rm "$MAIN/Cargo.toml"
  ensure
  check 'no workspace files: goes on' holds 'an archive'
}

test_options() {
  fresh
  ensure --print-path
  check '--print-path' test "$OUTPUT" = "$CACHED"
  ensure --help
  check '--help' success_saying SVC_V8_SHARED
  ensure --nonsense
  check 'unknown argument: error' error_saying --nonsense
  ensure V8_FROM_SOURCE=1
  check "V8_FROM_SOURCE: left to the crate" success_saying V8_FROM_SOURCE
  ensure RUSTY_V8_MIRROR=https://example.invalid
  check "RUSTY_V8_MIRROR: left to the crate" success_saying RUSTY_V8_MIRROR
  check "left to the crate: cache untouched" cache_is_empty
}

# The step counter, with a script in ninja's place: a first run of 2 of 4 steps, then one of the 2 left.
test_step_counter() {
  fresh
  local steps=(python3 "$MAIN/scripts/v8/ninja_steps.py" --total-file "$BOX/total" --log "$BOX/log" --)
  STATUS=0
  OUTPUT=$("${steps[@]}" sh -c 'echo "@1/4@ a"; echo "@2/4@ b"; echo "FAILED: b"; echo "why"; exit 1' 2>&1) || STATUS=$?
  check 'steps: failure passed on with its output' failure_saying 1 $'FAILED: b\nwhy'
  STATUS=0
  OUTPUT=$("${steps[@]}" sh -c 'echo "@1/2@ b"; echo "@2/2@ c"' 2>&1) || STATUS=$?
  check 'steps: second run counts on' success_saying 'step 4 of 4'
  check 'steps: says what was done before' success_saying '2 steps were done before'
}

# The real files: the pins fit this workspace and, where there is one, the shared folder.
test_real_files() {
  # shellcheck source=pins.sh
  . "$HERE/pins.sh"
  STATUS=0 OUTPUT=
  if [[ -f $ROOT/Cargo.lock ]]; then
    check "Cargo.lock has v8 with the pinned checksum" grep -q "$V8_CRATE_SHA256" "$ROOT/Cargo.lock"
  fi
  if [[ -f $ROOT/../shared/v8/SHA256SUMS ]]; then
    check 'shared/v8 lists the pinned archive' grep -q "^$V8_SHARED_SHA256 .*$ARCHIVE" "$ROOT/../shared/v8/SHA256SUMS"
  fi
}

# The real release page, through the real curl.
test_real_page() {
  fresh
  rm -r "$BOX/shared" "$BOX/bin/curl"
  ensure
  if [[ $OUTPUT == *'release page answers'* ]]; then
    check 'real page: answers, nothing built' not was_built
  else
    check 'real page: does not answer, built' holds built
  fi
}

test_cached
test_named_archive
test_shared
test_shared_corrupt
test_release_page
test_build
test_version
test_options
test_step_counter
test_real_files
if [[ $ASK_REAL_PAGE == yes ]]; then
  test_real_page
fi
printf '%s passed, %s failed\n' "$PASSED" "$FAILED"
((FAILED == 0))
