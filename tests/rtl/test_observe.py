# SPDX-License-Identifier: Apache-2.0
"""Observer ports can be left out, and cost nothing then; the testbench says that it needs them."""

import re
from pathlib import Path

import pytest

from configs import UserError, load
from formal import tools
from rtl import write
from rtl.wrapper import top_ports
from tb.common.running import builds

SMALL = {
    "texcache": ("tiny", "banks=1 max_side=8 small_side=1 textures=2 cache.line_bytes=16"),
    "texunit": ("small", "cache.sets=2 max_side=16"),
    "simple": ("tiny", "cache.sets=2"),
}


def ports(block: str, observe: bool, folder: Path) -> set[str]:
    preset, overrides = SMALL[block]
    cfg = load(block, preset, [*overrides.split(), f"observe={str(observe).lower()}"])
    return {port.name for port in top_ports(write(cfg, folder)[-1].read_text(), cfg.top())}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("block", "gone"), [("texcache", {"evt"}), ("texunit", {"evt0", "probe0"}), ("simple", {"evt"})]
)
def test_observer_ports_are_absent_and_cost_nothing(block: str, gone: set[str], tmp_path: Path) -> None:
    """No more cells and flip-flops than where they are there and nobody is connected to them."""
    everything = ports(block, True, tmp_path / "with")
    left = ports(block, False, tmp_path / "without")
    unconnected = {f"{name}_{kind}" for name in gone for kind in ("valid", "data")}
    assert everything - left == unconnected and left < everything
    top = (tmp_path / "without" / f"cacheforge_{block}.v").read_text()
    head = top[top.index(f"\nmodule cacheforge_{block} (") : top.index("\n);") + 4]
    head = head.replace(f"cacheforge_{block}", "alone", 1)
    connected = ", ".join(f".{name}({name})" for name in sorted(left))
    for folder in ("with", "without"):
        alone = f"{head}    cacheforge_{block} inside ({connected});\nendmodule\n"
        (tmp_path / folder / "alone.v").write_text(alone)
    before, after = (_cells(tmp_path / folder, "alone") for folder in ("with", "without"))
    assert after["cells"] <= before["cells"] and after["registers"] <= before["registers"], (before, after)


def _cells(folder: Path, top: str) -> dict[str, int]:
    sources = " ".join(sorted(path.name for path in folder.glob("*.v") if not path.stem.endswith("_fields")))
    steps = "proc; flatten; opt -full; simplemap; opt -full -purge; tee -o stat.txt stat"
    script = f"read_verilog {sources}; hierarchy -top {top}; {steps}"
    done = tools.yosys(folder, "-p", script)
    assert done.returncode == 0, done.stderr[-2000:]
    counts = re.findall(r"^ +(\d+) +\$_(\w+)_$", (folder / "stat.txt").read_text(), re.MULTILINE)
    totals = {"cells": sum(int(count) for count, _ in counts)}
    return totals | {"registers": sum(int(count) for count, name in counts if "DFF" in name)}


@pytest.mark.parametrize("simulator", ["verilator", "icarus"])
def test_the_test_bench_needs_them(simulator: str, tmp_path: Path) -> None:
    cfg = load("texcache", "tiny", ["observe=false"])
    with pytest.raises(UserError, match=r"observe=false: .*observe=true"):
        builds.build(cfg, simulator, root=tmp_path)
