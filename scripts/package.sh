#!/usr/bin/env bash
# Builds the Debian package dve-tlm_VERSION_ARCHITECTURE.deb in build/package, the Python package in it, and prints its
# path.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in -h|--help) sed -n '2,3p' scripts/package.sh | sed 's/^# \{0,1\}//'; exit 0 ;; esac

scripts/setup.sh >&2
scripts/setup.sh --python >&2
scripts/setup.sh --package >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{
  cmake --preset package &&
  cmake --build --preset package &&
  cd build/package && rm -f ./*.deb && cpack -G DEB && cd ../..
} >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
ls build/package/*.deb
