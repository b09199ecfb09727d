# SPDX-License-Identifier: Apache-2.0
"""The source's figures 4 to 9: patterns and classes, case by case."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from report.charts import LOW, Series, bar_chart, line_chart
from report.lpas import source
from report.lpas.results import AREAS, FS, LOAD, LPAS, LR2SS, STORE, SWITCHES, Cases, Results
from report.page import Figure, Section, paragraph
from report.svg import Frame
from report.tables import Column, Table, fixed, plain
from report.words import span
from workloads.lpas.cases import CONFLICTS, HOT, HOT_SHARE, PER_CLASS, SIMPLE, UNIFORM, expected

DISTANCES = ("the cache's own row", "one row away", "two rows away", "three rows away")
HALF = Frame(width=410, height=240)


def section(results: Results) -> Section:
    """Patterns and classes."""
    return Section("lpas-shots", "The source's patterns and classes", paragraph(
        "Each case is one shot: all its PEs ask in the same cycle, into caches that have their lines. "
        "Latency counts cycles from the first one in which a request is there to that of its acknowledge, "
        "both included. Each case begins with its own draw of where the arbiters' turns are: with all at the "
        "first PE, turns in the order of PEs would look like priority by distance."
    ), [
        _figure_4(results), _figure_5(results), _figure_6(results), *_classes(results), _table(results),
    ])  # fmt: skip


def _figure_4(results: Results) -> Figure:
    rows: list[dict[str, Any]] = []
    for role in SWITCHES:
        cases = results.cases[role]
        for row in range(4):
            for area, inside in (("LA", True), ("RA", False)):
                shown: dict[str, Any] = {"switch": role, "row": row + 1, "area": area}
                for name, op in (("write", STORE), ("read", LOAD)):
                    mine = cases.where("figure 4", op=op) & (cases["cache"] // 4 == row)
                    mine &= (cases["pe"] // 4 == row) == inside
                    shown[name] = float(cases["latency"][mine].mean())
                rows.append(shown)
    by_role = {role: [row for row in rows if row["switch"] == role] for role in SWITCHES}
    places = [f"row {row['row']}\n{row['area']}" for row in by_role[LPAS]]
    chart = "".join(
        bar_chart(
            places, [Series(role, [row[name] for row in by_role[role]]) for role in SWITCHES],
            y_label=f"cycles of a {name}", y_format=fixed(2), y_tick=plain, values=True, y_range=(0.0, 3.5),
            frame=LOW, alt=f"latency of {name}s without conflict, by row of caches, local and remote",
        )
        for name in ("write", "read")
    )  # fmt: skip
    columns = (
        Column("switch", "switch"), Column("row", "row of caches", "count"), Column("area", "area"),
        Column("write", "write", "f2"), Column("read", "read", "f2"),
    )  # fmt: skip
    far = [row["write"] for row in rows if row["switch"] == LR2SS]
    return Figure(
        "lpas-figure-4", "Figure 4: access without conflict", chart,
        shows="All 16 PEs at once, each on a cache of its own, in all 16 rotations; above writes, below "
        "reads.",
        learn="Through LPAS and FS a write takes one cycle, a read two, near or far: as the source says. "
        f"Rotations are no conflict of caches, but one of links: through LR2SS the same writes take "
        f"{span(far)}.",
        traffic=f"16 rotations, each from {len(results.cases[LPAS].numbers('figure 4')) // 16} drawn "
        "positions of all pointers; RTL equal to the model",
        table=Table("lpas_figure_4", "Latency without conflict, by row and area", columns, rows,
                    "The source: 1 and 2 everywhere."),
    )  # fmt: skip


def conflict_rows(results: Results) -> list[dict[str, Any]]:
    """Mean latency of each area at caches of the first row, by share of conflicts and switch."""
    return [
        {"percent": percent / 100, "switch": role,
         **dict(zip(AREAS, results.cases[role].by_area("figure 5", str(percent)), strict=True))}
        for percent in CONFLICTS for role in SWITCHES
    ]  # fmt: skip


def _figure_5(results: Results) -> Figure:
    rows, shares = conflict_rows(results), [float(one) for one in CONFLICTS]
    charts = "".join(
        f"<div><h4>{area}: {words}</h4>" + line_chart(
            [Series(role, [row[area] for row in rows if row["switch"] == role], shares) for role in SWITCHES],
            x_label="conflict, percent", y_label="cycles of a write", x_format=plain, y_format=fixed(2),
            y_tick=plain, ticks=shares, y_range=(0.0, 15.0), frame=HALF,
            alt=f"latency of writes to the first row of caches over the share of conflicts, {words}",
        ) + "</div>"
        for area, words in zip(AREAS, DISTANCES, strict=True)
    )  # fmt: skip
    columns = (
        Column("percent", "conflict", "percent"), Column("switch", "switch"),
        *(Column(name, name, "f2") for name in AREAS),
    )  # fmt: skip
    last = {row["switch"]: row for row in rows if row["percent"] == 1}
    fair = [last[FS][name] for name in AREAS]
    return Figure(
        "lpas-figure-5", "Figure 5: access with conflict", f'<div class="two">{charts}</div>',
        shows="One write each of the four local PEs and of a share of each other row, all to one cache of "
        "the first row: mean cycles by area of the PE.",
        learn="With LPAS the local area stays at 2.5 cycles, as the source says: the mean of 1 to 4. Area j "
        f"takes exactly 4.5 + 4p (j - 0.5) cycles at share p: RA3 rises fastest, to {last[LPAS]['RA3']:.2f}. "
        f"With turns alone (FS) nobody is near: at 100 % all areas take {span(fair)}, the mean of 1 to 16. "
        "With fewer PEs who comes behind a gap in the order of turns is served a little earlier, and who "
        "comes behind the four local ones later. LR2SS takes turns of columns and of rows, so areas are "
        "alike there, too.",
        traffic=f"{len(results.cases[LPAS].numbers('figure 5', '100'))} cases at each share, with each place "
        "of the turn of FS as often as any other, all other pointers drawn; RTL equal to the model",
        table=Table("lpas_figure_5", "Latency by conflict and area, first row of caches", columns, rows),
    )  # fmt: skip


def simple(cases: Cases) -> dict[str, tuple[float, float]]:
    """Write and read of each pattern."""
    return {name: (cases.mean("simple", name), cases.mean("simple", name, LOAD)) for name in SIMPLE}


def simple_mean(cases: Cases) -> tuple[float, float]:
    """Of the eight patterns, each with the same weight."""
    write, read = np.mean(list(simple(cases).values()), axis=0)
    return float(write), float(read)


def _figure_6(results: Results) -> Figure:
    by_role = {role: simple(results.cases[role]) for role in SWITCHES}
    rows: list[dict[str, Any]] = []
    for name in (*SIMPLE, "mean"):
        row: dict[str, Any] = {"pattern": name}
        for role in SWITCHES:
            row[f"{role} write"], row[f"{role} read"] = (
                simple_mean(results.cases[role]) if name == "mean" else by_role[role][name]
            )
        rows.append(row)
    rows.append({"pattern": "source's mean"} | {
        f"{role} {kind}": source.SIMPLE[role][number]
        for role in SWITCHES for number, kind in enumerate(("write", "read"))
    })  # fmt: skip
    chart = "".join(
        bar_chart(
            [name.replace(" on ", "\non ").replace("2x2 c", "2x2\nc") for name in (*SIMPLE, "mean")],
            [Series(role, [float(row[f"{role} {kind}"]) for row in rows[:-1]]) for role in SWITCHES],
            y_label=f"cycles of a {kind}", y_format=fixed(2), y_tick=plain,
            marks=source.marks({role: source.SIMPLE[role][number] for role in SWITCHES}, left=True),
            alt=f"latency of {kind}s of the eight simple patterns and their mean, by switch",
        )
        for number, kind in enumerate(("write", "read"))
    )  # fmt: skip
    columns = (
        Column("pattern", "PEs on caches"),
        *(Column(f"{role} {kind}", f"{role}, {kind}", "f2")
          for role in SWITCHES for kind in ("write", "read")),
    )  # fmt: skip
    write, read = simple_mean(results.cases[LR2SS])
    return Figure(
        "lpas-figure-6", "Figure 6: eight simple patterns", chart,
        shows="Groups of four PEs on four caches, no two on the same; each pattern in every place of the "
        "array; above writes, below reads. Lines are the source's means of all eight.",
        learn=f"LPAS and FS as the source says. LR2SS in its default reading {write:.2f} and {read:.2f}; the "
        "source has 1.4 and 2.31. A read costs one cycle more than a write in every reading of it, so 0.91 "
        "between them comes out of none.",
        traffic=f"{len(results.cases[LPAS].numbers('simple'))} placements, writes and reads",
        table=Table("lpas_figure_6", "The eight patterns by switch", columns, rows),
    )  # fmt: skip


def kind_of(name: str) -> str | None:
    """Which of our cases of a class stand beside the source's value; None: all."""
    return source.BESIDE if name in ("III", "IV") else None


def _classes(results: Results) -> Iterable[Figure]:
    for name in ("II", "III", "IV"):
        cases, kind = results.cases, kind_of(name)
        by_role = {role: cases[role].means(f"class {name}", kind)[:PER_CLASS] for role in SWITCHES}
        count = [float(number + 1) for number in range(PER_CLASS)]
        chart = line_chart(
            [Series(role, list(by_role[role]), count, dashed=role == FS) for role in SWITCHES],
            x_label="case", y_label="cycles of a write", x_format=plain, y_format=fixed(3), y_tick=plain,
            ticks=count, marks=source.marks(source.CLASSES[name]),
            alt=f"mean latency of writes of class {name}, case by case, by switch",
        )  # fmt: skip
        means = ", ".join(f"{role} {by_role[role].mean():.2f}" for role in SWITCHES)
        drawn = len(cases[LPAS].numbers(f"class {name}", kind))
        every = ", ".join(f"{role} {cases[role].mean(f'class {name}', kind):.2f}" for role in SWITCHES)
        more = (
            f"; of all {drawn} that were drawn: {every}, where exactly {expected(HOT, HOT_SHARE):.2f} is "
            "expected of LPAS and FS" if kind else ""
        )  # fmt: skip
        theirs = ", ".join(f"{role} {source.CLASSES[name][role]}" for role in SWITCHES)
        rows = [
            {"case": number + 1, **{role: float(by_role[role][number]) for role in SWITCHES}}
            for number in range(PER_CLASS)
        ]
        columns = (Column("case", "case", "count"), *(Column(role, role, "f3") for role in SWITCHES))
        yield Figure(
            f"lpas-class-{name}", f"{source.FIGURE[name].capitalize()}: class {name}, "
            f"{source.ABOUT[name]}", chart,
            shows="Mean latency of the writes of each case"
            + ("; each PE writes once, with probability 0.4 to the first cache of its target instead of its "
                "own place." if kind else ".") + " Lines are the source's means.",
            learn=f"Means of these cases: {means}{more}. The source: {theirs}.",
            traffic=(f"the first {PER_CLASS} of {drawn}" if kind else f"{drawn}") + " cases on the RTL, "
            "which is equal to the model",
            table=Table(f"lpas_class_{name}", f"Class {name}, case by case", columns, rows),
        )  # fmt: skip


def class_means(results: Results) -> list[dict[str, Any]]:
    """A row for each class, and for the kinds of conflict."""
    kinds: tuple[tuple[str, str | None, str], ...] = (
        ("I", None, "one write"), ("II", None, "one write"),
        ("III", f"{HOT} 1", "hot 0.4, one write"), ("III", f"{UNIFORM} 1", "uniform, one write"),
        ("III", f"{UNIFORM} 2", "uniform, two writes"), ("IV", f"{HOT} 1", "hot 0.4, one write"),
        ("IV", f"{UNIFORM} 1", "uniform, one write"), ("IV", f"{UNIFORM} 2", "uniform, two writes"),
    )  # fmt: skip
    return [
        {"class": name, "kind": words}
        | {role: cases.mean(f"class {name}", kind) for role, cases in results.cases.items()}
        for name, kind, words in kinds
    ]


def _table(results: Results) -> Figure:
    rows = [
        {**{key: row[key] for key in ("class", "kind", *SWITCHES)},
         **{f"source {role}": source.CLASSES[row["class"]][role] for role in SWITCHES}}
        for row in class_means(results)
    ]  # fmt: skip
    columns = (
        Column("class", "class"), Column("kind", "conflicts"),
        *(Column(role, role, "f3") for role in SWITCHES),
        *(Column(f"source {role}", f"source: {role}", "f2") for role in SWITCHES),
    )  # fmt: skip
    cases = results.cases[LPAS]
    return Figure(
        "lpas-classes", "Classes I to IV, three switches in one run", "",
        shows="\"hot\": a write goes with probability 0.4 to the first cache of its target row or column, at "
        "which the mean is the source's; \"uniform\": to any of the four.",
        learn="With one write per PE no policy can change the mean of an arbiter that always grants: the k "
        "PEs that meet wait 0 to k - 1 cycles, whoever is first. So LPAS and FS have the same mean in every "
        "class, and 1.41 beside 1.43 needs more than one write.",
        traffic=f"{len(cases.numbers('class IV', source.BESIDE))} cases of each kind of conflict, "
        f"{PER_CLASS} without; {len(cases.listed)} cases in all",
        table=Table("lpas_classes", "Mean cycles of a write by class and "
        "switch", columns, rows), open_table=True,
    )  # fmt: skip
