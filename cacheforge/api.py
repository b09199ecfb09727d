# SPDX-License-Identifier: Apache-2.0
"""The library's functions; ``cacheforge/<block>.py`` has what is particular to a block, if anything is.

Functions import numba, PIL, Mako and pyslang where they use them: ``import cacheforge`` does without these.
"""

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import configs
import rtl
from cacheforge.result import Run, Verilog
from configs import BlockConfig, UserError
from rtl.generate import bundle
from rtl.version import VERSION, commit
from utils.aside import listening
from utils.cli import LAST_SEED, out_folder
from utils.errors import plain, shown
from workloads.traces.columns import Column
from workloads.traces.opening import MOST_ROWS

__version__ = VERSION
SMALLEST = 2  # pixels of a picture's side


def blocks() -> tuple[str, ...]:
    """Names of all blocks."""
    return configs.blocks()


def presets(block: str) -> tuple[str, ...]:
    """Names of the presets of ``block``, the default one first. Raises :class:`UserError`."""
    return configs.presets(plain(block))


def load(block: str, preset: str | None = None, **fields: Any) -> Any:
    """A configuration: a preset of ``block`` (the default one if None), some ``fields`` changed.

    A field is named by its path, ``**{"cache.ways": 2}``, or, where it alone has its name, by that,
    ``ways=2``. Raises :class:`UserError` naming field, value and rule.
    """
    values = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in ((name, plain(value)) for name, value in fields.items())
    }
    return configs.load(plain(block), plain(preset), [f"{name}={value}" for name, value in values.items()])


def patterns(block: str) -> tuple[str, ...]:
    """Names of the access patterns of ``block``. Raises :class:`UserError` for an unknown block."""
    names: tuple[str, ...] = _room(block).PATTERNS
    return names


def scenes() -> tuple[str, ...]:
    """Names of the built-in scenes."""
    from workloads.scenes import SCENES

    return tuple(SCENES)


def pattern(cfg: BlockConfig, name: str, n: int = 10_000, *, seed: int = 1) -> Any:
    """Traffic: ``n`` accesses of a built-in pattern. The same seed gives the same accesses.

    Raises :class:`UserError` for an unknown pattern and for ``n`` below 1 or beyond 10 million.
    """
    choices, name, n = patterns(cfg.block), plain(name), _integer("n", plain(n), 1, MOST_ROWS)
    if not choices:
        raise UserError(f"{cfg.block} has no access patterns: take scene, trace or accesses")
    if name not in choices:
        raise UserError(f"unknown pattern {name!r} of {cfg.block}: choose one of {', '.join(choices)}")
    return _room(cfg.block).pattern(cfg, name, n, _integer("seed", plain(seed), 0, LAST_SEED))


def scene(
    cfg: BlockConfig,
    source: str | Path,
    *,
    view: int = 0,
    size: Sequence[int] = (320, 240),
    cameras: str | Path | None = None,
    uv: str = "",
    **options: str,
) -> Any:
    """Traffic: a picture of a built-in scene, or of an OBJ, glTF or GLB file, by the block that draws it.

    ``view`` is a camera of the scene, or of the file ``cameras``; ``size`` width and height in pixels.
    ``uv`` "box" or "planar" projects textures onto parts of a file without texture coordinates. ``options``
    are ``filter``, ``depth`` and, of texcache, ``order``. Raises :class:`UserError`.
    """
    from workloads.scenes.loader import open_scene
    from workloads.scenes.options import MOST

    room = _room(cfg.block)
    if not hasattr(room, "scene"):
        raise UserError(f"{cfg.block} draws no scenes: take pattern, trace or accesses")
    sides = plain(size)
    if not isinstance(sides, (list, tuple)) or len(sides) != 2:
        raise UserError(f"size={shown(sides)}: must be width and height, each {SMALLEST} to {MOST}")
    for name, side in zip(("width", "height"), sides, strict=True):
        _integer(f"size: {name}", side, SMALLEST, MOST)
    unknown = sorted(set(options) - set(signature(room.scene).parameters))
    if unknown:
        raise UserError(
            f"scene: {cfg.block} has no option {', '.join(unknown)} (docs/api.md lists those it has)"
        )
    opened = open_scene(plain(source), None if cameras is None else Path(cameras), uv=plain(uv))
    view = _integer("view", plain(view), 0, LAST_SEED)
    return room.scene(cfg, opened, view, sides, **{name: plain(value) for name, value in options.items()})


def trace(cfg: BlockConfig, path: str | Path) -> Any:
    """Traffic: a trace file, ``.csv`` or ``.npz``, plain or packed by gzip or xz; for ``simple``, ``icache``,
    ``dcache`` and ``mmu`` also those of other programs (docs/traces.md).

    Raises :class:`UserError` naming file, place and rule.
    """
    room = _room(cfg.block)
    if not hasattr(room, "trace"):
        raise UserError(f"{cfg.block} has no trace files: take scene")
    return room.trace(cfg, Path(path))


def accesses(cfg: BlockConfig, **arrays: Any) -> Any:
    """Traffic: n accesses as arrays or lists, one for each of :func:`columns`; a single integer stands for n.

    The other arrays of an ``.npz`` trace file may accompany them (docs/traces.md). Raises
    :class:`UserError` naming array and rule.
    """
    named = {"name": f"of {cfg.block} {cfg.name}", **arrays}
    return _room_of_accesses(cfg).accesses(cfg, _arrays(named))


def columns(cfg: BlockConfig) -> tuple[Column, ...]:
    """The columns that :func:`accesses` takes: name, smallest and largest value, words, meaning.

    Raises :class:`UserError` for a block that takes no accesses.
    """
    return tuple(_room_of_accesses(cfg).columns(cfg).values())


def _room_of_accesses(cfg: BlockConfig) -> Any:
    room = _room(cfg.block)
    if not hasattr(room, "accesses"):
        raise UserError(f"{cfg.block} takes no accesses: take scene")
    return room


def run(cfg: BlockConfig, traffic: Any, *, seed: int = 1) -> Run:
    """The results of ``traffic`` from the golden model of ``cfg``, which starts with empty caches.

    ``seed`` gives the contents of memory where the traffic brings none. Raises :class:`UserError` for traffic
    that ``cfg`` cannot run.
    """
    room = _room_of(cfg, traffic)
    with listening(_tell):
        made: Run = room.run(cfg, traffic, _integer("seed", plain(seed), 0, LAST_SEED))
    return made


@cache
def _tell(words: str) -> None:
    """Print on stderr, the first time, that a model is being compiled."""
    if words:
        print(words, file=sys.stderr)


def depth_buffer(cfg: BlockConfig, traffic: Any, *, seed: int = 1) -> NDArray[np.uint32]:
    """The depth buffer of ``zcache`` after ``traffic``: [height, width], a word for each pixel.

    Lines that only the cache has are in it. ``seed`` as of :func:`run`. Raises :class:`UserError`.
    """
    room = _room_of(cfg, traffic)
    if not hasattr(room, "depth_buffer"):
        raise UserError(f"{cfg.block} has no depth buffer: take zcache")
    made: NDArray[np.uint32] = room.depth_buffer(cfg, traffic, _integer("seed", plain(seed), 0, LAST_SEED))
    return made


def _room_of(cfg: BlockConfig, traffic: Any) -> Any:
    """The block's, if it runs such ``traffic``. Raises :class:`UserError`."""
    room = _room(cfg.block)
    if not isinstance(traffic, room.TRAFFIC):
        makers = {"accesses": "...", "trace": "path", "scene": "name"}
        calls = [f"{name}(cfg, {rest})" for name, rest in makers.items() if hasattr(room, name)]
        calls += ["pattern(cfg, name)"] if room.PATTERNS else []
        kind = type(traffic).__name__
        raise UserError(f"run(cfg, {kind}): {cfg.block} runs the result of {' or '.join(calls)}")
    return room


def verilog(cfg: BlockConfig, prefix: str = "") -> dict[str, str]:
    """The Verilog of ``cfg``, file name -> text, and what goes with it (``docs/using-the-verilog.md``).

    Names of modules begin with ``prefix``. Raises :class:`UserError` for a prefix that is no name.
    """
    return Verilog(bundle(cfg, plain(prefix), commit()))


def write_verilog(cfg: BlockConfig, folder: str | Path, prefix: str = "") -> list[Path]:
    """Write :func:`verilog` into ``folder``; returns the files of the block's top in compile order.

    Verilog of ours that a former configuration left there is removed. Raises :class:`UserError` for a place
    where nothing can be written.
    """
    return rtl.write(cfg, out_folder(str(folder)), plain(prefix), commit())


def _room(block: str) -> Any:
    """The block's module, or its ``ROOM``; a block without a module answers requests in order, as usual.

    Raises :class:`UserError` for an unknown block.
    """
    configs.schema(plain(block))
    if not importlib.util.find_spec(f"{__package__}.{block}"):
        from cacheforge.requests import room_of

        return room_of(block)
    module = importlib.import_module(f"{__package__}.{block}")
    return getattr(module, "ROOM", module)


def _arrays(values: dict[str, Any]) -> dict[str, NDArray[Any]]:
    """``values`` as arrays. Raises :class:`UserError`."""
    arrays = {}
    for name, value in values.items():
        try:
            arrays[name] = np.asarray(value)
        except (ValueError, OverflowError) as error:
            raise UserError(f"array {name}: {error}") from None
    return arrays


def _integer(name: str, value: Any, least: int, most: int) -> int:
    """``value`` if it is one of the integers from ``least`` to ``most``. Raises :class:`UserError`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise UserError(f"{name}={shown(value)}: must be an integer, {least} to {most:,}")
    return value
