#!/usr/bin/env bash
# Writes the measured parts of docs/timing.md anew: the parameters of all presets, and the validation table.
#   scripts/timing_doc.sh [DVE_SIM]     (default: the release build's program)
set -euo pipefail
cd "$(dirname "$0")/.."
sim=${1:-build/release/bin/dve-sim}
[ -x "$sim" ] || { echo "timing_doc: $sim is not there; build it with scripts/build.sh release" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# replace NAME: what stands between "<!-- NAME begin -->" and "<!-- NAME end -->" becomes the standard input.
replace() {
  cat >"$work/part"
  awk -v begin="<!-- $1 begin -->" -v end="<!-- $1 end -->" -v part="$work/part" '
    $0 == end { inside = 0; found++ }
    !inside { print }
    $0 == begin { inside = 1; while ((getline line < part) > 0) print line }
    END { if (found != 1) exit 1 }' docs/timing.md >"$work/timing.md"
  cp "$work/timing.md" docs/timing.md
}
"$sim" config --timing-table >"$work/parameters"
scripts/validation.sh "$sim" >"$work/validation"
replace parameters <"$work/parameters"
replace validation <"$work/validation"
