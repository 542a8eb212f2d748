"""Which dtype? The backward pass of a real layer whose tensors lie in HBM: time, and how far dx lies from float64."""

from pathlib import Path

import numpy as np

import dve

layer = Path(__file__).parents[2] / "tb" / "data" / "digits_cnn" / "1"
exact = np.load(layer / "dx64.npy")
in_hbm = {"place.x": "hbm", "place.dy": "hbm", "place.dx": "hbm"}

table = dve.Table()
for dtype, loss_scale in (("fp32", 1), ("bf16", 1), ("fp16", 1), ("fp16", 65536)):
    run = dve.run(layer, dtype=dtype, loss_scale=loss_scale, set=in_hbm)
    dx = dve.to_fp32(run.dx, dtype)
    error = np.abs(dx - exact).max() / np.abs(exact).max()
    busy = run.report["engines"]["dve"]["busy"]
    row = {"dtype": dtype, "loss scale": loss_scale, "cycles": run.cycles, "dve busy": busy}
    table.append({**row, "error of dx": float(f"{error:.2g}")})
print(table.text())

fp32, *narrow = table
best = min(narrow, key=lambda row: row["error of dx"])
saved = 1 - best["cycles"] / fp32["cycles"]
print(
    f"\nAnswer: {best['dtype']} with a loss scale of {best['loss scale']}: two bytes an element save {saved:.0%} of the cycles "
    f"(DMA moves half as much, the vector engine is as fast), and dx is off by {best['error of dx']:.2g} of its maximum."
)
