#!/usr/bin/env bash
# Browser tests of the pages that dve-sim report makes: tb/report/run.sh [DVE_SIM]
# Needs chromium, node and npm (scripts/setup.sh --report); fetches the packages of the lock file when they are not there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sim=$(realpath "${1:-$here/../../build/release/bin/dve-sim}")
cd "$here"
cmp -s package-lock.json node_modules/.installed.json || {
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --silent --no-audit --no-fund
  cp package-lock.json node_modules/.installed.json
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
node report_test.mjs "$sim" "$scratch"
