#!/usr/bin/env bash
# Builds and runs the benchmarks of the memories' ports, and prints how many times faster than `at` the engine is:
# beats x the cost of a bare 4-phase transaction of the same run / time.
#   scripts/bench.sh [arguments of Google Benchmark, e.g. --benchmark_filter=long]
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh --bench
cmake --preset release -DDVE_BUILD_BENCH=ON >/dev/null
cmake --build --preset release --target ports_bench >/dev/null
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
build/release/bin/ports_bench --benchmark_format=csv "$@" 2>/dev/null | awk -F, '
  $1 == "name" { for (i = 1; i <= NF; ++i) column[$i] = i; next }
  { gsub(/"/, "", $1); cost = $column["\"s_per_beat\""] * 1e9 }
  $1 == "bare_4phase" { bare = cost; printf "%-26s %10.1f ns a transaction\n", $1, cost; next }
  column["\"s_per_beat\""] && bare { printf "%-26s %10.3f ns a beat %10.1f times\n", $1, cost, bare / cost }'
