# SPDX-License-Identifier: Apache-2.0
"""Frames of built-in scenes on the golden model of the depth cache, and tables of what they come to.

A frame is a clear of the surface, the scene, and a flush.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from configs import UserError, load
from configs.depth import FLUSH
from configs.zcache.schema import Config
from models.memory import Memory
from models.zcache import WORD, ModelRun, run
from models.zcache.world import CHANNELS
from workloads.raster.vertices import vertex_frame
from workloads.scenes import SCENES
from workloads.scenes.depth import of_meshes
from workloads.scenes.depth_scenes import DEPTH_SCENES
from workloads.zcache.tiles import TileFrame, rasterizer, tile_frame

SIZE = 320, 240  # of a picture
EVERY = 4  # cycles from a tile to the next
ALL = (*DEPTH_SCENES, *SCENES)


@dataclass(frozen=True)
class Steps:
    """A rasterizer that gives a tile every so many cycles at most; nothing else waits."""

    every: int

    @property
    def patterns(self) -> list[NDArray[np.uint8]]:
        """See :class:`models.zcache.running.Pacing`."""
        request = np.zeros(self.every, np.uint8)
        request[0] = 1
        return [request, *[np.ones(1, np.uint8)] * (len(CHANNELS) - 1)]


def preset(name: str, *options: str) -> Config:
    """A configuration."""
    cfg = load("zcache", name, list(options))
    assert isinstance(cfg, Config)
    return cfg


def scene_frame(name: str, size: tuple[int, int] = SIZE) -> TileFrame:
    """The first view of a built-in scene, textured or not. Raises :class:`UserError` for another one."""
    if name not in ALL:
        raise UserError(f"scene={name}: choose among {', '.join(ALL)}")
    scene = DEPTH_SCENES[name]() if name in DEPTH_SCENES else of_meshes(SCENES[name]())
    return tile_frame(vertex_frame(scene, *size, 0), rasterizer(preset("paper")))


def covered(frame: TileFrame) -> NDArray[Any]:
    """The words of a frame as the model takes them, WORD [n], with all pixels that are covered."""
    made = np.zeros(len(frame.tiles), WORD)
    for name in WORD.names or ():
        made[name] = frame.tiles[name]
    return made


def words(frame: TileFrame) -> NDArray[Any]:
    """The same without the pixels that shaders kill; for caches without bounds, to which that is the same."""
    made = covered(frame)
    made["mask"] &= ~frame.kill.astype(np.int64)
    return made


def scene_words(name: str, size: tuple[int, int] = SIZE) -> NDArray[Any]:
    """The same as words: a base, a clear, the tiles."""
    return words(scene_frame(name, size))


def flushed(tiles: NDArray[Any]) -> NDArray[Any]:
    """WORD array ``tiles`` [n] and a flush."""
    flush = np.zeros(1, WORD)
    flush["op"] = FLUSH
    return np.concatenate([tiles, flush])


def frame_run(cfg: Config, frame: NDArray[Any], kill: ArrayLike = 0) -> ModelRun:
    """A frame, WORD [n], a tile each EVERY cycles at most.

    Where there is a port ``shade`` its words are ``kill`` [n], `shading.cycles` after their tiles.
    """
    return run(cfg, frame, Memory(1), pacing=Steps(EVERY), delay=cfg.shading.cycles, kill=kill)


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table, line by line."""
    yield f"| {' | '.join(heads)} |"
    yield "| --- " * len(heads) + "|"
    for cells in rows:
        yield f"| {' | '.join(cells)} |"


def show(lines: Iterable[str]) -> int:
    """Prints them as they come; the exit code."""
    for line in lines:
        print(line, flush=True)
    return 0
