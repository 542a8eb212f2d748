"""dve-tlm in Python: the golden arithmetic on numpy arrays, programs of instruction words, runs and sweeps.

Arithmetic (the code that the model executes, bit for bit)
    to_fp32, from_fp32, grad_accumulate, back_propagate, stats2, aggregate, batch_norm_backward, switches
Programs
    assemble, disassemble, check, read_program
Simulation (starts the program dve-sim)
    run, sweep

>>> import dve
>>> dve.run(no_data=True).cycles
2499
"""

from ._core import version as __version__
from .arithmetic import (
    GradSums,
    MeanVariance,
    aggregate,
    back_propagate,
    batch_norm_backward,
    from_fp32,
    grad_accumulate,
    stats2,
    switches,
    to_fp32,
)
from .programs import AssemblyError, Finding, Program, assemble, check, disassemble, read_program
from .runs import Run, run
from .process import (
    CompareFailed,
    Deadlock,
    Fault,
    InputError,
    InternalError,
    OutputError,
    SimulatorError,
    SimulatorNotFound,
    UsageError,
    simulator,
)
from .sweeps import Sweep, sweep
from .table import Table

__all__ = [
    "AssemblyError",
    "CompareFailed",
    "Deadlock",
    "Fault",
    "Finding",
    "GradSums",
    "InputError",
    "InternalError",
    "MeanVariance",
    "OutputError",
    "Program",
    "Run",
    "SimulatorError",
    "SimulatorNotFound",
    "Sweep",
    "Table",
    "UsageError",
    "__version__",
    "aggregate",
    "assemble",
    "back_propagate",
    "batch_norm_backward",
    "check",
    "disassemble",
    "from_fp32",
    "grad_accumulate",
    "read_program",
    "run",
    "simulator",
    "stats2",
    "sweep",
    "switches",
    "to_fp32",
]
