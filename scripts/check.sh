#!/usr/bin/env bash
# Formatting, rules of the house and static analysis.
#   scripts/check.sh          formatting and house rules
#   scripts/check.sh --tidy   adds clang-tidy over the release build's compile commands
#   scripts/check.sh --fix    formats in place instead of checking
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in -h|--help) sed -n '2,5p' scripts/check.sh | sed 's/^# \{0,1\}//'; exit 0 ;; esac
scripts/setup.sh --check

mapfile -t sources < <(git ls-files '*.h' '*.cpp')
if [ "${1:-}" = --fix ]; then
  clang-format -i "${sources[@]}"
  exit 0
fi
clang-format --dry-run --Werror "${sources[@]}"

failed=0
complain() { printf 'check: %s\n' "$1" >&2; failed=1; }

# Plain blocks know no SystemC; the build enforces it, this names the line.
mapfile -t plain < <(git grep -lE '^dve_block\([a-z_]+ PLAIN' -- 'models/*CMakeLists.txt' 'platform/*CMakeLists.txt' | xargs -n 1 dirname)
if git grep -nE '#include *[<"](systemc|tlm|tlm_utils)' -- "${plain[@]}" python; then
  complain 'plain C++ blocks include SystemC (lines above)'
fi
# One door a block: other blocks include dve/<block>/<block>.h only.
if git grep -nE '#include "dve/' -- models platform python tb | grep -vE '"dve/([a-z_]+)/\1\.h"'; then
  complain 'a header other than the door of a block is included from outside (lines above)'
fi
if git grep -nE '#include "\.\./' -- models platform python tb; then
  complain 'relative include into another folder (lines above)'
fi
if git grep -nE 'using namespace' -- '*.h'; then
  complain 'using namespace in a header (lines above)'
fi
if git grep -nE 'SC_DISABLE_API_VERSION_CHECK|-ffast-math|-march=native' -- '*.txt' '*.cmake' '*.json' '*.cpp' '*.h'; then
  complain 'a flag that the project rules out (lines above)'
fi
scripts/workloads.py --check || failed=1
[ "$failed" -eq 0 ] || exit 1

if [ "${1:-}" = --tidy ]; then
  # File by file and without precompiled headers, which clang cannot read from g++.
  cmake --preset debug -B build/tidy -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DDVE_BUILD_TESTS=OFF >/dev/null
  git ls-files 'models/*.cpp' 'platform/*.cpp' | xargs -P "$(nproc)" -n 4 clang-tidy -p build/tidy --quiet
fi
echo 'check: ok'
