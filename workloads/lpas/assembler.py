# SPDX-License-Identifier: Apache-2.0
"""Assembly of the PEs of ``lpas``: ``label:``, ``NAME = constant``, instructions, directives, ``; comment``.

==========================  =====================================================================
``.pes N``                  the program needs so many PEs
``.word ADDRESS, N, ...``   words of memory before the run; all others are 0
``.image ADDRESS [, tiled]`` 64 x 64 grey pixels, a word each: row by row, or each PE's four rows in
                            the lines of its own cache
``.result ADDRESS, N``      words to show after the run
``.phase NAME``             from here on the last PE is in that phase
``.limit N``                the cycles that it may take, else LIMIT
==========================  =====================================================================
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from utils.errors import shortened
from utils.files import is_file
from workloads.lpas import isa
from workloads.lpas.expressions import evaluate

NAME = re.compile(r"[A-Za-z_]\w*")
REGISTER = re.compile(r"[rR](\d+)")
ROWS, TILED = "rows", "tiled"
IMAGE_WORDS = 64 * 64  # from an image's address on, in either layout
LIMIT = 10_000_000  # cycles that a program may take
#: operands at least and at most
DIRECTIVES = {
    ".pes": (1, 1), ".word": (2, 1 << 16), ".image": (1, 2), ".result": (2, 2), ".phase": (1, 1),
    ".limit": (1, 1),
}  # fmt: skip


@dataclass(frozen=True)
class Place:
    """Where the image goes: word address, and ROWS or TILED."""

    address: int
    layout: str


@dataclass
class Program:
    """``code`` INSTRUCTION [n], ``lines`` [n] of its text; what the directives say."""

    name: str
    code: NDArray[Any] = field(default_factory=lambda: np.zeros(0, isa.INSTRUCTION))
    lines: list[int] = field(default_factory=list)
    words: dict[int, int] = field(default_factory=dict)
    pes: int | None = None
    limit: int = LIMIT
    image: Place | None = None
    result: tuple[int, int] | None = None
    phases: list[tuple[str, int]] = field(default_factory=list)  # name, number of the first instruction
    reaches: list[tuple[int, str, int]] = field(default_factory=list)  # line, directive, its last word
    text: str = ""

    def where(self, pc: int) -> tuple[str, str]:
        """An instruction's place, and its text; the last one's of what is behind it."""
        line = self.lines[min(pc, len(self.lines) - 1)]
        return f"{self.name}:{line}", self.text.splitlines()[line - 1].split(";")[0].strip()


def read_program(path: Path) -> Program:
    """The program of a file. Raises :class:`UserError`, with file and line."""
    if not is_file(path):
        raise UserError(f"program {path}: no such file")
    try:
        return assemble(path.read_text(), str(path))
    except UnicodeDecodeError:
        raise UserError(f"program {path}: is no text") from None


def assemble(text: str, name: str) -> Program:
    """Instructions of ``text``. Raises :class:`UserError`, with ``name`` and line."""
    assembler = _Assembler(name)
    statements = list(assembler.statements(text))
    for line, statement in statements:
        assembler.at(line, assembler.translate, statement)
    if not assembler.rows:
        raise UserError(f"{name}: no instruction")
    assembler.program.code, assembler.program.text = np.array(assembler.rows, isa.INSTRUCTION), text
    return assembler.program


class _Assembler:
    """Two passes: the first finds labels and names, the second translates."""

    def __init__(self, name: str) -> None:
        self.program, self.rows, self._line = Program(name), list[Any](), 0
        self._names: dict[str, int] = {}
        self._labels: dict[str, int] = {}

    def at(self, line: int, action: Any, *arguments: Any) -> Any:
        """Do it; what is wrong is of this line."""
        self._line = line
        try:
            return action(*arguments)
        except ValueError as error:
            raise UserError(f"{self.program.name}:{line}: {shortened(str(error), 200)}") from None

    def statements(self, text: str) -> Iterator[tuple[int, str]]:
        """Instructions and directives with their lines; labels and names are noted."""
        count = 0
        for line, whole in enumerate(text.splitlines(), 1):
            rest = whole.split(";")[0].strip()
            while match := re.match(r"([A-Za-z_]\w*)\s*:", rest):
                self.at(line, self._define, self._labels, match[1], count)
                rest = rest[match.end() :].strip()
            if match := re.fullmatch(r"([A-Za-z_]\w*)\s*=(.+)", rest):
                value = self.at(line, evaluate, match[2], self._names)
                self.at(line, self._define, self._names, match[1], value)
            elif rest:
                count += not rest.startswith(".")
                self.program.lines += [line] * (not rest.startswith("."))
                yield line, rest

    def _define(self, table: dict[str, int], name: str, value: int) -> None:
        if name in self._names or name in self._labels:
            raise ValueError(f"'{name}' is there twice")
        if REGISTER.fullmatch(name) or name.upper() in isa.FORMS:
            raise ValueError(f"'{name}' is a register or an instruction")
        table[name] = value

    def translate(self, statement: str) -> None:
        """An instruction or a directive. Raises ValueError."""
        word, rest = [*statement.split(None, 1), ""][:2]
        operands = [part.strip() for part in rest.split(",")] if rest else []
        if word.startswith("."):
            self._directive(word, operands)
            return
        form = isa.FORMS.get(word.upper())
        if form is None:
            raise ValueError(f"unknown instruction '{word}'")
        if len(operands) != len(form.operands):
            raise ValueError(f"{word.upper()} has {len(form.operands)} operands, not {len(operands)}")
        fields: dict[str, int] = {}
        for kind, operand in zip(form.operands, operands, strict=True):
            fields |= self._operand(kind, operand)
        if word.upper() == "ST" or word.upper() == "STM":  # a register b is the word, a the address
            fields["d"] = fields.pop("constant", 0)
        elif "constant" in fields:
            fields["value"] = fields.pop("constant")
        self.rows.append(isa.instruction(isa.NAMES.index(word.upper()), **fields))

    def _operand(self, kind: str, text: str) -> dict[str, int]:
        """Fields of an instruction."""
        register = REGISTER.fullmatch(text)
        if kind in "da":
            return {kind: self._register(text)}
        if kind == "b" and register:
            return {"b": self._register(text)}
        if kind == "t":
            if text not in self._labels:
                raise ValueError(f"unknown label '{text}'")
            return {"target": self._labels[text]}
        return self._address(text) if kind == "m" else {"constant": self._word(text)}

    def _register(self, text: str) -> int:
        match = REGISTER.fullmatch(text)
        if not match or int(match[1]) >= isa.REGISTERS:
            raise ValueError(f"'{text}' is no register: r0 to r{isa.REGISTERS - 1}")
        return int(match[1])

    def _address(self, text: str) -> dict[str, int]:
        match = re.fullmatch(r"\[\s*(?:([rR]\d+)\s*(?=[-+\]])\+?)?(.*)\]", text)
        if not match or not (match[1] or match[2].strip()):
            raise ValueError(f"'{text}' is no address: [r1], [r1 + 5] or [5]")
        offset = self._word(match[2]) if match[2].strip() else 0
        return {"value": offset} | ({"a": self._register(match[1])} if match[1] else {})

    def _word(self, text: str) -> int:
        value = evaluate(text, self._names)
        if not -(1 << 15) <= value <= isa.MASK:
            raise ValueError(f"{text.strip()} is {value}, which 16 bits cannot hold")
        return value & isa.MASK

    def _directive(self, word: str, operands: list[str]) -> None:
        program = self.program
        if word not in DIRECTIVES:
            raise ValueError(f"unknown directive '{word}': {', '.join(DIRECTIVES)}")
        least, most = DIRECTIVES[word]
        if not least <= len(operands) <= most:
            raise ValueError(f"{word} has {least}{'' if most == least else ' or more'} operands")
        if word == ".phase":
            program.phases.append((operands[0], len(self.rows)))
            return
        if word == ".limit":
            program.limit = evaluate(operands[0], self._names)
            if program.limit < 1:
                raise ValueError(f"a program takes 1 cycle at least, not {program.limit}")
            return
        layout = operands.pop() if word == ".image" and len(operands) == 2 else ROWS
        if layout not in (ROWS, TILED):
            raise ValueError(f"an image is {ROWS} or {TILED}, not '{layout}'")
        values = [self._word(text) for text in operands]
        if word == ".pes":
            program.pes = values[0]
            return
        if word == ".word":
            program.words |= {values[0] + place: value for place, value in enumerate(values[1:])}
            count = len(values) - 1
        elif word == ".image":
            program.image, count = Place(values[0], layout), IMAGE_WORDS
        else:
            program.result = values[0], values[1]
            count = values[1]
        program.reaches.append((self._line, word, values[0] + count - 1))
