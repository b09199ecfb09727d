# SPDX-License-Identifier: Apache-2.0
"""``examples/simple_tb.py`` passes on ``simple``, and catches a bug that is planted into the Verilog."""

import os
import subprocess
import sys
from pathlib import Path

import configs
from tb.common.running import builds


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "examples.simple_tb", *arguments]
    return subprocess.run(command, cwd=builds.ROOT, env=environment, capture_output=True, text=True)


def test_the_example_passes() -> None:
    completed = run()
    assert completed.returncode == 0, completed.stdout
    assert "PASS=2 FAIL=0" in completed.stdout


def test_the_example_catches_a_victim_that_is_lost_when_memory_refuses_it(tmp_path: Path) -> None:
    correct, planted = "state == WRITE & ended & !axi_error", "state == WRITE & ended"
    texts = {path.name: path.read_text() for path in builds.own_sources(configs.load("simple", "tiny"))}
    assert sum(text.count(correct) for text in texts.values()) == 1
    for name, text in texts.items():
        (tmp_path / name).write_text(text.replace(correct, planted))
    (tmp_path / "filelist.f").write_text("\n".join(texts))
    completed = run(str(tmp_path))
    assert completed.returncode == 1, completed.stdout  # one test fails, the other has no errors
    assert (
        "ErrorsAndResets failed" in completed.stdout and "AssertionError: evt: expected" in completed.stdout
    )
