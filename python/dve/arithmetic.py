"""The golden arithmetic on numpy arrays: the code that the model executes, bit for bit.

Arrays hold elements along their last axis; the axes before it are channels, and parameters have one value a channel. Their
numpy type is that of the device dtype: float32 is fp32, float16 is fp16. Others are bits: uint16 with ``dtype="bf16"``,
uint8 with ``dtype="fp8_e4m3"``, ``"fp8_e5m2"`` or ``"fp8_e3m4"``, float32 with ``dtype="fp32r"``. Nothing is converted
silently: a float64 array is refused.

Keyword arguments are the switches of docs/numerics.md, by the name of their configuration key without ``numerics.``:

>>> dve.switches()["accumulator"][0]
'one of sequential, wide'
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core

Floats = npt.NDArray[np.float32]
Array = npt.NDArray[Any]

_STORAGE: dict[str, np.dtype[Any]] = {
    "fp32": np.dtype("<f4"),
    "fp32r": np.dtype("<f4"),
    "fp16": np.dtype("<f2"),
    "bf16": np.dtype("<u2"),
    "fp8_e3m4": np.dtype("u1"),
    "fp8_e4m3": np.dtype("u1"),
    "fp8_e5m2": np.dtype("u1"),
    **{name: np.dtype(name) for name in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")},
}
_IMPLIED = {np.dtype("<f4"): "fp32", np.dtype("<f2"): "fp16"}


class GradSums(NamedTuple):
    """The three sums of GradAccum, fp32, one a channel: dbeta, dgamma and the coupling that BackProp needs."""

    d_beta: Floats
    d_gamma: Floats
    coupling: Floats


class MeanVariance(NamedTuple):
    """Mean and population variance, fp32, one a channel."""

    mean: Floats
    variance: Floats


def switches() -> dict[str, tuple[str, str, str]]:
    """What is allowed, the default and the meaning of each switch.

    >>> dve.switches()["narrow_overflow"][1]
    'inf'
    """
    return _core.describe_switches()


def _storage(dtype: str) -> np.dtype[Any]:
    if dtype not in _STORAGE:
        raise ValueError(f"dtype is {dtype!r}, expected one of {', '.join(_STORAGE)}")
    return _STORAGE[dtype]


def _dtype_of(name: str, array: Array, dtype: str | None) -> str:
    """The device dtype of an array, which must be stored in its form."""
    if dtype is None:
        if array.dtype not in _IMPLIED:
            raise TypeError(f"{name} is {array.dtype}, expected float32, float16, or bits and a dtype (dtype='bf16')")
        return _IMPLIED[array.dtype]
    if array.dtype != _storage(dtype):
        raise TypeError(f"{name} is {array.dtype}, expected {_storage(dtype)} for dtype {dtype}")
    return dtype


def to_fp32(stored: npt.ArrayLike, dtype: str | None = None, **switches: Any) -> Floats:
    """The values of stored elements, as the engine reads them. Exact, except for integers that fp32 cannot hold.

    >>> dve.to_fp32(np.array([0x3F80, 0xC040], np.uint16), "bf16")
    array([ 1., -3.], dtype=float32)
    >>> dve.to_fp32(np.array([0x7F], np.uint8), "fp8_e4m3", e4m3_variant="fn")
    array([nan], dtype=float32)
    """
    array = np.asarray(stored)
    name = _dtype_of("stored", array, dtype)
    if name == "fp32" and array.size == 0:
        return array.astype(np.float32)
    bits = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return _core.to_fp32(bits, name, switches).reshape(array.shape)


def from_fp32(values: npt.ArrayLike, dtype: str, **switches: Any) -> Array:
    """fp32 values stored in a dtype, as the engine writes them: floats round to nearest even, integers truncate and
    saturate.

    >>> dve.from_fp32(np.float32([1, 1e5]), "fp16")
    array([ 1., inf], dtype=float16)
    >>> dve.from_fp32(np.float32([1, 1e5]), "fp16", narrow_overflow="saturate")
    array([1.00e+00, 6.55e+04], dtype=float16)
    >>> [hex(bits) for bits in dve.from_fp32(np.float32([0.1]), "bf16")]
    ['0x3dcd']
    """
    array = _fp32("values", values)
    storage = _storage(dtype)
    return _core.from_fp32(array.reshape(-1), dtype, switches).view(storage).reshape(array.shape)


def _fp32(name: str, values: npt.ArrayLike) -> Floats:
    """Parameters and other fp32 arguments; Python's own numbers are rounded to fp32."""
    array = np.asarray(values)
    if not isinstance(values, (int, float)) and array.dtype != np.float32:
        raise TypeError(f"{name} is {array.dtype}, expected float32")
    return np.ascontiguousarray(array, dtype=np.float32).reshape(array.shape)


class _Channels:
    """Streams of one shape as rows, and results of a value a channel in the shape of the channels."""

    def __init__(self, switches: dict[str, Any], dtype: str | None, **streams: npt.ArrayLike) -> None:
        self.rows: list[Floats] = []
        self.dtypes: list[str] = []
        self.shape: tuple[int, ...] | None = None
        for name, values in streams.items():
            array = np.asarray(values)
            if array.ndim == 0:
                raise ValueError(f"{name} is a number, expected an array whose last axis holds a channel's elements")
            self.shape = self.shape or array.shape
            if array.shape != self.shape:
                raise ValueError(f"{name} has shape {array.shape}, expected {self.shape} as {next(iter(streams))}")
            self.dtypes.append(_dtype_of(name, array, dtype))
            self.rows.append(to_fp32(array, self.dtypes[-1], **switches).reshape(self.count, array.shape[-1]))

    @property
    def channels(self) -> tuple[int, ...]:
        assert self.shape is not None
        return self.shape[:-1]

    @property
    def count(self) -> int:
        return int(np.prod(self.channels, dtype=np.int64))

    def parameter(self, name: str, values: npt.ArrayLike) -> Floats:
        """One fp32 value a channel; a single one holds for all."""
        array = _fp32(name, values)
        try:
            return np.ascontiguousarray(np.broadcast_to(array, self.channels)).reshape(-1)
        except ValueError:
            raise ValueError(f"{name} has shape {array.shape}, expected a number or {self.channels}") from None

    def result(self, values: Floats) -> Floats:
        return np.ascontiguousarray(values).reshape(self.channels)


def grad_accumulate(
    x: npt.ArrayLike,
    dy: npt.ArrayLike,
    mean: npt.ArrayLike,
    inv_std: npt.ArrayLike,
    dtype: str | None = None,
    **switches: Any,
) -> GradSums:
    """The gradient sums of GradAccum (0x63): of dy, of t = dy * ((x - mean) * inv_std), and of t * inv_std.

    Each product and each addition rounds to fp32, in element order. Switches: product_order, accumulator. The sums come by
    name; the order in which a word stores them is dst_order's.

    >>> x, dy = np.float32([[1, 2, 3, 4]]), np.float32([[1, 0, 0, 2]])
    >>> dve.grad_accumulate(x, dy, mean=2.5, inv_std=0.5)
    GradSums(d_beta=array([3.], dtype=float32), d_gamma=array([0.75], dtype=float32), coupling=array([0.375], dtype=float32))
    """
    streams = _Channels(switches, dtype, x=x, dy=dy)
    rows_x, rows_dy = streams.rows
    sums = _core.grad_accumulate(
        rows_x, rows_dy, streams.parameter("mean", mean), streams.parameter("inv_std", inv_std), switches
    )
    return GradSums(*(streams.result(column) for column in sums.T))


def back_propagate(
    src0: npt.ArrayLike,
    dy: npt.ArrayLike,
    mean: npt.ArrayLike,
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    c: npt.ArrayLike,
    element_count: npt.ArrayLike | None = None,
    inv_std: npt.ArrayLike | None = None,
    dtype: str | None = None,
    out_dtype: str | None = None,
    **switches: Any,
) -> Array:
    """The input gradient of BackProp (0x65) with the parameters that ParamLoad stages.

    backprop_form staged (default): dx = (dy * N - ((x - mean) * c + b)) * a, with a = gamma * inv_std / N, b = d_beta and
    c = coupling. backprop_form textbook: a = gamma * inv_std, c = d_gamma, and inv_std is that of the lane's GradAccum,
    which src0_is ofmap needs. N is element_count (default: the length of the stream). The result is rounded once to
    out_dtype (default: that of src0).

    >>> x, dy = np.float32([[1, 2, 3, 4]]), np.float32([[1, 0, 0, 2]])
    >>> dve.back_propagate(x, dy, mean=2.5, a=0.125, b=3, c=0.375)
    array([[ 0.1953125, -0.3515625, -0.3984375,  0.5546875]], dtype=float32)
    """
    streams = _Channels(switches, dtype, src0=src0, dy=dy)
    count = streams.rows[0].shape[1] if element_count is None else element_count
    if inv_std is None and switches.get("backprop_form") == "textbook" and switches.get("src0_is") != "x_norm":
        raise ValueError("inv_std is missing: the textbook form normalises src0 with it")
    parameters = [
        streams.parameter(name, values)
        for name, values in (("element_count", count), ("mean", mean), ("a", a), ("b", b), ("c", c))
    ]
    v = streams.parameter("inv_std", 0.0 if inv_std is None else inv_std)
    rows_src0, rows_dy = streams.rows
    dx = _core.back_propagate(rows_src0, rows_dy, np.stack(parameters, axis=1), v, switches)
    return from_fp32(dx.reshape(np.shape(src0)), out_dtype or streams.dtypes[0], **switches)


def stats2(x: npt.ArrayLike, dtype: str | None = None, **switches: Any) -> Floats:
    """The statistics of Stats2 (0x61): (count, mean, n * variance) of the elements with even and with odd numbers.

    Result: [..., 2, 3]. Switches: stats_algorithm, divide, param_ram_index.

    >>> dve.stats2(np.float32([1, 10, 3, 30]))
    array([[  2.,   2.,   2.],
           [  2.,  20., 200.]], dtype=float32)
    """
    streams = _Channels(switches, dtype, x=x)
    return _core.stats2(streams.rows[0], switches).reshape(*streams.channels, 2, 3)


def aggregate(triples: npt.ArrayLike, **switches: Any) -> MeanVariance:
    """Mean and variance of Aggregate (0x62), from (count, mean, n * variance) triples [..., t, 3], merged in their order.

    Switches: divide.

    >>> dve.aggregate(dve.stats2(np.float32([1, 10, 3, 30])))
    MeanVariance(mean=array(11., dtype=float32), variance=array(131.5, dtype=float32))
    """
    array = _fp32("triples", triples)
    if array.ndim < 2 or array.shape[-1] != 3:
        raise ValueError(f"triples has shape {array.shape}, expected [..., t, 3]")
    channels = array.shape[:-2]
    rows = array.reshape(int(np.prod(channels, dtype=np.int64)), array.shape[-2] * 3)
    merged = _core.aggregate(rows, switches)
    return MeanVariance(*(np.ascontiguousarray(column).reshape(channels) for column in merged.T))


def batch_norm_backward(
    x: npt.ArrayLike,
    dy: npt.ArrayLike,
    gamma: npt.ArrayLike,
    mean: npt.ArrayLike,
    inv_std: npt.ArrayLike,
    dtype: str | None = None,
    **switches: Any,
) -> tuple[Array, Floats, Floats]:
    """dx, dgamma and dbeta of a layer that is one tile with given statistics, as a run in the staged form has them.

    The host's arithmetic in between is A = (gamma * inv_std) / N with two roundings to fp32.

    >>> x, dy = np.float32([[1, 2, 3, 4]]), np.float32([[1, 0, 0, 2]])
    >>> dx, dgamma, dbeta = dve.batch_norm_backward(x, dy, gamma=1.0, mean=2.5, inv_std=0.5)
    >>> dx
    array([[ 0.1953125, -0.3515625, -0.3984375,  0.5546875]], dtype=float32)
    """
    if switches.get("backprop_form", "staged") != "staged":
        raise ValueError("backprop_form is not 'staged': use grad_accumulate and back_propagate for other forms")
    sums = grad_accumulate(x, dy, mean, inv_std, dtype, **switches)
    count = np.float32(np.shape(x)[-1])
    a = (_fp32("gamma", gamma) * _fp32("inv_std", inv_std)) / count
    dx = back_propagate(x, dy, mean, a, sums.d_beta, sums.coupling, dtype=dtype, **switches)
    return dx, sums.d_gamma, sums.d_beta
