# SPDX-License-Identifier: Apache-2.0
"""Programs on the RTL of ``lpas``, cycle by cycle: PEs go on with the words that the RTL loads.

A PE is the same as on the golden model (:mod:`workloads.lpas.pe`), so nothing but the RTL can make a
difference: accesses, values and cycles must be those of :func:`workloads.lpas.golden.run_golden`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.lpas.schema import FLUSH, OPS, Config
from models.memory import Memory
from tb.common.components.packing import Lanes, pack_lanes, unpack_lanes
from tb.common.replay.machine import Replay, default_patience
from tb.common.replay.traffic import Traffic
from tb.lpas.dialogue import Dialogue
from tb.lpas.replay import roles
from workloads.lpas import pe as pes
from workloads.lpas.assembler import Program
from workloads.lpas.golden import GoldenOutcome, busy, check, due, memory_size, settle, start
from workloads.lpas.pe import ACCESS

STEP = 1000  # cycles at a time without a result
SHOWN = 4  # cycles after which counters show everything
STORES = (1, 3)


class MachineRun:
    """``program`` on the RTL of ``cfg``; ``words`` uint16: memory before.

    :meth:`run` raises :class:`configs.UserError` for a PE that cannot go on and
    :class:`tb.common.replay.machine.ReplayError` for a design that stops.
    """

    def __init__(self, cfg: Config, program: Program, words: NDArray[np.uint16], seed: int = 1) -> None:
        self.cfg, self.program, self.limit = cfg, program, program.limit
        self._words = words
        self.replay = Replay(
            cfg, Memory(image=words.view(np.uint32)), cfg.cache.line_bytes, seed=seed, roles=roles(cfg),
            patience=default_patience(cfg.memory, Traffic()) + self.limit,
        )  # fmt: skip
        self._dialogue, streams = Dialogue(self.replay), cfg.streams
        self._asked, self._answered = (
            [streams[f"{kind}{pe}"] for pe in range(cfg.pes)] for kind in ("req", "res")
        )
        self._state = pes.reset(cfg.pes)
        self._first = self.replay.cycle  # the machine's cycle 0
        self._accesses: list[tuple[int, ...]] = []
        self._due = np.zeros(cfg.pes, np.int64)
        self._taken = [0] * cfg.pes  # cycles in which requests were taken

    def run(self, progress: Callable[[int], None] = lambda cycles: None) -> GoldenOutcome:
        """To the end; ``progress`` is told the cycles."""
        state = self._state
        start(self.program.code, state, self.cfg, self.limit)
        while self._now <= self.limit and busy(state):
            self._cycles()
            progress(self._now)
        accesses = np.array(sorted(self._accesses, key=lambda access: (access[5], access[0])), ACCESS)
        check(self.cfg, self.program, state, np.array(self._taken), accesses)
        cycles = int(state["at"].max()) + 1
        self.replay.idle(SHOWN)
        counters = self.replay.counters()
        flush = self._flush()
        memory = self.replay.read_many(np.arange(len(self._words) // 2)).view(np.uint16)
        return GoldenOutcome(accesses, cycles, int(state["retired"].sum()), flush, counters, memory)

    @property
    def _now(self) -> int:
        return self.replay.cycle - self._first

    def _cycles(self) -> None:
        """Offer what is due, then on to the next acknowledges, or to the next access."""
        count, later = due(self._state, self._now, self._due)
        for number in self._due[:count].tolist():
            pe = self._state[number]
            self._offer(number, int(pe["op"]), int(pe["word"]), int(pe["value"]))
        cycles = min(STEP, later - self._now) if later >= 0 else STEP
        for number, port in enumerate(self._dialogue.go(cycles).ports):
            if len(port.request_cycle):
                self._taken[number] = int(port.request_cycle[-1]) - self._first
            if len(port.results):
                self._complete(number, port.results, int(port.result_cycle[0]) - self._first)

    def _offer(self, pe: int, op: int, word: int, value: int) -> None:
        columns = {"op": [op], "word": [word], "value": [value]}
        self._dialogue.ask(pe, pack_lanes(self._asked[pe], columns, 1)[0])

    def _complete(self, number: int, result: Lanes, cycle: int) -> None:
        entry, stream = self._state[number], self._answered[number]
        value, failed = (int(unpack_lanes(stream, result, name)[0]) for name in ("value", "err"))
        kept = int(entry["value"]) if entry["op"] in STORES else value
        self._accesses.append(
            (number, *(int(entry[name]) for name in ("op", "word")), kept, self._taken[number], cycle, failed,
             int(entry["pc"]))
        )  # fmt: skip
        words = memory_size(self.cfg)
        settle(self.program.code, self._state, number, value, failed, cycle, words, self.limit)

    def _flush(self) -> int:
        """All lines to memory; the cycles that it takes."""
        last = self.cfg.pes - 1
        self._offer(last, FLUSH, 0, 0)
        began = self.replay.cycle
        while self._dialogue.open:
            for port in self._dialogue.go(STEP).ports:
                for cycle in port.result_cycle:
                    done = int(cycle)
        return done - began + 1


def differences(golden: GoldenOutcome, rtl: GoldenOutcome) -> list[str]:
    """What differs, in words; nothing if all is the same."""
    wrong = []
    for name in ("cycles", "instructions", "flush"):
        ours, other = getattr(golden, name), getattr(rtl, name)
        if ours != other:
            wrong.append(f"{name}: the golden model's {ours}, the RTL's {other}")
    rows = min(len(golden.accesses), len(rtl.accesses))
    for row in np.flatnonzero(golden.accesses[:rows] != rtl.accesses[:rows])[:1]:
        wrong.append(f"access {row}: {told(golden.accesses[row])}; of the RTL: {told(rtl.accesses[row])}")
    if len(golden.accesses) != len(rtl.accesses):
        wrong.append(f"accesses: the golden model's {len(golden.accesses)}, the RTL's {len(rtl.accesses)}")
    for name, count in golden.counters.items():
        if count != rtl.counters[name]:
            wrong.append(f"counter {name}: the golden model's {count}, the RTL's {rtl.counters[name]}")
    for word in np.flatnonzero(golden.words != rtl.words)[:1]:
        wrong.append(f"word {word:#x}: the golden model's {golden.words[word]}, the RTL's {rtl.words[word]}")
    return wrong


def told(access: Any) -> str:
    """An access in words."""
    return (
        f"PE {access['pe']}, {OPS[access['op']]} of word {access['word']:#x}, value {access['value']}, "
        f"cycles {access['first']} to {access['done']}"
    )
