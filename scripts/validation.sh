#!/usr/bin/env bash
# Published measurements and what the model gives for the same programs, as the Markdown table of docs/timing.md.
#   scripts/validation.sh [DVE_SIM]     (default: the release build's program)
# Every model figure is read from the CSV trace of a run of `dve-sim exec`. Programs: tb/data/validation/*.dasm, the longer
# ones from scripts/validation_program.awk. Status:
#   predicted       no parameter in it was chosen after the measurement
#   fitted          a parameter was chosen so that this measurement, or one with it, comes out
#   op mix assumed  the measured program is not published as instructions
#   not modelled    outside of what the model holds
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in -h|--help) sed -n '2,9p' scripts/validation.sh | sed 's/^# \{0,1\}//'; exit 0 ;; esac
sim=${1:-build/release/bin/dve-sim}
[ -x "$sim" ] || { echo "validation: $sim is not there; build it with scripts/build.sh release" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# simulate NAME PROGRAM CONFIGURATION [KEY=VALUE]...: the trace in $work/NAME.csv.
simulate() {
  local name=$1 program=$2 configuration=$3 key sets=()
  shift 3
  for key in "$@"; do sets+=(--set "$key"); done
  "$sim" exec "$program" --config "$configuration" ${sets[@]+"${sets[@]}"} --quiet --trace "$work/$name.csv"
}
# generate NAME KEY=VALUE...: text in $work/NAME.dasm.
generate() {
  local name=$1 word arguments=()
  shift
  for word in "$@"; do arguments+=(-v "$word"); done
  awk "${arguments[@]}" -f scripts/validation_program.awk </dev/null >"$work/$name.dasm"
}

# figure NAME KIND ENGINE: of the words of one engine, in ns. duration: start to completion of the last word; interval: the
# mean distance of starts; active: time in which at least one word is between start and completion; sum: of all durations.
figure() {
  awk -F, -v kind="$2" -v engine="$3" '
    NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
    $column["engine"] == engine {
      start = $column["start_ns"]; end = $column["complete_ns"]
      if (!words++) first = start
      sum += end - start
      if (start > reached) reached = start
      if (end > reached) { active += end - reached; reached = end }
    }
    END {
      if (!words) exit 1
      if (kind == "duration") print end - start
      if (kind == "interval") print (start - first) / (words - 1)
      if (kind == "active") printf "%.3f\n", active
      if (kind == "sum") printf "%.3f\n", sum
    }' "$work/$1.csv"
}

# in_unit NS UNIT: "14757 ns", "0.874 ms".
in_unit() {
  awk -v ns="$1" -v unit="$2" 'BEGIN {
    if (unit == "ns") printf ns < 1000 ? "%.1f ns" : "%.0f ns", ns
    else if (unit == "us") printf "%.2f us", ns / 1e3
    else printf "%.3f ms", ns / 1e6 }'
}
# row ID MEASUREMENT CONFIGURATION PUBLISHED_NS UNIT MODEL_NS STATUS
row() {
  printf '| %s | %s | %s | %s | %s | %s | %s |\n' "$1" "$2" "$3" "$(in_unit "$4" "$5")" "$(in_unit "$6" "$5")" \
    "$(awk -v published="$4" -v model="$6" 'BEGIN { printf "%+.1f %%", 100 * (model / published - 1) }')" "$7"
}
not_modelled() { printf '| %s | %s | - | %s | - | - | %s |\n' "$1" "$2" "$3" "$4"; }

single_words() {
  simulate v1 tb/data/validation/v1.dasm sunda
  row V1 'TensorTensor multiply fp32, N = 8192, 128 channels: duration' sunda 14987 ns "$(figure v1 duration dve)" predicted
  simulate v2 tb/data/validation/v2.dasm sunda
  row V2 'TensorTensor add fp32, N = 8192, 64 channels: duration' sunda 14968 ns "$(figure v2 duration dve)" predicted
  generate v3 program=chain words=101
  simulate v3 "$work/v3.dasm" sunda
  row V3 'Activate of one element, each after the one before: duration' sunda 159 ns "$(figure v3 duration act)" predicted
  row V3 'the same: interval of starts' sunda 189 ns "$(figure v3 interval act)" 'fitted (t_sem only)'
  simulate v3 "$work/v3.dasm" sunda timing.act.fill_drain=222
  row V3 'the same: duration' 'sunda, `act.fill_drain` 222' 159 ns "$(figure v3 duration act)" fitted
  row V3 'the same: interval of starts' 'sunda, `act.fill_drain` 222' 189 ns "$(figure v3 interval act)" fitted
}

# mamba ID PUBLISHED_ACTIVE_NS PUBLISHED_SUM_NS|- UNIT STATUS DESCRIPTION PROGRAM_KEY=VALUE...
mamba() {
  local id=$1 active=$2 sum=$3 unit=$4 status=$5 description=$6 order interleave
  shift 6
  for interleave in 1 2; do
    order='source order'
    [ "$interleave" = 1 ] || order='two tiles alternate'
    generate mamba program=mamba interleave="$interleave" "$@"
    simulate mamba "$work/mamba.dasm" sunda
    row "$id" "$description, $order: active" sunda "$active" "$unit" "$(figure mamba active dve)" "$status"
  done
  [ "$sum" = - ] || row "$id" "$description: sum of durations" sunda "$sum" "$unit" "$(figure mamba sum dve)" 'op mix assumed'
}
all_mamba() {
  mamba V4 148990 193940 us 'op mix assumed' 'Mamba v1, 256 channels' version=1 tiles=2 seq=1 channels=128
  mamba V5 1570000 2350000 ms fitted 'Mamba v2, 4096 channels' version=2 tiles=32 seq=1 channels=1
  mamba V6 26260000 29960000 ms fitted 'Mamba v3, 4096 channels, 8192 positions' version=3 tiles=32 seq=16 channels=1
  # active: 92.16 % of 2.34 ms
  mamba V7 2156544 - ms 'op mix assumed' 'Mamba v1, 4096 channels' version=1 tiles=32 seq=1 channels=1
}

# rope ID NAME PUBLISHED_NS DESCRIPTION WORDS PSUM_WORDS
rope() {
  local id=$1 name=$2 published=$3 description=$4 words=$5 psum_words=$6 c status
  generate whole program="$name" words="$words" psum_words="$psum_words" engine=dve
  for c in 2 1 0.5; do
    status=predicted
    [ "$c" = 2 ] || status=fitted
    simulate rope "$work/whole.dasm" cayman timing.dve.two_source_cycles=$c
    row "$id" "$description: active" "cayman, c = $c" "$published" ms "$(figure rope active dve)" "$status"
  done
  # GpSimd takes half of the words, none with a PSUM source: it cannot read PSUM.
  generate half program="$name" words=$((words / 2)) psum_words="$psum_words" engine=dve
  generate rest program="$name" words=$((words / 2)) psum_words=0 engine=pool
  cat "$work/rest.dasm" >>"$work/half.dasm"
  simulate rope "$work/half.dasm" cayman timing.dve.two_source_cycles=1
  row "$id" "$description, half of them on GpSimd: active" 'cayman, c = 1' "$published" ms "$(figure rope active dve)" \
    'op mix assumed'
}

echo '| id | measurement | configuration | published | model | difference | status |'
echo '|---|---|---|---|---|---|---|'
single_words
all_mamba
simulate v8 tb/data/validation/v8.dasm sunda
row V8 'EventSemaphore whose condition holds: duration' sunda 9 ns "$(figure v8 duration dve)" 'fitted: the parameter is the figure'
rope V9 rope_a 865000 'RoPE A, 768 TensorTensor fp32, N = 2048' 768 0
rope V10 rope_b 475000 'RoPE B, 1536 TensorTensor fp32, N = 512, a third from PSUM' 1536 512
not_modelled V11 'DMA of 32 KiB on one engine, trn2' '1416 ns' 'fitted: the rate of a DMA engine is this measurement'
not_modelled V12 'HBM streaming of one core, trn2' '781 GB/s' 'not modelled: logical cores that share HBM'
simulate v13 tb/data/validation/v13.dasm sunda
row V13 'ActivationTableLoad: duration' sunda 368 ns "$(figure v13 duration act)" 'fitted: S is the figure, L comes on top'
not_modelled V14 'Matmul 128 x 128, N = 512, one fp32 pass' '590 ns' 'not modelled: TensorE'
not_modelled V15 'Copy and RMSNorm kernels' '20.5 to 67.2 us' 'not modelled: whole kernels, bound by DMA of short rows'
not_modelled V16 'adaptive_avg_pool2d kernels' '14 to 65 us' 'not modelled: whole kernels, limits of a test'
