# SPDX-License-Identifier: Apache-2.0
"""``docs/traces.md`` is an interface: its examples run, its figures are right, no column is missing."""

import csv
import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import configs
from configs import UserError
from tb.common.replay import trace_cli
from tb.common.running.builds import ROOT
from workloads.texcache.trace import columns
from workloads.texcache.trace_csv import Reader
from workloads.texcache.trace_npz import OTHERS

TEXT = (ROOT / "docs" / "traces.md").read_text()
COLUMNS = columns(configs.load("texcache"))


def fenced(language: str) -> str:
    match = re.search(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    assert match, f"docs/traces.md has no {language} example"
    return match[1]


def table(first: str) -> list[list[str]]:
    """Rows, without the heads, of all tables whose first head is ``first``."""
    lines = TEXT.splitlines()
    rows = []
    for number, line in enumerate(lines):
        if line.startswith(f"| {first} |"):
            for row in lines[number + 2 :]:
                if not row.startswith("|"):
                    break
                rows.append([cell.strip() for cell in row.strip("|").split("|")])
    assert rows, f"docs/traces.md has no table of {first}"
    return rows


def named(rows: list[list[str]]) -> set[str]:
    """What stands in backquotes in the first cells."""
    return {name for row in rows for name in re.findall(r"`(\w+)`", row[0])}


@pytest.fixture
def example(tmp_path: Path) -> Path:
    path = tmp_path / "mine.csv"
    path.write_text(fenced("csv"))
    return path


def run(example: Path, config: str) -> Path:
    out = example.parent / config
    assert trace_cli.main(["texcache", "--config", config, "--trace", str(example), "--out", str(out)]) == 0
    return out


def test_the_example_gives_the_figures_shown(example: Path) -> None:
    with (run(example, "paper") / "results.csv").open(newline="") as file:
        results = list(csv.DictReader(file))
    head = next(line for line in TEXT.splitlines() if line.startswith("| tex | level |"))
    columns = [name.strip() for name in head.strip("|").split("|")]
    assert table("tex") == [[row[name] for name in columns] for row in results]


def test_the_example_does_not_fit_the_small_machine(example: Path) -> None:
    with pytest.raises(UserError, match=r"mine\.csv:2: .*256.*64"):
        run(example, "tiny")


def test_the_program_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def make(command: list[str], check: bool) -> None:
        assert check
        assert command[:2] == ["make", "trace"]
        variables = dict(word.split("=", 1) for word in command[2:])
        options = [word for name, value in variables.items() for word in (f"--{name.lower()}", value)]
        assert trace_cli.main(["texcache", *options]) == 0

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(subprocess, "run", make)
    exec(compile(fenced("python"), "docs/traces.md", "exec"), {})
    with np.load("build/walk/results.npz") as results:
        assert len(results["cycles"]) == 1000


def test_every_column_and_array_of_a_trace_is_described() -> None:
    assert named(table("column")) == set(COLUMNS)
    assert set(OTHERS) <= named(table("array"))
    assert {row[0].strip("`").split()[0] for row in table("directive")} == {
        f"#{directive}" for directive in Reader.directives
    }


def test_the_values_of_columns_are_those_of_the_streams() -> None:
    described = {name: row[1] for row in table("column") for name in named([row])}
    for name, column in COLUMNS.items():
        words = [f"`{word}` or {value}" for word, value in column.words.items()]
        high = "2^32-1" if column.high == (1 << 32) - 1 else column.high
        assert described[name] == (", ".join(words) or f"{column.low}..{high}"), name


def test_every_column_of_the_results_is_described(example: Path) -> None:
    out = run(example, "paper")
    with np.load(out / "results.npz") as results:
        assert named(table("array")) == {*results, *OTHERS} - set(COLUMNS)
        axes = {name: row[1] for row in table("array") for name in named([row])}
        for name in set(results) - set(COLUMNS):
            assert axes[name] == ("[n, 4]" if results[name].ndim == 2 else "[n]"), name
    for name in json.loads((out / "summary.json").read_text()):
        assert f"`{name}`" in TEXT.partition("* `summary.json`: ")[2], f"summary.json's {name}"
