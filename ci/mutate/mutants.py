# SPDX-License-Identifier: Apache-2.0
"""Mutants of Verilog: where, what stood there, what is put there; and one design that holds them all.

Expressions that carry values are changed, never geometry: parameters, ranges, selects, replication counts and
generate loops stay. In the design that holds all, each changed expression is a choice by the number of the
mutant that is switched on (``+mutant=N``), so that one compilation serves every mutant.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pyslang.syntax import SyntaxNode, SyntaxTree

from configs import UserError

NUMBER = "mutant_number"
SWAPS = {
    "BinaryAndExpression": "|", "BinaryOrExpression": "&", "BinaryXorExpression": "|",
    "LogicalAndExpression": "||", "LogicalOrExpression": "&&", "EqualityExpression": "!=",
    "InequalityExpression": "==", "LessThanExpression": "<=", "LessThanEqualExpression": "<",
    "GreaterThanExpression": ">=", "GreaterThanEqualExpression": ">", "AddExpression": "-",
    "SubtractExpression": "+", "MultiplyExpression": "+", "LogicalShiftLeftExpression": ">>",
    "LogicalShiftRightExpression": "<<",
}  # fmt: skip
DROPPED = {"UnaryLogicalNotExpression", "UnaryBitwiseNotExpression"}
REDUCTIONS = {"UnaryBitwiseAndExpression": "|", "UnaryBitwiseOrExpression": "&"}
GEOMETRY = {
    "ParameterDeclaration", "ParameterDeclarationStatement", "VariableDimension", "ElementSelect",
    "ParameterValueAssignment", "RangeDimensionSpecifier",
}  # fmt: skip
GENERATE = {"LoopGenerate", "IfGenerate"}  # geometry but for their blocks
_CONSTANT = re.compile(r"(\d+)'([dhb])([0-9a-fA-F]+)")


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
        after = self.after if self.statement else f"({self.after})"
        return text[: self.start] + after + text[self.end :]


def find(files: Mapping[str, str]) -> list[Mutant]:
    """All mutants of Verilog files, in the order of their places. Raises :class:`UserError`."""
    found: list[Mutant] = []
    for name, text in files.items():
        if not name.endswith(".v"):
            continue
        tree = SyntaxTree.fromText(text, name)
        errors = [one for one in tree.diagnostics if one.isError()]
        if errors:
            raise UserError(f"{name}: not Verilog that can be read: {errors[0].code}")
        initial = list(_initial(tree.root))
        places = sorted(_changes(text, tree.root), key=lambda one: (one[0], one[1], one[3]))
        for start, end, kind, after, statement in places:
            line = text.count("\n", 0, start) + 1
            before = " ".join(text[start:end].split())
            begins = any(first <= start < last for first, last in initial)
            found.append(
                Mutant(len(found) + 1, name, line, kind, before, after, start, end, statement, begins)
            )
    return found


def _initial(node: Any) -> Iterator[tuple[int, int]]:
    """Where initial blocks are, and declarations, which may give a first value."""
    if node.kind.name in ("InitialBlock", "DataDeclaration"):
        yield node.sourceRange.start.offset, node.sourceRange.end.offset
        return
    for child in node:
        if isinstance(child, SyntaxNode):
            yield from _initial(child)


Change = tuple[int, int, str, str, bool]


def _changes(text: str, node: Any) -> Iterator[Change]:
    """Places and texts; nothing from within geometry."""
    kind = node.kind.name
    if kind in GEOMETRY:
        return
    yield from _of(text, node, kind)
    for number, child in enumerate(node):
        bound = kind in GENERATE and child.kind.name not in ("GenerateBlock", "ElseClause")
        how_often = kind == "MultipleConcatenationExpression" and number <= 1
        if isinstance(child, SyntaxNode) and not bound and not how_often:
            yield from _changes(text, child)


def _of(text: str, node: Any, kind: str) -> Iterator[Change]:
    start, end = node.sourceRange.start.offset, node.sourceRange.end.offset
    if kind in SWAPS:
        left, right = (_text(text, side) for side in (node.left, node.right))
        yield start, end, "operator", f"({left}) {SWAPS[kind]} ({right})", False
    elif kind in DROPPED:
        yield start, end, "not", _text(text, node.operand), False
    elif kind in REDUCTIONS:
        yield start, end, "reduction", f"{REDUCTIONS[kind]}({_text(text, node.operand)})", False
    elif kind == "ConditionalExpression":
        arms = _text(text, node.left), _text(text, node.right)
        yield start, end, "arms", f"({_text(text, node.predicate)}) ? ({arms[1]}) : ({arms[0]})", False
    elif kind == "IntegerVectorExpression":
        yield from ((start, end, "constant", after, False) for after in _constants(text[start:end]))
    elif kind == "ConditionalStatement":
        where = node.predicate.sourceRange
        yield where.start.offset, where.end.offset, "condition", f"!({_text(text, node.predicate)})", False
    elif kind == "ExpressionStatement":
        yield start, end, "dropped", ";", True


def _text(text: str, node: Any) -> str:
    return text[node.sourceRange.start.offset : node.sourceRange.end.offset]


def _constants(word: str) -> Iterator[str]:
    match = _CONSTANT.fullmatch(word)
    if not match:
        return
    bits, base = int(match[1]), {"d": 10, "h": 16, "b": 2}[match[2]]
    value = int(match[3], base)
    if bits > 64:
        return  # a table: not a place for single bits
    for other in dict.fromkeys((value ^ 1, 0)):
        if other != value:
            yield f"{bits}'d{other}"


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
    order = sorted(ranges, key=lambda one: (one[0], -one[1]))

    def build(start: int, end: int, inside: list[tuple[int, int]]) -> str:
        parts, at = [], start
        while inside:
            first = inside[0]
            within = [one for one in inside[1:] if one[1] <= first[1]]
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
