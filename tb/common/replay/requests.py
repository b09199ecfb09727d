# SPDX-License-Identifier: Apache-2.0
"""Replay of a block that answers requests: columns of fields in, columns of fields out, and the comparison.

For a block with one request stream, each word of which has a result. Others fold chunks of words into records
of their own (:mod:`tb.common.replay.machine`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import BlockConfig, MemoryTiming, Stream
from models import records
from models.memory import Memory
from tb.common.components.packing import Lanes, pack_lanes, unpack_lanes
from tb.common.replay.compare import (
    Mismatch,
    compare_counters,
    compare_memory,
    compare_records,
    compare_sequences,
    match_by_key,
)
from tb.common.replay.library import Port, Roles
from tb.common.replay.machine import Replay, ReplayError, default_patience, quiet
from tb.common.replay.traffic import Traffic
from tb.common.replay.work import Chunk, Work

Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class WrittenMemory:
    """The model's memory: the bytes [line_bytes] of a ``line`` by its address; the lines ``written``."""

    line: Callable[[int], NDArray[np.uint8]]
    written: Iterable[int]


@dataclass(frozen=True)
class Model:
    """What a golden model says of n requests; what it leaves out is not compared.

    ``results`` [n] and ``events`` [e] by field of their streams; ``reads``, ``writes``: byte addresses of
    bursts by AXI port, in order; ``counted``: counters by stream, of those that are of no port.
    """

    results: Columns
    counters: dict[str, int] = field(default_factory=dict)
    events: Columns = field(default_factory=dict)
    reads: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    writes: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    memory: WrittenMemory | None = None
    counted: Mapping[str, dict[str, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Rtl:
    """What the RTL did with n requests.

    ``results`` [n], and ``events`` that belong to them, in the order of the requests. ``t_request``,
    ``t_result`` [n]: cycles of the handshakes, the first request's being 0. ``machine`` still holds memory.
    ``counted``: counters by stream, of those that are of no port.
    """

    results: Columns
    counters: dict[str, int]
    events: Columns
    reads: dict[str, NDArray[np.uint64]]
    writes: dict[str, NDArray[np.uint64]]
    t_request: NDArray[np.int64]
    t_result: NDArray[np.int64]
    machine: Replay
    counted: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def cycles(self) -> int:
        """From the first request to the last result, both included."""
        return int(self.t_result.max()) + 1 if len(self.t_result) else 0


@dataclass(frozen=True)
class Requester:
    """How a block is asked: its ``port``, which has a result; bytes of a line of its memory; and ``key``, the
    field by which results belong to requests where their order is not promised. ``told``: each result has an
    event, in their order. ``counted``: streams of counters that are of no port. ``beats``: those of memory
    that may pass before a result, where they are many.
    """

    line_bytes: int
    port: Port = field(default_factory=Port)
    key: str | None = None
    told: bool = False
    counted: tuple[str, ...] = ()
    beats: Callable[[Columns], int] = field(default=lambda columns: 0)

    @property
    def roles(self) -> Roles:
        """What the block's streams are in a replay."""
        return Roles((self.port,), counters=self.counted)

    def replay(
        self,
        cfg: BlockConfig,
        columns: Columns,
        memory: Memory,
        seed: int = 1,
        *,
        rtl_dir: Path | None = None,
        progress: Callable[[int], None] | None = None,
        timing: MemoryTiming | None = None,
        traffic: Traffic | None = None,
        patience: int | None = None,
        plusarg: str | None = None,
    ) -> Rtl:
        """Ask for ``columns`` [n], fields of the request stream, from reset; by default back to back.

        ``seed`` gives the power-up state; ``progress`` is told how many results have come. Raises
        :class:`configs.UserError` for what cannot be built and :class:`tb.common.replay.machine.ReplayError`
        when the RTL stops or answers what was not asked.
        """
        patience = patience or default_patience(timing or cfg.memory, traffic or Traffic())
        patience += self.beats(columns)
        machine = Replay(
            cfg, memory, self.line_bytes, seed=seed, rtl_dir=rtl_dir, roles=self.roles,
            timing=timing, traffic=traffic, patience=patience, plusarg=plusarg,
        )  # fmt: skip
        machine.check_counters()
        request = cfg.streams[self.port.request]
        count = len(columns[request.fields[0].name])
        describe = namer(request, columns)
        rows = Rows(len(cfg.axi_ports))
        work = Work(pack_lanes(request, columns, count), describe=describe)
        for chunk in machine.run(work, tail=quiet(timing or cfg.memory)):
            rows.add(chunk)
            if progress:
                progress(rows.answered)
        return self.folded(cfg, columns, rows, machine)

    def folded(
        self,
        cfg: BlockConfig,
        columns: Columns,
        rows: "Rows",
        machine: Replay,
        number: int = 0,
        first: int | None = None,
    ) -> Rtl:
        """What ``rows`` say of port ``number``; cycles count from ``first``, or from the first request on."""
        t_request = rows.joined("request_cycle").astype(np.int64)
        t_result = rows.joined("result_cycle").astype(np.int64)
        results = unpacked(cfg, self.port.result, rows.joined("results"))
        events = unpacked(cfg, self.port.event, rows.joined("events"))
        if self.key:
            order = self._order(cfg, columns, results)
            results, t_result = {name: column[order] for name, column in results.items()}, t_result[order]
            if self.told and all(len(column) == len(order) for column in events.values()):
                events = {name: column[order] for name, column in events.items()}
        if first is None:
            first = int(t_request[0]) if len(t_request) else 0
        reads, writes = (
            {prefix: np.concatenate(parts[n]) for n, prefix in enumerate(cfg.axi_ports)}
            for parts in (rows.reads, rows.writes)
        )
        counters = machine.counters(number) if self.port.counters else {}
        numbers = map(machine.roles.counted.index, self.counted)
        counted = {
            stream: machine.counters(index) for stream, index in zip(self.counted, numbers, strict=True)
        }
        stamps = t_request - first, t_result - first
        return Rtl(results, counters, events, reads, writes, *stamps, machine, counted)

    def _order(self, cfg: BlockConfig, columns: Columns, results: Columns) -> NDArray[np.int64]:
        assert self.key
        try:
            return match_by_key(columns[self.key], results[self.key])
        except ValueError as error:
            raise ReplayError(f"{cfg.name}: {self.port.result}, by {self.key}: {error}") from None

    def check(self, cfg: BlockConfig, columns: Columns, model: Model, rtl: Rtl) -> list[Mismatch]:
        """All that the model says and the RTL did otherwise."""
        describe = namer(cfg.streams[self.port.request], columns)
        expected, got = alike(model.results, rtl.results)
        mismatches = compare_records(expected, got, describe)
        if model.events:
            expected, got = alike(model.events, rtl.events)
            least = min(len(expected), len(got))
            mismatches += compare_records(expected[:least], got[:least], "event {}".format)
            mismatches += compare_counters({"events": len(expected)}, {"events": len(got)})
        for what in ("reads", "writes"):
            for prefix, addresses in getattr(model, what).items():
                name = f"address of {prefix}'s {what}, number"
                mismatches += compare_sequences(name, addresses, getattr(rtl, what)[prefix])
        if model.memory:
            memory = model.memory
            mismatches += compare_memory(memory.line, memory.written, self.line_bytes, rtl.machine)
        mismatches += compare_counters(named(model.counted), named(rtl.counted))
        return [*mismatches, *compare_counters(model.counters, rtl.counters)]


class Rows:
    """What chunks say of a port, one after the other."""

    def __init__(self, axi_ports: int, port: int = 0) -> None:
        self._port = port
        self._parts: dict[str, list[NDArray[Any]]] = {}
        self.reads: list[list[NDArray[np.uint64]]] = [[] for _ in range(axi_ports)]
        self.writes: list[list[NDArray[np.uint64]]] = [[] for _ in range(axi_ports)]
        self.answered = 0

    def add(self, chunk: Chunk) -> None:
        """A chunk more, which is copied."""
        port = chunk.ports[self._port]
        for name, array in vars(port).items():
            self._parts.setdefault(name, []).append(array.copy())
        for reads, writes, bursts in zip(self.reads, self.writes, chunk.axi, strict=True):
            reads.append(bursts.reads.copy())
            writes.append(bursts.writes.copy())
        self.answered += len(port.results)

    def joined(self, name: str) -> NDArray[Any]:
        """A field of :class:`PortChunk`, of all chunks."""
        return np.concatenate(self._parts[name])


def unpacked(cfg: BlockConfig, stream: str | None, words: Lanes) -> Columns:
    """Each field of the words [n, lanes] of a stream; nothing without one."""
    if stream is None:
        return {}
    fields = cfg.streams[stream].fields
    return {field.name: unpack_lanes(cfg.streams[stream], words, field.name) for field in fields}


def named(counted: Mapping[str, dict[str, int]]) -> dict[str, int]:
    """Counters of several streams, each with its stream's name."""
    return {f"{stream} {name}": count for stream, own in counted.items() for name, count in own.items()}


def namer(stream: Stream, columns: Columns) -> Callable[[int], str]:
    """Names a request by its number and fields."""

    def name(index: int) -> str:
        values = ", ".join(f"{field.name} {int(columns[field.name][index])}" for field in stream.fields)
        return f"{stream.name} {index} ({values})"

    return name


def alike(model: Columns, rtl: Columns) -> tuple[NDArray[Any], NDArray[Any]]:
    """The model's columns, and the same ones of the RTL, as records of one type."""
    kind = np.dtype([(name, rtl[name].dtype, rtl[name].shape[1:]) for name in model])
    return records(kind, model), records(kind, rtl)
