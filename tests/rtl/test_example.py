# SPDX-License-Identifier: Apache-2.0
"""``<block>_example.v``: every port of the wrapper by its name, clean on both simulators.

``tests/rtl/test_generator.py`` lints it in every preset.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

import configs
from configs import load
from rtl import write
from tb.common.running.tools import require, tool_environment

COMMANDS = {
    "verilator": ["verilator", "--lint-only", "-Wall", "--language", "1364-2005", "--top-module"],
    "icarus": ["iverilog", "-g2005", "-Wall", "-Wno-timescale", "-t", "null", "-s"],
}


def elaborate(simulator: str, folder: Path, top: str) -> str:
    """What the simulator says of the example in ``folder``; empty if it is clean."""
    require(simulator)
    sources = [*(folder / "filelist.f").read_text().split(), f"{top}_fields.v", f"{top}_example.v"]
    done = subprocess.run(
        [*COMMANDS[simulator], f"{top}_example", *sources],
        cwd=folder, env={**os.environ, **tool_environment()}, capture_output=True, text=True,
    )  # fmt: skip
    said = done.stdout + done.stderr
    return said if done.returncode or re.search("warning|error", said, re.IGNORECASE) else ""


@pytest.mark.parametrize("block", configs.blocks())
def test_examples_elaborate_on_both_simulators(block: str, tmp_path: Path) -> None:
    write(load(block), tmp_path, "l1_")
    for simulator in COMMANDS:
        assert elaborate(simulator, tmp_path, f"cacheforge_l1_{block}") == ""


def test_so_they_do_without_observers(tmp_path: Path) -> None:
    write(load("texunit", "one-unit", ["observe=false"]), tmp_path)
    assert "evt0" not in (tmp_path / "cacheforge_texunit_example.v").read_text()
    assert elaborate("verilator", tmp_path, "cacheforge_texunit") == ""


@pytest.mark.parametrize("block", configs.blocks())
def test_every_port_is_named_once(block: str, tmp_path: Path) -> None:
    write(load(block), tmp_path)
    wrapper = (tmp_path / f"cacheforge_{block}_fields.v").read_text()
    ports = re.findall(r"^    (?:input |output) wire .*?(\w+),?(?: *//.*)?$", wrapper, re.MULTILINE)
    text = (tmp_path / f"cacheforge_{block}_example.v").read_text()
    assert re.findall(r"^        \.(\w+)\(\1\)", text, re.MULTILINE) == ports


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        (".req_level(req_level),", "", "PINMISSING"),
        ("[2:0] req_level = 3'd0;", "[3:0] req_level = 4'd0;", "WIDTHTRUNC"),
        (".m_axi_arready(m_axi_arready)", ".m_axi_arready(m_axi_rvalid)", "UNUSEDSIGNAL"),
    ],
)
def test_a_wrong_connection_is_noticed(before: str, after: str, complaint: str, tmp_path: Path) -> None:
    write(load("texcache", "tiny"), tmp_path)
    path = tmp_path / "cacheforge_texcache_example.v"
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, after))
    assert complaint in elaborate("verilator", tmp_path, "cacheforge_texcache")
