#!/usr/bin/env bash
# Configures and builds one preset: scripts/build.sh [release|debug|sanitize|coverage|fuzz] [cmake --build arguments]
# In the environment: DVE_COSIM=ON adds the RTL of the lanes and its tests, DVE_SLURM_TESTS=ON those that start a Slurm,
# DVE_REPORT_TESTS=ON the browser tests of pages, DVE_PYTHON=ON the Python package and its tests.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in -h|--help) sed -n '2,4p' scripts/build.sh | sed 's/^# \{0,1\}//'; exit 0 ;; esac
preset=${1:-release}
[ $# -gt 0 ] && shift

scripts/setup.sh
options=()
if [ "${DVE_COSIM:-OFF}" = ON ]; then
  scripts/setup.sh --cosim
  options+=(-DDVE_COSIM=ON)
fi
if [ "${DVE_SLURM_TESTS:-OFF}" = ON ]; then
  scripts/setup.sh --slurm
  options+=(-DDVE_SLURM_TESTS=ON)
fi
if [ "${DVE_REPORT_TESTS:-OFF}" = ON ]; then
  scripts/setup.sh --report
  options+=(-DDVE_REPORT_TESTS=ON)
fi
if [ "${DVE_PYTHON:-OFF}" = ON ]; then
  scripts/setup.sh --python
  options+=(-DDVE_PYTHON=ON)
fi
cmake --preset "$preset" ${options[@]+"${options[@]}"} >build-configure.log 2>&1 || { cat build-configure.log >&2; rm -f build-configure.log; exit 1; }
rm -f build-configure.log
cmake --build --preset "$preset" "$@"
