#!/usr/bin/env bash
# Host instructions that a simulated instruction (or beat) costs, counted by callgrind: within a few percent the same on
# every run, so they gate what wall-clock time cannot. A workload is run in two lengths; the difference leaves out
# starting and ending.
#   scripts/instruction_counts.sh [--build DIR]             fails when a count is over its bar
#   scripts/instruction_counts.sh [--build DIR] --new-bars  writes scripts/instruction_bars.txt anew, 15 % above
#   scripts/instruction_counts.sh [--build DIR] --profile   where a small instruction without data spends them
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/release
new_bars=0
profile=0
while [ $# -gt 0 ]; do
  case "$1" in
    --build) build=${2:?--build needs a folder}; shift ;;
    --new-bars) new_bars=1 ;;
    --profile) profile=1 ;;
    -h|--help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "instruction_counts.sh: unknown argument '$1', expected --build DIR, --new-bars or --profile" >&2; exit 2 ;;
  esac
  shift
done
bars=scripts/instruction_bars.txt
sim=$build/bin/dve-sim
scripts/setup.sh --counts
cmake --build "$build" --target dve-sim port_counts >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1

# libhwy measures its clock when it is loaded, with an instruction (RDTSCP) that valgrind knows only on processors that
# announce it. The measurement has no use here.
echo 'namespace hwy::platform { unsigned long TimerResolution() { return 1; } }' >"$work/clock.cpp"
g++ -std=c++17 -shared -fPIC -o "$work/clock.so" "$work/clock.cpp"

count() {  # instructions of a command
  LD_PRELOAD="$work/clock.so" valgrind --tool=callgrind --callgrind-out-file=/dev/null --max-stackframe=65536 "$@" 2>"$work/log" >/dev/null ||
    { cat "$work/log" >&2; return 1; }
  sed -n 's/^==[0-9]*== Collected : //p' "$work/log"
}

# Words over and over: a program of one assembled text, repeated, on memory that holds numbers.
repeated() {  # NAME COPIES
  { cat "$work/ones.bin"; for ((k = 0; k < $2; ++k)); do cat "$work/$1.bin"; done; } >"$work/$1_$2.bin"
}
per_word() {  # PROGRAM WORDS_A_COPY COPIES OPTION...
  local program=$1 words=$2 copies=$3 long short
  shift 3
  repeated "$program" "$copies"
  repeated "$program" $((2 * copies))
  long=$(count "$sim" exec --quiet "$work/${program}_$((2 * copies)).bin" "$@")
  short=$(count "$sim" exec --quiet "$work/${program}_$copies.bin" "$@")
  echo $(((long - short) / (copies * words)))
}
per_beat() {  # FAMILY
  local long short beats
  long=$(count "$build/bin/port_counts" "$1" 4)
  short=$(count "$build/bin/port_counts" "$1" 2)
  beats=$("$build/bin/port_counts" "$1" 4)
  beats=$((beats - $("$build/bin/port_counts" "$1" 2)))
  echo $(((long - short) / beats))
}

sums='src0=sbuf[0]+0x0:fp32{64} src1=sbuf[0]+0x10000:fp32{64} dst=sbuf[0]+0x20000:fp32{3} imm0=sbuf[0]+0x20040 imm1=sbuf[0]+0x20080'
cat >"$work/small.dasm" <<TEXT
batch_norm_grad_accumulate2 $sums channels=128
TEXT
{
  for ((k = 0; k < 10000; ++k)); do  # more different words than the engine remembers
    printf 'copy src=sbuf[0]+0x%x:fp32{16} dst=sbuf[0]+0x28000:fp32{16} channels=32\n' $((8 * k))
  done
} >"$work/different.dasm"
cat >"$work/waits.dasm" <<TEXT
nop update=sem[3]++
nop wait=sem[3]>=1 update=sem[3]--
TEXT
for operand in '0x0:fp32{64}' '0x10000:fp32{64}' '0x20040:fp32{1}' '0x20080:fp32{1}'; do
  echo "memset dst=sbuf[0]+$operand set_value=0x3f800000 channels=128"
done >"$work/ones.dasm"
for program in ones small different waits; do
  "$sim" asm "$work/$program.dasm" -o "$work/$program.bin" >/dev/null
done

# Instructions of each function itself, of a long run less those of a short one, by what the function belongs to.
print_profile() {
  local copies=4000 runs=()
  for n in "$copies" $((2 * copies)); do
    repeated small "$n"
    valgrind --tool=callgrind --callgrind-out-file="$work/$n.out" --max-stackframe=65536 \
      "$sim" exec --quiet --no-data "$work/small_$n.bin" >/dev/null 2>&1
    callgrind_annotate --threshold=100 "$work/$n.out" >"$work/$n.txt"
    runs+=("$work/$n.txt")
  done
  awk -v words="$copies" '
    function part(f) {
      if (f ~ /libsystemc/) return "SystemC kernel"
      gsub(/\(anonymous namespace\)::/, "", f)
      sub(/\(.*/, "", f)  # without the types of arguments
      if (f ~ /Statistics|BandwidthSeries|Latency/) return "statistics"
      if (f ~ /contention|Ports|word_stalls|memory_moment/) return "ports"
      if (f ~ /timing::|Pipeline/) return "schedule and clock"
      if (f ~ /tlm|Guarded|check_plain|for_each_run|Router|IssueExtension/) return "TLM calls and their guards"
      if (f ~ /InstructionEngine|execute::|isa::/) return "engine and words"
      if (f ~ /Sequencer|Sync|wait_conditions|sync_updates|firmware/) return "sequencer"
      if (f ~ /malloc|operator new|operator delete|free|memcpy|memmove|memset|memcmp|vector|string/) return "memory: allocation, copies, comparisons"
      return "other"
    }
    /^ *[0-9,]+ +\(/ { cost = $1; gsub(/,/, "", cost); $1 = ""; sub(/^ *\( *[0-9.]+%\) */, "")
      if ($0 ~ /PROGRAM TOTALS/) next
      sum[part($0)] += FILENAME == ARGV[1] ? -cost : cost }
    END { for (p in sum) { all += sum[p] }
      for (p in sum) if (sum[p] / words >= 1) printf "%d %d %s\n", sum[p] / words, 100 * sum[p] / all + 0.5, p }' "${runs[@]}" |
    sort -rn | awk '{ cost = $1; share = $2; $1 = $2 = ""; sub(/^ */, ""); printf "| %s | %d | %d %% |\n", $0, cost, share }'
}
if [ "$profile" -eq 1 ]; then
  printf '| part | instructions | share |\n|---|---|---|\n'
  print_profile
  exit 0
fi

{
  echo "small_with_data $(per_word small 1 400)"
  echo "small_no_data $(per_word small 1 4000 --no-data)"
  echo "small_no_data_traced $(per_word small 1 2000 --no-data --trace "$work/t.json")"
  echo "different_no_data $(per_word different 10000 1 --no-data)"
  echo "waits_no_data $(per_word waits 2 1000 --no-data)"
  echo "small_at_no_data $(per_word small 1 400 --no-data --abstraction at)"
  for family in sbuf dma shared; do echo "contended_beat_$family $(per_beat "$family")"; done
} >"$work/counts"

if [ "$new_bars" -eq 1 ]; then
  awk '{ printf "%s %d\n", $1, $2 * 1.15 }' "$work/counts" >"$bars"
fi
awk '
  NR == FNR { bar[$1] = $2; next }
  !($1 in bar) { printf "%-24s %8d  no bar\n", $1, $2; failed = 1; next }
  { over = $2 > bar[$1]; failed = failed || over
    printf "%-24s %8d  bar %8d%s\n", $1, $2, bar[$1], over ? "  OVER" : "" }
  END { exit failed }' "$bars" "$work/counts" ||
  { echo 'instruction_counts: a simulated instruction has become more expensive (see docs/performance.md)' >&2; exit 1; }
