# SPDX-License-Identifier: Apache-2.0
"""How many ways does a texture cache of 8 KB need? A table, and the Verilog of the best.

In a checkout ``.venv/bin/python -m examples.ways``; where cacheforge is installed ``python ways.py``. The
Verilog goes to ``ways-verilog``, or to the folder that is named.
"""

import sys
from pathlib import Path

import cacheforge

LINES = 64  # of each of the four banks, whatever the ways: the caches compared are of one size
WAYS = (1, 2, 4, 8)
SCENE, SIZE = "corridors", (160, 120)
PATTERN, COUNT = "trilinear", 20_000


def main(folder: Path) -> None:
    """Print the table, write the Verilog into ``folder``."""
    print(f"{'ways':>4}  {'sets':>4}  {SCENE:>10}  {PATTERN:>10}")
    rates = {}
    for ways in WAYS:
        cfg = cacheforge.load("texcache", "paper", **{"cache.ways": ways, "cache.sets": LINES // ways})
        drawn = cacheforge.run(cfg, cacheforge.scene(cfg, SCENE, size=SIZE))
        walked = cacheforge.run(cfg, cacheforge.pattern(cfg, PATTERN, COUNT))
        rates[cfg] = drawn.hit_rate
        print(f"{ways:4}  {LINES // ways:4}  {drawn.hit_rate:10.4%}  {walked.hit_rate:10.4%}")
    best = max(rates, key=lambda cfg: rates[cfg])
    files = cacheforge.write_verilog(best, folder)
    print(f"best on {SCENE}: {best.cache.ways} ways; {len(files)} Verilog files in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "ways-verilog"))
