# SPDX-License-Identifier: Apache-2.0
"""The distance that adapts, recounted from what a run of ``zcache`` notes; and what it is worth."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from configs import load
from configs.zcache.schema import LATE, MISS, Config
from models.memory import Memory
from models.zcache import Machine, ModelRun
from tests.models.depth_traffic import runs
from workloads.zcache import distances
from workloads.zcache.frames import scene_words


def recounted(cfg: Config, run: ModelRun) -> tuple[list[tuple[int, int]], dict[str, int]]:
    """The distances, each with the cycle after which it holds, and the counters, from the page's words: cycle
    by cycle, the pointer going on by a word that asks for nothing, or with the request that is decided.
    """
    decided = dict(zip(run.requests["word"].tolist(), run.requests["cycle"].tolist(), strict=True))
    came = {int(row["came"]): row["kind"] for row in run.results if row["kind"] in (LATE, MISS)}
    distance, score, pointer = cfg.prefetch.distance, 0, 0
    steps, counts = [(-1, distance)], {"lost": 0, "farther": 0, "nearer": 0}
    for cycle in range(run.cycles):
        moved, taken = (int(np.searchsorted(run.results[name], cycle)) for name in ("moved", "taken"))
        ahead, held = pointer - moved, distance
        if cycle in came:
            lost = came[cycle] == MISS and ahead > 0
            counts["lost"] += int(lost)
            score += -cfg.prefetch.weight if lost else int(ahead + 1 >= distance)
        if abs(score) >= cfg.prefetch.patience:
            change = distance // cfg.prefetch.step + 1
            new = min(distance + change, cfg.shading.tiles) if score > 0 else max(distance - change, 1)
            counts["farther"] += int(new > distance)
            counts["nearer"] += int(new < distance)
            distance, score = new, 0
            steps.append((cycle, distance))
        if pointer < taken and ahead < held and decided.get(pointer, cycle) == cycle:
            pointer += 1
    return steps, counts


@settings(max_examples=80)
@given(setup=runs(most=80))
def test_recounted(setup: dict[str, Any]) -> None:
    """Counters, and no request is looked at that is farther from the test than the distance of its cycle."""
    cfg = setup["cfg"]
    prefetch = cfg.prefetch.model_copy(update={"mode": "adaptive"})
    setup["cfg"] = cfg = cfg.model_copy(update={"prefetch": prefetch})
    machine = Machine(memory=Memory(5), **setup)
    machine.go()
    run = machine.run()
    steps, counts = recounted(cfg, run)
    assert {name: run.counters[name] for name in counts} == counts
    assert machine.state[0]["now"]["distance"] == steps[-1][1]
    cycles, distances = np.array(steps).T
    for request in run.requests:
        moved = int((run.results["moved"] < request["cycle"]).sum())
        distance = distances[np.searchsorted(cycles, request["cycle"]) - 1]
        assert request["word"] - moved < distance, f"cycle {request['cycle']}"


def test_other_modes_have_no_such_counters() -> None:
    """A preset as published has its twenty-eight counters."""
    assert len(load("zcache", "paper").all_streams["perf"].fields) == 28
    assert [field.name for field in load("zcache", "adaptive").all_streams["perf"].fields][28:] == [
        "lost", "farther", "nearer",
    ]  # fmt: skip


SMALL, LARGE = (320, 240), (640, 480)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["320x240", "640x480"])
@pytest.mark.parametrize("scene", ["shore", "garden", "tents", "terrain"])
def test_within_two_percent_of_the_best_fixed_one(scene: str, size: tuple[int, int]) -> None:
    """In the cache in which a distance can be too large; the fixed ones around the best, and the largest."""
    point = distances.POINTS[-1]
    comparison = distances.compared(scene, scene_words(scene, size), point, (8, 12, 16, 20, 24, 32, 64))
    assert comparison.distance not in {8, 64}, "the best may be beyond those that were tried"
    assert comparison.excess <= 0.02
    assert comparison.whole_excess > 2 * comparison.excess
