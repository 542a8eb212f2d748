"""Programs of 64-byte instruction words: text to words and back, and the rules that words break."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Union

import numpy as np
import numpy.typing as npt

from . import _core

WORD_BYTES = 64


class AssemblyError(ValueError):
    """Text that is no program. ``errors`` has (line, column, message) of each mistake; the text is one line each.

    >>> try:
    ...     dve.assemble("nop\\nnope")
    ... except dve.AssemblyError as error:
    ...     print(error.errors[0][:2])
    (2, 1)
    """

    def __init__(self, errors: list[tuple[int, int, str]]) -> None:
        super().__init__("\n".join(f"{line}:{column}: {message}" for line, column, message in errors))
        self.errors = errors


@dataclass(frozen=True)
class Finding:
    """A rule that a word breaks.

    word: its number in the program. engine: the one whose rules it was held to. byte, value: of the field in the word.
    explanation: what the rule protects. line: in the text, None for programs that have none. str() is what
    `dve-sim check` prints behind the place.
    """

    word: int
    engine: str
    mnemonic: str
    predicate: str
    field: str
    byte: int
    value: int
    expected: str
    explanation: str
    line: int | None
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Program:
    """Words, uint8 [n, 64]; the words of an engine follow each other, in the order dve, pool, act.

    engines: the engine of each word, empty when the program names none. lines: of the text, empty when there was none.
    generation: the device whose addresses the words hold.
    """

    words: npt.NDArray[np.uint8]
    generation: str = "cayman"
    engines: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.words)

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the words as `dve-sim exec` reads them (PROGRAM.bin)."""
        Path(path).write_bytes(self.words.tobytes())


def _as_program(program: Union[Program, npt.ArrayLike, bytes, str], generation: str) -> Program:
    if isinstance(program, Program):
        return program
    if isinstance(program, str):
        return assemble(program, generation)
    array = np.frombuffer(program, np.uint8) if isinstance(program, bytes) else np.asarray(program)
    if array.dtype != np.uint8 or array.size % WORD_BYTES != 0:
        raise ValueError(f"{array.size} elements of {array.dtype}, expected uint8 in words of {WORD_BYTES}")
    return Program(array.reshape(-1, WORD_BYTES), generation)


def assemble(text: str, generation: str = "cayman") -> Program:
    """Assembly text (docs/isa.md) to words.

    >>> program = dve.assemble("batch_norm_stats2 src=sbuf[0]+0x0:fp32{64} dst=sbuf[0]+0x400:fp32{6} channels=128")
    >>> program.words.shape, hex(program.words[0, 0])
    ((1, 64), '0x61')
    """
    words, engines, lines, errors = _core.assemble(text, generation)
    if errors:
        raise AssemblyError(errors)
    array = np.frombuffer(words, np.uint8).reshape(-1, WORD_BYTES)
    return Program(array, generation, tuple(engines), tuple(lines))


def read_program(path: "str | os.PathLike[str]", generation: str = "cayman") -> Program:
    """A binary program, or assembly text when the name ends in .dasm."""
    file = Path(path)
    if file.suffix == ".dasm":
        return assemble(file.read_text("latin-1"), generation)
    return _as_program(file.read_bytes(), generation)


def disassemble(program: Union[Program, npt.ArrayLike, bytes], generation: str = "cayman") -> str:
    """Words as assembly text, a line each, that assembles back to the same bytes.

    >>> print(dve.disassemble(dve.assemble("nop   # nothing")), end="")
    nop
    """
    source = _as_program(program, generation)
    lines: list[str] = []
    for number, text in enumerate(_core.disassemble(source.words.tobytes(), source.generation)):
        if source.engines and (number == 0 or source.engines[number] != source.engines[number - 1]):
            lines.append(f".engine {source.engines[number]}")
        lines.append(text)
    return "".join(line + "\n" for line in lines)


def check(
    program: Union[Program, npt.ArrayLike, bytes, str],
    generation: str = "cayman",
    *,
    config: "str | os.PathLike[str] | None" = None,
    set: Mapping[str, Any] | None = None,
) -> list[Finding]:
    """Every rule that a word of the program breaks, as `dve-sim check` finds them; an empty list: it is legal.

    A program is what assemble returned, its text, or words as bytes. generation: of a text or bare words; config: a preset
    or file in its place; set: configuration keys on top.

    >>> [finding] = dve.check("batch_norm_stats2 src=sbuf[0]+0x0:fp32{64} dst=sbuf[0]+0x400:fp32{5} channels=128")
    >>> finding.field, finding.value, finding.expected
    ('dst.num_elem', 5, 'a product of 6 for batch_norm_stats2')
    """
    source = _as_program(program, generation)
    device = source.generation if config is None else os.fspath(config)
    found = _core.check(source.words.tobytes(), list(source.engines), device, dict(set or {}))
    return [
        Finding(*fields[:9], source.lines[fields[0]] if source.lines else None, fields[9]) for fields in found
    ]
