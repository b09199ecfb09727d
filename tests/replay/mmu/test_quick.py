# SPDX-License-Identifier: Apache-2.0
"""The short replays that judge mutants: the design passes them, a planted bug does not."""

from pathlib import Path

import pytest

import configs
import rtl
from tb.mmu.quick import checks

STORE_IN_BOTH = (
    "mmu.v", "dcache_req_mask & ~shared",
    "dcache_req_op == STORE ? dcache_req_mask : dcache_req_mask & ~shared",
)  # fmt: skip


@pytest.mark.parametrize("preset", ["tiny", "fast-tiny"])
def test_the_design_passes(preset: str, tmp_path: Path) -> None:
    cfg = configs.load("mmu", preset)
    rtl.write_files(tmp_path, rtl.generate(cfg))
    found = {name: check(tmp_path, "+mutant=0") for name, check in checks(cfg, 1).items()}
    assert found and not any(found.values()), found


def test_a_planted_bug_is_noticed(tmp_path: Path) -> None:
    cfg = configs.load("mmu", "tiny")
    rtl.write_files(tmp_path, rtl.plant(rtl.generate(cfg), *STORE_IN_BOTH))
    assert any(check(tmp_path, "+mutant=0") for check in checks(cfg, 1).values())
