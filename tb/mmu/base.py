# SPDX-License-Identifier: Apache-2.0
"""What the tests of ``mmu`` share: short words for requests of both sides, and for registers."""

from collections.abc import Sequence
from typing import Any

import cocotb
import numpy as np
from numpy.typing import NDArray
from pyuvm import uvm_factory

from configs.dcache.schema import LANES, LOAD, STORE
from configs.icache.schema import FETCH
from configs.mmu.registers import COMMANDS, REGISTERS
from configs.mmu.schema import Config
from models.dcache import REQUEST as ACCESS
from models.icache import REQUEST as FETCH_REQUEST
from tb.common.components.axi.bursts import OKAY, SLVERR
from tb.common.components.base_test import BaseTest
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.packing import columns, pack_words
from tb.common.components.stream import StreamItem
from tb.common.components.virtual_sequence import VirtualSequence
from tb.common.running import settings
from tb.mmu.env import MmuEnv
from tb.mmu.items import Distribution
from tb.mmu.overtaking import OvertakingEnv

WHOLE = 15


class MmuTest(BaseTest):
    """Starts a virtual sequence on the environment of ``mmu``."""

    env_class = MmuEnv

    def build_phase(self) -> None:
        """See :class:`BaseTest`; the environment is the one that fits the configuration."""
        if settings.current().cfg.dcache.nonblocking:
            uvm_factory().set_type_override_by_type(MmuEnv, OvertakingEnv)
        super().build_phase()


class MmuSequence(VirtualSequence):
    """Sends requests of both sides, reads and writes registers."""

    test_class = MmuTest
    cfg: Config
    distribution = Distribution()

    def draw(self, count: int) -> NDArray[Any]:
        """Pairs [count] of requests at random, a ``tb.mmu.items.PAIR`` array."""
        return self.distribution.draw(self.cfg, self.rng, count)

    def lines(self, pairs: NDArray[Any]) -> NDArray[Any]:
        """The line (of ``MmuModel.region_bytes``) [n] that each of pairs [n] needs, of one of both sides."""
        region, fetches, accesses = self.env.reference.model.region_bytes, pairs["icache"], pairs["dcache"]
        lane = self.rng.integers(LANES)
        data = accesses[f"addr{lane}"]
        return np.where(self.rng.random(len(pairs)) < 0.5, fetches["pc"], data) // region

    async def send_records(self, pairs: NDArray[Any], pacing: Pacing = ALWAYS) -> None:
        """Send pairs [n], both sides at once; returns when all were taken."""
        await self.send_both(pairs["icache"], pairs["dcache"], pacing)

    async def send(self, side: str, requests: NDArray[Any], pacing: Pacing = ALWAYS) -> None:
        """Announce and send requests [n] of ``"icache"`` or ``"dcache"``; returns when the last was taken."""
        self.env.scoreboard.announce(f"{side}_res", len(requests))
        words = pack_words(self.cfg.streams[f"{side}_req"], columns(requests))
        await self.play(f"{side}_req", StreamItem(side, words, pacing.gaps(self.rng, len(words))))

    async def send_both(self, fetches: NDArray[Any], accesses: NDArray[Any], pacing: Pacing = ALWAYS) -> None:
        """Send requests of both sides at once; returns when all were taken."""
        other = cocotb.start_soon(self.send("icache", fetches, pacing))
        await self.send("dcache", accesses, pacing)
        await other

    async def served(self, side: str, requests: NDArray[Any]) -> NDArray[Any]:
        """Send requests [n]; the model's results [n] once all is compared."""
        answers = [answer for answer in await self.answers(self.send(side, requests)) if answer.side == side]
        order = np.argsort([taken.cycle for answer in answers for taken in answer.taken])
        return np.concatenate([answer.results for answer in answers])[order]

    async def fetch(self, pc: int, block: int = 0) -> int:
        """Fetch an instruction and compare it; the model's."""
        request = np.zeros(1, FETCH_REQUEST)
        request["op"], request["pc"], request["block"] = FETCH, pc, block
        [result] = await self.served("icache", request)
        return int(result["inst"])

    async def store(self, *words: tuple[int, int]) -> None:
        """Store words at addresses, a lane each, and compare the answer."""
        await self.served("dcache", self.access(STORE, words))

    async def load(self, *addresses: int) -> list[int]:
        """Load words, a lane each; the model's."""
        [result] = await self.served("dcache", self.access(LOAD, [(address, 0) for address in addresses]))
        return [int(word) for word in result["data"][: len(addresses)]]

    def poison(self, regions: Sequence[int]) -> None:
        """Memory fails there, and each fetch with it: with restart at the word in all beats of a line."""
        if self.cfg.icache.early:
            self.env.axi["m_axi"].memory.faults.beat = self.cfg.icache.beats
        self.env.poison(regions)

    @staticmethod
    def access(op: int, words: Sequence[tuple[int, int]]) -> NDArray[Any]:
        """A request [1] of whole words: (address, word) of each lane."""
        request = np.zeros(1, ACCESS)
        request["op"], request["mask"] = op, (1 << len(words)) - 1
        for lane, (address, word) in enumerate(words):
            request[f"addr{lane}"], request[f"data{lane}"], request[f"strobe{lane}"] = address, word, WHOLE
        return request

    async def write(self, name: str, value: int, number: int = 0) -> int | None:
        """Write a register, of several that of ``number``; the response, None if a reset came."""
        response: int | None = await self.env.control.write(REGISTERS[name].address + 4 * number, value)
        return response

    async def read(self, name: str, number: int = 0) -> int | None:
        """Read a register that is there; its value, None if a reset came."""
        access = await self.env.control.read(REGISTERS[name].address + 4 * number)
        if access is None:
            return None
        self.expect(f"response of {name}", OKAY, access.response)
        return int(access.data)

    async def command(self, name: str) -> None:
        """Give a command once all is answered, to the model too, and compare its response (a reset: none)."""
        await self.settle()
        self.env.reference.command = name
        response = await self.write("command", list(COMMANDS).index(name))
        if response is None:
            return
        self.env.reference.command = ""
        failed = self.env.reference.model.command(name)
        self.expect(f"response of {name}", SLVERR if failed else OKAY, response)
