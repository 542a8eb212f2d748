"""Layers for dve-sim: a folder, a network's name, or arrays, which become a folder for as long as it is needed."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any, Iterator, Mapping, Union

import numpy as np

#: Arrays by the name of their file without .npy: x, dy, gamma, and optionally beta, mean, inv_std and references.
Arrays = Mapping[str, Any]
Layer = Union[str, "os.PathLike[str]", Arrays, None]

_REFERENCES = ("dx", "dgamma", "dbeta", "y", "mean", "var")
_NAMES = {"x", "dy", "gamma", "beta", "inv_std", *_REFERENCES, *(name + "64" for name in _REFERENCES)}


@contextlib.contextmanager
def layer_argument(layer: Layer) -> Iterator[str | None]:
    """What names the layer on the command line; None: the bundled one."""
    if layer is None or isinstance(layer, (str, os.PathLike)):
        yield None if layer is None else os.fspath(layer)
        return
    unknown = sorted(set(layer) - _NAMES)
    if unknown:
        raise ValueError(f"layer has an array {unknown[0]!r}, expected names from {', '.join(sorted(_NAMES))}")
    with tempfile.TemporaryDirectory(prefix="dve-layer-") as folder:
        for name, array in layer.items():
            np.save(Path(folder) / f"{name}.npy", np.ascontiguousarray(array))
        yield folder
