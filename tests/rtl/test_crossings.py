# SPDX-License-Identifier: Apache-2.0
"""The check of clock crossings: silent on what is generated; what it says to crossings that are not safe."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import configs
import rtl
from ci.lint import main
from configs import PROJECT, BlockConfig, UserError, load
from rtl import crossings, generate, plant, write
from rtl.crossings import Still
from rtl.dataflow import elaborate
from rtl.domains import Domains
from tb.common.running import builds, judging, runner
from tests.replay.three_clocks import CFG as THREE_CLOCKS
from tests.replay.three_clocks import RTL as THREE_CLOCKS_RTL

PRESETS = [(block, preset) for block in configs.blocks() for preset in configs.presets(block)]
SMALL = load("texunit", "small")
FAULTS = tomllib.loads((Path(__file__).parent / "unsafe_crossings.toml").read_text())["fault"]


def check(files: dict[str, str], cfg: BlockConfig = SMALL, *listed: Still) -> list[str]:
    return crossings.check(cfg, files, cfg.top(), listed)


def unsafe(name: str) -> dict[str, str]:
    files = generate(SMALL)
    for change in next(fault for fault in FAULTS if fault["name"] == name)["changes"]:
        files = plant(files, f"{PROJECT}{change[0]}", *change[1:])
    return files


@pytest.mark.parametrize(("block", "preset"), PRESETS)
def test_the_generated_blocks_are_clean(block: str, preset: str) -> None:
    cfg = load(block, preset)
    assert check(generate(cfg), cfg, *crossings.still(block)) == []


@pytest.mark.parametrize("change", [{"observe": False}, {"units": 8, "fifo": {"depth": 256}}])
def test_variants_are_clean(change: dict[str, Any]) -> None:
    cfg = SMALL.with_(**change)
    assert check(generate(cfg), cfg) == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["name"])
def test_what_is_not_safe_is_found(fault: dict[str, Any]) -> None:
    complaints = check(unsafe(fault["name"]))
    for words in fault["says"]:
        assert any(all(word in line for word in words) for line in complaints), "\n".join(complaints)
    assert not any("\n" in line for line in complaints)


def test_make_sim_fails_of_what_no_simulation_shows(tmp_path: Path) -> None:
    """As a failed test more, with the command that repeats it; a netlist has no synchronizers to look at."""
    passed = runner.RunResult(tmp_path, "icarus", [runner.Outcome("smoke", "passed", 1.0, "", "", "")])
    clean, bad, flat = tmp_path / "clean", tmp_path / "bad", tmp_path / "flat"
    rtl.write_files(clean, generate(SMALL))
    rtl.write_files(bad, unsafe(FAULTS[0]["name"]))
    rtl.write_files(flat, {"cacheforge_texunit.v": "module cacheforge_texunit; endmodule\n"})

    def judged(folder: Path) -> runner.RunResult:
        return judging.unsafe_crossings(SMALL, passed, builds.sources_of(folder, SMALL.top()))

    assert judged(clean) == judged(flat) == passed
    judgement = judged(bad)
    assert not judgement.passed and judgement.outcomes[0] == passed.outcomes[0]
    assert all(word in judgement.outcomes[1].message for word in FAULTS[0]["says"][0])
    assert judgement.outcomes[1].repro == f"make lint BLOCK=texunit CONFIG=small RTL_DIR={bad}"


def test_nothing_is_taken_for_clean_because_nothing_was_seen() -> None:
    design = elaborate(generate(SMALL), SMALL.top())
    domains = Domains(SMALL, design)
    assert len(domains.registers) > 250
    assert {domains.clock(name) for name in domains.registers} == {"tex_clk", "gpu_clk"}
    kinds = [(crossing.clock, crossing.into, crossing.words) for crossing in domains.crossings()]
    assert len(kinds) == 4 + 1 + 3 * 3  # reset_bridge, gate; pointers and words of three FIFOs
    assert all(clock != into for clock, into, _ in kinds)
    assert design.drives["unit0.gate.started"][0].reads == ("unit0.gate.rst",)


def three_clocks(*listed: Still) -> list[str]:
    text = (THREE_CLOCKS_RTL / "three_clocks.v").read_text()
    cfg = THREE_CLOCKS.model_copy()
    return crossings.check(_WithStreams(cfg), {"three_clocks.v": text}, cfg.top(), listed)


class _WithStreams:
    """A configuration that keeps its streams in ``streams`` alone."""

    def __init__(self, cfg: Any) -> None:
        self._cfg = cfg

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cfg, "streams" if name == "all_streams" else name)


MASK = Still("mask", "loaded_data", "software writes it before the first load")
FAULT = Still("fault", "*", "a plusarg")


def test_what_lies_still_is_listed_with_a_reason() -> None:
    (complaint,) = three_clocks()
    assert complaint.startswith("mask (slow_clk) reaches loaded_data (load_clk): mask -> loaded_data; ")
    assert three_clocks(MASK) == []
    assert three_clocks(MASK, FAULT) == [
        "crossings.toml: * does not read fault of another clock: take the entry away"
    ]


@pytest.mark.parametrize("entry", ['from = "a"\nto = "b"', 'from = "a"\nto = "b"\nreason = " "'])
def test_a_list_without_reasons_is_refused(
    entry: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crossings, "ROOT", tmp_path)
    (tmp_path / "texunit").mkdir()
    (tmp_path / "texunit" / "crossings.toml").write_text(f"[[still]]\n{entry}\n")
    with pytest.raises(UserError, match=r"crossings\.toml: .*: give from, to and reason"):
        crossings.still("texunit")


def test_lint_says_it_of_verilog_from_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(SMALL, tmp_path)
    arguments = ["texunit", "--config", "small", "--rtl-dir", str(tmp_path)]
    assert main(arguments) == 0 and capsys.readouterr().out == "texunit small: clean\n"
    name = "cacheforge_sync_bit.v"
    (tmp_path / "common" / name).write_text(unsafe("no attribute")[name])
    assert main(arguments) == 1
    said = capsys.readouterr().out
    assert said.count(" is a synchronizer's") == 11 and "unit0.gate.sync.stable" in said
    with pytest.raises(UserError, match="--rtl-dir are about one block: name it"):
        main(arguments[1:])


def test_verilog_that_is_not_valid_is_refused_in_one_line() -> None:
    files = plant(generate(SMALL), "cacheforge_sync_bit.v", "assign q = stable;", "assign q = stables;")
    with pytest.raises(UserError, match=r"not valid Verilog: .*sync_bit\.v:\d+:\d+: error: .*stables"):
        check(files)
    with pytest.raises(UserError, match="there is no module top"):
        elaborate(files, "top")


TEXT = """module top (
    input c, input [1:0] a, input [3:0] i, output reg [3:0] q, output [1:0] w, output reg [3:0] m
);
    function [1:0] swap (input [1:0] x);
        swap = {x[0], x[1] ^ i[3]};
    endfunction
    reg [3:0] word [0:3];
    integer n;
    wire [1:0] logic_ = swap(a);
    assign w = {a[0], i[2]};
    always @(posedge c) begin
        case (a)
            2'd0: q[i[1:0]] <= 4'd0;
            default: for (n = 0; n < 4; n = n + 1) word[n] <= i;
        endcase
    end
    always @(*) if (a[0]) m = word[i[1:0]]; else m = 4'd0;
endmodule
"""


@pytest.mark.parametrize(
    ("signal", "reads", "plain", "edges"),
    [
        ("logic_", {"a", "i"}, False, ()),
        ("w", {"a", "i"}, True, ()),
        ("q", {"i", "a"}, False, ("c",)),
        ("word", {"n", "i", "a", "word"}, False, ("c",)),
        ("m", {"a", "word", "i"}, False, ()),
    ],
)
def test_what_drives_what(signal: str, reads: set[str], plain: bool, edges: tuple[str, ...]) -> None:
    drives = elaborate({"top.v": TEXT}, "top").drives[signal]
    assert {read for drive in drives for read in drive.reads} - {"swap.swap"} == reads
    assert {(drive.plain, drive.edges) for drive in drives} == {(plain, edges)}
