# SPDX-License-Identifier: Apache-2.0
"""What the report says about ``renderer``: whole frames, tested late and early, traffic, waits, llvmpipe."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from configs.zcache.counters import CAUSES
from report.charts import Series, bar_chart, line_chart
from report.page import BlockReport, Figure, KeyFigure, Section, paragraph
from report.results import Arrays, check_sums, provenance, read_content, read_index, read_json
from report.tables import Column, Table, Value, fixed, number, percent, percent_tick, plain, whole
from report.words import counted, mean, pct, spread

OWN, NO_PREFETCH, ONE_UNIT, MEMORY = "own", "no prefetch", "one unit", "memory/"
BEAT = 16  # bytes
KINDS = {
    "texture_reads": "texels read", "depth_reads": "depths read", "depth_writes": "depths written",
}  # fmt: skip
Run = dict[str, Any]


class Results:
    """A folder of measured results, checked as they are read. Raises :class:`UserError`."""

    def __init__(self, folder: Path) -> None:
        self.index = read_index(folder, "renderer")
        self.runs = {
            (one["workload"], one["role"]): self._read(folder / one["file"]) for one in self.index["runs"]
        }
        self.scenes: Sequence[str] = self.index["scenes"]

    @staticmethod
    def _read(path: Path) -> Run:
        run: Run = read_json(path)
        counted, moved = run["counters"], run["bytes"]
        own, depth = counted["renderer"], counted["zcache"]
        sums = {
            "texture_reads": (moved["texture_reads"], BEAT * own["texture_beats"]),
            "depth_reads": (moved["depth_reads"], BEAT * own["depth_beats"]),
            "depth_writes": (moved["depth_writes"], BEAT * own["written_beats"]),
            "passed": (run["passed"], depth["passed"]),
            "waits": (depth["wait_cycles"], sum(depth[f"{cause}_wait_cycles"] for cause in CAUSES)),
            "pixels_per_clock": (round(run["pixels"] / run["pixels_per_clock"]), run["cycles"]),
        }
        check_sums(path, sums)
        return {**run, "path": path}

    def of(self, role: str) -> list[Run]:
        """A role's run of each scene that has one."""
        return [self.runs[scene, role] for scene in self.scenes if (scene, role) in self.runs]

    @property
    def machines(self) -> dict[str, str]:
        """Roles with the configuration's memory, and their words."""
        own = self.index["base"]["test"]
        named = {
            OWN: f"tested {own}", "early": "tested early", "late": "tested late",
            NO_PREFETCH: f"{own}, no prefetch", ONE_UNIT: f"{own}, one texture unit",
        }  # fmt: skip
        return {role: words for role, words in named.items() if self.of(role)}

    @property
    def traffic(self) -> str:
        """What all figures are measured on."""
        width, height = self.index["size"]
        return (
            f"{counted(len(self.scenes), 'picture')} of {width} × {height} pixels, the clear of depth "
            f"included; memory answers after {self.index['base']['memory']['latency']} cycles"
        )


def rate(run: Run) -> float:
    """Covered pixels per clock."""
    return float(run["pixels_per_clock"])


def build(results: Path, progress: Callable[[str], None]) -> BlockReport:
    """The block's report from a folder of results. Raises :class:`UserError`."""
    progress("renderer")
    found = Results(results)
    own = found.of(OWN)
    arrays = [Arrays(read_content(run["path"].with_suffix(".npz"), run["sha256"])) for run in own]
    checked = sum(run["tiles"] for run in found.runs.values())
    same = min(run["llvmpipe"]["our_levels"]["same"] for run in own)
    intro = (
        "Vertices and coordinates go into the Verilated RTL: rasterizer, texture units and depth test behind "
        "one AXI4 port. Each word that comes out, each byte of the depth buffer and each counter that hangs "
        "on no cycle is the golden pipeline’s."
    )
    names = [(name, key) for key in ("rtl", "depth") for name in found.scenes]
    images = [one[key] for key in ("rtl", "depth") for one in arrays]
    report = BlockReport(
        block="renderer", title="The renderer",
        lead="Rasterizer, texture units and depth test as one machine.",
        hero=[(image, name if key == "rtl" else f"{name}, depth")
              for image, (name, key) in zip(images, names, strict=True)],
        key_figures=[
            KeyFigure("rate", "Pixels per clock", mean(map(rate, own)), f"{mean(map(rate, own)):.3f}",
                      f"mean of {len(own)} scenes, covered pixels"),
            KeyFigure("same", "Samples as llvmpipe’s", same, percent(same), "at the units’ levels, least"),
            KeyFigure("checked", "Tiles checked", float(checked), whole(checked),
                      "RTL equal to the golden pipeline"),
        ],
        sections=[
            Section("renderer-frames", "Whole frames", paragraph(intro), [
                _rates(found), _traffic(found), _waits(found), _latency(found), _llvmpipe(found),
            ]),
        ],
        provenance=provenance(found.index), command=found.index["command"],
    )  # fmt: skip
    return report.of_scene(found.index["own"]) if "own" in found.index else report


COLUMNS = (
    Column("scene", "scene", value=lambda run: run["scene"]),
    Column("machine", "machine", value=lambda run: run["machine"]),
    Column("pixels", "pixels covered", "count", value=lambda run: run["pixels"]),
    Column("shaded", "shaded", "count", value=lambda run: run["shaded"]),
    Column("passed", "shown", "count", "that passed the depth test", value=lambda run: run["passed"]),
    Column("cycles", "cycles", "count", value=lambda run: run["cycles"]),
    Column("rate", "pixels/clock", "f3", value=rate),
    Column("texture", "hit rate, texels", "percent", value=lambda run: run["hit_rates"]["texture"]),
    Column("depth", "hit rate, depth", "percent", "tiles whose line was there",
           value=lambda run: run["hit_rates"]["depth"]),
    *(Column(kind, f"bytes: {words}", "count", value=lambda run, kind=kind: run["bytes"][kind])  # type: ignore[misc]
      for kind, words in KINDS.items()),
)  # fmt: skip


def _rates(found: Results) -> Figure:
    machines = found.machines
    rows = [{**run, "machine": words} for role, words in machines.items() for run in found.of(role)]
    cycles = {(run["scene"], run["role"]): run["cycles"] for run in rows}
    scenes = [scene for scene in found.scenes if all((scene, role) in cycles for role in machines)]
    series = [
        Series(words, [rate(found.runs[scene, role]) for scene in scenes]) for role, words in machines.items()
    ]
    saved = [1 - cycles[scene, OWN] / cycles[scene, NO_PREFETCH] for scene in found.scenes]
    return Figure(
        "renderer-rates", "Pixels per clock", bar_chart(
            scenes, series, y_label="covered pixels per clock", y_format=fixed(3), y_tick=plain,
            alt="Bars: covered pixels per clock of each scene, by machine.",
        ),
        shows="Covered pixels by cycles from the first vertex to the last result. Tested early, what passes "
        "is shaded; tested late, all that is covered.",
        learn=f"Prefetch of depths takes {spread(saved)} off the cycles of a frame: what the whole machine "
        "waits for are texels, and a depth that is late mostly finds the tile before it still being shaded.",
        traffic=found.traffic, open_table=True,
        table=Table.of("renderer_frames", "Frames", COLUMNS, rows),
    )  # fmt: skip


def _traffic(found: Results) -> Figure:
    shown = [
        (run["scene"], words, run)
        for role, words in found.machines.items() if role in (OWN, "early", "late")
        for run in found.of(role)
    ]  # fmt: skip
    shown.sort(key=lambda one: found.scenes.index(one[0]))
    series = [
        Series(words, [run["bytes"][kind] / run["pixels"] for _, _, run in shown])
        for kind, words in KINDS.items()
    ]
    depth = [
        (run["bytes"]["depth_reads"] + run["bytes"]["depth_writes"]) / sum(run["bytes"].values())
        for run in found.of(OWN)
    ]
    return Figure(
        "renderer-traffic", "What AXI carries", bar_chart(
            [f"{scene}\n{words}" for scene, words, _ in shown], series, stacked=True,
            y_label="bytes a covered pixel", y_format=fixed(2), y_tick=plain,
            alt="Stacked bars: bytes of texels and depths a covered pixel, of each scene, late and early.",
        ),
        shows="Bytes through the common port, the depth buffer’s clear among those written.",
        learn=f"{spread(depth)} of the bytes are depths.",
        traffic=found.traffic,
    )  # fmt: skip


def _waits(found: Results) -> Figure:
    rows: list[dict[str, Value]] = [
        {"scene": run["scene"], "part": part, "what": what, "share": share}
        for run in found.of(OWN)
        for part, listed in run["waits"].items()
        for what, share in listed.items()
    ]
    kinds = list(dict.fromkeys((row["part"], row["what"]) for row in rows))
    by = {(row["scene"], row["part"], row["what"]): number(row["share"]) for row in rows}
    shown = [kind for kind in kinds if mean(by[scene, *kind] for scene in found.scenes) >= 0.02]
    series = [Series(scene, [by[scene, *kind] for kind in shown]) for scene in found.scenes]
    part, what = max(kinds, key=lambda kind: mean(by[scene, *kind] for scene in found.scenes))
    return Figure(
        "renderer-waits", "What each part waits for", bar_chart(
            [f"{part}:\n{what}" for part, what in shown], series, y_label="share of the cycles",
            y_format=percent, y_tick=percent_tick, y_range=(0.0, 1.0),
            alt="Bars: share of all cycles in which each part waits, by what it waits for, of each scene.",
        ),
        shows="Shares of all cycles, counted by the RTL; parts wait at the same time. What takes less than "
        "2 % on average is in the table alone.",
        learn=f"The most, {pct(mean(by[scene, part, what] for scene in found.scenes))} on average: {part}, "
        f"{what}.",
        traffic=found.traffic,
        table=Table("renderer_waits", "What each part waits for", (
            Column("scene", "scene"), Column("part", "part"), Column("what", "waits, as"),
            Column("share", "of the cycles", "percent"),
        ), rows),
    )  # fmt: skip


def _latency(found: Results) -> Figure:
    roles = [OWN, *dict.fromkeys(role for _, role in found.runs if role.startswith(MEMORY))]
    points = sorted((found.of(role)[0]["latency"], mean(map(rate, found.of(role)))) for role in roles)
    rows: list[dict[str, Value]] = [
        {"latency": latency, "rate": value, "kept": value / points[0][1]} for latency, value in points
    ]
    return Figure(
        "renderer-latency", "What latency takes away", line_chart(
            [Series("renderer", [number(row["kept"]) for row in rows], [latency for latency, _ in points])],
            x_label="cycles from the address to the first data beat",
            y_label=f"rate / rate with a memory of {points[0][0]} cycles", log=10,
            x_format=lambda value: f"{value:g}", y_format=percent, y_tick=percent_tick,
            ticks=[float(latency) for latency, _ in points],
            alt="Line: share of the rate that is kept as memory answers later.",
        ),
        shows="Mean over the scenes. The published texture unit stands still at a miss.",
        learn=f"With memory {points[-1][0]} cycles away {pct(points[-1][1] / points[0][1])} of the rate is "
        "kept: depths are fetched ahead, texels are not.",
        traffic=found.traffic,
        table=Table("renderer_latency", "Rate over the memory’s latency", (
            Column("latency", "latency", "count"), Column("rate", "pixels/clock", "f3"),
            Column("kept", f"of the rate at {points[0][0]}", "percent"),
        ), rows),
    )  # fmt: skip


LLVMPIPE = (
    COLUMNS[0],
    Column("quads", "quads sampled", "count", value=lambda run: run["shaded_quads"]),
    Column("same", "identical, our levels", "percent", "samples with the same four bytes",
           value=lambda run: run["llvmpipe"]["our_levels"]["same"]),
    Column("own_same", "identical, its levels", "percent",
           value=lambda run: run["llvmpipe"]["own_levels"]["same"]),
    Column("own_mean", "mean difference, its levels", "f3", "of 255",
           value=lambda run: run["llvmpipe"]["own_levels"]["mean"]),
)  # fmt: skip


def _llvmpipe(found: Results) -> Figure:
    rows = found.of(OWN)
    return Figure(
        "renderer-samples", "Samples of RTL and llvmpipe", "",
        shows="Samples of the frame, drawn by Mesa’s llvmpipe with the same textures and coordinates: at the "
        "levels that the units took, and at those that it takes itself.",
        learn="Levels differ where llvmpipe rounds its logarithm, and at edges, where the units take other "
        "differences: docs/texunit.md.",
        traffic=found.traffic, open_table=True,
        table=Table.of("renderer_llvmpipe", "Samples of RTL and llvmpipe", LLVMPIPE, rows),
    )  # fmt: skip
