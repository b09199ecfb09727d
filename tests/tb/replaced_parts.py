# SPDX-License-Identifier: Apache-2.0
"""Tests that put other parts into the texture cache's environment by the factory; one that waits in vain.

``test_factory.py`` runs them; a simulator imports this module.
"""

from cocotb.triggers import Event
from pyuvm import uvm_factory

from tb.common.components.agent import StreamMonitor
from tb.common.components.counters import CounterChecker
from tb.common.components.stream import StreamDriver
from tb.common.components.testcase import testcase
from tb.common.components.transactions import Observation
from tb.texcache.base import TexcacheSequence, TexcacheTest
from tb.texcache.sequences import Distribution
from tb.texcache.tests.smoke import Smoke

SLOW_GAP = 3  # idle cycles between words
FORGOTTEN = 7  # the transfer that a monitor forgets


class FickleDriver(StreamDriver):
    """Changes a word while it waits, against the rules of a stream."""

    def keep(self, word: int) -> None:
        """Another word."""
        self.put(word ^ 1)


class WithdrawingDriver(StreamDriver):
    """Takes a word back while it waits, against the rules of a stream."""

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


@testcase()
class WithFickleDriver(TexcacheTest):
    """Requests change while they wait: their monitor must say so."""

    sequence = Smoke

    def build_phase(self) -> None:
        """One driver is another one."""
        uvm_factory().set_inst_override_by_type(StreamDriver, FickleDriver, "uvm_test_top.env.req.driver")
        super().build_phase()


@testcase()
class WithWithdrawingDriver(TexcacheTest):
    """Requests are taken back while they wait: their monitor must say so."""

    sequence = Smoke

    def build_phase(self) -> None:
        """One driver is another one."""
        path = "uvm_test_top.env.req.driver"
        uvm_factory().set_inst_override_by_type(StreamDriver, WithdrawingDriver, path)
        super().build_phase()


@testcase()
class WithSlowDrivers(TexcacheTest):
    """All drivers pause; all is well."""

    sequence = Smoke

    def build_phase(self) -> None:
        """All drivers are other ones."""
        uvm_factory().set_type_override_by_type(StreamDriver, SlowDriver)
        super().build_phase()


@testcase()
class WithForgetfulMonitor(TexcacheTest):
    """A result is not seen: the scoreboard must miss it."""

    sequence = Smoke

    def build_phase(self) -> None:
        """One monitor is another one."""
        path = "uvm_test_top.env.res.monitor"
        uvm_factory().set_inst_override_by_type(StreamMonitor, ForgetfulMonitor, path)
        super().build_phase()


class WaitForNothing(TexcacheSequence):
    """Waits for a result that nobody asked for."""

    async def traffic(self) -> None:
        """It never comes."""
        await self.transfer("res")


@testcase()
class WithoutRequests(TexcacheTest):
    """A sequence waits in vain: the watchdog must say so."""

    sequence = WaitForNothing


class NeverEnd(TexcacheSequence):
    """All is answered, and the sequence waits for something else."""

    async def traffic(self) -> None:
        """It never comes."""
        await self.send(Distribution().draw(self.cfg, self.rng, 4))
        await self.settle()
        await Event().wait()


@testcase()
class WithoutEnd(TexcacheTest):
    """A sequence waits in vain though nothing is owed: the watchdog must say so."""

    sequence = NeverEnd


class UnknownCounter(CounterChecker):
    """Shows a counter of which nobody knows, and none of one that has its reason."""

    def build_phase(self) -> None:
        """One is named that there is not."""
        super().build_phase()
        self.unwitnessed = {"hits": "no reason"}

    def counters(self) -> dict[str, int]:
        """One more."""
        return {**super().counters(), "ghost_cycles": 0}


@testcase()
class WithUnknownCounter(TexcacheTest):
    """A counter without a witness, and a witness of one that should have none."""

    sequence = Smoke

    def build_phase(self) -> None:
        """The checker is another one."""
        uvm_factory().set_type_override_by_type(CounterChecker, UnknownCounter)
        super().build_phase()


class DoNothing(TexcacheSequence):
    """Ends before anything has been asked."""

    async def traffic(self) -> None:
        """Nothing."""


@testcase()
class WithoutTraffic(TexcacheTest):
    """A sequence asks for nothing: that is no pass."""

    sequence = DoNothing


@testcase()
class WithoutOverrides(TexcacheTest):
    """After the others: their overrides are gone."""

    sequence = Smoke
