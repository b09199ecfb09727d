# SPDX-License-Identifier: Apache-2.0
"""One design that holds many listed faults, each switched on by its number, instead of a build for each.

A fault is a replacement of text. The expression or statement that it changes becomes a choice by the number,
as with generated faults; a fault that changes something else needs a design of its own, and so does
one in what an instance's output is connected to, which takes no choice.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pyslang.syntax import SyntaxNode, SyntaxTree

from ci.faults.catalogue import Fault
from ci.faults.changes import GEOMETRY
from ci.faults.mutants import Mutant

NO_CHOICE = re.compile("AssignmentExpression|Event|TimingControl")  # kinds that only look like one

SIGNED = re.compile(r"\d*'s[bdho]\w+")

MODULE = re.compile(r"^module (\w+)(.*?)^endmodule", re.MULTILINE | re.DOTALL)
OUTPUT = re.compile(r"^ *(?:output|inout)\b[^,;/]*?(\w+) *(?:,|//|\)|$)", re.MULTILINE)

Place = tuple[Any, Any, bool]  # a node before and after, and whether it is a statement
Outputs = Mapping[str, set[str]]


def outputs(texts: Iterable[str]) -> dict[str, set[str]]:
    """The output ports of each module in Verilog with a port a line."""
    modules = (module for text in texts for module in MODULE.finditer(text))
    return {module[1]: set(OUTPUT.findall(module[2])) for module in modules}


def choices(faults: Mapping[int, Fault], files: dict[str, str]) -> dict[int, Mutant]:
    """The numbered faults that can be a choice in the Verilog ``files``.

    Raises :class:`configs.UserError` for a fault that does not fit once.
    """
    ports = outputs(files.values())
    mutants = {}
    for number, fault in faults.items():
        changed = fault.planted(files)
        for name in (name for name in files if changed[name] != files[name]):
            if mutant := choice(number, name, files[name], changed[name], ports):
                mutants[number] = mutant
    return mutants


def choice(number: int, file: str, before: str, after: str, ports: Outputs) -> Mutant | None:
    """The change from ``before`` to ``after`` as a mutant; None if it is neither expression nor statement.

    ``ports`` are the ``outputs`` of the modules that may be instantiated there.
    """
    trees = SyntaxTree.fromText(before, file), SyntaxTree.fromText(after, file)
    if any(error.isError() for error in trees[1].diagnostics):
        return None
    place = _place(trees[0].root, before, trees[1].root, after, ports)
    if place is None:
        return None
    old, new, statement = place
    start, end = old.sourceRange.start.offset, old.sourceRange.end.offset
    line = before.count("\n", 0, start) + 1
    return Mutant(number, file, line, "listed", before[start:end], _text(new, after), start, end, statement)


def _place(old: Any, before: str, new: Any, after: str, ports: Outputs) -> Place | None:
    """The innermost pair of nodes that can be a choice and holds all that differs."""
    place: Place | None = None
    driven: set[str] | None = None  # outputs of the module of the instance that it is in
    while old.kind.name not in GEOMETRY:
        kinds = old.kind.name, new.kind.name
        if kinds[0] == "HierarchyInstantiation":
            driven = ports.get(_text(old.type, before))
        elif kinds[0].endswith("PortConnection") and _is_output(old, driven):
            return None
        if NO_CHOICE.search(kinds[0]):
            pass
        elif all(kind.endswith("Statement") for kind in kinds):
            place = old, new, True
        elif all(kind.endswith(("Expression", "Name")) for kind in kinds) and not _sign_differs(
            _text(old, before), _text(new, after)
        ):
            place = old, new, False
        pair = _differing(old, before, new, after)
        if pair is None:
            break
        old, new = pair
    return place


def _sign_differs(before: str, after: str) -> bool:
    """Whether one is a signed number and the other is not: a choice of both is unsigned, and so is what it is
    compared with.
    """
    return bool(SIGNED.fullmatch(before)) != bool(SIGNED.fullmatch(after))


def _is_output(connection: Any, outputs: set[str] | None) -> bool:
    """Whether a connection may be an output's, given those of the instance's module, if it is known."""
    named = connection.kind.name == "NamedPortConnection"
    return outputs is None or not named or connection.name.valueText in outputs


def _differing(old: Any, before: str, new: Any, after: str) -> tuple[Any, Any] | None:
    """The only children that differ; None if there are several, or it is a word or what is assigned to."""
    children = list(old), list(new)
    if old.kind != new.kind or len(children[0]) != len(children[1]):
        return None
    differ = [
        number
        for number, (left, right) in enumerate(zip(*children, strict=True))
        if _text(left, before) != _text(right, after)
    ]
    if len(differ) != 1 or ("Assignment" in old.kind.name and differ == [0]):
        return None
    left, right = (nodes[differ[0]] for nodes in children)
    return (left, right) if isinstance(left, SyntaxNode) and isinstance(right, SyntaxNode) else None


def _text(node: Any, text: str) -> str:
    if not isinstance(node, SyntaxNode):
        return str(node).strip()
    return text[node.sourceRange.start.offset : node.sourceRange.end.offset]
