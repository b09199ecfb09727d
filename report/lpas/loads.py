# SPDX-License-Identifier: Apache-2.0
"""Offered load: saturation by traffic and switch; sizes of the array."""

from collections.abc import Sequence
from typing import Any

from report.charts import Mark, Series, bar_chart, line_chart
from report.lpas import source
from report.lpas.results import SWITCHES, Results, saturation
from report.page import Figure, Section, paragraph
from report.tables import Column, Table, fixed, plain

TRAFFICS = {
    "uniform": "to any cache", "local": "80 % to the own row of caches",
    "transposed": "PE (r, c) to cache (c, r)", "hot spot": "15 % to one cache, the others to any",
}  # fmt: skip
#: accesses at full load: what they are called, of which workload (none: the stores of each traffic), the role
READS = (
    ("loads, published", "reads", "LPAS"), ("loads, read_pipeline", "reads", "LPAS, read_pipeline"),
    ("stores, published", "", "LPAS"),
)  # fmt: skip
UNIFORM_RATE = 0.60162  # stores of a PE per cycle, by the Markov chain of 16 PEs that each draw a cache
READ_KEYS = ("accepted", "latency", "worst")
CLIP = 40.0  # cycles: what waits longer is beyond saturation
COLUMNS = (
    Column("traffic", "traffic"), Column("switch", "switch"), Column("offered", "offered", "f2"),
    Column("accepted", "accepted", "f3", "stores of a PE per cycle"),
    Column("latency", "cycles of a store", "f2", "from its first offer"),
    Column("delay", "with the queue", "f1", "from when it came up"),
    Column("p99", "99 of 100 within", "f1"), Column("worst", "longest", "count"),
)  # fmt: skip


def section(results: Results) -> Section:
    """Saturation."""
    return Section("lpas-load", "Load", paragraph(
        "Each PE gets a new store in each cycle with the offered probability and keeps it in a queue of its "
        "own until its port is free. Accepted is what is acknowledged, by PE and cycle; the delay counts "
        "from when the store came up."
    ), [*_saturation(results), _reads(results), _sizes(results)])  # fmt: skip


def points(results: Results, traffic: str) -> list[dict[str, Any]]:
    """A row for each switch and load."""
    found = []
    for role, one in results.all(saturation(traffic)):
        keys = [column.key for column in COLUMNS if column.key != "switch"]
        found += [{"switch": role, **{key: point[key] for key in keys}} for point in one.about["points"]]
    return found


def accepted(results: Results, traffic: str, role: str) -> float:
    """By PE and cycle at full load, when each PE always has something to do."""
    found = results.get(saturation(traffic), role)
    return float(found.about["points"][found.full_load(traffic)]["accepted"])


def _lines(rows: Sequence[dict[str, Any]], key: str, most: float = CLIP) -> list[Series]:
    """A line for each switch; what is above ``most`` is drawn there."""
    chosen = {role: [row for row in rows if row["switch"] == role] for role in SWITCHES}
    return [
        Series(role, [min(row[key], most) for row in mine], [row["offered"] for row in mine])
        for role, mine in chosen.items()
    ]


def _saturation(results: Results) -> list[Figure]:
    figures = []
    for traffic, words in TRAFFICS.items():
        rows = points(results, traffic)
        ticks = sorted({float(row["offered"]) for row in rows})
        shared: dict[str, Any] = {
            "x_label": "offered: stores of a PE per cycle", "x_format": plain, "ticks": ticks,
        }  # fmt: skip
        upper = line_chart(
            _lines(rows, "accepted"), y_label="accepted", y_format=fixed(3), y_tick=plain, y_range=(0.0, 1.0),
            alt=f"accepted over offered load, {traffic} traffic, by switch", **shared,
        )  # fmt: skip
        lower = line_chart(
            _lines(rows, "delay"), y_label="cycles, queue included", y_format=fixed(1), y_tick=plain,
            marks=[Mark(f"{CLIP:g} and more", y=CLIP)],
            alt=f"delay over offered load, {traffic} traffic, by switch", **shared,
        )  # fmt: skip
        most = {role: accepted(results, traffic, role) for role in SWITCHES}
        rate = {role: most[role] * 16 * 2 * source.MHZ * 1e6 / 1e9 for role in SWITCHES}
        figures.append(Figure(
            f"lpas-{saturation(traffic)}", f"Saturation, {traffic} traffic", upper + lower,
            shows=f"Traffic {words}. Above: what is accepted of what is offered; below: how long a store "
            "takes.",
            learn="Accepted at full load: " + ", ".join(
                f"{role} {most[role]:.3f} ({rate[role]:.2f} GB/s at {source.MHZ} MHz)" for role in SWITCHES
            ) + "." + (f" Independent writes have {UNIFORM_RATE} exactly, under any policy of a switch that "
                       "always grants." if traffic == "uniform" else ""),
            traffic="stores; RTL equal to the model in each",
            table=Table(f"lpas_load_{traffic.replace(' ', '_')}", f"{traffic.capitalize()} "
            "traffic", COLUMNS, rows),
        ))  # fmt: skip
    return figures


def _reads(results: Results) -> Figure:
    rows: list[dict[str, Any]] = []
    for accesses, workload, role in READS:
        for traffic in TRAFFICS:
            found = results.get(workload or saturation(traffic), role)
            point = found.about["points"][found.full_load(traffic)]
            rows.append({"traffic": traffic, "accesses": accesses, **{key: point[key] for key in READ_KEYS}})
    rates = {
        accesses: [row["accepted"] for row in rows if row["accesses"] == accesses] for accesses, *_ in READS
    }
    published, pipelined, _ = rates.values()
    gains = ", ".join(
        f"{traffic} {after / before:.2f}"
        for traffic, before, after in zip(TRAFFICS, published, pipelined, strict=True)
    )
    columns = (
        Column("traffic", "traffic"), Column("accesses", "accesses"),
        Column("accepted", "accepted", "f3", "of a PE per cycle"),
        Column("latency", "cycles of an access", "f2", "from its first offer"),
        Column("worst", "longest", "count"),
    )  # fmt: skip
    return Figure(
        "lpas-reads", "Loads as fast as stores", bar_chart(
            list(TRAFFICS), [Series(accesses, values) for accesses, values in rates.items()],
            y_label="accepted", y_format=fixed(3), y_tick=plain, values=True,
            alt="loads accepted at full load, by traffic, published and with read_pipeline, stores beside",
        ),
        shows="Loads of a PE per cycle, when each always has one to offer. As published a PE's next request "
        "is taken in the cycle after a load was acknowledged; with read_pipeline in the one after it was "
        "served, as after a store.",
        learn=f"Times as many loads with read_pipeline: {gains}. Where no PE meets another it is twice; "
        "where they meet at a cache that serves one in a cycle, the published pause costs less, as it "
        "leaves the cache to others.",
        traffic="full load, LPAS; RTL equal to the model in each",
        table=Table("lpas_reads", "Loads at full load", columns, rows),
    )  # fmt: skip


def _sizes(results: Results) -> Figure:
    rows: list[dict[str, Any]] = []
    by_model = 0
    for workload, role, found in results.beginning("sizes-"):
        by_model += found.model_only
        for point in found.about["points"]:
            rows.append({
                "size": workload.removeprefix("sizes-"), "switch": role, "traffic": point["traffic"],
                "offered": point["offered"], "latency": point["latency"], "accepted": point["accepted"],
                "words": point["accepted"] * found.about["pes"],
            })  # fmt: skip
    names = list(dict.fromkeys(str(row["size"]) for row in rows))

    def values(role: str, key: str, traffic: str, load: float) -> list[float]:
        return [
            float(row[key]) for row in rows
            if (row["switch"], row["traffic"], row["offered"]) == (role, traffic, load)
        ]  # fmt: skip

    full = [Series(role, values(role, "words", "uniform", 1.0)) for role in SWITCHES]
    charts = bar_chart(
        names, full, y_label="words per cycle", y_format=fixed(2), y_tick=plain, values=True,
        alt="words per cycle at full uniform load, by size of the array and switch",
    ) + bar_chart(
        names, [Series(role, values(role, "latency", "uniform", 0.2)) for role in SWITCHES],
        y_label="cycles of a store", y_format=fixed(2), y_tick=plain, values=True,
        alt="latency at a uniform load of 0.2, by size of the array and switch",
    )  # fmt: skip
    columns = (
        Column("size", "rows x columns"), Column("switch", "switch"), Column("traffic", "traffic"),
        Column("offered", "offered", "f2"), Column("latency", "cycles of a store", "f2"),
        Column("accepted", "accepted", "f3"), Column("words", "words per cycle", "f2"),
    )  # fmt: skip
    best = ", ".join(f"{one.name} {one.y[-1]:.1f}" for one in full)
    return Figure(
        "lpas-sizes", "Larger and smaller arrays", charts,
        shows="Words per cycle of all PEs at full uniform load, and cycles of a store at a load of 0.2, "
        "for arrays from the same templates.",
        learn=f"At {names[-1]}: {best} words per cycle. LPAS and FS grow with the number of caches; the "
        "lines that the columns of LR2SS share do not. Uniform writes do not care who is first, so LPAS is "
        "not above FS.",
        traffic=f"{len(names)} arrays, three switches; "
        + (f"{by_model} of them models only" if by_model else "RTL equal to the model in each"),
        table=Table("lpas_sizes", "Latency and throughput by size of the array", columns, rows),
    )  # fmt: skip
