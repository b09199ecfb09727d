# SPDX-License-Identifier: Apache-2.0
"""The Verilog of blocks that contain others: theirs, under names of its own."""

import pytest

from configs import load
from rtl import generate


@pytest.mark.parametrize(
    ("block", "preset"),
    [
        ("mmu", "paper"),
        ("mmu", "tiny"),
        ("renderer", "base"),
        ("renderer", "tiny"),
        ("renderer", "early-tiny"),
    ],
)
@pytest.mark.parametrize("prefix", ["", "l1_"])
def test_a_block_inside_is_the_block_alone_under_another_name(block: str, preset: str, prefix: str) -> None:
    cfg = load(block, preset)
    files = generate(cfg, prefix)
    for name, inner in cfg.inner.items():
        alone = generate(inner, f"{prefix}{block}_")
        assert f"cacheforge_{prefix}{block}_{name}.v" in alone
        assert {file: files[file] for file in alone} == alone


def test_the_top_comes_last_behind_the_blocks_inside() -> None:
    """Each module is there before it is used; a common part is there once."""
    order = list(generate(load("mmu", "tiny")))
    assert order[-1] == "cacheforge_mmu.v" and len(set(order)) == len(order)
    places = [order.index(f"cacheforge_mmu_{name}.v") for name in ("icache", "dcache", "gate")]
    assert places == sorted(places)
