# SPDX-License-Identifier: Apache-2.0
"""Typed configurations: the single source of truth for every block's geometry.

A block is a folder here with a ``schema.py`` (a :class:`BlockConfig` called ``Config``: a tree of the parts
in ``configs.parts``) and one TOML file per preset. RTL, golden model, testbench, coverage bins and report all
read the same frozen object.

    >>> from configs import load
    >>> cfg = load("texcache", "paper", ["ways=2"])
    >>> cfg.name, cfg.cache.ways
    ('paper+cache.ways=2', 2)
"""

from utils import outside as _outside  # noqa: F401  before all that may be missing

# isort: split
from configs.base import PROJECT, BlockConfig, blocks, default_preset, load, presets, schema
from configs.parts import AxiPort, CacheGeometry, FifoGeometry, MemoryTiming, Part
from configs.ports import Field, Stream
from utils.errors import UserError

__all__ = [
    "AxiPort",
    "BlockConfig",
    "CacheGeometry",
    "Field",
    "FifoGeometry",
    "MemoryTiming",
    "Part",
    "Stream",
    "UserError",
    "PROJECT",
    "blocks",
    "default_preset",
    "load",
    "presets",
    "schema",
]
