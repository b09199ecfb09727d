# SPDX-License-Identifier: Apache-2.0
"""Verdict on the pairs of events that met at a block's ports (:mod:`tb.common.coverage.meetings`).

Bins that cannot be, or are too rare to ask for, stand in the block's ``waivers.toml``::

    [[coincidence]]
    never = ["inv = req( error)?"]   # regular expressions; to hit one is a failure
    reason = "no request is taken while an invalidation waits"

    [[coincidence]]
    rare = ["usp_stop > reset"]
    reason = "..."
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any

from configs import UserError
from tb.common.coverage.data import WAIVED, is_text
from tb.common.coverage.meetings import Counts
from utils import toml
from utils.errors import shown
from utils.keys import ROOT

FILE = "waivers.toml"


def total(several: Iterable[Mapping[str, int]]) -> Counts:
    """The sums."""
    sums: Counts = {}
    for counts in several:
        for name, number in counts.items():
            sums[name] = sums.get(name, 0) + number
    return sums


@dataclass(frozen=True)
class Waiver:
    """Patterns of bins that cannot be (``never``) or need not be seen, with the reason.

    ``only``: of configurations in which this field, by its path, is not 0; of all if it is empty.
    """

    patterns: tuple[str, ...]
    never: bool
    reason: str
    only: str = ""

    def applies(self, cfg: Any) -> bool:
        """Whether it is about this configuration."""
        try:
            return not self.only or bool(attrgetter(self.only)(cfg))
        except AttributeError:
            raise UserError(f"{FILE} of {cfg.block}: only = {self.only!r}: there is no such field") from None

    def covers(self, name: str) -> bool:
        """Whether it is about this bin."""
        return any(re.fullmatch(pattern, name) for pattern in self.patterns)


def waivers(path: Path) -> list[Waiver]:
    """The ``[[coincidence]]`` tables of a TOML file. Raises :class:`UserError` for one that is not whole."""
    entries = []
    for entry in toml.tables(path, WAIVED)["coincidence"]:
        kinds = {"never", "rare"} & set(entry)
        patterns = [entry[kind] for kind in kinds if isinstance(entry[kind], list)]
        texts = {"only": "-"} | {key: value for key, value in entry.items() if key not in kinds}
        whole = len(patterns) == len(kinds) == 1 and set(texts) == {"reason", "only"}
        where = f"{path}: coincidence {shown(entry)}"
        if not whole or not all(map(is_text, texts.values())):
            raise UserError(f"{where}: needs never or rare, patterns, and a reason")
        for pattern in patterns[0]:
            try:
                re.compile(pattern)
            except re.error as error:
                raise UserError(f"{where}: {pattern!r} is no regular expression: {error}") from None
        entries.append(Waiver(tuple(patterns[0]), "never" in kinds, entry["reason"], entry.get("only", "")))
    return entries


@dataclass
class Verdict:
    """Bins by what is to be said of them; ``wrong`` were waived as impossible, and seen."""

    met: int = 0
    holes: list[str] = field(default_factory=list)
    waived: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def judge(counts: Mapping[str, int], waived: Sequence[Waiver]) -> Verdict:
    """Holds counts against what a block waives."""
    verdict = Verdict()
    for name, number in counts.items():
        waiver = next((entry for entry in waived if entry.covers(name)), None)
        if number:
            verdict.met += 1
            if waiver is not None and waiver.never:
                verdict.wrong.append(name)
        else:
            (verdict.holes if waiver is None else verdict.waived).append(name)
    return verdict


def met(runs: Iterable[tuple[Any, Iterable[Mapping[str, Any]]]]) -> tuple[Counts, Verdict]:
    """What met in tests of a block that passed, and the verdict on it.

    ``runs``: of each its configuration, and what each of its tests keeps of itself. What is waived in one
    configuration must be seen nevertheless if it is not in another.
    """
    by_cfg: dict[str, tuple[Any, list[Mapping[str, Any]]]] = {}
    for cfg, kept in runs:
        by_cfg.setdefault(cfg.hash, (cfg, []))[1].extend(kept)
    counts, wanted, wrong = Counts(), set[str](), set[str]()
    for cfg, tests in by_cfg.values():
        waived = [entry for entry in waivers(ROOT / "tb" / cfg.block / FILE) if entry.applies(cfg)]
        counted = total(test["coincidences"] for test in tests)
        verdict = judge(counted, waived)
        wanted |= counted.keys() - set(verdict.waived)
        wrong |= set(verdict.wrong)
        counts = total((counts, counted))
    unmet = [name for name, number in counts.items() if not number]
    return counts, Verdict(
        met=len(counts) - len(unmet),
        holes=[name for name in unmet if name in wanted],
        waived=[name for name in unmet if name not in wanted],
        wrong=[name for name in counts if name in wrong],
    )


def useless(names: Iterable[str], waived: Sequence[Waiver]) -> Iterator[str]:
    """Patterns of waivers that are about no bin at all."""
    bins = list(names)
    for waiver in waived:
        for pattern in waiver.patterns:
            if not any(re.fullmatch(pattern, name) for name in bins):
                yield pattern
