# SPDX-License-Identifier: Apache-2.0
"""What the source states, beside what was measured."""

from collections.abc import Iterator

from report.claims import Claim, draw_claims
from report.lpas import loads, programs, shots, source, waits
from report.lpas.results import AREAS, FS, LOAD, LPAS, LR2SS, SWITCHES, Results
from report.pages import Page
from report.tables import whole
from report.words import span
from workloads.lpas.cases import HOT, HOT_SHARE, expected


def draw(page: Page, results: Results) -> None:
    """The table of claims."""
    draw_claims(page, "source", list(_claims(results)))


def _claims(results: Results) -> Iterator[Claim]:
    yield from _latencies(results)
    yield from _classes(results)
    yield from _conflict(results)
    yield from _bandwidth(results)
    yield from _application(results)
    yield from _synthesis()


def _latencies(results: Results) -> Iterator[Claim]:
    write, read = (results.cases[LPAS].mean("figure 4", op=op) for op in (1, LOAD))
    yield Claim("16 writes at once without conflict, LPAS", "1 cycle", f"{write:.2f}", write, "16 rotations",
                "figure 4", write == 1)  # fmt: skip
    yield Claim("16 reads at once without conflict, LPAS", "2 cycles", f"{read:.2f}", read, "16 rotations",
                "figure 4", read == 2)  # fmt: skip
    for role in SWITCHES:
        for number, (kind, theirs) in enumerate(zip(("writes", "reads"), source.SIMPLE[role], strict=True)):
            ours = shots.simple_mean(results.cases[role])[number]
            remark = "reading A; a read is a write + 1 in every reading" if role == LR2SS else "figure 6"
            yield Claim(f"eight simple patterns, {kind}, {role}", f"{theirs:g}", f"{ours:.2f}", ours,
                        "eight patterns in all places", remark, ours == theirs)  # fmt: skip


def _classes(results: Results) -> Iterator[Claim]:
    for name, values in source.CLASSES.items():
        kind = source.BESIDE if name in ("III", "IV") else None
        for role in SWITCHES:
            ours = results.cases[role].mean(f"class {name}", kind)
            traffic = f"{len(results.cases[role].numbers(f'class {name}', kind))} cases"
            traffic += ", one write, hot 0.4; ± is the standard error" if kind else ""
            error = results.cases[role].error(f"class {name}", kind) if kind else 0.0
            remark, exact = source.FIGURE[name], ours
            if role == LR2SS and name != "I":
                remark += "; reading A, others in lpas_readings"
            elif kind:
                exact = expected(HOT, HOT_SHARE)
                remark += f"; exactly {exact:.2f} is expected, 1 + 3 (p + p²) / 4"
            yield Claim(f"class {name}, {role}", f"{values[role]:g}",
                        f"{ours:.2f} ± {error:.2f}" if error else f"{ours:.2f}", ours, traffic, remark,
                        abs(exact - values[role]) < 0.005)  # fmt: skip
    rows = [row for row in shots.length_rows(results) if row["class"] == "IV" and row["length"] > 1]
    best = min(rows, key=lambda row: float(row[LPAS] - row[FS]))
    worst = max(rows, key=lambda row: float(row[LPAS] - row[FS]))
    yield Claim(
        "LPAS below FS in class IV", "1.41 against 1.43",
        f"at best {best[LPAS]:.2f} against {best[FS]:.2f}, at worst {worst[LPAS]:.2f} against "
        f"{worst[FS]:.2f}",
        float(best[LPAS] - best[FS]),
        f"{best['kind']}, {best['length']} writes; {worst['kind']}, {worst['length']} writes",
        "never with one write per PE, where no policy changes the mean",
    )  # fmt: skip


def _conflict(results: Results) -> Iterator[Claim]:
    rows = [row for row in shots.conflict_rows(results) if row["switch"] == LPAS]
    local = [row["LA"] for row in rows]
    yield Claim("local writes under 25 to 100 % conflict", "stays near 2.5",
                span(local), max(local), "first row of caches, each share",
                "figure 5: exactly the mean of 1 to 4", set(local) == {2.5})  # fmt: skip
    areas = [rows[-1][name] for name in AREAS]
    yield Claim("LA < RA1 < RA2 < RA3 under conflict", "RA3 rises fastest",
                " < ".join(f"{one:.1f}" for one in areas), areas[3], "100 %", "figure 5",
                sorted(areas) == areas)  # fmt: skip
    full = waits.at_full_load(results)
    yield Claim("the longest store of a far PE under full load", "nothing",
                "; ".join(f"{traffic} {whole(cycles)} cycles" for traffic, cycles in full.items()),
                float(max(full.values())), "offered load 1: 80 % local; 15 % to one cache",
                "as long as near ones go on; \"age\" and \"weights\" bound it")  # fmt: skip
    row = waits.besieged(results)
    yield Claim("a far PE whose near ones never pause", "nothing", f"waits {whole(row['RA3'])} cycles",
                float(row["RA3"]), f"{row['kind']}, {whole(row['near'])} times each",
                "without limit")  # fmt: skip


def _bandwidth(results: Results) -> Iterator[Claim]:
    peak = {role: loads.accepted(results, "transposed", role) * 32 * source.MHZ * 1e6 for role in SWITCHES}
    full = "transposed, full load"
    yield Claim("peak bandwidth, LPAS", "7.6 GB/s", f"{peak[LPAS] / 1e9:.2f} GB/s", peak[LPAS], full,
                "16 words of 2 bytes at 221 MHz are 7.07; reads alone 3.54")  # fmt: skip
    yield Claim("peak bandwidth, LR2SS", "0.95 GB/s less",
                f"{(peak[LPAS] - peak[LR2SS]) / 1e9:.2f} GB/s less", peak[LPAS] - peak[LR2SS],
                full, "0.95 is 7.6 / 8; reading A")  # fmt: skip
    yield Claim("peak bandwidth, FS", "about as LPAS", f"{peak[FS] / 1e9:.2f} GB/s", peak[FS], full,
                "no conflict, so no difference", abs(peak[FS] - peak[LPAS]) < 1e6)  # fmt: skip


def _application(results: Results) -> Iterator[Claim]:
    paper, lines = (programs.published(results, name) for name in (programs.PAPERS, programs.BY_LINES))
    time = {name: programs.milliseconds(run["cycles"]) for name, run in (("paper", paper), ("lines", lines))}
    near = programs.matching(programs.latency_rows(results))
    yield Claim("the application", "0.24 ms", f"{time['paper']:.3f} ms", time["paper"],
                "cooccurrence, memory 26 cycles away",
                f"0.24 ms are {source.CYCLES} cycles, ours with a memory {near:.1f} cycles away; "
                f"{time['lines']:.3f} ms where caches fetch lines")  # fmt: skip
    parts = {part["name"]: part["bandwidth"] for part in paper["phases"]}
    yield Claim("bandwidth while all count", "7.6 GB/s", f"{parts['counting'] / 1e9:.2f} GB/s",
                parts["counting"], "cooccurrence",
                "a peak of the caches, not what 16 PEs ask: they compute between accesses")  # fmt: skip
    yield Claim("bandwidth while PE 33 sums", "450 MB/s", f"{parts['summing'] / 1e6:.1f} MB/s",
                parts["summing"], "cooccurrence",
                "450 is a word per cycle at 225 MHz; a load takes two and is not all it does")  # fmt: skip
    rate = programs.bandwidth(paper["words"], paper["cycles"])
    yield Claim("bandwidth of the application", "478.125 MB/s", f"{rate / 1e6:.1f} MB/s", rate,
                "cooccurrence",
                f"478.125 = 7650 / 16; {programs.bandwidth(lines['words'], lines['cycles']) / 1e6:.1f} "
                "MB/s by lines")  # fmt: skip
    waited = next(run["conflict_cycles"] for run in (lines,))
    yield Claim("conflicts while all count", "probability 0", f"{waited} cycles of {lines['cycles']}",
                float(waited), "cooccurrence-lines, all phases",
                "none while counting; flags meet in cache 33")  # fmt: skip


def _synthesis() -> Iterator[Claim]:
    """Of an array of 4x4, from what is kept with the sources."""
    tool = f"Yosys, 7 series: cells alone, no routing; {loads.COMMAND}"
    for part, words in loads.PARTS.items():
        found = {role: loads.resources(role, (4, 4), part) for role in SWITCHES}
        luts = {role: one["lut"] for role, one in found.items() if one}
        paths = {role: one["path_ns"] for role, one in found.items() if one}
        least = luts.keys() == set(SWITCHES) and min(luts, key=luts.__getitem__) == LPAS
        missing = "".join(f", {role} not measured" for role in SWITCHES if role not in luts)
        yield Claim(
            f"resources, {words}", "LPAS needs the least",
            ", ".join(f"{role} {count:,.0f} LUT" for role, count in luts.items()) + missing,
            luts.get(LPAS), tool, "its table is lost", least,
        )  # fmt: skip
        clock = "nothing"
        if part == loads.SWITCH:
            clock = f"{source.MHZ} MHz on an XC7Z045, FS about as much"
        yield Claim(
            f"clock, {words}", clock,
            "; ".join(f"{role} at most {1000 / path:.0f} MHz" for role, path in paths.items()) + missing,
            1000 / paths[LPAS] if LPAS in paths else None, tool, "a ceiling: routing is not in it",
        )  # fmt: skip
