# SPDX-License-Identifier: Apache-2.0
"""Caches as a library: load a configuration, make traffic, run the golden model, generate Verilog.

>>> import cacheforge
>>> cfg = cacheforge.load("texcache", ways=2)
>>> run = cacheforge.run(cfg, cacheforge.pattern(cfg, "minified", 20_000))
>>> 0 < run.hit_rate < 1
True

``docs/api.md`` is the manual. Bad input raises :class:`UserError`. The first use of a name imports the rest.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cacheforge.api import (
        accesses,
        blocks,
        columns,
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
else:

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from cacheforge import api

        return getattr(api, name)


__all__ = [
    "Run",
    "UserError",
    "__version__",
    "accesses",
    "blocks",
    "columns",
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


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
