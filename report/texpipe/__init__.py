# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``texpipe``: its samples, beside the published unit's pace, scene by scene."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

from configs import UserError
from models.texunit.timing import HIT_CYCLES, REPEAT_CYCLES
from report import costs, memory
from report.charts import Mark, Series, bar_chart, shares_chart
from report.depth import provenance as depth_of
from report.page import BlockReport, Figure, KeyFigure, Section, paragraph
from report.results import AGAIN, Arrays, check_sums, provenance, read_content, read_index, read_json
from report.tables import Column, Table, Value, fixed, number, percent, percent_tick, plain, size, whole
from report.words import counted, mean, of_several, pct

GOAL = 0.95  # pixels per clock and unit, and of what as many units alone would give; of two levels half
PARTS = {
    "ideal": "a pixel is looked up", "turns": "one look-up of a pixel after the other",
    "memory": "a missing line holds all up", "ask": "lines asked for one by one",
    "ahead": "tags as far ahead as they may", "rest": "no pixel there",
}  # fmt: skip
ALSO = {
    "memory": "oldest pixel waits for memory",
    "table": "next pixel waits for its table",
    "prim": "a primitive waits",
    "quad": "no quad",
}
FORMATS = {"one": "RGBA8", "rgb": "RGB8", "table": "tabled", "nearest": "RGBA8, nearest"}
Run = dict[str, Any]


class Results:
    """A folder of measured results, checked as they are read. Raises :class:`UserError`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.index = folder, read_index(folder, "texpipe")
        self.runs = {
            (one["workload"], one["role"]): self._read(folder / one["file"]) for one in self.index["runs"]
        }
        self.scenes: Sequence[str] = self.index["scenes"]
        self.about = {one["scene"]: one["about"] for one in self.index["workloads"]}

    @staticmethod
    def _read(path: Path) -> Run:
        run: Run = read_json(path)
        counters = run["counters"]
        sums = {
            "quads": (run["quads"], counters["quads"]),
            "pixels": (run["pixels"], counters["pixels"]),
            "lines": (run["lines"], counters["misses"] + run["table_lines"]),
            "pixels_per_clock": (round(run["pixels"] / run["pixels_per_clock"]), run["cycles"]),
        }
        check_sums(path, sums)
        return {**run, "path": path}

    def of(self, role: str) -> list[Run]:
        """A role's run of each scene."""
        return [self.runs[scene, role] for scene in self.scenes]

    def over(self, role: str, key: str, value: str) -> dict[float, dict[str, float]]:
        """Rates by a ``value`` of runs and scene, of a role and of those that begin with ``key``."""
        rates: dict[float, dict[str, float]] = {}
        for (scene, name), run in self.runs.items():
            if name == role or name.startswith(f"{key}/"):
                rates.setdefault(run[value], {})[scene] = rate(run)
        return rates

    @property
    def traffic(self) -> str:
        """What all figures are measured on."""
        width, height = self.index["size"]
        return f"{counted(len(self.scenes), 'picture')} of {width} × {height} pixels, from a cold cache"


def rate(run: Run) -> float:
    """Pixels per clock."""
    return float(run["pixels_per_clock"])


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("texpipe")
    found = Results(results)
    one, every = found.of("one"), found.of("all")
    worst, times = min(map(rate, one)), mean(map(rate, one)) / mean(map(rate, found.of("published")))
    checked = sum(run["counters"]["lookups"] for run in found.runs.values() if "lookups" in run["counters"])
    base, units = found.index["base"], found.index["base"]["units"]
    mean_of = of_several(one, "mean, ")
    pictures = [Arrays(read_content(run["path"].with_suffix(".npz"), run["sha256"]))["rtl"] for run in one]
    intro = "Each quad of a scene goes through the Verilated RTL; each look-up and each texel is the model’s."
    report = BlockReport(
        block="texpipe", title="The pipelined texture units",
        lead=f"{counted(units, 'unit')} of 8 banks, "
        f"{size(8 * base['cache']['ways'] * base['cache']['sets'] * base['cache']['line_bytes'])} each, that "
        "sample a pixel in each cycle: primitives are not flushed, misses do not stall.",
        hero=list(zip(pictures, found.scenes, strict=True)),
        key_figures=[
            KeyFigure("rate", "Pixels per clock", worst, f"{worst:.3f}",
                      f"{of_several(one, 'slowest scene, ')}one unit"),
            KeyFigure("times", "Against the published unit", times, f"{times:.1f} ×",
                      f"{mean_of}same memory"),
            KeyFigure("rate_all", "Of all units", mean(map(rate, every)), f"{mean(map(rate, every)):.2f}",
                      f"{mean_of}{counted(units, 'unit')}"),
            KeyFigure("checked", "Look-ups checked", float(checked), whole(checked), "RTL as the model"),
        ],
        sections=[
            Section("texpipe-rates", "Samples per clock", paragraph(intro), [
                _rates(found), _units(found), _bus(found), _cycles(found), _formats(found), _levels(found),
                _latency(found), *_ahead(found), costs.figure(
                    "texpipe-cost", "What a unit takes",
                    {"published unit": ("texunit", "one-unit"), "pipelined unit": ("texpipe", "one-unit"),
                     "pipelined, two levels": ("texpipe", "trilinear")},
                ),
            ]),
            Section("texpipe-llvmpipe", "Samples beside llvmpipe’s", "", [_llvmpipe(found)]),
        ],
        provenance={**provenance(found.index), **depth_of(found.index["depth"])},
        command=found.index["command"],
    )  # fmt: skip
    return report.of_scene(found.index["own"]) if "own" in found.index else report


COLUMNS = (
    Column("scene", "scene", value=lambda run: run["scene"]),
    Column("machine", "machine", value=lambda run: run["machine"]),
    Column("latency", "memory", "count", "cycles to the first beat", value=lambda run: run["latency"]),
    Column("rate", "pixels/clock", "f3", value=rate),
    Column("per_unit", "of a unit", "f3", value=lambda run: rate(run) / run["units"]),
    Column("lines", "lines/pixel", "f3", "lines read: misses, and lines of colour tables",
           value=lambda run: run["lines"] / run["pixels"]),
    Column("hit_rate", "look-ups that hit", "percent",
           "of lines; in the published unit of texels, those in the line before (repeats) included",
           value=lambda run: run["hit_rate"]),
    replace(memory.FETCHED, value=lambda run: 1 - run["counters"]["misses"] / run["texels"]),
    Column("bytes", "bytes/pixel", "f2", value=lambda run: run["bytes_per_pixel"]),
    Column("primitives", "primitives", "count", value=lambda run: run["primitives"]),
)  # fmt: skip
RATE = Column("rate", "pixels/clock", "f3")

BUS = Column("bus", "data channel busy", "percent", value=lambda run: run["bus_share"])
MIXED = Column("mixed", "of two levels", "percent", "share of the pixels", value=lambda run: run["mixed"])


def _rates(found: Results) -> Figure:
    units = found.index["base"]["units"]
    machines = {"published": "published unit", "one": "one unit", "all": f"{units} units, each"}
    series = [Series(words, [rate(run) / run["units"] for run in found.of(role)])
              for role, words in machines.items()]  # fmt: skip
    rows = [{**run, "machine": words} for role, words in machines.items() for run in found.of(role)]
    latency, beside = rows[0]["latency"], list(zip(found.of("published"), found.of("one"), strict=True))
    return Figure(
        "texpipe-rate", "A pixel per clock", bar_chart(
            list(found.scenes), series, values=True, y_label="pixels per clock and unit", y_format=fixed(3),
            y_tick=plain, y_range=(0.0, 1.0), marks=[Mark("goal", y=GOAL)],
            alt="Bars for each scene: pixels per clock of the published unit, of one of these, of several.",
        ),
        shows=f"Sampled pixels per cycle and unit, before a memory that answers after {latency} cycles.",
        learn="One unit takes nearly a pixel in each cycle. Several share the screen, and each reads the "
        "lines of its part. The published unit reads "
        f"{mean(a['lines'] / b['lines'] for a, b in beside):.2f} times the lines of one of these.",
        traffic=found.traffic, open_table=True,
        table=Table.of("texpipe_rates", "Samples per clock", COLUMNS, rows),
    )  # fmt: skip


def _units(found: Results) -> Figure:
    units = found.index["base"]["units"]
    rows: list[dict[str, Value]] = [
        {"scene": one["scene"], "one": rate(one), "all": rate(every), "times": rate(every) / rate(one)}
        for one, every in zip(found.of("one"), found.of("all"), strict=True)
    ]
    times = [number(row["times"]) for row in rows]
    told = f"{min(times):.3f} times one unit"
    if len(times) > 1:
        told += f" in the scene that gains least, {max(times):.3f} in the one that gains most"
    return Figure(
        "texpipe-units", f"{units} units beside one", bar_chart(
            list(found.scenes), [Series(f"{units} units", times)], values=True,
            y_label="rate / rate of one unit", y_format=fixed(3), y_tick=plain, y_range=(0.0, float(units)),
            marks=[Mark(f"goal: {GOAL * units:g}", y=GOAL * units)],
            alt="Bars for each scene: pixels per clock of all units, as a multiple of those of one.",
        ),
        shows="Pixels per clock of all units over those of one, before the same memory.",
        learn=f"{told}: tiles of the screen are not equal work, and some units have no quad in the end.",
        traffic=found.traffic, open_table=True,
        table=Table("texpipe_units", "All units beside one", (
            Column("scene", "scene"), Column("one", "one unit, pixels/clock", "f3"),
            Column("all", f"{units} units", "f3"), Column("times", "of one unit", "f3"),
        ), rows),
    )  # fmt: skip


def _bus(found: Results) -> Figure:
    units = found.index["base"]["units"]
    machines = {"one": "one unit", "all": f"{units} units"}
    series = [Series(words, [run["bus_share"] for run in found.of(role)]) for role, words in machines.items()]
    rows = [{**run, "machine": words} for role, words in machines.items() for run in found.of(role)]
    most = max(run["bus_share"] for run in found.of("all"))
    return Figure(
        "texpipe-bus", "What AXI carries then", bar_chart(
            list(found.scenes), series, values=True, y_label="cycles with a beat of data", y_format=percent,
            y_tick=percent_tick, y_range=(0.0, 1.0),
            alt="Bars for each scene: share of the cycles in which the AXI data channel carries a beat.",
        ),
        shows="Share of the cycles in which the data channel that all units share carries a beat, a line at "
        f"a time of {found.index['base']['cache']['line_bytes']} bytes.",
        learn=f"{pct(most)} at most: what is left is what further units could have.",
        traffic=found.traffic,
        table=Table.of("texpipe_bus", "Data channel", (*COLUMNS[:2], BUS, *COLUMNS[3:9]), rows),
    )  # fmt: skip


def _levels(found: Results) -> Figure:
    roles = {"one": "nearest level", "trilinear": "two levels"}
    series = [Series(words, list(map(rate, found.of(role)))) for role, words in roles.items()]
    rows = [{**run, "machine": words} for role, words in roles.items() for run in found.of(role)]
    lines = mean(b["lines"] / a["lines"] for a, b in zip(*map(found.of, roles), strict=True))
    return Figure(
        "texpipe-levels", "Two levels a pixel", bar_chart(
            list(found.scenes), series, y_label="pixels per clock", y_format=fixed(3), y_tick=plain,
            y_range=(0.0, 1.0), marks=[Mark("goal of two levels", y=GOAL / 2)],
            alt="Bars for each scene: pixels per clock from the nearest level, and mixed of two.",
        ),
        shows="Bilinear from one level, and mixed of the two levels beside the level of detail, which takes "
        "a look-up of each: half a pixel per clock is the most.",
        learn=f"Two levels read {lines:.1f} times the lines: the finer one is finer than the nearest half "
        "of the time.",
        traffic=f"{found.traffic}, one unit", open_table=True,
        table=Table.of("texpipe_levels", "Levels", (*COLUMNS[:2], MIXED, *COLUMNS[3:9]), rows),
    )  # fmt: skip


def parts(run: Run) -> dict[str, float]:
    """Where one unit's cycles went, in shares of the time: what is right before the look-up of a pixel.

    Raises :class:`UserError` if they do not add up.
    """
    counters, cycles = run["counters"], run["cycles"]
    if run["machine"] == "published":
        taken = {
            "turns": counters["hits"] * HIT_CYCLES + counters["repeats"] * REPEAT_CYCLES - run["pixels"],
            "memory": counters["memory_wait_cycles"],
        }
    else:
        taken = {"ask": counters["ask_wait_cycles"], "ahead": counters["ahead_wait_cycles"]}
    shares = dict.fromkeys(PARTS, 0.0)
    shares |= {name: value / cycles for name, value in {"ideal": run["pixels"], **taken}.items()}
    rest = 1 - sum(shares.values())
    if min(rest, *shares.values()) < 0:
        raise UserError(f"{run['path']}: its cycles do not add up; {AGAIN}")
    return {**shares, "rest": rest}


def _cycles(found: Results) -> Figure:
    roles = {"published": "published", "one": "pipelined"}
    runs = [{**run, "machine": words} for role, words in roles.items() for run in found.of(role)]
    rows: list[dict[str, Value]] = [
        {
            "machine": run["machine"], "scene": run["scene"], **parts(run),
            **{f"{name}_wait": run["waits"][name] if "waits" in run else None for name in ALSO},
        }
        for run in runs
    ]  # fmt: skip
    own = [parts(run) for run in runs if run["machine"] == "pipelined"]
    return Figure(
        "texpipe-cycles", "Where the cycles go", shares_chart(
            [f"{run['scene']}\n{run['machine']}" for run in runs], list(map(parts, runs)), PARTS,
            alt="Stacked bars: share of the cycles in which a pixel was looked up, or waited, and why.",
        ),
        shows="Of one unit each, before the same memory. The lowest part is the rate in pixels per clock.",
        learn="The published unit looks the lines of a pixel up one after the other and stands still at a "
        "miss. In this one tags are as far ahead of data as they may for "
        f"{pct(mean(one['ahead'] for one in own))} of the time, while the oldest pixel waits for memory; "
        f"{pct(mean(one['rest'] for one in own))} no pixel is there: in the beginning, in the end and while "
        "a primitive is set up.",
        traffic=found.traffic,
        table=Table(
            "texpipe_cycles", "Cycles of both units", (
                Column("machine", "machine"), Column("scene", "scene"),
                *(Column(name, words, "percent") for name, words in PARTS.items()),
                *(Column(f"{name}_wait", words, "percent") for name, words in ALSO.items()),
            ), rows, "The last columns are counted at other places, and overlap with the others.",
        ),
    )  # fmt: skip


def _formats(found: Results) -> Figure:
    series = [Series(words, list(map(rate, found.of(role)))) for role, words in FORMATS.items()]
    rows = [{**run, "machine": words} for role, words in FORMATS.items() for run in found.of(role)]
    return Figure(
        "texpipe-formats", "Formats and filters", bar_chart(
            list(found.scenes), series, y_label="pixels per clock", y_format=fixed(3), y_tick=plain,
            y_range=(0.0, 1.0), marks=[Mark("goal", y=GOAL)],
            alt="Bars for each scene: pixels per clock by the textures' format.",
        ),
        shows="Three bytes a texel where there is no alpha, and one byte with a table of colours.",
        learn="A table comes while quads before it are sampled; what it costs are primitives with fewer "
        "pixels than their table takes cycles.",
        traffic=f"{found.traffic}, one unit",
        table=Table.of("texpipe_formats", "Formats", COLUMNS, rows),
    )  # fmt: skip


def _latency(found: Results) -> Figure:
    machines = {"published unit": found.over("published", "published", "latency"),
                "this unit": found.over("one", "one", "latency")}  # fmt: skip
    return memory.over_latency(
        "texpipe-latency", "texpipe_latency", machines, rate=RATE,
        learn="Tags run ahead by more pixels than memory takes cycles, up to the length of their FIFO "
        f"({found.index['base']['ahead']['depth']} pixels).",
        traffic=found.traffic,
    )  # fmt: skip


def _ahead(found: Results) -> list[Figure]:
    rates = found.over("one", "ahead", "ahead")
    if len(rates) < 2:  # a quick measurement, or the configuration's FIFO is the shortest
        return []
    return [memory.over_depth(
        "texpipe-ahead", "texpipe_ahead", rates, title="How far tags must run ahead",
        label="pixels that tags may run ahead of data", rate=RATE,
        learn="A FIFO that is shorter than the memory’s latency lets it show.",
        traffic=f"{found.traffic}, one unit",
    )]  # fmt: skip


LLVMPIPE = (
    *COLUMNS[:2],
    Column("quads", "quads", "count", value=lambda run: run["quads"]),
    Column("equal_most", "max, equal levels", "count", "largest difference at the unit's levels",
           value=lambda run: run["llvmpipe"]["our_levels"]["most"]),
    Column("own_same", "identical, its levels", "percent", "samples with the same four bytes",
           value=lambda run: run["llvmpipe"]["own_levels"]["same"]),
)  # fmt: skip


def _llvmpipe(found: Results) -> Figure:
    roles = {"one": "bilinear", "trilinear": "trilinear"}
    rows = [{**run, "machine": words} for role, words in roles.items() for run in found.of(role)]
    return Figure(
        "texpipe-samples", "Samples of RTL and llvmpipe", "",
        shows=escape("Differences of the samples' channels, of 255, at the unit's levels and at llvmpipe's."),
        learn="Bilinear samples are those of the published unit, bit by bit; so are the few other levels. "
        "llvmpipe's own fractions of two levels come from other differences.",
        traffic=f"{found.traffic}, one unit", open_table=True,
        table=Table.of("texpipe_llvmpipe", "Samples of RTL and llvmpipe", LLVMPIPE, rows),
    )  # fmt: skip
