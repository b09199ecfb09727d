# SPDX-License-Identifier: Apache-2.0
"""Names and messages of users appear as they are: neither markup nor emoji of rich means anything."""

import io
import re
from pathlib import Path

import numpy as np

from configs import load
from tb.common.replay import trace_cli
from tb.common.replay.compare import Mismatch
from tb.common.replay.trace_report import Report, Table
from utils.console import Console, coloured
from utils.progress import Bars

ROOT = Path(__file__).parents[2]
NAME = "[bold]a[/] [red]b :bug: [link=x]"


def test_a_name_is_shown_as_it_is() -> None:
    console = Console(file=io.StringIO(), width=200)
    tables = [Table(f"table {NAME}", ("what", NAME), [(f"cell {NAME}", 1)])]
    mismatch = Mismatch("x", 0, 1, f"text {NAME}")
    report = Report(f"file {NAME}", 1, 1, {"x": np.zeros(1)}, {f"figure {NAME}": 2}, tables, [mismatch])
    trace_cli.show(console, load("simple", "tiny"), report)
    with Bars(console=console) as bars:
        bars.add_task(f"task {NAME}", total=1)
        console.print(bars.get_renderable())
    console.print(coloured("FAILED", "bold red", f" rest {NAME}"))
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    for what in ("file", "table", "cell", "figure", "text", "task", "rest"):
        assert f"{what} {NAME}" in shown, what


def test_every_command_has_this_console() -> None:
    rooms = ("bench", "ci", "configs", "formal", "report", "rtl", "tb", "utils", "workloads")
    for path in (path for room in rooms for path in (ROOT / room).rglob("*.py")):
        text = path.read_text()
        imports = re.findall(r"^(?:from|import) (rich\.(?:console|markup))", text, re.MULTILINE)
        assert path.name == "console.py" or not imports, path
        assert "from_markup" not in text and text.count("TextColumn(") <= text.count("markup=False"), path
