# SPDX-License-Identifier: Apache-2.0
"""Compares results and cache queries, and the cycles that the stages take."""

from collections import deque
from typing import Any

from configs.texunit.schema import Config
from tb.common.components.bench import KEY
from tb.common.components.scoreboard import Scoreboard
from tb.common.components.transactions import Observation

LOD_CYCLES, HIT_CYCLES, REPEAT_CYCLES, FILTER_CYCLES = 11, 8, 1, 8
#: cycles of a miss beside the memory's, from the address handshake to the last beat
MISS_CYCLES = 9
#: cycles of a miss that are no waiting for memory: five until the tags have decided, and that of the answer
LOOKUP_CYCLES = 6


class TexunitScoreboard(Scoreboard):
    """Channels ``res<n>`` and ``evt<n>`` of each unit; stage latencies from its probe."""

    def build_phase(self) -> None:
        """Empty channels."""
        cfg: Config = self.cdb_get(KEY).cfg
        self.channels = tuple(f"{name}{n}" for n in range(cfg.units) for name in ("res", "evt"))
        super().build_phase()
        self.cfg = cfg
        self._quads: dict[tuple[int, int], tuple[Any, ...]] = {}
        self.timed = {"lod": 0, "repeat": 0, "hit": 0, "miss": 0, "filter": 0}
        self.longest = dict.fromkeys(self.timed, 0)
        self.shortest = dict.fromkeys(self.timed, 1 << 30)
        self._forget()

    def _forget(self) -> None:
        units = range(self.cfg.units)
        self._lod = [deque[int]() for _ in units]
        self._query = [deque[int]() for _ in units]
        self._filter = [deque[int]() for _ in units]
        self._answered = [(-1, 0) for _ in units]
        self.memory_wait = [0 for _ in units]  # cycles since the last reset
        self.lod_busy = [0 for _ in units]  # likewise

    def remember(self, unit: int, index: int, *what: Any) -> None:
        """Primitive, quad and result of a quad, to explain a difference with."""
        self._quads[unit, index] = what
        self._quads.pop((unit, index - 64), None)

    def event(self, unit: int, seen: Observation) -> None:
        """A cache query was answered."""
        self._answered[unit] = seen.cycle, seen.word
        self.observe(f"evt{unit}", seen)

    def probe(self, unit: int, seen: Observation) -> None:
        """Handshakes inside a unit in one cycle; to be called after :meth:`event` of that cycle."""
        now, probe = seen.cycle, self.cfg.streams[f"probe{unit}"].unpack(seen.word)
        if probe["lod_out"]:
            took = self._since(self._lod, "lod", unit, now)
            self._time("lod", unit, now, took, LOD_CYCLES, exact=False)
            self.lod_busy[unit] += took  # it holds one quad, and takes the next in this cycle at the earliest
        if probe["lod_in"]:
            self._lod[unit].append(now)
        if probe["query_out"]:
            cycle, word = self._answered[unit]
            if cycle != now:
                self.fail(f"unit {unit}: a query was answered in cycle {now} without an event")
            event = self.cfg.streams[f"evt{unit}"].unpack(word)
            kind = "repeat" if event["repeat"] else "hit" if event["hit"] else "miss"
            want = {
                "repeat": REPEAT_CYCLES,
                "hit": HIT_CYCLES,
                "miss": MISS_CYCLES + self.cfg.memory.latency + self.cfg.beats_per_line - 1,
            }[kind]
            took = self._since(self._query, kind, unit, now)
            self._time(kind, unit, now, took, want, exact=kind != "miss")
            if kind == "miss":
                self.memory_wait[unit] += took - LOOKUP_CYCLES
        if probe["query_in"]:
            self._query[unit].append(now)
        if probe["filter_out"]:
            self._time("filter", unit, now, self._since(self._filter, "filter", unit, now), FILTER_CYCLES)
        if probe["filter_in"]:
            self._filter[unit].append(now)

    def _since(self, entered: list[deque[int]], kind: str, unit: int, now: int) -> int:
        """Cycles since what now leaves a stage went into it."""
        if not entered[unit]:
            self.fail(f"unit {unit}: in cycle {now} something left stage {kind} that never went in")
        return now - entered[unit].popleft()

    def _time(self, kind: str, unit: int, now: int, took: int, want: int, exact: bool = True) -> None:
        self.timed[kind] += 1
        self.longest[kind] = max(self.longest[kind], took)
        self.shortest[kind] = min(self.shortest[kind], took)
        if took < want or (exact and took != want):
            least = "" if exact else "at least "
            self.fail(f"unit {unit}, cycle {now}: {kind} took {took} cycles, expected {least}{want}")

    def stages(self) -> dict[str, tuple[int, int, int]]:
        """Of each stage that was timed: how often, its least and its most cycles."""
        return {
            kind: (count, self.shortest[kind], self.longest[kind])
            for kind, count in self.timed.items() if count
        }  # fmt: skip

    def reset(self) -> None:
        """See :meth:`Scoreboard.reset`."""
        super().reset()
        self._forget()

    def explain(self, channel: str, index: int, expected: int, seen: Observation) -> str:
        """What differs, with primitive, quad and level."""
        unit = int(channel[3:])
        prim, quad, result = self._quads[unit, index]
        stream = self.cfg.streams[channel]
        want, got = stream.unpack(expected), stream.unpack(seen.word)
        fields = ", ".join(f"{name}={prim[name]}" for name in prim.dtype.names)
        lines = [f"{channel} in cycle {seen.cycle}, quad {index} of unit {unit} (level {result['lod']}):"]
        lines += [
            f"  {name}: expected {value:#x}, got {got[name]:#x}"
            for name, value in want.items()
            if value != got[name]
        ]
        lines.append(f"  primitive: {fields}")
        lines.append(f"  quad: valid={quad['valid']:04b}, uv={quad['uv'].tolist()}")
        return "\n".join(lines)
