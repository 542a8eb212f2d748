#!/usr/bin/env bash
# Holds the RTL to what hardware needs, with verilator and yosys:
#   tb/cosim/check_rtl.sh lint                every module clean under verilator -Wall, for a range of parameters; with planted
#                                             bugs compiled in too; and the bench's own modules
#   tb/cosim/check_rtl.sh elaborate           yosys: no latch, no black box, no undriven or multiply driven net, for the same range
#   tb/cosim/check_rtl.sh synth               the same down to gates for a group of one lane and for each binary32 unit, with cell counts
#   tb/cosim/check_rtl.sh module FILE TOP     elaborate for one file
set -euo pipefail
self=$(realpath "$0")
cd "$(dirname "$self")"
rtl=(rtl/dve_pipe.sv rtl/fp32_multiply.sv rtl/fp32_add.sv rtl/dve_stream_slice.sv rtl/dve_lane.sv rtl/dve_lane_group.sv)
# LANES STAGES ACC_STAGES INTERLEAVE
shapes=('1 1 1 1' '2 3 1 1' '5 3 3 3' '4 5 2 4' '3 2 2 2')

lint_one() { verilator --lint-only -Wall -Irtl "$@" || { echo "check_rtl: verilator is not content with: $*" >&2; exit 1; }; }
lint() {
  local shape bench top
  for shape in "${shapes[@]}"; do
    set -- $shape
    lint_one "${rtl[@]}" --top-module dve_lane_group -GLANES="$1" -GSTAGES="$2" -GACC_STAGES="$3" -GINTERLEAVE="$4"
  done
  for top in fp32_multiply fp32_add dve_stream_slice; do lint_one "${rtl[@]}" --top-module "$top"; done
  bench=(bench/dve_stream_checker.sv bench/lane_group_top.sv bench/fp32_top.sv bench/lane_group_streams.sv bench/pin_memories.sv)
  lint_one "${rtl[@]}" "${bench[@]}" --top-module lane_group_top
  for top in fp32_top lane_group_streams pin_memories; do lint_one "${rtl[@]}" "${bench[@]}" --top-module "$top"; done
  lint_one -DDVE_PLANT rtl/dve_planted_pkg.sv "${rtl[@]}" "${bench[@]}" --top-module lane_group_top
  echo 'check_rtl: lint ok'
}

# elaborated TOP PASSES [PARAMETER VALUE]...: reads sources from $sources. What `check` and `hierarchy -check` find is an error.
elaborated() {
  local top=$1 passes=$2 parameters=''
  shift 2
  [ $# -eq 0 ] || parameters="chparam$(printf ' -set %s %s' "$@") $top;"
  yosys -q -w 'with list of registers' -e '.' -p "read_verilog -sv -Irtl ${sources[*]}; $parameters
    hierarchy -check -top $top; proc; flatten; opt_clean; check -assert;
    select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr t:\$_DLATCH*; $passes" ||
    { echo "check_rtl: yosys refuses $top $*" >&2; exit 1; }
}
over_shapes() {
  local shape
  for shape in "${shapes[@]}"; do
    set -- $shape
    elaborated dve_lane_group '' LANES "$1" STAGES "$2" ACC_STAGES "$3" INTERLEAVE "$4"
  done
  echo 'check_rtl: elaborate ok'
}
gates() {
  local top parameters
  for top in fp32_multiply fp32_add dve_lane_group; do
    parameters=()
    [ "$top" != dve_lane_group ] || parameters=(LANES 1)
    elaborated "$top" "synth; check -assert; tee -q -o $1 stat" ${parameters[@]+"${parameters[@]}"}
    awk -v top="$top ${parameters[*]:-}" '/Number of cells:/ { cells = $4 } END { print "check_rtl: " top ": " cells " cells" }' "$1"
  done
}

sources=("${rtl[@]}")
case "${1:-}" in
  lint) lint ;;
  elaborate) over_shapes ;;
  synth)
    statistics=$(mktemp)
    trap 'rm -f "$statistics"' EXIT
    gates "$statistics" ;;
  module)
    sources=("$2")
    elaborated "$3" ''
    echo 'check_rtl: module ok' ;;
  *) sed -n '3,7s/^# \{0,1\}//p' "$self" >&2; exit 2 ;;
esac
