# SPDX-License-Identifier: Apache-2.0
"""The replay notices RTL that is wrong, stuck, or ends the simulation, and says where."""

from pathlib import Path

import numpy as np
import pytest

import configs
import rtl
from configs import UserError
from configs.texcache.schema import Config
from tb.common.replay.machine import DeadlockError, ReplayError
from tb.texcache.replay import check, predict, replay
from tests.models.strategies import random_footprints
from tests.replay.traces import bound, footprints, planted

RESET = "\n        .clk(clk),\n        .rst(rst)"
#: bug -> file, what stands there, what it becomes
BUGS = {
    "lost": ("texcache_output.v", "res_valid  = valid & last;", "res_valid  = valid & last & id != 8'd7;"),
    "twice": ("texcache_output.v", "read_ready = !res_valid | res_ready;", "read_ready = !res_valid;"),
    "finish": ("texcache.v", "endmodule", "always @(posedge clk) if (res_valid) $finish;\nendmodule"),
    "counter": ("texcache_counters.v", f"count_hits ({RESET}", "count_hits (.clk(clk), .rst(1'b0)"),
    "cycles": (
        "texcache_counters.v",
        f"counter count_memory_wait_cycles ({RESET},\n        .step(memory_wait_cycles)",
        f"counter #(.STEP_BITS(3)) count_memory_wait_cycles ({RESET}, .step({{2'd1, memory_wait_cycles}})",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def cfg() -> Config:
    tiny: Config = configs.load("texcache", "tiny")
    return tiny


def with_bug(cfg: Config, bug: str) -> Path:
    return planted(cfg, bug, *BUGS[bug])


@pytest.mark.slow
def test_a_lost_result_is_missed_at_the_end(cfg: Config) -> None:
    trace = bound(cfg, random_footprints(cfg, 100, 1))
    with pytest.raises(DeadlockError) as error:
        replay(cfg, trace, rtl_dir=with_bug(cfg, "lost"), patience=500)
    assert "access 99 (tex 1, level 0" in str(error.value)
    assert "was accepted, but has no result; nothing moves for 500 cycles" in str(error.value)
    assert "before that, result 7 carried id 8" in str(error.value)


def test_patience_is_long_enough_for_a_slow_memory(cfg: Config) -> None:
    trace = bound(cfg, footprints((0, 0, 0), (0, 16, 0)))
    slow = configs.MemoryTiming(latency=9_999, gap=999)
    assert not check(cfg, trace, predict(cfg, trace), replay(cfg, trace, timing=slow))


@pytest.mark.slow
def test_a_result_too_many_is_found(cfg: Config) -> None:
    trace = bound(cfg, footprints((0, 0, 0)))
    with pytest.raises(ReplayError, match="a result that no request asked for, after 1 answered"):
        replay(cfg, trace, rtl_dir=with_bug(cfg, "twice"))


@pytest.mark.slow
def test_a_counter_that_does_not_begin_at_0_is_found(cfg: Config) -> None:
    with pytest.raises(ReplayError, match=r"tiny: counter hits is [1-9][0-9]* after reset, not 0"):
        replay(cfg, bound(cfg, footprints((0, 0, 0))), rtl_dir=with_bug(cfg, "counter"))


@pytest.mark.slow
def test_a_counter_of_more_cycles_than_there_were_is_found(cfg: Config) -> None:
    with pytest.raises(ReplayError, match=r"tiny: counter memory_wait_cycles is \d+ after \d+ cycles"):
        replay(cfg, bound(cfg, footprints((0, 0, 0))), rtl_dir=with_bug(cfg, "cycles"))


@pytest.mark.slow
def test_reading_for_ever_is_no_progress(cfg: Config, tmp_path: Path) -> None:
    ever = "reg ever; always @(posedge clk) ever <= !rst & (ever | waiting); assign ar_valid = ever;"
    files = rtl.plant(rtl.generate(cfg), *BUGS["lost"])
    rtl.write_files(tmp_path, rtl.plant(files, "texcache_line_reader.v", "assign ar_valid = waiting;", ever))
    trace = bound(cfg, random_footprints(cfg, 100, 1))
    with pytest.raises(DeadlockError, match="was accepted, but has no result; nothing moves for 500 cycles"):
        replay(cfg, trace, rtl_dir=tmp_path, patience=500)


@pytest.mark.slow
def test_the_end_of_the_simulation_is_not_the_end_of_the_process(cfg: Config) -> None:
    trace = bound(cfg, footprints((0, 0, 0)))
    with pytest.raises(ReplayError, match=r"the RTL ends the simulation: \$finish at .*texcache.v"):
        replay(cfg, trace, rtl_dir=with_bug(cfg, "finish"))


def test_differences_besides_the_records_are_found(cfg: Config) -> None:
    """Order of results, lines read and counters are compared too: change what a right RTL delivered."""
    trace = bound(cfg, random_footprints(cfg, 1000, 2))
    model, rtl = predict(cfg, trace), replay(cfg, trace)
    assert not check(cfg, trace, model, rtl)

    def fields(**changes: object) -> list[str]:
        changed = type(rtl)(**{**vars(rtl), **changes})
        return [item.field for item in check(cfg, trace, model, changed)]

    swapped = rtl.ids.copy()
    swapped[[3, 4]] = swapped[[4, 3]]
    assert fields(ids=swapped) == ["id of result"]
    assert fields(ar=np.append(rtl.ar, np.uint64(5))) == ["line read from memory"]
    assert fields(ar=rtl.ar[::-1]) == ["line read from memory"]
    assert fields(counters={**rtl.counters, "hits": rtl.counters["hits"] + 1}) == ["hits"]
    assert fields(events=rtl.events - 1) == ["events"]


def test_verilog_of_another_configuration_is_refused(cfg: Config, tmp_path: Path) -> None:
    rtl.write(cfg.with_(max_side=128), tmp_path / "rtl")
    with pytest.raises(UserError, match=r"was generated for texcache tiny\+max_side=128"):
        replay(cfg, bound(cfg, footprints((0, 0, 0))), rtl_dir=tmp_path / "rtl")


@pytest.mark.parametrize("problem", ["no folder", "no verilog", "no top", "no verilog in it"])
def test_verilog_from_elsewhere_that_is_unusable(cfg: Config, problem: str, tmp_path: Path) -> None:
    folder = tmp_path / "rtl"
    if problem != "no folder":
        folder.mkdir()
    if problem == "no top":
        (folder / "other.v").write_text("module other; endmodule\n")
    if problem == "no verilog in it":
        (folder / "texcache.v").write_text("module cacheforge_texcache; this is not Verilog\n")
    with pytest.raises(UserError, match=str(folder)):
        replay(cfg, bound(cfg, footprints((0, 0, 0))), rtl_dir=folder)
