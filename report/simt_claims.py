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
from report.words import counted, mean
from workloads.simt.isa import LANES
from workloads.simt.programs import NINE
from workloads.simt.programs.integers import PRODUCT

#: as published; SLIPS: what the source says beside it
GEOMETRIES = {"icache": Geometry(4, 16, 512), "dcache": Geometry(256, 4, 32)}
SLIPS = {
    "icache": "the source also says “128 bytes”; its RAMs and addresses fit only 128 words",
    "dcache": "",
}
MHZ, PATH_NS = 307, {"icache": 2.923, "dcache": 3.258}
WORDS = {"icache": 1, "dcache": LANES}  # of a request


def of_cache(page: Page, chapter: Chapter) -> None:
    """The chapter of either cache."""
    base, published = chapter.base, GEOMETRIES[chapter.block]
    page.claim("size", float(base.capacity_bytes), theirs=_shape(published), ours=_shape(base),
               slip=SLIPS[chapter.block], same=base == published)  # fmt: skip
    nine = _usual(chapter.programs)
    _ran(page, len(nine), "through the RTL under each policy")
    rates = [1 - program.runs[PUBLISHED]["misses"] / program.about["looked_up"] for program in nine]
    replaced = sum(program.runs[PUBLISHED]["evictions"] for program in nine)
    page.claim("hit_rate", min(rates), most=max(rates), policy=PUBLISHED, replaced=replaced)
    fitting = not any(run["evictions"] for program in nine for run in program.runs.values())
    page.let(
        low=min(rates), high=max(rates), replaced=counted(replaced, "line"),
        nine=counted(len(nine), "program"),
        subset=subset(len(nine), len({program.program for program in chapter.programs} - {*NINE})),
        why="The source’s programs fit into the cache: each line is fetched once." if fitting
        else f"The programs do not fit into the cache: {replaced} lines are replaced under {PUBLISHED}.",
    )  # fmt: skip
    page.key("hit_rate", mean(rates))
    lost = [(chapter.by_instruction(program, PUBLISHED), program.program) for program in nine]
    most, program = max(lost)
    page.key("lost", mean(cycles for cycles, _ in lost), most=most, program=program)
    points = [point for program in chapter.programs for point in (*program.points, *program.by_warps)]
    page.claim("lfu", float(len(points)), points=len(points),
               others=sum(point.misses[TRUE_LFU] != point.misses["lfu"] for point in points))  # fmt: skip
    _start(page, chapter)
    _synthesis(page, chapter.block)


def _start(page: Page, chapter: Chapter) -> None:
    """How a matrix product begins."""
    program, lanes = started(chapter.programs), WORDS[chapter.block]
    words, ours = (where.line_bytes // WORD_BYTES for where in (GEOMETRIES[chapter.block], chapter.base))
    run, begins = program.runs[PUBLISHED], first_requests(program, PUBLISHED)
    traffic = f"{program.program}, {program.n} rows, {PUBLISHED}, RTL"
    missed, waited = begins[0]["misses"], begins[0]["answered"]
    page.claim("first", float(waited), words=words, lines=counted(missed, "line"), waited=waited, ran=traffic,
               ours=ours, same=missed > 0 and ours == words)  # fmt: skip
    count, cycles = steady(begins)
    page.claim("then", cycles / lanes, count=count, lanes=lanes, same=cycles / lanes == 1)
    page.let(first=waited, step=cycles / lanes, each=f" ({lanes} words each)" if lanes > 1 else "")
    page.claim("product", float(run["misses"]), misses=run["misses"], looked_up=program.about["looked_up"],
               looked=chapter.what, ran=traffic)  # fmt: skip


def of_machine(page: Page, published: Sequence[Mapping[str, Any]], latency: int) -> None:
    """The chapter of the memory unit: runs of programs on the published caches. Raises :class:`UserError`."""
    nine = [row for row in published if row["program"] in NINE]
    _ran(page, len(nine), "through the RTL")
    product = [row for row in published if row["program"] == "product"]  # if measured, it was right
    if not product:
        raise UserError(f"the results of mmu have nothing of the program product; {AGAIN}")
    digits = " ".join(f"{word:02x}" for word in PRODUCT.ravel().tolist())
    page.claim(
        "digits", float(PRODUCT.size), same=True, digits=digits, instructions=product[0]["instructions"]
    )
    cpi = [row["cpi"] for row in nine]
    page.claim("cpi", min(cpi), most=max(cpi), latency=latency)
    _synthesis(page, "mmu")


def subset(count: int, own: int = 0) -> str:
    """The programs that were measured, of the source and our own, as the beginning of a sentence."""
    ours = f", {own} of ours" if own else ""
    return f"{'The' if count == len(NINE) else f'{count} of the'} source’s nine programs{ours}"


def _ran(page: Page, count: int, how: str) -> None:
    page.claim("ran", float(count), same=count == len(NINE), how=how)


def _synthesis(page: Page, block: str) -> None:
    """Clock and area of the published configuration, from kept synthesis; draws all claims."""
    sizes = costs.kept(block).get(("", "", ""))
    path, lut = (sizes["path_ns"], sizes["lut"]) if sizes else (None, None)
    if block in PATH_NS:
        page.claim("path", path, theirs=PATH_NS[block], ours=f"{path:.2f} ns" if path else "not measured")
    page.claim("frequency", path and 1000 / path, theirs=MHZ,
               ours=f"at most {1000 / path:.0f} MHz" if path else "not measured")  # fmt: skip
    area = "{lut:,.0f} LUT, {ff:,.0f} flip-flops, {bram:g} block RAMs"
    page.claim("area", lut, ours=area.format(**sizes) if sizes else "not measured")
    page.draw_claims("source", ("not given", "lost"))


def _shape(shape: Geometry) -> str:
    line = f"{shape.line_bytes // WORD_BYTES} words"
    return f"{size(shape.capacity_bytes)}: {shape.ways} ways of {shape.sets} sets, lines of {line}"


def _usual(programs: Sequence[Measured]) -> list[Measured]:
    """Programs of the source, each on its smallest problem."""
    least = {program.program: program for program in sorted(programs, key=lambda program: -program.n)}
    return [program for program in programs if program.program in NINE and least[program.program] is program]
