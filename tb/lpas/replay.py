# SPDX-License-Identifier: Apache-2.0
"""Requests of all PEs through the Verilated RTL of ``lpas``, without Python in a cycle, and the golden model.

The model is exact: each acknowledge in its cycle, each cycle's grants, each burst, each counter, each byte.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import MemoryTiming
from configs.lpas.schema import LDM, OPS, Config
from models.lpas import LpasModel
from models.memory import Memory
from tb.common.components.packing import pack_lanes
from tb.common.replay.compare import (
    Mismatch,
    compare_counters,
    compare_memory,
    compare_records,
    compare_sequences,
)
from tb.common.replay.library import Port, Roles
from tb.common.replay.machine import Replay, default_patience, quiet
from tb.common.replay.requests import Rows, unpacked
from tb.common.replay.traffic import Traffic
from tb.common.replay.work import Work

#: of a request: cycles in which it was taken and acknowledged, from the first one after reset on; the answer
ANSWER = np.dtype([("first", "i8"), ("done", "i8"), ("value", "u2"), ("err", "u1")])


@dataclass(frozen=True)
class Side:
    """What one side, model or RTL, makes of n requests.

    ``answers``: ANSWER [n]; ``grants``: [e] of cycles with a grant, fields ``grant``, ``pe`` and ``hit`` [N]
    by cache, if they can be seen; ``reads``, ``writes``: byte addresses of bursts, in order.
    """

    answers: NDArray[Any]
    counters: dict[str, int]
    grants: NDArray[Any] | None
    reads: NDArray[np.int64]
    writes: NDArray[np.int64]

    @property
    def cycles(self) -> int:
        """Until the last acknowledge, included."""
        return int(self.answers["done"].max(initial=-1)) + 1


@dataclass(frozen=True)
class Model(Side):
    """The golden model's side; ``machine`` has memory as it is in the end."""

    machine: LpasModel


@dataclass(frozen=True)
class Rtl(Side):
    """The design's side; ``machine`` still holds memory."""

    machine: Replay


def roles(cfg: Config) -> Roles:
    """A port for each PE; what is there once goes with that of the first."""
    event_port = "evt" if cfg.observe else None
    return Roles(
        tuple(
            Port(f"req{pe}", f"res{pe}", *((event_port, "perf") if pe == 0 else (None, None)))
            for pe in range(cfg.pes)
        ),
        waiters=cfg.pes,
    )


def grants_of(cfg: Config) -> np.dtype[Any]:
    """The grants of a cycle."""
    return np.dtype([(name, "u1", (cfg.pes,)) for name in ("grant", "pe", "hit")])


def predict(cfg: Config, requests: NDArray[Any], memory: Memory, timing: MemoryTiming | None = None) -> Model:
    """What the golden model says of REQUEST [n], from reset. Raises :class:`configs.UserError`."""
    model = LpasModel(cfg.with_(memory=timing.model_dump()) if timing else cfg, memory)
    served = model.replay(requests)
    answers = np.zeros(len(served), ANSWER)
    for name in ANSWER.names or ():
        answers[name] = served[name]
    granted = np.flatnonzero(requests["op"] < LDM)
    cycles, row = np.unique(served["granted"][granted], return_inverse=True)
    grants = np.zeros(len(cycles), grants_of(cfg))
    home = (requests["word"][granted] >> cfg.slot_bits) % cfg.pes
    grants["grant"][row, home] = 1
    grants["pe"][row, home] = requests["pe"][granted]
    grants["hit"][row, home] = served["hit"][granted]
    written = model.bursts["write"] != 0
    addresses = model.bursts["address"]
    return Model(answers, model.counters, grants, addresses[~written], addresses[written], model)


def works(cfg: Config, requests: NDArray[Any]) -> tuple[list[Work], list[NDArray[np.int64]]]:
    """The work of each PE's port, and which requests it is."""
    rows = [np.flatnonzero(requests["pe"] == pe) for pe in range(cfg.pes)]
    jobs = []
    for pe, mine in enumerate(rows):
        columns = {name: requests[name][mine] for name in ("op", "word", "value")}
        words = pack_lanes(cfg.streams[f"req{pe}"], columns, len(mine))
        name = Named(cfg, requests, mine)
        jobs.append(Work(words, describe=name, earliest=requests["at"][mine].astype(np.uint64)))
    return jobs, rows


@dataclass(frozen=True)
class Named:
    """Names a request, of all or of those in ``rows``, by its number and fields."""

    cfg: Config
    requests: NDArray[Any]
    rows: NDArray[np.int64] | None = None

    def __call__(self, index: int) -> str:
        """Request ``index``."""
        row = index if self.rows is None else int(self.rows[index])
        request = self.requests[row]
        word = int(request["word"])
        cache = word >> self.cfg.slot_bits & self.cfg.pes - 1
        return f"access {row} (PE {request['pe']}, {OPS[request['op']]}, word {word:#x}, cache {cache})"


def replay(
    cfg: Config,
    requests: NDArray[Any],
    memory: Memory,
    seed: int = 1,
    *,
    rtl_dir: Path | None = None,
    progress: Callable[[int], None] | None = None,
    timing: MemoryTiming | None = None,
    plusarg: str | None = None,
) -> Rtl:
    """REQUEST [n], from reset; each PE offers its own in their order, as early as ``at`` lets it.

    ``seed`` gives the power-up state; ``progress`` is told how many acknowledges have come. Raises
    :class:`configs.UserError` for what cannot be built and :class:`tb.common.replay.machine.ReplayError`
    when the RTL stops or acknowledges what was not asked.
    """
    alone = int(requests["at"].max(initial=0))  # cycles in which no request need be there
    machine = Replay(
        cfg, memory, cfg.cache.line_bytes, seed=seed, rtl_dir=rtl_dir, roles=roles(cfg), plusarg=plusarg,
        timing=timing, patience=default_patience(timing or cfg.memory, Traffic()) + alone,
    )  # fmt: skip
    machine.check_counters()
    first, (work, own) = machine.cycle, works(cfg, requests)
    parts = [Rows(len(cfg.axi_ports), pe) for pe in range(cfg.pes)]
    for chunk in machine.run(*work, tail=quiet(timing or cfg.memory)):
        for part in parts:
            part.add(chunk)
        if progress:
            progress(sum(part.answered for part in parts))
    answers = np.zeros(len(requests), ANSWER)
    for pe, (part, mine) in enumerate(zip(parts, own, strict=True)):
        answers["first"][mine] = part.joined("request_cycle").astype(np.int64) - first
        answers["done"][mine] = part.joined("result_cycle").astype(np.int64) - first
        for name, column in unpacked(cfg, f"res{pe}", part.joined("results")).items():
            answers[name][mine] = column
    [reads], [writes] = (
        [np.concatenate(port) for port in kind] for kind in (parts[0].reads, parts[0].writes)
    )
    grants = events(cfg, parts[0].joined("events")) if cfg.observe else None
    burst = reads.astype(np.int64), writes.astype(np.int64)
    return Rtl(answers, machine.counters(), grants, *burst, machine)


def events(cfg: Config, words: NDArray[np.uint32]) -> NDArray[Any]:
    """Packed words [e, lanes] of port ``evt`` as grants."""
    grants = np.zeros(len(words), grants_of(cfg))
    for name, column in unpacked(cfg, "evt", words).items():
        kind = name.rstrip("0123456789")
        grants[kind][:, int(name.removeprefix(kind))] = column
    return grants


def check(cfg: Config, requests: NDArray[Any], model: Model, rtl: Rtl) -> list[Mismatch]:
    """All that the model says and the RTL did otherwise, answers of requests first."""
    mismatches = compare_records(model.answers, rtl.answers, Named(cfg, requests))
    if rtl.grants is not None and model.grants is not None:
        least = min(len(model.grants), len(rtl.grants))
        mismatches += compare_records(model.grants[:least], rtl.grants[:least], "cycle with grants {}".format)
        mismatches += compare_counters({"events": len(model.grants)}, {"events": len(rtl.grants)})
    for what in ("reads", "writes"):
        name = f"address of m_axi's {what}, number"
        mismatches += compare_sequences(name, getattr(model, what), getattr(rtl, what))
    memory = model.machine.memory
    mismatches += compare_memory(memory.line, memory.lines.tolist(), cfg.cache.line_bytes, rtl.machine)
    return [*mismatches, *compare_counters(model.counters, rtl.counters)]


def verified(
    cfg: Config,
    requests: NDArray[Any],
    memory: Memory,
    seed: int = 1,
    timing: MemoryTiming | None = None,
    **options: Any,
) -> tuple[Rtl, Model, list[Mismatch]]:
    """:func:`predict`, :func:`replay`, :func:`check`."""
    model = predict(cfg, requests, memory, timing)
    rtl = replay(cfg, requests, memory, seed, timing=timing, **options)
    return rtl, model, check(cfg, requests, model, rtl)
