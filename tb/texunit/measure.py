# SPDX-License-Identifier: Apache-2.0
"""``python -m tb measure texunit``: scenes through RTL, model and llvmpipe; keeps what the report shows.

Each run demands that RTL and golden model agree in every texel, cache query and counter; see
:mod:`tb.common.replay.measuring`.
"""

import json
import shlex
import shutil
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from configs import cli, load, presets
from configs.files import write_atomic
from configs.keys import digest, sources_key
from configs.progress import Bars
from configs.texunit.schema import Config
from models.memory import Memory
from models.texunit import TexunitModel, count
from tb.common.components import testcase
from tb.common.replay import measuring
from tb.common.replay.machine import ReplayError
from tb.common.replay.measuring import FORMAT, DisagreementError
from tb.common.running import builds, runner
from tb.texunit.picture import Shot, beside, shoot
from tb.texunit.replay import roles as stream_roles
from workloads.scenes import built_in
from workloads.textures.llvmpipe import Llvmpipe
from workloads.texunit.quads import QuadFrame, quad_frame

BLOCK = "texunit"
SIZE, QUICK_SIZE = "320x240", "96x64"
SOURCES = ("models", "workloads", *(f"tb/texunit/{name}.py" for name in ("measure", "picture", "replay")))
ONE, ALL = "one", "all"
LATENCIES = (1, 25, 50, 200)  # beside the configuration's
WAYS, SETS = (2, 4, 8), (16, 64, 256, 1024, 4096)
NOTHING = 255  # in the maps: no pixel drawn there


@dataclass(frozen=True)
class Order:
    """All that one process needs to measure: picklable. ``base``: the configuration with all its units."""

    base: Config
    width: int
    height: int
    scenes: tuple[str, ...]
    quick: bool
    seed: int
    out: Path
    command: str


@dataclass(frozen=True)
class Job:
    """One scene on one configuration: ``cfg`` is Verilated, ``latency`` None is the configuration's own."""

    scene: str
    role: str
    cfg: Config
    latency: int | None = None
    nearest: bool = False
    rgb: bool = False

    @property
    def id(self) -> str:
        """Its name, unique."""
        return f"{self.scene}/{self.role}" + (f"/{self.latency}" if self.latency is not None else "")


def known(cfg: Config) -> Config:
    """The preset that is the same hardware and memory, if there is one: it shares its build."""
    for name in presets(cfg.block):
        preset: Config = load(cfg.block, name)
        if preset.hash == cfg.hash and preset.memory == cfg.memory:
            return preset
    return cfg


def plan(order: Order) -> list[Job]:
    """All runs, the longest first."""
    one, every = known(order.base.with_(units=1)), known(order.base)
    jobs = []
    for scene in order.scenes:
        jobs.append(Job(scene, ONE, one))
        jobs += [Job(scene, ALL, every)] if every.units > 1 else []
        jobs += [Job(scene, "nearest", one, nearest=True), Job(scene, "rgb", one, rgb=True)]
        for latency in LATENCIES[:: 3 if order.quick else 1]:
            jobs.append(Job(scene, ONE, one, latency))
            jobs += [Job(scene, ALL, every, latency)] if every.units > 1 else []
        jobs += [
            Job(scene, f"{ways} ways", known(one.with_(cache={"ways": ways})))
            for ways in WAYS
            if ways != one.cache.ways
        ]
    return jobs


def main(argv: list[str]) -> int:
    """Measure what is not measured yet; exit code 1 if RTL and model disagree. Raises :class:`UserError`."""
    arguments = measuring.parser(BLOCK, SIZE).parse_args(argv)
    base = cli.chosen_config(arguments)
    assert isinstance(base, Config)
    width, height, scenes = measuring.chosen(arguments, SIZE, QUICK_SIZE)
    command = shlex.join(["python", "-m", "tb", "measure", BLOCK, *argv])
    order = Order(base, width, height, scenes, arguments.quick, arguments.seed, arguments.out, command)
    Llvmpipe()  # before all else: it may be missing
    console, jobs = Console(highlight=False, soft_wrap=True), plan(order)
    try:
        with Bars(console=console) as progress:
            cfgs = {job.cfg.hash: job.cfg for job in jobs}.values()
            measuring.build_all([(cfg, stream_roles(cfg)) for cfg in cfgs], progress)
            stages = _stages(order)
            found = measuring.in_processes(partial(_measure, order), {one.id: 1 for one in jobs}, progress)
    except (DisagreementError, ReplayError) as error:
        console.print(f"[bold red]failed[/] {error}", markup=True)
        return 1
    index = {
        "format": FORMAT,
        "block": BLOCK,
        "base": base.model_dump(mode="json"),
        "base_name": base.name,
        "hash": base.hash,
        "command": command,
        "seed": order.seed,
        "quick": order.quick,
        "size": [width, height],
        "scenes": list(scenes),
        "versions": measuring.versions(),
        "stages": stages,
        "sweep": [row for scene in scenes for row in _sweep(order, scene)],
        "runs": list(found.values()),
    }
    write_atomic(order.out / "index.json", json.dumps(index, indent=1) + "\n")
    measuring.prune(order.out, index)
    quads = sum(int(one["quads"]) for one in found.values())
    console.print(
        f"{len(jobs)} runs, {quads:,} quads: RTL and model agree in every one; results in {order.out}"
    )
    return 0


def _frame(order: Order, scene: str, nearest: bool = False, rgb: bool = False) -> QuadFrame:
    return quad_frame(built_in(scene), order.width, order.height, bilinear=not nearest, rgb=rgb)


def _measure(order: Order, name: str) -> dict[str, Any]:
    """One run: its index entry."""
    job = next(one for one in plan(order) if one.id == name)
    library = measuring.library_name(job.cfg, stream_roles(job.cfg))
    stamp = digest([
        sources_key(*SOURCES), repr((job.id, job.cfg.hash, job.cfg.memory, library, order.seed)),
        f"{order.width}x{order.height}",
    ])  # fmt: skip
    path = order.out / "runs" / f"{measuring.slug(name)}-{stamp}.json"
    about = measuring.kept(path, partial(_run, order, job, library))
    return {
        "id": name,
        "role": job.role,
        "scene": job.scene,
        "quads": about["quads"],
        "file": f"runs/{path.name}",
    }


def _run(order: Order, job: Job, library: str, path: Path) -> dict[str, Any]:
    frame = _frame(order, job.scene, job.nearest, job.rgb)
    timing = job.cfg.memory
    if job.latency is not None:
        timing = timing.model_copy(update={"latency": job.latency})
    shot = shoot(job.cfg, frame, order.seed, timing=timing)
    if shot.mismatches:
        raise DisagreementError(f"{job.id}: {shot.mismatches[0].text}; repeat: {order.command}")
    about: dict[str, Any] = {
        **shot.figures, "id": job.id, "role": job.role, "latency": timing.latency, "library": library,
        "seed": order.seed, "config_hash": job.cfg.hash, "command": order.command,
        "versions": measuring.versions(),
    }  # fmt: skip
    arrays: dict[str, NDArray[Any]] = {}
    if job.role == ONE and job.latency is None:
        other = beside(Llvmpipe(), shot)
        about["llvmpipe"] = other.figures()
        arrays = {
            "rtl": frame.picture(shot.texels), "golden": frame.picture(shot.golden),
            "llvmpipe": frame.picture(other.texels), **maps(shot),
        }  # fmt: skip
    return about | {"sha256": measuring.write_arrays(path.with_suffix(".npz"), arrays)}


def maps(shot: Shot) -> dict[str, NDArray[np.uint8]]:
    """Per screen pixel, of what was drawn there last: level, and lines that its quad read from memory."""
    frame, [unit] = shot.frame, shot.rtl.units
    missed = (unit.queries["repeat"] | unit.queries["hit"]) == 0
    ends = np.cumsum(shot.queries)
    sums = np.concatenate([[0], np.cumsum(missed)])
    misses = np.minimum(sums[ends] - sums[ends - shot.queries], NOTHING - 1)
    found = {}
    for name, values in (("level", shot.lod), ("misses", misses)):
        picture = np.full((frame.height, frame.width), NOTHING, np.uint8)
        for pixel in range(4):
            drawn = frame.drawn[:, pixel]
            picture[frame.y[drawn] + pixel // 2, frame.x[drawn] + pixel % 2] = values[drawn]
        found[name] = picture
    return found


def _sweep(order: Order, scene: str) -> list[dict[str, Any]]:
    """Hit rates of other caches, by the model alone; the counter that chooses a way counts queries."""
    frame, rows = _frame(order, scene), []
    memory = Memory(order.seed, 0, frame.image)
    for ways in WAYS:
        for sets in SETS:
            cfg = order.base.with_(units=1, cache={"ways": ways, "sets": sets})
            results, queries = TexunitModel(cfg, memory).replay(*frame.stream)
            counts = count(results, queries)
            rows.append(
                {"scene": scene, "ways": ways, "sets": sets, "bytes": cfg.cache.capacity_bytes, **counts}
            )
    return rows


def _stages(order: Order) -> dict[str, list[int]]:
    """Cycles of the stages (how often, least, most), from the test that times them on an idle unit."""
    cfg = known(order.base.with_(units=1))
    test = testcase.cases(BLOCK)["stage_cycles"]
    order.out.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=".stages-", dir=order.out))
    try:
        done = runner.run(builds.build(cfg, "verilator"), [test], seed=order.seed, count=1, folder=folder)
        if not done.passed:
            raise DisagreementError(
                f"test stage_cycles: {done.outcomes[0].message}; {done.outcomes[0].repro}"
            )
        found: dict[str, list[int]] = done.kept[test.name]["summary"]["stages"]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return found


if __name__ == "__main__":
    cli.run(main)
