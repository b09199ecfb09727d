# SPDX-License-Identifier: Apache-2.0
"""Figures of runs of ``zcache`` against a plain count, line by line; cases worked out by hand."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from configs.depth import CLEAR, FLUSH, TILE
from configs.zcache.schema import LATE, Config
from models.memory import Memory
from models.zcache import ModelRun, run
from models.zcache.figures import DROPS, FATES, Figures, figures, hit_rate
from tests.models.depth_traffic import (
    LATENCY,
    SIDE,
    configured,
    draw_words,
    surface,
    tile,
    word,
)


def traffic(seed: int, count: int = 400) -> NDArray[Any]:
    """A clear, random tiles, a flush."""
    words = draw_words(seed, count, 0, barriers=0.0)
    return np.concatenate([words[:1], word(CLEAR), words[1:]])


def plain(cfg: Config, words: NDArray[Any], model_run: ModelRun) -> dict[str, Any]:
    """The same figures, event after event."""
    lines: dict[int, dict[str, Any]] = {}  # by number of the tile
    gone: list[dict[str, Any]] = []
    events: list[tuple[int, int, Any]] = [(int(fill["cycle"]), 1, fill) for fill in model_run.fills]
    tested = [(int(r["moved"]), 0, n) for n, r in enumerate(model_run.results) if r["kind"]]
    issued = {int(r["cycle"]): int(r["word"]) for r in model_run.requests if r["outcome"] == 0}
    for _, kind, event in sorted([*events, *tested], key=lambda entry: entry[:2]):
        if kind == 0:
            line = lines[int(words[event]["y"]) * SIDE + int(words[event]["x"])]
            line["used"] |= int(words[event]["mask"])
            line["first"] = line["first"] or int(model_run.results[event]["kind"])
            continue
        if event["evict"]:
            gone.append(lines.pop(int(event["victim"])) | {"gone": True})
        word_of = -1 if event["demand"] else issued[int(event["cycle"])]
        number = int(event["number"])
        lines[number] = {"used": 0, "first": 0, "word": word_of, "gone": False}
    fate: Counter[str] = Counter()
    for line in [*gone, *lines.values()]:
        if line["word"] < 0:
            continue
        if line["first"]:
            fate["late" if line["first"] == LATE else "useful"] += 1
        elif not line["gone"]:
            fate["open"] += 1
        else:
            fate["early" if model_run.results[line["word"]]["kind"] else "useless"] += 1
    every = [*gone, *lines.values()]
    return {
        **{f"fate_{name}": fate[name] for name in FATES},
        "used_pixels": sum(line["used"].bit_count() for line in every),
        "used_lines": sum(line["used"] > 0 for line in every), "lines": len(every),
    }  # fmt: skip


def counted(*words: NDArray[Any], overrides: tuple[str, ...] = ()) -> Figures:
    """Figures of the surface, a clear of it, some words and a flush."""
    cfg = configured(*overrides)
    every = np.concatenate([surface(), word(CLEAR), *words, word(FLUSH)])
    return figures(cfg, every, run(cfg, every, Memory(5)))


OTHERS = (
    (), ("ott=false",), ("prefetch.when_untouched=evict",), ("prefetch.when_busy=drop", "fills=1"),
    ("prefetch.mode=off",), ("shading.tiles=64", "prefetch.queue=2"),
)  # fmt: skip


@pytest.mark.parametrize("overrides", OTHERS, ids=", ".join)
@pytest.mark.parametrize("seed", range(3))
def test_figures_are_those_of_a_plain_count(overrides: tuple[str, ...], seed: int) -> None:
    cfg, words = configured(*overrides), traffic(seed)
    model_run = run(cfg, words, Memory(5))
    counts = figures(cfg, words, model_run)
    expected = plain(cfg, words, model_run)
    assert {name: counts[name] for name in expected} == expected
    assert (
        counts["issued"] == sum(counts[f"fate_{name}"] for name in FATES) == model_run.counters["prefetches"]
    )
    dropped = {name: counts[f"dropped_{name}"] for name in DROPS}
    assert dropped == {name: model_run.counters[name] for name in DROPS}
    tested = int(((words["op"] == TILE) & (words["test"] == 1)).sum())
    assert counts["requests"] == counts["issued"] + sum(dropped.values()) == tested * cfg.prefetching
    assert counts["fate_early"] + counts["fate_useless"] >= model_run.counters["unused"]
    assert counts["fate_useful"] + counts["fate_late"] >= model_run.counters["useful"]


def test_units() -> None:
    """A tile of two rows and five pixels that misses, and one of one pixel that hits it."""
    counts = counted(
        tile(0, mask=0b0000_0000_1111_0001), tile(0, mask=0x8000), overrides=("prefetch.mode=off",)
    )
    assert (counts["tiles"], counts["rows"], counts["pixels"]) == (2, 3, 6)
    assert [hit_rate(counts, unit) for unit in ("tile", "row", "pixel")] == pytest.approx(
        [1 / 2, 2 / 3, 5 / 6]
    )
    assert (counts["used_pixels"], counts["line_pixels"]) == (6, 16)
    assert (counts["read_bytes"], counts["written_bytes"]) == (64, 64)
    assert counts["cleared_bytes"] == 64 * SIDE * SIDE


@pytest.mark.parametrize(("marks", "cleared"), [(0, SIDE * SIDE), (32, SIDE * SIDE - 32), (64, 0)])
def test_a_clear_writes_what_it_does_not_mark(marks: int, cleared: int) -> None:
    """What is marked to the end is written by the flush, as is the tile that was stored."""
    counts = counted(tile(0), overrides=(f"fast_clear={marks}",))
    assert counts["cleared_bytes"] == 64 * cleared
    assert counts["written_bytes"] == 64 * (marks or 1)


def test_latency() -> None:
    """A hit takes two cycles; a miss two, an address, memory's latency and four beats more."""
    assert counted(tile(0))["latency"] == counted(tile(0))["queued"] == 2
    missed = counted(tile(0), overrides=("prefetch.mode=off",))
    assert missed["latency"] == missed["queued"] == 2 + 1 + LATENCY + 4
    behind = counted(tile(0), tile(1), overrides=("prefetch.mode=off",))
    assert behind["latency"] == missed["latency"] and behind["queued"] > behind["latency"]
