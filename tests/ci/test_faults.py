# SPDX-License-Identifier: Apache-2.0
"""``make faults``: the lists, a sample of them each day, faults from elsewhere, the command line."""

import datetime
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import configs
import rtl
from ci.faults import __main__ as command
from ci.faults import catalogue, choice, listed
from ci.faults.catalogue import COMMON, Fault
from ci.faults.verdicts import KILLED, SURVIVED, Verdict, Verdicts
from configs import UserError
from formal import model
from tb.common.components import testcase
from tests.ci.sandbox import ROOT
from utils.files import write_if_changed

LISTS = {name: catalogue.listed(name) for name in catalogue.blocks()}
TODAY = datetime.date.today().toordinal()
SAMPLED = [block for number, block in enumerate(configs.blocks(), TODAY) if number % 3 == 0]
FAULT = 'file = "simple.v"\nfind = "held"\nreplace = "0"\nwhy = "x"\n'


@pytest.mark.parametrize("block", configs.blocks())
def test_each_fault_of_a_list_fits_once_and_names_what_detects_it(block: str) -> None:
    files = {config: rtl.generate(configs.load(block, config or None)) for config in _configs(block)}
    for fault in LISTS[block]:
        if fault.proof:
            assert fault.proof in listed.all_proofs(), fault.name
        else:
            assert fault.planted(files[fault.config]) != files[fault.config]
            cases = testcase.choose(block, list(fault.caught_by), fault.cfg, fault.simulator)
            assert {case.name for case in cases} == set(fault.caught_by)
    assert len({str(fault) for fault in LISTS[block]}) == len(LISTS[block])


def _configs(block: str) -> set[str]:
    return {fault.config for fault in LISTS[block] if not fault.proof}


def test_each_fault_of_a_proof_fits_once() -> None:
    for fault in (fault for faults in LISTS.values() for fault in faults if fault.proof):
        block, proof = listed.all_proofs()[fault.proof]
        assert model.sources(proof, proof.configuration(block, None, ""), listed.bug_of(fault)), fault.name


def test_each_proof_has_a_fault_that_no_bounded_proof_is_too_short_for() -> None:
    faults = [fault for faults in LISTS.values() for fault in faults if fault.proof]
    assert set(listed.all_proofs()) == {fault.proof for fault in faults}
    for fault in faults:
        _, proof = listed.all_proofs()[fault.proof]
        assert proof.method != "bounded" or (fault.depth or 0) <= proof.depth, fault.name


@pytest.mark.parametrize("block", SAMPLED)
def test_a_sample_that_changes_with_the_day_is_detected(block: str) -> None:
    """Up to ten faults that share a simulation, of a block every third day; ``make nightly`` judges all."""
    groups = list(listed.groups(LISTS[block]))
    group = groups[TODAY // 3 % len(groups)]
    verdicts = group.judge(command.ROOT)
    names = ",".join(name for name, verdict in verdicts.items() if verdict.verdict != KILLED)
    assert not names, f"make faults BLOCK={block} TEST={names}: {verdicts}"


@pytest.mark.slow
@pytest.mark.parametrize("block", catalogue.blocks())
def test_proofs_that_changed_detect_their_faults(block: str) -> None:
    """On main the last commit counts, on a branch all its commits; ``make nightly`` judges all faults."""
    rooms = {f"{room}/{name}/" for room in ("configs", "rtl", "formal", "tb") for name in (block, COMMON)}
    edited = any(path.startswith(tuple(rooms - {f"tb/{COMMON}/"})) for path in changed_files())
    for fault in LISTS[block] if edited else []:
        if fault.proof:
            verdict = listed.prove(fault)
            assert verdict.verdict == KILLED, f"make faults BLOCK={block} TEST={fault.name}: {verdict}"


def changed_files() -> list[str]:
    """Paths that differ from the branch ``main`` of origin, or from the commit before if that is HEAD."""
    git = ["git", "-C", str(ROOT)]
    base = subprocess.run([*git, "merge-base", "HEAD", "origin/main"], capture_output=True, text=True).stdout
    head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True).stdout
    base = base.strip() if base.strip() not in ("", head.strip()) else "HEAD~1"
    done = subprocess.run([*git, "diff", "--name-only", base], capture_output=True, text=True)
    return done.stdout.splitlines()


def test_a_fault_that_its_test_does_not_detect_survives() -> None:
    """The design without a change passes, whatever the list says."""
    [fault] = [fault for fault in LISTS["simple"] if fault.name == "tag_bit_ignored"]
    same = Fault(**{**vars(fault), "replace": fault.find + " "})
    verdict = listed._alone(same, command.ROOT / "none")
    assert verdict.verdict == SURVIVED and verdict.by == "test tag_bits"


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
def test_a_fault_becomes_a_choice(find: str, replace: str, before: str, after: str, statement: bool) -> None:
    mutant = choice.choice(7, "top.v", TEXT, TEXT.replace(find, replace), choice.outputs([TEXT]))
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
def test_other_changes_need_a_design_of_their_own(find: str, replace: str) -> None:
    assert choice.choice(1, "top.v", TEXT, TEXT.replace(find, replace), choice.outputs([TEXT])) is None


def test_verdicts_stay_until_the_key_changes(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.db"
    path.write_bytes(b"no database" * 500)  # a damaged file is made again
    for key, before in (("one", {}), ("one", {"a": Verdict(KILLED, "test t", "wrong")}), ("two", {})):
        verdicts = Verdicts(path, key)
        assert verdicts.of == before
        verdicts.put("a", Verdict(KILLED, "test t", "wrong"))
        verdicts.close()


def test_all_judges_are_in_the_key() -> None:
    names = {str(path.relative_to(ROOT)) for path in command.judges("simple").files}
    assert {"ci/faults/regression.py", "tb/simple/env.py", "models/simple/__init__.py"} <= names
    assert {"tb/simple/tests/errors.py", "tb/simple/baseline.json", "configs/simple/tiny.toml"} <= names
    assert not [name for name in names if "icache" in name]


FILE = '''config = "tiny"

[bug.never_ready]
kind = "handshake"
file = "simple.v"
find = "assign req_ready = !held"
replace = "assign req_ready = 1'b0 & !held"
why = "no request is taken"

[bug.nothing]
kind = "harmless"
file = "simple.v"
find = "= !held |"
replace = "= (!held) |"
why = "nothing"
harmless = "brackets"

[bug.one_bit_less]
kind = "width"
file = "simple.v"
find = """
    always @(posedge clk) begin
        if (accept)
            match <= valid[req_set] & tag_read == req_word[13:4];"""
replace = """
    wire [9:0] shorter = tag_read ^ {1'b1, 9'd0} & (tag_read ^ req_word[13:4]);
    always @(posedge clk) begin
        if (accept)
            match <= valid[req_set] & shorter == req_word[13:4];"""
why = "lines that differ in the top bit of the tag are equal"
'''


def test_faults_from_elsewhere_are_judged_by_the_regression(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "ROOT", tmp_path)
    write_if_changed(tmp_path / "mine.toml", FILE)
    argv = ["simple", "--file", str(tmp_path / "mine.toml"), "--jobs", "2"]
    assert command.main(argv) == 0
    shown = capsys.readouterr().out
    assert "score 100.0 %: 3 of 3 faults judged, 2 killed" in shown and "1 change nothing" in shown

    def again(*_: Any, **__: Any) -> None:
        raise AssertionError("judged again")

    monkeypatch.setattr("ci.faults.regression.build", again)
    assert command.main([*argv, "--test", "never_ready"]) == 0
    assert "score 100.0 %: 1 of 3" in capsys.readouterr().out


@pytest.mark.slow
def test_one_generated_fault_leaves_its_verilog_and_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "ROOT", tmp_path)
    assert command.main(["simple", "--mutant", "9", "--jobs", "1"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"make sim BLOCK=simple CONFIG=tiny (TEST=\w+ )?SEED=1 N=300 RTL_DIR=", shown)
    alone = Path(shown.split("RTL_DIR=")[1].strip())
    original = rtl.generate(configs.load("simple", "tiny"))
    assert len([name for name, text in original.items() if (alone / name).read_text() != text]) == 1


def test_the_seed_decides_the_sample(capsys: pytest.CaptureFixture[str]) -> None:
    def shown(*argv: str) -> list[str]:
        assert command.main(["texunit", "--list", *argv]) == 0
        return capsys.readouterr().out.splitlines()

    thirty = shown("--generated", "30")
    assert len(thirty) == 31 and thirty[-1].startswith("30 faults: ")
    assert thirty == shown("--generated", "30") != shown("--generated", "30", "--seed", "2")
    assert set(thirty[:-1]) < set(shown("--generated", "all"))


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["texcash"], "block 'texcash' has no list of faults: choose from dcache, "),
        (["texcash", "--generated", "3"], "unknown block 'texcash'"),
        (["--generated", "3"], "need a block"),
        (["texcache", "--config", "tiny"], "a fault of a list names its own"),
        (["texcache", "--generated", "3", "--config", "huge"], "unknown configuration 'huge'"),
        (["texcache", "--generated", "-1"], "--generated -1: give a number from 1 on, or all"),
        (["texcache", "--mutant", "0"], "--mutant 0: must be 1 to"),
        (["texcache", "--jobs", "0"], "--jobs 0: must be 1 to"),
        (["simple", "--test", "tag_bit_ignord"], "unknown fault .*: did you mean tag_bit_ignored"),
        (["simple", "--test", "x", "--generated", "3"], "--mutant chooses a generated one"),
        (["simple", "--file", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_mistakes(argv: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        command.main(argv)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no fault"),
        ("[a]\n" + FAULT.replace("why", "reason"), "fault a has no why"),
        ("[a]\n" + FAULT + "x = 1\n", "unknown field 'x'"),
        ("[a]\n" + FAULT + "seed = 'x'\n", "seed must be of type int"),
        ("[a]\n" + FAULT, "occurs [0-9]+ times in cacheforge_simple.v, not once"),
        ("[a]\n" + FAULT.replace("simple.v", "none.v"), "there is no file none.v"),
    ],
)
def test_a_wrong_file_is_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(UserError, match=message):
        command.main(["simple", "--file", str(tmp_path / "mine.toml")])
