# SPDX-License-Identifier: Apache-2.0
"""Claims of the source beside measured values."""

from report.lpas import loads, programs, shots, source, waits
from report.lpas.results import AREAS, FS, LOAD, LPAS, LR2SS, SWITCHES, LpasResults
from report.pages import Page
from workloads.lpas.cases import HOT, HOT_SHARE, expected


def draw(page: Page, results: LpasResults) -> None:
    """The table of claims."""
    _latencies(page, results)
    _classes(page, results)
    _conflict(page, results)
    _bandwidth(page, results)
    _application(page, results)
    _synthesis(page)
    page.draw_claims("source")


def _latencies(page: Page, results: LpasResults) -> None:
    write, read = (results.cases[LPAS].mean("figure 4", op=op) for op in (1, LOAD))
    page.claim("write", write, same=write == 1)
    page.claim("read", read, same=read == 2)
    for role in SWITCHES:
        values = zip(
            ("writes", "reads"), source.SIMPLE[role], shots.simple_mean(results.cases[role]), strict=True
        )
        for kind, theirs, ours in values:
            page.claim("simple", ours, kind=kind, role=role, theirs=theirs, same=ours == theirs,
                       remark=page.say("reading") if role == LR2SS else "figure 6")  # fmt: skip


def _classes(page: Page, results: LpasResults) -> None:
    for name, values in source.CLASSES.items():
        kind = source.BESIDE if name in ("III", "IV") else None
        for role in SWITCHES:
            ours = results.cases[role].mean(f"class {name}", kind)
            traffic = f"{len(results.cases[role].numbers(f'class {name}', kind))} cases"
            error = results.cases[role].error(f"class {name}", kind) if kind else 0.0
            remark, exact = source.FIGURE[name], ours
            if role == LR2SS and name != "I":
                remark += page.say("readings")
            elif kind:
                exact = expected(HOT, HOT_SHARE)
                remark += page.say("expected", exact=exact)
            page.claim("class", ours, name=name, role=role, theirs=values[role], remark=remark,
                       error=f" ± {error:.2f}" if error else "",
                       ran=traffic + (page.say("hot") if kind else ""),
                       same=abs(exact - values[role]) < 0.005)  # fmt: skip
    rows = [row for row in shots.length_rows(results) if row["class"] == "IV" and row["length"] > 1]
    best, worst = (choose(rows, key=lambda row: float(row[LPAS] - row[FS])) for choose in (min, max))
    page.claim("below", float(best[LPAS] - best[FS]), best=best, worst=worst)


def _conflict(page: Page, results: LpasResults) -> None:
    rows = [row for row in shots.conflict_rows(results) if row["switch"] == LPAS]
    local = [row["LA"] for row in rows]
    page.claim("local", max(local), local=local, same=set(local) == {2.5})
    areas = [rows[-1][name] for name in AREAS]
    page.claim(
        "rising", areas[3], areas=" < ".join(f"{area:.1f}" for area in areas), same=sorted(areas) == areas
    )
    full = waits.at_full_load(results)
    page.claim("longest", float(max(full.values())), full=full)
    row = waits.besieged(results)
    page.claim("besieged", float(row["RA3"]), row=row)


def _bandwidth(page: Page, results: LpasResults) -> None:
    peak = {role: loads.accepted(results, "transposed", role) * 32 * source.MHZ * 1e6 for role in SWITCHES}
    less = peak[LPAS] - peak[LR2SS]
    page.claim("peak", peak[LPAS], giga=peak[LPAS] / 1e9)
    page.claim("peak_less", less, giga=less / 1e9)
    page.claim("peak_fs", peak[FS], giga=peak[FS] / 1e9, same=abs(peak[FS] - peak[LPAS]) < 1e6)


def _application(page: Page, results: LpasResults) -> None:
    paper, lines = (programs.published(results, name) for name in (programs.PAPERS, programs.BY_LINES))
    page.claim("time", programs.milliseconds(paper["cycles"]), cycles=source.CYCLES,
               near=programs.matching(programs.latency_rows(results)),
               lines=programs.milliseconds(lines["cycles"]))  # fmt: skip
    parts = {part["name"]: part["bandwidth"] for part in paper["phases"]}
    page.claim("counting", parts["counting"], giga=parts["counting"] / 1e9)
    page.claim("summing", parts["summing"], mega=parts["summing"] / 1e6)
    rate, by_lines = (programs.bandwidth(run["words"], run["cycles"]) for run in (paper, lines))
    page.claim("bandwidth", rate, mega=rate / 1e6, lines=by_lines / 1e6)
    page.claim(
        "conflicts", float(lines["conflict_cycles"]), waited=lines["conflict_cycles"], of=lines["cycles"]
    )


def _synthesis(page: Page) -> None:
    """Resources and clock of an array of 4x4, from the synthesis that is kept with the sources."""
    for part, words in loads.PARTS.items():
        resources = {role: loads.resources(role, (4, 4), part) for role in SWITCHES}
        luts = {role: figures["lut"] for role, figures in resources.items() if figures}
        paths = {role: figures["path_ns"] for role, figures in resources.items() if figures}
        missing = "".join(f", {role} not measured" for role in SWITCHES if role not in luts)
        page.claim(
            "resources", luts.get(LPAS), part=words, command=loads.COMMAND,
            ours=", ".join(f"{role} {count:,.0f} LUT" for role, count in luts.items()) + missing,
            same=luts.keys() == set(SWITCHES) and min(luts, key=luts.__getitem__) == LPAS,
        )  # fmt: skip
        page.claim(
            "clock", 1000 / paths[LPAS] if LPAS in paths else None, part=words, command=loads.COMMAND,
            theirs=page.say("clock") if part == loads.SWITCH else "not given",
            ours="; ".join(f"{role} at most {1000 / path:.0f} MHz" for role, path in paths.items()) + missing,
        )  # fmt: skip
