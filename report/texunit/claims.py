# SPDX-License-Identifier: Apache-2.0
"""The source's numbers beside ours."""

from report.claims import Claim, draw_claims
from report.pages import Page
from report.texunit.results import Results
from report.words import pct

#: stage -> what it is, cycles as published, 0 if none are
PUBLISHED = {
    "lod": ("level of detail of a quad", 11),
    "repeat": ("query for the line of the query before", 1),
    "hit": ("query that hits: tags, then data", 8),
    "filter": ("bilinear filter", 8),
}


def cycles_of(number: int) -> str:
    """For people."""
    return f"{number} cycle" + "s" * (number != 1)


def stage_claims(found: Results) -> list[Claim]:
    """The stages whose cycles are published."""
    claims = []
    for stage, (what, cycles) in PUBLISHED.items():
        times, least, most = found.index["stages"][stage]
        ours = cycles_of(least) if least == most else f"{least} to {most} cycles"
        remark = "the same each time"
        if stage == "hit":
            remark = "4 + 4 as published; “about 10” there with hand-over"
        claims.append(Claim(
            what, cycles_of(cycles), ours, float(least), f"{times} times on an idle unit", remark,
            same=least == most == cycles,
        ))  # fmt: skip
    return claims


def other_claims(found: Results) -> list[Claim]:
    """What is stated without a number, or left open."""
    times, least, _ = found.index["stages"]["miss"]
    one = [found.run(scene, "one") for scene in found.scenes]
    latency = one[0]["latency"]
    rates = [run["hit_rate"] for run in one]
    repeats = [run["repeat_rate"] for run in one]
    tabled = [found.run(scene, "table")["repeat_rate"] for scene in found.scenes]
    waits = [run["memory_wait_share"] for run in one]
    scenes = f"{len(one)} scenes, bilinear, one unit"

    def range_claim(what: str, source: str, values: list[float], remark: str) -> Claim:
        return Claim(what, source, f"{pct(min(values))} to {pct(max(values))}", min(values), scenes, remark)

    return [
        Claim("query that misses", "upwards of 100 cycles", f"{least} cycles", float(least),
              f"{times} times on an idle unit",
              f"memory answers after {latency} cycles; 9 are the unit’s own"),
        range_claim("queries for the previous line", "“frequently”, “many”", repeats, "4 bytes a texel"),
        range_claim("the same, through colour tables", "“extremely common”", tabled, "a tile is one line"),
        range_claim("hit rate, repeats included", "not given", rates, "all queries of all pixels"),
        range_claim("time a miss stalls the unit", "“stalls the entire pipeline”", waits,
                    "nothing overtakes: results leave in order"),
    ]  # fmt: skip


def driver_claims(found: Results) -> list[Claim]:
    """Against llvmpipe: nothing that the source says, but what tells whether it samples right."""
    one = [found.run(scene, "one")["llvmpipe"] for scene in found.scenes]
    scenes = f"{len(one)} scenes, bilinear"
    claims = []
    for key, what, remark in (
        ("our_levels", "samples that differ from llvmpipe, equal levels", "the filter itself, bit by bit"),
        ("own_levels", "the same, llvmpipe’s own levels",
         "edges of triangles, levels near a half, levels beyond 8"),
    ):  # fmt: skip
        worst, mean = max(run[key]["most"] for run in one), max(run[key]["mean"] for run in one)
        differ = max(1 - run[key]["same"] for run in one)
        ours = f"{pct(differ, 2)} at most; max {worst}, mean {mean:.3f} of 255" if worst else "none"
        claims.append(Claim(what, "–", ours, differ, scenes, remark))
    return claims


def draw(page: Page, found: Results) -> None:
    """The chapter."""
    stages = stage_claims(found)
    claims = [*stages, *other_claims(found), *driver_claims(found)]
    draw_claims(page, "source", claims, exact=sum(claim.same for claim in stages), stages=len(stages))
