# SPDX-License-Identifier: Apache-2.0
"""Functional and code coverage of a campaign, merged per configuration."""

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ci.nightly.store import Store
from configs import load, presets
from tb.common.coverage import code as code_coverage
from tb.common.coverage import data as coverage_data
from tb.common.coverage.data import Counts, Verdict
from tb.common.running import builds


@dataclass
class Covered:
    """One configuration: the functional verdict, Verilator's parts by kind, and its code coverage as LCOV."""

    block: str
    config: str
    functional: Verdict
    code: dict[str, code_coverage.Part]
    lcov: str

    @property
    def holes(self) -> dict[str, list[str]]:
        """Bins and places of the code that are neither hit nor waived, by kind."""
        code = {kind: [str(place) for place in part.holes] for kind, part in self.code.items()}
        return {kind: names for kind, names in {"functional": self.functional.holes, **code}.items() if names}

    def summary(self) -> dict[str, Any]:
        """For the store."""
        return {
            "block": self.block, "config": self.config, "functional": self.functional.percent,
            "holes": self.functional.holes,
            "code": {kind: part.percent for kind, part in self.code.items()},
        }  # fmt: skip


def functional(block: str, config: str, counts: Counts) -> Verdict:
    """The verdict on ``counts`` by the configuration's plan and the block's waivers."""
    plan = importlib.import_module(f"tb.{block}.plan").plan(load(block, config))
    return coverage_data.judge(plan, counts, coverage_data.waivers(waivers(block)))


def waivers(block: str) -> Path:
    """The block's file of waivers."""
    return builds.ROOT / "tb" / block / "waivers.toml"


def judged(store: Store, campaign: int, block: str) -> list[Covered]:
    """Every configuration of the block that the campaign ran, the published one first."""
    configs = {row["config"] for row in store.jobs(campaign, "block = ?", (block,))}
    result = []
    for config in sorted(configs, key=presets(block).index):
        verdict = functional(block, config, coverage_data.total(store.coverage(campaign, block, config)))
        texts = store.code(campaign, block, config)
        merged = code_coverage.merge(*map(code_coverage.parse, texts))
        code = code_coverage.judge(merged, code_coverage.waivers(waivers(block))) if texts else {}
        result.append(Covered(block, config, verdict, code, code_coverage.lcov(merged)))
    return result
