# SPDX-License-Identifier: Apache-2.0
"""Typed configurations: the single source of truth for every block's geometry.

A block is a folder here with a ``schema.py`` (a :class:`BlockConfig` called ``Config``) and one TOML file
per preset. RTL, golden model, testbench, coverage bins and report all read the same frozen object.

    >>> from configs import load
    >>> cfg = load("texcache", "paper", ["ways=2"])
    >>> cfg.name, cfg.ways
    ('paper+ways=2', 2)
"""

from configs.base import BlockConfig, MemoryTiming, blocks, load, presets, schema
from configs.errors import UserError
from configs.ports import Field, Stream

__all__ = [
    "BlockConfig",
    "Field",
    "MemoryTiming",
    "Stream",
    "UserError",
    "blocks",
    "load",
    "presets",
    "schema",
]
