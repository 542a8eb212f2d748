#!/usr/bin/env bash
# Writes the answers of python/examples in docs/exploration.md anew.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in -h|--help) sed -n '2p' "$0" | sed 's/^# \{0,1\}//'; exit 0 ;; esac
for example in python/examples/*.py; do
  { echo '```'; scripts/python.sh "$example" 2>/dev/null | fold -s -w 120 | sed 's/ *$//'; echo '```'; } |
    scripts/replace_part.sh docs/exploration.md "$(basename "$example" .py)"
done
