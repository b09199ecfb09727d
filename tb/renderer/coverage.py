# SPDX-License-Identifier: Apache-2.0
"""Samples functional coverage of ``renderer``: words with what became of them, bursts, waits, resets."""

from functools import partial
from typing import Any

from pyuvm import uvm_subscriber

from configs.depth import OPS
from configs.renderer.schema import TEXUNIT, Config
from configs.texunit.schema import FORMAT_WORDS
from tb.common.components.axi.handshake import BurstEvent
from tb.common.components.axi.rules import AxiRules
from tb.common.components.bench import KEY, Bench
from tb.common.components.transactions import AnalysisImp, Observation
from tb.common.coverage.bins import WAITS, Counters, bucket_name
from tb.renderer import plan
from tb.renderer.reference import RendererReference, Word


def share(part: int, whole: int) -> str:
    """Of the pixels ``whole``, how many ``part`` has."""
    return plan.SHARES[2 if part == whole else int(part != 0)]


class RendererCoverage(uvm_subscriber):
    """Counts into the bins of :mod:`tb.renderer.plan`."""

    def build_phase(self) -> None:
        self.waits = {
            name: AnalysisImp(f"{name}_wait", self, partial(self._waited, name)) for name in plan.STREAMS
        }
        self.reads = AnalysisImp("reads", self, partial(self._asked, 1))
        self.lines = AnalysisImp("lines", self, partial(self._asked, -1))
        self.bench: Bench = self.cdb_get(KEY)
        self.cfg: Config = self.bench.cfg
        self.counters = Counters(plan.plan(self.cfg))
        self._forget()

    def _forget(self) -> None:
        self._before: str | None = None
        self._open = [0, 0]  # reads on their way, by master

    def master(self, event: BurstEvent) -> int:
        """Whose a burst is."""
        return int(event.burst.id >> self.cfg.axi.inner_id_bits)

    def reset(self, reference: RendererReference, rules: AxiRules) -> None:
        """A reset meets this. To be called before all forget."""
        met = [
            reference.owed > 0, reference.in_flight > 0 and not reference.owed, self._open[TEXUNIT] > 0,
            self._open[1 - TEXUNIT] > 0, rules.writes.outstanding > 0,
        ]  # fmt: skip
        for name, so in zip(plan.MET[1:], met, strict=True):
            if so:
                self.counters.hit("reset", name)
        if not any(met):
            self.counters.hit("reset", plan.MET[0])
        self._forget()

    def _waited(self, stream: str, transfer: Observation) -> None:
        self.counters.hit(f"{stream} wait", bucket_name(transfer.waited, WAITS))
        if stream == "tex":
            state = self.cfg.streams["tex"].unpack(transfer.word)
            kind = ("nearest", "bilinear")[state["bilinear"]]
            self.counters.hit("format", f"{FORMAT_WORDS[state['format']]}/{kind}")

    def _asked(self, step: int, event: BurstEvent) -> None:
        master = self.master(event)
        if step > 0:
            both = "both" if self._open[1 - master] else "alone"
            self.counters.hit("open", f"{plan.MASTERS[master]}/{both}")
        self._open[master] = max(0, self._open[master] + step)

    def write(self, tt: Word) -> None:
        """A word with its result."""
        hit, op = self.counters.hit, OPS[tt.fields["op"]]
        if self._before is not None:
            hit("after", f"{self._before}/{op}")
        self._before = op
        assert tt.tested is not None
        if tt.is_tile:
            self._tile(tt, tt.tested)
        elif tt.tested.failed:
            hit("error", "a barrier's writes")

    def _tile(self, tt: Word, tested: Any) -> None:
        hit, mask = self.counters.hit, tt.fields["mask"]
        hit("quads", str(sum(1 << number for number in tt.covered)))
        for valid in tt.covered.values():
            hit("valid", str(valid))
        if tt.states:
            count = len(set(tt.states))
            hit("states", str(count) if count < 3 else "3+")
        failed = "both" if tested.failed and tt.failed else "a tile's line" if tested.failed else "a texel"
        if tested.failed or tt.failed:
            hit("error", failed)
        if tt.failed:
            which = "all" if all(tt.failures) else "the last" if tt.failures[-1] else "not the last"
            hit("failed quads", which)
        live = mask & ~tt.discarded
        if tt.fields["test"] and live and not tested.failed:
            hit("passed", share(tested.passed, live))
        if self.cfg.early:
            hit("hidden", str(sum(1 << number for number in tt.hidden)))
        elif mask:
            hit("discarded", share(tt.discarded, mask))
