# SPDX-License-Identifier: Apache-2.0
"""Verilog from elsewhere, held against the configuration that is to test it: header and ports of the top."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pyslang import Bag
from pyslang.ast import ArgumentDirection, Compilation, CompilationOptions
from pyslang.syntax import SyntaxTree

import rtl
from configs import BlockConfig, UserError
from rtl.generate import ROOT
from rtl.wrapper import top_ports

SHOWN = 3  # ports that differ
_HEADER = re.compile(r"^// Configuration: (\w+) (\S+), hash (\w+)$", re.MULTILINE)
_DIRECTIONS = {ArgumentDirection.In: "in", ArgumentDirection.Out: "out"}
Ports = dict[str, tuple[str, int]]
"""Direction and width by name."""


def check(cfg: BlockConfig, folder: Path, files: Sequence[Path]) -> None:
    """Raises :class:`UserError` unless ``files`` of ``folder`` are a design for ``cfg``.

    What generated files say of their configuration must be it, and the top must have its ports; Verilog that
    cannot be read is left to the tool that compiles it.
    """
    check_header(cfg, files)
    expected, given = _expected(cfg), ports(files, cfg.top())
    if not expected or given is None:
        return
    problems = list(_differences(expected, given))
    if problems:
        more = f" and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        raise UserError(
            f"{folder}: {'; '.join(problems[:SHOWN])}{more}: choose the configuration that the Verilog is "
            f"of, or give it the ports of {cfg.name}"
        )


def check_header(cfg: BlockConfig, files: Sequence[Path]) -> None:
    """Raises :class:`UserError` for generated files that say of themselves that they are not for ``cfg``."""
    expected = _configurations(cfg)
    for path in files:
        made = _HEADER.search(path.read_text(errors="replace"))
        if made and (made[1], made[3]) not in expected:
            raise UserError(
                f"{path}: was generated for {made[1]} {made[2]} (hash {made[3]}), this is {cfg.block} "
                f"{cfg.name} (hash {cfg.hash}): {_choose(made[1], made[2])}"
            )


def _configurations(cfg: BlockConfig) -> set[tuple[str, str]]:
    """Block and hash of a configuration, and of those inside it."""
    return {(cfg.block, cfg.hash)}.union(*map(_configurations, cfg.inner.values()))


def _choose(block: str, name: str) -> str:
    preset, _, changes = name.partition("+")
    words = f"BLOCK={block} CONFIG={preset}" + (f" SET='{changes.replace(',', ' ')}'" if changes else "")
    return f"say {words}, or give another folder"


def _expected(cfg: BlockConfig) -> Ports:
    """The ports of the generated top; the blocks of some tests have no templates, and none."""
    if not (ROOT / cfg.block).is_dir():
        return {}
    text = rtl.generate(cfg)[f"{cfg.top()}.v"]
    return {port.name: (port.direction, port.width) for port in top_ports(text, cfg.top())}


def ports(files: Iterable[Path], top: str) -> Ports | None:
    """The ports of module ``top`` in ``files``; None where the text is no Verilog."""
    options = CompilationOptions()
    options.topModules = {top}
    compilation = Compilation(Bag([options]))
    for path in files:
        tree = SyntaxTree.fromText(path.read_text(errors="replace"), path.name)
        if any(problem.isError() for problem in tree.diagnostics):
            return None
        compilation.addSyntaxTree(tree)
    tops = [instance for instance in compilation.getRoot().topInstances if instance.name == top]
    if not tops:
        return None
    listed = tops[0].body.portList
    return {port.name: (_DIRECTIONS.get(port.direction, "inout"), port.type.bitWidth) for port in listed}


def _differences(expected: Ports, given: Ports) -> Iterator[str]:
    """In words; an output that nobody asked for does no harm."""
    for name, (direction, width) in expected.items():
        if name not in given:
            yield f"port {name} is missing"
        elif given[name] != (direction, width):
            other, size = given[name]
            yield f"port {name} is {_words(other, size)}, not {_words(direction, width)}"
    for name, (direction, width) in given.items():
        if name not in expected and direction != "out":
            yield f"nothing drives its port {name}, {_words(direction, width)}"


def _words(direction: str, width: int) -> str:
    return f"{direction}put of {width} bit{'s' * (width != 1)}"
