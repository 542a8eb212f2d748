"""The annotations are true: mypy finds nothing, and the stub of the extension module names what is there."""

import importlib.util
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import dve
from dve import _core

PACKAGE = Path(dve.__file__).parent


def tool(*arguments, cache):
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "MYPYPATH": str(PACKAGE.parent), "MYPY_CACHE_DIR": str(cache)}
    return subprocess.run([sys.executable, "-m", *map(str, arguments)], capture_output=True, text=True, env=environment, cwd=cache)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    assert importlib.util.find_spec("mypy"), "mypy is missing (scripts/setup.sh --python)"
    return tmp_path_factory.mktemp("mypy")


def test_the_package_is_typed(cache):
    done = tool("mypy", "--strict", "--ignore-missing-imports", "-p", "dve", cache=cache)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_is_that_of_the_module(cache):
    (cache / "mypy.ini").write_text("[mypy]\nignore_missing_imports = True\n")
    done = tool("mypy.stubtest", "--mypy-config-file", "mypy.ini", "dve._core", cache=cache)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_name_of_the_module_has_a_stub():
    names = {name for name, value in vars(_core).items() if not name.startswith("__")}
    stub = (PACKAGE / "_core.pyi").read_text()
    assert all(f"def {name}(" in stub or f"\n{name}: " in stub for name in names), names
    assert all(inspect.isbuiltin(getattr(_core, name)) for name in names - {"version"})
