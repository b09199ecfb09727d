# SPDX-License-Identifier: Apache-2.0
"""What far memory leaves of a rate: over its latency, scene by scene at two of them, over FIFOs before it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from configs import UserError
from report.charts import Mark, Series, bar_chart, line_chart
from report.page import Figure
from report.results import AGAIN
from report.tables import Column, Table, Value, fixed, number, percent, percent_tick, plain
from report.words import mean, of_several

IGEHY = Mark("Igehy 1998: 97 %", y=0.97, below=True)  # of the rate without latency: Igehy et al., 1998
MEAN = "mean"  # in the place of a scene
TICKS = (1, 6, 13, 26, 52, 100, 200, 400)  # latencies: closer ones have no room for a number
Rates = Mapping[float, Mapping[str, float]]  # by what is varied, and scene
FETCHED = Column(
    "fetched", "hits per texel", "percent",
    "1 - misses / texels, as if one were looked up after the other: the same rule for all machines",
)  # fmt: skip
KEPT = Column("kept", "of the rate at 1 cycle", "percent")


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


def means(rates: Rates) -> list[tuple[float, float]]:
    """Points (what is varied, mean over the scenes), in order."""
    return [(value, mean(rates[value].values())) for value in sorted(rates)]


def rows(rates: Rates, key: str, rate: str) -> list[dict[str, Value]]:
    """A row for each value (``key``) and scene, with its ``rate``; of several scenes their mean, too."""
    found: list[dict[str, Value]] = []
    for value, average in means(rates):
        scenes = rates[value]
        told = {**scenes, MEAN: average} if len(scenes) > 1 else scenes
        found += [{key: value, "scene": scene, rate: one} for scene, one in told.items()]
    return found


def ticks(values: Sequence[float]) -> list[float]:
    """The latencies whose numbers stand at the axis."""
    return [value for value in values if value in TICKS]


def over_latency(
    anchor: str, name: str, machines: Mapping[str, Rates], *, rate: Column, learn: str, traffic: str
) -> Figure:
    """Share of the rate at the least latency that is left, of machines by name, and table ``name`` with the
    ``rate`` of each scene.
    """
    points = {words: means(rates) for words, rates in machines.items()}
    listed: list[dict[str, Value]] = []
    for words, rates in machines.items():
        found = rows(rates, "latency", rate.key)
        least = {row["scene"]: number(row[rate.key]) for row in found if row["latency"] == min(rates)}
        listed += [
            {"machine": words, **row, "kept": number(row[rate.key]) / least[row["scene"]]} for row in found
        ]
    shown = [
        Series(words, [average / own[0][1] for _, average in own], [latency for latency, _ in own])
        for words, own in points.items()
    ]
    scenes = next(iter(next(iter(machines.values())).values()))
    return Figure(
        anchor, "What latency takes away", line_chart(
            shown, x_label="cycles from the address to the first data beat",
            y_label="rate / rate with a memory of 1 cycle", log=10, x_format=plain, y_format=percent,
            y_tick=percent_tick, marks=[IGEHY],
            ticks=ticks(sorted({latency for one in shown for latency in one.x})),
            alt="Lines: share of the rate that is kept as memory answers later, by machine.",
        ),
        shows=of_several(scenes, "Mean over the scenes. ")
        + "Igehy et al. reach 97 % of a machine whose memory has no latency.",
        learn=learn, traffic=traffic,
        table=Table(name, "Rate over the memory's latency", (
            Column("machine", "machine"), Column("latency", "latency", "count"), Column("scene", "scene"),
            rate, KEPT,
        ), listed),
    )  # fmt: skip


def near_and_far(
    anchor: str, name: str, machines: Mapping[str, tuple[Mapping[str, float], Mapping[str, float]]], *,
    rate: str, learn: str, traffic: str,
) -> Figure:  # fmt: skip
    """What a memory of 100 cycles leaves in each scene, of machines by name: their rates, called ``rate``, at
    1 and at 100 cycles by scene.
    """
    listed: list[dict[str, Value]] = [
        {"machine": words, "scene": scene, "near": near[scene], "far": far[scene],
         "kept": far[scene] / near[scene]}
        for words, (near, far) in machines.items()
        for scene in near
    ]  # fmt: skip
    series = [
        Series(words, [number(row["kept"]) for row in listed if row["machine"] == words])
        for words in machines
    ]
    return Figure(
        anchor, "What a memory of 100 cycles leaves, by scene", bar_chart(
            list(dict.fromkeys(str(row["scene"]) for row in listed)), series, values=True,
            y_label="rate / rate with a memory of 1 cycle", y_format=percent, y_tick=percent_tick,
            y_range=(0.0, 1.0), marks=[replace(IGEHY, name="")],  # no room for it beside bars
            alt="Bars for each scene: share of the rate that a memory of 100 cycles leaves, by machine.",
        ),
        shows="The rate before a memory of 100 cycles over that before a memory of 1 cycle. Dashed: the 97 % "
        "of Igehy et al. (1998).",
        learn=learn, traffic=traffic, open_table=True,
        table=Table(name, "Rates at 1 and at 100 cycles, by scene", (
            Column("machine", "machine"), Column("scene", "scene"), Column("near", f"{rate} at 1", "f3"),
            Column("far", "at 100", "f3"), KEPT,
        ), listed),
    )  # fmt: skip


def over_depth(
    anchor: str, name: str, rates: Rates, *, title: str, label: str, rate: Column, learn: str, traffic: str
) -> Figure:
    """A machine's rate over the depth of its FIFOs, whose entries the ``label`` counts."""
    points = means(rates)
    return Figure(
        anchor, title, line_chart(
            [Series("mean", [average for _, average in points], [depth for depth, _ in points])],
            x_label=label, y_label=rate.title, log=2, x_format=plain, y_format=fixed(3), y_tick=plain,
            ticks=[depth for depth, _ in points], alt="Line: the rate over the depth of the FIFOs.",
        ),
        shows=of_several(next(iter(rates.values())), "Mean over the scenes."), learn=learn, traffic=traffic,
        table=Table(name, "Rate over depth", (
            Column("depth", "depth", "count"), Column("scene", "scene"), rate,
        ), rows(rates, "depth", rate.key)),
    )  # fmt: skip
