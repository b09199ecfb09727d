# SPDX-License-Identifier: Apache-2.0
"""Golden models and cache analyses: no simulator in here, every kernel readable Python compiled by numba.

====================  ================================================================================
``memory``            contents of memory: a pure function of seed and address, an image, poisoned lines
``lru``               the set-associative core: true LRU over the ways of a set
``texaddress``        texcache: wrap modes, texel layouts, look-up list, place of a line in the cache
``lut``               texcache: where the mip chains of textures lie in memory
``texcache``          texcache: the golden model, access by access or a whole trace at once
``texlookups``        texcache: look-up streams for the analyses; checks of footprints and tables
``textiming``         texcache: the cycle counts that its design fixes
``streams``           numbers the lines of a look-up stream
``stack``             hits of many LRU geometries from few passes over a trace
``belady``            hits of the optimal replacement
``classify``          compulsory, capacity and conflict misses
====================  ================================================================================

Compiled kernels are kept in ``build/numba`` (or below ``NUMBA_CACHE_DIR``), under a key made of all sources
in this folder: numba itself only looks at the file of the kernel, and would go on using a stale one after a
change in a function that the kernel calls from another file.
"""

import hashlib
from pathlib import Path
from typing import Any

import numba

_HERE = Path(__file__).parent


def _key_compiled_kernels() -> None:
    settings: Any = numba.config
    digest = hashlib.sha256()
    for source in sorted(_HERE.rglob("*.py")):
        digest.update(source.read_bytes())
    folder = Path(settings.CACHE_DIR or _HERE.parent / "build" / "numba") / digest.hexdigest()[:12]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return  # read-only tree: numba falls back to the user's own cache folder
    settings.CACHE_DIR = str(folder)


_key_compiled_kernels()
