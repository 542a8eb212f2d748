"""The package documents itself: every name, with examples that run."""

import doctest
import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import dve

MODULES = [name for _, name, _ in pkgutil.iter_modules(dve.__path__) if name != "_core"]


@pytest.mark.parametrize("name", ["dve", *(f"dve.{module}" for module in MODULES)])
def test_examples_give_what_they_say(name):
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner()
    for example in doctest.DocTestFinder().find(module, name, globs={"dve": dve, "np": np}):
        runner.run(example)
    assert runner.failures == 0


def test_every_public_name_is_documented():
    for name in dve.__all__:
        if name != "__version__":
            assert inspect.getdoc(getattr(dve, name)), name


def test_functions_have_examples():
    functions = [name for name in dve.__all__ if inspect.isfunction(getattr(dve, name))]
    assert len(functions) >= 13
    for name in functions:
        if name != "read_program":  # needs a file
            assert ">>> " in getattr(dve, name).__doc__, name


def test_the_document_gives_what_it_says(source):
    results = doctest.testfile(str(source / "docs" / "python.md"), module_relative=False)
    assert results.attempted > 10 and results.failed == 0
