# SPDX-License-Identifier: Apache-2.0
"""``python -m formal``: verdicts, exit codes, what it says to mistakes."""

import json
from pathlib import Path

import pytest

from configs import BlockConfig, UserError
from formal import __main__ as command
from formal import catalogue, engine, model, tools
from formal.catalogue import Bug, Proof
from tests.waiting import PATIENCE
from utils.aside import listening

BUG = Bug(
    "fifo.v", "assign in_ready  = !count[COUNT_BITS-1];", "assign in_ready  = 1'b1;", "no_push_when_full"
)
PROOF = next(proof for proof in catalogue.proofs("texcache") if proof.name == "fifo")


def test_table_results_and_traces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["texcache", "--only", "fifo,fifo_traces", "--out", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert "proved" in text and "reached" in text and "full.vcd" in text
    results = json.loads((tmp_path / "results.json").read_text())
    assert [result["verdict"] for result in results] == ["proved", "reached"]
    assert all(Path(trace).exists() for trace in results[1]["traces"])


def test_failure_names_assertion_trace_and_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    good = engine.prove

    def bad(proof: Proof, cfg: object, folder: Path) -> engine.Result:
        return good(proof, cfg, folder, BUG)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "prove", bad)
    assert command.main(["texcache", "--only", "fifo", "--set", "ways=2", "--out", str(tmp_path)]) == 1
    text = capsys.readouterr().out
    assert BUG.fails in text and "fails.vcd" in text
    assert "make prove BLOCK=texcache TEST=fifo SET=ways=2" in text


def test_timeout_is_no_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "smtbmc"
    slow.write_text(f"#!/bin/sh\nexec sleep {PATIENCE}\n")
    slow.chmod(0o755)
    require = tools.require
    monkeypatch.setattr(tools, "require", lambda name: slow if name.endswith("smtbmc") else require(name))
    monkeypatch.setattr(engine, "SECONDS", 1)
    result = engine.prove(PROOF, PROOF.configuration("texcache", None, ""), tmp_path / "run")
    assert result.verdict == "undecided" and not result.good and result.seconds < PATIENCE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "unknown block 'nonsense'"),
        (["texcache", "--only", "nonsense"], "unknown proof 'nonsense' of texcache: choose from"),
        (["texcache", "--config", "nonsense"], "unknown configuration 'nonsense'"),
        (["texcache", "--set", "ways=3"], "must be a power of two"),
        (["texcache", "--only", "axi_read_port"], "nothing to prove .*: axi_read_port is about axi.ids of"),
        (
            ["texcache", "--only", "tag_compare,order", "--config", "conflict-free"],
            "tag_compare is about parity of at most 0, not 1; order is about parity of at most 0, not 1$",
        ),
        (["texcache", "--nonsense"], "--nonsense"),
    ],
)
def test_mistakes(arguments: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        command.main(arguments)


def test_what_a_configuration_has_not_is_left_out_with_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Banks by parity leave a footprint one beat: what is about several of them has nothing to look at."""
    proved = []

    def prove(proof: Proof, cfg: BlockConfig, folder: Path) -> engine.Result:
        proved.append(proof.name)
        return engine.Result(proof, cfg, "proved", 0.0)

    monkeypatch.setattr(engine, "prove", prove)
    assert command.main(["texcache", "--config", "conflict-free", "--out", str(tmp_path)]) == 0
    assert {"fifo", "tag_bank", "conflict_free"} <= set(proved)
    said = capsys.readouterr().out.partition("left out, being about other configurations:\n")[2].splitlines()
    for name in ("tag_compare", "tag_compare_traces", "order", "traces", "order_own_port"):
        assert name not in proved and f"  {name} is about parity of at most 0, not 1" in said


def test_what_cannot_be_read_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def prove(*_: object) -> engine.Result:
        raise model.BuildError("properties.sv:7:9: error: there is no 'done'")

    monkeypatch.setattr(engine, "prove", prove)
    with pytest.raises(UserError, match=r"fifo on tiny.* cannot be read: properties\.sv:7:9: error"):
        command.main(["texcache", "--only", "fifo"])


def test_missing_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    tools.require.cache_clear()
    monkeypatch.setattr(tools, "_search", lambda: "")
    try:
        with pytest.raises(UserError, match="z3 is missing: run 'make setup'"):
            tools.require("z3")
    finally:
        tools.require.cache_clear()


def test_the_first_start_of_yosys_is_announced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    words: list[str] = []
    monkeypatch.setenv("YOWASP_CACHE_DIR", str(tmp_path / "yowasp"))
    monkeypatch.setattr(tools, "require", lambda _: "true")
    with listening(words.append):
        tools.environment()
    assert words == [tools.COMPILING, ""]


def test_bug_must_fit_once(tmp_path: Path) -> None:
    bug = Bug("fifo.v", "not there", "", "")
    with pytest.raises(ValueError, match="occurs 0 times"):
        engine.prove(PROOF, PROOF.configuration("texcache", None, ""), tmp_path / "run", bug)
