#!/usr/bin/env bash
# Programs outside of the project, built in a fresh folder against an installed golden library that has been moved:
#   foreign.sh BUILD c          a C99 program, with find_package(dve), with pkg-config, and once more with -ffast-math
#   foreign.sh BUILD sv         a SystemVerilog bench (verilator): the lanes of tb/cosim/rtl against dve_golden_pkg under stalls
#   foreign.sh BUILD docs       the programs and commands of docs/cosimulation.md
#   foreign.sh BUILD mutations  the same bench with wrong bits in the design's path, each of which the scoreboard must find and name
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DVE_CONFIG_DIR LD_LIBRARY_PATH

fail() { echo "foreign: $*" >&2; exit 1; }
quietly() { "$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; fail "failed: $*"; }; }

quietly cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/dve"  # nothing may remember where it was
prefix=$work/dve
library=$(dirname "$(find "$prefix" -name libdve_golden.so)")
if grep -rlF -e "$build" -e "$work/first" "$library/cmake" "$library/pkgconfig" "$prefix/include"; then
  fail 'an installed file names the build or the old prefix (above)'
fi
mkdir "$work/project"

programs() {
  ! nm -D --defined-only "$library/libdve_golden.so" | awk '{ print $3 }' | grep -vE '^(dve_golden_|dve_dpi_|DVE_GOLDEN_1)' ||
    fail 'the library shows more than its interfaces (above)'
  cp -r "$here/c" "$work/project/c"
  cd "$work/project"
  quietly cmake -S c -B with_cmake -DCMAKE_PREFIX_PATH="$prefix"
  quietly cmake --build with_cmake
  export PKG_CONFIG_PATH=$library/pkgconfig
  local flags compile=(cc -std=c99 -O2 -Wall -Wextra -pedantic -Werror c/main.c)
  flags="$(pkg-config --cflags --libs dve_golden) -Wl,-rpath,$library"
  quietly "${compile[@]}" -o with_pkg_config $flags
  quietly "${compile[@]}" -ffast-math -o with_fast_math $flags
  local program
  for program in with_cmake/foreign ./with_pkg_config ./with_fast_math; do "$program" 70; done
  # The configuration is the one beside the library.
  sed -i 's/"issue_gap": {"value": 70/"issue_gap": {"value": 66/' "$prefix/share/dve-tlm/configs/generations/cayman.json"
  with_cmake/foreign 66
  ! with_cmake/foreign 70 >"$work/log" || fail 'a wrong expectation passed'
  grep -q 'the gap of the configuration' "$work/log"
}

# bench VERILATOR-OPTION...: builds the bench in the project's folder, from copies.
bench() {
  cp "$here"/../rtl/*.sv "$here"/../rtl/*.svh "$here"/sv/*.sv "$work/project"
  cd "$work/project"
  quietly verilator --binary --timing -Wall -Wno-DECLFILENAME -Wno-TIMESCALEMOD -Wno-UNUSEDSIGNAL -Wno-UNDRIVEN -Wno-WIDTH -Wno-VARHIDDEN \
    -Wno-UNUSEDPARAM -Wno-BLKSEQ -Wno-INITIALDLY --x-initial unique --top-module lane_group_bench --Mdir obj "$@" \
    "$prefix/share/dve-tlm/sv/dve_golden_pkg.sv" dve_pipe.sv fp32_multiply.sv fp32_add.sv dve_stream_slice.sv dve_lane.sv \
    dve_lane_group.sv lane_group_bench.sv -CFLAGS -O1 -LDFLAGS "-L$library -ldve_golden -Wl,-rpath,$library"
}
run() { obj/Vlane_group_bench "$@"; }

# found PATTERN ARGUMENT...: the run fails and says so.
found() {
  local pattern=$1
  shift
  ! run "$@" >"$work/said" 2>&1 || fail "nothing was found with $*"
  grep -qE "$pattern" "$work/said" || { head -n 3 "$work/said" >&2; fail "with $* the bench does not say: $pattern"; }
  echo "foreign: $*: $(head -n 1 "$work/said")"
}

# block LANGUAGE N: the N-th block of that language in the document.
block() {
  awk -v language="$1" -v nth="$2" '/^```/ { inside = !inside; if (inside) found += substr($0, 4) == language; current = substr($0, 4); next }
    inside && current == language && found == nth' "$here/../../../docs/cosimulation.md"
}
document() {
  mv "$prefix" "$work/project/dve"
  cd "$work/project"
  block c 1 >golden.c
  block systemverilog 1 >first.sv
  [ -s golden.c ] && [ -s first.sv ] || fail 'the document has no programs'
  bash -euo pipefail -c "$(block '' 2)" | tee said
  grep -qx 'element 3: xn 1.2, t 2.4, d_beta so far 3.75' said && grep -qx 'complete at cycle 152' said || fail 'the C program says something else'
  bash -euo pipefail -c "$(block '' 3)" >said
  [ "$(grep '^scoreboard\|^  in' said)" = "$(block text 1)" ] || { cat said; fail 'the bench says something else than the document'; }
  echo 'foreign: the document is right'
}

case "${2:-}" in
  c) programs ;;
  docs) document ;;
  sv)
    bench
    # What verilator takes the imported functions for is what they are.
    verilator_include=$(dirname "$(find "$(verilator --getenv VERILATOR_ROOT)/include" -name svdpi.h)")
    quietly g++ -fsyntax-only -x c++ -include obj/Vlane_group_bench__Dpi.h -I"$verilator_include" -I"$prefix/include" \
      "$here/../../../platform/golden_library/dve_golden_dpi.h"
    for arguments in '+seed=1 +words=200' '+seed=2 +words=200 +stall=0' '+seed=3 +words=200 +stall=75'; do
      run $arguments | grep -E '^bench: ok, 200 words' || fail "with $arguments"
    done ;;
  mutations)
    bench -DDVE_PLANT dve_planted_pkg.sv
    run +words=20 | grep '^bench: ok'  # no bug chosen
    place='^scoreboard lanes: mismatch at transaction [0-9]+, channel [0-9]+, elements? [0-9]+: (d_beta|d_gamma|coupling|dx) is .* \([0-9a-f]{8}\), expected .* \([0-9a-f]{8}\)$'
    for beat in 1 2 3 7 200; do found "$place" +flip=$beat; done
    found '^scoreboard lanes: mismatch at transaction 2, channel 1, element 0: dx is -10.573059 \(c1292b40\), expected -10.573181 \(c1292bc0\)$' +flip=7
    grep -qE '^  in batch_norm_back_prop src0=sbuf\[0\]\+0x0:fp32\{4\} .* channels=8$' "$work/said"
    for bug in 1 2 3 4 5 6 7 8 9 12; do found "$place|nothing was expected|never came" +plant=$bug +words=400; done ;;
  *) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
