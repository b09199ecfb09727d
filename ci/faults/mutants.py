# SPDX-License-Identifier: Apache-2.0
"""Mutants of Verilog: where, what stood there, what is put there; and one design that holds them all.

In the design that holds all, each changed expression is a choice by the number of the mutant that is switched
on (``+mutant=N``), so that one compilation serves every mutant.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pyslang.syntax import SyntaxNode, SyntaxTree

from ci.faults import changes, elaborated
from configs import UserError

NUMBER = "mutant_number"


@dataclass(frozen=True)
class Mutant:
    """Number ``id`` (from 1 on): in ``file`` at ``line``, ``before`` becomes ``after``; ``kind`` in words."""

    id: int
    file: str
    line: int
    kind: str
    before: str
    after: str
    start: int  # characters of the file's text that are replaced
    end: int
    statement: bool = False
    initial: bool = False  # in an initial block

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}: {self.before}  ->  {' '.join(self.after.split())}"

    def apply(self, text: str) -> str:
        """The file with this mutant alone."""
        after = f"begin {self.after} end" if self.statement else f"({self.after})"
        return text[: self.start] + after + text[self.end :]


def find(files: Mapping[str, str]) -> list[Mutant]:
    """All mutants of Verilog files, in the order of their places. Raises :class:`UserError`."""
    trees = {name: SyntaxTree.fromText(text, name) for name, text in files.items() if name.endswith(".v")}
    for name, tree in trees.items():
        errors = [diagnostic for diagnostic in tree.diagnostics if diagnostic.isError()]
        if errors:
            raise UserError(f"{name}: not Verilog that can be read: {errors[0].code}")
    by_file = elaborated.changes(files, trees.values())
    mutants: list[Mutant] = []
    for name, tree in trees.items():
        text, initial = files[name], list(_initial(tree.root))
        # the same change under two names is one: that of the bug, if it has one
        every = [*by_file.get(name, ()), *changes.changes(text, tree.root)]
        unique = {
            (change.start, change.end, " ".join(change.after.split())): change for change in reversed(every)
        }
        for change in sorted(unique.values(), key=lambda change: (change.start, change.end, change.after)):
            line = text.count("\n", 0, change.start) + 1
            before = " ".join(text[change.start : change.end].split())
            begins = any(first <= change.start < last for first, last in initial)
            mutants.append(
                Mutant(
                    len(mutants) + 1, name, line, change.kind, before, change.after,
                    change.start, change.end, change.statement, begins,
                )
            )  # fmt: skip
    return mutants


def _initial(node: Any) -> Iterator[tuple[int, int]]:
    """Where initial blocks are, and declarations, which may give a first value."""
    if node.kind.name in ("InitialBlock", "DataDeclaration"):
        yield node.sourceRange.start.offset, node.sourceRange.end.offset
        return
    for child in node:
        if isinstance(child, SyntaxNode):
            yield from _initial(child)


def combine(files: Mapping[str, str], mutants: list[Mutant], top: str) -> dict[str, str]:
    """The design with all ``mutants`` in it; none is switched on without ``+mutant=N``."""
    result = dict(files)
    for name in {mutant.file for mutant in mutants}:
        own = [mutant for mutant in mutants if mutant.file == name]
        result[name] = _choices(files[name], own, f"{top}.{NUMBER}")
    name = f"{top}.v"
    head = re.search(rf"module {top} \(.*?\n\);\n", result[name], re.DOTALL)
    assert head, f"{name}: no module {top}"
    switch = (
        f"    reg [31:0] {NUMBER} /* verilator public_flat_rw */;\n"
        f'    initial if (!$value$plusargs("mutant=%d", {NUMBER})) {NUMBER} = 32\'d0;\n'
    )
    result[name] = result[name][: head.end()] + switch + result[name][head.end() :]
    return result


def _choices(text: str, mutants: list[Mutant], number: str) -> str:
    """``text`` with every mutated range turned into a choice, inner ranges first."""
    ranges: dict[tuple[int, int], list[Mutant]] = {}
    for mutant in mutants:
        ranges.setdefault((mutant.start, mutant.end), []).append(mutant)
    order = sorted(ranges, key=lambda span: (span[0], -span[1]))

    def build(start: int, end: int, inside: list[tuple[int, int]]) -> str:
        parts, at = [], start
        while inside:
            first = inside[0]
            within = [span for span in inside[1:] if span[1] <= first[1]]
            inside = inside[1 + len(within) :]
            parts += [text[at : first[0]], choice(first, build(*first, within))]
            at = first[1]
        return "".join([*parts, text[at:end]])

    def choice(place: tuple[int, int], inner: str) -> str:
        for mutant in ranges[place]:
            if mutant.statement:
                either = f"if ({number} == 32'd{mutant.id}) begin {mutant.after} end else begin {inner} end"
                inner = f"begin {either} end"
            else:
                inner = f"(({number} == 32'd{mutant.id}) ? ({mutant.after}) : ({inner}))"
        return inner

    return build(0, len(text), order)
