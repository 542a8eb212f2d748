"""dve.run: one layer or network on the modelled NeuronCore."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from . import process
from .layers import Layer, layer_argument
from .table import Table


class Run:
    """What a run left behind.

    report: report.json as it stands. arrays: results by name (dx, dgamma, dbeta; mean, var, inv_std when the device
    computed them; y of a full step), none without data and of networks.
    """

    def __init__(self, report: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
        self.report = report
        self.arrays = arrays

    @property
    def status(self) -> str:
        """ok, compare_failed, fault, deadlock or timeout."""
        return str(self.report["status"])

    @property
    def cycles(self) -> int | None:
        """Cycles of the DVE; None in abstraction functional."""
        cycles = self.report["cycles"]
        return None if cycles is None else int(cycles)

    @property
    def time_ns(self) -> float:
        """Simulated time; 0 in abstraction functional."""
        return float(self.report["time_ns"])

    @property
    def dx(self) -> npt.NDArray[Any]:
        """The input gradient, in the device's dtype and x's shape."""
        return self.arrays["dx"]

    @property
    def dgamma(self) -> npt.NDArray[np.float32]:
        """The gradient of gamma."""
        return self.arrays["dgamma"]

    @property
    def dbeta(self) -> npt.NDArray[np.float32]:
        """The gradient of beta."""
        return self.arrays["dbeta"]

    def compare(self) -> Table:
        """A row a comparison: tensor, max_abs, max_rel, mismatches, tolerance.

        >>> dve.run().compare().to_pandas().set_index("tensor").loc["dx64", "mismatches"]
        0
        """
        return _rows(self.report["compare"], "tensor")

    def engines(self) -> Table:
        """A row an engine: in which cycles it was busy, or what it waited for.

        >>> dve.run(no_data=True).engines()[0]["engine"]
        'dve'
        """
        return _rows(self.report["engines"], "engine")

    def ports(self) -> Table:
        """A row a port of the memories: bytes, transactions, utilisation."""
        return _rows(self.report["ports"], "port")

    def opcodes(self) -> Table:
        """A row an opcode: how many words of it have been executed."""
        return Table({"opcode": name, "count": count} for name, count in self.report["opcodes"].items())

    def layers(self) -> Table:
        """A row a layer of a network, as it is once, not `repeat` times; empty for a single layer.

        >>> dve.run("resnet_18", no_data=True).layers().columns()["name"][:2]
        ['conv1', 'layer2_1_conv1']
        """
        figures = ("status", "cycles", "time_ns", "instructions")
        return Table(
            {
                **{name: row[name] for name in ("name", "repeat", "dtype", "place")},
                **dict(zip("nchw", row["nchw"])),
                **{name: row["report"][name] for name in figures},
            }
            for row in self.report.get("layers", [])
        )


def _rows(entries: Mapping[str, Mapping[str, Any]], name: str) -> Table:
    scalars = [
        {name: key, **{k: v for k, v in entry.items() if not isinstance(v, (dict, list))}}
        for key, entry in entries.items()
    ]
    columns = list(dict.fromkeys(column for row in scalars for column in row))
    return Table({column: row.get(column) for column in columns} for row in scalars)


@contextlib.contextmanager
def output_folder(out: "str | os.PathLike[str] | None") -> Iterator[Path]:
    """`out`, or a folder that is removed at the end."""
    if out is not None:
        yield Path(out)
        return
    with tempfile.TemporaryDirectory(prefix="dve-out-") as folder:
        yield Path(folder)


def read_run(folder: Path) -> Run:
    """The Run that --out of `dve-sim run` holds."""
    report = json.loads((folder / "report.json").read_text())
    arrays = {path.stem: np.load(path) for path in sorted(folder.glob("*.npy"))}
    return Run(report, arrays)


def run(
    layer: Layer = None,
    *,
    config: "str | os.PathLike[str] | None" = None,
    set: Mapping[str, Any] | None = None,
    abstraction: str | None = None,
    step: str | None = None,
    dtype: str | None = None,
    eps: float | None = None,
    loss_scale: float | None = None,
    microbatches: int | None = None,
    device_stats: bool = False,
    no_data: bool = False,
    traffic: "str | os.PathLike[str] | None" = None,
    max_cycles: int | None = None,
    out: "str | os.PathLike[str] | None" = None,
) -> Run:
    """Runs a layer's training step as `dve-sim run` does, and returns its report and results.

    layer: a layer folder; the name or file of a network; a dict of arrays (x, dy, gamma, ...; bf16 as uint16 bits); None: a
    bundled layer of a real network. set: configuration keys by their dotted names (`dve-sim config --keys`). The other
    arguments are the options of `dve-sim run`. out: a folder to keep the files in.

    A SimulatorError carries the program's message and exit code; its ``run`` is what there is of the run: all of it when
    only a comparison failed.

    >>> dve.run(dtype="bf16", config="sunda", set={"place.x": "psum"}).status
    'ok'
    >>> x = np.float32([[1, 2, 3, 4]])
    >>> dve.run({"x": x, "dy": x, "gamma": np.float32([1])}).dbeta
    array([10.], dtype=float32)
    """
    options = {
        "config": config,
        "abstraction": abstraction,
        "step": step,
        "dtype": dtype,
        "eps": eps,
        "loss_scale": loss_scale,
        "microbatches": microbatches,
        "device_stats": device_stats,
        "no_data": no_data,
        "traffic": traffic,
        "max_cycles": max_cycles,
    }
    with layer_argument(layer) as name, output_folder(out) as folder:
        words = ["run", *([name] if name is not None else []), "--quiet", f"--out={folder}"]
        try:
            code = process.call([*words, *process.option_texts(options), *process.set_texts(set or {})])
        except process.SimulatorError as error:
            if (folder / "report.json").exists():
                error.run = read_run(folder)
            raise
        result = read_run(folder)
        if code != 0:
            failed = process.CompareFailed(_mismatches(result), code)
            failed.run = result
            raise failed
        return result


def _mismatches(result: Run) -> str:
    wrong = [f"{row['tensor']} ({row['mismatches']} values)" for row in result.compare() if row["mismatches"]]
    return "the comparison failed: " + ", ".join(wrong)
