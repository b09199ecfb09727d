# SPDX-License-Identifier: Apache-2.0
"""What the tests of ``trilinear`` share: the table at the start, and short words for requests."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.trilinear.schema import BILINEAR, HALVES, INVALIDATE, TABLE, TRILINEAR, Config
from models.memory import Memory
from models.trilinear import REQUEST, TrilinearModel
from tb.common.components.base_test import BaseTest
from tb.common.components.pacing import ALWAYS, Pacing
from tb.common.components.packing import columns, pack_words
from tb.common.components.requests import RequestSequence, latencies
from tb.common.components.stream import StreamItem
from tb.common.components.transactions import Observation
from tb.texcache.sequences import random_table
from tb.trilinear.env import TrilinearEnv
from tb.trilinear.items import table_requests


class TrilinearTest(BaseTest):
    """Starts a virtual sequence on the environment of ``trilinear``."""

    env_class = TrilinearEnv


class TrilinearSequence(RequestSequence):
    """Writes a random table first, unless nothing is to happen (``silent``)."""

    test_class = TrilinearTest
    cfg: Config

    async def pre_body(self) -> None:
        """The whole table, so that no entry is read that was not written."""
        if not self.silent:
            self.table = random_table(self.cfg.half, self.rng)
            await self.send_records(table_requests(self.cfg, self.table))
            await self.settle()

    def model(self, memory: Memory) -> TrilinearModel:
        """A model of its own, with the table that the design has now, and nothing cached."""
        model = TrilinearModel(self.cfg, memory)
        for name in HALVES:
            model.halves[name].lut[:] = self.env.reference.model.halves[name].lut
        return model

    def foreseen(self, requests: Any) -> NDArray[Any]:
        """RESULT array [n] of a REQUEST array [n], or of a list of records, on an empty cache."""
        return self.model(Memory(1)).replay(np.array(requests, REQUEST))

    @property
    def smallest(self) -> tuple[int, int]:
        """The two smallest levels: each is a single line, and they are in different halves."""
        return self.cfg.last_level - 1, self.cfg.last_level

    def matched(self, half: str) -> list[Observation]:
        """Addresses of a half that memory took, as expected, since reset."""
        return self.env.scoreboard.by_name[f"{half}_fill"].matched

    def lines(self, requests: NDArray[Any]) -> NDArray[Any]:
        """See :meth:`RequestSequence.lines`: one of each sample, which its id chooses; else 0."""
        results = self.foreseen(requests)
        odd = np.where(results["needs"] == 3, requests["id"] & 1, results["needs"] >> 1).astype(bool)
        valid, lines = (
            np.where(odd[:, None], results["odd"][name], results["even"][name]) for name in ("valid", "line")
        )
        used_first = np.argsort(valid == 0, axis=1, kind="stable")
        which = (requests["id"] >> 1).astype(np.int64) % np.maximum(valid.sum(axis=1, dtype=np.int64), 1)
        slots = np.take_along_axis(used_first, which[:, None], axis=1)
        chosen: NDArray[Any] = np.take_along_axis(lines, slots, axis=1)[:, 0]
        return chosen.astype(np.int64)

    async def send(self, requests: Any, pacing: Pacing = ALWAYS) -> None:
        """Announce and send a REQUEST array [n] or a list of records; returns when the last was taken."""
        await self.send_records(np.array(requests, REQUEST), pacing)

    async def send_spaced(self, requests: list[Any], gaps: list[int]) -> None:
        """Announce and send records, with so many idle cycles before each."""
        self.env.scoreboard.announce("res", len(requests))
        words = pack_words(self.cfg.streams["req"], columns(np.array(requests, REQUEST)))
        await self.play("req", StreamItem("req", words, gaps))

    async def results(self, *requests: Any) -> NDArray[Any]:
        """Send requests in a row; their RESULT records [n], once they are compared."""
        responses = await self.answers(self.send(list(requests)))
        return np.concatenate([response.results for response in responses])[-len(requests) :]

    async def cycles_of(self, *requests: Any) -> list[int]:
        """Cycles from each request to its result, of requests in a row."""
        return latencies(await self.answers(self.send(list(requests))))[-len(requests) :]


def sample(
    level: int,
    at: tuple[int, int],
    then: tuple[int, int] | None = None,
    tex: int = 0,
    number: int = 0,
    modes: tuple[int, int] = (0, 0),
) -> Any:
    """A bilinear sample of ``level``, or with ``then``, its place in the next level, a trilinear one."""
    op, (u1, v1) = (BILINEAR, (0, 0)) if then is None else (TRILINEAR, then)
    return op, tex, level, *modes, *at, u1, v1, 0, number


def write(tex: int, level: int, line: int, number: int = 0) -> Any:
    """A change of the table."""
    return TABLE, tex, level, 0, 0, 0, 0, 0, 0, line, number


def invalidate(number: int = 0) -> Any:
    """All lines are forgotten."""
    return INVALIDATE, 0, 0, 0, 0, 0, 0, 0, 0, 0, number
