# SPDX-License-Identifier: Apache-2.0
"""What far memory leaves: shares that are all the cycles, rates by scene and their means."""

from collections.abc import Callable, Sequence

import pytest

from configs import UserError
from report.memory import MEAN, draw_depths, draw_latency, far_shares, means, of_scenes, rows, ticks
from report.page import Figure
from report.pages import Page
from report.words import counted

RATES = {100.0: {"a": 0.5, "b": 0.3}, 1.0: {"a": 1.0, "b": 0.4}}


def test_shares_are_of_the_distant_run_and_all_of_it() -> None:
    shares = far_shares("run", {"ideal": 60, "stop": 30}, 100, 200)
    assert shares == {"ideal": 0.3, "stop": 0.15, "misses": 0.5, "end": 0.05}
    assert sum(shares.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("spent", "near", "far", "which"),
    [
        ({"ideal": 60, "stop": 41}, 100, 200, "end: -1"),
        ({"ideal": 60}, 200, 100, "misses: -100"),
        ({"ideal": 60, "order": -1}, 100, 200, "order: -1"),
    ],
)
def test_cycles_that_do_not_add_up_are_refused(
    spent: dict[str, int], near: int, far: int, which: str
) -> None:
    """More causes than cycles, near and far exchanged, a cause below nothing."""
    with pytest.raises(UserError, match=rf"run: its cycles do not add up \({which}\)"):
        far_shares("run", spent, near, far)


def test_rows_are_the_scenes_and_their_mean() -> None:
    assert means(RATES) == [(1.0, pytest.approx(0.7)), (100.0, pytest.approx(0.4))]
    listed = rows(RATES, "latency", "rate")
    assert [(row["latency"], row["scene"]) for row in listed] == [
        (latency, scene) for latency in (1.0, 100.0) for scene in ("a", "b", MEAN)
    ]
    assert [row["scene"] for row in rows({1.0: {"a": 1.0}}, "depth", "rate")] == ["a"], "no mean of one"


def drawn(draw: Callable[[Page], None], scenes: Sequence[str] = ("a", "b")) -> Figure:
    page = Page("trilinear", traffic="", bus=256, **of_scenes(scenes))
    draw(page)
    [section] = page.sections()
    [figure] = section.figures
    return figure


def test_what_is_kept_is_of_the_same_scene_and_machine() -> None:
    machines = {"one": RATES, "other": {1.0: {"a": 0.1, "b": 0.1}, 100.0: {"a": 0.1, "b": 0.05}}}
    table = drawn(lambda page: draw_latency(page, "trilinear-latency", machines, "per_clock", "1")).table
    assert table
    kept = {(row["machine"], row["latency"], row["scene"]): row["kept"] for row in table.rows}
    assert kept["one", 100.0, "a"] == 0.5 and kept["one", 100.0, "b"] == pytest.approx(0.75)
    assert kept["one", 100.0, MEAN] == pytest.approx(0.4 / 0.7), "of the mean rates"
    assert kept["other", 100.0, "b"] == 0.5 and {kept[machine, 1.0, "a"] for machine in machines} == {1.0}


def test_one_scene_has_no_mean() -> None:
    for scenes in (("a", "b"), ("a",)):
        rates = {value: {scene: own[scene] for scene in scenes} for value, own in RATES.items()}
        figure = drawn(
            lambda page, rates=rates: draw_depths(page, "trilinear-depth", rates, "per_clock"), scenes
        )  # type: ignore[misc]
        assert figure.shows == ("Mean over the scenes." if len(scenes) > 1 else "")
        assert f"100: {0.4 if len(scenes) > 1 else 0.5:.3f}" in figure.body
    assert [counted(number, "picture") for number in (1, 2)] == ["1 picture", "2 pictures"]


def test_latencies_that_stand_at_the_axis_have_room() -> None:
    assert ticks([1, 26, 52, 100, 130, 160, 200, 300, 400]) == [1, 26, 52, 100, 200, 400]
