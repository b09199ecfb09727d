# SPDX-License-Identifier: Apache-2.0
"""Every planted bug is caught by the tests that the catalogue names, and for the reason it gives."""

import re

import pytest

import configs
import rtl
from tb.common.running import builds, runner
from tests.tb import held
from tests.tb.planted import (
    BLOCKS,
    CHECKERS,
    ROOT,
    Bug,
    Group,
    Place,
    by_place,
    catalogue,
    groups,
    main,
    without_bugs,
)

BUGS = catalogue()


@pytest.mark.parametrize("group", groups(), ids=str)
def test_the_bugs_are_caught(group: Group) -> None:
    outcomes = group.run(ROOT)
    assert list(outcomes) == [bug.name for bug in group.bugs]
    for bug in group.bugs:
        check(bug, outcomes[bug.name])


@pytest.mark.parametrize("place", by_place(), ids="-".join)
def test_the_design_that_holds_them_passes_the_same_tests_without(place: Place) -> None:
    outcomes = without_bugs(place, ROOT)
    failures = [outcome for outcome in outcomes if outcome.verdict != "passed"]
    assert outcomes and not failures, "\n".join(f"{one.test}: {one.message}" for one in failures)


def check(bug: Bug, outcomes: list[runner.Outcome]) -> None:
    """All tests of the bug have failed, for the right reason."""
    assert [outcome.test for outcome in outcomes] == bug.tests
    for outcome in outcomes:
        assert outcome.verdict == "failed", f"{bug.name} ({bug.why}) passes {outcome.test}: {outcome.repro}"
        assert outcome.error in CHECKERS, f"{bug.name}: {outcome.message}"
        assert re.search(bug.says, outcome.message), f"{bug.name}: {outcome.message}"
        assert f"TEST={outcome.test} SEED={bug.seed}" in outcome.repro


def test_every_bug_is_in_one_group() -> None:
    assert [bug for group in groups() for bug in group.bugs] and sorted(
        (bug.block, bug.name) for group in groups() for bug in group.bugs
    ) == sorted((bug.block, bug.name) for bug in BUGS)


TEXT = """module top (input wire clk, input wire [3:0] a, output reg [3:0] y);
    wire [3:0] b = a + 4'd1;
    wire below = $signed(a) < 4'sd0;
    always @(posedge clk) begin
        if (a[0]) y <= b;
        y[3] <= 1'b0;
    end
    wire [1:0] p, q, r;
    part first (
        .in(p),
        .out(q),
        .other(r)
    );
    stranger second (.in(p));
endmodule

module part (
    input  wire [1:0] in, // an input
    output wire [1:0] out, // an output
    output reg  [1:0] other
);
endmodule
"""


@pytest.mark.parametrize(
    ("find", "replace", "before", "after", "statement"),
    [
        ("a + 4'd1", "a - 4'd1", "a + 4'd1", "a - 4'd1", False),
        ("4'd1", "4'd2", "4'd1", "4'd2", False),
        ("if (a[0]) y <= b;", "y <= b;", "if (a[0]) y <= b;", "y <= b;", True),
        ("y[3] <=", "y[2] <=", "y[3] <= 1'b0;", "y[2] <= 1'b0;", True),
        (".in(p),", ".in(r),", "p", "r", False),
        ("4'sd0", "4'd0", "$signed(a) < 4'sd0", "$signed(a) < 4'd0", False),
    ],
)
def test_a_bug_becomes_a_choice(find: str, replace: str, before: str, after: str, statement: bool) -> None:
    mutant = held.choice(7, "top.v", TEXT, TEXT.replace(find, replace), held.outputs([TEXT]))
    assert mutant and (mutant.id, mutant.statement) == (7, statement)
    assert (TEXT[mutant.start : mutant.end], mutant.after) == (before, after)


@pytest.mark.parametrize(
    ("find", "replace"),
    [
        ("[3:0] b", "[2:0] b"), ("posedge", "negedge"), ("<= b;", "<= ;"),
        (".out(q)", ".out(r)"), (".other(r)", ".other({q})"), (".other(r)", ".other(r[1:0])"),
        ("stranger second (.in(p))", "stranger second (.in(q))"), ("part first (", "stranger first ("),
    ],
)  # fmt: skip
def test_what_is_no_choice_needs_a_design_of_its_own(find: str, replace: str) -> None:
    assert held.choice(1, "top.v", TEXT, TEXT.replace(find, replace), held.outputs([TEXT])) is None


def test_a_bug_in_what_an_output_is_connected_to_does_not_spoil_the_design_of_all() -> None:
    files = rtl.generate(configs.load("texunit", "small"))
    changed = rtl.plant(
        files, "cacheforge_texunit_unit.v", ".out_valid(texels_valid),", ".out_valid(lod_ready),"
    )
    ports = held.outputs(files.values())
    assert {"out_valid", "out_texels", "in_ready"} == ports["cacheforge_texunit_address"]
    before, after = files["cacheforge_texunit_unit.v"], changed["cacheforge_texunit_unit.v"]
    assert held.choice(1, "cacheforge_texunit_unit.v", before, after, ports) is None


@pytest.mark.parametrize(
    "block", [block for block in configs.blocks() if (builds.ROOT / "tb" / block / "env.py").is_file()]
)
def test_there_are_enough_of_different_kinds(block: str) -> None:
    mine = [bug for bug in BUGS if bug.block == block]
    assert len(mine) >= 12
    assert len({bug.kind for bug in mine}) >= 6


def test_both_simulators_take_part() -> None:
    assert {bug.simulator for bug in BUGS} == set(builds.SIMULATORS)
    assert {bug.block for bug in BUGS} == set(BLOCKS)


def test_a_bug_that_no_longer_fits_is_an_error() -> None:
    bug = Bug(
        block="texcache", name="x", kind="none", file="fifo.v", find="no such text", replace="", why="",
        says="", tests=[],
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"'no such text' occurs 0 times in cacheforge_fifo\.v, not once"):
        bug.plant(ROOT)


def test_bugs_of_a_block_that_has_none_are_refused() -> None:
    with pytest.raises(configs.UserError, match="no planted bugs of 'nope': choose among dcache, "):
        main(["nope"])
    with pytest.raises(configs.UserError, match="unknown bug 'lerp_with_wrong_sign'"):  # one of texunit's
        main(["simple", "--test", "lerp_with_wrong_sign"])


def test_an_unknown_name_is_answered_with_one_like_it() -> None:
    with pytest.raises(
        configs.UserError, match="unknown bug 'stores_count_erly': did you mean stores_count_early"
    ):
        main(["--test", "stores_count_erly"])
