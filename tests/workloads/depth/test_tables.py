# SPDX-License-Identifier: Apache-2.0
"""Tables of what the depth cache's variants are worth: they count what happens, on small pictures."""

import numpy as np
import pytest

from configs import UserError
from configs.depth import CLEAR, FLUSH
from workloads.zcache import tables
from workloads.zcache.depth_buffer import final_depths
from workloads.zcache.frames import covered, flushed, frame_run, preset, scene_frame, scene_words, words

SIZE = 192, 144  # more tiles than the cache has lines


def test_a_frame_is_a_clear_the_scene_and_a_flush() -> None:
    frame = flushed(scene_words("shore", SIZE))
    assert frame["op"][-1] == FLUSH and list(frame["op"]).count(CLEAR) == 1


@pytest.mark.parametrize("scene", ["tents", "objects", "garden"])
def test_bounds_save_reads_and_nothing_else_changes(scene: str) -> None:
    """They do not know what the shader kills: where nothing is killed, that is the same in every cycle."""
    tiles = scene_frame(scene, SIZE)
    [row] = tables.hiding(scene, tiles)
    assert 0 < row["rejected, 16 bits"] >= row["rejected, 4 bits"] and row["reads saved"] >= 0
    assert 0 < row["with fast clear: reads"] < row["reads"] and row["saved"] >= 0
    tile_words, kill = flushed(covered(tiles)), np.append(tiles.kill, 0)
    for name in ("paper", "hierarchical", "fast-clear"):
        run = frame_run(preset(name, "shading.source=given"), tile_words, kill)
        assert (run.results["passed"][:-1] == final_depths(tiles)[1]).all()
        counts = tables.counts(run)
        plain_counts = tables.counts(frame_run(preset(name), flushed(words(tiles))))
        assert counts["tested"] == row["tiles that test"] and (name == "hierarchical") == (
            counts["rejected"] > 0
        )
        if name == "hierarchical" and tiles.kill.any():
            assert plain_counts["reads"] < counts["reads"]
        elif name != "fast-clear":
            assert plain_counts == counts


def test_a_clear_that_marks_saves_the_first_read_of_each_tile() -> None:
    [row] = tables.clearing("shore", scene_frame("shore", SIZE))
    assert 0 < row["of them saved"] < 1 and row["writes, fast clear"] < row["writes"]


def test_early_shades_what_passes() -> None:
    tiles = scene_frame("tents", SIZE)
    late, soon = tables.early("tents", tiles)
    frame = flushed(words(tiles))
    passed = frame_run(preset("paper"), frame).results["passed"]
    assert late["pixels shaded"] == np.bitwise_count(frame["mask"][frame["op"] == 0]).sum()
    assert late["pixels shaded"] > soon["pixels shaded"] == np.bitwise_count(passed[frame["op"] == 0]).sum()


def test_a_table_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(tables, "scene_frame", lambda name: scene_frame(name, SIZE))
    assert tables.main(["early", "tents"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4 and {line.count("|") for line in lines} == {10}


def test_what_has_no_table_is_named() -> None:
    with pytest.raises(UserError, match="scene=nope: choose among wires, shore"):
        scene_words("nope")
    with pytest.raises(UserError, match="its shader discards pixels"):
        next(tables.early("garden", scene_frame("garden", SIZE)))
    with pytest.raises(UserError, match="choose among clearing, hiding, early"):
        tables.main([])
