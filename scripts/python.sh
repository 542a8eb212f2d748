#!/usr/bin/env bash
# Runs a Python script, or Python itself, with the package dve of the release build, which is brought up to date first.
#   scripts/python.sh [FILE.py] [arguments]
set -euo pipefail
case "${1:-}" in -h|--help) sed -n '2,3p' "$0" | sed 's/^# \{0,1\}//'; exit 0 ;; esac
source=$(cd "$(dirname "$0")/.." && pwd)
(cd "$source" && DVE_PYTHON=ON scripts/build.sh release --target dve-sim dve_python_core) >&2
PYTHONPATH="$source/build/release/python${PYTHONPATH:+:$PYTHONPATH}" exec /usr/bin/python3 "$@"
