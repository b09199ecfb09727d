# SPDX-License-Identifier: Apache-2.0
"""Timing constraints: patterns that match cells of a netlist that Yosys made, every crossing limited once."""

import json
import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
import yaml

import configs
from configs import BlockConfig, load
from formal import tools
from rtl import generate, write
from rtl.constraints import constraints

MODULE = re.compile(r"(?:\$paramod[^\\]*)?\\?(\w+)")
CELLS = re.compile(r"get_cells -hierarchical -filter \{NAME =~ ([^}]+)\}")


def netlist(cfg: BlockConfig, folder: Path, prefix: str) -> tuple[list[str], dict[str, str]]:
    """Cells as Vivado names them, from Yosys' flat netlist of a block; and its instances with their modules.

    A flip-flop is ``path/register_reg[bit]``, a RAM in LUTs ``path/memory_reg_...``. ROMs are left out: their
    contents take Yosys ten seconds.
    """
    sources = []
    for path in write(cfg, folder, prefix):
        text = path.read_text()
        if "integer i;\n\n    initial" in text:
            path.write_text(text[: text.index("\n);") + 4] + "endmodule\n")
        sources.append(str(path.relative_to(folder)))
    script = (
        f"read_verilog {' '.join(sources)}; hierarchy -top {cfg.top(prefix)}; proc; flatten; write_json out"
    )
    done = tools.yosys(folder, "-p", script)
    assert done.returncode == 0, done.stderr[-2000:]
    module = json.loads((folder / "out").read_text())["modules"][cfg.top(prefix)]
    driven: set[Any] = set()
    instances, registers = {}, []
    for name, cell in module["cells"].items():
        if "dff" in cell["type"]:
            driven |= {bit for bit in cell["connections"]["Q"] if isinstance(bit, int)}
        if cell["type"] == "$scopeinfo":
            module_name = MODULE.match(cell["attributes"].get("module", ""))
            instances[name.replace(".", "/")] = module_name[1] if module_name else ""
        if cell["type"].startswith("$mem"):
            registers.append(cell["parameters"]["MEMID"].lstrip("\\").replace(".", "/") + "_reg_0_3_0_5")
    for name, net in module["netnames"].items():
        path = name.replace(".", "/")
        bits = [f"[{number}]" for number in range(len(net["bits"]))] if len(net["bits"]) > 1 else [""]
        registers += [f"{path}_reg{at}" for at, bit in zip(bits, net["bits"], strict=True) if bit in driven]
    return registers, instances


@pytest.mark.slow
@pytest.mark.parametrize(("config", "prefix"), [("paper", ""), ("small", "my_")])
def test_every_pattern_matches_and_every_synchronizer_is_limited_once(
    config: str, prefix: str, tmp_path: Path
) -> None:
    block = "texunit"
    cfg: Any = load(block, config)
    cells, instances = netlist(cfg, tmp_path, prefix)
    synchronizers, fifos = (
        [path for path, module in instances.items() if module == wanted]
        for wanted in ("cacheforge_sync_bit", "cacheforge_async_fifo")
    )
    assert len(cells) > 1000
    assert (len(synchronizers), len(fifos)) == (4 + 7 * cfg.units, 3 * cfg.units)
    text = (tmp_path / f"cacheforge_{prefix}{block}.xdc").read_text().replace("\\\n", " ")
    for pattern in CELLS.findall(text):
        for place in ("", "chip/block/"):  # the block as the top, and somewhere in a design
            assert any(fnmatchcase(place + cell, pattern.replace("[", "[[]")) for cell in cells), pattern
    delays = [CELLS.findall(line) for line in text.splitlines() if line.startswith("set_max_delay")]
    targets = [ends[1] for ends in delays if len(ends) > 1]
    assert sorted(targets) == sorted(f"*{path}/meta_reg*" for path in synchronizers)
    memories = [ends[0] for ends in delays if len(ends) == 1]
    assert sorted(memories) == sorted(f"*{path}/words_reg*" for path in fifos)


def test_codes_are_held_together_and_limits_follow_the_clocks() -> None:
    cfg = load("texunit", "small")
    text = constraints(cfg, generate(cfg))["cacheforge_texunit.xdc"].replace(" \\\n   ", "")
    for fifo, clock in (("prim", "gpu_clk"), ("result", "tex_clk")):
        code = (
            f"-from [get_cells -hierarchical -filter {{NAME =~ *unit0/{fifo}_fifo/tail_gray_reg*}}] "
            f"-to [get_cells -hierarchical -filter {{NAME =~ *unit0/{fifo}_fifo/to_output/meta_reg*}}] "
            f"${clock}_period"
        )
        assert f"set_max_delay -datapath_only {code}\nset_bus_skew {code}\n" in text
    assert text.count("set_bus_skew") == 6
    words = "-from [get_cells -hierarchical -filter {NAME =~ *unit0/result_fifo/words_reg*}] $gpu_clk_period"
    assert f"set_max_delay -datapath_only {words}" in text
    assert "\n# create_clock -name gpu_clk -period 2.500 [get_ports gpu_clk]\n" in text


@pytest.mark.parametrize("block", configs.blocks())
def test_the_clocks_are_there_with_periods_to_set(block: str, tmp_path: Path) -> None:
    cfg = load(block)
    write(cfg, tmp_path)
    text = (tmp_path / f"cacheforge_{block}.sdc").read_text()
    for clock, period in cfg.clocks.items():
        assert f"if {{![info exists {clock}_period]}} {{ set {clock}_period {period / 1000:.3f} }}\n" in text
        assert f"create_clock -name {clock} -period ${clock}_period [get_ports {clock}]\n" in text
        assert re.search(rf"input  wire +{clock},", (tmp_path / f"cacheforge_{block}.v").read_text())
    core = yaml.safe_load((tmp_path / f"cacheforge_{block}.core").read_text().partition("\n")[2])
    several = len(cfg.clocks) > 1
    assert core["filesets"]["sdc"] == {"files": [f"cacheforge_{block}.sdc"], "file_type": "SDC"}
    assert ("xdc" in core["filesets"]) == several == (tmp_path / f"cacheforge_{block}.xdc").is_file()
    assert text.count("set_max_delay") == text.count("set_false_path -hold") == (2 if several else 0)
    listed = core["targets"]["default"]["filesets"]
    of_several = ["tool_vivado ? (xdc)", "is_toplevel ? (!tool_vivado ? (sdc))"]
    assert listed == ["rtl", *(of_several if several else ["is_toplevel ? (sdc)"])]


def test_constraints_that_a_former_configuration_left_are_removed(tmp_path: Path) -> None:
    write(load("texunit", "small"), tmp_path)
    mine = tmp_path / "mine.xdc"
    mine.write_text("# my own\n")
    write(load("texcache", "tiny"), tmp_path)
    assert {path.name for path in tmp_path.glob("*.?dc")} == {"cacheforge_texcache.sdc", "mine.xdc"}
