# SPDX-License-Identifier: Apache-2.0
"""The source's figures 4 to 9, pattern by pattern and case by case; readings of LR2SS, lengths,
probabilities.
"""

from itertools import product
from typing import Any

import numpy as np

from report.lpas import source
from report.lpas.results import (
    AREAS,
    FS,
    LOAD,
    LPAS,
    LR2SS,
    STORE,
    SWITCHES,
    Cases,
    LpasResults,
    standard_error,
)  # fmt: skip
from report.pages import Page
from report.tables import Rows
from workloads.lpas.cases import (
    CONFLICTS,
    HOT,
    LENGTHS,
    PER_CLASS,
    SIMPLE,
    UNIFORM,
    at,
    expected,
)  # fmt: skip

SURE = 2  # standard errors beyond which a difference is none of the draw's


def draw(page: Page, results: LpasResults) -> None:
    """Patterns and classes, and what they depend on."""
    _figure_4(page, results)
    _figure_5(page, results)
    _figure_6(page, results)
    _classes(page, results)
    _readings(page, results)
    _lengths(page, results)
    _probabilities(page, results)


def _figure_4(page: Page, results: LpasResults) -> None:
    rows: Rows = []
    for role, row, (area, inside) in product(SWITCHES, range(4), (("LA", True), ("RA", False))):
        cases = results.cases[role]
        shown: dict[str, Any] = {"switch": role, "row": row + 1, "area": area, "_row": f"row {row + 1}"}
        for name, op in (("write", STORE), ("read", LOAD)):
            mine = cases.where("figure 4", op=op) & (cases["cache"] // 4 == row)
            mine &= (cases["pe"] // 4 == row) == inside
            shown[name] = float(cases["latency"][mine].mean())
        rows.append(shown)
    free = {role: [row["write"] for row in rows if row["switch"] == role] for role in SWITCHES}
    page.draw("lpas-figure-4", rows, free=free, drawn=len(results.cases[LPAS].numbers("figure 4")) // 16)


def conflict_rows(results: LpasResults) -> Rows:
    """Mean latency of each area at caches of the first row, by share of conflicts and switch."""
    return [
        {"percent": percent / 100, "switch": role, "_percent": percent,
         **dict(zip(AREAS, results.cases[role].by_area("figure 5", str(percent)), strict=True))}
        for percent in CONFLICTS for role in SWITCHES
    ]  # fmt: skip


def _figure_5(page: Page, results: LpasResults) -> None:
    rows = conflict_rows(results)
    last = {row["switch"]: row for row in rows if row["percent"] == 1}
    local = [row["LA"] for row in rows if row["switch"] == LPAS]
    page.draw("lpas-figure-5", rows, local=local, last=last[LPAS]["RA3"],
              fair=[last[FS][name] for name in AREAS],
              cases=len(results.cases[LPAS].numbers("figure 5", "100")))  # fmt: skip


def simple(cases: Cases) -> dict[str, tuple[float, float]]:
    """Write and read of each pattern."""
    return {name: (cases.mean("simple", name), cases.mean("simple", name, LOAD)) for name in SIMPLE}


def simple_mean(cases: Cases) -> tuple[float, float]:
    """Means of write and read over the eight patterns, each with the same weight."""
    write, read = np.mean(list(simple(cases).values()), axis=0)
    return float(write), float(read)


def _figure_6(page: Page, results: LpasResults) -> None:
    values = {role: simple(cases) | {"mean": simple_mean(cases)} for role, cases in results.cases.items()}
    rows: Rows = [
        {"pattern": name} | {f"{role} {kind}": values[role][name][number] for role in SWITCHES
         for number, kind in enumerate(("write", "read"))}
        | {"_ours": True, "_pattern": name.replace(" on ", "\non ").replace("2x2 c", "2x2\nc")}
        for name in (*SIMPLE, "mean")
    ]  # fmt: skip
    rows.append({"pattern": "source's mean"} | {
        f"{role} {kind}": source.SIMPLE[role][number]
        for role in SWITCHES for number, kind in enumerate(("write", "read"))
    } | {"_ours": False, "_pattern": ""})  # fmt: skip
    marks = [source.marks({role: source.SIMPLE[role][number] for role in SWITCHES}) for number in (0, 1)]
    write, read = values[LR2SS]["mean"]
    page.draw("lpas-figure-6", rows, mine=values[LPAS]["mean"], write=write, read=read,
              write_marks=marks[0], read_marks=marks[1],
              placements=len(results.cases[LPAS].numbers("simple")))  # fmt: skip


def kind_of(name: str) -> str | None:
    """Kind of our cases of a class beside the source's value; None: all."""
    return source.BESIDE if name in ("III", "IV") else None


def class_means(results: LpasResults) -> Rows:
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


def _classes(page: Page, results: LpasResults) -> None:
    rows = [
        {key: row[key] for key in ("class", "kind", *SWITCHES)}
        | {f"source {role}": source.CLASSES[row["class"]][role] for role in SWITCHES}
        for row in class_means(results)
    ]
    cases = results.cases[LPAS]
    page.draw("lpas-classes", rows, two=rows[-1], without=PER_CLASS, all=len(cases.listed),
              drawn=len(cases.numbers("class IV", source.BESIDE)))  # fmt: skip


def _readings(page: Page, results: LpasResults) -> None:
    """The reading of LR2SS decides the comparison."""
    names = [role for role in results.cases if role.startswith(LR2SS)]
    shown = {"LR2SS": "A (default)", "LR2SS B": "B", "LR2SS C": "C"}
    rows: Rows = []
    for role in (*names, FS):
        cases = results.cases[role]
        write, read = simple_mean(cases)
        rows.append(
            {"reading": shown.get(role, role), "write": write, "read": read}
            | {name: cases.mean(f"class {name}", kind_of(name)) for name in source.CLASSES}
            | {"III uniform": cases.mean("class III", f"{UNIFORM} 1")}
        )
    theirs = {name: source.CLASSES[name][LR2SS] for name in source.CLASSES}
    rows.append(
        {"reading": "source, LR2SS", "write": 1.4, "read": 2.31, **theirs, "III uniform": theirs["III"]}
    )
    heads = {name: page.column(name, page.of("lpas-readings")).title for name in rows[0] if name != "reading"}
    drawn = [
        {"reading": row["reading"], "_head": title.replace(" ", "\n", 1), "_cycles": row[name]}
        for row in rows for name, title in heads.items()
    ]  # fmt: skip
    apart = {row["reading"]: _distance(row, rows[-1]) for row in rows[:-2]}
    distances = ", ".join(f"{reading} {distance:.2f}" for reading, distance in apart.items())
    alone = [role for role in names if results.cases[role].found.model_only]
    page.draw("lpas-readings", rows, charted=drawn, distances=distances,
              nearest=min(apart, key=apart.__getitem__),
              alone=f"; {', '.join(alone)}: model only" if alone else ", RTL equal to the model")  # fmt: skip


def _distance(row: dict[str, Any], theirs: dict[str, Any]) -> float:
    """Sum of differences, class III with the better of two kinds of conflict."""
    apart = {name: abs(row[name] - value) for name, value in theirs.items() if name != "reading"}
    third = min(apart.pop("III"), apart.pop("III uniform"))
    return float(sum(apart.values()) + third)


def length_rows(results: LpasResults) -> Rows:
    """Means of class IV and III by kind and length; ``gap``: LPAS less FS, case by case, and its error."""
    rows = []
    for name, kind, length in product(("III", "IV"), (UNIFORM, HOT), LENGTHS):
        means = {role: results.cases[role].means(f"class {name}", f"{kind} {length}") for role in SWITCHES}
        gaps = means[LPAS] - means[FS]
        rows.append(
            {"class": name, "kind": kind, "length": length}
            | {role: float(case_means.mean()) for role, case_means in means.items()}
            | {"gap": float(gaps.mean()), "error": standard_error(gaps)}
        )
    return rows


def _lengths(page: Page, results: LpasResults) -> None:
    rows, verdicts, drawn = length_rows(results), [], []
    for kind in (UNIFORM, HOT):
        mine = [row for row in rows if row["class"] == "IV" and row["kind"] == kind]
        drawn += [{"length": row["length"], "_series": f"{role}, {kind}", "_cycles": row[role]}
                  for role in (LPAS, FS) for row in mine]  # fmt: skip
        for role, sign in ((LPAS, -1), (FS, 1)):
            faster = [row["length"] for row in mine if sign * row["gap"] > SURE * row["error"]]
            if faster:
                whole = faster == [row["length"] for row in mine if faster[0] <= row["length"] <= faster[-1]]
                words = f"{faster[0]} to {faster[-1]}" if whole else ", ".join(map(str, faster))
                verdicts.append(f"{kind.capitalize()}: {role} is faster at {words} writes.")
    low = float(int(min(row["_cycles"] for row in drawn) * 10)) / 10
    page.draw("lpas-lengths", rows, charted=drawn, told=" ".join(verdicts), sure=SURE, low=low,
              cases=len(results.cases[LPAS].numbers("class IV", "hot 2")))  # fmt: skip


def probability_rows(results: LpasResults) -> Rows:
    """Means of classes III and IV, one write, by kind and probability of a conflict; and what is exact."""
    return [
        {"class": name, "kind": kind, "percent": percent}
        | {role: results.cases[role].mean(f"class {name}", at(kind, percent)) for role in SWITCHES}
        | {"exact": expected(kind, percent / 100)}
        for name in ("III", "IV") for kind in (UNIFORM, HOT) for percent in CONFLICTS
    ]  # fmt: skip


def _probabilities(page: Page, results: LpasResults) -> None:
    rows = probability_rows(results)
    lines = [
        *((f"LPAS and FS, {kind}", LPAS, "III", kind) for kind in (UNIFORM, HOT)),
        *((f"exact, {kind}", "exact", "III", kind) for kind in (UNIFORM, HOT)),
        *((f"LR2SS, class {name}, {HOT}", LR2SS, name, HOT) for name in ("III", "IV")),
    ]
    drawn = [
        {"percent": row["percent"], "_series": title, "_cycles": row[key]}
        for title, key, name, kind in lines for row in rows if (row["class"], row["kind"]) == (name, kind)
    ]  # fmt: skip
    page.draw("lpas-probabilities", rows, charted=drawn,
              off=max(abs(row[role] - row["exact"]) for row in rows for role in (LPAS, FS)),
              cases=len(results.cases[LPAS].numbers("class III", at(HOT, CONFLICTS[0]))))  # fmt: skip
