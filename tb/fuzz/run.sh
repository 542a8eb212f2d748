#!/usr/bin/env bash
# Builds the libFuzzer programs and lets each run for some seconds, two at a time: tb/fuzz/run.sh SECONDS
# DVE_FUZZ_SEED=N starts from another seed than 1.
set -euo pipefail
cd "$(dirname "$0")/../.."
case "${1:-}" in -h|--help) sed -n '2,3p' tb/fuzz/run.sh | sed 's/^# \{0,1\}//'; exit 0 ;; esac
seconds=${1:?seconds for each target}
seed=${DVE_FUZZ_SEED:-1}
targets=(word golden assembly config program_json npy workload sweep page)

scripts/setup.sh --fuzz
scripts/build.sh fuzz
export UBSAN_OPTIONS=print_stacktrace=1
mkdir -p build/fuzz/artifacts build/fuzz/logs

# New inputs that reach new code go to the first folder; the others are only read.
fuzz() {
  local target=$1 log=build/fuzz/logs/$1.log
  local folders=("build/fuzz/corpus/$target" "tb/fuzz/corpus/$target")
  rm -rf "${folders[0]}" && mkdir -p "${folders[0]}"
  [ -d "tb/fuzz/found/$target" ] && folders+=("tb/fuzz/found/$target")
  [ "$target" = config ] && folders+=(configs/generations)
  [ "$target" = workload ] && folders+=(configs/workloads)
  [ "$target" = sweep ] && folders+=(configs/sweeps)
  if "build/fuzz/bin/fuzz_$target" "${folders[@]}" -max_total_time="$seconds" -seed="$seed" -max_len=4096 -timeout=10 \
    -rss_limit_mb=2048 -artifact_prefix="build/fuzz/artifacts/$target-" -print_final_stats=1 >"$log" 2>&1; then
    echo "fuzz: $target ok, $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs"
    return
  fi
  tail -n 40 "$log" >&2
  local input
  input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
  echo "fuzz: $target broke, seed $seed, log $log
  input      ${input:-none was written}
  reproduce  build/fuzz/bin/fuzz_$target ${input:-INPUT}
  keep       as tb/fuzz/found/$target/WHAT_IT_IS: fuzz_regression_test runs it from then on" >&2
  return 1
}

broken=0
for ((k = 0; k < ${#targets[@]}; k += 2)); do
  running=()
  for target in "${targets[@]:k:2}"; do
    fuzz "$target" &
    running+=($!)
  done
  for process in "${running[@]}"; do wait "$process" || broken=1; done
done
exit "$broken"
