# SPDX-License-Identifier: Apache-2.0
"""Verilator's runtime is compiled once for each set of flags, and designs that link it run."""

import subprocess
from pathlib import Path

import pytest

from tb.common.running import builds, verilated

DESIGN = 'module {name} (input wire clk); initial begin $display("this is {name}"); $finish; end endmodule\n'


def compiled(folder: Path, name: str, *variables: str) -> str:
    """Compile a design that says its name, run it; returns what make said."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.v").write_text(DESIGN.format(name=name))
    verilate = ["verilator", "--cc", "--exe", "--main", "--no-timing", "--Mdir", name, f"{name}.v"]
    subprocess.run(verilate, cwd=folder, env=builds.environment(), check=True, stdout=subprocess.DEVNULL)
    with (folder / "make.log").open("w+") as log:
        verilated.compile_design(folder / name, f"V{name}.mk", ["OPT_GLOBAL=-O0", *variables], log)
        log.seek(0)
        shown = log.read()
    done = subprocess.run([folder / name / f"V{name}"], stdout=subprocess.PIPE, text=True, check=True)
    assert f"this is {name}" in done.stdout
    return shown


@pytest.mark.slow
def test_the_runtime_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verilated, "ARCHIVES", tmp_path / "archives")
    assert "verilated.cpp" in compiled(tmp_path / "one", "first")
    again = compiled(tmp_path / "two", "second")
    assert "Vsecond__ALL.cpp" in again and "verilated.cpp" not in again
    assert "verilated.cpp" in compiled(tmp_path / "two", "third", "USER_CPPFLAGS=-DOTHER")
    assert len(list((tmp_path / "archives").glob("*.a"))) == 2


def test_what_the_compiler_rejects_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verilated, "ARCHIVES", tmp_path / "archives")
    with pytest.raises(subprocess.CalledProcessError):
        compiled(tmp_path, "first", "USER_CPPFLAGS=-includenowhere.h")
    assert not list((tmp_path / "archives").glob("*.a"))
