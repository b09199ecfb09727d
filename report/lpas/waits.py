# SPDX-License-Identifier: Apache-2.0
"""Who waits: by area, by PE and cache, how long at most, and what a bound costs."""

from typing import Any

import numpy as np

from report.lpas.results import AREAS, FS, LPAS, PES, Found, LpasResults, saturation
from report.pages import Page
from report.tables import Rows, percent

NAMES = [f"{number // 4}{number % 4}" for number in range(PES)]
SHOWN = 40  # cycles of the distribution; what takes longer is its last bar
#: at most, of a single cache that does not miss: cycles, or grants to others
BOUNDS = {"LPAS, age": "31 cycles", "LPAS, weights": "38 grants", FS: "15 grants", LPAS: "none"}


def draw(page: Page, results: LpasResults) -> None:
    """Waits under full load."""
    _heat(page, results)
    _distribution(page, results)
    _worst(page, results)
    _siege(page, results)


def full(results: LpasResults, role: str, traffic: str) -> tuple[dict[str, Any], Found, int]:
    """The point of full load of a traffic: its row, all there is, its number."""
    bounded = role in ("LPAS, age", "LPAS, weights")
    run = results.get("bounded" if bounded else saturation(traffic), role)
    number = run.full_load(traffic)
    return run.about["points"][number], run, number


def _heat(page: Page, results: LpasResults) -> None:
    rows, matrices = list[dict[str, Any]](), {}
    for role in (LPAS, FS):
        _, run, number = full(results, role, "hot spot")
        waited, stores, pending = (run.arrays[name][number] for name in ("waited", "stores", "pending"))
        count = stores + (pending > 0)
        matrices[role] = np.where(count > 0, (waited + pending) / np.maximum(count, 1), np.nan)
        rows += [
            {"switch": role, "pe": NAMES[pe], "cache": NAMES[cache],
             "wait": None if np.isnan(value) else float(value)}
            for (pe, cache), value in np.ndenumerate(matrices[role])
        ]  # fmt: skip
    hot, lpas = 5, matrices[LPAS]
    page.draw(
        "lpas-heat", rows, high={role: float(np.nanmax(own)) for role, own in matrices.items()},
        near=np.nanmean(lpas[4:8, hot]), far=np.nanmean(lpas[12:16, hot]), fair=np.nanmean(matrices[FS][:,
            hot]),
    )  # fmt: skip


def _distribution(page: Page, results: LpasResults) -> None:
    rows, drawn, tails = list[dict[str, Any]](), list[dict[str, Any]](), []
    for role in (LPAS, FS):
        _, run, number = full(results, role, "local")
        by_area = run.arrays["by_area"][number]
        parts = (
            {"own row": by_area[0], "other rows": by_area[1:].sum(0)}
            if role == LPAS
            else {"all rows": by_area.sum(0)}
        )
        for name, counts in parts.items():
            share = counts / max(int(counts.sum()), 1)
            tail = float(share[SHOWN:].sum())
            tails.append(f"{role}, {name} {percent(tail)}")
            drawn += [{"cycles": cycle, "share": value, "_series": f"{role}, {name}"}
                      for cycle, value in enumerate([*map(float, share[1:SHOWN]), tail], 1)]  # fmt: skip
            rows += [
                {"switch": role, "area": name, "cycles": cycle, "stores": int(count), "share": float(part)}
                for cycle, (count, part) in enumerate(zip(counts, share, strict=True)) if count
            ]  # fmt: skip
    mine, fair = (full(results, role, "local")[0] for role in (LPAS, FS))
    page.draw(
        "lpas-distribution", rows, charted=drawn, shown=SHOWN, mine=mine, fair=fair, tails=", ".join(tails)
    )


def worst_rows(results: LpasResults) -> Rows:
    """Full load, by traffic and switch."""
    rows = []
    for traffic in ("local", "hot spot"):
        for role in (LPAS, FS, "LPAS, age", "LPAS, weights"):
            point, run, _ = full(results, role, traffic)
            rows.append({
                "traffic": traffic, "switch": role,
                **{key: point[key] for key in ("accepted", "latency")},
                **{name: point["worst_by_area"][area] for area, name in enumerate(AREAS)},
                "bound": BOUNDS[role], "by": "model only" if run.model_only else "RTL and model",
            })  # fmt: skip
    return rows


def _worst(page: Page, results: LpasResults) -> None:
    rows = worst_rows(results)
    mine = {row["switch"]: row for row in rows if row["traffic"] == "local"}
    cost = mine[LPAS]["accepted"] - mine["LPAS, age"]["accepted"]
    bounded, unbounded = (max(mine[role][name] for name in AREAS) for role in ("LPAS, age", LPAS))
    page.draw("lpas-worst", rows, window=full(results, LPAS, "local")[0]["cycles"], cost=abs(cost),
              less="less" if cost > 0 else "more", bounded=bounded, unbounded=unbounded)  # fmt: skip


def siege_rows(results: LpasResults) -> Rows:
    """A row for each switch, kind and number of near accesses."""
    return [
        {"kind": point["kind"], "near": point["near"], "switch": role, "near_cycles": point["near_cycles"],
         **dict(zip(AREAS[1:], point["waits"], strict=True))}
        for role, run in results.all("siege") for point in run.about["points"]
    ]  # fmt: skip


def besieged(results: LpasResults, role: str = LPAS) -> dict[str, Any]:
    """The row of a switch with the longest wait."""
    mine = (row for row in siege_rows(results) if row["switch"] == role)
    return max(mine, key=lambda row: int(row["RA3"]))


def at_full_load(results: LpasResults, role: str = LPAS) -> dict[str, int]:
    """Cycles of the longest store of a far PE, by traffic."""
    return {
        row["traffic"]: max(row[name] for name in AREAS[1:])
        for row in worst_rows(results) if row["switch"] == role
    }  # fmt: skip


def longest(results: LpasResults, role: str = LPAS) -> tuple[int, str]:
    """The longest of all of them and of those of a siege, and its traffic."""
    row = besieged(results, role)
    full = [(cycles, f"{traffic}, full load") for traffic, cycles in at_full_load(results, role).items()]
    return max([*full, (row["RA3"] + 1, str(row["kind"]))])


def _siege(page: Page, results: LpasResults) -> None:
    rows = siege_rows(results)
    last: dict[str, Any] = {
        row["switch"].removeprefix("LPAS, "): row for row in rows if row["kind"] == "one PE stores"
    }
    page.draw("lpas-siege", rows, cost=last["age"]["near_cycles"] - last[LPAS]["near_cycles"], **last)
