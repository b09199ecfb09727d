# SPDX-License-Identifier: Apache-2.0
"""The Makefile: help, how variables reach the command lines, and what it says to mistakes."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.ci.sandbox import ROOT, Sandbox
from utils.processes import use_build

MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE)
VARIABLES = re.findall(r"^([A-Z_]+) \?= ?(.*)$", MAKEFILE, re.MULTILINE)
PRINT_ARGUMENTS = '#!/bin/bash\nprintf "<%s>" "$@"\necho\nexit $(cat exit-code 2>/dev/null || echo 0)\n'


@pytest.fixture
def box(tmp_path: Path) -> Sandbox:
    """A set-up project whose Python prints its arguments, one pair of brackets each."""
    sandbox = Sandbox(tmp_path)
    (tmp_path / "ci/setup.sh").write_text('echo "setup $*"\n')
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / "python").mkdir()
    python = tmp_path / ".venv/bin/python"
    python.write_text(PRINT_ARGUMENTS)
    python.chmod(0o755)
    return sandbox


def lines(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("arguments", [(), ("help",), ("SIM=icarus",)])
def test_help_names_targets_variables_and_defaults(box: Sandbox, arguments: tuple[str, ...]) -> None:
    text = "\n".join(lines(box.make(*arguments)))
    assert {"setup", "sim", "test", "trace", "report", "rtl", "lint", "bench", "clean"} <= set(TARGETS)
    for target in TARGETS:
        assert re.search(rf"^  {target} +\S", text, re.MULTILINE), f"no help for {target}"
    for name, default in VARIABLES:
        assert re.search(rf"^  {name}={default} +\S", text, re.MULTILINE), f"no help for {name}={default}"


def test_make_has_nothing_to_complain_of(box: Sandbox) -> None:
    """Like a target that is there twice."""
    assert box.make().stderr == ""


def test_sim_alone_verifies_texcache_on_verilator(box: Sandbox) -> None:
    setup, command = lines(box.make("sim"))
    assert setup.split() == ["setup"]
    assert command == "<-m><tb><sim><texcache><--sim><verilator><--seed><1>"


@pytest.mark.parametrize("given", [("FULL=1", "JOBS=2"), ("-j2", "FULL=1"), ("--silent", "TEST=ci")])
def test_a_test_that_calls_make_is_not_given_the_variables_of_the_call(
    box: Sandbox, given: tuple[str, ...]
) -> None:
    python = box.root / ".venv/bin/python"
    nested = "[[ $2 != pytest ]] || { env; exec make sim SEED=3; }"
    python.write_text(PRINT_ARGUMENTS.replace("\n", f"\n{nested}\n", 1))
    shown = lines(box.make("test", *given, SIM="icarus"))
    assert shown[-1] == "<-m><tb><sim><texcache><--sim><verilator><--seed><3>"
    names = {line.partition("=")[0] for line in shown}
    assert "PATH" in names and not names & {name for name, _ in VARIABLES}


def test_lint_looks_at_everything_or_at_what_is_named(box: Sandbox) -> None:
    assert lines(box.make("lint"))[-1] == "<-m><ci.lint>"
    assert len(lines(box.make("lint"))) == 4
    _, command = lines(box.make("lint", "RTL_DIR=mine", "BLOCK=texunit"))  # and no Python
    assert command == "<-m><ci.lint><texunit><--rtl-dir><mine>"


def test_values_arrive_unharmed(box: Sandbox) -> None:
    hostile = 'it\'s; echo "$HOME" `id` * $(shell touch made) $(error no) ${X} $$'
    given = ("SET=ways=2 banks=1", f"RTL_DIR={hostile}", "N=5", "WAVES=1", "SIM=both")
    setup, command = lines(box.make("sim", *given))
    assert setup == "setup icarus waves"
    assert "<--set><ways=2 banks=1>" in command
    assert f"<--rtl-dir><{hostile}>" in command and not (box.root / "made").exists()
    assert "<-n><5>" in command and "<--waves>" in command and "--cov" not in command


def test_variables_of_the_environment_count_too(box: Sandbox) -> None:
    _, command = lines(box.make("sim", SIM="icarus"))
    assert "<--sim><icarus>" in command


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("frame", "FULL=1", "TIER=smoke"), "'make frame' does not use FULL TIER: it uses BLOCK CONFIG SET "),
        (("sim", "lint", "FAMILY=xc7"), "'make sim lint' does not use FAMILY: it uses BLOCK CONFIG SET SIM"),
        (("test", "BLOCK=texcache"), "'make test' does not use BLOCK: it uses TEST FULL JOBS PYTHON."),
        (("clean", "FULL=1"), "'make clean' does not use FULL: it uses no variable."),
    ],
)
def test_a_variable_that_is_not_used_is_a_mistake(
    box: Sandbox, arguments: tuple[str, ...], message: str
) -> None:
    done = box.make(*arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert message in done.stderr and len(done.stderr.splitlines()) == 1


def test_every_variable_is_used_somewhere(box: Sandbox) -> None:
    read = box.run("awk", "-v", f"goals={' '.join(TARGETS)}", "-f", "ci/help.awk", "Makefile")
    assert lines(read) == [name for name, _ in VARIABLES]
    help_ = "\n".join(lines(box.make()))
    assert "  WAVES=0                sim: " in help_ and "  TRACE=                 trace: " in help_


def test_lists_are_a_flag(box: Sandbox) -> None:
    assert lines(box.make("sim", "LIST=1"))[-1].endswith("<--list>")
    assert lines(box.make("prove", "LIST=1"))[-1] == "<-m><formal><texcache><--list>"
    assert lines(box.make("faults", "LIST=1"))[-1].endswith("<--list>")
    assert lines(box.make("rtl", "LIST=1"))[-1] == "<-m><rtl><list>"
    assert lines(box.make("rtl", "LIST=1", "BLOCK=simple"))[-1] == "<-m><rtl><list><simple>"
    listed = lines(box.make("run", "LIST=1"))[-1]
    assert listed.startswith("<-m><workloads.simt>") and listed.endswith("<--list>")
    assert lines(box.make("run", "LIST=1", "RTL=1"))[-1] == listed, "the same programs"


def test_docs_and_help_name_commands_that_run_as_they_stand() -> None:
    pages = [ROOT / "README.md", ROOT / "Makefile", *(ROOT / "docs").glob("*.md")]
    for page in pages:
        for line in page.read_text().splitlines():
            assert not re.search(r"(?<!\.venv/bin/)python -m", line), f"{page}: {line}"


def test_scenes_and_views_reach_their_commands(box: Sandbox) -> None:
    (box.root / "tb/drawer/commands").mkdir(parents=True)
    (box.root / "tb/drawer/commands/frame.py").write_text("")
    assert lines(box.make("frame"))[-1] == "<-m><tb><frame><drawer><--seed><1>"
    chosen = ("SCENE=my level.obj", "VIEW=3", "CAMERAS=c.json", "SIZE=64x48", "FILTER=nearest", "DEPTH=late")
    told = "<--scene><my level.obj><--view><3><--cameras><c.json><--size><64x48><--filter><nearest>"
    told += "<--depth><late>"
    assert lines(box.make("frame", *chosen))[-1] == f"<-m><tb><frame><drawer>{told}<--seed><1>"
    capture = lines(box.make("capture", "BLOCK=texunit", *chosen, "ORDER=scan", "OUT=a.csv"))[-1]
    assert capture == f"<-m><workloads><capture><texunit>{told}<--order><scan><--out><a.csv>"
    assert lines(box.make("pattern", "PATTERN=edges", "N=5"))[-1] == (
        "<-m><workloads><pattern><edges><-n><5><--seed><1>"
    )
    assert lines(box.make("texture", "TEXTURE=a.png"))[-1] == "<-m><workloads><texture><a.png>"
    assert lines(box.make("workloads"))[-1] == "<-m><workloads><list>"
    for target, name in (("pattern", "PATTERN"), ("texture", "TEXTURE")):
        done = box.make(target)
        assert done.returncode == 2 and f"make {target} {name}=" in done.stderr


def test_verilog_is_that_of_all_blocks_or_of_one(box: Sandbox) -> None:
    assert lines(box.make("verilog"))[-1] == "<-m><rtl><release>"
    assert (
        lines(box.make("verilog", "BLOCK=simple", "OUT=a b"))[-1] == "<-m><rtl><release><simple><--out><a b>"
    )
    done = box.make("verilog", "CONFIG=tiny")
    assert done.returncode == 2 and "'make verilog' does not use CONFIG: it uses BLOCK OUT" in done.stderr


def test_trace_needs_a_file(box: Sandbox) -> None:
    done = box.make("trace")
    assert done.returncode == 2
    assert "no trace given: make trace TRACE=file.csv (or .npz; docs/traces.md says" in done.stderr
    for block, page in (("texunit", "texunit_traces"), ("texpipe", "texunit_traces"), ("simple", "traces")):
        done = box.make("trace", f"BLOCK={block}")
        assert done.returncode == 2
        assert f"make trace BLOCK={block} TRACE=file.csv (or .npz; docs/{page}.md says" in done.stderr
    assert lines(box.make("trace", "TRACE=a b.csv"))[-1].startswith("<-m><tb><trace><texcache>")
    assert lines(box.make("trace", "TRACE=a.npz", "CSV=1"))[-1].endswith("<--csv>")
    assert "<--trace><a b.csv>" in lines(box.make("trace", "TRACE=a b.csv"))[-1]


def test_report_measures_first(box: Sandbox) -> None:
    setup, measure, report = lines(box.make("report", "OUT=there", "BLOCK=texunit"))
    assert setup == "setup mesa"
    assert measure.startswith("<-m><tb><measure><texunit>") and measure.endswith("<--report><there>")
    assert report == "<-m><report><texunit><--out><there>"
    for room in ("common", "one", "two"):
        (box.root / "tb" / room / "measuring").mkdir(parents=True)
    found = [line.partition("><--")[0] for line in lines(box.make("report"))[1:]]
    assert found == [
        "<-m><tb><measure><one",
        "<-m><report><one>",
        "<-m><tb><measure><two",
        "<-m><report><two>",
    ]
    assert "<texcache>" in lines(box.make("report", "CONFIG=large"))[1], "a configuration is BLOCK's"


def test_a_scene_of_ones_own_is_reported_by_the_blocks_that_draw(box: Sandbox) -> None:
    for block in ("one", "two", "three", "four"):
        if block != "four":  # nothing is measured of it
            (box.root / "tb" / block / "measuring").mkdir(parents=True)
            kind = "Measurement" if block == "two" else "SceneMeasurement"
            (box.root / "tb" / block / "measuring" / "__init__.py").write_text(f"import {kind}\n")
    scene = "SCENE=my level.obj"
    found = lines(box.make("report", scene, "VIEW=0,2", "SIZE=64x48", "QUICK=1"))[1:]
    assert found == [
        line
        for block in ("one", "three")
        for line in (
            f"<-m><tb><measure><{block}><--scene><my level.obj><--view><0,2><--size><64x48><--seed><1>"
            "<--quick>",
            f"<-m><report><{block}><--scene><my level.obj>",
        )
    ]
    assert len(lines(box.make("report", scene, "BLOCK=three", "OUT=there"))) == 3
    late = lines(box.make("report", "DEPTH=late"))[1:]
    assert late == [
        line
        for block in ("one", "three")
        for line in (f"<-m><tb><measure><{block}><--depth><late><--seed><1>", f"<-m><report><{block}>")
    ]
    done = box.make("report", "DEPTH=late", "BLOCK=two")
    assert done.returncode == 2 and "BLOCK=two draws no scenes" in done.stderr
    done = box.make("report", scene, "BLOCK=two")
    assert done.returncode == 2 and "BLOCK=two draws no scenes: choose among one three" in done.stderr
    done = box.make("report", "VIEW=1")
    assert done.returncode == 2 and "make report SCENE=level.obj" in done.stderr


def test_programs_run_on_the_block_that_has_such(box: Sandbox) -> None:
    for block in ("mmu", "array"):
        (box.root / "tb" / block / "commands").mkdir(parents=True, exist_ok=True)
        (box.root / "tb" / block / "commands/run.py").write_text("")
    told = "--seed><1><--blocks><1><--schedule><round-robin>"
    assert lines(box.make("run", "PROGRAM=fft"))[-1] == f"<-m><workloads.simt><fft><{told}"
    assert lines(box.make("run", "PROGRAM=fft", "RTL=1"))[-1] == f"<-m><tb><run><mmu><fft><{told}"
    assert (
        lines(box.make("run", "PROGRAM=fft", "RTL=1", "BLOCK=mmu"))[-1] == f"<-m><tb><run><mmu><fft><{told}"
    )
    chosen = ("PROGRAM=my own.pe", "RTL=1", "IMAGE=a b.png", "CONFIG=fs", "OUT=there")
    assert lines(box.make("run", "BLOCK=array", *chosen))[-1] == (
        "<-m><tb><run><array><my own.pe><--image><a b.png><--seed><1><--out><there><--config><fs><--rtl>"
    )
    assert lines(box.make("run", "BLOCK=array", "LIST=1"))[-1] == "<-m><tb><run><array><><--seed><1><--list>"
    # it says itself which programs there are
    assert lines(box.make("run", "BLOCK=array"))[-1] == "<-m><tb><run><array><><--seed><1>"
    for arguments, says in (
        ((), "no program given: make run PROGRAM=matmul"),
        (("PROGRAM=a", "BLOCK=simple"), "BLOCK=simple runs no programs: choose among"),
        (("PROGRAM=a", "BLOCK=array", "N=3"), "BLOCK=array does not use N"),
        (("PROGRAM=a", "IMAGE=b"), "IMAGE is for programs of BLOCK="),
        (("PROGRAM=a", "RTL=1", "POLICY=lru"), "RTL=1 runs on mmu"),
        (("PROGRAM=a", "CONFIG=tiny"), "CONFIG is of mmu, which RTL=1 runs on"),
    ):
        done = box.make("run", *arguments)
        assert done.returncode == 2 and says in done.stderr and len(done.stderr.splitlines()) == 1


def test_nightly_passes_on_what_is_given(box: Sandbox) -> None:
    plain = lines(box.make("nightly"))
    assert plain == ["setup icarus waves", "<-m><ci.nightly><run><nightly><--seed><1>", "<-m><ci.faults>"]
    given = lines(box.make("nightly", "TIER=full", "BLOCK=texunit", "JOBS=3", "SCHEDULER=tcp://a:1"))[-1]
    for words in ("<run><full>", "<--blocks><texunit>", "<--jobs><3>", "<--scheduler><tcp://a:1>"):
        assert words in given
    assert lines(box.make("history"))[-1] == "<-m><ci.nightly><history>"
    assert lines(box.make("baseline", "BLOCK=texcache"))[-1].endswith("<baseline><--blocks><texcache>")


def test_prove_takes_a_preset_only_if_given(box: Sandbox) -> None:
    assert lines(box.make("prove", "TEST=fifo"))[-1] == "<-m><formal><texcache><--test><fifo>"
    assert lines(box.make("prove", "BLOCK=texunit", "CONFIG=small", "SET=ways=2", "OUT=there"))[-1] == (
        "<-m><formal><texunit><--config><small><--set><ways=2><--out><there>"
    )


def test_new_names_its_block(box: Sandbox) -> None:
    assert lines(box.make("new", "BLOCK=zcache"))[-1] == "<-m><ci.new><zcache>"
    assert "make new BLOCK=" in box.make("new").stderr


def test_faults_and_synth_pass_on_what_is_given(box: Sandbox) -> None:
    assert lines(box.make("faults"))[-1] == "<-m><ci.faults><--seed><1>"
    assert (
        lines(box.make("faults", "GENERATED=3"))[-1] == "<-m><ci.faults><texcache><--generated><3><--seed><1>"
    )
    given = lines(box.make("faults", "BLOCK=texunit", "TEST=a,b", "FILE=my.toml", "JOBS=4"))[-1]
    assert given == "<-m><ci.faults><texunit><--test><a,b><--file><my.toml><--seed><1><--jobs><4>"
    assert lines(box.make("synth", "BLOCK=texunit", "FAMILY=xc7", "NETLIST=a b"))[-1] == (
        "<-m><ci.synth><texunit><--family><xc7><--netlist><a b>"
    )


def test_test_selects_files_or_words(box: Sandbox) -> None:
    setup, command = lines(box.make("test"))
    assert setup == "setup icarus waves chromium mesa oracles"
    assert command == "<-m><pytest><--numprocesses=auto><--dist=worksteal><-m><not slow>"
    assert lines(box.make("test", "FULL=1"))[-1] == "<-m><pytest><--numprocesses=auto><--dist=worksteal>"
    assert lines(box.make("test", "FULL=0"))[-1].endswith("<-m><not slow>")
    assert lines(box.make("test", "TEST=lru and not slow"))[-1].endswith("<-k><lru and not slow>")
    (box.root / "tests").mkdir()
    assert lines(box.make("test", "TEST=tests"))[-1].endswith("worksteal><tests>")
    assert lines(box.make("test", "TEST=tests::a[b c]"))[-1].endswith("worksteal><tests::a[b c]>")


@pytest.mark.parametrize("path", ["tests/nothing", "nothing.py", "tests/ci/nothing.py::test"])
def test_a_test_file_that_is_not_there_is_refused(box: Sandbox, path: str) -> None:
    done = box.make("test", f"TEST={path}")
    assert done.returncode == 2 and not done.stdout
    assert f"there is no test file {path}" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("foo",), "unknown target foo"),
        (("sim", "BLOK=texcache"), "unknown variable BLOK"),
        (("sim", "BLOCK=-h"), "BLOCK=-h: a value may not begin with a dash"),
        (("run", "PROGRAM=--help"), "PROGRAM=--help: a value may not begin with a dash"),
        (("test", "TEST=a\ntouch made"), "TEST has a line break: write it in one line"),
        (("trace", "TRACE=$(shell touch made)", "OUT=a'\ntouch made; echo '"), "OUT has a line break"),
    ],
)
def test_mistakes_get_one_line(box: Sandbox, arguments: tuple[str, ...], message: str) -> None:
    done = box.make(*arguments)
    assert done.returncode == 2 and not (box.root / "made").exists()
    assert message in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("target", [target for target in TARGETS if target not in ("help", "clean")])
def test_no_target_runs_what_a_variable_says(box: Sandbox, target: str) -> None:
    """Not make, not the shell; from the command line and from the environment."""
    evil = "$(shell touch made)`touch made`'; touch made; '"
    used = lines(box.run("awk", "-v", f"goals={target}", "-f", "ci/help.awk", "Makefile"))
    given = {name: evil for name in used if name not in SWITCHES}
    box.make(target, *(f"{name}={value}" for name, value in given.items()))
    box.make(target, **given)
    assert not (box.root / "made").exists()


def test_failures_of_the_command_are_failures_of_make(box: Sandbox) -> None:
    (box.root / "exit-code").write_text("2")
    assert box.make("sim", "BLOCK=nonsense").returncode == 2
    (box.root / "exit-code").write_text("1")
    assert box.make("test").returncode == 2


def test_setup_failure_stops_everything(box: Sandbox) -> None:
    (box.root / "ci/setup.sh").write_text("exit 2\n")
    done = box.make("sim")
    assert done.returncode == 2
    assert done.stdout == ""


def test_works_from_another_folder(box: Sandbox) -> None:
    done = box.run("bash", "-c", f"cd / && make -C '{box.root}' sim")
    assert done.returncode == 0, done.stderr
    assert "<-m><tb><sim><texcache>" in done.stdout


def test_space_in_the_path_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    done = Sandbox(tmp_path / "a b").make()
    assert done.returncode == 2
    assert "has a space in it" in done.stderr


def test_clean_leaves_the_environment(box: Sandbox) -> None:
    for folder in ("build/x", "rtl/__pycache__", ".venv/__pycache__"):
        (box.root / folder).mkdir(parents=True)
    assert lines(box.make("clean")) == []
    assert not (box.root / "build").exists() and not (box.root / "rtl/__pycache__").exists()
    assert (box.root / ".venv/__pycache__").exists()
    assert lines(box.make("clean")) == [], "there is nothing to remove"


def test_clean_leaves_the_campaigns(box: Sandbox) -> None:
    for name in ("nightly/results.db", "texcache/x", ".lock", "nightlyish"):
        (box.root / "build" / name).parent.mkdir(parents=True, exist_ok=True)
        (box.root / "build" / name).touch()
    assert lines(box.make("clean")) == []
    kept = [path.relative_to(box.root / "build") for path in (box.root / "build").rglob("*")]
    assert sorted(map(str, kept)) == ["nightly", "nightly/results.db"]


def test_clean_leaves_a_folder_in_use_alone(box: Sandbox) -> None:
    (box.root / "build" / "x").mkdir(parents=True)
    use_build(box.root / "build")
    done = box.make("clean")
    assert done.returncode == 2
    assert f"error: build is in use (process {os.getpid()}): wait until that has ended" in done.stderr
    assert (box.root / "build" / "x").is_dir()


SWITCHES = [name for name, default in VARIABLES if default == "0"]


@pytest.mark.parametrize("value", ["1", "yes", "true", "on", "0", "no", "false", "off", ""])
def test_a_switch_is_on_or_off(box: Sandbox, value: str) -> None:
    on = value in ("1", "yes", "true", "on")
    setup, command = lines(box.make("sim", f"WAVES={value}", f"COV={value}"))
    assert ("waves" in setup) == ("<--waves>" in command) == ("<--cov>" in command) == on
    assert ("not slow" in lines(box.make("test", f"FULL={value}"))[-1]) != on
    assert ("<list>" in lines(box.make("rtl", f"LIST={value}"))[-1]) == on
    assert ("<rank>" in lines(box.make("history", f"RANK={value}"))[-1]) == on
    assert ("<--quick>" in lines(box.make("report", f"QUICK={value}", "BLOCK=texunit"))[1]) == on
    _, command = lines(box.make("sim", WAVES=value))
    assert ("<--waves>" in command) == on, "from the environment"


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_is_nothing_else(box: Sandbox, name: str) -> None:
    for target in ("sim", "help"):
        done = box.make(target, **{name: "maybe"})
        assert done.returncode == 2 and f"{name}=maybe: write 1 or 0" in done.stderr
        assert len(done.stderr.splitlines()) == 1 and not done.stdout
