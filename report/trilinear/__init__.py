# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``trilinear``: samples of two mip levels per clock, beside the published cache,
scene by scene.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from report import costs, memory
from report.charts import Mark, Series, bar_chart, shares_chart
from report.depth import provenance as depth_of
from report.page import BlockReport, Figure, KeyFigure, Section, paragraph
from report.results import provenance
from report.tables import Column, Table, Value, fixed, percent, size, whole
from report.trilinear.results import FAR, NEAR, OURS, PARTS, PUBLISHED, Results, Run
from report.words import mean, of_several, pct

MACHINES = (PUBLISHED, OURS)
CHANGED = (NEAR, FAR, "64-bit bus", "tiles", "twice the size")
ONE_EACH = Mark("one each clock", y=1.0)
COLUMNS = (
    Column("scene", "scene", value=lambda run: run.scene),
    Column("role", "machine", value=lambda run: run.role),
    Column("latency", "latency", "count", "cycles from the address to the first data beat",
           value=lambda run: run.told["latency"]),
    Column("depth", "FIFO depth", "count", value=lambda run: run.told["depth"]),
    Column("samples", "samples", "count", value=lambda run: run.samples),
    Column("pairs", "of two levels", "percent", value=lambda run: run.per_sample("pairs")),
    Column("per_clock", "samples/clock", "f3", bar=1.0, value=lambda run: run.rate),
    Column("misses", "misses", "count", value=lambda run: run.total["misses"]),
    Column("lines", "lines/sample", "f3", "lines read", value=lambda run: run.per_sample("lines")),
    Column("hits", "look-ups that hit", "percent", "of rows in the published cache, of lines in this one",
           value=lambda run: run.total["hits"] / run.total["lookups"]),
    replace(memory.FETCHED, value=lambda run: run.fetched),
    Column("read", "bytes/sample", "f2", "bytes read", value=lambda run: run.per_sample("read_bytes")),
)  # fmt: skip
RATE = Column("per_clock", "samples/clock", "f3")


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("trilinear")
    found = Results(results)
    index, half = found.index, found.index["base"]["half"]
    far, near = found.by_scene(OURS, FAR), found.by_scene(OURS, NEAR)
    worst, kept = min(far.values()), min(far[scene] / near[scene] for scene in far)
    times = mean(far.values()) / mean(found.by_scene(PUBLISHED, FAR).values())
    checked = sum(run.samples for run in found.runs)
    total = 2 * half["banks"] * half["cache"]["sets"] * half["cache"]["ways"] * half["cache"]["line_bytes"]
    intro = (
        "Every texel is compared with the model’s, and every counter of what was looked up. The published "
        "cache is as large as both halves together and stands before the same bus and memory; a sample of "
        "two levels is two footprints there."
    )
    worst_of, mean_of = of_several(far, "slowest scene, "), of_several(far, "mean, ")
    report = BlockReport(
        block="trilinear", title="The trilinear texture cache",
        lead=f"Two conflict-free texture caches, {size(total)} in all: one for even levels, one for odd.",
        hero=[],
        key_figures=[
            KeyFigure("rate", "Samples per clock", worst, f"{worst:.3f}", f"{worst_of}100 cycles"),
            KeyFigure("times", "Against the published cache", times, f"{times:.1f} ×",
                      f"{mean_of}100 cycles"),
            KeyFigure("kept", "Of the rate at 1 cycle", kept, percent(kept), f"{worst_of}100 cycles"),
            KeyFigure("checked", "Samples checked", float(checked), whole(checked), "RTL as the model"),
        ],
        sections=[
            Section("rate-section", "Rate", paragraph(intro), [
                _beside(found), _cycles(found), _kept(found), _latency(found), _changed(found),
                *_depth(found),
                costs.figure(
                    "trilinear-cost", "What it takes",
                    {"published (8 KB, 64-bit bus)": ("texcache", ""),
                     "one without conflicts (8 KB, 64-bit bus)": ("texcache", "conflict-free"),
                     "two of them (4 KB each, 256-bit bus)": ("trilinear", "base")},
                ),
            ])
        ],
        provenance={**provenance(index), **depth_of(index["depth"])}, command=index["command"],
    )  # fmt: skip
    return report.of_scene(index["own"]) if "own" in index else report


def _bars(found: Results, machines: dict[str, list[Run]], alt: str, values: bool = False) -> str:
    series = [Series(words, [run.rate for run in runs]) for words, runs in machines.items()]
    return bar_chart(
        found.scenes, series, alt=alt, y_label="samples per clock", y_format=fixed(3), y_tick=fixed(1),
        y_range=(0.0, 1.0), marks=[ONE_EACH], values=values,
    )  # fmt: skip


def _beside(found: Results) -> Figure:
    machines = {words: found.at(words, FAR) for words in MACHINES}
    lines = {words: mean(run.per_sample("lines") for run in runs) for words, runs in machines.items()}
    least = min(run.rate for run in machines[OURS])
    where = of_several(found.scenes, " on the scene that is served worst")
    alt = "Bars for each scene: samples per clock of the published cache and of this one."
    columns = (replace(COLUMNS[1], value=lambda run: run.machine), COLUMNS[0], *COLUMNS[4:])
    return Figure(
        "trilinear-beside", "A trilinear sample per clock", _bars(found, machines, alt, values=True),
        shows="Samples per clock before a memory of 100 cycles. Each sample is two footprints on "
        "neighbouring levels, or one where a level is magnified, in scan-line order.",
        learn=f"{least:.3f} samples per clock{where}. The published cache reads {lines[PUBLISHED]:.3f} lines "
        f"a sample, this one {lines[OURS]:.3f}.",
        traffic=found.traffic, open_table=True,
        table=Table.of(
            "trilinear_beside", "Both machines", columns,
            [run for runs in zip(*machines.values(), strict=True) for run in runs],
        ),
    )  # fmt: skip


def _cycles(found: Results) -> Figure:
    parts = {
        (scene, machine): shares
        for scene in found.scenes
        for machine in MACHINES
        for shares in [found.parts(machine)[scene]]
    }
    rows: list[dict[str, Value]] = [
        {"machine": machine, "scene": scene, **shares} for (scene, machine), shares in parts.items()
    ]
    ours = [shares for (_, machine), shares in parts.items() if machine == OURS]
    lost, most, part = memory.left_to_gain(ours)
    return Figure(
        "trilinear-cycles", "Where the cycles go", shares_chart(
            [f"{scene}\n{machine}" for scene, machine in parts], list(parts.values()), PARTS,
            y_label="share of all cycles",
            alt="Stacked bars: share of the cycles in which a sample was taken, or waited, and why.",
        ),
        shows="Both before a memory of 100 cycles. The lowest part is the rate in samples per clock; all but "
        "“more than with a memory of 1 cycle” is what the same machine takes before that one. Misses go out "
        "one by one of a footprint, and of both halves.",
        learn=f"{pct(lost)} of this machine’s cycles are left to gain, most of them ({pct(part)}) "
        f"“{PARTS[most]}”.",
        traffic=found.traffic,
        table=Table("trilinear_cycles", "Cycles of both machines", (
            Column("machine", "machine"), Column("scene", "scene"),
            *(Column(name, words, "percent") for name, words in PARTS.items()),
        ), rows),
    )  # fmt: skip


def _kept(found: Results) -> Figure:
    machines = {words: (found.by_scene(words, NEAR), found.by_scene(words, FAR)) for words in MACHINES}
    near, far = machines[OURS]
    least = min(far[scene] / near[scene] for scene in near)
    return memory.near_and_far(
        "trilinear-kept", "trilinear_kept", machines, rate="samples/clock",
        learn=f"{percent(least)} is left{of_several(near, ' in the scene that loses most')}.",
        traffic=found.traffic,
    )  # fmt: skip


def _latency(found: Results) -> Figure:
    machines = {words: found.over("latency", words, "cycle") for words in MACHINES}
    return memory.over_latency(
        "trilinear-latency", "trilinear_latency", machines, rate=RATE,
        learn="Tags run ahead by as many samples as the FIFOs hold "
        f"({found.of(FAR)[0].told['depth']}): a memory that answers within that time takes next to nothing.",
        traffic=found.traffic,
    )  # fmt: skip


def _changed(found: Results) -> Figure:
    machines = {role: found.of(role) for role in CHANGED}
    return Figure(
        "trilinear-rate", "Other sizes, buses, layouts",
        _bars(found, machines, "Bars for each scene: samples per clock, by machine."),
        shows="But for the first machine all before a memory of 100 cycles, each changed in one thing.",
        learn="What is missing to 1.0: footprints of which two lines miss, and a bus that is narrower than a "
        "line.",
        traffic=found.traffic,
        table=Table.of(
            "trilinear_rates", "Scenes by machine", COLUMNS,
            [run for runs in machines.values() for run in runs],
        ),
    )  # fmt: skip


def _depth(found: Results) -> list[Figure]:
    rates = found.over("depth", OURS, "FIFO") | {found.of(FAR)[0].told["depth"]: found.by_scene(OURS, FAR)}
    if len(rates) < 2:  # the configuration's FIFOs are the shortest
        return []
    return [memory.over_depth(
        "trilinear-depth", "trilinear_depth", rates, title="FIFOs before a memory of 100 cycles",
        label="entries of the tag FIFO and of the data FIFO of each half", rate=RATE,
        learn="A FIFO that is shorter than the memory’s latency lets it show.", traffic=found.traffic,
    )]  # fmt: skip
