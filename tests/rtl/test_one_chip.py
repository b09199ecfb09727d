# SPDX-License-Identifier: Apache-2.0
"""Blocks beside each other in one chip: no module has two texts, all elaborate together."""

import os
import re
import subprocess
from pathlib import Path

import pytest

import configs
from configs import UserError, load
from rtl import generate
from tb.common.running.tools import require, tool_environment

PRESETS = [(block, preset) for block in configs.blocks() for preset in configs.presets(block)]
COMMANDS = {
    "verilator": ["verilator", "--lint-only", "-Wall", "-Wno-PINMISSING", "--language", "1364-2005"],
    "icarus": ["iverilog", "-g2005", "-Wall", "-Wno-timescale", "-Wno-portbind", "-t", "null"],
}


def chip() -> dict[str, str]:
    """All presets of all blocks, and a top that holds one of each."""
    files: dict[str, str] = {}
    instances = []
    for number, (block, preset) in enumerate(PRESETS):
        prefix = re.sub(r"\W", "_", f"{preset}_")
        for name, text in generate(load(block, preset), prefix).items():
            assert files.setdefault(name, text) == text, f"{name} has two texts"
        instances.append(f"    {prefix}{block} block{number} ();")
    return {**files, "chip.v": "\n".join(["module chip;", *instances, "endmodule", ""])}


@pytest.mark.parametrize("simulator", COMMANDS)
def test_all_blocks_and_presets_elaborate_in_one_top(simulator: str, tmp_path: Path) -> None:
    require(simulator)
    for name, text in chip().items():
        (tmp_path / name).write_text(text)
    top = "--top-module" if simulator == "verilator" else "-s"
    sources = sorted(path.name for path in tmp_path.glob("*.v"))
    done = subprocess.run(
        [*COMMANDS[simulator], top, "chip", *sources],
        cwd=tmp_path, env={**os.environ, **tool_environment()}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0 and not re.search(
        "warning|error", done.stdout + done.stderr, re.IGNORECASE
    ), done.stdout + done.stderr


@pytest.mark.parametrize("block", configs.blocks())
def test_blocks_share_a_module_only_if_its_text_is_the_same(block: str) -> None:
    own = generate(load(block))
    for other in configs.blocks():
        for name, text in generate(load(other)).items():
            assert own.get(name, text) == text, f"{name} of {block} and of {other}"


def test_every_file_holds_the_module_of_its_name() -> None:
    for name, text in chip().items():
        modules = re.findall(r"^module (\w+)", text, re.MULTILINE)
        assert modules == [name.removesuffix(".v")]


def test_a_prefix_renames_all_that_is_the_configurations_own_and_nothing_else() -> None:
    plain, renamed = generate(load("texcache", "tiny")), generate(load("texcache", "tiny"), "l1_")
    assert list(renamed) == [f"l1_{name}" if name.startswith("texcache") else name for name in plain]
    used = set(re.findall(r"^ +(\w+) (?:#\(|\w+ \($)", "\n".join(renamed.values()), re.MULTILINE))
    assert {"l1_texcache_line_reader", "l1_texcache_tag_bank", "fifo"} <= used
    assert not any(name.startswith("texcache") for name in used)
    with pytest.raises(UserError, match="prefix '2nd'"):
        generate(load("texcache", "tiny"), "2nd")
