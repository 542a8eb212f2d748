"""How many lanes? ResNet-50's batch-norm layers on engines that take 16 to 128 channels at a time.

An engine of L lanes works through a layer of C channels in C / L groups, each a layer of its own.
"""

import json
import tempfile
from pathlib import Path

import dve

LAYERS = {  # channels, height and width -> how often: configs/workloads/resnet_50.json
    (64, 112): 1, (256, 56): 4, (64, 56): 6, (512, 28): 5, (128, 28): 8, (1024, 14): 7, (256, 14): 12, (2048, 7): 4, (512, 7): 6,
}  # fmt: skip
BATCH = 50


def milliseconds(lanes: int, place: str) -> float:
    """In SBUF: what the engine alone takes, for tensors that are there already."""
    layers = [
        {"name": f"{c}x{size}", "nchw": [BATCH, min(c, lanes), size, size], "repeat": times * max(1, c // lanes)}
        for (c, size), times in LAYERS.items()
    ]
    network = {"schema": 1, "name": f"{lanes} lanes", "batch": BATCH, "dtype": "bf16", "place": place, "layers": layers}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "network.json"
        file.write_text(json.dumps(network))
        return dve.run(file, no_data=True).time_ns / 1e6


table = dve.Table()
for lanes in (16, 32, 64, 128):
    engine, with_dma = milliseconds(lanes, "sbuf"), milliseconds(lanes, "hbm")
    table.append({"lanes": lanes, "ms, engine": round(engine, 1), "ms, with DMA": round(with_dma, 1)})
print(table.text())

half, full = table[-2:]
gain = {name: half[name] / full[name] for name in ("ms, engine", "ms, with DMA")}
print(
    f"\nAnswer: 64 lanes are {table[0]['ms, with DMA'] / half['ms, with DMA']:.1f} times as fast as 16; 128 make the "
    f"engine {gain['ms, engine']:.1f} times as fast again (layers of 64 channels leave half of them idle), but the network "
    f"only {gain['ms, with DMA']:.1f} times: DMA bounds it by then."
)
