#!/usr/bin/env bash
# Configures and builds one preset: scripts/build.sh [release|debug|sanitize|coverage] [cmake --build arguments]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
[ $# -gt 0 ] && shift

scripts/setup.sh
cmake --preset "$preset" >build-configure.log 2>&1 || { cat build-configure.log >&2; rm -f build-configure.log; exit 1; }
rm -f build-configure.log
cmake --build --preset "$preset" "$@"
