# SPDX-License-Identifier: Apache-2.0
"""Tests that put other parts into the texture cache's environment by the factory; one that waits in vain.

``test_factory.py`` runs them; a simulator imports this module.
"""

from typing import Any

from cocotb.triggers import Event
from pyuvm import uvm_factory

from tb.common.components.agent import StreamMonitor
from tb.common.components.counters import CounterChecker
from tb.common.components.stream import StreamDriver
from tb.common.components.testcase import testcase
from tb.common.components.transactions import Observation
from tb.texcache.base import TexcacheSequence, TexcacheTest
from tb.texcache.sequences import Distribution
from tb.texcache.tests.smoke import smoke

SLOW_GAP = 3  # idle cycles between words
FORGOTTEN = 7  # the transfer that a monitor forgets


class RestlessDriver(StreamDriver):
    """Offers words one by one, and does what is against the rules of a stream while one waits."""

    async def run_phase(self) -> None:
        """See :class:`StreamDriver`."""
        agent: Any = self.get_parent()
        while True:
            item = await self.seq_item_port.get_next_item()
            for word in item.words:
                self.offer(word)
                await self._clocking.cycles(1)
                while agent.monitor.waiting:
                    self.keep(word)
                    await self._clocking.cycles(1)
            self.withdraw()
            self.seq_item_port.item_done()

    def keep(self, word: int) -> None:
        """Called in a cycle in which ``word`` still waits."""


class FickleDriver(RestlessDriver):
    """Changes a word while it waits."""

    def keep(self, word: int) -> None:
        """Another word."""
        self.offer(word ^ 1)


class WithdrawingDriver(RestlessDriver):
    """Takes a word back while it waits."""

    def keep(self, word: int) -> None:
        """No word."""
        self.withdraw()


class SlowDriver(StreamDriver):
    """Pauses before each word."""

    def gap(self, cycles: int) -> int:
        """Longer."""
        return cycles + SLOW_GAP


class ForgetfulMonitor(StreamMonitor):
    """Does not tell of one transfer."""

    published = 0

    def publish(self, transfer: Observation) -> None:
        """All but one."""
        self.published += 1
        if self.published != FORGOTTEN:
            super().publish(transfer)


class UnknownCounter(CounterChecker):
    """Shows a counter without a witness, and none of one that has its reason."""

    def build_phase(self) -> None:
        super().build_phase()
        self.unwitnessed = {"hits": "no reason"}

    def counters(self) -> dict[str, int]:
        return {**super().counters(), "ghost_cycles": 0}


def replaced(original: type, other: type, path: str = "") -> type[TexcacheTest]:
    """A test whose ``original`` parts, or the one at ``path`` of the environment, are ``other``."""

    def build_phase(self: TexcacheTest) -> None:
        factory = uvm_factory()
        if path:
            factory.set_inst_override_by_type(original, other, f"uvm_test_top.env.{path}")
        else:
            factory.set_type_override_by_type(original, other)
        TexcacheTest.build_phase(self)

    return type(other.__name__, (TexcacheTest,), {"build_phase": build_phase})


@testcase(test_class=replaced(StreamDriver, FickleDriver, "req.driver"))
async def with_fickle_driver(run: TexcacheSequence) -> None:
    """Requests change while they wait: their monitor must say so."""
    await smoke(run)


@testcase(test_class=replaced(StreamDriver, WithdrawingDriver, "req.driver"))
async def with_withdrawing_driver(run: TexcacheSequence) -> None:
    """Requests are taken back while they wait: their monitor must say so."""
    await smoke(run)


@testcase(test_class=replaced(StreamDriver, SlowDriver))
async def with_slow_drivers(run: TexcacheSequence) -> None:
    """All drivers pause; all is well."""
    await smoke(run)


@testcase(test_class=replaced(StreamMonitor, ForgetfulMonitor, "res.monitor"))
async def with_forgetful_monitor(run: TexcacheSequence) -> None:
    """A result is not seen: the scoreboard must miss it."""
    await smoke(run)


@testcase(test_class=replaced(CounterChecker, UnknownCounter))
async def with_unknown_counter(run: TexcacheSequence) -> None:
    """A counter without a witness, and a witness of one that should have none."""
    await smoke(run)


@testcase()
async def without_requests(run: TexcacheSequence) -> None:
    """A sequence waits in vain for a result: the watchdog must say so."""
    await run.transfer("res")


@testcase()
async def without_end(run: TexcacheSequence) -> None:
    """A sequence waits in vain though nothing is owed: the watchdog must say so."""
    await run.send(Distribution().draw(run.cfg, run.rng, 4))
    await run.settle()
    await Event().wait()


@testcase()
async def without_traffic(run: TexcacheSequence) -> None:
    """A sequence asks for nothing: that is no pass."""


@testcase()
async def without_overrides(run: TexcacheSequence) -> None:
    """After the others: their overrides are gone."""
    await smoke(run)
