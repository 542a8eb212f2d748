#!/usr/bin/env bash
# Installs, builds, and runs the batch-norm backward pass of a real layer on the modelled NeuronCore.
# Arguments go to `dve-sim run`: scripts/run.sh [LAYER_DIR] [--dtype bf16] ...   (scripts/run.sh --help lists them)
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
"$here/scripts/build.sh" release --target dve-sim >&2
exec "$here/build/release/bin/dve-sim" run "$@"
