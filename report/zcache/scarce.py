# SPDX-License-Identifier: Apache-2.0
"""Settings with few reads under way: the one in which the published gains come out, and a serial reading."""

from collections.abc import Sequence

from models.zcache.figures import UNITS
from report.page import Figure
from report.tables import Column, Table, Value
from report.words import mean, spread
from report.zcache.claims import CENTRE
from report.zcache.results import GAINS, GAINS_OFF, SERIAL, SERIAL_OFF, Results, gain, reduction
from report.zcache.words import cut, points

RARE = 0.05  # a share of requests below it: reads hardly meet


def figures(found: Results) -> list[Figure]:
    """A table for each such preset, with prefetch and without."""
    serial = found.run(found.deep[0], SERIAL)
    return [
        _figure(
            found, "gains", "Two reads under way", "paper-gains", (GAINS, GAINS_OFF),
            f"The paper gained {points(CENTRE[0])} points; the middle of what its mean latency can be is "
            f"{cut(CENTRE[1])}.",
        ),
        _figure(
            found, "serial", "One read under way", "paper-serial", (SERIAL, SERIAL_OFF),
            f"With {serial['in_flight']} tiles in flight a new one comes each "
            f"{serial['delay'] // serial['in_flight']} cycles at most, and a read takes "
            f"{serial['latency_of_memory'] + 4}.",
        ),
    ]  # fmt: skip


def _figure(found: Results, name: str, title: str, preset: str, roles: tuple[str, str], why: str) -> Figure:
    deep = found.deep
    pairs = [(found.run(one, roles[0]), found.run(one, roles[1])) for one in deep]
    run = pairs[0][0]
    busy = [ahead["dropped_busy"] / ahead["requests"] for ahead, _ in pairs]
    made: list[dict[str, Value]] = [
        {"scene": one, **{unit: gain(*pair, unit) for unit in UNITS}, "latency": -reduction(*pair),
         "queued": -reduction(*pair, "queued"), "busy": share}
        for one, pair, share in zip(deep, pairs, busy, strict=True)
    ]  # fmt: skip
    rate, less = mean(gain(*pair, "row") for pair in pairs), mean(reduction(*pair) for pair in pairs)
    columns = (
        Column("scene", "scene"),
        *(Column(unit, f"gain by {unit}", "percent", "points of the hit rate") for unit in UNITS),
        Column("latency", "latency", "percent"), Column("queued", "with queueing", "percent"),
        Column("busy", "dropped", "percent", "requests that found all reads under way"),
    )  # fmt: skip
    return Figure(
        name, title, "",
        shows=f"The preset {preset}, with prefetch and without: {run['in_flight']} tiles in flight, reads "
        f"under way: {run['reads']}, prefetches dropped meanwhile, shading of {run['delay']} cycles, memory "
        f"of {run['latency_of_memory']}.",
        learn=f"Mean by row {points(rate)} points, latency {cut(less)}. {why} {meeting(busy)}",
        traffic=f"{len(deep)} scenes; a tile each {run['pace']} cycles at most", open_table=True,
        table=Table(f"zcache_{name}", title, columns, made),
    )  # fmt: skip


def meeting(busy: Sequence[float]) -> str:
    """Whether reads meet, in words, by the shares of the requests that found all reads under way."""
    told = f"{spread(busy)} of the requests found all reads under way"
    if max(busy) >= RARE:
        return f"{told}, and were dropped."
    return f"{told}: hardly any read meets another. The published gains need reads that do: see the surface."
