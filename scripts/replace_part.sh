#!/usr/bin/env bash
# What stands in a document between "<!-- NAME begin -->" and "<!-- NAME end -->" becomes the standard input.
#   scripts/replace_part.sh DOCUMENT NAME
set -euo pipefail
document=${1:?a document} name=${2:?the name of a part}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/part"
awk -v begin="<!-- $name begin -->" -v end="<!-- $name end -->" -v part="$work/part" '
  $0 == end { inside = 0; found++ }
  !inside { print }
  $0 == begin { inside = 1; while ((getline line < part) > 0) print line }
  END { if (found != 1) exit 1 }' "$document" >"$work/document" ||
  { echo "replace_part: $document: expected one part named $name" >&2; exit 1; }
cp "$work/document" "$document"
