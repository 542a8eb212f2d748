"""Which accumulator? The gradient sums of streams as long as ResNet-50's, against float64 of the same terms.

One GradAccum over the whole stream, one a tile as the network's run cuts it, and the exact sum rounded once.
"""

import math

import numpy as np

import dve

CHANNELS, LANES = 8, 128
random = np.random.RandomState(1)


def tiles_by_length() -> dict[int, int]:
    """How many GradAccum words a channel's stream takes, tensors in HBM."""
    layers = dve.run("resnet_50", no_data=True).report["layers"]
    shapes = [(layer["nchw"], layer["report"]["opcodes"]["batch_norm_grad_accumulate2"]) for layer in layers]
    return {n * h * w: words // math.ceil(c / LANES) for (n, c, h, w), words in shapes}


def error(sums: dve.GradSums, exact: list[np.ndarray]) -> float:
    """Largest error of d_beta and d_gamma in any channel, relative to the sum of the terms' magnitudes."""
    errors = [np.max(np.abs(s - t.sum(axis=1)) / np.abs(t).sum(axis=1)) for s, t in zip(sums, exact)]
    return float(f"{max(errors):.1e}")


table = dve.Table()
for n, tiles in sorted(tiles_by_length().items()):
    x = random.standard_normal((CHANNELS, n)).astype(np.float32)
    dy = (random.standard_normal((CHANNELS, n)) + 0.5).astype(np.float32)
    mean, inv_std = (value.astype(np.float32) for value in (x.mean(axis=1), 1 / x.std(axis=1)))
    terms = [dy.astype(np.float64), (dy * ((x - mean[:, None]) * inv_std[:, None])).astype(np.float64)]
    parts = zip(np.array_split(x, tiles, axis=1), np.array_split(dy, tiles, axis=1))
    sums = [dve.grad_accumulate(*part, mean, inv_std) for part in parts]
    table.append(
        {
            "n": n,
            "one piece": error(dve.grad_accumulate(x, dy, mean, inv_std), terms),
            "tiles": tiles,
            "in tiles": error(dve.GradSums(*(np.add.accumulate(part)[-1] for part in zip(*sums))), terms),
            "wide": error(dve.grad_accumulate(x, dy, mean, inv_std, accumulator="wide"), terms),
        }
    )
print(table.text())

longest = table[-1]
in_tiles = max(row["in tiles"] for row in table)
print(
    f"\nAnswer: sequential fp32. In one piece it errs by {longest['one piece']:.1e} at {longest['n']} elements, but that does not "
    f"fit SBUF: cut as the network's run cuts them, the sums of no layer err by more than {in_tiles:.1e}. A wide accumulator "
    f"({max(row['wide'] for row in table):.1e}) pays for longer pieces only."
)
