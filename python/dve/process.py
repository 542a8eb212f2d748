"""Finding and calling dve-sim, and its errors as exceptions."""

from __future__ import annotations

import os
import shutil
import subprocess
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Sequence

if TYPE_CHECKING:
    from .runs import Run


class SimulatorNotFound(RuntimeError):
    """There is no program dve-sim."""


class SimulatorError(RuntimeError):
    """dve-sim ended with an error. The text is what it said.

    >>> try:
    ...     dve.run(set={"place.x": "nowhere"})
    ... except dve.SimulatorError as error:
    ...     print(error.exit_code, error)
    3 --set: place.x = nowhere: expected one of sbuf, psum, hbm
    """

    exit_code: int
    #: What a run left behind before it ended, when it got so far.
    run: "Run | None" = None

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class CompareFailed(SimulatorError):
    """Exit code 1: a result differs from a reference by more than its tolerance. ``run`` has the results."""


class UsageError(SimulatorError):
    """Exit code 2: options that do not go together."""


class InputError(SimulatorError):
    """Exit code 3: a configuration, layer, workload or sweep is wrong."""


class Fault(SimulatorError):
    """Exit code 4: an instruction faulted. ``run.report["faults"]`` names it."""


class Deadlock(SimulatorError):
    """Exit code 5: the program came to a standstill, or to max_cycles."""


class OutputError(SimulatorError):
    """Exit code 6: a file cannot be written."""


class InternalError(SimulatorError):
    """Exit code 70, or a signal: a bug of dve-sim, or no memory."""


_BY_CODE: dict[int, type[SimulatorError]] = {
    1: CompareFailed,
    2: UsageError,
    3: InputError,
    4: Fault,
    5: Deadlock,
    6: OutputError,
}


def simulator() -> Path:
    """The program that run and sweep start: environment variable DVE_SIM, else the one that was built or installed with the
    package, else the first in PATH. SimulatorNotFound when there is none.

    >>> dve.simulator().name
    'dve-sim'
    """
    chosen = os.environ.get("DVE_SIM")
    if chosen:
        if not os.access(chosen, os.X_OK):
            raise SimulatorNotFound(f"DVE_SIM is {chosen!r}, expected a program that can be executed")
        return Path(chosen)
    package = Path(__file__).absolute().parent
    # BUILD/python/dve and PREFIX/lib/python3/dist-packages/dve; neither a link of a source file is followed
    for beside in (package.parents[1] / "bin", package.parents[3] / "bin"):
        if os.access(beside / "dve-sim", os.X_OK):
            return beside / "dve-sim"
    found = shutil.which("dve-sim")
    if found is None:
        raise SimulatorNotFound(f"dve-sim is neither beside {package} nor in PATH; DVE_SIM can name it")
    return Path(found)


def call(arguments: Sequence[str]) -> int:
    """Runs dve-sim to its end. Returns 0, or 1 (comparison or points failed); other codes are exceptions. What it said of
    a run that ended well, such as rules broken in relaxed mode, becomes warnings."""
    done = subprocess.run([str(simulator()), *arguments], capture_output=True, text=True, errors="replace")
    if done.returncode == 0:
        for line in _lines(done.stderr):
            warnings.warn(line, RuntimeWarning, stacklevel=3)
    if done.returncode in (0, 1):
        return done.returncode
    if done.returncode in (130, -2):
        raise KeyboardInterrupt
    raise error_of(done.returncode, done.stderr)


def error_of(code: int, text: str) -> SimulatorError:
    """The exception for an exit code; its message is the error output without the program's name."""
    message = "\n".join(_lines(text)) or f"dve-sim ended with code {code} and said nothing"
    return _BY_CODE.get(code, InternalError)(message, code)


def _lines(text: str) -> list[str]:
    return [line.removeprefix("dve-sim: ") for line in text.splitlines() if not line.startswith("wall time")]


def option_texts(options: Mapping[str, Any]) -> list[str]:
    """Command-line words: True is a flag, None and False leave an option out."""
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words.append(f"{option}={value_text(value)}")
    return words


def set_texts(settings: Mapping[str, Any]) -> list[str]:
    """Configuration keys as --set words."""
    return [f"--set={key}={value_text(value)}" for key, value in settings.items()]


def value_text(value: Any) -> str:
    """A value as dve-sim reads it; numpy's numbers are those of Python."""
    value = value.item() if hasattr(value, "item") else value
    return str(value).lower() if isinstance(value, bool) else str(value)
