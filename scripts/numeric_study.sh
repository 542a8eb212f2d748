#!/usr/bin/env bash
# What each numeric switch changes on real layers, as a Markdown table: the largest error against float64 (relative to the
# largest value), and how many bytes of dx, of the two sums and of y differ from the run that the switch is added to.
#   scripts/numeric_study.sh [DVE_SIM]     (default: the release build's program)
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in -h|--help) sed -n '2,4p' scripts/numeric_study.sh | sed 's/^# \{0,1\}//'; exit 0 ;; esac
sim=${1:-build/release/bin/dve-sim}
[ -x "$sim" ] || { echo "numeric_study: $sim is not there; build it with scripts/build.sh release" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run NAME LAYER ARGUMENTS...: results in $work/NAME, the comparison in $work/NAME.txt. A failed comparison is a result.
run() {
  local name=$1 layer=$2
  shift 2
  local status=0
  "$sim" run "tb/data/digits_cnn/$layer" --device-stats --out "$work/$name" "$@" >"$work/$name.txt" 2>/dev/null || status=$?
  [ "$status" -le 1 ] || { echo "numeric_study: $* ended with $status" >&2; exit 1; }
}
error_of() { awk -v row="$2" '$1 == row { print $3; found = 1 } END { if (!found) print "-" }' "$work/$1.txt"; }
differing() { { cmp -l "$1" "$2" 2>/dev/null || true; } | wc -l | tr -d ' '; }

row() {
  local label=$1 layer=$2 base=$3
  shift 3
  run now "$layer" "$@"
  local sums=0 tensor
  for tensor in dgamma dbeta; do sums=$((sums + $(differing "$work/$base/$tensor.npy" "$work/now/$tensor.npy"))); done
  printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$label" "$layer" "$(error_of now dx64)" \
    "$(error_of now dgamma64)" "$(error_of now dbeta64)" "$(error_of now var_device64)" "$(error_of now y_device64)" \
    "$(differing "$work/$base/dx.npy" "$work/now/dx.npy")" "$sums" "$(differing "$work/$base/y.npy" "$work/now/y.npy")"
}

echo '| run | layer | dx | dgamma | dbeta | var | y | bytes of dx | of the sums | of y |'
echo '|---|---|---|---|---|---|---|---|---|---|'
for layer in 1 10; do
  run base "$layer"
  row 'default' "$layer" base
  for switch in product_order=interpreter dst_order=interpreter backprop_form=textbook accumulator=wide stats_algorithm=sumsq \
                param_ram_index=i param_ram_offset_unit=byte paramload2_imm_order=mean_scale divide=newton \
                flop_index=lane; do
    row "\`$switch\`" "$layer" base --set "numerics.$switch"
  done
  row '`backprop_form=textbook src0_is=x_norm`' "$layer" base --set numerics.backprop_form=textbook --set numerics.src0_is=x_norm
  row '`--microbatches 4`' "$layer" base --microbatches 4
  row '`--step full`' "$layer" base --step full
  run full "$layer" --step full
  row '`--step full act_affine_contraction=fused`' "$layer" full --step full --set numerics.act_affine_contraction=fused
  row '`--step full tensor_scalar_contraction=fused`' "$layer" full --step full --set numerics.tensor_scalar_contraction=fused
  row '`--step full act_relative_error=1e-6`' "$layer" full --step full --set numerics.act_relative_error=1e-6
  run bf16 "$layer" --dtype bf16
  row '`--dtype bf16`' "$layer" bf16 --dtype bf16
  row '`--dtype bf16 narrow_overflow=saturate`' "$layer" bf16 --dtype bf16 --set numerics.narrow_overflow=saturate
done
