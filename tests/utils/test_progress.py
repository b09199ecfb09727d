# SPDX-License-Identifier: Apache-2.0
"""Progress where there is no terminal: a line now and then instead of nothing for minutes."""

import io

import pytest
from rich.console import Console

from utils import progress


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time in seconds, to be moved by hand."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_a_line_every_ten_seconds(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with progress.spinner() as say:
        for second in range(26):
            clock[0] = 100.0 + second
            say(f"verilator: {second} of 30 tests")
    assert capsys.readouterr().err == "  10 s: verilator: 10 of 30 tests\n  20 s: verilator: 20 of 30 tests\n"


def test_a_count_every_ten_seconds(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with progress.counter() as count:
        for second in range(26):
            clock[0] = 100.0 + second
            count("footprints", 1000 * second, 30_000 if second < 15 else 0)
    assert capsys.readouterr().err == "  10 s: footprints: 10,000 of 30,000\n  20 s: footprints: 20,000\n"


def test_what_cannot_be_counted(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with progress.counter() as count:
        clock[0] = 110.0
        count("building the RTL", 0, 0)
    assert capsys.readouterr().err == "  10 s: building the RTL\n"


def test_names_are_no_markup_on_a_terminal() -> None:
    shown = io.StringIO()
    with progress.spinner(Console(file=shown, force_terminal=True, width=80)) as say:
        say("reading wall[bold].obj")
    assert "reading wall[bold].obj" in shown.getvalue()
