"""dve.run and dve.sweep: what dve-sim does, as Python objects; its errors as exceptions."""

import json
import subprocess
import sys

import numpy as np
import pandas
import pytest

import dve
from dve import process


# --- Runs ---


def test_a_run_is_that_of_the_program(layer, tmp_path):
    folder, _ = layer
    run = dve.run(folder, dtype="bf16", config="sunda", set={"place.x": "psum", "dmi": False}, microbatches=2)
    arguments = "--dtype bf16 --config sunda --set place.x=psum --set dmi=false --microbatches 2".split()
    subprocess.run([dve.simulator(), "run", folder, *arguments, "--out", tmp_path, "--quiet"], check=True)
    assert run.report == json.loads((tmp_path / "report.json").read_text())
    assert run.status == "ok" and run.cycles == run.report["cycles"] and run.time_ns == run.report["time_ns"]
    for name in ("dx", "dgamma", "dbeta"):
        np.testing.assert_array_equal(run.arrays[name], np.load(tmp_path / f"{name}.npy"))
    assert run.dx.dtype == np.uint16


def test_arrays_are_a_layer(layer):
    folder, arrays = layer
    from_arrays, from_folder = dve.run(arrays), dve.run(folder)
    assert from_arrays.report == from_folder.report
    np.testing.assert_array_equal(from_arrays.dx, from_folder.dx)
    given = {name: arrays[name] for name in ("gamma", "mean", "inv_std")}
    bits = {**given, "x": dve.from_fp32(arrays["x"], "bf16"), "dy": dve.from_fp32(arrays["dy"], "bf16")}
    np.testing.assert_array_equal(dve.run(bits).dx, dve.run(folder, dtype="bf16").dx)


def test_a_layer_of_one_channel_against_float64():
    x, dy = np.float32([[1, 2, 3, 6]]), np.float32([[0.5, -1, 2, 0.25]])
    run = dve.run({"x": x, "dy": dy, "gamma": np.float32([2]), "beta": np.float32([1])}, step="full")
    v = 1 / np.sqrt(x.var() + 1e-5)
    xn = (x - x.mean()) * v
    np.testing.assert_allclose(run.dgamma, (dy * xn).sum(1), rtol=1e-5)
    np.testing.assert_allclose(run.dbeta, dy.sum(1), rtol=1e-6)
    np.testing.assert_allclose(run.dx, 2 * v * (dy - dy.mean() - xn * (dy * xn).mean()), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(run.arrays["y"], 2 * xn + 1, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(run.arrays["mean"], [3.0])


def test_tables_of_a_run():
    run = dve.run(step="full")
    engines = run.engines().to_pandas().set_index("engine")
    assert set(engines.index) >= {"dve", "pool", "act"}
    buckets = engines.drop(columns="cycles")
    assert (buckets.loc["dve"].sum()) == engines.loc["dve", "cycles"]
    opcodes = run.opcodes().to_pandas().set_index("opcode")["count"]
    assert opcodes.sum() == run.report["instructions"] and opcodes["batch_norm_back_prop"] >= 1
    compare = run.compare().to_pandas()
    assert list(compare["mismatches"]) == [0] * len(compare) and "dx_device64" in set(compare["tensor"])
    assert run.ports().to_pandas()["read_bytes"].sum() > 0
    assert run.layers() == []


def test_a_network_has_a_row_a_layer():
    run = dve.run("resnet_18", no_data=True, config="mariana")
    layers = run.layers().to_pandas()
    assert len(layers) == len(run.report["layers"]) and run.arrays == {}
    assert (layers["cycles"] * layers["repeat"]).sum() == run.cycles
    assert layers["c"].max() == 512 and set(layers["status"]) == {"ok"}


def test_an_untimed_run_has_no_cycles():
    run = dve.run(abstraction="functional")
    assert run.cycles is None and run.time_ns == 0 and run.status == "ok"


def test_what_the_program_says_of_a_good_end_becomes_warnings(tmp_path):
    program = tmp_path / "p.dasm"
    program.write_text("batch_norm_stats2 src=sbuf[0]+0x0:fp32{64} dst=sbuf[0]+0x400:fp32{6} channels=40\n")
    with pytest.raises(dve.Fault):
        process.call(["exec", str(program)])
    with pytest.warns(RuntimeWarning, match="batch_norm_stats2"):
        assert process.call(["exec", str(program), "--set=seq.legality=relaxed"]) == 0


# --- Errors, each with its exit code ---


def wrong_reference(arrays):
    return {**arrays, "dx64": arrays["dx64"] + 1}


def test_a_failed_comparison_still_has_its_results(layer):
    _, arrays = layer
    with pytest.raises(dve.CompareFailed) as raised:
        dve.run(wrong_reference(arrays))
    assert raised.value.exit_code == 1 and "dx64 (" in str(raised.value)
    assert raised.value.run.status == "compare_failed"
    np.testing.assert_array_equal(raised.value.run.dx, dve.run(arrays).dx)


@pytest.mark.parametrize(
    "options, error, code, text",
    [
        ({"abstraction": "functional", "no_data": True}, dve.UsageError, 2, "--no-data leaves nothing"),
        ({"microbatches": 0}, dve.UsageError, 2, "--microbatches is '0'"),
        ({"layer": "/no/such/folder"}, dve.InputError, 3, "/no/such/folder"),
        ({"layer": {"x": np.zeros((2, 4), np.float32)}}, dve.InputError, 3, "dy.npy"),
        ({"set": {"place.z": "sbuf"}}, dve.InputError, 3, "the nearest is place."),
        ({"config": "no.json"}, dve.InputError, 3, "no.json"),
        ({"max_cycles": 100}, dve.Deadlock, 5, "max-cycles"),
        ({"out": "/proc/nowhere"}, dve.OutputError, 6, "/proc/nowhere"),
    ],
)
def test_errors_carry_message_and_code(options, error, code, text):
    with pytest.raises(error) as raised:
        dve.run(**options)
    assert raised.value.exit_code == code and text in str(raised.value)
    assert not str(raised.value).startswith("dve-sim")
    assert isinstance(raised.value, dve.SimulatorError)


def test_what_a_run_left_behind_comes_with_the_error():
    with pytest.raises(dve.Deadlock) as raised:
        dve.run(max_cycles=100)
    assert raised.value.run.status == "timeout"


def test_a_fault_names_its_word():
    statistics = {"mean": np.zeros(2, np.float32), "inv_std": np.ones(2, np.float32)}
    overflow_and_invalid = np.float32([[3e38, 3e38], [np.inf, -np.inf]])
    layer = {"x": np.ones((2, 2), np.float32), "dy": overflow_and_invalid, "gamma": np.ones(2, np.float32), **statistics}
    with pytest.raises(dve.Fault, match="fp_status_several") as raised:
        dve.run(layer, set={"seq.fp_status": "firmware"})
    assert raised.value.exit_code == 4
    assert raised.value.run.report["faults"][0]["engine"] == "dve"


def test_names_of_arrays_are_checked():
    with pytest.raises(ValueError, match="'X', expected names from beta, dbeta"):
        dve.run({"X": np.zeros((2, 4), np.float32)})


# --- Finding the program ---


def test_the_program_of_the_environment_comes_first(monkeypatch, tmp_path):
    usual = dve.simulator()
    assert usual.parent.name == "bin"
    (tmp_path / "other").symlink_to(usual)
    monkeypatch.setenv("DVE_SIM", str(tmp_path / "other"))
    assert dve.simulator() == tmp_path / "other" and dve.run(no_data=True).status == "ok"
    monkeypatch.setenv("DVE_SIM", str(tmp_path / "none"))
    with pytest.raises(dve.SimulatorNotFound, match="DVE_SIM is "):
        dve.run()


def test_an_installed_package_finds_the_program_of_its_prefix(tmp_path):
    build = dve.simulator().parents[1]
    subprocess.run(["cmake", "--install", build, "--prefix", tmp_path], check=True, capture_output=True)
    environment = {"PYTHONPATH": str(tmp_path / "lib" / "python3" / "dist-packages")}
    code = "import dve; print(dve.simulator()); print(dve.run().status); print(dve.check('nop', config='sunda'))"
    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, cwd="/", env=environment)
    assert done.stdout.splitlines() == [str(tmp_path / "bin" / "dve-sim"), "ok", "[]"], done.stderr


# --- Sweeps ---

SPEC = {
    "base": {"no_data": True, "set": {"place.dx": "sbuf"}},
    "axes": {"place.x": ["sbuf", "psum"], "timing.dve.clock_mhz": [960, 1200.5], "dmi": [True]},
}


def test_a_sweep_is_that_of_the_program(tmp_path):
    file = tmp_path / "sweep.json"
    file.write_text(json.dumps({"schema": 1, "mode": "product", **SPEC}))
    subprocess.run([dve.simulator(), "sweep", file, "--out", tmp_path / "out", "--quiet"], check=True)
    expected = pandas.read_csv(tmp_path / "out" / "sweep.csv", keep_default_na=False)
    for table in (dve.sweep(SPEC), dve.sweep(file), dve.sweep(file, jobs=1)):
        frame = table.to_pandas()
        assert list(frame.columns) == list(expected.columns)
        for name in ("point", "status", "place.x", "timing.dve.clock_mhz", "dmi", "cycles", "time_ns", "bottleneck"):
            assert list(frame[name]) == list(expected[name]), name
        assert table.failed() == [] and len(table.ok()) == 4


def test_arrays_can_be_swept(layer):
    folder, arrays = layer
    axes = {"dtype": ["fp32", "bf16"], "microbatches": np.array([1, 2])}
    assert dve.sweep({"base": {"layer": arrays}, "axes": axes}) == dve.sweep({"base": {"layer": folder}, "axes": axes})


def test_points_that_fail_are_rows():
    table = dve.sweep({"base": {"no_data": True}, "axes": {"max_cycles": [10, 100000]}})
    assert [row["status"] for row in table] == ["timeout", "ok"]
    assert [row["max_cycles"] for row in table.failed()] == [10] and table.failed()[0]["reason"]


def test_a_sweep_goes_on_in_its_folder(tmp_path):
    first = dve.sweep(SPEC, out=tmp_path)
    (tmp_path / "points" / "2" / "report.json").unlink(missing_ok=True)
    assert dve.sweep(SPEC, out=tmp_path, resume=True) == first
    with pytest.raises(dve.SimulatorError):
        dve.sweep({**SPEC, "axes": {"dmi": [False]}}, out=tmp_path, resume=True)


def test_mistakes_in_a_sweep():
    with pytest.raises(dve.InputError, match="axes.place.x"):
        dve.sweep({"axes": {"place.x": ["nowhere"]}})
    with pytest.raises(TypeError, match="which a sweep file cannot hold"):
        dve.sweep({"axes": {"place.x": [object()]}})
    with pytest.raises(ValueError, match="expected names from"):
        dve.sweep({"base": {"layer": {"z": np.zeros(1)}}, "axes": {"dmi": [True]}})


# --- Tables ---


def test_tables_become_data_frames():
    table = dve.Table([{"a": 1, "b": "x"}, {"a": 2, "b": None}])
    assert table.columns() == {"a": [1, 2], "b": ["x", None]}
    assert table.select("b") == [{"b": "x"}, {"b": None}]
    assert table.to_pandas()["a"].dtype == np.int64
    assert table.text() == "a  b\n1  x\n2"
    assert dve.Table().columns() == {} and dve.Table().text() == ""
