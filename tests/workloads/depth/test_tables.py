# SPDX-License-Identifier: Apache-2.0
"""Tables of what the depth cache's variants are worth: they count what happens, on small pictures."""

from typing import Any

import numpy as np
import pytest

from configs import UserError
from configs.depth import CLEAR, FLUSH
from workloads.zcache import clearing, early, hiding
from workloads.zcache.depth_buffer import final_depths
from workloads.zcache.frames import covered, flushed, frame_run, preset, scene_frame, scene_words, words

SIZE = 192, 144  # more tiles than the cache has lines


def test_a_frame_is_a_clear_the_scene_and_a_flush() -> None:
    frame = flushed(scene_words("shore", SIZE))
    assert frame["op"][-1] == FLUSH and list(frame["op"]).count(CLEAR) == 1


@pytest.mark.parametrize("scene", ["tents", "objects", "garden"])
def test_bounds_save_reads_and_nothing_else_changes(scene: str) -> None:
    tiles = scene_frame(scene, SIZE)
    found = hiding.saving(scene, tiles)
    bounded = [found.bounded[bits] for bits in hiding.BITS]
    assert 0 < bounded[-1].rejected >= bounded[0].rejected and bounded[-1].reads <= found.plain.reads
    assert {one.tested for one in bounded} == {found.plain.tested} and found.plain.rejected == 0
    assert found.both.reads <= found.marked.reads < found.plain.reads
    asked, kill = flushed(covered(tiles)), np.append(tiles.kill, 0)
    runs = [
        frame_run(preset(name, "shading.source=given"), asked, kill)
        for name in ("paper", "hierarchical", "fast-clear")
    ]
    for one in runs:
        assert (one.results["passed"][:-1] == final_depths(tiles)[1]).all()
    [_, _, cells] = hiding.table([found])
    assert f"| {found.plain.tested:,} |" in cells and cells.count("|") == len(hiding.HEADS) + 1


def test_bounds_do_not_know_what_the_shader_kills() -> None:
    """Nor is it left out of the masks for them; where nothing is killed that is the same in every cycle."""
    for scene in ("tents", "garden"):
        tiles = scene_frame(scene, SIZE)
        found = hiding.saving(scene, tiles)
        plain, known = (
            hiding.frame(frame_run(preset(name), flushed(words(tiles)))) for name in ("paper", "hierarchical")
        )
        assert found.plain == plain
        if tiles.kill.any():
            assert known.reads < found.bounded[hiding.BITS[-1]].reads
        else:
            assert known == found.bounded[hiding.BITS[-1]]


def test_a_clear_that_marks_saves_the_first_read_of_each_tile() -> None:
    found = clearing.saving("shore", scene_words("shore", SIZE))
    assert 0 < found.saved < found.reads and found.marked[1] < found.plain[1]
    assert len(list(clearing.table([found]))) == 3


def test_early_shades_what_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    def small(name: str) -> Any:
        return scene_frame(name, SIZE)

    monkeypatch.setattr(early, "scene_frame", small)
    late, soon = early.rows(["tents"])
    tiles = early.frame_of("tents")
    passed = frame_run(preset("paper"), tiles).results["passed"]
    assert late.pixels == np.bitwise_count(tiles["mask"][tiles["op"] == 0]).sum() > soon.pixels
    assert soon.pixels == np.bitwise_count(passed[tiles["op"] == 0]).sum()


def test_what_has_no_table_is_named() -> None:
    with pytest.raises(UserError, match="scene=nope: choose among wires, shore"):
        scene_words("nope")
    with pytest.raises(UserError, match="its shader discards pixels"):
        early.frame_of("garden")
