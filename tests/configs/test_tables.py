# SPDX-License-Identifier: Apache-2.0
"""The tables of presets and fields: what they say of limits is what is refused and taken."""

import re

import pytest

import configs
from configs import UserError, load, parts
from configs.mmu.schema import DataRam
from configs.tables import counter_rows, field_rows, limits, preset_rows

ROWS = [(block, *row) for block in configs.blocks() for row in field_rows(block)]


@pytest.mark.parametrize(("block", "field", "values"), [row[:3] for row in ROWS])
def test_values_outside_the_limits_are_refused(block: str, field: str, values: str) -> None:
    path = field.strip("`")
    numbers = re.search(r"(\d+) to (\d+)$", values)
    if numbers:
        outside = [int(numbers[1]) - 1, int(numbers[2]) + 1] + [int(numbers[1]) + 1] * ("powers" in values)
    else:
        outside = [999]
    if outside[-1] == 2:  # 1 + 1 is a power of two
        outside[-1] = 3
    for value in outside:
        with pytest.raises(UserError, match=re.escape(path)):
            load(block, None, [f"{path}={value}"])


def test_every_field_of_a_block_has_its_row_with_a_meaning() -> None:
    for block in configs.blocks():
        cfg = load(block)
        rows = field_rows(block)
        assert [row[0].strip("`") for row in rows] == list(cfg.chosen)
        assert all(row[1] and row[2] and len(row[4]) > 10 for row in rows), block


def test_values_of_presets_stand_beside_the_default() -> None:
    rows = {row[0]: row for row in field_rows("texunit")}
    assert rows["`fifo.depth`"][1:4] == ["powers of two, 4 to 256", "16", "small: 4"]
    assert rows["`fifo.depth`"][4] == "entries of each FIFO between the clocks"
    assert rows["`cache.ways`"][1:4] == ["2, 4, 8", "4", "eight-way: 8, two-way: 2"]
    assert rows["`observe`"][1:4] == ["true, false", "true", ""]
    assert [row[0] for row in preset_rows("texunit")][:2] == ["`paper`", "`eight-way`"]


def test_counters_stand_in_the_order_of_their_stream() -> None:
    only = {row[0]: row[1] for row in counter_rows("dcache")}
    assert only["`prefetches`"] == "ahead-tiny, fast"
    last, having = list(only.items())[-1]
    assert (last, having) == ("`warp_wait_cycles`", "ahead-tiny, coalescing, fast, fast-tiny, under-miss")
    for block in configs.blocks():
        names = [row[0].strip("`") for row in counter_rows(block)]
        assert names and len(set(names)) == len(names), block
        for preset in configs.presets(block):
            streams = load(block, preset).all_streams
            own = [field.name for key in ("perf", "perf0") if key in streams for field in streams[key].fields]
            assert own == [name for name in names if name in own], f"{block} {preset}"


def test_a_field_with_one_limit_shows_it() -> None:
    field = parts.CacheGeometry.model_fields["address_bits"]
    assert limits(field) == "12 to 64"


def test_a_limit_that_is_not_reached_itself() -> None:
    assert limits(DataRam.model_fields["base"]) == f"0 to {(1 << 32) - 1}"
