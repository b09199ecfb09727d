# SPDX-License-Identifier: Apache-2.0
"""Damaged results are refused: every kind of planted wrong number is found before it reaches the page."""

import gc
import hashlib
import json
import sys
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from configs import UserError
from report.results import Arrays
from report.texcache import build
from report.texcache.results import StoredRun, TexcacheResults
from tests.report.small import copy, measured
from utils.files import write_checked

SCENE = "scene/objects/bilinear/scan"


def load(folder: Path) -> StoredRun:
    results = TexcacheResults(folder)
    return results.run(results.workloads[SCENE])


def run_file(folder: Path) -> Path:
    return TexcacheResults(folder).entries[SCENE, "base"]


def change_summary(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    summary = json.loads(path.read_text())
    change(summary)
    write_checked(path, summary)


def change_arrays(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Rewrite a run's arrays, with a checksum that fits."""
    with np.load(path.with_suffix(".npz")) as file:
        arrays = dict(file)
    change(arrays)
    np.savez(path.with_suffix(".npz"), **arrays)
    digest = hashlib.sha256(path.with_suffix(".npz").read_bytes()).hexdigest()
    change_summary(path, lambda summary: summary.update(sha256=digest))


@pytest.mark.slow
def test_sound_results_load() -> None:
    run = load(measured())
    assert len(run.latency) == run.counters["footprints"] > 0
    assert run.cfg.name == "paper"


class Garbage:
    """In a circle, so that the collector frees it, in Python."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        for _ in range(50):
            pass


@pytest.mark.slow
def test_arrays_are_read_in_several_threads() -> None:
    """Even where threads change in the middle of a header, as they do when garbage is collected there."""
    content = run_file(measured()).with_suffix(".npz").read_bytes()

    def read(_: int) -> int:
        arrays, length = Arrays(content), 0
        for name in arrays:
            for _ in range(5):
                Garbage()
            length += len(arrays[name])
        return length

    before, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(20)
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as pool:
            assert len(set(pool.map(read, range(3000)))) == 1
    finally:
        gc.set_threshold(*before)
        sys.setswitchinterval(interval)


def test_a_flipped_byte(tmp_path: Path) -> None:
    path = run_file(copy(tmp_path)).with_suffix(".npz")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"checksum differs.*run make report"):
        load(tmp_path / "texcache")


@pytest.mark.parametrize(
    "counter", ["hits", "misses", "lookups", "evictions", "footprints", "conflict_cycles"]
)
def test_a_wrong_counter(tmp_path: Path, counter: str) -> None:
    path = run_file(copy(tmp_path))
    change_summary(
        path, lambda summary: summary["counters"].update({counter: summary["counters"][counter] + 1})
    )
    with pytest.raises(UserError, match=f"counter {counter}="):
        load(tmp_path / "texcache")


def _set(name: str, place: Any, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(arrays: dict[str, Any]) -> None:
        arrays[name][place] = value

    return change


def _swap_results(arrays: dict[str, Any]) -> None:
    arrays["t_result"][[100, 101]] = arrays["t_result"][[101, 100]]


def _too_fast(arrays: dict[str, Any]) -> None:
    arrays["t_request"][:] = arrays["t_result"] - 1


def _hit_to_miss(arrays: dict[str, Any]) -> None:
    row = int(np.flatnonzero(arrays["result_hit"][:, 0])[0])
    arrays["result_hit"][row, 0] = 0


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "a hit called a miss": (_hit_to_miss, "counter (footprint_hits|hits)="),
    "a beat too many": (lambda arrays: arrays["result_beats"].__iadd__(1), "counter conflict_cycles="),
    "results out of order": (_swap_results, "results are not in order"),
    "too fast": (_too_fast, "a result 1 cycles after its request"),
    "a row lost": (lambda arrays: arrays.update(t_result=arrays["t_result"][:-1]), "of t_result for"),
    "a field lost": (lambda arrays: arrays.pop("result_way"), "records of another version"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_wrong_records(tmp_path: Path, name: str) -> None:
    """Also with a checksum that fits: the counters and the order give it away."""
    change, message = CHANGES[name]
    change_arrays(run_file(copy(tmp_path)), change)
    with pytest.raises(UserError, match=message):
        load(tmp_path / "texcache")


def test_the_page_is_not_written_from_damaged_results(tmp_path: Path) -> None:
    path = run_file(copy(tmp_path))
    change_summary(path, lambda summary: summary["counters"].update(hits=0))
    with pytest.raises(UserError, match="counter hits=0, the records say"):
        build(tmp_path / "texcache", lambda words: None)


@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_a_missing_file(tmp_path: Path, suffix: str) -> None:
    run_file(copy(tmp_path)).with_suffix(suffix).unlink()
    with pytest.raises(UserError, match="run make report"):
        load(tmp_path / "texcache")


def test_an_index_of_another_format(tmp_path: Path) -> None:
    folder = copy(tmp_path)
    change_summary(folder / "index.json", lambda index: index.update(format=1))
    with pytest.raises(UserError, match="not a measurement of texcache in format 3; run make report"):
        TexcacheResults(folder)
    (folder / "index.json").write_text("{")
    with pytest.raises(UserError, match="not what was measured"):
        TexcacheResults(folder)


def test_a_result_of_another_workload(tmp_path: Path) -> None:
    folder = copy(tmp_path)

    def exchange(index: dict[str, Any]) -> None:
        runs = {(run["workload"], run["role"]): run for run in index["runs"]}
        runs[SCENE, "base"]["file"] = runs["scene/corridors/bilinear/scan", "base"]["file"]

    change_summary(folder / "index.json", exchange)
    with pytest.raises(UserError, match=r"footprints|it belongs to scene/corridors"):
        load(folder)


def test_arrays_are_ordinary_npz_files() -> None:
    path = run_file(measured()).with_suffix(".npz")
    with zipfile.ZipFile(path) as archive:
        assert all(member.date_time == (1980, 1, 1, 0, 0, 0) for member in archive.infolist()), (
            "equal runs, equal bytes"
        )
    with np.load(path) as arrays:
        assert {"lut", "t_request", "t_result", "result_hit", "result_texel"} <= set(arrays.files)
