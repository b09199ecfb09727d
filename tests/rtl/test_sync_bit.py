# SPDX-License-Identifier: Apache-2.0
"""``rtl/common/sync_bit``: how many edges a change takes, as published and as a testbench asks for."""

from pathlib import Path

from tb.common.running import builds
from tests.rtl.running import simulate
from tests.rtl.test_replacement import source

CHANGES, EVERY = 200, 5  # edges between changes
TEXT = f"""
`timescale 1ns/1ps
module bench;
    reg clk = 0, d = 0;
    wire q;
    integer i, edges;
    sync_bit dut (.clk(clk), .rst(1'b0), .d(d), .q(q));
    initial begin
        repeat (4) begin #1 clk = 1; #1 clk = 0; end
        for (i = 0; i < {CHANGES}; i = i + 1) begin
            d = !d;
            edges = 0;
            repeat ({EVERY}) begin
                if (q != d) edges = edges + 1;
                #1 clk = 1; #1 clk = 0;
            end
            $display("%0d", edges);
        end
    end
endmodule
"""


def edges(folder: Path, *arguments: str, macro: bool = True) -> list[int]:
    """Edges that each change takes."""
    defined = [f"-D{builds.LATE_MACRO}"] * macro
    text = simulate(folder, TEXT + source("sync_bit"), *arguments, options=defined)
    return [int(line) for line in text.split()]


def test_a_change_takes_two_edges(tmp_path: Path) -> None:
    assert edges(tmp_path, macro=False) == [2] * CHANGES
    assert edges(tmp_path) == edges(tmp_path, builds.late(1)) == [2] * CHANGES


def test_other_seeds_make_some_of_them_late_each_in_its_own_way(tmp_path: Path) -> None:
    second, third = edges(tmp_path, builds.late(2)), edges(tmp_path, builds.late(3))
    assert second == edges(tmp_path, builds.late(2)) != third
    for delays in (second, third):
        assert set(delays) == {2, 3}
        assert CHANGES / 4 < delays.count(3) < CHANGES * 3 / 4
