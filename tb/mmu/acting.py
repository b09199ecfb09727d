# SPDX-License-Identifier: Apache-2.0
"""Who makes operations happen at the ports of ``mmu``, for the test ``coincidences``."""

from collections.abc import Callable

from numpy.random import Generator

from tb.common.components.acting import Actor, Offering
from tb.common.components.agent import StreamAgent
from tb.common.components.stream import WordDriver
from tb.mmu.axi_lite import AxiLiteMaster
from tb.mmu.control import ControlMaster
from tb.mmu.operations import event

MOST = 0.8  # share


class Register:
    """A channel of an AXI4-Lite port, on which the master offers or takes."""

    def __init__(self, master: AxiLiteMaster, channel: str) -> None:
        stream = master.port.channels[channel]
        self.name, self.clock, self._master, self._channel = stream.name, stream.clock, master, channel

    def hold(self) -> None:
        self._master.stop(self._channel)

    def loaded(self) -> bool:
        return self._master.loaded(self._channel)

    def go(self) -> None:
        self._master.let_go(self._channel)


class ReplacingDriver(WordDriver):
    """Offers another word in the place of its next one if it is told to (:meth:`replace`)."""

    replaced = False  # the word that comes next

    def replace(self, word: int) -> None:
        """Offer ``word``, once."""
        self._give(word)
        self.replaced = True

    def lose(self) -> None:
        """A reset begins: what it interrupts comes again as its item has it."""
        if self.replaced and self._pending and not self.loaded:
            self._give(self._word)
            self.replaced = False

    def _advance(self) -> bool:
        self.replaced = False
        return super()._advance()

    def _give(self, word: int) -> None:
        self._engine.call("replace", self._number, word.to_bytes(self._bytes, "little"))


class Asking(Offering):
    """An operation that is asked for on a stream of requests: mostly once nothing is under way there any more
    (``busy``), for which it is to be ``alone``; else behind what is.
    """

    def __init__(
        self, agent: StreamAgent, name: str, word: Callable[[], int], busy: Callable[[], bool], rng: Generator
    ) -> None:
        super().__init__(agent)
        self.name, self._replacing, self._word = event(agent.stream.name, name), agent.driver, word
        self._busy, self._rng, self.alone = busy, rng, False

    def hold(self) -> None:
        super().hold()
        self.alone = bool(self._rng.random() < MOST)

    def loaded(self) -> bool:
        assert isinstance(self._replacing, ReplacingDriver)
        if not super().loaded() or (self.alone and self._busy()):
            return False
        if not self._replacing.replaced:
            self._replacing.replace(self._word())
        return True

    def go(self) -> None:
        self.alone = False
        super().go()


class Accessing(Register):
    """An operation that is asked for on a channel of the control port; ``start`` begins such an access, so
    many cycles later.
    """

    def __init__(
        self, master: ControlMaster, channel: str, name: str, start: Callable[[int], object]
    ) -> None:
        super().__init__(master, channel)
        self.name = event(self.name, name)
        self._control, self._what, self._start = master, (channel, name), start

    def hold(self) -> None:
        self._control.catch = self._what
        self._start(0)

    def loaded(self) -> bool:
        return self._control.caught and self._control.answered

    def go(self) -> None:
        """See :class:`Actor`; what a reset has lost is asked for again."""
        if self._control.catch == self._what and not self._control.caught:
            self._start(1)
        self._control.catch = None
        super().go()


class Staying:
    """A word that waits, because ``held`` is; ``soon``: it may come at any time."""

    def __init__(self, name: str, held: Actor, soon: bool = False) -> None:
        self.name, self.clock, self.held, self._soon = name, held.clock, held, soon

    def hold(self) -> None:
        self.held.hold()

    def loaded(self) -> bool:
        return self._soon or self.held.loaded()

    def go(self) -> None:
        """It happens as it is."""
