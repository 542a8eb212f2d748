from typing import Any

import numpy as np
import numpy.typing as npt

version: str

def storage_bytes() -> dict[str, int]: ...
def describe_switches() -> dict[str, tuple[str, str, str]]: ...
def to_fp32(
    stored: npt.NDArray[np.uint8], dtype: str, switches: dict[str, Any]
) -> npt.NDArray[np.float32]: ...
def from_fp32(
    values: npt.NDArray[np.float32], dtype: str, switches: dict[str, Any]
) -> npt.NDArray[np.uint8]: ...
def grad_accumulate(
    x: npt.NDArray[np.float32],
    dy: npt.NDArray[np.float32],
    mean: npt.NDArray[np.float32],
    inv_std: npt.NDArray[np.float32],
    switches: dict[str, Any],
) -> npt.NDArray[np.float32]: ...
def back_propagate(
    src0: npt.NDArray[np.float32],
    dy: npt.NDArray[np.float32],
    parameters: npt.NDArray[np.float32],
    inv_std: npt.NDArray[np.float32],
    switches: dict[str, Any],
) -> npt.NDArray[np.float32]: ...
def stats2(x: npt.NDArray[np.float32], switches: dict[str, Any]) -> npt.NDArray[np.float32]: ...
def aggregate(triples: npt.NDArray[np.float32], switches: dict[str, Any]) -> npt.NDArray[np.float32]: ...
def assemble(
    text: str, generation: str
) -> tuple[bytes, list[str], list[int], list[tuple[int, int, str]]]: ...
def disassemble(words: bytes, generation: str) -> list[str]: ...
def check(
    words: bytes, engines: list[str], config: str, set: dict[str, Any]
) -> list[tuple[int, str, str, str, str, int, int, str, str, str]]: ...
