# SPDX-License-Identifier: Apache-2.0
"""``rtl/common/replacement`` against models/policies.py: every victim and every bit of the state."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from mako.lookup import TemplateLookup

import rtl
from configs.simt import PSEUDO_LRU
from models import policies
from models.lru import EMPTY
from tests.rtl.running import simulate

SETS, SET_BITS = 4, 2
COUNT = 6000  # cycles
#: a vector: policy, set, clear, update, filled, way, valid
TEXT = """
`timescale 1ns/1ps
module bench;
    reg clk = 0;
    reg [63:0] vectors [0:{last}];
    reg [63:0] now = 0;
    wire [{way_bits}-1:0] victim;
    integer i;
    replacement #(.WAYS({ways}), .WAY_BITS({way_bits}), .SETS(4), .SET_BITS(2), .INVALID_FIRST({first})) dut (
        .clk(clk), .policy(now[1:0]), .set(now[3:2]), .clear(now[4]), .update(now[5]), .filled(now[6]),
        .way(now[8 +: {way_bits}]), .valid(now[16 +: {ways}]), .victim(victim));
    initial begin
        $readmemh("vectors.hex", vectors);
        for (i = 0; i <= {last}; i = i + 1) begin
            now = vectors[i];
            #1 $display("%h %h", victim, dut.state);
            clk = 1; #1 clk = 0;
        end
    end
endmodule
"""


def source(name: str) -> str:
    """A common module that is the same for all blocks."""
    return str(
        TemplateLookup(directories=[str(Path(rtl.__file__).parent)])
        .get_template(f"common/{name}.v.mako")
        .render()
    )


RTL = source("replacement") + source("ram_async")


def way_bits(ways: int) -> int:
    """Bits of a way's number."""
    return max(1, (ways - 1).bit_length())


def shown(folder: Path, vectors: list[int], ways: int, first: bool) -> list[list[str]]:
    """What the module shows in each cycle: victim and state."""
    bench = TEXT.format(last=len(vectors) - 1, ways=ways, way_bits=way_bits(ways), first=int(first))
    (folder / "vectors.hex").write_text("\n".join(f"{vector:x}" for vector in vectors))
    return [line.split() for line in simulate(folder, bench + RTL).splitlines()]


class Twin:
    """Chooses what happens, cycle by cycle, and knows from the model what must be seen."""

    def __init__(self, ways: int, first: bool, seed: int) -> None:
        self.ways, self.first, self.rng = ways, first, np.random.default_rng(seed)
        self.policy, self.row = 0, 0
        self.states = policies.new_states(0, SETS, ways)
        self.tags = np.full((SETS, ways), EMPTY, np.int64)
        self.vectors: list[int] = []
        self.expected: list[tuple[int, int] | None] = []

    def cycle(self, clear: bool, update: bool, filled: bool, way: int) -> None:
        state, tags = self.states[self.row], self.tags[self.row]
        valid = sum(1 << number for number in range(self.ways) if tags[number] != EMPTY)
        word = self.policy | self.row << 2 | clear << 4 | update << 5 | filled << 6 | way << 8 | valid << 16
        self.vectors.append(word)
        victim = policies.replaced(self.policy, self.first, tags, state)
        self.expected.append(None if clear else (victim, policies.packed(self.policy, self.ways, state)))
        if clear:
            policies.restart(self.policy, self.ways, state)
        elif update:
            policies.use(self.policy, self.ways, state, way, filled)
            if filled:
                tags[way] = 1

    def walk(self) -> None:
        """Another policy: all sets begin anew; sometimes their lines are gone."""
        self.policy = int(self.rng.integers(4))
        for self.row in range(SETS):
            if self.rng.random() < 0.5:
                self.tags[self.row] = EMPTY
            self.cycle(True, bool(self.rng.integers(2)), False, 0)

    def step(self) -> None:
        if self.rng.random() < 0.4:
            self.row = int(self.rng.integers(SETS))
        kind, state = self.rng.random(), self.states[self.row]
        if kind < 0.05:
            self.tags[self.row][self.rng.integers(self.ways)] = EMPTY
        filled = kind < 0.4
        way = int(self.rng.integers(self.ways))
        if filled:
            way = policies.replaced(self.policy, self.first, self.tags[self.row], state)
        self.cycle(False, kind < 0.9, filled, way)

    def drive(self, count: int) -> None:
        while len(self.vectors) < count:
            if len(self.vectors) % 200 == 0 or len(self.vectors) < SETS:
                self.walk()
            self.step()


def differences(twin: Twin, outputs: list[list[str]]) -> list[int]:
    """Cycles in which victim or state are not the model's; one way has no state to speak of."""
    cycles = []
    for number, want in enumerate(twin.expected):
        if want:
            victim, state = (int(word, 16) if "x" not in word else -1 for word in outputs[number])
            if victim != want[0] or (twin.ways > 1 and state != want[1]):
                cycles.append(number)
    return cycles


@pytest.mark.parametrize("first", [False, True], ids=["any", "invalid first"])
@pytest.mark.parametrize("ways", range(1, 17))
def test_victims_and_states_are_the_models(ways: int, first: bool, tmp_path: Path) -> None:
    twin = Twin(ways, first, seed=ways)
    twin.drive(COUNT)
    assert {vector & 3 for vector in twin.vectors} == {0, 1, 2, 3}, "every policy"
    outputs = shown(tmp_path, twin.vectors, ways, first)
    assert len(outputs) == len(twin.vectors) and differences(twin, outputs) == []


#: every value of the bits of pseudo-LRU that tell groups apart, others at random: what no use leads to, too
CODES = """
`timescale 1ns/1ps
module bench;
    reg [63:0] codes [0:255];
    wire [3:0] victim;
    integer i;
    replacement #(.WAYS(16), .WAY_BITS(4), .SETS(4), .SET_BITS(2), .INVALID_FIRST(0)) dut (
        .clk(1'b0), .policy(2'd3), .set(2'd0), .clear(1'b0), .update(1'b0), .filled(1'b0), .way(4'd0),
        .valid(16'hffff), .victim(victim));
    initial begin
        $readmemh("codes.hex", codes);
        dut.pending = 1'b0;
        for (i = 0; i < 256; i = i + 1) begin
            dut.states.words[0] = codes[i];
            #1 $display("%h", victim);
        end
    end
endmodule
"""


def test_every_code_of_pseudo_lru_has_its_victim(tmp_path: Path) -> None:
    """Of all 64 orders of the groups, 24 of which can come about, RTL and model replace the same way."""
    rng = np.random.default_rng(3)
    codes = [order << 12 | int(rng.integers(1 << 12)) for order in range(64) for _ in range(4)]
    (tmp_path / "codes.hex").write_text("\n".join(f"{code:x}" for code in codes))
    victims = simulate(tmp_path, CODES + RTL).split()
    states = [np.array([code >> bit & 1 for bit in range(policies.entries(16))], np.uint8) for code in codes]
    assert victims == [f"{policies.victim(PSEUDO_LRU, 16, state):x}" for state in states]


@pytest.mark.parametrize(("ways", "bits"), [(0, 1), (17, 5), (3, 1), (3, 3)])
def test_other_parameters_end_elaboration(ways: int, bits: int, tmp_path: Path) -> None:
    (tmp_path / "all.v").write_text(RTL)
    command = ["iverilog", "-g2005", f"-Preplacement.WAYS={ways}", f"-Preplacement.WAY_BITS={bits}", "all.v"]
    done = subprocess.run(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode and "replacement_needs_1_to_16_WAYS" in done.stderr
