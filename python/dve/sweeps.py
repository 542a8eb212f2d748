"""dve.sweep: many design points of a layer or a network."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Iterator, Mapping, Union

from . import process
from .layers import layer_argument
from .runs import output_folder
from .table import Table

Spec = Union[str, "os.PathLike[str]", Mapping[str, Any]]


class Sweep(Table):
    """The table of a sweep, a row a point: point, status, reason, the axes, cycles, time_ns, bottleneck, and more.

    Numbers are numbers; what a point does not have is None.
    """

    def ok(self) -> Table:
        """The points whose status is ok."""
        return Table(row for row in self if row["status"] == "ok")

    def failed(self) -> Table:
        """The others; `reason` says why."""
        return Table(row for row in self if row["status"] != "ok")


def sweep(
    spec: Spec,
    *,
    out: "str | os.PathLike[str] | None" = None,
    jobs: int | None = None,
    resume: bool = False,
    no_data: bool = False,
) -> Sweep:
    """Runs the points of a sweep as `dve-sim sweep` does, and returns their table.

    spec: a sweep file, or its content as a dict (`dve-sim sweep --help`; schema and mode "product" need not be said). A
    dict's base may have arrays as layer, as dve.run takes them. out: a folder to keep table and reports in; resume goes on
    with what it holds. jobs: processes at a time. Points that fail are rows with their reason, no exception.

    >>> table = dve.sweep({"base": {"no_data": True}, "axes": {"dtype": ["fp32", "bf16"], "place.x": ["sbuf", "psum"]}})
    >>> [(row["dtype"], row["place.x"], row["status"]) for row in table][:2]
    [('fp32', 'sbuf', 'ok'), ('fp32', 'psum', 'ok')]
    >>> int(table.to_pandas()["cycles"].nunique())
    2
    """
    with _spec_file(spec) as file, output_folder(out) as folder:
        options = {"out": folder, "jobs": jobs, "resume": resume, "no_data": no_data}
        process.call(["sweep", str(file), "--quiet", "--no-progress", *process.option_texts(options)])
        with open(folder / "sweep.csv", newline="") as table:
            return Sweep({name: _value(text) for name, text in row.items()} for row in csv.DictReader(table))


@contextlib.contextmanager
def _spec_file(spec: Spec) -> Iterator[Path]:
    if not isinstance(spec, Mapping):
        yield Path(spec)
        return
    document: dict[str, Any] = {"schema": 1, "mode": "product", **spec}
    base: dict[str, Any] = dict(document.get("base", {}))
    with layer_argument(base.get("layer")) as layer, tempfile.TemporaryDirectory(prefix="dve-sweep-") as folder:
        if layer is not None:
            base["layer"] = layer
        file = Path(folder) / "sweep.json"
        file.write_text(json.dumps({**document, "base": base}, default=_plain))
        yield file


def _plain(value: Any) -> Any:
    """numpy's numbers and arrays, and paths, as JSON has them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{value!r} is a {type(value).__name__}, which a sweep file cannot hold")


def _value(text: str) -> Any:
    if text == "":
        return None
    if text in ("true", "false"):
        return text == "true"
    for number in (int, float):
        with contextlib.suppress(ValueError):
            return number(text)
    return text
