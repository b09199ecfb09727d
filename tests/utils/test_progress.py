# SPDX-License-Identifier: Apache-2.0
"""Progress where there is no terminal: a line now and then instead of nothing for minutes."""

import io
import re
import time

import pytest
from rich.console import Console

import utils.console
from utils import progress
from utils.aside import announce


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.05)


def told(capsys: pytest.CaptureFixture[str], words: str) -> None:
    """Wait for a line with exactly these words behind its time."""
    end, shown = time.monotonic() + 60, ""
    while not re.search(rf"^ *\d+ s: {re.escape(words)}$", shown, re.MULTILINE):
        assert time.monotonic() < end, shown
        time.sleep(0.01)
        shown += capsys.readouterr().err


def test_a_step_that_says_nothing_more_is_told_again_and_again(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.spinner() as say:
        say("verilator: 3 of 30 tests")
        for _ in range(3):
            told(capsys, "verilator: 3 of 30 tests")


def test_what_a_step_needs_first_is_told_meanwhile(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.spinner() as say:
        say("running fft")
        announce("compiling")
        told(capsys, "compiling")
        announce("")
        told(capsys, "running fft")


def test_counts(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.counter() as count:
        for total, words in ((30_000, "footprints: 1,000 of 30,000"), (0, "footprints: 1,000")):
            count("footprints", 1000, total)
            told(capsys, words)
        count("building the RTL", 0, 0)
        told(capsys, "building the RTL")


def test_bars(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.Bars(console=utils.console.Console(file=io.StringIO())) as bars:
        first = bars.add_task("first", total=1)
        told(capsys, "first: 0 of 1")
        bars.add_task("second", total=3)
        bars.advance(first)
        told(capsys, "second: 0 of 3")


def test_names_are_no_markup_on_a_terminal() -> None:
    shown = io.StringIO()
    with progress.spinner(Console(file=shown, force_terminal=True, width=80)) as say:
        say("reading wall[bold].obj")
    assert "reading wall[bold].obj" in shown.getvalue()
