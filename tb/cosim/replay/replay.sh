#!/usr/bin/env bash
# Replays a stimulus file of `dve-sim exec --record` on the lanes in RTL: builds replay_bench.sv and runs it.
#   replay.sh [options] STIMULUS [+stall=PERCENT] [+seed=N]
#     --simulator NAME   verilator (default) or iverilog
#     --set NAME=VALUE   parameter of the bench: LANES, STAGES, ACC_STAGES, INTERLEAVE; may be repeated
#     --build DIR        keep the simulator there, and use the one that is there (default: a temporary folder)
#     --build-only       no STIMULUS: build only
# Ends with 0 when every result is the recorded one, else with 1 and the first that is not.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rtl=$here/../rtl
sources=("$rtl"/{dve_pipe,fp32_multiply,fp32_add,dve_stream_slice,dve_lane,dve_lane_group}.sv "$here/replay_bench.sv")
simulator=verilator build='' build_only=0 stimulus=''
parameters=() plusargs=()
complain() { echo "replay: $1" >&2; exit 2; }
while [ $# -gt 0 ]; do
  case "$1" in
    --simulator) simulator=${2:?a name}; shift ;;
    --set) parameters+=("${2:?NAME=VALUE}"); shift ;;
    --build) build=${2:?a folder}; shift ;;
    --build-only) build_only=1 ;;
    -h|--help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    +*) plusargs+=("$1") ;;
    -*) complain "unknown option '$1'" ;;
    *) stimulus=$1 ;;
  esac
  shift
done
room=2097152
if [ "$build_only" = 0 ]; then
  [ -r "$stimulus" ] || complain "expected the name of a stimulus file, '$stimulus' cannot be read"
  words=$(sed -n '1s/.*, \([0-9]*\) words of 32 bits.*/\1/p' "$stimulus")
  [ -n "$words" ] || complain "$stimulus is no stimulus file: its first line does not say how many words it has"
  while [ "$room" -lt "$words" ]; do room=$((room * 2)); done
  # iverilog warns of words that a file does not have.
  [ "$simulator" = verilator ] || room=$words
fi
parameters+=("WORDS=$room")
if [ -z "$build" ]; then
  build=$(mktemp -d)
  trap 'rm -rf "$build"' EXIT
fi
mkdir -p "$build"
name=$(IFS=-; echo "${parameters[*]}")
program=$build/replay-$simulator-${name//=/}

case "$simulator" in
  verilator)
    if [ ! -x "$program" ]; then
      command -v ccache >/dev/null && export OBJCACHE=ccache
      verilator --binary --timing -Wno-fatal -Wno-WIDTH -Wno-TIMESCALEMOD -O3 --x-initial unique --top-module replay_bench -I"$rtl" \
        "${parameters[@]/#/-G}" --Mdir "$program.dir" -o "$program" "${sources[@]}" >"$build/log" 2>&1 ||
        { cat "$build/log" >&2; exit 2; }
    fi
    run=("$program") ;;
  iverilog)
    iverilog -g2012 -I"$rtl" -s replay_bench "${parameters[@]/#/-Preplay_bench.}" -o "$program" "${sources[@]}" \
      2> >(grep -v 'constant selects in always' >&2 || true)
    run=(vvp -n "$program") ;;
  *) complain "--simulator is '$simulator', expected verilator or iverilog" ;;
esac
[ "$build_only" = 0 ] || exit 0
said=$("${run[@]}" "+stimulus=$stimulus" ${plusargs[@]+"${plusargs[@]}"} | grep -v '\$finish' || true)
echo "$said"
[[ "$said" == *'replay: ok, '* ]]
