#!/usr/bin/env bash
# Compiles bench/four_state_bench.sv with iverilog and runs it: tb/cosim/four_state.sh
set -euo pipefail
cd "$(dirname "$0")"
program=$(mktemp)
trap 'rm -f "$program"' EXIT
# iverilog says of every part select in an always_comb that it looks at the whole vector; that changes no result.
iverilog -g2012 -Irtl -s four_state_bench -o "$program" rtl/dve_pipe.sv rtl/fp32_multiply.sv rtl/fp32_add.sv rtl/dve_stream_slice.sv \
  rtl/dve_lane.sv rtl/dve_lane_group.sv bench/dve_stream_checker.sv bench/four_state_bench.sv 2> >(grep -v 'constant selects in always' >&2 || true)
said=$(vvp -n "$program")
echo "$said"
[ "$said" = 'four_state: ok' ]
