# SPDX-License-Identifier: Apache-2.0
"""What the comparison hangs on: the reading of LR2SS, how many writes each PE has, how many meet."""

from itertools import product
from typing import Any

from report.charts import Series, bar_chart, line_chart
from report.lpas import source
from report.lpas.results import FS, LPAS, LR2SS, SWITCHES, Results, standard_error
from report.lpas.shots import kind_of, simple_mean
from report.page import Figure, Section, paragraph
from report.tables import Column, Table, fixed, plain
from workloads.lpas.cases import CONFLICTS, HOT, LENGTHS, UNIFORM, at, expected

SURE = 2  # standard errors beyond which a difference is none of the draw's


def section(results: Results) -> Section:
    """Readings and lengths."""
    return Section("lpas-dependence", "What the comparison hangs on", paragraph(
        "The source compares three switches, of which it describes one, on an unknown number of writes. Both "
        "decide who wins."
    ), [_readings(results), _lengths(results), _probabilities(results)])  # fmt: skip


def _readings(results: Results) -> Figure:
    names = [role for role in results.cases if role.startswith(LR2SS)]
    shown = {"LR2SS": "A (default)", "LR2SS B": "B", "LR2SS C": "C"}
    rows: list[dict[str, Any]] = []
    for role in (*names, FS):
        cases = results.cases[role]
        write, read = simple_mean(cases)
        row: dict[str, Any] = {"reading": shown.get(role, role), "write": write, "read": read}
        row |= {name: cases.mean(f"class {name}", kind_of(name)) for name in source.CLASSES}
        rows.append(row | {"III uniform": cases.mean("class III", f"{UNIFORM} 1")})
    theirs = {name: source.CLASSES[name][LR2SS] for name in source.CLASSES}
    rows.append(
        {"reading": "source, LR2SS", "write": 1.4, "read": 2.31, **theirs, "III uniform": theirs["III"]}
    )
    heads = {"write": "simple, write", "read": "simple, read", **{name: f"class {name}" for name in theirs},
             "III uniform": "class III, uniform"}  # fmt: skip
    chart = bar_chart(
        [heads[name].replace(" ", "\n", 1) for name in heads],
        [Series(str(row["reading"]), [row[name] for name in heads]) for row in rows],
        y_label="cycles", y_format=fixed(2), y_tick=plain,
        alt="mean latency in patterns and classes, by reading of LR2SS, beside the source's",
    )  # fmt: skip
    distance = {
        str(row["reading"]): sum(
            abs(row[name] - rows[-1][name]) for name in heads if name not in ("III", "III uniform")
        )
        + min(abs(row[name] - theirs["III"]) for name in ("III", "III uniform"))
        for row in rows[:-2]
    }
    alone = [role for role in names if results.cases[role].found.model_only]
    return Figure(
        "lpas-readings", "What LR2SS is, decides the comparison", chart,
        shows="The source names LR2SS and does not describe it. A: a PE column has a link to each cache of "
        "its own column and one shared line to all others. B: a link to each column of caches. C: crossbars "
        "of rows, then of columns.",
        learn="C, the obvious reading, is as good as FS in every class and cannot be what the source "
        "measured. Sum of differences to the source, class III with the better of two kinds of conflict: "
        + ", ".join(f"{name} {value:.2f}" for name, value in distance.items())
        + ". No reading meets all values.",
        traffic="the same cases" + (f"; {', '.join(alone)}: model only" if alone else ", RTL equal to the "
        "model"),
        table=Table("lpas_readings", "Readings of LR2SS", (
            Column("reading", "reading"), *(Column(name, title, "f2") for name, title in heads.items())
        ), rows),
    )  # fmt: skip


def length_rows(results: Results) -> list[dict[str, Any]]:
    """Means of class IV and III by kind and length; ``gap``: LPAS less FS, case by case, and its error."""
    rows = []
    for name, kind, length in product(("III", "IV"), (UNIFORM, HOT), LENGTHS):
        means = {role: results.cases[role].means(f"class {name}", f"{kind} {length}") for role in SWITCHES}
        gaps = means[LPAS] - means[FS]
        rows.append(
            {"class": name, "kind": kind, "length": length}
            | {role: float(one.mean()) for role, one in means.items()}
            | {"gap": float(gaps.mean()), "error": standard_error(gaps)}
        )
    return rows


def _lengths(results: Results) -> Figure:
    rows = length_rows(results)
    lengths = [float(one) for one in LENGTHS]
    chosen = [
        Series(f"{role}, {kind}", [row[role] for row in rows if row["class"] == "IV" and row["kind"] == kind],
               lengths, dashed=role == FS)
        for kind in (UNIFORM, HOT) for role in (LPAS, FS)
    ]  # fmt: skip
    lowest = min(value for one in chosen for value in one.y)
    chart = line_chart(
        chosen, x_label="writes of each PE", y_label="cycles of a write", x_format=plain, y_format=fixed(3),
        y_tick=fixed(2), log=2, ticks=lengths, y_range=(float(int(lowest * 10)) / 10, 2.1),
        alt="mean latency of writes of class IV over the number of writes of each PE, by switch and conflict",
    )  # fmt: skip
    words = []
    for kind in (UNIFORM, HOT):
        mine = [row for row in rows if row["class"] == "IV" and row["kind"] == kind]
        better = [str(row["length"]) for row in mine if row["gap"] < -SURE * row["error"]]
        worse = [str(row["length"]) for row in mine if row["gap"] > SURE * row["error"]]
        words.append(
            f"{kind}: LPAS below FS at {', '.join(better) or 'no'} writes, above it at "
            f"{', '.join(worse) or 'none'}"
        )
    columns = (
        Column("class", "class"), Column("kind", "conflicts"), Column("length", "writes of a PE", "count"),
        *(Column(role, role, "f3") for role in SWITCHES), Column("gap", "LPAS less FS", "f3"),
        Column("error", "± (standard error)", "f3"),
    )  # fmt: skip
    return Figure(
        "lpas-lengths", "Where LPAS beats FS: it depends on the number of writes", chart,
        shows="Class IV, columns on columns: each PE has so many writes, one after the other, each with a "
        "place of its own. \"uniform\": any of the four caches of the target column, \"hot\": the first one "
        "with 0.4.",
        learn="; ".join(words) + f" (by more than {SURE} standard errors, case by case). With one write "
        "both have the same mean, always. With more of them the order decides who asks when. PEs of the "
        "middle rows are nearer to more caches and run ahead: a gain where they are done earlier and leave "
        "the caches to the others, a loss where far ones are left with one cache at the end. In class III "
        "only PEs of one row meet, so both go on alike; what differs (table) is where turns begin: a turn of "
        "FS that is in another row comes to the row's first PE, which is at home at the hot cache.",
        traffic=f"{len(results.cases[LPAS].numbers('class IV', 'hot 2'))} cases a point, RTL equal to the "
        "model",
        table=Table("lpas_lengths", "Classes III and IV by number of writes", columns, rows),
    )  # fmt: skip


def probability_rows(results: Results) -> list[dict[str, Any]]:
    """Means of classes III and IV, one write, by kind and probability of a conflict; and what is exact."""
    return [
        {"class": name, "kind": kind, "percent": percent, "exact": expected(kind, percent / 100)}
        | {role: results.cases[role].mean(f"class {name}", at(kind, percent)) for role in SWITCHES}
        for name in ("III", "IV") for kind in (UNIFORM, HOT) for percent in CONFLICTS
    ]  # fmt: skip


def _probabilities(results: Results) -> Figure:
    rows = probability_rows(results)

    def line(title: str, key: str, name: str, kind: str, dashed: bool = False) -> Series:
        values = [row[key] for row in rows if (row["class"], row["kind"]) == (name, kind)]
        return Series(title, values, [float(one) for one in CONFLICTS], dashed=dashed)

    chosen = [
        *(line(f"LPAS and FS, {kind}", LPAS, "III", kind) for kind in (UNIFORM, HOT)),
        *(line(f"exact, {kind}", "exact", "III", kind, dashed=True) for kind in (UNIFORM, HOT)),
        *(line(f"LR2SS, class {name}, {HOT}", LR2SS, name, HOT) for name in ("III", "IV")),
    ]
    cases = len(results.cases[LPAS].numbers("class III", at(HOT, CONFLICTS[0])))
    return Figure(
        "lpas-probabilities", "How many writes meet", line_chart(
            chosen, x_label="probability that a write goes elsewhere, percent", y_label="cycles of a write",
            x_format=plain, y_format=fixed(3), y_tick=plain, ticks=[float(one) for one in CONFLICTS],
            alt="mean latency of one write of classes III and IV over the probability of a conflict",
        ),
        shows="Classes III and IV, rows on rows and columns on columns: one write of each PE, which goes to "
        "the first cache of its target row or column (\"hot\") or to any of it (\"uniform\") with this "
        "probability, else to its own place.",
        learn="LPAS and FS have the same mean with one write, at any probability: 1 + 3 (p + p²) / 4 hot, "
        "1 + 3 p (2 - p) / 8 uniform, in both classes. What is off these lines is the draw of the cases.",
        traffic=f"{cases} cases a point, RTL equal to the model",
        table=Table("lpas_probabilities", "Classes III and IV by probability of a conflict", (
            Column("class", "class"), Column("kind", "conflicts"), Column("percent", "probability", "count"),
            *(Column(role, role, "f3") for role in SWITCHES), Column("exact", "exact, LPAS and FS", "f3"),
        ), rows),
    )  # fmt: skip
