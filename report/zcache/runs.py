# SPDX-License-Identifier: Apache-2.0
"""Runs of the RTL beside each other: hits, latency, waits, fates of prefetches, marks and bounds, tests
early.
"""

from collections.abc import Sequence

from configs.zcache.counters import CAUSES, COUNTERS
from models.zcache.figures import DROPS, FATES, UNITS, hit_rate
from report.costs import draw_costs
from report.pages import Page
from report.results import Figures
from report.tables import Rows
from report.words import counted, cut, mean, points
from report.zcache.claims import CENTRE
from report.zcache.results import (
    AHEAD,
    BOTH,
    BOUNDS,
    EARLY,
    GAINS,
    GAINS_OFF,
    MARKS,
    OFF,
    PLAIN,
    SERIAL,
    SERIAL_OFF,
    ZcacheResults,
    drops_of,
    fates_of,
    gain,
    reduction,
)  # fmt: skip

ROLES = {
    AHEAD: "with prefetch", OFF: "without prefetch", PLAIN: "with prefetch, plain PLRU",
    SERIAL: "serial, with prefetch", SERIAL_OFF: "serial, without prefetch",
    GAINS: "two reads, with prefetch", GAINS_OFF: "two reads, without prefetch",
}  # fmt: skip
SAVERS = {MARKS: "marks", BOUNDS: "bounds", BOTH: "both"}
TESTS = {AHEAD: "late", EARLY: "early"}
COVERED, SERPENTINE, VISITED = "covered, rows", "covered, serpentine", "visited, rows"
WAITS = {cause: dict(COUNTERS)[f"{cause}_wait_cycles"] for cause in CAUSES}
TOLD_FATES = {
    "useful": "present at the first test", "late": "still on its way then",
    "early": "replaced before its own test, which missed", "useless": "replaced, and its tile tested nothing",
    "open": "there to the end, without a test",
}  # fmt: skip
TOLD_DROPS = {
    "present": "its line was there, or on its way", "writing": "its line was being written",
    "untouched": "all lines of its set were unused prefetched ones",
    "busy": "all reads were under way", "stale": "its tile was at the test already",
    "full": "the queue was full",
}  # fmt: skip


def draw(page: Page, results: ZcacheResults) -> None:
    """All chapters on runs of the RTL, and the rasterizer's steps."""
    _hits(page, results)
    _waits(page, results)
    if results.deep:
        _scarce(page, results)
    _fates(page, results)
    if results.bounded:
        _bounds(page, results)
    if results.early:
        _early(page, results)
    _walks(page, results)
    draw_costs(page, "zcache-cost")


def rows(results: ZcacheResults) -> Rows:
    """A row for each run in RTL."""
    made: Rows = []
    for scene in results.scenes:
        for role, name in ROLES.items():
            if (scene, role) in results.runs:
                run = results.run(scene, role)
                made.append({
                    "scene": scene, "kind": name, **{unit: hit_rate(run, unit) for unit in UNITS},
                    "late": run["lates"] / run["tiles"], "latency": run["latency"], "queued": run["queued"],
                    "frame_cycles": run["frame_cycles"], "read": run["read_bytes"],
                    "written": run["written_bytes"], "cleared": run["cleared_bytes"],
                })  # fmt: skip
    return made


def _hits(page: Page, results: ZcacheResults) -> None:
    scenes = results.scenes
    gains = {unit: [gain(results.run(s, AHEAD), results.run(s, OFF), unit) for s in scenes] for unit in UNITS}
    added = "; ".join(
        f"by {unit} {points(min(own), 1)} to {points(max(own), 1)}, mean {points(mean(own), 1)} points"
        for unit, own in gains.items()
    )
    charted = [
        {"scene": scene, "_series": f"by {unit}, {ROLES[role]}",
         "_rate": 1 - hit_rate(results.run(scene, role), unit)}
        for unit in UNITS for role in (OFF, AHEAD) for scene in scenes
    ]  # fmt: skip
    page.draw("hits", rows(results), charted=charted, added=added)
    charted = [{"scene": scene, "kind": ROLES[role], "latency": results.run(scene, role)["latency"]}
               for role in (OFF, AHEAD) for scene in scenes]  # fmt: skip
    pairs = [(results.run(scene, AHEAD), results.run(scene, OFF)) for scene in scenes]
    page.draw("latency", charted=charted, cuts=_ends(pairs, "latency"), frames=_ends(pairs, "frame_cycles"),
              pace=pairs[0][0]["pace"])  # fmt: skip


def _ends(pairs: Sequence[tuple[Figures, Figures]], name: str) -> tuple[float, float]:
    """The largest and the least reduction."""
    cuts = [reduction(*pair, name) for pair in pairs]
    return max(cuts), min(cuts)


def _waits(page: Page, results: ZcacheResults) -> None:
    """Why tiles wait at the test: the RTL's counters, cycle by cycle and cause by cause."""
    made: Rows = []
    for scene in results.scenes:
        for role, name in {AHEAD: "with", OFF: "without"}.items():
            run = results.run(scene, role)
            counters = run["counters"]
            made.append({
                "scene": scene, "kind": name, "waits": counters["wait_cycles"],
                **{cause: counters[f"{cause}_wait_cycles"] for cause in CAUSES},
                "result": counters["result_wait_cycles"], "tile": counters["tile_wait_cycles"],
                "_name": f"{scene}, {name}", "_tiles": run["tiles"],
            })  # fmt: skip
    without = {cause: mean(row[cause] / row["_tiles"] for row in made[1::2]) for cause in CAUSES}
    most, names = max(without, key=lambda cause: without[cause]), page.of("waits")["chart"]["names"]
    page.draw(
        "waits", made, causes=list(CAUSES), most=names[most],
        most_cycles=without[most], without_cycles=sum(without.values()),
        left=mean(sum(float(row[cause]) / row["_tiles"] for cause in CAUSES) for row in made[::2]),
        columns={cause: f"{names[cause]} | count | {words}" for cause, words in WAITS.items()},
    )  # fmt: skip


def _scarce(page: Page, results: ZcacheResults) -> None:
    """Settings with few reads under way: that in which the published gains come out, and a serial reading."""
    serial = results.run(results.deep[0], SERIAL)
    for key, title, preset, roles, why in (
        ("gains", "Two reads under way", "paper-gains", (GAINS, GAINS_OFF),
         f"The paper gained {points(CENTRE[0])} points; the middle of its possible mean latencies is "
         f"{cut(CENTRE[1])}."),
        ("serial", "One read under way", "paper-serial", (SERIAL, SERIAL_OFF),
         f"{serial['in_flight']} tiles in flight request a line each "
         f"{serial['delay'] // serial['in_flight']} cycles at most; a read takes "
         f"{serial['latency_of_memory'] + 4}."),
    ):  # fmt: skip
        pairs = {
            scene: (results.run(scene, roles[0]), results.run(scene, roles[1])) for scene in results.deep
        }
        made = [
            {"scene": scene, **{unit: gain(*pair, unit) for unit in UNITS}, "latency": -reduction(*pair),
             "queued": -reduction(*pair, "queued"), "busy": pair[0]["dropped_busy"] / pair[0]["requests"]}
            for scene, pair in pairs.items()
        ]  # fmt: skip
        page.draw(
            "scarce", made, anchor=key, key=key, title=title, preset=preset, run=pairs[results.deep[0]][0],
            reads=counted(pairs[results.deep[0]][0]["reads"], "read"), why=why,
            rate=100 * mean(row["row"] for row in made), less=mean(-row["latency"] for row in made),
            busy=[row["busy"] for row in made],
        )  # fmt: skip


def _fates(page: Page, results: ZcacheResults) -> None:
    """Lines that were asked for ahead by their fate, requests that were dropped by the reason."""
    made = [
        {"scene": scene, "kind": ROLES[role], "requests": run["requests"], "issued": run["issued"],
         **dict(zip(FATES, fates_of(run), strict=True)), **dict(zip(DROPS, drops_of(run), strict=True))}
        for (scene, role), run in results.runs.items() if run["requests"] and role in ROLES
    ]  # fmt: skip
    runs = [results.run(scene, AHEAD) for scene in results.scenes]
    names = page.of("fates")["chart"]["names"]
    columns = {name: f"{names[name]} | count | {words}" for name, words in TOLD_FATES.items()}
    columns |= {name: f"dropped: {name} | count | {words}" for name, words in TOLD_DROPS.items()}
    page.draw(
        "fates", made, charted=[row for scene in results.scenes for row in made if row["scene"] == scene],
        fates=list(FATES), columns=columns,
        idle=[(run["fate_useless"] + run["fate_open"]) / run["issued"] for run in runs],
        early=[run["fate_early"] / run["issued"] for run in runs],
        there=[run["dropped_present"] / run["requests"] for run in runs],
        issued=min(run["issued"] / max(run["requests"] - run["dropped_present"], 1) for run in runs),
    )  # fmt: skip


def reads(run: Figures) -> int:
    """Lines that memory was asked for: those of marked tiles are not."""
    return int(run["lines"] - run["counters"].get("blanks", 0))


def saved(results: ZcacheResults, scene: str, role: str) -> float:
    """Share of the reads that are saved."""
    return 1 - reads(results.run(scene, role)) / reads(results.run(scene, AHEAD))


def bound_rows(results: ZcacheResults) -> Rows:
    """A row for each scene and each way to save reads, and for none; bounds know no shader that discards."""
    made: Rows = []
    for scene in results.scenes:
        plain = results.run(scene, AHEAD)
        for role, name in {AHEAD: "neither", **SAVERS}.items():
            if (scene, role) in results.runs:
                run, share = results.run(scene, role), saved(results, scene, role)
                made.append({
                    "scene": scene, "kind": name, "tiles": run["tiles"],
                    "rejected": run["counters"].get("rejected", 0), "blanks": run["counters"].get("blanks",
                        0),
                    "reads": reads(run), "saved": share, "writes": run["counters"]["writebacks"],
                    "cycles": run["cycles"], "frame": run["cycles"] / plain["cycles"] - 1,
                    "_saved": max(0.0, share), "_bounded": scene in results.bounded,
                })  # fmt: skip
    return made


def _bounds(page: Page, results: ZcacheResults) -> None:
    """Lines that need not be read: tiles that a clear only marks, and tiles that bounds reject."""
    scenes, out = results.bounded, ""
    if discards := ", ".join(scene for scene in results.scenes if scene not in scenes):
        out = f" Without bounds, which precede the shader: {discards}, whose shader discards pixels."
    shares = {role: [saved(results, scene, role) for scene in scenes] for role in SAVERS}
    frames = {
        role: _ends([(results.run(scene, role), results.run(scene, AHEAD)) for scene in scenes], "cycles")
        for role in (MARKS, BOUNDS)
    }
    page.draw(
        "saved", bound_rows(results), bits=results.bound_bits, out=out, marks=shares[MARKS],
        bounds=shares[BOUNDS],
        both=shares[BOTH], together=mean(shares[BOTH]),
        cuts=[results.run(s, BOUNDS)["counters"]["rejected"] / results.run(s,
            AHEAD)["tiles"] for s in scenes],
        bounds_frame=frames[BOUNDS], marks_frame=frames[MARKS], bounded_traffic=results.traffic(scenes),
    )  # fmt: skip


def shaded(results: ZcacheResults, scene: str, role: str, unit: str) -> int:
    """Tiles or pixels (``unit``) that are shaded: late all that are covered, early those that passed."""
    what = "passed" if role == EARLY else "covered"
    return int(results.run(scene, role)[f"{what}_{unit}"])


def early_rows(results: ZcacheResults) -> Rows:
    """A row for each scene without discarding shaders, late and early."""
    return [
        {
            "scene": scene, "test": name, "shaded_tiles": shaded(results, scene, role, "tiles"),
            "shaded_pixels": shaded(results, scene, role, "pixels"), "hits": hit_rate(run, "tile"),
            "latency": run["latency"], "queued": run["queued"], "reads": run["lines"],
            "writes": run["counters"]["writebacks"], "frame_cycles": run["frame_cycles"],
        }
        for scene in results.early for role, name in TESTS.items() for run in [results.run(scene, role)]
    ]  # fmt: skip


def _early(page: Page, results: ZcacheResults) -> None:
    """The depth test before the shader beside the one behind it: what is shaded, and how long the test
    takes.
    """
    made, scenes, out = early_rows(results), results.early, ""
    if discards := ", ".join(scene for scene in results.scenes if scene not in scenes):
        out = f" Left out: {discards}, whose shader discards pixels after the test."
    late, early = ([row for row in made if row["test"] == test] for test in TESTS.values())
    charted = [{"scene": early_row["scene"], "_share": early_row["shaded_pixels"] / late_row["shaded_pixels"]}
               for late_row, early_row in zip(late, early, strict=True)]  # fmt: skip
    run = results.run(scenes[0], EARLY)
    traffic = (
        f"{results.traffic(scenes)}; early, tested {run['delay']} cycle after a tile is taken, "
        f"{run['in_flight']} tiles in flight"
    )
    lost = [early_row["hits"] - late_row["hits"] for late_row, early_row in zip(late, early, strict=True)]
    page.draw("shaded", made, charted=charted, out=out, early_traffic=traffic,
              shares=[row["_share"] for row in charted], lost=(min(lost), max(lost)),
              late=[row["latency"] for row in late], early=[row["latency"] for row in early],
              frames=_ends([(results.run(s, EARLY), results.run(s, AHEAD)) for s in scenes],
                  "frame_cycles"))  # fmt: skip


def walk_rows(results: ZcacheResults) -> Rows:
    """A row for each scene and way to give tiles on."""
    made: Rows = []
    for scene in results.scenes:
        emits = results.about[scene]["emits"]
        by = {(counts["emit"], counts["prefetch"]): counts for counts in emits}
        for emit in dict.fromkeys(counts["emit"] for counts in emits):
            ahead, off = by[emit, True], by[emit, False]
            made.append({
                "scene": scene, "emit": emit, "given": ahead["given"], "off": hit_rate(off, "row"),
                "ahead": hit_rate(ahead, "row"), "gain": gain(ahead, off, "row"),
                "latency": -reduction(ahead, off), "lines": ahead["lines"], "lines_off": off["lines"],
                "more": ahead["lines"] / by[COVERED, True]["lines"],
                "useless": ahead["fate_useless"] + ahead["fate_open"],
            })  # fmt: skip
    return made


def _walks(page: Page, results: ZcacheResults) -> None:
    made = walk_rows(results)
    more = {emit: [row["more"] for row in made if row["emit"] == emit] for emit in (SERPENTINE, VISITED)}
    page.draw("walks", made, worse=mean(more[VISITED]), worst=max(more[VISITED]),
              serpentine=max(abs(ratio - 1) for ratio in more[SERPENTINE]))  # fmt: skip
