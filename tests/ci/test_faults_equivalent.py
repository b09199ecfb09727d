# SPDX-License-Identifier: Apache-2.0
"""Proofs that a fault changes nothing."""

import subprocess
from pathlib import Path

import pytest

from ci.faults import equivalent
from ci.faults.mutants import find
from ci.faults.verdicts import EQUIVALENT, SURVIVED, UNDECIDED
from formal import tools

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
    """Which mutants of some kinds are proved equivalent in their module alone."""
    kinds = {"operator", "reduction", "constant", "arms", "dropped"}
    chosen = [mutant for mutant in find(files) if mutant.kind in kinds]
    return {str(mutant): equivalent.judge(design, mutant, whole=False) == EQUIVALENT for mutant in chosen}


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


@pytest.mark.slow
def test_proofs_of_the_block_know_what_nobody_in_it_looks_at(tmp_path: Path) -> None:
    design = equivalent.elaborate(SPARE, "top", tmp_path)
    changes = [
        change
        for change in find(SPARE)
        if change.kind in ("dropped", "operator", "arms", "shifted", "narrower")
    ]
    alone = {str(change) for change in changes if equivalent.judge(design, change, whole=False) == EQUIVALENT}
    whole = {str(change) for change in changes if equivalent.judge(design, change) == EQUIVALENT}
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
    changed = {str(change) for change in changes} - whole
    assert "part.v:9: dropped: kept <= state != 2'd1 ? 4'd5 : goes ? a : kept;  ->  ;" in changed
    assert "top.v:3: shifted: all[2:0]  ->  all[3:1]" in changed


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
        assert {equivalent.judge(design, mutant, whole=False) for mutant in find(PARTS)} == {UNDECIDED}
    done = subprocess.CompletedProcess([], 1, "", "wasm trap ...\nCaused by:\n    thrown Wasm exception\n")
    monkeypatch.setattr(tools, "yosys", lambda *_arguments, **_options: done)
    assert {equivalent.judge(design, mutant, whole=False) for mutant in find(PARTS)} == {UNDECIDED}
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
    assert sorted(module.parameters["WIDTH"] for module in design.modules["part"]) == [1, 4]
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


@pytest.mark.slow
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
    assert [module.parameters for module in design.modules["part"]] == [{"ONES": 0b00111100}]
    verdicts = proofs(design, CHOSEN)
    # alike if nothing is added, as in the design; with the default of 5 something is
    assert verdicts[f"part.v:4: operator: {SUM}  ->  {SUM.replace('(a & ONES) + (', '((a & ONES)) - ((')})"]
    assert sum(verdicts.values()) == 1
