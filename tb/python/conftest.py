"""What the tests of the Python package share. They run against the package of the build: PYTHONPATH=BUILD/python."""

import os
from pathlib import Path

import numpy as np
import pytest

SOURCE = Path(__file__).resolve().parents[2]


@pytest.fixture
def source():
    return SOURCE


@pytest.fixture
def data():
    return SOURCE / "tb" / "data"


@pytest.fixture(params=["1", "4", "7", "10"])
def layer(request):
    """A layer of a real network: its folder and arrays."""
    folder = SOURCE / "tb" / "data" / "digits_cnn" / request.param
    return folder, {path.stem: np.load(path) for path in folder.glob("*.npy")}


@pytest.fixture
def random():
    return np.random.RandomState(int(os.environ.get("DVE_SEED", "1")))
