# SPDX-License-Identifier: Apache-2.0
"""``make`` and ``cacheforge``: help, the steps of each command, how values reach them, and errors."""

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ci import commands
from ci.commands import COMMANDS, OPTIONS, SWITCHES
from tests.ci.sandbox import ROOT, Sandbox
from utils.processes import use_build

PRINT_ARGUMENTS = '#!/bin/bash\nprintf "<%s>" "$@"\necho\nexit $(cat exit-code 2>/dev/null || echo 0)\n'


def stub(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def box(tmp_path: Path) -> Sandbox:
    """A set-up project whose Python prints its arguments, one pair of brackets each."""
    sandbox = Sandbox(tmp_path)
    sandbox.stub("python3", f'#!/bin/bash\nexec {sys.executable} "$@"\n')
    (tmp_path / "ci/setup.sh").write_text('echo "setup $*"\n')
    stub(tmp_path / ".venv/bin/python", PRINT_ARGUMENTS)
    return sandbox


def lines(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def planned(line: str) -> list[str]:
    """Steps of ``make LINE``, as a shell shows them; of modules the words behind ``-m``."""
    command, *settings = shlex.split(line)
    given = dict(setting.split("=", 1) for setting in settings)
    return shown(commands.steps(command, commands.checked([command], given, given)))


def shown(steps: commands.Steps) -> list[str]:
    return [shlex.join(words).removeprefix(".venv/bin/python -m ") for words in steps]


VIEW = "SCENE='my level.obj' VIEW=3 CAMERAS=c.json SIZE=64x48 FILTER=nearest DEPTH=late"
VIEWED = "--scene 'my level.obj' --view 3 --cameras c.json --size 64x48 --filter nearest --depth late"
PYTEST = "pytest --numprocesses=auto --dist=worksteal"
MACHINE = "--seed 1 --blocks 1 --schedule round-robin"


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("sim", "tb sim texcache --sim verilator --seed 1"),
        ("sim SET='ways=2 b=1' N=5", "tb sim texcache --set 'ways=2 b=1' --sim verilator --seed 1 -n 5"),
        ("test", f"{PYTEST} -m 'not slow'"),
        ("test FULL=1", PYTEST),
        ("test TEST='lru and not slow'", f"{PYTEST} -k 'lru and not slow'"),
        ("test TEST=tests", f"{PYTEST} tests"),
        ("test TEST='tests::a[b c]' JOBS=2", "pytest --numprocesses=2 --dist=worksteal 'tests::a[b c]'"),
        ("trace TRACE='a b.csv' CSV=1", "tb trace texcache --trace 'a b.csv' --seed 1 --csv"),
        ("frame", "tb frame renderer --seed 1"),
        (f"frame BLOCK=texunit {VIEW}", f"tb frame texunit {VIEWED} --seed 1"),
        (f"capture {VIEW} ORDER=scan", f"workloads capture texcache {VIEWED} --order scan"),
        ("pattern PATTERN=edges N=5", "workloads pattern edges -n 5 --seed 1"),
        ("verilog BLOCK=simple OUT='a b'", "rtl release simple --out 'a b'"),
        ("rtl LIST=1", "rtl list"),
        ("rtl LIST=1 BLOCK=simple", "rtl list simple"),
        ("prove CONFIG=tiny SET=ways=2 TEST=a", "formal texcache --config tiny --set ways=2 --test a"),
        ("baseline BLOCK=texcache", "ci.nightly baseline --blocks=texcache"),
        ("nightly TIER=full BLOCK=texunit JOBS=3", "ci.nightly run full --seed 1 --jobs 3 --blocks=texunit"),
        ("faults GENERATED=3", "ci.faults texcache --generated 3 --seed 1"),
        ("faults BLOCK=mmu TEST=a,b FILE=my.toml", "ci.faults mmu --test a,b --file my.toml --seed 1"),
        ("synth NETLIST='a b' FAMILY=xc7", "ci.synth texcache --family xc7 --netlist 'a b'"),
        ("synth FAMILY=ecp5 BLOCK=mmu JOBS=2", "ci.synth.place mmu --jobs 2"),
        ("run PROGRAM=fft", f"workloads.simt fft {MACHINE}"),
        ("run LIST=1 RTL=1", f"workloads.simt '' {MACHINE} --list"),
        ("run PROGRAM=fft RTL=1 BLOCK=mmu READY=1", f"tb run mmu fft {MACHINE} --ready"),
        ("run BLOCK=lpas PROGRAM='a b' RTL=1 IMAGE=c", "tb run lpas 'a b' --image c --seed 1 --rtl"),
        ("run BLOCK=lpas", "tb run lpas '' --seed 1"),  # it says itself which programs there are
    ],
)
def test_last_step(line: str, step: str) -> None:
    assert planned(line)[-1] == step


@pytest.mark.parametrize(
    ("line", "components"),
    [
        ("sim", ""),
        ("sim WAVES=1 SIM=both", "icarus waves"),
        ("sim SIM=icarus", "icarus"),
        ("test", "icarus waves chromium mesa oracles yosys"),
        ("trace TRACE=a", ""),
        ("setup PYTHON='a b'", "icarus"),
    ],
)
def test_set_up_comes_first(line: str, components: str) -> None:
    python = "'PYTHON=a b'" if "PYTHON" in line else "PYTHON="
    assert planned(line)[0] == f"env {python} bash ci/setup.sh {components}".rstrip()


def test_commands_of_several_steps() -> None:
    assert planned("lint")[1:] == ["ruff check .", "mypy", "ci.lint"]
    assert planned("lint RTL_DIR=mine BLOCK=mmu")[1:] == ["ci.lint mmu --rtl-dir mine"], "and no Python"
    assert planned("nightly")[1:] == [
        "ci.nightly run nightly --seed 1", "ci.faults", "ci.synth.place --compare",
    ]  # fmt: skip
    assert planned("report OUT=a BLOCK=mmu")[1:] == [
        "tb measure mmu --seed 1 --report=a",
        "report mmu --out a",
    ]
    assert planned("report CONFIG=large")[2:] == ["report texcache"], "a configuration is BLOCK's"
    blocks = [step.split()[1] for step in planned("report")[2::2]]
    assert {"texcache", "mmu", "renderer"} <= set(blocks) and "common" not in blocks
    for scene in ("SCENE='my level.obj'", "DEPTH=late"):
        drawing = [step.split()[1] for step in planned(f"report {scene} QUICK=1")[2::2]]
        assert set(drawing) < set(blocks) and {"texunit", "texpipe"} < set(drawing) and "mmu" not in drawing
    step = planned("report SCENE='my level.obj' VIEW=0,2 QUICK=1 BLOCK=texunit")[1]
    assert step == "tb measure texunit --scene 'my level.obj' --view 0,2 --seed 1 --quick"


@pytest.mark.parametrize("command", [command for command in COMMANDS if command != "help"])
def test_every_option_of_a_command_reaches_a_step(command: str) -> None:
    """Or is refused beside others; none is taken and ignored."""
    texts = {"SIM": "both", "TIER": "full", "BLOCK": "lpas", "TEST": "words"}
    needed = {"trace": "TRACE", "pattern": "PATTERN", "texture": "TEXTURE", "run": "PROGRAM", "new": "BLOCK"}
    always = f"{command} {needed[command]}=other" if command in needed else command
    if command == "synth":
        always += " FAMILY=ecp5"
    for name in commands.uses(command):
        value = texts.get(name, "1" if name in SWITCHES else "3")
        try:
            assert planned(f"{always} {name}={value}") != planned(always), name
        except commands.Mistake:
            assert command in ("report", "run", "synth"), name


def test_every_option_is_of_a_command() -> None:
    assert commands.uses(*COMMANDS) == list(OPTIONS)
    plain = {name for name, entry in COMMANDS.items() if "run" in entry}
    assert plain ^ COMMANDS.keys() == {*commands.SPECIAL, "help", "setup"}


@pytest.mark.parametrize("value", ["1", "yes", "true", "on", "0", "no", "false", "off", ""])
def test_a_switch_is_on_or_off(value: str) -> None:
    on = value in ("1", "yes", "true", "on")
    setup, command = planned(f"sim WAVES={value} COV={value}")
    assert ("waves" in setup) == ("--waves" in command) == ("--cov" in command) == on


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("foo", "unknown target foo: 'make help ALL=1' lists what there is"),
        ("sim BLOK=texcache", "unknown variable BLOK: 'make help ALL=1' lists what there is"),
        ("sim BLOCK=-h", "BLOCK=-h: a value may not begin with a dash"),
        ("sim BLOCK=", "BLOCK is empty: name a block"),
        ("run PROGRAM=--help", "PROGRAM=--help: a value may not begin with a dash"),
        ("test TEST='a\ntouch made'", "TEST has a line break: write it in one line"),
        *((f"help {name}=maybe", f"{name}=maybe: write 1 or 0") for name in SWITCHES),
        ("frame FULL=1 TIER=smoke", "'make frame' does not use FULL TIER: it uses BLOCK CONFIG SET SEED "),
        ("test BLOCK=mmu", "'make test' does not use BLOCK: it uses TEST FULL JOBS PYTHON"),
        ("clean FULL=1", "'make clean' does not use FULL: it uses no variable"),
        ("trace", "no trace given: make trace TRACE=file.csv (or .npz; format: docs/traces.md, of texunit "),
        ("pattern", "no pattern given: make pattern PATTERN=thrashing; 'make workloads' lists them"),
        ("texture", "no texture given: make texture TEXTURE=photo.jpg; 'make workloads' lists "),
        ("new", "no name given: make new BLOCK=l2cache"),
        ("test TEST=tests/nothing", "there is no test file tests/nothing: 'make test TEST=words' takes "),
        ("test TEST=tests/ci/nothing.py::test", "there is no test file tests/ci/nothing.py::test"),
        ("run", "no program given: make run PROGRAM=matmul (or a .c, .s, .elf or .hex file); 'make run "),
        ("run PROGRAM=a BLOCK=simple", "BLOCK=simple runs no programs: choose among lpas mmu"),
        ("run PROGRAM=a BLOCK=lpas N=3", "BLOCK=lpas does not use N"),
        ("run PROGRAM=a IMAGE=b", "IMAGE is for programs of BLOCK=lpas"),
        ("run PROGRAM=a RTL=1 POLICY=lru", "RTL=1 runs on mmu: CONFIG= and SET="),
        ("run PROGRAM=a CONFIG=tiny", "CONFIG is of mmu, which RTL=1 runs on; without it ICACHE="),
        ("report VIEW=1", "VIEW, CAMERAS, SIZE and UV are those of a scene: make report SCENE=level.obj"),
        ("report DEPTH=late BLOCK=mmu", "BLOCK=mmu draws no scenes: choose among "),
        (
            "synth FAMILY='ecp5 a' OUT=b",
            "FAMILY=ecp5 goes alone and keeps its results in build/synth: leave ",
        ),
    ],
)
def test_mistakes_are_refused(line: str, message: str) -> None:
    with pytest.raises(commands.Mistake) as refused:
        planned(line)
    assert str(refused.value).startswith(message) and "\n" not in str(refused.value)


def test_docs_and_help_name_commands_that_run_as_they_stand() -> None:
    pages = [ROOT / "README.md", ROOT / "ci/commands.toml", *(ROOT / "docs").glob("*.md")]
    for page in pages:
        for line in page.read_text().splitlines():
            assert not re.search(r"(?<!\.venv/bin/)python -m", line), f"{page}: {line}"


# --- cacheforge ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("sim texcache --config tiny --waves", "sim BLOCK=texcache CONFIG=tiny WAVES=1"),
        ("sim --set 'ways=2 banks=1' mmu -n 5", "sim BLOCK=mmu SET='ways=2 banks=1' N=5"),
        ("run fft --rtl", "run PROGRAM=fft RTL=1"),
        ("faults", "faults"),
    ],
)
def test_cacheforge_is_another_spelling(line: str, same: str) -> None:
    command, values = commands.parsed(shlex.split(line))
    assert shown(commands.steps(command, values)) == planned(same)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("frame --full --tier smoke", "'cacheforge frame' does not use --full --tier: it uses --block "),
        ("foo", "argument COMMAND: invalid choice: 'foo' (choose from "),
        ("sim texcache --blok", "unrecognized arguments: --blok (see cacheforge --help)"),
        ("help ALL=1", "unrecognized arguments: ALL=1 (see cacheforge --help)"),
        ("sim --config=-h", "--config -h: a value may not begin with a dash"),
        ("trace simple", "no trace given: cacheforge trace --trace file.csv (or .npz; "),
        ("run a --rtl --policy lru", "--rtl runs on mmu: --config and --set "),
    ],
)
def test_its_mistakes_are_one_line(line: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(shlex.split(line)) == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"error: {message}") and said.err.count("\n") == 1 and not said.out


def test_its_help_names_the_options_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("sim", "run", "setup"):
        with pytest.raises(SystemExit):
            commands.main([command, "--help"])
        names = set(re.findall(r"^  (--?[a-z-]+)", capsys.readouterr().out, re.MULTILINE))
        assert names == {"-h", *map(commands.flag, commands.uses(command))}


def test_its_help_is_that_of_make_in_its_own_words(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        commands.main(["--help"])
    short = capsys.readouterr().out
    assert commands.main(["help"]) == 0 and capsys.readouterr().out == short
    assert commands.main(["help", "--all"]) == 0
    whole = capsys.readouterr().out
    for text, options in ((short, 19), (whole, len(OPTIONS))):
        assert len(set(re.findall(r"^  (--?[a-z-]+) ", text, re.MULTILINE))) == options
        assert "cacheforge frame --scene terrain --view 1 " in text and not re.search(
            r"make [a-z]+ [A-Z]", text
        )


def test_a_shell_completes_commands_blocks_and_options(tmp_path: Path) -> None:
    for start, end in (("si", "sim"), ("sim texc", "texcache"), ("sim texcache --wa", "--waves")):
        line, answer = f"cacheforge {start}", tmp_path / "answer"
        words = {"COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_STDOUT_FILENAME": str(answer)}
        environment = {**os.environ, "_ARGCOMPLETE": "1", **words}
        subprocess.run([sys.executable, "ci/commands.py"], cwd=ROOT, env=environment)
        assert answer.read_text().strip() == end


# --- make, really -------------------------------------------------------------------------------------------


def test_make_alone_shows_a_dozen_targets_in_groups(box: Sandbox) -> None:
    for arguments in ((), ("help",), ("SIM=icarus",)):
        done = box.make(*arguments)
        assert done.returncode == 0 and done.stderr == ""
        words = re.findall(r"^  (\w+) ", done.stdout, re.MULTILINE)
        targets = [word for word in words if word in COMMANDS]
        assert len(targets) == 12 and {"sim", "trace", "report", "rtl", "test"} < set(targets)
        assert re.search(r"^  BLOCK=texcache +\S", done.stdout, re.MULTILINE) and "STEER=" not in done.stdout
    for making in (True, False):
        shown = list(commands.help_lines(everything=False, making=making))
        assert max(map(len, shown)) <= commands.WIDTH and not [line for line in shown if line[:5] == " " * 5]


def test_help_all_lists_targets_variables_and_defaults(box: Sandbox) -> None:
    done = box.make("help", "ALL=1")
    assert done.returncode == 0 and done.stderr == ""
    for name in COMMANDS:
        assert re.search(rf"^  {name} +\S", done.stdout, re.MULTILINE)
    for name, (default, _) in OPTIONS.items():
        assert re.search(rf"^  {name}={default} +\S", done.stdout, re.MULTILINE)
    assert re.search(r"^  WAVES=0 +sim: .*\n(.*\n)*  TRACE= +trace: ", done.stdout, re.MULTILINE), (
        "few commands"
    )


def test_the_makefile_has_every_command() -> None:
    targets = re.search(r"targets := ((?:.*\\\n)*.*)", (ROOT / "Makefile").read_text())
    assert targets and targets[1].replace("\\", "").split() == list(COMMANDS)


@pytest.mark.parametrize("given", [("FULL=1", "JOBS=2"), ("-j2", "FULL=1"), ("--silent", "TEST=ci")])
def test_a_test_that_calls_make_is_not_given_the_variables_of_the_call(
    box: Sandbox, given: tuple[str, ...]
) -> None:
    nested = "[[ $2 != pytest ]] || { env; exec make sim SEED=3; }"
    stub(box.root / ".venv/bin/python", PRINT_ARGUMENTS.replace("\n", f"\n{nested}\n", 1))
    shown = lines(box.make("test", *given, SIM="icarus"))
    assert shown[-1] == "<-m><tb><sim><texcache><--sim><verilator><--seed><3>"
    names = {line.partition("=")[0] for line in shown}
    assert "PATH" in names and not names & OPTIONS.keys()


def test_several_targets_run_one_after_another_and_share_variables(box: Sandbox) -> None:
    shown = lines(box.make("rtl", "plan", "BLOCK=simple", "PREFIX=my_"))
    assert shown[1::2] == ["<-m><rtl><simple><--prefix><my_>", "<-m><tb><plan><simple>"]
    done = box.make("sim", "lint", "FAMILY=xc7")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("error: 'make sim lint' does not use FAMILY: it uses BLOCK CONFIG SET SIM")


@pytest.mark.parametrize(("target", "name"), [("sim", "RTL_DIR"), ("run", "PROGRAM"), ("trace", "TRACE")])
def test_values_arrive_unharmed(box: Sandbox, target: str, name: str) -> None:
    """From the command line and from the environment; neither make nor a shell runs them."""
    evil = "it's; echo \"$HOME\" `touch made` * $(shell touch made) $(error no) ${X} $$'; touch made; '"
    for done in (box.make(target, f"{name}={evil}", f"PYTHON={evil}"), box.make(target, **{name: evil})):
        assert f"<{evil}>" in lines(done)[-1]
    assert not (box.root / "made").exists()


def test_make_says_a_mistake_in_one_line(box: Sandbox) -> None:
    for arguments in (("foo",), ("sim", "BLOK=1"), ("sim", "OUT=a'\ntouch made; echo '"), ("trace",)):
        done = box.make(*arguments)
        error, make = done.stderr.splitlines()
        assert done.returncode == 2 and done.stdout.count("\n") == 0 and not (box.root / "made").exists()
        assert error.startswith("error: ") and make.startswith("make: *** [Makefile:")


def test_failures_of_a_step_end_a_command(box: Sandbox) -> None:
    for code, target, count in ((2, "sim", 2), (1, "lint", 2)):
        (box.root / "exit-code").write_text(str(code))
        done = box.make(target)
        assert done.returncode == 2 and done.stdout.count("\n") == count
        assert box.run("python3", "ci/commands.py", target).returncode == code
    (box.root / "ci/setup.sh").write_text("exit 2\n")
    done = box.make("sim")
    assert done.returncode == 2 and done.stdout == ""


def test_sigterm_reaches_the_step(box: Sandbox) -> None:
    (box.root / "ci/setup.sh").write_text("trap 'exit 3' TERM\necho ready\nwhile :; do sleep 0.1; done\n")
    command = [sys.executable, box.root / "ci/commands.py", "sim"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout and process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGTERM)
    assert process.returncode == 3


def test_without_a_python_set_up_comes_before_all(box: Sandbox) -> None:
    box.stub("python3", "#!/bin/bash\nexit 1\n")
    assert lines(box.make("sim")) == ["setup ", "<ci/commands.py><make><sim><sim><>"]


def test_works_from_another_folder(box: Sandbox) -> None:
    done = box.run("bash", "-c", f"cd / && make -C '{box.root}' sim")
    assert "<-m><tb><sim><texcache>" in "".join(lines(done))


def test_space_in_the_path_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    box = Sandbox(tmp_path / "a b")
    box.stub("python3", f'#!/bin/bash\nexec {sys.executable} "$@"\n')
    done = box.make()
    assert done.returncode == 2 and "has a space in it" in done.stderr


def test_clean_leaves_environment_and_campaigns(box: Sandbox) -> None:
    built = "build/x/y build/.lock build/nightlyish rtl/__pycache__/z"
    for name in (*built.split(), ".venv/__pycache__/z", "build/nightly/results.db"):
        (box.root / name).parent.mkdir(parents=True, exist_ok=True)
        (box.root / name).touch()
    assert lines(box.make("clean")) == []
    kept = [path.relative_to(box.root / "build") for path in (box.root / "build").rglob("*")]
    assert sorted(map(str, kept)) == ["nightly", "nightly/results.db"]
    assert not (box.root / "rtl/__pycache__").exists() and (box.root / ".venv/__pycache__").exists()
    assert lines(box.make("clean")) == [], "there is nothing to remove"


def test_clean_leaves_a_folder_in_use_alone(box: Sandbox) -> None:
    (box.root / "build" / "x").mkdir(parents=True)
    use_build(box.root / "build")
    done = box.make("clean")
    assert done.returncode == 2
    assert f"error: build is in use (process {os.getpid()}): wait until that has ended" in done.stderr
    assert (box.root / "build" / "x").is_dir()
