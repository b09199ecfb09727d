# SPDX-License-Identifier: Apache-2.0
"""Rates before far memory: over its latency, over FIFOs before it."""

from collections.abc import Mapping, Sequence
from typing import Any

from configs import UserError
from report.pages import Page
from report.results import AGAIN
from report.tables import Rows
from report.words import mean

MEAN = "mean"  # in the place of a scene
FAR = 100  # cycles to memory
TICKS = (1, 6, 13, 26, 52, 100, 200, 400)  # latencies: closer ones have no room for a number
Rates = Mapping[float, Mapping[str, float]]  # by what is varied, and scene


def of_scenes(scenes: Sequence[str]) -> dict[str, str]:
    """Words for sentences of which some are about several scenes alone; ``shown``: whose rows charts have."""
    words = {
        "mean_of": "Mean over the scenes. ",
        "mean_scenes": "Mean over the scenes.",
        "mean_short": "mean, ",
        "slowest": "slowest scene, ",
        "worst_of": " in the slowest scene",
        "loses_most": " in the scene that loses most",
        "shown": MEAN,
    }
    return words if len(scenes) > 1 else {**dict.fromkeys(words, ""), "shown": scenes[0]}


def far_shares(where: str, spent: Mapping[str, int], near: int, far: int) -> dict[str, float]:
    """Shares of ``far`` cycles, before a distant memory: what was ``spent`` of the ``near`` cycles that the
    same takes before a memory of 1 cycle, by cause; ``misses``: those that are more; ``end``: what is left.

    Raises :class:`UserError`, which says ``where``, if one of these is below nothing.
    """
    cycles = {**spent, "misses": far - near, "end": near - sum(spent.values())}
    for name, count in cycles.items():
        if count < 0:
            raise UserError(f"{where}: its cycles do not add up ({name}: {count}); {AGAIN}")
    return {name: count / far for name, count in cycles.items()}


def left_to_gain(shares: Sequence[Mapping[str, float]]) -> tuple[float, str, float]:
    """On average over ``shares`` by cause: all but the ``ideal`` one, the cause of most, and its own."""
    lost = {name: mean(own[name] for own in shares) for name in shares[0] if name != "ideal"}
    most = max(lost, key=lambda name: lost[name])
    return sum(lost.values()), most, lost[most]


def draw_cycles(page: Page, name: str, rows: Sequence[Mapping[str, Any]], machine: str) -> None:
    """Shares of cycles by machine and scene; the sentence is about those of ``machine``."""
    ours = [{key: row[key] for key in row if key not in ("machine", "scene")} for row in rows
            if row["machine"] == machine]  # fmt: skip
    lost, most, part = left_to_gain(ours)
    page.let(lost=lost, part=part, most=page.column(most, page.of(name)).title)
    page.draw(name, rows)


def means(rates: Rates) -> list[tuple[float, float]]:
    """Points (what is varied, mean over the scenes), in order."""
    return [(value, mean(rates[value].values())) for value in sorted(rates)]


def rows(rates: Rates, key: str, rate: str) -> Rows:
    """A row for each value (``key``) and scene, with its ``rate``; of several scenes their mean, too."""
    listed: Rows = []
    for value, average in means(rates):
        scenes = {**rates[value], MEAN: average} if len(rates[value]) > 1 else rates[value]
        listed += [{key: value, "scene": scene, rate: scene_rate} for scene, scene_rate in scenes.items()]
    return listed


def ticks(values: Sequence[float]) -> list[float]:
    """The latencies whose numbers stand at the axis."""
    return [value for value in values if value in TICKS]


def draw_latency(page: Page, name: str, machines: Mapping[str, Rates], rate: str, reach: str) -> None:
    """``rate`` of machines by name over latency, and the share of the one at the least latency. The sentence
    is about the last machine's slowest scene and the first machine. ``reach``: of tags, in words.
    """
    listed: Rows = []
    for words, rates in machines.items():
        own = rows(rates, "latency", rate)
        least = {row["scene"]: row[rate] for row in own if row["latency"] == min(rates)}
        listed += [{"machine": words, **row, "kept": row[rate] / least[row["scene"]]} for row in own]
    every = sorted({latency for rates in machines.values() for latency in rates})
    far = min(set.intersection(*map(set, machines.values())), key=lambda latency: abs(latency - FAR))
    theirs, *_, ours = [
        [row for row in listed if (row["machine"], row["latency"]) == (words, far)] for words in machines
    ]
    page.draw(name, listed, latency_ticks=ticks(every), far=far, least=min(row["kept"] for row in ours),
              theirs=theirs[-1]["kept"], reach=reach)  # fmt: skip


def draw_depths(page: Page, name: str, rates: Rates, rate: str) -> None:
    """``rate`` over the depth of FIFOs."""
    points = means(rates)
    page.draw(name, rows(rates, "depth", rate), first=points[0], last=points[-1])
