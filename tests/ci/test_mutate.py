# SPDX-License-Identifier: Apache-2.0
"""``make mutate``: what is changed, that one design holds all changes, who judges, what is kept."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import configs
import rtl
from ci.mutate import __main__ as command
from ci.mutate import equivalent, replays, show
from ci.mutate.mutants import Mutant, combine, find
from ci.mutate.verdicts import (
    EQUIVALENT,
    KILLED,
    MISSED,
    PROOF,
    REPLAY,
    SURVIVED,
    TEST,
    UNDECIDED,
    Verdict,
    Verdicts,
)  # fmt: skip
from configs import UserError
from formal import tools
from tests.ci.sandbox import ROOT
from utils.console import Console

SMALL = {
    "top.v": """module top (
    input wire clk, input wire [2:0] a, input wire [2:0] b, output wire [2:0] y, output reg [2:0] q
);
    localparam WIDTH = 3 + 0;
    wire [WIDTH-1:0] sum = a < b ? a + 3'd1 : {3{a[0]}} | ~b;
    wire any = &a ^ |b ^ (a[0] & b[0] & a[1]);
    assign y = sum ^ {2'b00, any};
    always @(posedge clk) begin
        q <= 3'd5;
        if (a == b)
            q <= y;
    end
endmodule
"""
}
BENCH = """
module bench;
    reg clk = 0; reg [2:0] a, b; wire [2:0] y, q; integer i;
    top top (.clk(clk), .a(a), .b(b), .y(y), .q(q));
    initial for (i = 0; i < 64; i = i + 1) begin
        {a, b} = i; #1 clk = 1; #1 clk = 0; $display("%d %d %d", i, y, q);
    end
endmodule
"""


def simulated(folder: Path, text: str, *arguments: str) -> str:
    """What the bench prints for all inputs of module top."""
    folder.mkdir(exist_ok=True)
    (folder / "all.v").write_text(text + BENCH)
    subprocess.run(["iverilog", "-g2005-sv", "-o", "bench", "all.v"], cwd=folder, check=True)
    done = subprocess.run(
        ["vvp", "-n", "bench", *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout


def test_what_is_changed() -> None:
    mutants = find(SMALL)
    seen = {(mutant.line, mutant.before, mutant.after) for mutant in mutants}
    assert [mutant.id for mutant in mutants] == list(range(1, len(mutants) + 1))
    assert {
        (5, "a < b", "(a) <= (b)"), (5, "a + 3'd1", "(a) - (3'd1)"), (5, "3'd1", "3'd0"), (5, "~b", "b"),
        (6, "&a", "|(a)"), (6, "&a ^ |b", "(&a) | (|b)"),
        (6, "a[0] & b[0]", "(a[0]) | (b[0])"), (9, "q <= 3'd5;", ";"), (9, "3'd5", "3'd4"),
        (9, "3'd5", "3'd0"), (10, "a == b", "!(a == b)"), (10, "a == b", "(a) != (b)"), (11, "q <= y;", ";"),
    } <= seen  # fmt: skip
    assert not [mutant for mutant in mutants if mutant.line == 4 or "WIDTH" in mutant.before]
    assert not [mutant for mutant in mutants if mutant.before in ("3", "0")]  # counts and indices


def test_one_design_holds_them_all(tmp_path: Path) -> None:
    mutants = find(SMALL)
    [held] = combine(SMALL, mutants, "top").values()
    original = simulated(tmp_path / "original", SMALL["top.v"])
    assert simulated(tmp_path / "held", held) == original
    different = 0
    for mutant in mutants:
        alone = simulated(tmp_path / "alone", mutant.apply(SMALL["top.v"]))
        assert simulated(tmp_path / "held", held, f"+mutant={mutant.id}") == alone, str(mutant)
        different += alone != original
    assert different > len(mutants) * 0.8


def test_all_of_a_block_can_be_read_and_are_their_own() -> None:
    for block, preset in (("texcache", "tiny"), ("texunit", "small")):
        files = rtl.generate(configs.load(block, preset))
        mutants = find(files)
        assert len(mutants) > 500
        for mutant in mutants:
            text = files[mutant.file]
            assert " ".join(text[mutant.start : mutant.end].split()) == mutant.before
            assert mutant.apply(text) != text


def test_verilog_that_cannot_be_read() -> None:
    with pytest.raises(UserError, match=r"bad\.v: not Verilog"):
        find({"bad.v": "module bad (; endmodule"})


PARTS = {
    "part.v": """module part #(parameter WIDTH = 1) (
    input wire clk, input wire [WIDTH-1:0] a, output reg [WIDTH-1:0] y
);
    wire idle = &{1'b0, a};
    always @(posedge clk) y <= a + a;
endmodule
""",
    "top.v": """module top (input wire clk, input wire [3:0] a, output wire [3:0] y);
    part #(.WIDTH(4)) part (.clk(clk), .a(a), .y(y));
endmodule
""",
}


def proofs(design: equivalent.Design, files: dict[str, str]) -> dict[str, bool]:
    """Which mutants of some kinds are proved equivalent."""
    kinds = {"operator", "reduction", "constant", "arms", "dropped"}
    chosen = [mutant for mutant in find(files) if mutant.kind in kinds]
    return {str(mutant): equivalent.judge(design, mutant) == EQUIVALENT for mutant in chosen}


def test_proofs_of_equivalence(tmp_path: Path) -> None:
    design = equivalent.elaborate(PARTS, "top", tmp_path)
    verdicts = proofs(design, PARTS)
    assert verdicts == {
        "part.v:4: reduction: &{1'b0, a}  ->  |({1'b0, a})": True,
        "part.v:4: constant: 1'b0  ->  1'd1": True,
        "part.v:5: dropped: y <= a + a;  ->  ;": False,
        # a + a and a - a are both 0 with the default width of 1, not with the 4 bits of the design
        "part.v:5: operator: a + a  ->  (a) - (a)": False,
    }


SPARE = {
    "part.v": """module part (
    input wire clk, input wire [3:0] a, input wire wide, output wire [3:0] y, output reg [3:0] spare
);
    reg [1:0] state;
    reg [3:0] kept;
    wire goes = state == 2'd1 & a[0];
    assign y = wide ? kept : {2'd0, kept[1:0]};
    always @(posedge clk) state <= a[1:0];
    always @(posedge clk) kept <= state != 2'd1 ? 4'd5 : goes ? a : kept;
    always @(posedge clk) spare <= kept + a;
endmodule
""",
    "top.v": """module top (input wire clk, input wire [3:0] a, output wire [2:0] y);
    wire [3:0] all;
    assign y = all[2:0];
    part part (.clk(clk), .a(a), .wide(1'b1), .y(all), .spare());
endmodule
""",
}


def test_proofs_of_the_block_know_what_nobody_in_it_looks_at(tmp_path: Path) -> None:
    design = equivalent.elaborate(SPARE, "top", tmp_path)
    changes = [
        one for one in find(SPARE) if one.kind in ("dropped", "operator", "arms", "shifted", "narrower")
    ]
    alone = {str(one) for one in changes if equivalent.judge(design, one) == EQUIVALENT}
    whole = {str(one) for one in changes if equivalent.judge(design, one, whole=True) == EQUIVALENT}
    assert not alone
    assert whole == {
        # when goes is looked at, state is 1
        "part.v:6: narrower: state == 2'd1  ->  !(|(((state) ^ (2'd1)) << 1))",
        "part.v:6: narrower: state == 2'd1  ->  !(|(((state) ^ (2'd1)) >> 1))",
        # wide is 1
        "part.v:7: shifted: kept[1:0]  ->  kept[2:1]",
        # spare leads nowhere
        "part.v:10: dropped: spare <= kept + a;  ->  ;",
        "part.v:10: operator: kept + a  ->  (kept) - (a)",
    }
    changed = {str(one) for one in changes} - whole
    assert "part.v:9: dropped: kept <= state != 2'd1 ? 4'd5 : goes ? a : kept;  ->  ;" in changed
    assert "top.v:3: shifted: all[2:0]  ->  all[3:1]" in changed


DEEP = {
    "part.v": """module part #(parameter WIDTH = 1) (
    input wire clk, input wire [WIDTH-1:0] a, output reg [WIDTH-1:0] y, output reg [WIDTH-1:0] spare
);
    always @(posedge clk) y <= a + 1'b1;
    always @(posedge clk) spare <= a + y;
endmodule
""",
    "plain.v": """module plain (input wire clk, input wire [3:0] a, output wire [3:0] y);
    part #(.WIDTH(4)) inner (.clk(clk), .a(a), .y(y), .spare());
endmodule
""",
    "wide.v": """module wide #(parameter WIDTH = 2) (
    input wire clk, input wire [WIDTH-1:0] a, output wire [WIDTH-1:0] y
);
    part #(
        .WIDTH(WIDTH)
    ) inner (.clk(clk), .a(a), .y(y), .spare());
endmodule
""",
    "top.v": """module top (input wire clk, input wire [3:0] a, output wire [3:0] y, output wire [2:0] z);
    plain plain (.clk(clk), .a(a), .y(y));
    wide #(.WIDTH(3)) wide (.clk(clk), .a(a[2:0]), .y(z));
endmodule
""",
}


def test_proofs_of_the_block_take_the_change_to_wherever_the_part_is(tmp_path: Path) -> None:
    design = equivalent.elaborate(DEEP, "top", tmp_path)
    changes = [one for one in find(DEEP) if one.kind in ("dropped", "operator")]
    whole = {str(one): equivalent.judge(design, one, whole=True) for one in changes}
    assert whole == {
        "part.v:4: dropped: y <= a + 1'b1;  ->  ;": SURVIVED,
        "part.v:4: operator: a + 1'b1  ->  (a) - (1'b1)": SURVIVED,
        "part.v:5: dropped: spare <= a + y;  ->  ;": EQUIVALENT,
        "part.v:5: operator: a + y  ->  (a) - (y)": EQUIVALENT,
    }


def test_a_design_is_read_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    first = equivalent.elaborate(PARTS, "top", tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(tools, "yosys", None)
        assert equivalent.elaborate(PARTS, "top", tmp_path).modules == first.modules
    assert equivalent.elaborate(TREE, "top", tmp_path).modules != first.modules
    with pytest.raises(RuntimeError, match="Yosys cannot read top"):
        equivalent.elaborate({"top.v": "module top (; endmodule"}, "top", tmp_path)
    assert equivalent.elaborate(PARTS, "top", tmp_path).modules == first.modules


def test_undecided_is_not_proved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    design = equivalent.elaborate(PARTS, "top", tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(equivalent, "SECONDS", 0.01)
        assert {equivalent.judge(design, mutant) for mutant in find(PARTS)} == {UNDECIDED}
    done = subprocess.CompletedProcess([], 1, "", "wasm trap ...\nCaused by:\n    thrown Wasm exception\n")
    monkeypatch.setattr(tools, "yosys", lambda *_arguments, **_options: done)
    assert {equivalent.judge(design, mutant) for mutant in find(PARTS)} == {UNDECIDED}
    done.stderr = "ERROR: no"
    with pytest.raises(RuntimeError, match="Yosys: ERROR: no"):
        equivalent.judge(design, find(PARTS)[0])


TREE = {
    "part.v": PARTS["part.v"],
    "middle.v": """module middle (input wire clk, input wire [3:0] a, output wire [3:0] y);
    wire [3:0] twice;
    part #(.WIDTH(4)) part (.clk(clk), .a(a), .y(twice));
    assign y = (twice > a) ? twice : a;
endmodule
""",
    "top.v": """module top (input wire clk, input wire [3:0] a, output wire [3:0] y, output wire z);
    middle middle (.clk(clk), .a(a), .y(y));
    part part (.clk(clk), .a(a[0]), .y(z));
endmodule
""",
}


def test_proofs_know_the_parts_of_a_module_and_all_parameters(tmp_path: Path) -> None:
    design = equivalent.elaborate(TREE, "top", tmp_path)
    assert sorted(one.parameters["WIDTH"] for one in design.modules["part"]) == [1, 4]
    verdicts = proofs(design, TREE)
    assert verdicts == {
        "part.v:4: reduction: &{1'b0, a}  ->  |({1'b0, a})": True,
        "part.v:4: constant: 1'b0  ->  1'd1": True,
        "part.v:5: dropped: y <= a + a;  ->  ;": False,
        "part.v:5: operator: a + a  ->  (a) - (a)": False,  # alike with a WIDTH of 1, not with 4
        "middle.v:4: arms: (twice > a) ? twice : a  ->  ((twice > a)) ? (a) : (twice)": False,
        "middle.v:4: operator: twice > a  ->  (twice) >= (a)": True,
    }
    files = {"design.v", "design.il"}
    assert {path.name for path in tmp_path.iterdir()} == files | {f"{name}.sha256" for name in files}


STUCK = {
    "top.v": """module top (input wire clk, input wire set, output wire y, output wire z);
    reg [1:0] n;
    reg sticky;
    assign y = n == 2'd0;
    assign z = sticky;
    always @(posedge clk) begin
        if (n != 2'd0)
            n <= n - 2'd1;
        if (set)
            sticky <= 1'b1;
    end
endmodule
"""
}


def test_what_differs_from_a_state_of_power_up_on_is_not_equivalent(tmp_path: Path) -> None:
    design = equivalent.elaborate(STUCK, "top", tmp_path)
    assert {equivalent.judge(design, mutant) for mutant in find(STUCK)} == {SURVIVED}


FIRST = {
    "top.v": """module top (input wire clk, output wire y);
    reg sticky;
    initial sticky = 1'b0;
    assign y = sticky;
    always @(posedge clk) sticky <= sticky;
endmodule
"""
}


def test_first_values_are_not_proved(tmp_path: Path) -> None:
    design = equivalent.elaborate(FIRST, "top", tmp_path)
    [first] = [mutant for mutant in find(FIRST) if mutant.before == "1'b0"]
    assert first.initial
    assert equivalent.judge(design, first) == SURVIVED


def hangs(_cfg: Any, _folder: Any, _seed: int, number: int) -> tuple[str, str]:
    """Stands for a replay that never returns, and for one that has to wait for a CPU."""
    while number == 2:
        pass
    time.sleep(2)
    return "", ""


def test_a_mutant_that_hangs_is_ended() -> None:
    program = (
        "import sys; from ci.mutate import replays; from tests.ci import test_mutate; replays.SECONDS = 1; "
        "replays.judge = test_mutate.hangs; "
        "print(replays._judge_some(None, None, 1, [int(sys.argv[1])]))"
    )
    codes = [
        subprocess.run([sys.executable, "-c", program, number], cwd=ROOT, capture_output=True).returncode
        for number in ("1", "2")
    ]
    assert codes == [0, -signal.SIGPROF]


def ends_at_three(_cfg: Any, _folder: Any, _seed: int, numbers: Sequence[int]) -> list[tuple[int, str, str]]:
    """Stands for replays of which number 3 ends the process."""
    if 3 in numbers:
        os._exit(1)
    return [(number, "", "") for number in numbers]


def test_a_mutant_that_ends_the_process_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "_judge_some", ends_at_three)
    monkeypatch.setattr(replays, "AT_ONCE", 2)
    cfg: Any = configs.load("texcache", "tiny")
    found = list(replays.judge_all(cfg, Path(), 1, [1, 2, 3, 4, 5], 1))
    assert sorted(number for number, _, _ in found) == [1, 2, 3, 4, 5]
    assert [number for number, by, _ in found if by] == [3]


def test_verdicts_stay_until_the_key_changes(tmp_path: Path) -> None:
    mutants = [Mutant(number, "a.v", 1, "not", "!a", "a", 0, 2) for number in (1, 2, 3)]
    kept = Verdicts(tmp_path / "verdicts.db", "one", 1)
    kept.put(1, Verdict(KILLED, REPLAY, "replay 1", "texel 3"))
    kept.put(2, Verdict(SURVIVED, REPLAY))
    kept.close()
    kept = Verdicts(tmp_path / "verdicts.db", "one", 1)
    assert kept.known[1] == Verdict(KILLED, REPLAY, "replay 1", "texel 3")
    assert [[one.id for one in kept.due(mutants, stage)] for stage in (REPLAY, PROOF, TEST)] == [[3], [2], []]
    kept.put(2, Verdict(SURVIVED, PROOF))
    assert [[one.id for one in kept.due(mutants, stage)] for stage in (REPLAY, PROOF, TEST)] == [[3], [], [2]]
    kept.put(2, Verdict(EQUIVALENT, PROOF))
    assert [[one.id for one in kept.due(mutants, stage)] for stage in (REPLAY, PROOF, TEST)] == [[3], [], []]
    kept.close()
    seeded = Verdicts(tmp_path / "verdicts.db", "one", 2)
    assert [one.id for one in seeded.due(mutants, REPLAY)] == [1, 2, 3]
    seeded.close()
    kept = Verdicts(tmp_path / "verdicts.db", "one", 1)
    assert [one.id for one in kept.due(mutants, REPLAY)] == [3], "another seed took them away"
    kept.close()
    other = Verdicts(tmp_path / "verdicts.db", "another", 1)
    assert [one.id for one in other.due(mutants, REPLAY)] == [1, 2, 3]
    other.close()


def test_all_that_judges_is_in_the_key() -> None:
    names = {str(path.relative_to(ROOT)) for path in command.judges("simple").files}
    assert {
        "ci/mutate/tests.py",
        "tb/simple/env.py",
        "tb/simple/quick.py",
        "models/simple.py",
    } <= names
    assert {"tb/simple/tests/errors.py", "tb/simple/baseline.json", "configs/simple/tiny.toml"} <= names
    assert not [name for name in names if "icache" in name]


def test_damaged_verdicts_are_made_again(tmp_path: Path) -> None:
    (tmp_path / "verdicts.db").write_bytes(b"no database" * 500)
    Verdicts(tmp_path / "verdicts.db", "one", 1).close()
    content = (tmp_path / "verdicts.db").read_bytes()
    (tmp_path / "verdicts.db").write_bytes(content[: len(content) // 2])
    assert not Verdicts(tmp_path / "verdicts.db", "one", 1).known


def test_score(capsys: pytest.CaptureFixture[str]) -> None:
    mutant = Mutant(1, "a.v", 1, "not", "!a", "a", 0, 2)
    verdicts = [Verdict(KILLED, TEST, "test t")] * 5 + [Verdict(KILLED, TEST, "baseline")] * 2
    verdicts += [Verdict(SURVIVED, REPLAY)] * 2 + [Verdict(MISSED, REPLAY, "replay 2: busy", "texel 3")]
    verdicts += [Verdict(EQUIVALENT, PROOF), Verdict(UNDECIDED, REPLAY)]
    told = [(mutant, verdict) for verdict in verdicts]
    found = show.score(told)
    assert found == show.Score(killed=7, survived=2, missed=1, undecided=1, equivalent=1, baseline=2)
    assert (found.percent, found.percent_with_replays, found.percent_without_baseline) == (70, 80, 50)
    assert found.percent_of_all == pytest.approx(700 / 12)
    show.show(Console(width=200), told, False, alone=True, of=40)
    shown = capsys.readouterr().out
    assert "score 70.0 % of the regression, 80.0 % with replays: 12 of 40 mutants judged" in shown
    assert "1 noticed by replays alone, 1 undecided, 1 proved equivalent" in shown
    assert "missed: a.v:1: not: !a  ->  a\n  by replay 2: busy: texel 3" in shown
    assert "undecided: a.v:1" in shown
    assert [name for name in ("missed", "undecided") if name in shown.splitlines()[2]] == [
        "missed",
        "undecided",
    ]
    kept = show.record(told, {}, alone=True)
    assert (kept["percent"], kept["undecided"], kept["missed"]) == (70, 1, 1)
    assert show.record(told, {}, alone=False)["percent"] is None


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command.builds, "BUILD", tmp_path)
    argv = ["texcache", "-n", "40", "--seed", "5", "--jobs", "2", "--replays-only"]
    assert command.main([*argv, "--least", "50"]) == 0
    shown = capsys.readouterr().out
    assert "killed by" in shown and "score" in shown
    [path] = tmp_path.rglob("mutants.json")
    kept = json.loads(path.read_text())
    assert len(kept["mutants"]) == 40 == kept["killed"] + kept["survived"]
    assert kept["percent_with_replays"] >= 70 and kept["percent"] is None
    assert (kept["judged"], kept["judge"]) == (40, "replays first")
    some = next(one for one in kept["mutants"] if one["verdict"] == KILLED)
    assert some["by"].startswith("replay") and some["message"] and some["file"] and some["line"]

    def again(*_: Any) -> None:
        raise AssertionError("judged again")

    monkeypatch.setattr(replays, "judge", again)
    assert command.main([*argv, "--least", "100"]) == 1  # some survive replays alone
    capsys.readouterr()
    assert command.main(["texcache", "--seed", "5", "--mutant", str(some["id"]), "--replays-only"]) == 0
    shown = capsys.readouterr().out
    assert (
        some["before"] in " ".join(shown.split())
        and "make sim BLOCK=texcache CONFIG=tiny SEED=1 N=200 RTL_DIR=" in shown
    )
    alone = Path(shown.split("RTL_DIR=")[1].strip())
    original = rtl.generate(configs.load("texcache", "tiny"))
    changed = [name for name, text in original.items() if (alone / name).read_text() != text]
    assert changed == [some["file"]]


def test_sample_is_the_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    def listed(*argv: str) -> list[str]:
        assert command.main(["texunit", "--list", *argv]) == 0
        return capsys.readouterr().out.splitlines()

    assert len(listed("-n", "30")) == 31  # and how many of each kind
    assert listed("-n", "30")[-1].startswith("30 mutants: ")
    assert listed("-n", "30") == listed("-n", "30") != listed("-n", "30", "--seed", "2")
    assert set(listed("-n", "30")[:-1]) < set(listed())
    assert len(listed()) - 1 == len(find(rtl.generate(configs.load("texunit", "small"))))


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["texcash"], "unknown block 'texcash'"),
        (["texcache", "--config", "huge"], "unknown configuration 'huge'"),
        (["texcache", "--mutant", "0"], "there are mutants 1 to"),
        (["texcache", "--mutant", "99999"], "there are mutants 1 to"),
        (["texcache", "-n", "-1"], "-n -1: must be at least 0"),
        (["texcache", "--jobs", "0"], "--jobs 0: must be at least 1"),
        (["texcache", "--replays", "0", "--replays-only"], "leaves no judge"),
    ],
)
def test_mistakes(argv: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        command.main(argv)


SUM = "(a & ONES) + ((ONES[0] & ONES[2]) ? a : 8'd0)"
CHOSEN = {
    "part.v": """module part #(parameter [7:0] ONES = 8'd5) (
    input wire clk, input wire [7:0] a, output reg [7:0] y
);
    always @(posedge clk) y <= """
    + SUM
    + """;
endmodule
""",
    "top.v": """module top (input wire clk, input wire [7:0] a, output wire [7:0] y);
    part #(.ONES({2'd0, 4'd15, 2'd0})) part (.clk(clk), .a(a), .y(y));
endmodule
""",
}


def test_parameters_of_a_width_are_the_designs_own(tmp_path: Path) -> None:
    design = equivalent.elaborate(CHOSEN, "top", tmp_path)
    assert [one.parameters for one in design.modules["part"]] == [{"ONES": 0b00111100}]
    found = proofs(design, CHOSEN)
    # alike if nothing is added, as in the design; with the default of 5 something is
    assert found[f"part.v:4: operator: {SUM}  ->  {SUM.replace('(a & ONES) + (', '((a & ONES)) - ((')})"]
    assert sum(found.values()) == 1
