#!/usr/bin/env bash
# Tests of the replay: tb/cosim/replay/test.sh CASE DVE_SIM BUILD_FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
test_case=$1 dve_sim=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "test: $1" >&2; exit 1; }

record_example() {  # FILE [options]: the example program on data of a real layer
  local file=$1; shift
  "$dve_sim" exec "$here/example.dasm" --quiet --load "sbuf[0]+0x0=$root/tb/data/digits_cnn/7/x.npy" \
    --load "sbuf[0]+0x800=$root/tb/data/digits_cnn/7/dy.npy" --record "$file" "$@"
}
replay() { "$here/replay.sh" --build "$build" "$@"; }
iverilog_replay() { "$here/replay.sh" --simulator iverilog "$@"; }  # builds in no time, in a folder of its own
expect() {  # TEXT COMMAND...: it prints TEXT, and ends with 0 when that is "ok"
  local text=$1 said code=0; shift
  said=$("$@" 2>&1) || code=$?
  echo "$said"
  [[ "$said" == *"$text"* ]] || fail "expected '$text'"
  [[ "$text" == 'replay: ok'* ]] && [ "$code" != 0 ] && fail "exit code $code"
  [[ "$text" != 'replay: ok'* ]] && [ "$code" = 0 ] && fail 'a wrong result must not exit with 0'
  return 0
}
# FROM TO NAME N COLUMN VALUE: on the line behind the Nth comment that holds NAME, the word of that column becomes VALUE.
plant() {
  awk -v name="$3" -v nth="$4" -v column="$5" -v value="$6" '
    wrong { $column = value; wrong = 0 }
    { print }
    index($0, "//") == 1 && index($0, name) && ++seen == nth { wrong = 1 }' "$1" >"$2"
  cmp -s "$1" "$2" && fail "nothing planted at '$3'"
  return 0
}

case "$test_case" in
  layers)  # all four bundled layers, on the words of `dve-sim run`, one with tiles that the host loads in the middle
    for options in 1 4 '7 --dtype bf16' '10 --microbatches 2 --device-stats'; do
      layer=${options%% *}
      [ "$layer" = "$options" ] && more='' || more=${options#* }
      "$dve_sim" run "$root/tb/data/digits_cnn/$layer" --quiet $more --out "$work/$layer"
      "$dve_sim" exec "$work/$layer/program.bin" --quiet --host-steps "$work/$layer/program.json" \
        --config "$work/$layer/config.json" --record "$work/$layer.hex"
      expect 'replay: ok' replay "$work/$layer.hex" "+seed=$layer" "+stall=$((layer * 9))"
    done ;;
  example)
    for options in '' '--config sunda' '--set numerics.dst_order=interpreter --set numerics.product_order=interpreter'; do
      record_example "$work/e.hex" $options
      for stall in 0 30 90; do expect 'replay: ok, 7 words' replay "$work/e.hex" "+stall=$stall"; done
    done
    record_example "$work/e.hex" --set numerics.accumulator=wide
    expect 'replay: ok, 4 words' replay "$work/e.hex"  # GradAccum's wide sums are not the lanes'
    ;;
  iverilog)  # 4-state; channels that take turns on a lane
    record_example "$work/e.hex"
    expect 'replay: ok, 7 words' iverilog_replay "$work/e.hex"
    expect 'replay: ok, 7 words' iverilog_replay --set LANES=2 --set ACC_STAGES=2 --set INTERLEAVE=3 "$work/e.hex" ;;
  planted)  # wrong values in the file are found and named
    record_example "$work/e.hex"
    plant "$work/e.hex" "$work/dx.hex" 'expected: dx' 2 4 deadbeef
    expect 'replay: word 5, channel 0, element 3: got ' replay "$work/dx.hex"
    expect 'expected deadbeef (-6.25985e+18)' replay "$work/dx.hex"
    plant "$work/e.hex" "$work/sum.hex" 'expected: three sums' 1 8 3f800000
    expect 'replay: word 0, channel 2, sum 1: got ' replay "$work/sum.hex"
    plant "$work/e.hex" "$work/x.hex" 'x of each channel' 1 1 7fc00000
    expect 'replay: word 0, channel 0, sum 1: got 7fc00000' replay "$work/x.hex"
    plant "$work/e.hex" "$work/a.hex" 'N, m, A, B, C as staged' 1 3 00000000
    expect 'replay: word 2, channel 0, element 0: got ' iverilog_replay "$work/a.hex" ;;
  refused)
    echo 'nothing' >"$work/no.hex"
    expect 'is no stimulus file' replay "$work/no.hex"
    expect 'cannot be read' replay "$work/missing.hex"
    printf '// stimulus, 1 words of 32 bits, \n44564553\n00000002\n' >"$work/version.hex"
    expect 'no stimulus file of version 1' replay "$work/version.hex"
    printf 'nop\n' >"$work/p.dasm"
    "$dve_sim" exec "$work/p.dasm" --quiet --record "$work/nop.hex"
    expect 'nothing was compared' replay "$work/nop.hex" ;;
  document)  # the commands of docs/stimulus.md, in a fresh folder
    ln -s "$root/tb" "$root/configs" "$root/docs" "$work/"
    mkdir "$work/bin"
    ln -s "$dve_sim" "$work/bin/dve-sim"
    commands=$(sed -n '/^```$/,/^```$/{/^```/d;p}' "$root/docs/stimulus.md")
    [[ "$commands" == *replay.sh* ]] || fail 'docs/stimulus.md has no replay command'
    (cd "$work" && PATH="$work/bin:$PATH" bash -euo pipefail -c "$commands") ;;
  *) fail "unknown case '$test_case'" ;;
esac
