# SPDX-License-Identifier: Apache-2.0
"""Claims of the source on the SIMT processor's caches beside measured values: a chapter of each page."""

from collections.abc import Mapping, Sequence
from typing import Any

from configs import UserError
from configs.simt import WORD_BYTES
from models.comparison import TRUE_LFU, Geometry
from report import costs
from report.pages import Page
from report.results import AGAIN
from report.simt import PUBLISHED, Chapter
from report.simt_results import Measured, first_requests, started, steady
from report.tables import size
from workloads.simt.isa import LANES
from workloads.simt.programs import NINE
from workloads.simt.programs.integers import PRODUCT

#: as published; SLIPS: what the source says beside it
GEOMETRIES = {"icache": Geometry(4, 16, 512), "dcache": Geometry(256, 4, 32)}
SLIPS = {"icache": "its “lines of 128 bytes” have 128 words: RAMs, address and fill say so", "dcache": ""}
MHZ, PATH_NS = 307, {"icache": 2.923, "dcache": 3.258}
WORDS = {"icache": 1, "dcache": LANES}  # of a request


def of_cache(page: Page, found: Chapter) -> None:
    """The chapter of either cache."""
    base, published = found.base, GEOMETRIES[found.block]
    page.claim("size", float(base.capacity_bytes), theirs=_shape(published), ours=_shape(base),
               slip=SLIPS[found.block], same=base == published)  # fmt: skip
    nine = _usual(found.programs)
    _ran(page, len(nine), "through the RTL under each policy")
    rates = [1 - one.runs[PUBLISHED]["misses"] / one.about["looked_up"] for one in nine]
    page.claim("hit_rate", min(rates), most=max(rates), policy=PUBLISHED,
               replaced=sum(one.runs[PUBLISHED]["evictions"] for one in nine))  # fmt: skip
    points = [point for one in found.programs for point in (*one.points, *one.by_warps)]
    page.claim("lfu", float(len(points)), points=len(points),
               others=sum(point.misses[TRUE_LFU] != point.misses["lfu"] for point in points))  # fmt: skip
    _start(page, found)
    _synthesis(page, found.block)


def _start(page: Page, found: Chapter) -> None:
    """How a matrix product begins."""
    one, lanes = started(found.programs), WORDS[found.block]
    words, ours = (where.line_bytes // WORD_BYTES for where in (GEOMETRIES[found.block], found.base))
    run, begins = one.runs[PUBLISHED], first_requests(one, PUBLISHED)
    traffic = f"{one.program}, {one.n} rows, {PUBLISHED}, RTL"
    missed, waited = begins[0]["misses"], begins[0]["answered"]
    page.claim("first", float(waited), words=words, missed=missed, waited=waited, ran=traffic, ours=ours,
               same=missed > 0 and ours == words)  # fmt: skip
    count, cycles = steady(begins)
    page.claim("then", cycles / lanes, count=count, lanes=lanes, same=cycles / lanes == 1)
    page.claim("product", float(run["misses"]), misses=run["misses"], looked_up=one.about["looked_up"],
               looked=found.what, ran=traffic)  # fmt: skip


def of_machine(page: Page, published: Sequence[Mapping[str, Any]], latency: int) -> None:
    """The chapter of the memory unit: runs of programs on the published caches. Raises :class:`UserError`."""
    nine = [row for row in published if row["program"] in NINE]
    _ran(page, len(nine), "through the RTL")
    found = [row for row in published if row["program"] == "product"]  # if measured, it was right
    if not found:
        raise UserError(f"the results of mmu have nothing of the program product; {AGAIN}")
    digits = " ".join(f"{word:02x}" for word in PRODUCT.ravel().tolist())
    page.claim("digits", float(PRODUCT.size), same=True, digits=digits, instructions=found[0]["instructions"])
    cpi = [row["cpi"] for row in nine]
    page.claim("cpi", min(cpi), most=max(cpi), latency=latency)
    _synthesis(page, "mmu")


def _ran(page: Page, count: int, how: str) -> None:
    page.claim("ran", float(count), same=count == len(NINE), how=how)


def _synthesis(page: Page, block: str) -> None:
    """Clock and area of the published configuration, from kept synthesis; draws all claims."""
    found = costs.kept(block).get(("", "", ""))
    path, lut = (found["path_ns"], found["lut"]) if found else (None, None)
    if block in PATH_NS:
        page.claim("path", path, theirs=PATH_NS[block], ours=f"{path:.2f} ns" if path else "not measured")
    page.claim("frequency", path and 1000 / path, theirs=MHZ,
               ours=f"at most {1000 / path:.0f} MHz" if path else "not measured")  # fmt: skip
    area = "{lut:,.0f} LUT, {ff:,.0f} flip-flops, {bram:g} block RAMs"
    page.claim("area", lut, ours=area.format(**found) if found else "not measured")
    page.draw_claims("source")


def _shape(one: Geometry) -> str:
    line = f"{one.line_bytes // WORD_BYTES} words"
    return f"{size(one.capacity_bytes)}: {one.ways} ways of {one.sets} sets, lines of {line}"


def _usual(programs: Sequence[Measured]) -> list[Measured]:
    """Programs of the source, each on its smallest problem."""
    least = {one.program: one for one in sorted(programs, key=lambda one: -one.n)}
    return [one for one in programs if one.program in NINE and least[one.program] is one]
