# SPDX-License-Identifier: Apache-2.0
"""Who waits: by area, by PE and cache, how long at most, and what a bound costs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from report.charts import Mark, Series, histogram, line_chart
from report.heat import heat_map
from report.lpas.results import AREAS, FS, LPAS, PES, Found, Results, saturation
from report.page import Figure, Section, paragraph
from report.tables import Column, Table, fixed, percent, plain

NAMES = [f"{number // 4}{number % 4}" for number in range(PES)]
SHOWN = 40  # cycles of the distribution; what takes longer is its last bar
#: at most, of a single cache that does not miss: cycles, or grants to others
BOUNDS = {"LPAS, age": "31 cycles", "LPAS, weights": "38 grants", FS: "15 grants", LPAS: "none"}


def section(results: Results) -> Section:
    """Waits under full load."""
    return Section("lpas-waits", "Who waits", paragraph(
        "Local priority has a price: as long as near PEs ask, a far one is not served. How long that is "
        "depends on them alone. Two variants bound it: \"age\" serves requests first that have waited 16 "
        "cycles, \"weights\" gives areas 4, 2, 1 and 1 grants in a round."
    ), [_heat(results), _distribution(results), _worst(results), _siege(results)])  # fmt: skip


def full(results: Results, role: str, traffic: str) -> tuple[dict[str, Any], Found, int]:
    """The point of full load of a traffic: its row, all there is, its number."""
    bounded = role in ("LPAS, age", "LPAS, weights")
    found = results.get("bounded" if bounded else saturation(traffic), role)
    number = found.full_load(traffic)
    return found.about["points"][number], found, number


def _heat(results: Results) -> Figure:
    drawn, rows, matrices = "", list[dict[str, Any]](), dict[str, NDArray[np.float64]]()
    for role in (LPAS, FS):
        _, found, number = full(results, role, "hot spot")
        waited, stores, pending = (found.arrays[name][number] for name in ("waited", "stores", "pending"))
        count = stores + (pending > 0)
        matrix = np.where(count > 0, (waited + pending) / np.maximum(count, 1), np.nan)
        matrices[role] = matrix
        values = [[None if np.isnan(one) else float(one) for one in row] for row in matrix]
        high = float(np.nanpercentile(matrix, 98))
        drawn += f"<h4>{role}, colours end at {high:.1f} cycles</h4>" + heat_map(
            NAMES, NAMES, values, form=fixed(1), row_label="PE", column_label="cache", high=high,
            cell=(30, 20),
            alt=f"mean wait by PE and cache at full load with a hot spot, {role}",
        )  # fmt: skip
        for pe, line in enumerate(values):
            rows += [
                {"switch": role, "pe": NAMES[pe], "cache": NAMES[cache], "wait": value}
                for cache, value in enumerate(line)
            ]
    hot = 5
    near, far = matrices[LPAS][4:8, hot], matrices[LPAS][12:16, hot]
    columns = (
        Column("switch", "switch"),
        Column("pe", "PE"),
        Column("cache", "cache"),
        Column("wait", "cycles", "f2"),
    )
    return Figure(
        "lpas-heat", "Waits by PE and cache", drawn,
        shows="Mean cycles that a store waits before it is served, full load with a hot spot at cache 11; "
        "rows are PEs, columns caches. A store that still waits at the end counts with the cycles that it "
        "has waited. Each map has colours of its own. A cell without colour: that PE had no store to that "
        "cache served or waiting, as it stood behind another one all the time.",
        learn=f"At the hot cache PEs of its own row wait {np.nanmean(near):.1f} cycles with local "
        f"priority; those two rows away {np.nanmean(far):.1f}. With turns alone all wait "
        f"{np.nanmean(matrices[FS][:, hot]):.1f}.",
        traffic="hot spot at offered load 1, RTL equal to the model",
        table=Table("lpas_heat", "Mean wait by PE and cache", columns, rows),
    )  # fmt: skip


def _distribution(results: Results) -> Figure:
    series, rows, cut = list[Series](), list[dict[str, Any]](), dict[str, float]()
    for role in (LPAS, FS):
        _, found, number = full(results, role, "local")
        by_area = found.arrays["by_area"][number]
        parts = (
            (("LA", by_area[0]), ("RA", by_area[1:].sum(0))) if role == LPAS else (("all", by_area.sum(0)),)
        )
        for name, counts in parts:
            share = counts / max(int(counts.sum()), 1)
            places = [float(cycle) for cycle in range(1, SHOWN + 1)]
            tail = float(share[SHOWN:].sum())
            series.append(Series(f"{role}, {name}", [*map(float, share[1:SHOWN]), tail], places))
            cut[f"{role}, {name}"] = tail
            rows += [
                {"switch": role, "area": name, "cycles": cycle, "stores": int(count), "share": float(part)}
                for cycle, (count, part) in enumerate(zip(counts, share, strict=True)) if count
            ]  # fmt: skip
    chart = histogram(
        series, x_label="cycles of a store", y_label="share of stores", y_format=fixed(5), y_tick=plain,
        log_floor=1e-5, marks=[Mark(f"{SHOWN} and more", x=float(SHOWN))],
        alt="distribution of the latency of stores at full local load: LPAS near and far, FS",
    )  # fmt: skip
    columns = (
        Column("switch", "switch"), Column("area", "area"), Column("cycles", "cycles", "count"),
        Column("stores", "stores", "count"), Column("share", "share", "percent"),
    )  # fmt: skip
    row, fair = full(results, LPAS, "local")[0], full(results, FS, "local")[0]
    return Figure(
        "lpas-distribution", "Distribution of latency", chart,
        shows="Full load, 80 % of it local: share of stores by cycles to the acknowledge, on a logarithmic "
        f"scale. The last bar is all stores of {SHOWN} cycles and more; the table has each.",
        learn=f"Means are near each other ({row['latency']:.2f} and {fair['latency']:.2f}); tails are not: "
        f"the longest store took {row['worst']} cycles with local priority, {fair['worst']} with turns. "
        f"{SHOWN} cycles and more: "
        + ", ".join(f"{name} {percent(one)}" for name, one in cut.items()) + ".",
        traffic="local traffic at offered load 1, RTL equal to the model",
        table=Table("lpas_distribution", "Latency at full local load", columns, rows),
    )  # fmt: skip


def worst_rows(results: Results) -> list[dict[str, Any]]:
    """Full load, by traffic and switch."""
    rows = []
    for traffic in ("local", "hot spot"):
        for role in (LPAS, FS, "LPAS, age", "LPAS, weights"):
            point, found, _ = full(results, role, traffic)
            rows.append({
                "traffic": traffic, "switch": role,
                **{key: point[key] for key in ("accepted", "latency")},
                **{name: point["worst_by_area"][area] for area, name in enumerate(AREAS)},
                "bound": BOUNDS[role], "by": "model only" if found.model_only else "RTL and model",
            })  # fmt: skip
    return rows


def _worst(results: Results) -> Figure:
    rows = worst_rows(results)
    columns = (
        Column("traffic", "traffic"), Column("switch", "switch"), Column("accepted", "accepted", "f3"),
        Column("latency", "cycles of a store", "f2"),
        *(Column(name, f"longest, {name}", "count") for name in AREAS), Column("bound", "bound of a wait"),
        Column("by", "measured on"),
    )  # fmt: skip
    mine = {row["switch"]: row for row in rows if row["traffic"] == "local"}
    window = full(results, LPAS, "local")[0]["cycles"]
    cost = mine[LPAS]["accepted"] - mine["LPAS, age"]["accepted"]
    return Figure(
        "lpas-worst", "The longest wait, and what a bound costs", "",
        shows=f"Full load for {window} cycles, then until all queues are empty; longest store by area of its "
        "PE. The bounds are those of a single cache that does not miss. Where there is none the longest "
        "wait says how long near PEs went on, nothing else.",
        learn=f"At 80 % local traffic \"age\" accepts {abs(cost):.4f} {'less' if cost > 0 else 'more'} than "
        f"LPAS by PE and cycle, and its longest store takes {max(mine['LPAS, age'][name] for name in AREAS)} "
        f"cycles instead of {max(mine[LPAS][name] for name in AREAS)}.",
        traffic="two traffics at offered load 1",
        table=Table("lpas_worst", "Longest waits at full load", columns, rows), open_table=True,
    )  # fmt: skip


def siege_rows(results: Results) -> list[dict[str, Any]]:
    """A row for each switch, kind and number of near accesses."""
    return [
        {"kind": point["kind"], "near": point["near"], "switch": role, "near_cycles": point["near_cycles"],
         **dict(zip(AREAS[1:], point["waits"], strict=True))}
        for role, found in results.all("siege") for point in found.about["points"]
    ]  # fmt: skip


def besieged(results: Results) -> dict[str, Any]:
    """The row of local priority with the longest wait."""
    mine = (row for row in siege_rows(results) if row["switch"] == LPAS)
    return max(mine, key=lambda row: int(row["RA3"]))


def at_full_load(results: Results) -> dict[str, int]:
    """Cycles of the longest store of a far PE with local priority, by traffic."""
    return {
        row["traffic"]: max(row[name] for name in AREAS[1:])
        for row in worst_rows(results) if row["switch"] == LPAS
    }  # fmt: skip


def longest(results: Results) -> tuple[int, str]:
    """The longest of all of them and of those of a siege, and what it met."""
    row = besieged(results)
    full = [(cycles, f"{traffic}, full load") for traffic, cycles in at_full_load(results).items()]
    return max([*full, (row["RA3"] + 1, str(row["kind"]))])


def _siege(results: Results) -> Figure:
    rows = siege_rows(results)
    kind = "one PE stores"
    roles = list(dict.fromkeys(row["switch"] for row in rows))
    chosen = {role: [row for row in rows if row["switch"] == role and row["kind"] == kind] for role in roles}
    near = [float(row["near"]) for row in chosen[LPAS]]
    chart = line_chart(
        [Series(role, [float(row["RA3"]) for row in chosen[role]], near) for role in roles],
        x_label="stores of the near PE, without pause", y_label="cycles that PE 30 waits", x_format=plain,
        y_format=plain, log=10, ticks=near, marks=[Mark("age: at most 31", y=31.0)],
        alt="cycles that one store of a far PE waits over the number of stores of a near one, by switch",
    )  # fmt: skip
    columns = (
        Column("kind", "near PEs"), Column("near", "accesses of each", "count"), Column("switch", "switch"),
        Column("near_cycles", "cycles of the near ones", "count"),
        *(Column(name, f"wait, {name}", "count") for name in AREAS[1:]),
    )  # fmt: skip
    last = {role: chosen[role][-1] for role in roles}
    return Figure(
        "lpas-siege", "One near PE against a far one", chart,
        shows="PE 00 stores to cache 00 without pause; one cycle later PEs 10, 20 and 30 store there once "
        "each.",
        learn=f"With local priority PE 30 waits as long as PE 00 goes on: {last[LPAS]['RA3']} cycles for "
        f"{last[LPAS]['near']} stores, without limit. With turns it waits {last[FS]['RA3']}, with \"age\" "
        f"{last['LPAS, age']['RA3']}, with \"weights\" {last['LPAS, weights']['RA3']}; that costs PE 00 "
        f"{last['LPAS, age']['near_cycles'] - last[LPAS]['near_cycles']} cycles of "
        f"{last[LPAS]['near_cycles']}.",
        traffic="warm caches; two loading PEs do the same (table)",
        table=Table("lpas_siege", "Waits of far PEs by accesses of near ones", columns, rows),
    )  # fmt: skip
