# SPDX-License-Identifier: Apache-2.0
"""What the source states of the SIMT processor's caches, beside what was measured: a chapter of each page."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from configs import UserError
from configs.simt import WORD_BYTES
from models.comparison import TRUE_LFU, Geometry
from report import costs
from report.claims import Claim, draw_claims
from report.cold_start import first_requests, started, steady
from report.pages import Page
from report.results import AGAIN
from report.simt import PUBLISHED, Chapter
from report.simt_results import Measured
from report.tables import percent, size
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
    _draw(page, [*_cache(found), *_start(found), *_synthesis(found.block)])


def of_machine(page: Page, published: Sequence[Mapping[str, Any]], latency: int) -> None:
    """The chapter of the memory unit: runs of programs on the published caches. Raises :class:`UserError`."""
    _draw(page, [*_machine(published, latency), *_synthesis("mmu")])


def _draw(page: Page, claims: Sequence[Claim]) -> None:
    draw_claims(page, "source", claims, exact=sum(claim.same for claim in claims), claims=len(claims))


def _cache(found: Chapter) -> Iterator[Claim]:
    base, published = found.base, GEOMETRIES[found.block]
    yield Claim("size", _shape(published), _shape(base), float(base.capacity_bytes), "the configuration",
                SLIPS[found.block], base == published)  # fmt: skip
    nine = _usual(found.programs)
    yield _ran(len(nine), "through the RTL under each policy")
    rates = [1 - one.runs[PUBLISHED]["misses"] / one.about["looked_up"] for one in nine]
    replaced = sum(one.runs[PUBLISHED]["evictions"] for one in nine)
    yield Claim("hit rate", "not given", f"{percent(min(rates))} to {percent(max(rates))}", min(rates),
                f"these programs, {PUBLISHED}", f"{replaced} lines replaced in all")  # fmt: skip
    points = [point for one in found.programs for point in (*one.points, *one.by_warps)]
    others = sum(point.misses[TRUE_LFU] != point.misses["lfu"] for point in points)
    yield Claim("“LFU”", "one of four policies", f"the misses of LRU in all {len(points)} runs",
                float(len(points)), "all programs, geometries and warps; models",
                f"true LFU has others in {others} of them")  # fmt: skip


def _start(found: Chapter) -> Iterator[Claim]:
    """How a matrix product begins."""
    one, lanes = started(found.programs), WORDS[found.block]
    words, ours = (where.line_bytes // WORD_BYTES for where in (GEOMETRIES[found.block], found.base))
    run, begins = one.runs[PUBLISHED], first_requests(one, PUBLISHED)
    traffic = f"{one.program}, {one.n} rows, {PUBLISHED}, RTL"
    missed, waited = begins[0]["misses"], begins[0]["answered"]
    yield Claim("first access of a matrix product", f"misses; {words} words come",
                f"misses: {missed}; answered after {waited} cycles", float(waited), traffic,
                f"{ours} words a line", missed > 0 and ours == words)  # fmt: skip
    count, cycles = steady(begins)
    each = cycles / lanes
    yield Claim("then, in a line", "a result each cycle", f"{each:.2f} cycles each", each,
                f"the same, {count} requests that hit", f"of {lanes} in a request", each == 1)  # fmt: skip
    yield Claim("the whole product, 8 warps on 8 PEs", "not given",
                f"{run['misses']} of {one.about['looked_up']} {found.what} miss", float(run["misses"]),
                traffic, "nor is the size of its matrices")  # fmt: skip


def _machine(published: Sequence[Mapping[str, Any]], latency: int) -> Iterator[Claim]:
    nine = [row for row in published if row["program"] in NINE]
    yield _ran(len(nine), "through the RTL")
    found = [row for row in published if row["program"] == "product"]  # if measured, it was right
    if not found:
        raise UserError(f"the results of mmu have nothing of the program product; {AGAIN}")
    [product] = found
    digits = " ".join(f"{word:02x}" for word in PRODUCT.ravel().tolist())
    yield Claim("4 x 4 product, 4 warps on 4 PEs", digits, "the same", float(PRODUCT.size),
                f"{product['instructions']} instructions through the RTL",
                "its factors are lost: ours are a reconstruction, others would do", True)  # fmt: skip
    cpi = [row["cpi"] for row in nine]
    yield Claim("cycles by instruction", "not given", f"{min(cpi):.2f} to {max(cpi):.2f}", min(cpi),
                f"these programs, memory {latency} cycles away", "")  # fmt: skip


def _ran(count: int, traffic: str) -> Claim:
    return Claim("programs that ran", "nine", f"{count} of the nine", float(count), traffic,
                 "results as numpy’s", count == len(NINE))  # fmt: skip


def _synthesis(block: str) -> Iterator[Claim]:
    """Of the published configuration, from what is kept with the sources."""
    found = costs.kept(block).get(("", "", ""))
    tool = f"Yosys, 7 series: cells alone, no routing; .venv/bin/python -m ci.synth.growth {block}"
    path = found["path_ns"] if found else None
    least = f"{path:.2f} ns" if path else "not measured"
    most = f"at most {1000 / path:.0f} MHz" if path else "not measured"
    if block in PATH_NS:
        yield Claim("longest path", f"{PATH_NS[block]} ns", least, path, tool, "placed and routed there")
    yield Claim("frequency of the processor", f"{MHZ} MHz on an XCVU440", most, path and 1000 / path, tool,
                "another family: not comparable")  # fmt: skip
    area = "not measured"
    if found:
        area = f"{found['lut']:,.0f} LUT, {found['ff']:,.0f} flip-flops, {found['bram']:g} block RAMs"
    yield Claim("area", "its table is lost", area, found["lut"] if found else None, tool, "docs/synthesis.md")


def _shape(one: Geometry) -> str:
    line = f"{one.line_bytes // WORD_BYTES} words"
    return f"{size(one.capacity_bytes)}: {one.ways} ways of {one.sets} sets, lines of {line}"


def _usual(programs: Sequence[Measured]) -> list[Measured]:
    """Those of the source, each on its smallest problem."""
    least = {one.program: one for one in sorted(programs, key=lambda one: -one.n)}
    return [one for one in programs if one.program in NINE and least[one.program] is one]
