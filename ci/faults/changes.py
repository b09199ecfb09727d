# SPDX-License-Identifier: Apache-2.0
"""Changes that follow from how an expression or a statement is written.

What carries values is changed, never geometry: parameters, ranges, replication counts and generate loops
stay. Names that begin with ``unused`` are for linters; what they are given is left alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pyslang.syntax import SyntaxNode

SWAPS = {
    "BinaryAndExpression": "|", "BinaryOrExpression": "&", "BinaryXorExpression": "|",
    "LogicalAndExpression": "||", "LogicalOrExpression": "&&", "EqualityExpression": "!=",
    "InequalityExpression": "==", "LessThanExpression": "<=", "LessThanEqualExpression": "<",
    "GreaterThanExpression": ">=", "GreaterThanEqualExpression": ">", "AddExpression": "-",
    "SubtractExpression": "+", "MultiplyExpression": "+", "LogicalShiftLeftExpression": ">>",
    "LogicalShiftRightExpression": "<<",
}  # fmt: skip
TERMS = {
    "BinaryAndExpression", "BinaryOrExpression", "LogicalAndExpression", "LogicalOrExpression",
    "AddExpression",
}  # fmt: skip
DROPPED = {"UnaryLogicalNotExpression", "UnaryBitwiseNotExpression"}
REDUCTIONS = {"UnaryBitwiseAndExpression": "|", "UnaryBitwiseOrExpression": "&"}
GEOMETRY = {
    "ParameterDeclaration", "ParameterDeclarationStatement", "VariableDimension", "ElementSelect",
    "ParameterValueAssignment", "RangeDimensionSpecifier",
}  # fmt: skip
GENERATE = {"LoopGenerate", "IfGenerate"}  # geometry but for their blocks
RESET = re.compile(r"(?<![!~])\b\w*(rst|reset)\w*")
_CONSTANT = re.compile(r"(\d+)'([dhb])([0-9a-fA-F]+)")


@dataclass(frozen=True)
class Change:
    """Characters ``start`` to ``end`` of a file become ``after``; ``kind`` in words."""

    start: int
    end: int
    kind: str
    after: str
    statement: bool = False


def changes(text: str, node: Any) -> Iterator[Change]:
    """Those of a syntax node of ``text`` and of all below it; nothing from within geometry."""
    kind = node.kind.name
    if kind in GEOMETRY or is_unused(node):
        return
    yield from _of(text, node, kind)
    for number, child in enumerate(node):
        bound = kind in GENERATE and child.kind.name not in ("GenerateBlock", "ElseClause")
        how_often = kind == "MultipleConcatenationExpression" and number <= 1
        if isinstance(child, SyntaxNode) and not bound and not how_often:
            yield from changes(text, child)


def is_unused(node: Any) -> bool:
    """Whether it declares what linters are told not to look at."""
    return node.kind.name == "Declarator" and node.name.valueText.startswith("unused")


def place(node: Any) -> tuple[int, int]:
    """Where a node stands in its file."""
    return node.sourceRange.start.offset, node.sourceRange.end.offset


def text_of(text: str, node: Any) -> str:
    """What stands there."""
    start, end = place(node)
    return text[start:end]


def _of(text: str, node: Any, kind: str) -> Iterator[Change]:
    start, end = place(node)
    if kind in SWAPS:
        left, right = (text_of(text, side) for side in (node.left, node.right))
        yield Change(start, end, "operator", f"({left}) {SWAPS[kind]} ({right})")
        if kind in TERMS:
            yield from _terms(text, node)
    elif kind in DROPPED:
        yield Change(start, end, "not", text_of(text, node.operand))
    elif kind in REDUCTIONS:
        yield Change(start, end, "reduction", f"{REDUCTIONS[kind]}({text_of(text, node.operand)})")
    elif kind == "ConditionalExpression":
        yield from _ternary(text, node)
    elif kind == "IntegerVectorExpression":
        yield from (Change(start, end, "constant", after) for after in _constants(text[start:end]))
    elif kind == "ConditionalStatement":
        yield from _if(text, node)
    elif kind == "ExpressionStatement":
        yield from _assignment(text, node)
    elif kind == "SequentialBlockStatement":
        yield from _successive(text, node)


def _terms(text: str, node: Any) -> Iterator[Change]:
    """A chain without one of its terms; without a constant that the change of constants to 0 leaves out."""
    start, end = place(node)
    for dropped, kept in ((node.right, node.left), (node.left, node.right)):
        if dropped.kind not in (node.kind, node.kind.IntegerVectorExpression):
            yield Change(start, end, "term", text_of(text, kept))


def _ternary(text: str, node: Any) -> Iterator[Change]:
    start, end = place(node)
    condition, left, right = (text_of(text, part) for part in (node.predicate, node.left, node.right))
    yield Change(start, end, "arms", f"({condition}) ? ({right}) : ({left})")
    yield Change(start, end, "stuck", left)
    yield Change(start, end, "stuck", right)
    if node.right.kind.name == "ConditionalExpression":
        second = node.right
        other, middle, last = (text_of(text, part) for part in (second.predicate, second.left, second.right))
        yield Change(start, end, "priority", f"({other}) ? ({middle}) : ({condition}) ? ({left}) : ({last})")


def _if(text: str, node: Any) -> Iterator[Change]:
    start, end = place(node.predicate)
    condition, first = text_of(text, node.predicate), text_of(text, node.statement)
    yield Change(start, end, "condition", f"!({condition})")
    yield Change(start, end, "stuck", "1'b1")
    otherwise = node.elseClause.clause if node.elseClause else None
    if otherwise or not _is_one_assignment(node.statement):  # of one alone: the same as to drop it
        yield Change(start, end, "stuck", "1'b0")
    if otherwise and otherwise.kind == node.kind:
        second = text_of(text, otherwise.statement)
        rest = f" {text_of(text, otherwise.elseClause)}" if otherwise.elseClause else ""
        other = text_of(text, otherwise.predicate)
        swapped = f"if ({other}) begin {second} end else if ({condition}) begin {first} end{rest}"
        yield Change(*place(node), "priority", swapped, True)


def _is_one_assignment(statement: Any) -> bool:
    """Whether a statement does no more than one assignment, whatever that depends on."""
    kind = statement.kind.name
    if kind == "SequentialBlockStatement":
        items = list(statement.items)
        return len(items) == 1 and _is_one_assignment(items[0])
    if kind == "ConditionalStatement":
        return not statement.elseClause and _is_one_assignment(statement.statement)
    return kind == "ExpressionStatement"


def _assignment(text: str, node: Any) -> Iterator[Change]:
    """Without it; if it assigns several registers, without each. In a branch of a reset: a missing one."""
    start, end = place(node)
    kind = "reset" if _in_reset(text, node) else "dropped"
    yield Change(start, end, kind, ";", True)
    if node.expr.kind.name != "NonblockingAssignmentExpression":
        return
    if node.expr.left.kind.name == "ConcatenationExpression":
        for register in node.expr.left.expressions:
            if isinstance(register, SyntaxNode):
                name = text_of(text, register)
                yield Change(start, end, kind, f"{text[start:end]} {name} <= {name};", True)


def _in_reset(text: str, node: Any) -> bool:
    """Whether a statement is in the branch that a reset takes."""
    child, parent = node, node.parent
    while parent is not None:
        taken = parent.kind.name == "ConditionalStatement" and place(parent.statement) == place(child)
        if taken and RESET.search(text_of(text, parent.predicate)):
            return True
        child, parent = parent, parent.parent
    return False


def _successive(text: str, block: Any) -> Iterator[Change]:
    """Two ifs, one after the other, that assign the same register: the second decides, the first after it."""
    items = list(block.items)
    at = 0
    while at + 1 < len(items):
        pair = items[at : at + 2]
        both = [
            _assigned(text, statement) for statement in pair if statement.kind.name == "ConditionalStatement"
        ]
        if len(both) == 2 and both[0] & both[1]:
            after = " ".join(text_of(text, statement) for statement in reversed(pair))
            yield Change(place(pair[0])[0], place(pair[1])[1], "priority", after, True)
            at += 1  # choices must not overlap
        at += 1


def _assigned(text: str, node: Any) -> set[str]:
    """What the nonblocking assignments below a statement write."""
    names: set[str] = set()
    if node.kind.name == "NonblockingAssignmentExpression":
        names.add(text_of(text, node.left))
    for child in node:
        if isinstance(child, SyntaxNode):
            names |= _assigned(text, child)
    return names


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
