# SPDX-License-Identifier: Apache-2.0
"""Exact figures of fixed seeds, kept in the repository: neither worse nor better goes unnoticed.

``tb/<block>/baseline.json``: configuration, test, seed and count -> accesses, cycles, and what the block's
``regression.toml`` names. Both simulators must give the same. ``make baseline`` changes them on purpose.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ci.nightly.catalogue import file_of
from configs import UserError
from configs.files import write_atomic
from tb.common.running import regression

Figures = dict[str, int]


def name_of(config: str, test: str, seed: int, count: int) -> str:
    """The key of a run's figures; the simulator is not in it."""
    return f"{config}/{test}/{seed}/{count}"


def figures(
    block: str, config: str, seed: int, count: int, kept: Mapping[str, Mapping[str, Any]]
) -> dict[str, Figures]:
    """Of the tests of a run that passed, ``kept`` as in :class:`tb.common.running.runner.RunResult`."""
    return {
        name_of(config, test, seed, count): regression.figures(block).of(one["summary"])
        for test, one in kept.items()
    }


def path_of(block: str) -> Path:
    """A block's file."""
    return file_of(block, "baseline.json")


def load(block: str) -> dict[str, Figures]:
    """What stands in the repository. Raises :class:`UserError` for a file that cannot be read."""
    path = path_of(block)
    if not path.is_file():
        return {}
    try:
        found: dict[str, Figures] = json.loads(path.read_text())
    except ValueError as error:
        raise UserError(f"{path}: not JSON ({error}); get it back from git or run make baseline") from None
    return found


def compare(expected: Mapping[str, Figures], got: Iterable[tuple[str, Mapping[str, int]]]) -> list[str]:
    """What changed, in words. Runs that the baseline does not know are not compared."""
    changes = []
    for name, figures in got:
        wanted = expected.get(name, {})
        for what, value in wanted.items():
            if figures[what] != value:
                changes.append(f"{name}: {what} {value:,} -> {figures[what]:,}")
    return sorted(set(changes))


def write(block: str, figures: Mapping[str, Figures]) -> Path:
    """Make ``figures`` the baseline: a line for each run, so that a diff shows which ones changed."""
    path = path_of(block)
    write_atomic(path, text(figures))
    return path


def text(figures: Mapping[str, Figures]) -> str:
    """The file's contents."""
    lines = [f"{json.dumps(name)}: {json.dumps(one)}" for name, one in sorted(figures.items())]
    return "{\n" + ",\n".join(lines) + "\n}\n"
