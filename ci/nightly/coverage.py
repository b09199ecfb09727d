# SPDX-License-Identifier: Apache-2.0
"""Functional and code coverage of a campaign, merged per configuration."""

import importlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ci.nightly.store import Store
from configs import load, presets
from tb.common.coverage import code as code_coverage
from tb.common.coverage import data as coverage_data
from tb.common.coverage.data import Counts, Verdict
from tb.common.running import builds
from utils.files import write_atomic

NOT_PLANNED = ("closure", "catalogue")  # phases that count: comparisons of steering do not


@dataclass
class Covered:
    """One configuration: the functional verdict, counts of its bins, and Verilator's parts by kind."""

    block: str
    config: str
    functional: Verdict
    counts: Counts
    code: dict[str, code_coverage.Part] = field(default_factory=dict)
    lcov: str = ""

    def summary(self) -> dict[str, Any]:
        """For the store."""
        return {
            "block": self.block, "config": self.config, "functional": self.functional.percent,
            "covered": self.functional.covered, "holes": self.functional.holes,
            "waived": len(self.functional.waived),
            "code": {kind: part.percent for kind, part in self.code.items()},
            "code holes": {kind: len(part.holes) for kind, part in self.code.items()},
        }  # fmt: skip


def judged(store: Store, campaign: int, block: str) -> list[Covered]:
    """Every configuration of the block that the campaign ran, the published one first."""
    configs = sorted({row["config"] for row in store.jobs(campaign, "block = ?", (block,))})
    configs.sort(key=presets(block).index)
    waivers = builds.ROOT / "tb" / block / "waivers.toml"
    found = []
    for config in configs:
        databases = [store.coverage(campaign, block, config, phase) for phase in NOT_PLANNED]
        counts = coverage_data.total(coverage_data.merge(*databases))
        plan = importlib.import_module(f"tb.{block}.plan").plan(load(block, config))
        verdict = coverage_data.judge(plan, counts, coverage_data.waivers(waivers))
        one = Covered(block, config, verdict, counts)
        data = store.code(campaign, block, config)
        if data:
            merged = code_coverage.merge(*(code_coverage.parse(text) for text in data))
            one.code = code_coverage.judge(merged, code_coverage.waivers(waivers))
            one.lcov = code_coverage.lcov(merged)
        found.append(one)
    return found


def export(covered: Iterable[Covered], folder: Path) -> list[Path]:
    """Write LCOV files for other tools (genhtml, Coverview, editors): code, and functional as ``.info`` too.

    Functional coverage has no standard of its own that is open; each coverpoint becomes a "file" of LCOV
    whose functions are its bins.
    """
    paths = []
    for one in covered:
        stem = re.sub(r"[^\w.-]+", "-", f"{one.block}-{one.config}")
        if one.lcov:
            paths.append(folder / f"{stem}-code.info")
            write_atomic(paths[-1], one.lcov)
        paths.append(folder / f"{stem}-functional.info")
        write_atomic(paths[-1], functional_lcov(one))
    return paths


def functional_lcov(one: Covered) -> str:
    """Coverpoints as files, bins as functions, in LCOV's format."""
    plan = importlib.import_module(f"tb.{one.block}.plan").plan(load(one.block, one.config))
    text = f"TN:{one.block}_{re.sub(r'[^A-Za-z0-9_]', '_', one.config)}\n"
    for point in plan:
        hit = one.counts.get(point.name, {})
        text += f"SF:coverpoint/{point.name}\n"
        text += "".join(f"FN:{number},{name}\n" for number, name in enumerate(point.bins, 1))
        text += "".join(f"FNDA:{hit.get(name, 0)},{name}\n" for name in point.bins)
        text += (
            f"FNF:{len(point.bins)}\nFNH:{sum(bool(hit.get(name)) for name in point.bins)}\nend_of_record\n"
        )
    return text
