# SPDX-License-Identifier: Apache-2.0
"""Changes that need to know widths, ranges and registers: those of the elaborated design.

A module may have several instances with parameters of their own, and a generate loop several turns: a change
is made where it fits all of them.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pyslang.ast import ArgumentDirection, Compilation, ExpressionKind, SymbolKind
from pyslang.syntax import SyntaxTree

from ci.faults.changes import RESET, Change, is_unused, text_of

SIGNALS = {SymbolKind.Net, SymbolKind.Variable}
SELECTS = {ExpressionKind.ElementSelect, ExpressionKind.RangeSelect}
COMPARISONS = {
    "Equality", "Inequality", "LessThan", "LessThanEqual", "GreaterThan", "GreaterThanEqual",
}  # fmt: skip
DEPTH = "DEPTH"  # the parameter by which a FIFO is known, and its words
SYNCHRONIZER = "ASYNC_REG"  # the attribute of a synchronizer's registers
LOGIC = re.compile(
    "((Binary|Logical|Unary|Parenthesized).*|(Conditional|Add|Subtract|Equality|Inequality)|.*Than.*)Expression"
    "|Conditional(Predicate|Pattern)"
)
Place = tuple[str, int, int]
Shape = tuple[int, int, bool, bool]


@dataclass
class Module:
    """An instance: the signals that may stand for others, in the order of their declarations."""

    inputs: list[Any] = field(default_factory=list)
    registers: list[Any] = field(default_factory=list)
    has_depth: bool = False


@dataclass
class _Found:
    """What each use of the design allows: a set of changes for each time it was elaborated."""

    allowed: dict[Place, list[list[Change]]] = field(default_factory=lambda: defaultdict(list))
    targets: set[Place] = field(default_factory=set)  # what is assigned, and so is not a value


def changes(files: Mapping[str, str], trees: Iterable[SyntaxTree]) -> dict[str, list[Change]]:
    """By file, those of the design that ``trees`` (of ``files``) are."""
    return _Reader(files, trees).changes()


class _Reader:
    """Walks all instances; ``see`` each expression as often as it was elaborated."""

    def __init__(self, files: Mapping[str, str], trees: Iterable[SyntaxTree]) -> None:
        self.files = files
        self.compilation = Compilation()
        for tree in trees:
            self.compilation.addSyntaxTree(tree)
        self.modules: dict[str, Module] = defaultdict(Module)
        self.stages: dict[str, list[Any]] = defaultdict(list)  # assignments to a synchronizer's registers
        self.found = _Found()
        self.inside: set[Place] = set()  # names that a select goes with
        root = self.compilation.getRoot()
        root.visit(self._declared)
        root.visit(self._seen)

    def changes(self) -> dict[str, list[Change]]:
        """What every occurrence allows."""
        self._synchronizers()
        result: dict[str, list[Change]] = defaultdict(list)
        for place, occurrences in self.found.allowed.items():
            if place in self.found.targets:
                continue
            first, *others = occurrences
            for kind in dict.fromkeys(change.kind for change in first):
                common = [
                    change
                    for change in first
                    if change.kind == kind and all(change in other for other in others)
                ]
                result[place[0]] += common if kind == "narrower" else common[:1]
        return result

    # What is there

    def _declared(self, node: Any) -> None:
        kind = getattr(node, "kind", None)
        if kind == SymbolKind.Port and node.direction == ArgumentDirection.In:
            self._module(node.internalSymbol).inputs.append(node.internalSymbol)
        elif kind == SymbolKind.Parameter and node.name == DEPTH:
            self._module(node).has_depth = True
        elif kind == ExpressionKind.Assignment and node.syntax is not None:
            for symbol in self._targets(node.left):
                if node.isNonBlocking:
                    self._register(symbol)
                    if self._is_stage(symbol):
                        self.stages[symbol.hierarchicalPath].append(node)
        elif kind == ExpressionKind.Assignment:  # what an instance's output drives
            self._targets(node.left)

    def _targets(self, left: Any) -> Iterator[Any]:
        """The signals that an assignment changes; it keeps in mind where they stand."""
        return iter(list(self._walk_targets(left)))

    def _walk_targets(self, left: Any) -> Iterator[Any]:
        self.found.targets.add(self._place(left))
        if left.kind == ExpressionKind.Concatenation:
            for operand in left.operands:
                yield from self._walk_targets(operand)
        elif left.kind in SELECTS:
            yield from self._walk_targets(left.value)
        elif left.kind == ExpressionKind.Conversion:
            yield from self._walk_targets(left.operand)
        elif left.kind == ExpressionKind.NamedValue:
            yield left.symbol

    def _register(self, symbol: Any) -> None:
        registers = self._module(symbol).registers
        # of a generate block: not seen from everywhere
        everywhere = symbol.parentScope.containingInstance.find(symbol.name) is not None
        if everywhere and symbol.type.isIntegral and symbol not in registers:
            registers.append(symbol)

    def _module(self, symbol: Any) -> Module:
        return self.modules[symbol.parentScope.containingInstance.hierarchicalPath]

    def _is_stage(self, symbol: Any) -> bool:
        return any(attribute.name == SYNCHRONIZER for attribute in self.compilation.getAttributes(symbol))

    def _place(self, node: Any) -> Place:
        where = node.sourceRange
        file = self.compilation.sourceManager.getFileName(where.start)
        return file, where.start.offset, where.end.offset

    def _text(self, node: Any) -> str:
        file, start, end = self._place(node)
        return self.files[file][start:end]

    # What may be put there

    def _seen(self, node: Any) -> None:
        kind = getattr(node, "kind", None)
        if kind in SELECTS:
            self._select(node)
        elif kind == ExpressionKind.NamedValue:
            if node.syntax is not None and node.symbol.kind in SIGNALS:
                self._allow(self._place(node), node, self._others(node, node, ""))
        elif kind == ExpressionKind.BinaryOp and node.op.name in COMPARISONS:
            self._comparison(node)

    def _allow(self, place: Place, node: Any, after: Iterable[tuple[str, str]]) -> None:
        if node.syntax is None or _is_left_alone(node.syntax):
            return
        _, start, end = place
        self.found.allowed[place].append([Change(start, end, kind, text) for kind, text in after])

    def _select(self, node: Any) -> None:
        place, base = self._place(node), node.value
        file, _, end = place
        rest = self.files[file][self._place(base)[2] : end]
        after: list[tuple[str, str]] = []
        if base.kind == ExpressionKind.NamedValue and base.symbol.kind in SIGNALS:
            after += self._others(node, base, rest)
            module = self._module(base.symbol)
            if module.has_depth and base.type.isIntegral and node.kind == ExpressionKind.ElementSelect:
                after += _counted(node, self._text(base), self._text(node.selector))
        self._allow(place, node, [*after, *self._shifted(node)])

    def _others(self, use: Any, base: Any, rest: str) -> Iterator[tuple[str, str]]:
        """Signals of the same shape, the next one declared first: registers; inputs, where an edge reads.

        Others could make loops of logic.
        """
        symbol, syntax = base.symbol, use.syntax
        if not symbol.type.isIntegral or _is_clock(symbol):
            return
        module, where = self._module(symbol), self._place(use)
        clocked, near = _surroundings(syntax, self.files[where[0]])
        candidates = [*module.inputs, *module.registers] if clocked else module.registers
        at = {signal.name: signal.location.offset for signal in candidates}
        declared = [signal for signal in candidates if at[signal.name] < where[1] and not _is_clock(signal)]
        own = symbol.location.offset
        for other in sorted(declared, key=lambda signal: (at[signal.name] < own, at[signal.name])):
            alike = _shape(other, rest) == _shape(symbol, rest) and _is_reset(other) == _is_reset(symbol)
            if alike and not re.search(rf"\b{other.name}\b", near):
                yield "signal", f"{other.name}{rest}"

    def _shifted(self, node: Any) -> Iterator[tuple[str, str]]:
        """The bits one above, else those one below, of the same signal."""
        base = node.value
        while base.kind in SELECTS:
            base = base.value
        if not node.value.type.isIntegral or base.kind != ExpressionKind.NamedValue:
            return
        if base.symbol.kind not in SIGNALS:
            return
        if node.kind == ExpressionKind.ElementSelect:
            ends = [node.selector]
        elif node.selectionKind.name == "Simple":
            ends = [node.left, node.right]
        else:
            return
        if any(end.constant is None for end in ends):
            return
        limits = node.value.type.fixedRange
        high, low = int(str(ends[0].constant)), int(str(ends[-1].constant))
        near = " ".join(_surroundings(node.syntax, self.files[self._place(node)[0]])[1].split())
        for by, fits in ((1, high < limits.left), (-1, low > limits.right)):
            moved = ":".join(_moved(self._text(end), by) for end in ends)
            after = f"{self._text(node.value)}[{moved}]"
            if fits and after not in near:
                yield "shifted", after

    def _comparison(self, node: Any) -> None:
        place, sides = self._place(node), (_own(node.left), _own(node.right))
        left, right = (self._text(side) for side in sides)
        after: list[tuple[str, str]] = []
        if node.op.name in ("Equality", "Inequality"):
            after += _narrower(node.op.name, sides, left, right)
            after += _gray(node.op.name, left, right)
        for side, other in (sides, sides[::-1]):
            named = side.kind == ExpressionKind.NamedValue and side.symbol.kind == SymbolKind.Parameter
            if named and not side.symbol.isLocalParam and other.constant is None:
                after.append(("depth", self._less(node, side)))
        self._allow(place, node, after)

    def _less(self, node: Any, parameter: Any) -> str:
        file, start, end = self._place(node)
        _, first, last = self._place(parameter)
        text = self.files[file]
        return f"{text[start:first]}({text[first:last]} - 1){text[last:end]}"

    def _synchronizers(self) -> None:
        """The second flip-flop of a synchronizer takes what the first does."""
        for made in self.stages.values():
            for node in made:
                if node.right.kind != ExpressionKind.NamedValue:
                    continue
                for first in self.stages.get(node.right.symbol.hierarchicalPath, ()):
                    if first.right.kind == ExpressionKind.NamedValue:
                        place = self._place(node.right)
                        change = Change(place[1], place[2], "synchronizer", self._text(first.right))
                        for allowed in self.found.allowed[place]:
                            allowed.insert(0, change)


def _own(side: Any) -> Any:
    """An operand before it is made as wide as the other."""
    while side.kind == ExpressionKind.Conversion:
        side = side.operand
    return side


def _narrower(op: str, sides: tuple[Any, Any], left: str, right: str) -> Iterator[tuple[str, str]]:
    """A comparison that leaves out the lowest bit, or the highest, of what has two or more."""
    widths = {side.type.bitWidth for side in sides}
    if len(widths) == 1 and widths.pop() > 1:
        sign = "!" if op == "Equality" else ""
        for shift in (">>", "<<"):
            yield "narrower", f"{sign}(|((({left}) ^ ({right})) {shift} 1))"


def _counted(node: Any, name: str, index: str) -> Iterator[tuple[str, str]]:
    """In a FIFO, the highest bit of a count says that it is full: one place less."""
    limits = node.value.type.fixedRange
    highest = str(node.selector.constant) == str(limits.left)
    if highest and limits.right == 0 < limits.left:
        yield "depth", f"({name}[{index}] | &{name}[{_moved(index, -1)}:0])"


def _gray(op: str, left: str, right: str) -> Iterator[tuple[str, str]]:
    """In a FIFO between clocks, Gray codes that are DEPTH apart say so: as soon as the next one is."""
    name = left.removesuffix("_gray")
    if name != left and re.search(r"\bFULL\b", right):
        sign, join = ("==", "|") if op == "Equality" else ("!=", "&")
        later = f"(({name} + 1'b1) ^ (({name} + 1'b1) >> 1))"
        yield "depth", f"({left} {sign} ({right})) {join} ({later} {sign} ({right}))"


def _moved(index: str, by: int) -> str:
    if index.isdecimal():
        return str(int(index) + by)
    return f"{index}{'+' if by > 0 else '-'}1"


def _shape(symbol: Any, select: str) -> Shape:
    """Range, sign, and, if a ``select`` follows, whether it can: not behind a bit without a range."""
    limits = symbol.type.fixedRange
    return limits.left, limits.right, symbol.type.isSigned, bool(select) and symbol.type.isScalar


def _is_clock(symbol: Any) -> bool:
    return bool(symbol.name.endswith("clk"))


def _is_reset(symbol: Any) -> bool:
    return RESET.fullmatch(symbol.name) is not None


def _is_left_alone(syntax: Any) -> bool:
    while syntax is not None:
        if is_unused(syntax) or syntax.kind.name in ("InitialBlock", "FunctionDeclaration", "LoopGenerate"):
            return syntax.kind.name != "LoopGenerate"
        syntax = syntax.parent
    return False


def _surroundings(syntax: Any, text: str) -> tuple[bool, str]:
    """Whether an edge decides when a use is read; the logic that it is in, and what that is assigned to.

    To read there what is read beside it would be to leave a term out.
    """
    outer = syntax
    while outer.parent is not None and LOGIC.fullmatch(outer.parent.kind.name):
        outer = outer.parent
    near = text_of(text, outer)
    if outer.parent is not None and "Assignment" in outer.parent.kind.name:
        near += " " + text_of(text, outer.parent.left)
    while outer is not None and outer.kind.name != "AlwaysBlock":
        outer = outer.parent
    clocked = outer is not None and "edge" in text_of(text, outer.statement).partition(")")[0]
    return clocked, near
