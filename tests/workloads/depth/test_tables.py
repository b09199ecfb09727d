# SPDX-License-Identifier: Apache-2.0
"""Tables of what the depth cache's variants are worth: they count what happens, on small pictures."""

from typing import Any

import numpy as np
import pytest

from configs import UserError
from configs.depth import CLEAR, FLUSH
from workloads.zcache import clearing, early, hiding
from workloads.zcache.frames import flushed, frame_run, preset, scene_frame, scene_words

SIZE = 192, 144  # more tiles than the cache has lines


def test_a_frame_is_a_clear_the_scene_and_a_flush() -> None:
    frame = flushed(scene_words("shore", SIZE))
    assert frame["op"][-1] == FLUSH and list(frame["op"]).count(CLEAR) == 1


@pytest.mark.parametrize("scene", ["tents", "objects"])
def test_bounds_save_reads_and_nothing_else_changes(scene: str) -> None:
    words = scene_words(scene, SIZE)
    found = hiding.saving(scene, words)
    bounded = [found.bounded[bits] for bits in hiding.BITS]
    assert 0 < bounded[-1].rejected >= bounded[0].rejected and bounded[-1].reads <= found.plain.reads
    assert {one.tested for one in bounded} == {found.plain.tested} and found.plain.rejected == 0
    assert found.both.reads <= found.marked.reads < found.plain.reads
    runs = [frame_run(preset(name), flushed(words)) for name in ("paper", "hierarchical", "fast-clear")]
    for one in runs[1:]:
        assert (one.results["passed"] == runs[0].results["passed"]).all()
    [_, _, cells] = hiding.table([found])
    assert f"| {found.plain.tested:,} |" in cells and cells.count("|") == len(hiding.HEADS) + 1


def test_a_clear_that_marks_saves_the_first_read_of_each_tile() -> None:
    words = scene_words("shore", SIZE)
    found = clearing.saving("shore", words)
    assert 0 < found.saved < found.reads and found.marked[1] < found.plain[1]
    assert len(list(clearing.table([found]))) == 3


def test_early_shades_what_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    def small(name: str) -> Any:
        return scene_frame(name, SIZE)

    monkeypatch.setattr(early, "scene_frame", small)
    late, soon = early.rows(["tents"])
    words = early.frame_of("tents")
    passed = frame_run(preset("paper"), words).results["passed"]
    assert late.pixels == np.bitwise_count(words["mask"][words["op"] == 0]).sum() > soon.pixels
    assert soon.pixels == np.bitwise_count(passed[words["op"] == 0]).sum()


def test_what_has_no_table_is_named() -> None:
    with pytest.raises(UserError, match="scene=nope: choose among wires, shore"):
        scene_words("nope")
    with pytest.raises(UserError, match="its shader discards pixels"):
        early.frame_of("garden")
