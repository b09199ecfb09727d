# SPDX-License-Identifier: Apache-2.0
"""Generated Verilog: Mako templates and the generator that fills them from a configuration.

>>> from configs import load
>>> from rtl import generate
>>> sorted(generate(load("texcache")))[-1]
'texcache_tag_compare.v'
"""

import configs as _configs  # noqa: F401  says what to type where packages are missing
from rtl.generate import generate, plant, write, write_files

__all__ = ["generate", "plant", "write", "write_files"]
