# SPDX-License-Identifier: Apache-2.0
"""One view on the configurations that the report compares: through RTL and model, cycle for cycle."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError, load
from configs.depth import TILE
from configs.raster.schema import BEGIN, TOPOLOGIES
from configs.zcache.schema import HIT, Config
from models.memory import Memory
from models.zcache import ModelRun, run
from models.zcache.figures import accesses, figures
from tb.common.measuring.scenes import SceneOrder, SceneWorkload
from tb.common.measuring.stored import Result
from tb.common.measuring.workload import DisagreementError, Measured, hardware, preset_of
from tb.common.replay.library import Roles
from tb.common.replay.requests import Columns, Rtl
from tb.common.replay.traffic import Traffic
from tb.zcache.replay import model_of, requester, words
from workloads.raster.vertices import VertexFrame, vertex_frame
from workloads.scenes.depth_scenes import open_view
from workloads.scenes.views import View
from workloads.zcache.depth_buffer import final_depths, picture
from workloads.zcache.tiles import TileFrame, rasterizer, tile_frame
from workloads.zcache.trace import tile_columns

AHEAD, OFF, PLAIN = "prefetch", "off", "plain PLRU"
SERIAL, SERIAL_OFF, GAINS, GAINS_OFF = "serial", "serial off", "two reads", "two reads off"  # scarce reads
MARKS, BOUNDS, BOTH, EARLY = "marks", "bounds", "marks and bounds", "early"
SCARCE = ("paper-serial", SERIAL, SERIAL_OFF), ("paper-gains", GAINS, GAINS_OFF)
MOST_KNOWN = 65536  # tiles that are marked or have bounds, if the surfaces are so large
PACE, SERIAL_PACE = 16, 32  # cycles from tile to tile that the shader takes, at least
EMITS = {  # other tiles, other orders: what is changed of the rasterizer
    "covered, rows": {}, "covered, serpentine": {"walk": "serpentine"}, "visited, rows": {"emit": "visited"},
}  # fmt: skip


def roles_of(base: Config, scarce: bool) -> dict[str, Config]:
    """By role; those of the presets with few reads, too, if they are wanted."""
    off = {"prefetch": {"mode": "off"}}
    tiles = min(MOST_KNOWN, 1 << base.tile_bits)
    marks, bounds = {"fast_clear": tiles}, {"hierarchical": {"tiles": tiles}}
    before = load("zcache", "early").shading.model_dump()
    cfgs = {
        AHEAD: base, OFF: base.with_(**off), PLAIN: base.with_(ott=False), MARKS: base.with_(**marks),
        BOUNDS: base.with_(**bounds), BOTH: base.with_(**marks, **bounds), EARLY: base.with_(shading=before),
    }  # fmt: skip
    for preset, ahead, without in SCARCE if scarce else ():
        loaded = load("zcache", preset)
        assert isinstance(loaded, Config)
        cfgs |= {ahead: loaded, without: loaded.with_(**off)}
    return {role: preset_of(cfg) for role, cfg in cfgs.items()}


def pace_of(role: str) -> int:
    """Cycles from tile to tile, at least."""
    return SERIAL_PACE if role in (SERIAL, SERIAL_OFF) else PACE


@dataclass(frozen=True)
class SceneRuns(SceneWorkload):
    """Tiles of a scene, each cycle compared."""

    accesses = "words"

    @cached_property
    def vertices(self) -> VertexFrame:
        """The scene, clipped once for all runs."""
        return vertex_frame(open_view(self.view), self.width, self.height, self.view.number)

    @cached_property
    def frame(self) -> TileFrame:
        """Its tiles."""
        return tile_frame(self.vertices, rasterizer(next(iter(self.cfgs.values()))))

    def measure(self, order: SceneOrder) -> Measured:
        base = self.cfgs[AHEAD], self.cfgs[AHEAD].memory
        parts = *self.decides, order.seed, *base, PACE
        about = order.keep("workloads", self.id, parts, partial(self._about, order))
        entry = {"id": self.id, "scene": self.view.name, "file": about["file"]}
        return Measured(entry, self.runs(order))

    def roles(self, cfg: Config) -> Roles:
        return Roles((requester(cfg).port,))

    def suits(self, role: str) -> bool:
        """A test before the shader does not know the pixels that the shader discards."""
        return not ((role == EARLY or self.cfgs[role].bounds) and self.frame.kill.any())

    def run(self, order: SceneOrder, role: str) -> Result:
        """The model has to agree in every cycle, and the depth buffer in every pixel."""
        cfg, columns = self.cfgs[role], tile_columns(self.cfgs[role], self.frame)
        memory, traffic = Memory(order.seed), Traffic.spaced(pace_of(role))
        built = hardware(cfg)
        rtl = requester(built).replay(
            built, columns, memory, order.seed, timing=cfg.memory, traffic=traffic
        )  # fmt: skip
        golden = run(cfg, words(columns), memory, pacing=traffic)
        model = model_of(built, columns, golden)
        wrong = [mismatch.text for mismatch in requester(built).check(built, columns, model, rtl)]
        wrong += differing_cycles(golden, rtl) + self._depths(golden)
        if wrong:
            raise DisagreementError(f"{self.view.name}/{role}: {wrong[0]}; repeat: {order.command}")
        summary = {
            "scene": self.view.name, "role": role, "config": cfg.name, "config_hash": cfg.hash,
            "latency_of_memory": cfg.memory.latency, "delay": cfg.shading.cycles, "pace": pace_of(role),
            "in_flight": cfg.shading.tiles, "reads": cfg.fills, "words": len(golden.results),
            "seed": order.seed, "counters": golden.counters, **figures(cfg, words(columns), golden),
            **shaded("covered", words(columns)["mask"], columns),
            **shaded("passed", golden.results["passed"], columns),
        }  # fmt: skip
        return Result(summary, {"missed": self.missed(cfg, columns, golden)} if role == OFF else {})

    def _depths(self, golden: ModelRun) -> list[str]:
        """What is not as the depth buffer without a cache, in words."""
        stored, passed = final_depths(self.frame)
        if (golden.results["passed"] != passed).any():
            return ["other pixels pass than without a cache"]
        lines = stored.reshape(-1, stored.shape[-1])
        if len(golden.memory.lines) != len(lines):
            return [f"{len(golden.memory.lines)} lines were written, the surface has {len(lines)}"]
        actual = np.stack([golden.memory.line(number).view("<u4") for number in range(len(lines))])
        return ["memory is not what it is without a cache"] if (actual != lines).any() else []

    def missed(self, cfg: Config, columns: Columns, golden: ModelRun) -> NDArray[np.uint8]:
        """How often each tile of the surface [rows, pitch] was tested and its line was not there."""
        pitch, rows = self.vertices.pitch, self.vertices.rows
        tested = accesses(cfg, words(columns), golden)
        counts = np.bincount(tested.number[tested.kind != HIT], minlength=rows * pitch)
        return np.minimum(counts, 255).astype(np.uint8).reshape(rows, pitch)

    def _about(self, order: SceneOrder) -> Result:
        """What the scene is like; other tiles and orders, by the model alone."""
        frame, of = self.frame, self.frame.figures
        check_tested(self.view, words(tile_columns(self.cfgs[AHEAD], frame)))
        stored, passed = final_depths(frame)
        tiles = frame.tiles[frame.tiles["op"] == TILE]
        place = tiles["y"].astype(np.int64) * self.vertices.pitch + tiles["x"]
        drawn = np.bincount(place, np.bitwise_count(tiles["mask"]), self.vertices.rows * self.vertices.pitch)
        summary = {
            "id": self.id, "scene": self.view.name, "about": self.view.about, "kinds": self._kinds(),
            "primitives": of.primitives, "visible": of.visible, "tiles": of.tiles, "places": of.places,
            "pixels": of.pixels, "area": of.area, "passed": int(np.bitwise_count(passed).sum()),
            "tiles_per_primitive": of.tiles_per_primitive, "overdraw": of.overdraw,
            "notes": list(self.vertices.notes),
            "emits": [
                self._emitted(order, name, changes, mode)
                for name, changes in EMITS.items()
                for mode in (self.cfgs[AHEAD].prefetch.mode, "off")
            ],
        }  # fmt: skip
        shape = self.vertices.rows, self.vertices.pitch
        maps = {
            "depth": picture(self.vertices, stored),
            "drawn": np.minimum(drawn, 65535).astype("u2").reshape(shape),
        }
        return Result(summary, maps)

    def _kinds(self) -> dict[str, int]:
        """Primitives by topology."""
        given, begins = self.vertices.words, self.vertices.words["op"] == BEGIN
        last = np.maximum.accumulate(np.where(begins, np.arange(len(given)), -1))
        made = self.frame.work["primitive"] == 1
        counts = Counter(given["topology"][last[made]].tolist())
        return {TOPOLOGIES[kind]: count for kind, count in sorted(counts.items())}

    def _emitted(self, order: SceneOrder, name: str, changes: dict[str, str], mode: str) -> dict[str, Any]:
        cfg = self.cfgs[AHEAD].with_(prefetch={"mode": mode})
        frame = tile_frame(self.vertices, rasterizer(cfg).with_(**changes))
        records = words(tile_columns(cfg, frame))
        golden = run(cfg, records, Memory(order.seed), pacing=Traffic.spaced(PACE))
        return {
            "emit": name, "prefetch": mode != "off", "given": frame.figures.tiles,
            **figures(cfg, records, golden),
        }  # fmt: skip


def shaded(what: str, pixels: NDArray[Any], columns: Columns) -> dict[str, int]:
    """Counts: tiles among the words ``columns`` [n] that have any of ``pixels`` [n], and these pixels."""
    of_tiles = pixels[columns["op"] == TILE]
    return {
        f"{what}_tiles": int((of_tiles != 0).sum()), f"{what}_pixels": int(np.bitwise_count(of_tiles).sum())
    }  # fmt: skip


def check_tested(view: View, records: NDArray[Any]) -> None:
    """Raises :class:`UserError` if none of WORD array [n] looks at its line: there is nothing to measure."""
    if not ((records["op"] == TILE) & (records["test"] == 1) & (records["mask"] > 0)).any():
        raise UserError(f"{view.name}: no pixel is tested for its depth")


def differing_cycles(golden: ModelRun, rtl: Rtl) -> list[str]:
    """Handshakes that RTL and model have in other cycles, in words."""
    first = golden.results["taken"][:1]
    pairs = {"taken": ("taken", rtl.t_request), "answered": ("left", rtl.t_result)}
    differing = []
    for what, (name, cycles) in pairs.items():
        wrong = np.flatnonzero(golden.results[name] - first != cycles)
        if len(wrong):
            differing.append(f"word {wrong[0]} is {what} in another cycle than the model says")
    return differing
