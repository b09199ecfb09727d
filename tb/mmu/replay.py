# SPDX-License-Identifier: Apache-2.0
"""How ``mmu`` is asked in the replay of a trace: each cache at its port, back to back.

The ports do not wait for each other but between the parts of a trace that :mod:`tb.mmu.order` names.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.dcache.schema import LANES
from configs.mmu.schema import Config
from models.memory import Memory
from models.mmu.traffic import FIRST_OF_DCACHE, OPS
from tb.common.components.packing import pack_lanes
from tb.common.replay.compare import (
    Mismatch,
    compare_counters,
    compare_memory,
    compare_records,
    compare_sequences,
)
from tb.common.replay.machine import Replay, quiet
from tb.common.replay.requests import Columns, Requester, Rows, Rtl, alike
from tb.common.replay.work import Work
from tb.mmu.machine import ROLES as BOTH
from tb.mmu.prediction import Predicted, Sides, by_name, joined, parts
from tb.mmu.sides import SIDES

ROLES = replace(BOTH, counters=("perf",))
PERF = len(SIDES)  # the number of these counters


@dataclass(frozen=True)
class Replayed:
    """What the RTL did with n accesses, fields and counters by cache as :mod:`tb.mmu.prediction` has them;
    and each cache with its own.
    """

    rtl: Rtl
    sides: tuple[Rtl, Rtl]


def requesters(cfg: Config) -> tuple[Requester, Requester]:
    """How each cache is asked. Results of ``dcache`` are in order or, under misses, in that of each warp."""
    fetch, access = ROLES.ports
    key = "warp" if cfg.dcache.nonblocking else None
    return (
        Requester(cfg.icache.cache.line_bytes, fetch, told=True),
        Requester(cfg.dcache.cache.line_bytes, access, key, told=True),
    )


def replay(
    cfg: Config,
    columns: Columns,
    sides: Sides,
    predicted: Predicted,
    memory: Memory,
    seed: int = 1,
    *,
    rtl_dir: Path | None = None,
    progress: Callable[[int], None] = lambda done: None,
    **options: Any,
) -> Replayed:
    """Ask for the accesses ``columns`` [n], from reset, in the parts of the prediction.

    ``seed`` gives the power-up state; ``progress`` is told how many results have come; ``options`` are those
    of :class:`Replay`. Raises :class:`configs.UserError` for what cannot be built and
    :class:`tb.common.replay.machine.ReplayError` when the RTL stops or answers what was not asked.
    """
    pair = requesters(cfg)
    line_bytes = max(requester.line_bytes for requester in pair)
    machine = Replay(cfg, memory, line_bytes, seed=seed, rtl_dir=rtl_dir, roles=ROLES, **options)
    machine.check_counters()
    words = [
        pack_lanes(cfg.streams[requester.port.request], side.columns, len(side.rows))
        for requester, side in zip(pair, sides, strict=True)
    ]
    rows = [Rows(len(cfg.axi_ports), port) for port in range(len(SIDES))]
    name = namer(columns)
    for part in parts(sides, predicted.starts):
        work = [
            Work(some[of], describe=partial(_named, name, side.rows[of]))
            for some, side, of in zip(words, sides, part, strict=True)
        ]
        for chunk in machine.run(*work, tail=quiet(cfg.memory)):
            for of_one in rows:
                of_one.add(chunk)
            progress(sum(of_one.answered for of_one in rows))
    return _folded(cfg, pair, sides, rows, machine)


def _named(name: Callable[[int], str], rows: NDArray[np.int64], number: int) -> str:
    return name(int(rows[number]))


def _folded(
    cfg: Config, pair: tuple[Requester, Requester], sides: Sides, rows: list[Rows], machine: Replay
) -> Replayed:
    taken = np.concatenate([of_one.joined("request_cycle") for of_one in rows])
    first = int(taken.min()) if len(taken) else 0
    fetched, accessed = (
        requester.folded(cfg, side.columns, of_one, machine, number, first)
        for number, (requester, side, of_one) in enumerate(zip(pair, sides, rows, strict=True))
    )
    both = (fetched, accessed)
    stamps = np.zeros((2, len(taken)), np.int64)
    for side, rtl in zip(sides, both, strict=True):
        stamps[:, side.rows] = rtl.t_request, rtl.t_result
    complete = all(_events(rtl) == len(side.rows) for rtl, side in zip(both, sides, strict=True))
    whole = Rtl(
        joined(sides, [rtl.results for rtl in both]),
        by_name([rtl.counters for rtl in both]) | machine.counters(PERF),
        joined(sides, [rtl.events for rtl in both]) if complete else {},
        *(fetched.reads, fetched.writes, *stamps, machine),
    )
    return Replayed(whole, both)


def _events(rtl: Rtl) -> int:
    return len(next(iter(rtl.events.values())))


def check(cfg: Config, columns: Columns, predicted: Predicted, replayed: Replayed) -> list[Mismatch]:
    """All that the model says and the RTL did otherwise, results of accesses first."""
    model, rtl, name = predicted.model, replayed.rtl, namer(columns)
    mismatches = compare_records(*alike(model.results, rtl.results), name)
    if rtl.events:
        mismatches += compare_records(*alike(model.events, rtl.events), lambda row: f"event of {name(row)}")
    expected = by_name([{"events": len(side.t_request)} for side in replayed.sides])
    mismatches += compare_counters(expected, by_name([{"events": _events(side)} for side in replayed.sides]))
    [reads], [writes] = rtl.reads.values(), rtl.writes.values()
    mismatches += compare_sequences(
        "address of m_axi's reads, sorted, number", model.reads["m_axi"], np.sort(reads)
    )
    mismatches += compare_counters({"bursts written": predicted.writes}, {"bursts written": len(writes)})
    if model.memory:
        line_bytes = cfg.dcache.cache.line_bytes
        mismatches += compare_memory(model.memory.line, model.memory.written, line_bytes, rtl.machine)
    return [*mismatches, *compare_counters(model.counters, rtl.counters)]


def namer(columns: Columns) -> Callable[[int], str]:
    """Names an access by its number in the file and by what matters of it."""

    def name(row: int) -> str:
        field = {key: int(column[row]) for key, column in columns.items()}
        op, warp = OPS[field["op"]], f"warp {field['warp']}"
        if field["op"] < FIRST_OF_DCACHE:
            return f"access {row} ({op}, {warp}, block {field['block']}, pc {field['pc']:#x})"
        lanes = [lane for lane in range(LANES) if field["mask"] >> lane & 1]
        where = " ".join(f"{field[f'addr{lane}']:#x}" for lane in lanes)
        return f"access {row} ({op}, {warp}, lanes {' '.join(map(str, lanes))}, addresses {where})"

    return name
