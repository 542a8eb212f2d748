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

scripts/bench.sh --build "$build" "${long[@]+"${long[@]}"}" >"$work/figures"
{
  printf '| workload | instructions | bar |\n|---|---|---|\n'
  scripts/instruction_counts.sh --build "$build" | awk '{ printf "| %s | %s | %s |\n", $1, $2, $4 }'
} >"$work/counts"
scripts/replace_part.sh docs/performance.md figures <"$work/figures"
scripts/instruction_counts.sh --build "$build" --profile >"$work/profile"
scripts/replace_part.sh docs/performance.md counts <"$work/counts"
scripts/replace_part.sh docs/performance.md profile <"$work/profile"
