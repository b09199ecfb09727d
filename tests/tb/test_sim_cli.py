# SPDX-License-Identifier: Apache-2.0
"""``python -m tb sim``: exit codes, what people read, what is left behind, and that a seed repeats a run."""

import contextlib
import fcntl
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rtl
from ci.faults import catalogue
from configs import UserError, load
from tb import __main__ as tb_command
from tb.common.components import testcase
from tb.common.coverage import data as coverage_data
from tb.common.running import baseline, builds, runner, settings, sim_cli
from tb.common.running.builds import ROOT
from tests.waiting import until

TINY = ["texcache", "--config", "tiny", "--sim", "icarus"]


def folder(shown: str) -> Path:
    match = re.search(r"results +(\S+)$", shown, re.MULTILINE)
    assert match, shown
    return Path(match[1])


def faulty(name: str) -> Path:
    """Verilog of texcache that delivers a wrong texel, in a folder of its own."""
    [fault] = catalogue.choose(catalogue.listed("texcache"), ["texels_swapped"], ROOT)
    return fault.write(builds.BUILD / "faults" / name)


def test_a_run_that_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert sim_cli.main([*TINY, "--test", "lru_order,smoke", "--seed", "21", "-n", "50"]) == 0
    shown = capsys.readouterr().out
    assert "PASSED  2 tests passed, 0 failed" in shown
    assert shown.startswith("icarus: first test passed (smoke); 1 to go\n")
    for part in ("accesses checked", "hit rate", "functional coverage", "smoke", "lru_order"):
        assert part in shown
    summary = json.loads((folder(shown) / "results.json").read_text())
    assert summary["totals"]["passed"] == 2
    assert summary["totals"]["checked"] > 50
    assert (folder(shown) / "smoke.log").read_text()
    cases = ElementTree.parse(folder(shown) / "junit.xml").getroot().iter("testcase")
    named = [(case.get("classname"), case.get("name"), len(case)) for case in cases]
    assert named == [("texcache.tiny.icarus", test, 0) for test in ("lru_order", "smoke")]


def test_simulations_side_by_side_do_what_one_does(tmp_path: Path) -> None:
    cfg = load("simple", "tiny")
    made = builds.build(cfg, "verilator")
    tests = testcase.choose("simple", [], cfg, "verilator")
    alone, shared = (
        runner.run(made, tests, seed=1, count=40, folder=tmp_path / str(jobs), jobs=jobs) for jobs in (1, 3)
    )
    assert [outcome.test for outcome in shared.outcomes] == [test.name for test in tests]
    assert shared.passed
    for test in (test.name for test in tests):
        ours, theirs = ({**run.kept[test]["summary"], "seconds": 0} for run in (shared, alone))
        assert ours == theirs
        assert shared.log(test) == alone.log(test)
    assert len(list(shared.folder.glob("part*"))) == 3
    assert (shared.folder / "simulation.log").read_text().count("** TESTS=") == 3


def test_a_simulator_of_several_that_ends_fails_its_own_tests(tmp_path: Path) -> None:
    cfg = load("simple", "tiny")
    made = builds.build(cfg, "verilator")
    tests = testcase.choose("simple", [], cfg, "verilator")
    run = runner.run(made, tests, seed=1, count=40, folder=tmp_path / "run", jobs=2, seconds=0)
    assert all("was stopped after 0 s of CPU" in outcome.message for outcome in run.outcomes)
    assert len(run.outcomes) == len(tests)


def test_a_failure_says_what_where_and_how_to_repeat_it(capsys: pytest.CaptureFixture[str]) -> None:
    verilog = faulty("cli")
    argv = ["texcache", "--sim", "icarus", "--test", "smoke", "--seed", "22", "--rtl-dir", str(verilog)]
    assert sim_cli.main(argv) == 1
    shown = capsys.readouterr().out
    assert "FAILED smoke on icarus" in shown
    assert re.search(r"res in cycle \d+, footprint \d+ .*\n +texel1: expected 0x\w+, got 0x\w+", shown)
    assert "(0 of" not in shown.split("repeat:")[0]
    repeat = re.search(r"repeat: (make sim .*)$", shown, re.MULTILINE)
    assert repeat
    again = subprocess.run(shlex.split(repeat[1]), cwd=ROOT, capture_output=True, text=True)
    assert again.returncode == 2  # make's, for any failure
    first = re.search(r"res in cycle .*", shown)
    assert first
    assert first[0] in again.stdout
    failure = ElementTree.parse(folder(shown) / "junit.xml").getroot().find(".//failure")
    assert failure is not None and failure.get("message") == first[0]
    assert f"repeat: {repeat[1]}" in (failure.text or "")


def test_a_wrong_read_address_is_told_at_its_burst(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The first wrong value comes 70 cycles later."""
    files = rtl.generate(load("simple", "tiny"))
    wrong = [
        (name, text.replace("m_axi_araddr  = place;", "m_axi_araddr  = place ^ 16'h400;"))
        for name, text in files.items()
    ]
    rtl.write_files(tmp_path, dict(wrong))
    argv = ["simple", "--config", "tiny", "--sim", "icarus", "--test", "smoke", "--rtl-dir", str(tmp_path)]
    assert sim_cli.main(argv) == 1
    shown = capsys.readouterr().out
    assert re.search(r"fill in cycle 7, request 0 .*\n +address: expected 0x\w+, got 0x\w+\n", shown)
    assert "not hit:" not in shown


def test_exact_figures_are_compared(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A test that takes another cycle than the baseline says fails, and FIGURES=any lets it pass."""
    argv = ["simple", "--config", "tiny", "--sim", "icarus", "--test", "smoke,quiet"]
    assert sim_cli.main(argv) == 0
    assert "2 of 2 tests equal the baseline" in capsys.readouterr().out
    count = baseline.count_of("simple", "tiny", 1)
    key = baseline.name_of("tiny", "smoke", 1, count or 0)
    expected = baseline.load("simple")
    expected[key] = {**expected[key], "cycles": expected[key]["cycles"] + 1}
    monkeypatch.setattr(baseline, "load", lambda _: expected)
    assert sim_cli.main(argv) == 1
    shown = capsys.readouterr().out
    assert "FAILED smoke on icarus" in shown and "1 test passed, 1 failed" in shown
    assert re.search(rf"{key}: cycles [\d,]+ -> [\d,]+\n +exact figures differ; .*make baseline", shown)
    assert sim_cli.main([*argv, "--figures", "any"]) == 0
    assert "not compared with a baseline" in capsys.readouterr().out


@pytest.mark.slow
def test_figures_are_kept_of_what_was_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """FIGURES=keep writes the lines of its tests and leaves the others; a run that fails writes none."""
    path, before = tmp_path / "baseline.json", baseline.load("simple")
    count = baseline.count_of("simple", "tiny", 1)
    smoke, quiet = (baseline.name_of("tiny", test, 1, count or 0) for test in ("smoke", "quiet"))
    other = {name: figures for name, figures in before.items() if name != quiet}
    path.write_text(baseline.text(other | {smoke: {**before[smoke], "cycles": 1}}))
    monkeypatch.setattr(baseline, "path_of", lambda _: path)
    argv = ["simple", "--config", "tiny", "--sim", "icarus", "--test", "smoke,quiet"]
    assert sim_cli.main(argv) == 1
    assert baseline.load("simple")[smoke]["cycles"] == 1
    assert sim_cli.main([*argv, "--figures", "keep"]) == 0
    shown = capsys.readouterr().out
    assert f"{quiet}: new" in shown and f"{smoke}: cycles 1 -> " in shown
    assert baseline.load("simple") == before


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["-n", "17"], "no run CONFIG=tiny SEED=1 N=17 in .*: CONFIG="),
        (["--rtl-dir", "somewhere"], "not those of other Verilog"),
        (["--set", "cache.address_bits=20"], "no run CONFIG="),
    ],
)
def test_only_figures_of_the_regression_are_kept(more: list[str], words: str) -> None:
    """The file holds fixed runs of the block's own Verilog."""
    with pytest.raises(UserError, match=words):
        sim_cli.main(["simple", "--config", "tiny", "--test", "smoke", "--figures", "keep", *more])


def test_simulators_that_differ_keep_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A line holds for both."""
    path = tmp_path / "baseline.json"
    monkeypatch.setattr(baseline, "path_of", lambda _: path)
    monkeypatch.setattr(baseline, "figures", lambda *given: given[-1])
    first, second = ({"tiny/smoke/1/9": {"cycles": cycles}} for cycles in (7, 8))
    results: Any = [
        SimpleNamespace(simulator=name, kept=kept)
        for name, kept in (("icarus", first), ("verilator", second))
    ]
    with pytest.raises(UserError, match="from icarus to verilator:\ntiny/smoke/1/9: cycles 7 -> 8"):
        baseline.keep("simple", "tiny", 1, 9, results)
    assert not path.exists()


def test_a_run_has_its_folder_to_itself_up_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the same at the same time waits."""

    class Reached(Exception):
        pass

    def save(_: object, path: Path) -> None:
        with (path.parents[1] / f".{path.parent.name}.lock").open() as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        raise Reached

    monkeypatch.setattr(coverage_data, "save", save)
    with pytest.raises(Reached):
        sim_cli.main([*TINY, "--test", "smoke", "--seed", "25", "-n", "60"])


@pytest.mark.slow
def test_the_same_seed_the_same_log_another_seed_another() -> None:
    logs = []
    for seed, label in (("23", "a"), ("24", "b"), ("23", "c")):
        argv = [*TINY, "--test", "smoke,random_everything", "--seed", seed, "-n", "60"]
        done = subprocess.run(
            [sys.executable, "-m", "tb", "sim", *argv], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{label}: {done.stdout}{done.stderr}"
        logs.append((folder(done.stdout) / "random_everything.log").read_text())
    assert logs[0] == logs[2] != logs[1]


@pytest.mark.slow
def test_a_test_does_alone_what_it_does_behind_others() -> None:
    """With this seed synchronizers are late at random: they draw the same, whatever was before."""
    logs = []
    for tests in ("stage_cycles", "smoke,stage_cycles"):
        argv = ["texunit", "--config", "one-unit", "--test", tests, "--seed", "2", "-n", "60"]
        done = subprocess.run(
            [sys.executable, "-m", "tb", "sim", *argv], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{tests}: {done.stdout}{done.stderr}"
        logs.append((folder(done.stdout) / "stage_cycles.log").read_text())
    assert logs[0] == logs[1]


@pytest.mark.slow
def test_waveforms(capsys: pytest.CaptureFixture[str]) -> None:
    assert sim_cli.main([*TINY, "--test", "smoke", "--seed", "25", "--waves"]) == 0
    shown = capsys.readouterr().out
    match = re.search(r"waveforms +(\S+)$", shown, re.MULTILINE)
    assert match
    assert Path(match[1]).stat().st_size > 1000
    for command in ("gtkwave", "surfer --command-file"):
        view = re.search(rf"in \w+: +{command} (\S+)$", shown, re.MULTILINE)
        assert view and Path(match[1]).name in Path(view[1]).read_text()


@pytest.mark.parametrize("waves", [["--waves"], []])
def test_a_failure_asks_for_waveforms_unless_they_are_there(
    waves: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    verilog = faulty(f"cli{'_recorded' if waves else '_alone'}")
    argv = ["texcache", "--sim", "icarus", "--test", "smoke", "--seed", "27", "--rtl-dir", str(verilog)]
    assert sim_cli.main([*argv, *waves]) == 1
    shown = capsys.readouterr().out
    match = re.search(r"look at: \S+/simulation.log, smoke.log(.*)$", shown, re.MULTILINE)
    assert match and match[1] == ("" if waves else "; or repeat with WAVES=1")
    assert ("gtkwave " in shown) == bool(waves), "what failed was recorded"


def test_options_with_blanks_come_back_from_the_command_that_repeats_them(tmp_path: Path) -> None:
    steer = {"distribution": "three bytes", "request": "slow", "beside": "reset gpu"}
    cfg = load("texunit", "small", ["ways=2"])
    made = builds.Build(cfg, "verilator", tmp_path, (), coverage=False, waves=False)
    words = shlex.split(runner.repro_command(made, 7, 60, tmp_path / "a b", steer).format(test="steered"))
    assert words[:2] == ["make", "sim"]
    said = dict(word.split("=", 1) for word in words[2:])
    assert sim_cli.steering(said.pop("STEER")) == steer
    assert said == {
        "BLOCK": "texunit", "CONFIG": "small", "SET": "cache.ways=2", "SIM": "verilator", "TEST": "steered",
        "SEED": "7", "N": "60", "RTL_DIR": str(tmp_path / "a b"),
    }  # fmt: skip
    assert sim_cli.steering("  ") == {}


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["texcache", "--steer", "memory=jitter"], "for the test 'steered' alone"),
        (["texcache", "--test", "steered", "--steer", "memory"], "write it as knob=option"),
        (
            ["texcache", "--test", "steered", "--steer", "nope=1"],
            "unknown knob 'nope' of texcache: choose from",
        ),
        (
            ["texcache", "--test", "steered", "--steer", "memory=three bytes"],
            "memory has no option 'three bytes'",
        ),
        (["nope"], "invalid choice|unknown block 'nope'"),
        (["texcache", "--config", "nope"], "no preset 'nope'|unknown preset|nope"),
        (["texcache", "--sim", "nope"], "unknown simulator 'nope': choose verilator, icarus or both"),
        (["texcache", "--test", "smoke,nope"], "unknown test 'nope' of texcache: choose from"),
        (
            ["texcache", "--config", "single-bank", "--test", "small_level_latency"],
            "does not apply to .* needs",
        ),
        (["texcache", "--seed", "0"], "--seed 0: must be 1 to"),
        (["texcache", "-n", "0", "--test", "smoke"], "-n 0: must be 1 to 10000000"),
        (["texcache", "--sim", "icarus", "--cov"], "code coverage comes from verilator"),
        (["texcache", "--rtl-dir", "/nowhere"], "/nowhere: no such folder"),
        (["texcache", "--set", "ways=3"], "ways"),
    ],
)
def test_bad_input_is_named(argv: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        sim_cli.main(argv)
    except UserError as error:
        assert re.search(message, str(error)), error
    except SystemExit as stop:
        assert stop.code == 2
        assert re.search(message, capsys.readouterr().err)
    else:
        pytest.fail("accepted")


def test_verilog_of_other_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no Verilog there"):
        sim_cli.main(["texcache", "--rtl-dir", str(tmp_path)])
    (tmp_path / "x.v").write_text("module x; endmodule\n")
    with pytest.raises(UserError, match="no file declares module cacheforge_texcache"):
        sim_cli.main(["texcache", "--rtl-dir", str(tmp_path)])
    (tmp_path / "x.v").write_text("module cacheforge_texcache; this is no Verilog\n")
    with pytest.raises(UserError, match="icarus cannot compile"):
        sim_cli.main(["texcache", "--sim", "icarus", "--rtl-dir", str(tmp_path)])


def test_the_list_of_tests(capsys: pytest.CaptureFixture[str]) -> None:
    assert sim_cli.main(["texcache", "--list"]) == 0
    shown = capsys.readouterr().out
    assert "smoke " in shown
    assert shown.count("\n") > 40


def simulators_of(seed: int) -> list[int]:
    """Processes that run a simulation of this checkout with this seed, by what Linux tells about them."""
    run = re.compile(rf"^{settings.VARIABLE}={re.escape(str(builds.BUILD))}/.*-seed{seed}-".encode())
    pids = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if any(run.match(variable) for variable in path.read_bytes().split(b"\0")):
                pids.append(int(path.parent.name))
    return pids


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux to end children with their parent")
def test_a_killed_run_leaves_no_simulator_behind() -> None:
    seed = 987_654
    command = [sys.executable, "-m", "tb", "sim", *TINY, "--seed", str(seed), "-n", "1000000"]
    run = subprocess.Popen([*command, "--test", "random_everything"], cwd=ROOT, stdout=subprocess.DEVNULL)
    until(lambda: simulators_of(seed) or run.poll() is not None, "the simulator begins")
    assert run.poll() is None
    run.kill()
    run.wait()
    until(lambda: not simulators_of(seed), "the simulator ends")


def processes_with(words: str) -> list[int]:
    """Processes whose command line has these words in it."""
    pids = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if words.encode() in path.read_bytes():
                pids.append(int(path.parent.name))
    return pids


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux to end children with their parent")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_build_leaves_no_compiler_behind(how: signal.Signals, tmp_path: Path) -> None:
    program = (
        "import os, pathlib, signal; from configs import load; from tb.common.running import builds; "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "
        "builds.build(load('texcache', 'tiny'), 'verilator', root=pathlib.Path(os.environ['FOLDER']))"
    )
    environment = {**os.environ, "FOLDER": str(tmp_path), "PYTHONPATH": str(ROOT)}
    run = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, env=environment, stderr=subprocess.PIPE)
    until(lambda: processes_with(str(tmp_path)) or run.poll() is not None, "the compiler begins")
    assert run.poll() is None
    run.send_signal(how)
    run.communicate()
    until(lambda: not processes_with(str(tmp_path)), "the compiler ends")
    programs = [path for path in tmp_path.rglob("*") if path.is_file() and os.access(path, os.X_OK)]
    assert not programs, f"the compiler went on until it was done: {programs}"


def test_the_command_names_what_only_some_blocks_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert tb_command.main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"^  frame texunit +a picture out of the RTL, beside", shown, re.MULTILINE)
    assert re.search(r"^  run lpas +a program of the PEs", shown, re.MULTILINE)
    with pytest.raises(UserError, match="frame: simple has no such command: choose among renderer, texpipe"):
        tb_command.main(["frame", "simple"])
