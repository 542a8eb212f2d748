#!/usr/bin/env bash
# Installs, builds and runs every test, those of the RTL (tb/cosim) among them.
#   scripts/test.sh              optimised build, all tests of the short run, each fuzz target for 20 seconds (under 18
#                                minutes on 2 cores)
#   scripts/test.sh --all        adds the long tests, sweeps on a Slurm of their own (as root), the synthesis of the RTL, the browser
#                                tests (tb/report) and the Debian package in a bare Debian, and fuzzes for 300 seconds
#   scripts/test.sh --sanitize   the same tests under the address and undefined-behaviour sanitizers
set -euo pipefail
cd "$(dirname "$0")/.."
preset=release
fuzz_seconds=20
export DVE_LONG_TESTS=0
for argument in "$@"; do
  case "$argument" in
    --all) export DVE_LONG_TESTS=1 DVE_SLURM_TESTS=ON; fuzz_seconds=300 ;;
    --sanitize) preset=sanitize ;;
    -h|--help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "test.sh: unknown argument '$argument', expected --all or --sanitize" >&2; exit 2 ;;
  esac
done

export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
export UBSAN_OPTIONS=print_stacktrace=1
export LSAN_OPTIONS="suppressions=$PWD/tb/leaks.supp:print_suppressions=0"
export DVE_COSIM=ON
[ "$DVE_LONG_TESTS" = 0 ] || export DVE_REPORT_TESTS=ON
[ "$preset" = sanitize ] || export DVE_PYTHON=ON  # a sanitized module would need a sanitized Python
scripts/build.sh "$preset"
ctest --preset "$preset" -j "$(nproc)"
[ "$DVE_LONG_TESTS" = 0 ] || tb/cosim/check_rtl.sh synth
[ "$DVE_LONG_TESTS" = 0 ] || scripts/test_package.sh
[ "$preset" = sanitize ] || tb/fuzz/run.sh "$fuzz_seconds"
