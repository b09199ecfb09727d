# SPDX-License-Identifier: Apache-2.0
"""Runs the golden model beside the design, cycle by cycle: what must the pins show, in which cycle?"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_analysis_port

from configs import Stream
from configs.lpas.schema import Config
from models.lpas import LpasModel
from models.lpas.follow import ALL_RESET, BEAT, REQ, RESET, RESPONSE, RUNS, SEEN, Logs
from models.lpas.machine import FAILED, FINE, WRITE
from models.memory import Memory
from tb.common.components.axi.bursts import PLAIN, SLVERR
from tb.common.components.bench import Bench
from tb.common.components.reference import Input, ReferenceModel
from tb.common.components.scoreboard import Expectation
from tb.common.components.transactions import AnalysisImp, Observation

CHANNELS = ("aw", "w", "ar")  # of the AXI port, that the design drives
MOST = 4000  # cycles that the model runs at a time


class LpasReference(ReferenceModel):
    """Takes requests and memory's answers, publishes acknowledges, grants and bursts.

    An expectation's index is the cycle in which its word must be seen. ``logs`` publishes all that the model
    says of a stretch of cycles (:class:`models.lpas.follow.Logs`).
    """

    def build_phase(self) -> None:
        """The model over hashed memory of the test's seed; in reset."""
        self.logs = uvm_analysis_port("logs", self)
        cfg: Config = self.cdb_get("BENCH").cfg
        self.kinds = (*(f"req{pe}" for pe in range(cfg.pes)), "b", "r")
        observed = ("evt",) if cfg.observe else ()
        self.channels = (*(f"res{pe}" for pe in range(cfg.pes)), *observed, *CHANNELS)
        super().build_phase()
        self.bench: Bench
        self.answers = {
            pe: AnalysisImp(f"answer{pe}", self, partial(self._answered, pe)) for pe in range(cfg.pes)
        }
        self.memory = Memory(seed=self.bench.seed & 0xFFFFFFFF)
        self.model = LpasModel(cfg, self.memory)
        self.open = np.zeros(cfg.pes, np.int64)  # requests taken and not acknowledged
        self.checked = 0
        self._request = [cfg.streams[f"req{pe}"] for pe in range(cfg.pes)]
        self.logged: dict[str, Stream] = {}  # how words of AXI channels are packed: set by the environment

    @property
    def in_flight(self) -> int:
        """Requests taken and not acknowledged."""
        return int(self.open.sum())

    def _answered(self, pe: int, _transfer: Observation) -> None:
        self.open[pe] -= 1

    def accept(self, kind: str, transfer: Observation) -> None:
        if kind.startswith("req"):
            self.open[int(kind[3:])] += 1
        super().accept(kind, transfer)

    def _predict_before(self, cycle: int) -> None:
        ready = sorted(entry for entry in self._inputs if entry.cycle < cycle)
        self._inputs = [entry for entry in self._inputs if entry.cycle >= cycle]
        observed = np.array([self._seen(entry) for entry in ready], SEEN)
        while self.model.now < cycle:
            end = min(cycle, self.model.now + MOST)
            part = observed[(observed["cycle"] >= self.model.now) & (observed["cycle"] < end)]
            logs = self.model.follow(part, self._modes(self.model.now, end))
            self.publish(logs)

    def flush(self) -> None:
        """Predict all cycles that have ended; not to be called between the samples of one."""
        self._predict_before(self.bench.clocking.cycle)

    def lose(self) -> None:
        """A reset begins with this cycle."""
        self.flush()

    def reset(self) -> None:
        """Who was not acknowledged never will be; the model's reset comes in its cycles."""
        self.open[:] = 0

    def _modes(self, start: int, end: int) -> NDArray[np.int64]:
        """What each of these cycles was like; before the first reset it is in reset, too."""
        modes = np.full(end - start, RUNS, np.int64)
        clocking, kinds = self.bench.clocking, self.reset_kinds
        modes[: max(0, clocking.resets[0] - start) if clocking.resets else end - start] = ALL_RESET
        for number, begin in enumerate(clocking.resets):
            release = clocking.releases[number] if number < len(clocking.releases) else end
            modes[max(0, begin - start) : max(0, release - start)] = kinds[number]
        return modes

    reset_kinds: list[int]  # of each reset, RESET or ALL_RESET: set by the environment

    def _seen(self, entry: Input) -> tuple[int, ...]:
        word = entry.transfer.word
        if entry.kind in ("b", "r"):
            fields = self.logged[entry.kind].unpack(word)
            value = FAILED if fields["resp"] >= SLVERR else FINE
            beat = entry.kind == "r"
            return entry.cycle, BEAT if beat else RESPONSE, 0, 0, 0, value, fields.get("last", 1)
        pe = int(entry.kind[3:])
        fields = self._request[pe].unpack(word)
        return entry.cycle, REQ, pe, fields["op"], fields["word"], fields["value"], 0

    def publish(self, logs: Logs) -> None:
        """What the model says, as the words of each channel, and the cycles in which they must be seen."""
        self.logs.write(logs)
        self.checked += len(logs.acks)
        # causes before consequences: who was granted, what memory was asked for, what came of it
        if "evt" in self.channels:
            self._events(logs.grants)
        for burst, data in zip(logs.bursts, logs.words, strict=True):
            self._burst(burst, data)
        for pe in np.unique(logs.acks["pe"]):
            acks = logs.acks[logs.acks["pe"] == pe]
            words = acks["value"] | acks["err"] << 16
            self._expect(f"res{pe}", words.tolist(), acks["cycle"].tolist())

    def _expect(self, channel: str, words: list[int], cycles: list[int]) -> None:
        self.expected[channel].write(Expectation(words, cycles))

    def _events(self, grants: NDArray[Any]) -> None:
        stream = self.bench.cfg.streams["evt"]
        for cycle in np.unique(grants["cycle"]):
            fields = dict.fromkeys((field.name for field in stream.fields), 0)
            for grant in grants[grants["cycle"] == cycle]:
                cache = grant["cache"]
                fields |= {f"grant{cache}": 1, f"pe{cache}": grant["pe"], f"hit{cache}": grant["hit"]}
            self._expect("evt", [stream.pack(fields)], [int(cycle) + 1])

    def _burst(self, burst: Any, data: NDArray[np.uint16]) -> None:
        """Address and data of a burst; it begins one cycle before its address is offered."""
        cfg, cycle = self.bench.cfg, int(burst["cycle"])
        beats = 1 if burst["single"] else cfg.beats
        fields = {"addr": int(burst["address"]), "len": beats - 1, "id": int(burst["id"]), "burst": 1}
        fields |= {"size": cfg.axi.strobe_bits.bit_length() - 1, **PLAIN}
        name = "aw" if burst["kind"] == WRITE else "ar"
        self._expect(name, [self.logged[name].pack(fields)], [cycle + 1])
        if name == "ar":
            return
        if burst["single"]:
            strobe, words = 3 << 2 * int(burst["slot"]), np.repeat(data[0], cfg.beat_words)
        else:
            strobe, words = (1 << cfg.axi.strobe_bits) - 1, data
        for beat in range(beats):
            part = words[beat * cfg.beat_words : (beat + 1) * cfg.beat_words]
            value = int.from_bytes(part.astype("<u2").tobytes(), "little")
            fields = {"data": value, "strb": strobe, "last": int(beat == beats - 1)}
            self._expect("w", [self.logged["w"].pack(fields)], [cycle + 2 + beat])

    def counters(self) -> dict[str, int]:
        return self.model.counters


KINDS = {False: RESET, True: ALL_RESET}
