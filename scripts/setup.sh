#!/usr/bin/env bash
# Installs what the project builds and tests with, on Debian 12; with --check also what scripts/check.sh needs, with
# --fuzz what tb/fuzz/run.sh needs, with --bench what scripts/bench.sh needs, with --counts what
# scripts/instruction_counts.sh needs, with --cosim what tb/cosim needs, with --slurm what scripts/slurm_private.sh needs,
# with --report what tb/report needs, with --python what the Python package and its tests need, with --package what
# scripts/package.sh and scripts/test_package.sh need. Does nothing when all of it is there.
set -euo pipefail
case "${1:-}" in -h|--help) sed -n '2,7p' "$0" | sed 's/^# \{0,1\}//'; exit 0 ;; esac

packages=(
  g++ cmake ninja-build pkg-config ccache git
  libsystemc-dev libfmt-dev libhwy-dev nlohmann-json3-dev libboost-dev libboost-program-options-dev libboost-iostreams-dev
  libgtest-dev mandoc
)
[ "${1:-}" = --check ] && packages+=(clang-format clang-tidy python3)
[ "${1:-}" = --bench ] && packages+=(libbenchmark-dev libdnnl-dev ocl-icd-opencl-dev)
[ "${1:-}" = --counts ] && packages+=(valgrind)
[ "${1:-}" = --cosim ] && packages+=(verilator yosys iverilog zlib1g-dev)
[ "${1:-}" = --slurm ] && packages+=(slurm-wlm munge)
if [ "${1:-}" = --report ]; then  # node and npm may have come from elsewhere
  packages+=(chromium)
  command -v node >/dev/null || packages+=(nodejs)
  command -v npm >/dev/null || packages+=(npm)
fi
[ "${1:-}" = --python ] && packages+=(python3-dev pybind11-dev python3-numpy python3-pandas python3-pytest mypy)
[ "${1:-}" = --package ] && packages+=(debootstrap dpkg-dev)
[ "${1:-}" = --fuzz ] && packages+=(clang libclang-rt-dev llvm)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: these packages are missing and need root to install: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "setup: installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
