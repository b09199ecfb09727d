# SPDX-License-Identifier: Apache-2.0
"""The ways by which signals of a block go from one clock to another: which of them are not safe.

Safe are: one bit, or the Gray code of an ``async_fifo``, straight from a register into the first of at least
two flip-flops of a ``sync_bit``, which nothing else reads; the words of an ``async_fifo``, read with its
``out_clk``; what ``rtl/<block>/crossings.toml`` lists as data that lies still, with the reason::

    [[still]]
    from = "mask"           # registers or input ports, as fnmatch has it: unit*.mask
    to = "loaded_data"      # registers or output ports that depend on them
    reason = "written while nothing moves"

Bits of a signal are not told apart: one vector is one clock's. That a FIFO's pointers are Gray codes is
proved (``formal/common``), not seen here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from configs import BlockConfig, UserError
from rtl.dataflow import elaborate
from rtl.domains import FIFO, SYNCHRONIZER, Domains
from utils import toml

ROOT = Path(__file__).parent
FILE = "crossings.toml"
STAGES = 2
RESETS = ("rst", "reset", "resetting")


@dataclass(frozen=True)
class Still:
    """Registers whose values may be read with another clock, and why."""

    source: str
    target: str
    reason: str


def still(block: str) -> tuple[Still, ...]:
    """What a block lists. Raises :class:`UserError` for an entry that is not whole."""
    path = ROOT / block / FILE
    if not path.is_file():
        return ()
    entries = toml.tables(path, ("still",))["still"]
    for entry in entries:
        if set(entry) != {"from", "to", "reason"} or not str(entry["reason"]).strip():
            raise UserError(f"{path}: {entry}: give from, to and reason")
    return tuple(Still(entry["from"], entry["to"], entry["reason"]) for entry in entries)


def check_files(cfg: BlockConfig, paths: Sequence[Path]) -> list[str]:
    """:func:`check` of the Verilog in ``paths``, with what its block lists."""
    return check(cfg, {path.name: path.read_text() for path in paths}, cfg.top(), still(cfg.block))


def check(cfg: BlockConfig, files: Mapping[str, str], top: str, listed: Sequence[Still]) -> list[str]:
    """What is wrong with the crossings of ``cfg``'s Verilog (name -> text), a line each; empty if nothing is.

    Raises :class:`UserError` for Verilog that is not valid.
    """
    domains = Domains(cfg, elaborate(files, top))
    kinds = _clocks(domains), _synchronizers(domains), _ways(domains, listed)
    return sorted({fault for kind in kinds for fault in kind})


def _clocks(domains: Domains) -> Iterator[str]:
    """Registers and ports that do not have one clock of the block."""
    design, clocks = domains.design, ", ".join(domains.cfg.clocks)
    for name, drive in domains.registers.items():
        if domains.clock(name) is None:
            edges = " and ".join(sorted({e for d in design.drives[name] for e in d.edges}))
            yield (
                f"{name} ({drive.place}) is clocked by {edges}: give it one of the block's clocks "
                f"({clocks}), and enable it by data"
            )
    for name in (*design.inputs, *design.outputs):
        if domains.clock(name) is None:
            yield f"port {name}: of which clock? Make it a stream's, or begin it as one of {clocks}"


def _synchronizers(domains: Domains) -> Iterator[str]:
    """What is wrong inside synchronizers and with what they are given."""
    for path in domains.design.instances(SYNCHRONIZER):
        firsts = [register for register, owner in domains.first_stages.items() if owner == path]
        if len(firsts) != 1:
            yield f"{path}: {len(firsts)} of its registers take d, not one: build it of {STAGES} in a row"
        for first in firsts:
            yield from _stages(domains, path, first)
        yield from _given(domains, path)


def _stages(domains: Domains, path: str, first: str) -> Iterator[str]:
    """What is wrong with a synchronizer's flip-flops, of which ``first`` takes its input."""
    design, last, chain = domains.design, domains.origin(f"{path}.q"), [first]
    readers = domains.readers(first)
    if len(readers) != 1 or not readers[0].startswith(f"{path}."):
        yield (
            f"{first}, the first flip-flop of a synchronizer, is read by {_few(readers) or 'nothing'}: only "
            "the second one may read it, as it may be metastable; the others read q"
        )
    while chain[-1] != last:
        following = [name for name in domains.readers(chain[-1]) if name in domains.inside(path)]
        if not following or following[0] in chain:
            yield f"{path}.q is {last}: make it the last of the flip-flops behind d, with no logic"
            break
        chain.append(following[0])
    if len(chain) < STAGES:
        yield f"{path}: {len(chain)} flip-flop from d to q: a synchronizer needs {STAGES}"
    clocks = {domains.clock(name) for name in chain}
    if len(clocks) > 1:
        yield f"{path}: its flip-flops have several clocks: {', '.join(sorted(map(str, clocks)))}"
    for name in chain:
        if "ASYNC_REG" not in design.attributes.get(name, ()):
            yield f'{name} is a synchronizer\'s: write (* ASYNC_REG = "TRUE" *) before it'


def _given(domains: Domains, path: str) -> Iterator[str]:
    """What is wrong with the input of a synchronizer."""
    design, source = domains.design, domains.origin(f"{path}.d")
    owner = path.rpartition(".")[0]
    pointers = design.modules.get(owner) == FIFO and source.rpartition(".")[0] == owner
    if source not in domains.registers:
        kind = "an input port" if source in design.inputs else "made by logic, which glitches"
        yield f"{path}.d is {source}, {kind}: put a register of the source's clock before a synchronizer"
    elif design.widths[source] > 1 and not (pointers and source not in design.arrays):
        yield (
            f"{path}.d is {design.widths[source]} bits of {source}, which may arrive in different cycles: "
            f"use {FIFO}, whose Gray codes change one bit at a time, or one bit that says when all lie still"
        )


def _ways(domains: Domains, listed: Sequence[Still]) -> Iterator[str]:
    """Ways between clocks that are not safe, and entries of the list that excuse nothing."""
    unsafe: dict[tuple[str, str], list[list[str]]] = {}
    used: set[Still] = set()
    for target in (*domains.registers, *domains.design.outputs):
        for source, way, into in _foreign(domains, target):
            if excuse := _excuse(listed, source, target):
                used.add(excuse)
            elif not _is_word(domains, source, into):
                unsafe.setdefault((source, into), []).append(way)
    for (source, into), ways in unsafe.items():
        yield _unsafe(domains, source, into, ways)
    for entry in set(listed) - used:
        yield f"{FILE}: {entry.target} does not read {entry.source} of another clock: take the entry away"


def _foreign(domains: Domains, target: str) -> Iterator[tuple[str, list[str], str]]:
    """What ``target`` depends on that is no register of its clock, with the way from it and that clock.

    The input of a synchronizer is left out where its first flip-flop takes it.
    """
    into, path = domains.clock(target), domains.first_stages.get(target)
    given = (f"{path}.d",) if path else ()
    for source, way in domains.sources(target, stop=given).items():
        clock = None if source in given else domains.clock(source)
        if clock and into and (clock != into or source in domains.cfg.clocks):
            yield source, way, into


def _is_word(domains: Domains, source: str, into: str) -> bool:
    """Whether ``source`` is the memory of a FIFO, whose words may be read with the clock ``into``."""
    path, design = source.rpartition(".")[0], domains.design
    is_memory = source in design.arrays and design.modules.get(path) == FIFO
    return is_memory and domains.origin(f"{path}.out_clk") == into


def _unsafe(domains: Domains, source: str, into: str, ways: list[list[str]]) -> str:
    shortest = min(ways, key=lambda way: (len(way), way))
    more = f" (and {len(ways) - 1} more)" if len(ways) > 1 else ""
    said = (
        f"{source} ({domains.clock(source)}) reaches {shortest[-1]} ({into}){more}: {' -> '.join(shortest)}"
    )
    if source in domains.cfg.clocks:
        return f"{said}; a clock is no data"
    if any(step.rpartition(".")[2].rpartition("_")[2] in RESETS for step in shortest[:-1]):
        return f"{said}; this is a reset of the other clock: use one of {into}, by reset_bridge"
    return (
        f"{said}; bring one bit over by {SYNCHRONIZER}, words by {FIFO}; what lies still while it is read is "
        f"listed, with the reason, in rtl/{domains.cfg.block}/{FILE}"
    )


def _excuse(listed: Sequence[Still], source: str, target: str) -> Still | None:
    fits = (s for s in listed if fnmatchcase(source, s.source) and fnmatchcase(target, s.target))
    return next(fits, None)


def _few(names: Sequence[str], most: int = 3) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
