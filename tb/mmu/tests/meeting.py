# SPDX-License-Identifier: Apache-2.0
"""The test ``coincidences``: both sides, memory, the control port, and the operations of all of them."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import Any

import cocotb
import numpy as np
from cocotb.task import Task
from numpy.typing import NDArray
from pyuvm import uvm_factory

from configs.dcache.schema import CLEAN, LOAD, STORE
from configs.mmu.registers import COMMANDS
from configs.mmu.schema import Config
from configs.simt import POLICIES
from models.dcache import by_lane
from tb.common.components import aiming
from tb.common.components.acting import Actor, Channel, Taking
from tb.common.components.aiming import CHUNK, FAILING, SOON, Aim, PoolAiming
from tb.common.components.axi.bursts import OKAY
from tb.common.components.packing import columns, pack_words
from tb.common.components.stream import StreamDriver
from tb.common.components.testcase import testcase
from tb.common.coverage import coincidences as waived_pairs
from tb.common.coverage import meetings
from tb.dcache.items import Distribution as DcacheDistribution
from tb.mmu.acting import MOST, Accessing, Asking, Register, ReplacingDriver, Staying
from tb.mmu.base import MmuSequence, MmuTest
from tb.mmu.control import OPERATIONS
from tb.mmu.items import Distribution
from tb.mmu.operations import ASKED, by_stream, event
from tb.mmu.sides import SIDES
from utils.keys import ROOT

NOWHERE = 0x200  # no register
SHOWN = ("state", "icache_perf", "dcache_perf", "perf", "base")  # read without a cache
#: what is written at random, as often as it is here
WRITTEN = (*12 * ("base",), *6 * ("",), *OPERATIONS["w"])
KEEPING = ("base", "")  # the same while lines are to stay dirty
LONG = 1024  # cycles
PATIENT = 100  # cycles that what is aimed at again is waited for
PASSES = 8  # at most, in which what has not met is aimed at
FEW = 6  # aims while lines that memory refuses are dirty
HALF = 0.5  # share
CLOSED = 0.05  # share of what is left that a pass must close, or it was the last
REFUSED = "m_axi_b error"
RESETS = {meetings.RESET, meetings.RELEASE}
BESIDE = Distribution(data=DcacheDistribution(states=0.0, policies=0.0, uncached=1.0), shared=0.0)
DIRTYING = Distribution(
    data=DcacheDistribution(sets=2, tags=0, stores=1.0, full=1.0, uncached=0.0), shared=0.0
)


def clearing(cfg: Config) -> int:
    """Cycles in which sets and rows are cleared after a reset."""
    return max(cfg.icache.cache.sets, cfg.dcache.cache.sets, cfg.data_ram.rows)


class MeetingTest(MmuTest):
    """Operations are offered in place of other requests."""

    def build_phase(self) -> None:
        uvm_factory().set_type_override_by_type(StreamDriver, ReplacingDriver)
        super().build_phase()


class MmuAiming(PoolAiming, MmuSequence):
    """Requests of both sides, and operations of the control port."""

    test_class = MeetingTest
    times, reset_times = 2, 2
    written = WRITTEN
    fencing = False  # a fence is to be taken, or under way

    @property
    def clearing(self) -> int:
        return clearing(self.cfg)

    async def meet(self) -> None:
        """All pairs; then, again and again, those that have not met."""
        self.env.reference.follows = True
        self.accesses = {"w": 0, "ar": 0}  # under way: writes, and reads of a status
        self.started: list[Task[None]] = []  # operations that are aimed at
        self.operations: dict[str, Actor] = {}
        await aiming.coincidences(self)
        if self.clearing > SOON:
            return
        self.operations = {
            event(stream, name): self._operation(stream, name)
            for stream, names in by_stream(self.cfg).items()
            for name in names
        }
        self.events = self._events()
        self.patience = max(self.patience, PATIENT)  # type: ignore[misc]
        unmet = self._unmet()
        for _ in range(PASSES):
            await self._again_at(unmet)
            before, unmet = len(unmet), self._unmet()
            if len(unmet) > (1 - CLOSED) * before or not unmet:
                return

    def sending(self) -> list[Callable[[], Awaitable[None]]]:
        """See :meth:`Aiming.sending`: neither side waits for the other."""
        requests = [partial(self.some, side) for side in SIDES]
        return [*requests, self.writes, self.writes, self.reads, self.reads]

    async def some(self, side: str) -> None:
        """A few requests of one side."""
        await self.send(side, self.rng.choice(self.pool[side], CHUNK))

    @property
    def calm(self) -> bool:
        """Whether an operation that is aimed at needs the cache's time."""
        return any(isinstance(actor, Asking) and actor.alone for actor in self.operations.values())

    def _busy(self, side: str) -> bool:
        """Whether a side has something to do, but for an operation of the control port that is held back."""
        under_way = sum(self.accesses.values()) - (self.env.control.catch is not None)
        return self.env.reference.sides[side].in_flight > 0 or under_way > 0

    async def after_round(self) -> None:
        """See :meth:`Aiming.after_round`: no line is left that memory failed."""
        await self.operate("flush")
        await self.settle()

    async def writes(self) -> None:
        """An operation, or what is refused; nothing while one is aimed at, which would have to wait."""
        if self.env.control.catch is not None or self.calm:
            await self.clocking.cycles(1)
            return
        name = self.written[self.rng.integers(len(self.written))]
        if name:
            await self.operate(name)
            return
        self.accesses["w"] += 1
        response = await self.env.control.write(NOWHERE, 0)
        self.accesses["w"] -= 1
        self.expect("refused", True, response is None or response != OKAY)

    async def reads(self) -> None:
        """A counter, or a status, or what is refused; see :meth:`writes`."""
        if self.calm:
            await self.clocking.cycles(1)
            return
        names = [*SHOWN, "", *OPERATIONS["ar"]]
        name = names[self.rng.integers(len(names))]
        if name in OPERATIONS["ar"]:
            await self.operate(name)
        elif name:
            await self.read(name)
        else:
            access = await self.env.control.read(NOWHERE)
            self.expect("refused", True, access is None or access.response != OKAY)

    async def operate(self, name: str) -> None:
        """An operation of the control port; the reference looks on. A fence goes when the place of its clean
        is known (:class:`MmuReference`), and whatever might change that waits.
        """
        while self.fencing:
            await self.clocking.cycles(1)
        if name in OPERATIONS["ar"]:
            self.accesses["ar"] += 1
            await self.read(name)
            self.accesses["ar"] -= 1
            return
        fences = name == "fence"
        if fences:
            self.fencing = True
            while any(self.accesses.values()):
                await self.clocking.cycles(1)
            self.env.reference.flush()
            name = "clean" if self.env.reference.owed else name
        self.accesses["w"] += 1
        await self._write(name)
        self.accesses["w"] -= 1
        if fences:
            self.fencing = False

    async def _write(self, name: str) -> None:
        cfg, rng = self.cfg, self.rng
        if name in COMMANDS:
            await self.write("command", list(COMMANDS).index(name))
        elif name == "base":
            await self.write(name, self._base(), int(rng.integers(cfg.icache.blocks)))
        else:
            await self.write(name, int(rng.integers(len(POLICIES))))

    def _base(self) -> int:
        """An address near the others."""
        cache = self.cfg.icache.cache
        return int(self.rng.integers(3)) << cache.offset_bits + cache.set_bits

    def _word(self, stream: str, name: str) -> int:
        """A request for an operation."""
        side = stream.removesuffix("_req")
        request = self.rng.choice(self.pool, 1)[side]
        request["op"] = ASKED[stream][name]
        operand = "pc" if side == "icache" else "addr0"
        request[operand] = self._base() if name == "base" else self.rng.integers(len(POLICIES))
        [word] = pack_words(self.cfg.streams[stream], columns(request))
        return word

    def _events(self) -> dict[str, Actor]:
        """Who makes each event happen; of an error the one of the transfer."""
        by_name: dict[str, Any] = {actor.name: actor for actor in self.actors}
        control = self.env.control
        by_name |= self.operations
        for name, by in (("aw", "w"), ("w", "aw"), ("ar", "r")):
            prefix = control.port.prefix
            word, other = by_name[f"{prefix}_{name}"], by_name[f"{prefix}_{by}"]
            by_name[f"{word.name} waits"] = Staying(f"{word.name} waits", other)
        for actor in self.actors:
            if isinstance(actor, Taking | Channel | Register):
                by_name.setdefault(f"{actor.name} waits", Staying(f"{actor.name} waits", actor))
        return by_name

    def _operation(self, stream: str, name: str) -> Actor:
        if stream in ASKED:
            busy = partial(self._busy, stream.removesuffix("_req"))
            word = partial(self._word, stream, name)
            return Asking(self.env.agents[stream], name, word, busy, self.rng)
        channel = stream.removeprefix(f"{self.env.control.port.prefix}_")
        return Accessing(self.env.control, channel, name, partial(self._start, name))

    def _start(self, name: str, after: int) -> None:
        self.started.append(cocotb.start_soon(self._later(name, after)))

    async def _later(self, name: str, after: int) -> None:
        if after:
            await self.clocking.cycles(after)
        await self.operate(name)

    async def _round(self, due: Sequence[Aim]) -> None:
        """See :class:`Aiming`; all is at rest when the operations of its aims are done, too."""
        await super()._round(due)
        while self.started:
            await self.started.pop()
        await self.settle()

    def _unmet(self) -> list[str]:
        """What has not met, and is not waived."""
        mine = waived_pairs.waivers(ROOT / "tb" / self.cfg.block / waived_pairs.FILE)
        waived = [waiver for waiver in mine if waiver.applies(self.cfg)]
        return waived_pairs.judge(self.env.coincidences(), waived).holes

    async def _again_at(self, unmet: list[str]) -> None:
        """Aim at each once: first while all is well, then while memory fails, then while it refuses lines."""
        refused = [name for name in unmet if REFUSED in name]
        failing = [name for name in unmet if "error" in name and name not in refused]
        well = [name for name in unmet if "error" not in name]
        self._kind = self.kinds[0]
        for names, fail in ((well, None), (failing, self.fail_many)):
            if names:
                await self.operate("invalidate_icache")
                await self._failing(names, fail)
        last = [name for name in refused if "INVALIDATE" in name or RESETS & {*name.split()}]
        others = [name for name in refused if name not in last]
        pool, stale = self.pool, self.stale
        for part in (
            *_parts(others, FEW),
            *_parts(last, 1),
        ):  # behind the last ones nothing is dirty any more
            await self._dirty()
            self.pool, self.written, self.stale = self._cleaning(), KEEPING, 0.0  # type: ignore[misc]
            await self._failing(part, self.refuse)
            self.pool, self.written, self.stale = pool, WRITTEN, stale  # type: ignore[misc]

    async def _failing(self, names: list[str], fail: Callable[[], None] | None) -> None:
        """A round of aims."""
        if fail is not None:
            fail()
        order = self.rng.permutation(len(names))
        self._tries = dict.fromkeys((actor.name for actor in self.events.values()), 0)
        await self._round([self._aim_at(names[number]) for number in order])
        self.env.heal()
        await self.after_round()

    def _aim_at(self, name: str) -> Aim:
        """What may bring a pair about."""
        later = " > " in name
        first, second = (
            None if part in RESETS else self.events[part.removesuffix(" error")]
            for part in name.split(" > " if later else " = ")
        )
        if later and isinstance(second, Staying) and self.rng.random() < HALF:
            second = Staying(second.name, second.held, soon=True)
        return Aim(first, second, int(later))

    def fail_many(self) -> None:
        """Memory fails most lines. The design is idle."""
        lines = np.unique(self.lines(self.pool))
        self.env.poison(lines[self.rng.random(len(lines)) < MOST].tolist())

    async def _dirty(self) -> None:
        """Store to each line of some that fit into the data cache."""
        self._dirtying = DIRTYING.accesses(self.cfg, self.rng, 4 * self.cfg.dcache.cache.ways)
        self._dirtying["op"] = STORE
        await self.send("dcache", self._dirtying)
        self._beside = BESIDE.accesses(self.cfg, self.rng, len(self._dirtying))
        await self.settle()

    def refuse(self) -> None:
        """Memory fails these lines, and some of those that are fetched. The design is idle."""
        region = self.env.reference.model.region_bytes
        data = np.unique(by_lane(np.concatenate([self._dirtying, self._beside]), "addr") // region)
        code = np.unique(self.pool["icache"]["pc"] // region)
        self.env.poison([*data.tolist(), *code[self.rng.random(len(code)) < FAILING].tolist()])

    def _cleaning(self) -> NDArray[Any]:
        """Pairs like those of the pool, whose accesses stay in dirty lines, and clean them; or they replace
        these, or go beside the cache: memory refuses such writes while other requests are taken.
        """
        pairs, data = self.pool.copy(), self.cfg.dcache
        pairs["dcache"] = self.rng.choice(self._dirtying, len(pairs))
        pairs["dcache"]["op"] = self.rng.choice((LOAD, STORE, CLEAN), len(pairs))
        others = self.pool["dcache"] if data.nonblocking else self._beside if data.uncached_bits else None
        if others is not None:
            beside = self.rng.random(len(pairs)) < HALF
            pairs["dcache"][beside] = self.rng.choice(others, int(beside.sum()))
        return pairs


def _parts(names: list[str], size: int) -> Iterator[list[str]]:
    """In parts of so many at most."""
    for at in range(0, len(names), size):
        yield names[at : at + size]


@testcase(needs=lambda cfg: clearing(cfg) <= LONG, why="sets and rows that are soon cleared after each reset")
async def coincidences(run: MmuAiming) -> None:
    """Each pair of events of the ports is aimed at, in one cycle and one after the other; resets too, and all
    operations of both caches' ports and of the control port.

    Then what has not met is aimed at again, while memory fails, or refuses what is written, if it is about
    that: lines are dirtied before it begins to.
    """
    await run.meet()
