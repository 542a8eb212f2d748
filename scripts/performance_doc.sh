#!/usr/bin/env bash
# Writes the measured parts of docs/performance.md anew: the figures of scripts/bench.sh and the counts of
# scripts/instruction_counts.sh.
#   scripts/performance_doc.sh [--build DIR] [--long]     (--long: as for scripts/bench.sh)
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/release
long=()
while [ $# -gt 0 ]; do
  case "$1" in
    --build) build=${2:?--build needs a folder}; shift ;;
    --long) long=(--long) ;;
    *) echo "performance_doc: unknown argument '$1', expected --build DIR or --long" >&2; exit 2 ;;
  esac
  shift
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
document=docs/performance.md

# replace NAME: what stands between "<!-- NAME begin -->" and "<!-- NAME end -->" becomes the standard input.
replace() {
  cat >"$work/part"
  awk -v begin="<!-- $1 begin -->" -v end="<!-- $1 end -->" -v part="$work/part" '
    $0 == end { inside = 0; found++ }
    !inside { print }
    $0 == begin { inside = 1; while ((getline line < part) > 0) print line }
    END { if (found != 1) exit 1 }' "$document" >"$work/document"
  cp "$work/document" "$document"
}
scripts/bench.sh --build "$build" "${long[@]+"${long[@]}"}" >"$work/figures"
{
  printf '| workload | instructions | bar |\n|---|---|---|\n'
  scripts/instruction_counts.sh --build "$build" | awk '{ printf "| %s | %s | %s |\n", $1, $2, $4 }'
} >"$work/counts"
replace figures <"$work/figures"
scripts/instruction_counts.sh --build "$build" --profile >"$work/profile"
replace counts <"$work/counts"
replace profile <"$work/profile"
