# SPDX-License-Identifier: Apache-2.0
"""Generated faults: each kind of change, on a small piece of Verilog; one design holds them all."""

import subprocess
from collections import Counter
from pathlib import Path

import pytest
from pyslang.ast import Compilation
from pyslang.syntax import SyntaxTree

import configs
import rtl
from ci.faults.mutants import combine, find
from configs import UserError

HEAD = """module top (
    input wire clk, input wire rst, input wire [3:0] a, input wire [3:0] b, input wire go, output reg [3:0] q
);
"""


def changed(text: str, kind: str, head: str = HEAD, **others: str) -> set[tuple[str, str]]:
    """Before and after of the mutants of a kind."""
    files = {"top.v": f"{head}{text}\nendmodule\n", **others}
    return {(mutant.before, " ".join(mutant.after.split())) for mutant in find(files) if mutant.kind == kind}


@pytest.mark.parametrize(
    ("expression", "kept"),
    [
        ("a & b", {"a", "b"}),
        ("a || b", {"a", "b"}),
        ("a + b", {"a", "b"}),
        ("a + 4'd1", {"4'd1"}),  # without the 1: the constant becomes 0
        ("a - b", set()),
    ],
)
def test_a_term_is_dropped(expression: str, kept: set[str]) -> None:
    assert changed(f"wire [3:0] y = {expression};", "term") == {(expression, term) for term in kept}


def test_one_term_of_a_chain_at_a_time() -> None:
    terms = changed("wire y = a[0] & a[1] & b[0];", "term")
    assert terms == {("a[0] & a[1] & b[0]", "a[0] & a[1]"), ("a[0] & a[1]", "a[0]"), ("a[0] & a[1]", "a[1]")}


def test_a_condition_is_stuck() -> None:
    both = {("go", "1'b1"), ("go", "1'b0")}
    assert changed("always @(posedge clk) if (go) q <= a; else q <= b;", "stuck") == both
    # at 0, one assignment alone is the same as dropped
    assert changed("always @(posedge clk) if (go) begin q <= a; end", "stuck") == {("go", "1'b1")}
    changes = changed("wire [3:0] y = go ? a : b;", "stuck")
    assert changes == {("go ? a : b", "a"), ("go ? a : b", "b")}


@pytest.mark.parametrize(
    ("declared", "expected"), [("reg [0:0] one;", {("many[0]", "one[0]")}), ("reg one;", set())]
)
def test_a_bit_of_a_range_of_one_bit_needs_another_range(
    declared: str, expected: set[tuple[str, str]]
) -> None:
    text = f"""
    {declared} reg [0:0] many;
    wire y = many[0];
    always @(posedge clk) begin one <= go; many <= go; end
    """
    assert {change for change in changed(text, "signal") if change[0] == "many[0]"} == expected


def test_another_signal() -> None:
    text = """
    reg [3:0] n, m; reg other; reg [2:0] narrow;
    wire [3:0] w = n;
    wire [3:0] both = n & m;
    always @(posedge clk) begin n <= m; m <= a; q <= a ^ b; narrow <= 3'd0; other <= go; end
    """
    changes = changed(text, "signal")
    assert ("n", "m") in changes  # of wire w: a register alone, an input could make a loop
    assert ("m", "q") in changes  # of n <= m: neither n, which holds its value, nor what is narrower
    assert ("a", "n") in changes or ("a", "b") in changes  # of m <= a: inputs, too
    assert not {"clk", "rst", "narrow", "w", "both"} & {after for _, after in changes}
    # of n & m: not m & m, which would be a term dropped
    assert ("n", "q") in changes and ("other", "go") not in changes


def test_a_reset_is_another_reset() -> None:
    head = HEAD.replace("input wire go", "input wire bus_rst, input wire go")
    assert changed("always @(posedge clk) if (rst) q <= 4'd0;", "signal", head) == {("rst", "bus_rst")}


def test_a_select_moves_by_one() -> None:
    text = "wire [2:0] y = b[2:0]; wire z = a[3] ^ a[0]; wire w = a[go]; wire [3:0] whole = a[3:0];"
    assert changed(text, "shifted") == {("b[2:0]", "b[3:1]"), ("a[3]", "a[2]"), ("a[0]", "a[1]")}
    # only where it fits every instance; and what is driven stays
    ports = "(input wire [3:0] d, output wire [1:0] e)"
    part = f"module part #(parameter W = 2) {ports}; assign e[0] = d[W]; endmodule"
    first = "wire [1:0] e; part #(.W({})) one (.d(a), .e(e));"
    other = "wire [1:0] f; part #(.W({})) other (.d(a), .e(f));"
    assert changed(first.format(2) + other.format(1), "shifted", **{"part.v": part}) == {("d[W]", "d[W+1]")}
    assert changed(first.format(3) + other.format(0), "shifted", **{"part.v": part}) == set()


def test_a_reset_of_one_register_is_missing() -> None:
    text = """
    reg n, m;
    always @(posedge clk) if (rst) begin {n, m} <= 2'd0; q <= 4'd0; end
                          else begin {n, m} <= a[1:0]; q <= b; end
    """
    assert changed(text, "reset") == {
        ("{n, m} <= 2'd0;", ";"),
        ("{n, m} <= 2'd0;", "{n, m} <= 2'd0; n <= n;"),
        ("{n, m} <= 2'd0;", "{n, m} <= 2'd0; m <= m;"),
        ("q <= 4'd0;", ";"),
    }
    assert ("q <= b;", ";") in changed(text, "dropped")


def test_priority_is_swapped() -> None:
    text = "always @(posedge clk) if (rst) q <= 4'd0; else if (go) q <= a; else q <= b;"
    assert changed(text, "priority") == {(
        text.removeprefix("always @(posedge clk) "),
        "if (go) begin q <= a; end else if (rst) begin q <= 4'd0; end else q <= b;",
    )}  # fmt: skip
    text = "always @(posedge clk) begin if (go) q <= a; if (rst) q <= b; end"
    two = ("if (go) q <= a; if (rst) q <= b;", "if (rst) q <= b; if (go) q <= a;")
    assert changed(text, "priority") == {two}
    apart = "reg n; always @(posedge clk) begin if (go) q <= a; if (rst) n <= go; end"
    assert changed(apart, "priority") == set()  # they do not meet
    changes = changed("wire [3:0] y = go ? a : rst ? b : 4'd0;", "priority")
    assert changes == {("go ? a : rst ? b : 4'd0", "(rst) ? (b) : (go) ? (a) : (4'd0)")}


def test_a_fifo_is_less_deep() -> None:
    files = rtl.generate(configs.load("texunit", "small"))
    depth = {mutant.file: mutant for mutant in find(files) if mutant.kind == "depth"}
    assert set(depth) == {"cacheforge_fifo.v", "cacheforge_async_fifo.v"}
    assert depth["cacheforge_fifo.v"].after == "(count[COUNT_BITS-1] | &count[COUNT_BITS-1-1:0])"
    assert "(tail + 1'b1) >> 1" in depth["cacheforge_async_fifo.v"].after
    ports = "(input wire [2:0] n, output wire f)"
    part = f"module part #(parameter DEPTH = 4) {ports}; assign f = n == DEPTH; endmodule"
    changes = changed("wire f; part part (.n(a[2:0]), .f(f));", "depth", **{"part.v": part})
    assert changes == {("n == DEPTH", "n == (DEPTH - 1)")}


def test_fewer_bits_are_compared() -> None:
    assert changed("wire y = a == b;", "narrower") == {
        ("a == b", "!(|(((a) ^ (b)) >> 1))"), ("a == b", "!(|(((a) ^ (b)) << 1))"),
    }  # fmt: skip
    assert len(changed("wire y = a != 4'd3;", "narrower")) == 2
    assert (
        changed("wire y = go == rst; wire z = a == 0;", "narrower") == set()
    )  # one bit; 32 of which 28 are 0


def test_a_synchronizer_is_shorter() -> None:
    text = """
    (* ASYNC_REG = "TRUE" *) reg first;
    (* ASYNC_REG = "TRUE" *) reg second;
    always @(posedge clk) begin first <= go; second <= first; end
    """
    assert changed(text, "synchronizer") == {("first", "go")}
    plain = text.replace('(* ASYNC_REG = "TRUE" *)', "")
    assert changed(plain, "synchronizer") == set()


def test_what_is_unused_is_left_alone() -> None:
    assert changed("wire unused = &{1'b0, a[0] & b[1]};", "term") == set()
    assert changed("wire unused = &{1'b0, a[0] & b[1]};", "shifted") == set()


@pytest.mark.parametrize(
    ("block", "preset"), [("simple", "tiny"), ("texcache", "tiny"), ("texunit", "small")]
)
def test_no_mutant_twice_and_all_valid(block: str, preset: str) -> None:
    files = {
        name: text for name, text in rtl.generate(configs.load(block, preset)).items() if name.endswith(".v")
    }
    mutants = find(files)
    places = Counter(
        (mutant.file, mutant.start, mutant.end, " ".join(mutant.after.split())) for mutant in mutants
    )
    assert max(places.values()) == 1
    assert errors(combine(files, mutants, f"cacheforge_{block}")) == []
    for mutant in mutants[:: len(mutants) // 60]:
        assert errors({**files, mutant.file: mutant.apply(files[mutant.file])}) == [], str(mutant)
    several = [mutant for mutant in mutants if mutant.statement and mutant.after != ";"]
    for mutant in several[:12]:
        assert errors({**files, mutant.file: mutant.apply(files[mutant.file])}) == [], str(mutant)


def errors(files: dict[str, str]) -> list[str]:
    """What is wrong with a design."""
    compilation = Compilation()
    for name, text in files.items():
        compilation.addSyntaxTree(SyntaxTree.fromText(text, name))
    return [str(diagnostic.code) for diagnostic in compilation.getAllDiagnostics() if diagnostic.isError()]


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
    changes = {(mutant.line, mutant.before, mutant.after) for mutant in mutants}
    assert [mutant.id for mutant in mutants] == list(range(1, len(mutants) + 1))
    assert {
        (5, "a < b", "(a) <= (b)"), (5, "a + 3'd1", "(a) - (3'd1)"), (5, "3'd1", "3'd0"), (5, "~b", "b"),
        (6, "&a", "|(a)"), (6, "&a ^ |b", "(&a) | (|b)"),
        (6, "a[0] & b[0]", "(a[0]) | (b[0])"), (9, "q <= 3'd5;", ";"), (9, "3'd5", "3'd4"),
        (9, "3'd5", "3'd0"), (10, "a == b", "!(a == b)"), (10, "a == b", "(a) != (b)"), (11, "q <= y;", ";"),
    } <= changes  # fmt: skip
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


def test_verilog_that_cannot_be_read() -> None:
    with pytest.raises(UserError, match=r"bad\.v: not Verilog"):
        find({"bad.v": "module bad (; endmodule"})
