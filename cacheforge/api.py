# SPDX-License-Identifier: Apache-2.0
"""The library's functions; ``cacheforge/<block>.py`` has what differs from block to block."""

import importlib
from collections.abc import Iterable, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import configs
import rtl
from cacheforge.result import Run
from configs import BlockConfig, UserError
from rtl.generate import bundle
from rtl.version import commit
from workloads.scenes import SCENES
from workloads.scenes.loader import open_scene
from workloads.scenes.options import MOST

SMALLEST = 2  # pixels of a picture's side


def blocks() -> tuple[str, ...]:
    """Names of all blocks."""
    return configs.blocks()


def presets(block: str) -> tuple[str, ...]:
    """Names of the presets of ``block``, the default one first. Raises :class:`UserError`."""
    return configs.presets(block)


def load(block: str, preset: str | None = None, **fields: Any) -> Any:
    """A configuration: a preset of ``block`` (the default one if None), some ``fields`` changed.

    A field is named by its path, ``**{"cache.ways": 2}``, or, where it alone has its name, by that,
    ``ways=2``. Raises :class:`UserError` naming field, value and rule.
    """
    values = {
        name: str(value).lower() if isinstance(value, bool) else value for name, value in fields.items()
    }
    return configs.load(block, preset, [f"{name}={value}" for name, value in values.items()])


def patterns(block: str) -> tuple[str, ...]:
    """Names of the access patterns of ``block``. Raises :class:`UserError` for an unknown block."""
    names: tuple[str, ...] = _room(block).PATTERNS
    return names


def scenes() -> tuple[str, ...]:
    """Names of the built-in scenes."""
    return tuple(SCENES)


def pattern(cfg: BlockConfig, name: str, n: int = 10_000, *, seed: int = 1) -> Any:
    """Traffic: ``n`` accesses of a built-in pattern. The same seed gives the same accesses.

    Raises :class:`UserError` for an unknown pattern and for ``n`` below 1.
    """
    known = patterns(cfg.block)
    if not known:
        raise UserError(f"{cfg.block} has no access patterns: take scene, trace or accesses")
    if name not in known:
        raise UserError(f"unknown pattern {name!r} of {cfg.block}: choose one of {', '.join(known)}")
    if n < 1:
        raise UserError(f"pattern {name} of {n} accesses: needs at least 1")
    return _room(cfg.block).pattern(cfg, name, n, seed)


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
    room = _room(cfg.block)
    if not hasattr(room, "scene"):
        raise UserError(f"{cfg.block} draws no scenes: take pattern, trace or accesses")
    if len(size) != 2 or not all(SMALLEST <= side <= MOST for side in size):
        raise UserError(f"size={size}: must be width and height, each {SMALLEST} to {MOST}")
    unknown = sorted(set(options) - set(signature(room.scene).parameters))
    if unknown:
        raise UserError(
            f"scene: {cfg.block} has no option {', '.join(unknown)} (docs/api.md lists those it has)"
        )
    opened = open_scene(source, None if cameras is None else Path(cameras), uv=uv)
    return room.scene(cfg, opened, view, size, **options)


def trace(cfg: BlockConfig, path: str | Path) -> Any:
    """Traffic: a trace file, ``.csv`` or ``.npz``; for ``icache``, ``dcache`` and ``mmu`` also Dinero's din
    and Valgrind's lackey. Raises :class:`UserError` naming file, place and rule.
    """
    room = _room(cfg.block)
    if not hasattr(room, "trace"):
        raise UserError(f"{cfg.block} has no trace files: take scene")
    return room.trace(cfg, Path(path))


def accesses(cfg: BlockConfig, **arrays: Any) -> Any:
    """Traffic: accesses as arrays or lists, under the names that they have in an ``.npz`` trace file.

    Where all accesses have the same value, a single integer will do. Raises :class:`UserError` naming array
    and rule.
    """
    room = _room(cfg.block)
    if not hasattr(room, "accesses"):
        raise UserError(f"{cfg.block} takes no accesses: take scene")
    return room.accesses(cfg, _spread(arrays, room.columns(cfg)))


def run(cfg: BlockConfig, traffic: Any, *, seed: int = 1) -> Run:
    """What the golden model of ``cfg``, empty at first, makes of ``traffic``.

    ``seed`` gives the contents of memory where the traffic brings none. Raises :class:`UserError` for traffic
    that ``cfg`` cannot run.
    """
    room = _room(cfg.block)
    if not isinstance(traffic, room.TRAFFIC):
        raise UserError(f"{type(traffic).__name__} is no traffic of {cfg.block}: make it for {cfg.name}")
    made: Run = room.run(cfg, traffic, seed)
    return made


def verilog(cfg: BlockConfig, prefix: str = "") -> dict[str, str]:
    """The Verilog of ``cfg``, file name -> text, and what goes with it (``docs/using-the-verilog.md``).

    Names of modules begin with ``prefix``. Raises :class:`UserError` for a prefix that is no name.
    """
    return bundle(cfg, prefix, commit())


def write_verilog(cfg: BlockConfig, folder: str | Path, prefix: str = "") -> list[Path]:
    """Write :func:`verilog` into ``folder``; returns the Verilog files in compile order.

    Verilog of ours that a former configuration left there is removed.
    """
    return rtl.write(cfg, folder, prefix, commit())


def _room(block: str) -> Any:
    """What a block's module has, or its ``ROOM``. Raises :class:`UserError` for an unknown one."""
    configs.schema(block)
    module = importlib.import_module(f"{__package__}.{block}")
    return getattr(module, "ROOM", module)


def _spread(values: dict[str, Any], columns: Iterable[str]) -> dict[str, NDArray[Any]]:
    """``values`` as arrays; single ones of ``columns`` as long as the others."""
    arrays = {}
    for name, value in values.items():
        try:
            arrays[name] = np.asarray(value)
        except ValueError as error:
            raise UserError(f"array {name}: {error}") from None
    listed = [name for name in columns if name in arrays]
    count = max((len(arrays[name]) for name in listed if arrays[name].ndim), default=1)
    spread = {name: np.full(count, arrays[name]) for name in listed if not arrays[name].ndim}
    return arrays | spread
