# SPDX-License-Identifier: Apache-2.0
"""Caches as a library: load a configuration, make traffic, run the golden model, generate Verilog.

>>> import cacheforge
>>> cfg = cacheforge.load("texcache", ways=2)
>>> run = cacheforge.run(cfg, cacheforge.pattern(cfg, "minified", 20_000))
>>> 0 < run.hit_rate < 1
True

``docs/api.md`` is the manual. Whatever can be mended by the caller is a :class:`UserError`.
"""

from cacheforge.api import (
    accesses,
    blocks,
    depth_buffer,
    load,
    pattern,
    patterns,
    presets,
    run,
    scene,
    scenes,
    trace,
    verilog,
    write_verilog,
)
from cacheforge.result import Run
from configs import UserError
from rtl.version import VERSION as __version__

__all__ = [
    "Run",
    "UserError",
    "__version__",
    "accesses",
    "blocks",
    "depth_buffer",
    "load",
    "pattern",
    "patterns",
    "presets",
    "run",
    "scene",
    "scenes",
    "trace",
    "verilog",
    "write_verilog",
]
