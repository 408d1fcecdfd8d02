#!/usr/bin/env bash
# Sees to it that the `v8` crate's build script finds V8's static archive. Run before cargo; does nothing when it does.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
# shellcheck source=pins.sh
. "$HERE/pins.sh"

RELEASES=https://github.com/denoland/rusty_v8/releases/download
SHARED=${SVC_V8_SHARED:-$ROOT/../shared/v8}
CACHE_FOLDER=${CARGO_HOME:-$HOME/.cargo}/.rusty_v8
readonly CONNECT_TIMEOUT_S=3
readonly HEAD_TIMEOUT_S=8

TEMPORARY=

# Prints what this script does and what it can be told.
usage() {
  cat <<TEXT
Usage: scripts/v8/ensure.sh [--print-path | --help]

Sees to it that the crate v8 $V8_VERSION finds the static archive of V8 that it links. make run, make test and CI call
it before cargo. The first of these that applies ends it:

  1. RUSTY_V8_ARCHIVE names a file, or the archive is in the cache already: nothing to do, nothing printed.
  2. The archive lies in shared/v8 beside the checkout ($V8_BUILT_TARGET only): it is checked against
     SHA256SUMS there and the checksum pinned in scripts/v8/pins.sh, and copied to the cache. Less than a second.
  3. The crate's release page answers: nothing to do, the crate's build script downloads the archive in seconds.
  4. scripts/v8/build-from-registries.sh builds it ($V8_BUILT_TARGET only): about $V8_BUILD_MINUTES_ON_2_CORES minutes
     on 2 cores, resumable.

A checksum that differs is an error, and so is a workspace that asks for another v8 than $V8_VERSION.

  --print-path   print the path of the archive in the cache, whether it is there or not

Environment:
  RUSTY_V8_ARCHIVE   the archive to link (absolute path or URL), read by the crate's build script too
  CARGO_HOME         holds the cache, in .rusty_v8 (default: ~/.cargo)
  CARGO_BUILD_TARGET the target to build for (default: rustc's host)
  SVC_V8_SHARED      folder to use in place of ../shared/v8
  SVC_V8_OFFLINE     set to 1: don't ask the release page
  V8_FROM_SOURCE, V8_FORCE_DEBUG, RUSTY_V8_MIRROR
                     the crate's own; with one of them set this script leaves everything to the crate
TEXT
}

# Prints one line of news.
say() { printf 'v8: %s\n' "$*" >&2; }

# Prints an error and ends the script.
die() {
  printf 'v8: error: %s\n' "$*" >&2
  exit 1
}

# Removes what a run that failed left half done.
clean_up() { [[ -z $TEMPORARY ]] || rm -f "$TEMPORARY" "$TEMPORARY.part"; }

# Prints the target that cargo will build for.
target() {
  if [[ -n ${CARGO_BUILD_TARGET:-} ]]; then
    printf '%s\n' "$CARGO_BUILD_TARGET"
    return
  fi
  local host
  host=$(cd "$ROOT" && rustc -vV 2>/dev/null | sed -n 's/^host: //p') || host=
  if [[ -z $host && $(uname -sm) == 'Linux x86_64' ]]; then
    host=$V8_BUILT_TARGET
  fi
  printf '%s\n' "${host:-$(uname -m)-unknown-$(uname -s)}"
}

# Prints where the crate's build script downloads the archive for a target from.
archive_url() {
  local prefix=librusty_v8 suffix=.a
  if [[ $1 == *windows* ]]; then
    prefix=rusty_v8 suffix=.lib
  fi
  printf '%s/v%s/%s%s_%s_%s%s.gz\n' "$RELEASES" "$V8_VERSION" "$prefix" "$V8_FEATURES" "$V8_PROFILE" "$1" "$suffix"
}

# Prints where the crate's build script looks for a URL's file before it downloads: all but letters and digits as `_`.
cache_path() { printf '%s/%s\n' "$CACHE_FOLDER" "$(printf '%s' "$1" | LC_ALL=C tr -c 'A-Za-z0-9' '_')"; }

# Fails when the workspace asks for another V8 than the one these scripts are made for.
check_version() {
  local found
  if [[ -f $ROOT/Cargo.lock ]]; then
    found=$(awk '$1 == "name" { is = $3 == "\"v8\"" } is && $1 == "version" { gsub(/"/, "", $3); print $3 }' \
      "$ROOT/Cargo.lock")
    [[ -z $found || $found == "$V8_VERSION" ]] ||
      die "Cargo.lock has v8 ${found//$'\n'/, }, scripts/v8 is made for $V8_VERSION: see 'Another version' in docs/v8.md"
  fi
  if [[ -f $ROOT/Cargo.toml ]]; then
    found=$(sed -n -E 's/^v8 *= *(\{.*version *= *)?"[=^~ ]*([0-9][^"]*)".*/\2/p' "$ROOT/Cargo.toml")
    [[ -z $found || $found == "$V8_VERSION" ]] ||
      die "Cargo.toml asks for v8 $found, scripts/v8 is made for $V8_VERSION: see 'Another version' in docs/v8.md"
  fi
}

# Ends the script when the crate is told by a variable of its own to do something else than link the release archive.
leave_special_cases_to_the_crate() {
  local name
  for name in V8_FROM_SOURCE V8_FORCE_DEBUG; do
    case ${!name:-} in
    true | 1 | yes) say "$name is set: left to the v8 crate's build script" && exit 0 ;;
    esac
  done
  if [[ -n ${RUSTY_V8_MIRROR+set} ]]; then
    say "RUSTY_V8_MIRROR is set: left to the v8 crate's build script"
    exit 0
  fi
}

# Ends the script when RUSTY_V8_ARCHIVE is set: well if the crate's build script can use it, else with an error.
use_named_archive() {
  [[ -n ${RUSTY_V8_ARCHIVE+set} ]] || return 0
  case $RUSTY_V8_ARCHIVE in
  http:* | https:*) exit 0 ;;
  /*) ;;
  *) die "RUSTY_V8_ARCHIVE must be an absolute path or a URL (the crate reads it from another folder): '$RUSTY_V8_ARCHIVE'" ;;
  esac
  [[ -f $RUSTY_V8_ARCHIVE ]] || die "RUSTY_V8_ARCHIVE names no file: $RUSTY_V8_ARCHIVE"
  exit 0
}

# Ends the script when the archive is in the cache.
use_cached_archive() {
  [[ -e $1 ]] || return 0
  [[ -f $1 && -s $1 ]] || die "no archive, but something else is in its place: remove $1"
  exit 0
}

# Makes an empty file beside the archive's place in the cache and remembers it in TEMPORARY.
make_temporary() {
  mkdir -p "$CACHE_FOLDER"
  TEMPORARY=$(mktemp "$CACHE_FOLDER/.v8-archive.XXXXXX")
}

# Moves TEMPORARY to the archive's place in the cache, in one move.
put_in_place() {
  chmod 644 "$TEMPORARY"
  mv -f "$TEMPORARY" "$1"
  TEMPORARY=
  say "in place: $1"
}

# Fails unless the file's checksum, taken already, is the expected one.
check_sum() {
  local file=$1 expected=$2 found=$3 source=$4
  [[ $found == "$expected" ]] ||
    die "SHA-256 of $file differs from $source: expected $expected, found ${found:-none}"
}

# Copies the archive from the shared folder, if it has one, and ends the script.
use_shared_archive() {
  local cached=$1 file=$SHARED/$2 sums=$SHARED/SHA256SUMS listed found
  [[ -f $file ]] || return 0
  [[ -f $sums ]] || die "$file has no SHA256SUMS beside it"
  listed=$(awk -v name="$2" '$2 == name || $2 == "*" name { print $1 }' "$sums")
  [[ -n $listed ]] || die "$sums has no line for $2"
  make_temporary
  cp "$file" "$TEMPORARY"
  found=$(sha256sum "$TEMPORARY")
  found=${found%% *}
  check_sum "$file" "$listed" "$found" "$sums"
  check_sum "$file" "$V8_SHARED_SHA256" "$found" scripts/v8/pins.sh
  put_in_place "$cached"
  exit 0
}

# Ends the script when the crate's release page has the archive.
use_release_page() {
  if [[ ${SVC_V8_OFFLINE:-} == 1 ]]; then
    say "SVC_V8_OFFLINE is set: the release page is not asked"
    return
  fi
  command -v curl >/dev/null || die "curl not found: install it, or put the archive of $1 at $(cache_path "$1")"
  if curl --head --silent --fail --location --output /dev/null \
    --connect-timeout "$CONNECT_TIMEOUT_S" --max-time "$HEAD_TIMEOUT_S" "$1"; then
    say "the release page answers: the v8 crate's build script will download the archive, in seconds"
    exit 0
  fi
  say "the release page does not answer: $1"
}

# Builds the archive and puts it in place.
build_archive() {
  say "building V8 from the package registries: about $V8_BUILD_MINUTES_ON_2_CORES minutes on 2 cores, resumable"
  make_temporary
  # Whoever ends this script ends the build too.
  setpriv --pdeathsig TERM "$HERE/build-from-registries.sh" --out "$TEMPORARY" >&2 ||
    die "build-from-registries.sh failed; run again, it goes on where it stopped"
  if [[ ! -s $TEMPORARY ]] || ! gzip -t "$TEMPORARY"; then
    die "build-from-registries.sh ended well but left no whole archive"
  fi
  put_in_place "$1"
}

# Goes through the ways in order.
main() {
  local target url cached
  case ${1:-} in
  --help | -h) usage && exit 0 ;;
  --print-path) cache_path "$(archive_url "$(target)")" && exit 0 ;;
  '') ;;
  *) usage >&2 && die "unknown argument: $1" ;;
  esac
  trap clean_up EXIT
  check_version
  use_named_archive
  leave_special_cases_to_the_crate
  target=$(target)
  url=$(archive_url "$target")
  cached=$(cache_path "$url")
  use_cached_archive "$cached"
  if [[ $target == "$V8_BUILT_TARGET" ]]; then
    use_shared_archive "$cached" "${url##*/}"
  fi
  use_release_page "$url"
  [[ $target == "$V8_BUILT_TARGET" && $(uname -sm) == 'Linux x86_64' ]] ||
    die "V8 for $target can only be downloaded, and the release page does not answer." \
      "Put $url at $cached, or name it with RUSTY_V8_ARCHIVE."
  build_archive "$cached"
}

main "$@"
