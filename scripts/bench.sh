#!/usr/bin/env bash
# Builds and runs the benchmarks and prints the tables of docs/performance.md: ratios of medians inside one run on one
# core, in under 50 seconds on an idle machine.
#   scripts/bench.sh [--build DIR] [--json FILE] [--long]
#     --build DIR   the build folder (default: build/release, which is configured and built)
#     --json FILE   the figures under their keys, too
#     --long        more and longer turns: about five minutes
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/release
arguments=()
while [ $# -gt 0 ]; do
  case "$1" in
    --build|--json)
      [ $# -ge 2 ] || { echo "bench.sh: $1 needs a value" >&2; exit 2; }
      if [ "$1" = --build ]; then build=$2; else arguments+=(--json "$2"); fi
      shift ;;
    --long) arguments+=(--long) ;;
    -h|--help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "bench.sh: unknown argument '$1', expected --build DIR, --json FILE or --long" >&2; exit 2 ;;
  esac
  shift
done

scripts/setup.sh --bench
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDVE_BUILD_BENCH=ON >/dev/null
cmake --build "$build" --target dve_bench >&2
SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 OMP_NUM_THREADS=1 "$build/bin/dve_bench" "${arguments[@]+"${arguments[@]}"}"
