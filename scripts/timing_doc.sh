#!/usr/bin/env bash
# Writes the measured parts of docs/timing.md anew: the parameters of all presets, and the validation table.
#   scripts/timing_doc.sh [DVE_SIM]     (default: the release build's program)
set -euo pipefail
cd "$(dirname "$0")/.."
sim=${1:-build/release/bin/dve-sim}
[ -x "$sim" ] || { echo "timing_doc: $sim is not there; build it with scripts/build.sh release" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$sim" config --timing-table >"$work/parameters"
scripts/validation.sh "$sim" >"$work/validation"
scripts/replace_part.sh docs/timing.md parameters <"$work/parameters"
scripts/replace_part.sh docs/timing.md validation <"$work/validation"
