"""The arithmetic against formulas written down in numpy, bit for bit, and against published vectors and real layers."""

import ctypes
import json
import math
from fractions import Fraction

import numpy as np
import pytest

import dve

STORED = {"int32": np.uint32, "fp32": np.uint32, "fp16": np.uint16, "bf16": np.uint16, "fp8_e3m4": np.uint8, "fp8_e4m3": np.uint8, "fp8_e5m2": np.uint8}


def same_bits(found, expected):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.dtype == expected.dtype and found.shape == expected.shape
    both_nan = np.isnan(found) & np.isnan(expected)
    bits = f"u{found.itemsize}"
    np.testing.assert_array_equal(np.where(both_nan, 0, found.view(bits)), np.where(both_nan, 0, expected.view(bits)))


def stored(bits, dtype):
    array = np.array([bits], STORED[dtype])
    return array.view({"fp32": np.float32, "fp16": np.float16, "int32": np.int32}.get(dtype, array.dtype))


# --- Conversions ---


def test_published_conversion_vectors(data):
    vectors = json.loads((data / "cases" / "float_conversions.json").read_text())["vectors"]
    for vector in vectors:
        source = stored(int(vector["in_bits"], 16), vector["from"])
        result = dve.from_fp32(dve.to_fp32(source, vector["from"]), vector["to"])
        bits = result.view(STORED[vector["to"]])[0]
        if vector.get("nan"):
            assert np.isnan(dve.to_fp32(result, vector["to"])[0]), vector
        else:
            assert bits == int(vector["out_bits"], 16), vector
    assert len(vectors) > 60


def test_fp16_is_numpys_float16(random):
    codes = np.arange(65536, dtype=np.uint16).view(np.float16)
    same_bits(dve.to_fp32(codes), codes.astype(np.float32))
    values = random.randint(0, 2**32, 200000, np.uint64).astype(np.uint32).view(np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        expected = values.astype(np.float16)
    same_bits(dve.from_fp32(values, "fp16"), expected)


def test_bf16_is_the_upper_half_of_fp32_rounded_to_even(random):
    values = random.randint(0, 2**32, 200000, np.uint64).astype(np.uint32)
    finite = values[np.isfinite(values.view(np.float32))]
    expected = ((finite + np.uint32(0x7FFF) + (finite >> 16 & 1)) >> 16).astype(np.uint16)
    np.testing.assert_array_equal(dve.from_fp32(finite.view(np.float32), "bf16"), expected)
    codes = np.arange(65536, dtype=np.uint16)
    same_bits(dve.to_fp32(codes, "bf16"), (codes.astype(np.uint32) << 16).view(np.float32))


def fp8_value(code, exponent_bits, mantissa_bits, infinities):
    sign = -1.0 if code >> 7 else 1.0
    exponent, mantissa = code >> mantissa_bits & (1 << exponent_bits) - 1, code & (1 << mantissa_bits) - 1
    bias, top = (1 << exponent_bits - 1) - 1, (1 << exponent_bits) - 1
    if infinities and exponent == top:
        return sign * math.inf if mantissa == 0 else math.nan
    if not infinities and code & 0x7F == 0x7F:
        return math.nan
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
    return sign * (1 + mantissa / (1 << mantissa_bits)) * 2.0 ** (exponent - bias)


@pytest.mark.parametrize(
    "dtype, exponent_bits, mantissa_bits, variant",
    [("fp8_e3m4", 3, 4, "ieee"), ("fp8_e4m3", 4, 3, "ieee"), ("fp8_e4m3", 4, 3, "fn"), ("fp8_e5m2", 5, 2, "ieee")],
)
def test_fp8_codes_have_their_formats_values(dtype, exponent_bits, mantissa_bits, variant):
    codes = np.arange(256, dtype=np.uint8)
    expected = np.array([fp8_value(int(c), exponent_bits, mantissa_bits, variant == "ieee") for c in codes], np.float32)
    found = dve.to_fp32(codes, dtype, e4m3_variant=variant)
    same_bits(found, expected)
    finite = codes[np.isfinite(expected)]
    np.testing.assert_array_equal(dve.from_fp32(expected[np.isfinite(expected)], dtype, e4m3_variant=variant), finite)


def test_overflow_saturates_when_it_is_told_to():
    for dtype, largest in (("fp16", 65504.0), ("fp8_e4m3", 240.0), ("fp8_e5m2", 57344.0)):
        saturated = dve.from_fp32(np.float32([1e30, -1e30]), dtype, narrow_overflow="saturate")
        np.testing.assert_array_equal(dve.to_fp32(saturated, dtype), np.float32([largest, -largest]))
        assert np.isinf(dve.to_fp32(dve.from_fp32(np.float32([1e30]), dtype), dtype)[0])


def test_integers_truncate_and_saturate():
    values = np.float32([2.9, -2.9, 300, -300, np.nan])
    np.testing.assert_array_equal(dve.from_fp32(values, "int8"), np.int8([2, -2, 127, -128, 0]))
    np.testing.assert_array_equal(dve.to_fp32(np.int64([2**24 + 1]), "int64"), np.float32([2**24]))


def test_shapes_are_kept():
    array = np.zeros((2, 3, 4), np.float16)
    assert dve.to_fp32(array).shape == (2, 3, 4)
    assert dve.from_fp32(np.zeros((5, 0), np.float32), "bf16").shape == (5, 0)
    assert dve.to_fp32(np.zeros((0,), np.float32)).shape == (0,)
    strided = np.arange(24, dtype=np.float32).reshape(4, 6)[::2, ::3]
    np.testing.assert_array_equal(dve.from_fp32(strided, "fp32"), strided)


# --- Gradient sums: every product and addition rounds ---


def layer_like(random, channels=5, n=3001):
    x = (random.standard_normal((channels, n)) * 2 + 3).astype(np.float32)
    dy = (random.standard_normal((channels, n)) * 0.1).astype(np.float32)
    mean = x.mean(axis=1, dtype=np.float64).astype(np.float32)
    inv_std = (1 / np.sqrt(x.var(axis=1, dtype=np.float64) + 1e-5)).astype(np.float32)
    return x, dy, mean, inv_std


def terms_of(x, dy, m, v, order="documented"):
    m, v = m[:, None], v[:, None]
    t = dy * ((x - m) * v) if order == "documented" else ((x - m) * dy) * v
    return dy, t, t * v


def in_order(terms):
    start = np.zeros((terms.shape[0], 1), np.float32)
    return np.add.accumulate(np.concatenate([start, terms], axis=1), axis=1, dtype=np.float32)[:, -1]


@pytest.mark.parametrize("order", ["documented", "interpreter"])
def test_sums_are_added_in_element_order(random, order):
    x, dy, m, v = layer_like(random)
    sums = dve.grad_accumulate(x, dy, m, v, product_order=order)
    for found, terms in zip(sums, terms_of(x, dy, m, v, order)):
        same_bits(found, in_order(terms))


def test_a_wide_accumulator_rounds_once(random):
    x, dy, m, v = layer_like(random)
    sums = dve.grad_accumulate(x, dy, m, v, accumulator="wide")
    for found, terms in zip(sums, terms_of(x, dy, m, v)):
        for value, row in zip(found, terms):
            exact = sum(map(Fraction, row.tolist()))
            error = abs(exact - Fraction(float(value)))
            for neighbour in (np.nextafter(value, np.float32(-np.inf)), np.nextafter(value, np.float32(np.inf))):
                assert error <= abs(exact - Fraction(float(neighbour)))


def test_narrow_sources_are_widened_first(random):
    x, dy, m, v = layer_like(random)
    for dtype in ("bf16", "fp16", "fp8_e4m3"):
        narrow = [dve.from_fp32(array, dtype) for array in (x, dy)]
        wide = [dve.to_fp32(array, dtype) for array in narrow]
        for found, expected in zip(dve.grad_accumulate(*narrow, m, v, dtype=dtype), dve.grad_accumulate(*wide, m, v)):
            same_bits(found, expected)


def test_axes_before_the_last_are_channels(random):
    x, dy, m, v = layer_like(random, channels=6)
    flat = dve.grad_accumulate(x, dy, m, v)
    grid = dve.grad_accumulate(x.reshape(2, 3, -1), dy.reshape(2, 3, -1), m.reshape(2, 3), v.reshape(2, 3))
    one = dve.grad_accumulate(x[4], dy[4], m[4], v[4])
    for sums, in_grid, alone in zip(flat, grid, one):
        same_bits(in_grid, sums.reshape(2, 3))
        same_bits(alone, sums[4])
    empty = dve.grad_accumulate(np.zeros((3, 0), np.float32), np.zeros((3, 0), np.float32), 0.0, 1.0)
    same_bits(empty.d_beta, np.zeros(3, np.float32))


# --- Input gradient ---


def test_staged_form(random):
    x, dy, m, v = layer_like(random)
    a, b, c = (random.standard_normal(5).astype(np.float32) for _ in range(3))
    n = np.float32(x.shape[1])
    expected = (dy * n - ((x - m[:, None]) * c[:, None] + b[:, None])) * a[:, None]
    same_bits(dve.back_propagate(x, dy, m, a, b, c), expected)
    same_bits(dve.back_propagate(x, dy, m, a, b, c, out_dtype="fp16"), expected.astype(np.float16))


@pytest.mark.parametrize("n", [200, 256, 300])
@pytest.mark.parametrize("source", ["ofmap", "x_norm"])
def test_textbook_form(random, n, source):
    x, dy, m, v = layer_like(random, n=n)
    a, b, c = (random.standard_normal(5).astype(np.float32)[:, None] for _ in range(3))
    xn = x if source == "x_norm" else (x - m[:, None]) * v[:, None]
    expected = (a * (np.float32(1) / np.float32(n))) * ((dy * np.float32(n) - b) - xn * c)
    found = dve.back_propagate(
        x, dy, m, a[:, 0], b[:, 0], c[:, 0], inv_std=v, backprop_form="textbook", src0_is=source
    )
    same_bits(found, expected)


def test_element_count_may_be_that_of_the_whole_batch(random):
    x, dy, m, v = layer_like(random)
    expected = (dy * np.float32(99999) - ((x - m[:, None]) * np.float32(0.5) + np.float32(2))) * np.float32(3)
    same_bits(dve.back_propagate(x, dy, m, 3.0, 2.0, 0.5, element_count=99999), expected)


# --- Statistics ---


def welford(stream):
    mean, nvar = np.float32(0), np.float32(0)
    for k, x in enumerate(stream, 1):
        r = np.float32(1 / k)
        new = (np.float32(1) - r) * mean + r * x
        nvar = nvar + (x - new) * (x - mean)
        mean = new
    return [np.float32(len(stream)), mean, nvar]


def test_stats2_is_welford_of_both_halves(random):
    x = (random.standard_normal((3, 701)) + 5).astype(np.float32)
    expected = np.array([[welford(row[0::2]), welford(row[1::2])] for row in x], np.float32)
    same_bits(dve.stats2(x), expected)


def test_aggregate_merges_in_order(random):
    triples = np.stack([random.randint(1, 500, (2, 7)), random.standard_normal((2, 7)), random.uniform(0, 9, (2, 7))], -1)
    triples = triples.astype(np.float32)
    found = dve.aggregate(triples)
    for row, (mean, variance) in zip(triples, zip(*found)):
        n = m = var = np.float32(0)
        for count, its_mean, its_nvar in row:
            r, d = np.float32(1) / (count + n), m - its_mean
            m = (m * n + count * its_mean) * r
            var = (var * n + its_nvar) * r + ((((count * n) * d) * d) * r) * r
            n = count + n
        assert (mean, variance) == (m, var)


# Those that binary32 in the documented order gets right; tb/unit/numerics/edge_cases_test.cpp holds what becomes of all.
@pytest.mark.parametrize(
    "name", ["constant_100_n9", "bf16_mean5_std_0p08", "three_elements", "inf_odd_only", "merge_large_offset"]
)
def test_published_edge_cases(data, name):
    cases = json.loads((data / "cases" / "edge_numeric.json").read_text())["cases"]
    [case] = [case for case in cases if case["id"] == name]
    values = np.array(case["inputs"].get("x", case["inputs"].get("parts")), np.float64).astype(np.float32)
    found = dve.aggregate(dve.stats2(values) if case["op"] == "stats" else values)
    for value, key in zip(found, ("mean", "var")):
        np.testing.assert_allclose(value, float(case["expected"][key]), rtol=case.get("rtol_model", 1e-6))


def test_statistics_of_real_layers(layer):
    _, arrays = layer
    mean, variance = dve.aggregate(dve.stats2(arrays["x"]))
    np.testing.assert_allclose(mean, arrays["x"].mean(axis=1, dtype=np.float64), atol=2e-6)
    np.testing.assert_allclose(variance, arrays["x"].var(axis=1, dtype=np.float64), rtol=2e-5)


# --- A layer's backward pass ---


def test_backward_pass_agrees_with_float64(layer):
    _, a = layer
    dx, dgamma, dbeta = dve.batch_norm_backward(a["x"], a["dy"], a["gamma"], a["mean"], a["inv_std"])
    terms = np.abs(a["dy"] * (a["x"] - a["mean"][:, None]) * a["inv_std"][:, None]).sum(axis=1, dtype=np.float64)
    assert np.all(np.abs(dgamma - a["dgamma64"]) <= 2e-6 * terms)
    assert np.all(np.abs(dbeta - a["dbeta64"]) <= 2e-6 * np.abs(a["dy"]).sum(axis=1, dtype=np.float64))
    assert np.abs(dx - a["dx64"]).max() <= 2e-6 * np.abs(a["dx64"]).max()


@pytest.mark.parametrize("dtype", ["fp32", "bf16", "fp16"])
@pytest.mark.parametrize("accumulator", ["sequential", "wide"])
def test_the_simulator_computes_the_same_bits(layer, dtype, accumulator):
    folder, a = layer
    x, dy = (dve.from_fp32(a[name], dtype) for name in ("x", "dy"))
    dx, dgamma, dbeta = dve.batch_norm_backward(
        x, dy, a["gamma"], a["mean"], a["inv_std"], dtype=dtype, accumulator=accumulator
    )
    run = dve.run(folder, dtype=dtype, set={"numerics.accumulator": accumulator})
    np.testing.assert_array_equal(run.dx.view(STORED[dtype]), dx.view(STORED[dtype]))
    same_bits(run.dgamma, dgamma)
    same_bits(run.dbeta, dbeta)


# --- Surroundings and mistakes ---


def test_rounding_mode_of_the_caller_does_not_matter(random):
    x, dy, m, v = layer_like(random)
    usual = dve.grad_accumulate(x, dy, m, v)
    libm = ctypes.CDLL("libm.so.6")
    before = libm.fegetround()
    upward = 0x800 if before == 0 and ctypes.sizeof(ctypes.c_void_p) == 8 else None
    assert upward is not None and libm.fesetround(upward) == 0
    try:
        other = dve.grad_accumulate(x, dy, m, v)
        assert libm.fegetround() == upward
    finally:
        libm.fesetround(before)
    for a, b in zip(usual, other):
        same_bits(a, b)


ROW = np.zeros((2, 4), np.float32)


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: dve.to_fp32(np.zeros(3)), TypeError, "stored is float64, expected float32"),
        (lambda: dve.to_fp32(np.zeros(3, np.uint16)), TypeError, "bits and a dtype"),
        (lambda: dve.to_fp32(np.zeros(3, np.uint8), "bf16"), TypeError, "stored is uint8, expected uint16 for dtype bf16"),
        (lambda: dve.to_fp32(ROW, "fp64"), ValueError, "dtype is 'fp64', expected one of fp32, "),
        (lambda: dve.from_fp32(np.zeros(3), "bf16"), TypeError, "values is float64, expected float32"),
        (lambda: dve.grad_accumulate(ROW, ROW[:1], 0.0, 1.0), ValueError, "dy has shape (1, 4), expected (2, 4) as x"),
        (lambda: dve.grad_accumulate(ROW, ROW, np.zeros(3, np.float32), 1.0), ValueError, "mean has shape (3,)"),
        (lambda: dve.grad_accumulate(np.float32(1), ROW, 0.0, 1.0), ValueError, "x is a number"),
        (lambda: dve.grad_accumulate(ROW, ROW, 0.0, 1.0, acumulator="wide"), ValueError, "numerics.acumulator"),
        (lambda: dve.grad_accumulate(ROW, ROW, 0.0, 1.0, accumulator="narrow"), ValueError, "one of sequential, wide"),
        (lambda: dve.aggregate(ROW), ValueError, "triples has shape (2, 4), expected [..., t, 3]"),
        (lambda: dve.back_propagate(ROW, ROW, 0.0, 1.0, 0.0, 0.0, backprop_form="textbook"), ValueError, "inv_std"),
        (lambda: dve.batch_norm_backward(ROW, ROW, 1.0, 0.0, 1.0, backprop_form="textbook"), ValueError, "backprop_form"),
    ],
)
def test_mistakes_are_named(call, error, text):
    with pytest.raises(error) as raised:
        call()
    assert text in str(raised.value)


def test_switches_are_those_of_the_configuration():
    names = dve.switches()
    assert {"dst_order", "product_order", "accumulator", "e4m3_variant", "fp32r_mantissa"} <= set(names)
    assert names["fp32r_mantissa"][1] == "13"
    rounded = dve.from_fp32(np.float32([1 + 2.0**-5]), "fp32r", fp32r_mantissa=4)
    np.testing.assert_array_equal(rounded, np.float32([1]))
