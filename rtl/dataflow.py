# SPDX-License-Identifier: Apache-2.0
"""What drives what in elaborated Verilog: the drivers of each signal, and which signals are registers.

Signals are taken whole, not bit by bit, and named by their places below the top: ``unit0.gate.started``.

    >>> text = "module top(input c, d, output reg q); always @(posedge c) q <= d; endmodule"
    >>> elaborate({"top.v": text}, "top").drives["q"]
    [Drive(reads=('d',), plain=False, edges=('c',), place='top.v:1')]
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pyslang import DiagnosticEngine, ast
from pyslang.ast import Compilation, ExpressionKind, StatementKind, SymbolKind
from pyslang.syntax import SyntaxTree

from configs import UserError

PLAIN = {ExpressionKind.RangeSelect, ExpressionKind.ElementSelect, ExpressionKind.Conversion}


@dataclass(frozen=True)
class Drive:
    """One assignment to a signal.

    ``reads``: the signals it depends on, those of conditions and indices included. ``plain``: they are wired
    through, without logic. ``edges``: the signals whose edges make it; empty unless the target is a register.
    """

    reads: tuple[str, ...]
    plain: bool
    edges: tuple[str, ...]
    place: str


@dataclass
class Dataflow:
    """An elaborated design.

    ``inputs`` and ``outputs`` are the top's ports, ``modules`` says of what module an instance is.
    """

    drives: dict[str, list[Drive]] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    widths: dict[str, int] = field(default_factory=dict)
    arrays: set[str] = field(default_factory=set)
    attributes: dict[str, set[str]] = field(default_factory=dict)

    @property
    def registers(self) -> dict[str, Drive]:
        """The signals that change with an edge, with the first assignment to each."""
        return {
            name: drive
            for name, drives in self.drives.items()
            for drive in [next((drive for drive in drives if drive.edges), None)]
            if drive
        }

    def instances(self, module: str) -> list[str]:
        """The instances of a module, in order of their places."""
        return [path for path, name in self.modules.items() if name == module]


def elaborate(files: Mapping[str, str], top: str) -> Dataflow:
    """The design ``top`` in ``files`` (name -> Verilog). Raises :class:`UserError` if it is not valid."""
    compilation = Compilation()
    for name, text in files.items():
        compilation.addSyntaxTree(SyntaxTree.fromText(text, name))
    tops = [instance for instance in compilation.getRoot().topInstances if instance.name == top]
    if not tops:
        raise UserError(f"there is no module {top} that no other holds in {', '.join(files)}")
    errors = [diagnostic for diagnostic in compilation.getAllDiagnostics() if diagnostic.isError()]
    if errors:
        report = DiagnosticEngine.reportAll(compilation.sourceManager, errors).splitlines()
        raise UserError(f"not valid Verilog: {next(line for line in report if ': error: ' in line)}")
    return _Reader(compilation, tops[0]).design


class _Reader:
    """Walks the instances of an elaborated design and notes what they do."""

    def __init__(self, compilation: Compilation, top: Any) -> None:
        self.compilation = compilation
        self.cut = len(top.name) + 1
        self.design = Dataflow()
        self.edges: tuple[str, ...] = ()
        for port in top.body.portList:
            inward = port.direction == ast.ArgumentDirection.In
            (self.design.inputs if inward else self.design.outputs).append(self.name(port.internalSymbol))
        self.scope(top.body)

    def name(self, symbol: Any) -> str:
        """A symbol's name below the top."""
        return str(symbol.hierarchicalPath[self.cut :])

    def scope(self, members: Iterable[Any]) -> None:
        """All that stands in a module, or in a generate block."""
        for member in members:
            if member.kind in (SymbolKind.Net, SymbolKind.Variable):
                self.declared(member)
            elif member.kind == SymbolKind.ContinuousAssign:
                self.assign(member.assignment.left, member.assignment.right, member.location)
            elif member.kind == SymbolKind.ProceduralBlock:
                if member.procedureKind not in (
                    ast.ProceduralBlockKind.Initial,
                    ast.ProceduralBlockKind.Final,
                ):
                    self.procedure(member)
            elif member.kind == SymbolKind.Instance:
                self.instance(member)
            elif member.kind == SymbolKind.PrimitiveInstance:
                output, *inputs = (connection for connection in member.portConnections)
                for value in inputs:
                    self.assign(getattr(output, "left", output), value, member.location, plain=False)
            elif (
                member.kind in (SymbolKind.GenerateBlock, SymbolKind.GenerateBlockArray)
                and not member.isUninstantiated
            ):
                self.scope(member.entries if member.kind == SymbolKind.GenerateBlockArray else member)

    def declared(self, symbol: Any) -> None:
        """A net or variable: its width and attributes, and what a net is declared to be."""
        name = self.name(symbol)
        self.design.widths[name] = symbol.type.selectableWidth
        if symbol.type.isUnpackedArray:
            self.design.arrays.add(name)
        for attribute in self.compilation.getAttributes(symbol):
            self.design.attributes.setdefault(name, set()).add(attribute.name)
        if symbol.kind == SymbolKind.Net and symbol.initializer:
            value = symbol.initializer
            self.drive([name], self.reads(value), self.plain(value), symbol.location)

    def instance(self, symbol: Any) -> None:
        """An instance: its ports are driven from here, or drive what stands here."""
        self.design.modules[self.name(symbol)] = symbol.definition.name
        for connection in symbol.portConnections:
            if connection.expression is None or connection.port.internalSymbol is None:
                continue
            port, value = self.name(connection.port.internalSymbol), connection.expression
            if value.kind == ExpressionKind.Assignment:  # an output
                targets, indices = self.targets(value.left)
                self.drive(targets, [port, *indices], not indices, symbol.location)
            else:
                self.drive([port], self.reads(value), self.plain(value), symbol.location)
        self.scope(symbol.body)

    def procedure(self, block: Any) -> None:
        """An always block: a register's if it waits for edges."""
        statement = block.body
        if statement.kind == StatementKind.Timed:
            events = getattr(statement.timing, "events", [statement.timing])
            moves = [event for event in events if _moves(event)]
            self.edges = tuple(name for event in moves for name in self.reads(event.expr))
            statement = statement.stmt
        self.statement(statement, [], block.location)
        self.edges = ()

    def statement(self, statement: Any, conditions: list[str], place: Any) -> None:
        """The assignments in a statement; ``conditions``: what decides whether it is reached."""
        kind = statement.kind
        if kind == StatementKind.Block:
            self.statement(statement.body, conditions, place)
        elif kind == StatementKind.List:
            for child in statement.list:
                self.statement(child, conditions, place)
        elif kind == StatementKind.Conditional:
            deciding = [*conditions, *(n for c in statement.conditions for n in self.reads(c.expr))]
            self.statement(statement.ifTrue, deciding, place)
            if statement.ifFalse:
                self.statement(statement.ifFalse, deciding, place)
        elif kind == StatementKind.Case:
            labels = [label for item in statement.items for label in item.expressions]
            deciding = [*conditions, *(n for e in (statement.expr, *labels) for n in self.reads(e))]
            for branch in (*(item.stmt for item in statement.items), statement.defaultCase):
                if branch:
                    self.statement(branch, deciding, place)
        elif kind == StatementKind.ExpressionStatement and statement.expr.kind == ExpressionKind.Assignment:
            self.assign(statement.expr.left, statement.expr.right, place, conditions)
        else:  # loops and the like: each assignment in them depends on all that they read
            everything = [*conditions, *self.reads(statement)]
            statement.visit(lambda node: self._inner(node, everything, place))

    def _inner(self, node: Any, conditions: list[str], place: Any) -> None:
        if getattr(node, "kind", None) == ExpressionKind.Assignment:
            self.assign(node.left, node.right, place, conditions)

    def assign(
        self, left: Any, right: Any, place: Any, conditions: Iterable[str] = (), *, plain: bool = True
    ) -> None:
        """An assignment."""
        targets, indices = self.targets(left)
        reads = [*self.reads(right), *indices, *conditions]
        clean = plain and not self.edges and not indices and not conditions and self.plain(right)
        self.drive(targets, reads, clean, place)

    def drive(self, targets: Iterable[str], reads: Iterable[str], plain: bool, place: Any) -> None:
        """Note a drive of each of the targets."""
        where = self.compilation.sourceManager
        at = f"{where.getFileName(place)}:{where.getLineNumber(place)}"
        made = Drive(tuple(dict.fromkeys(reads)), plain, self.edges, at)
        for target in targets:
            self.design.drives.setdefault(target, []).append(made)

    def targets(self, left: Any) -> tuple[list[str], list[str]]:
        """The signals that an assignment changes, and those that choose which bits or words of them."""
        if left.kind == ExpressionKind.Concatenation:
            parts = [self.targets(operand) for operand in left.operands]
            return [n for part in parts for n in part[0]], [n for part in parts for n in part[1]]
        indices: list[str] = []
        while left.kind in PLAIN:
            if left.kind == ExpressionKind.ElementSelect:
                indices += self.reads(left.selector)
            elif left.kind == ExpressionKind.RangeSelect:
                indices += self.reads(left.left)
            left = left.operand if left.kind == ExpressionKind.Conversion else left.value
        return [self.name(left.symbol)], indices

    def reads(self, node: Any) -> list[str]:
        """The signals that stand in an expression or statement, and in the functions that it calls."""
        signals: dict[str, None] = {}
        kinds = SymbolKind.Net, SymbolKind.Variable

        def note(inner: Any) -> None:
            kind = getattr(inner, "kind", None)
            if kind in (ExpressionKind.NamedValue, ExpressionKind.HierarchicalValue):
                if inner.symbol.kind in kinds:
                    signals[self.name(inner.symbol)] = None
            elif kind == ExpressionKind.Call and not inner.isSystemCall:
                inner.subroutine.body.visit(note)

        node.visit(note)
        return list(signals)

    def plain(self, value: Any) -> bool:
        """Whether an expression is wires only: names, fixed parts of them, one after another, constants."""
        if value.kind in (ExpressionKind.NamedValue, ExpressionKind.HierarchicalValue):
            return True
        if value.kind == ExpressionKind.Concatenation:
            return all(map(self.plain, value.operands))
        if value.kind == ExpressionKind.Conversion:
            return self.plain(value.operand)
        if value.kind == ExpressionKind.ElementSelect:
            return not self.reads(value.selector) and self.plain(value.value)
        if value.kind == ExpressionKind.RangeSelect:
            return not [*self.reads(value.left), *self.reads(value.right)] and self.plain(value.value)
        return not self.reads(value)


def _moves(event: Any) -> bool:
    """Whether an event is an edge, and not any change of a signal (``@*``, ``@(a or b)``)."""
    return getattr(event, "edge", None) in (
        ast.EdgeKind.PosEdge,
        ast.EdgeKind.NegEdge,
        ast.EdgeKind.BothEdges,
    )
