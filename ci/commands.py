# SPDX-License-Identifier: Apache-2.0
"""``cacheforge COMMAND`` and ``make TARGET``: options, checks, help, and the steps of each command.

ci/commands.toml lists commands and options. The standard library suffices: help and errors precede set-up.
"""

import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[1]
TB = ROOT / "tb"
_TABLE = tomllib.loads((ROOT / "ci/commands.toml").read_text())
COMMANDS: dict[str, dict[str, Any]] = _TABLE["commands"]
OPTIONS: dict[str, tuple[str, str]] = _TABLE["options"]
SWITCHES = [name for name, (default, _) in OPTIONS.items() if default == "0"]
YES, NO = ("1", "yes", "true", "on"), ("0", "no", "false", "off")
WITHOUT_SETUP = ("help", "clean")
SILENT = ("ruff", "mypy")  # steps that show no progress of their own
FEW = 6  # commands that the help of an option names
WIDTH = 100  # of help
MACHINE = "N BLOCKS WARPS THREADS SCHEDULE"  # options of the SIMT machine
Steps = list[list[str]]


class Mistake(Exception):
    """An error of the command line, in one line, in the words of ``make``."""


class Unparsed(Mistake):
    """The same in words of ``cacheforge``."""


def uses(*commands: str) -> list[str]:
    """The options of commands, in the table's order."""
    texts = [
        f"{entry.get('run', '')} {entry.get('uses', '')}" for entry in map(COMMANDS.get, commands) if entry
    ]
    texts += ["PYTHON" for command in commands if command not in WITHOUT_SETUP]
    names = re.findall(r"[A-Z_]+", " ".join(texts))
    return [name for name in OPTIONS if name in names]


def flag(name: str) -> str:
    """The option NAME as ``cacheforge`` and the modules spell it."""
    return "-n" if name == "N" else "--" + name.lower().replace("_", "-")


class Values(dict[str, str]):
    """The values that are given, of switches those that are on; ``values[name]`` is the default of others."""

    def __missing__(self, name: str) -> str:
        return OPTIONS[name][0]

    def given(self, names: str) -> str:
        """Those of ``names`` that have a value."""
        return " ".join(name for name in names.split() if name in self)

    def step(self, line: str) -> list[str]:
        """The command line of a module; ci/commands.toml describes the words of ``line``."""
        words = [".venv/bin/python", "-m"]
        for word in line.split():
            before, name, after = [*re.split(r"([A-Z_]+)", word, maxsplit=1), "", ""][:3]
            if not name:
                words.append(word)
            elif after:
                words += [before[:-1] + self[name]] if after == ">" or name in self else []
            elif name in SWITCHES:
                words += [flag(name)] if name in self else []
            elif self[name] not in ("", "auto"):
                words += [flag(name), self[name]]
        return words


# --- commands whose steps depend on more than the table says ------------------------------------------------


MEASURING = "measuring.py", "measuring/__init__.py"


def _blocks(*files: str, text: str = "") -> list[str]:
    """The blocks that have one of ``files`` in tb/<block>, with ``text`` in it."""
    paths = (path for file in files for path in TB.glob(f"*/{file}") if text in path.read_text())
    return sorted({path.relative_to(TB).parts[0] for path in paths} - {"common"})


def _test(values: Values) -> Steps:
    test = values["TEST"]
    file = test.partition("::")[0]
    if not test:
        chosen = [] if "FULL" in values else ["-m", "not slow"]
    elif file and (ROOT / file).exists():
        chosen = [test]
    elif "/" in test or test.endswith(".py"):
        words = "'make test TEST=words' takes words of tests' names, too"
        raise Mistake(f"there is no test file {test}: {words}")
    else:
        chosen = ["-k", test]
    return [[*values.step("pytest --numprocesses=<JOBS> --dist=worksteal"), *chosen]]


def _run(values: Values) -> Steps:
    block, running = values.get("BLOCK", "mmu"), _blocks("commands/run.py")
    others = " ".join(name for name in running if name != "mmu")
    if block == "mmu" and not values.given("PROGRAM LIST"):
        lists = f"'make run LIST=1' lists them, 'make run BLOCK={others} LIST=1' those of that block"
        raise Mistake(f"no program given: make run PROGRAM=matmul (or a .c, .s, .elf or .hex file); {lists}")
    if "BLOCK" in values and block not in running:
        raise Mistake(f"BLOCK={block} runs no programs: choose among {' '.join(running)}")
    if block != "mmu":
        if unused := values.given(f"{MACHINE} ICACHE DCACHE POLICY READY"):
            raise Mistake(f"BLOCK={block} does not use {unused}")
        return [values.step(f"tb run {block} <PROGRAM> IMAGE SEED LIMIT OUT CONFIG SET RTL LIST")]
    if "IMAGE" in values:
        raise Mistake(f"IMAGE is for programs of BLOCK={others}")
    if "RTL" in values and values.given("ICACHE DCACHE POLICY"):
        raise Mistake('RTL=1 runs on mmu: CONFIG= and SET="icache.cache.ways=4" say what its caches are')
    if "RTL" not in values and (unused := values.given("CONFIG SET READY")):
        instead = "without it ICACHE=, DCACHE= and POLICY= say what the caches are"
        raise Mistake(f"{unused} is of mmu, which RTL=1 runs on; {instead}")
    program = f"<PROGRAM> SEED {MACHINE} LIMIT OUT"
    if "RTL" in values and "LIST" not in values:
        return [values.step(f"tb run mmu {program} CONFIG SET READY")]
    return [values.step(f"workloads.simt {program} ICACHE DCACHE POLICY LIST")]


def _report(values: Values) -> Steps:
    blocks = _blocks(*MEASURING)
    if "SCENE" not in values and values.given("VIEW CAMERAS SIZE UV"):
        raise Mistake("VIEW, CAMERAS, SIZE and UV are those of a scene: make report SCENE=level.obj")
    if values.given("SCENE DEPTH"):
        blocks = _blocks(*MEASURING, text="measuring.scenes import")
        if "BLOCK" in values and values["BLOCK"] not in blocks:
            raise Mistake(f"BLOCK={values['BLOCK']} draws no scenes: choose among {' '.join(blocks)}")
    measure = "tb measure <BLOCK> CONFIG SET SCENE VIEW CAMERAS SIZE DEPTH UV SEED QUICK --report=[OUT]"
    chosen = [values["BLOCK"]] if values.given("BLOCK CONFIG SET") else blocks
    lines = (measure, "report <BLOCK> SCENE OUT")
    return [Values(values, BLOCK=block).step(line) for block in chosen for line in lines]


def _nightly(values: Values) -> Steps:
    more = ("ci.faults [BLOCK] JOBS", "ci.synth.place --compare JOBS") if values["TIER"] == "nightly" else ()
    lines = ("ci.nightly run <TIER> SEED SCHEDULER JOBS --blocks=[BLOCK]", *more)
    return [values.step(line) for line in lines]


def _synth(values: Values) -> Steps:
    families = values["FAMILY"].split()
    if "ecp5" not in families:
        if "N" in values:
            raise Mistake("N is the number of seeds of FAMILY=ecp5")
        return [values.step("ci.synth <BLOCK> CONFIG SET FAMILY RTL_DIR NETLIST OUT LIST")]
    extra = [*(name for name in families if name != "ecp5"), *values.given("OUT NETLIST LIST").split()]
    if extra:
        alone = "FAMILY=ecp5 goes alone and keeps its results in build/synth"
        raise Mistake(f"{alone}: leave out {' '.join(extra)}")
    return [values.step("ci.synth.place [BLOCK] CONFIG SET RTL_DIR N JOBS")]


def _clean(values: Values) -> Steps:
    caches = "rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis"
    compiled = "find . -name .venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +"
    return [["bash", "-c", f"bash ci/clean.sh && {caches} && {compiled}"]]


SPECIAL = {made.__name__[1:]: made for made in (_test, _run, _report, _nightly, _synth, _clean)}


def steps(command: str, values: Values) -> Steps:
    """The command lines of a command, set-up first. Raises :class:`Mistake`."""
    entry = COMMANDS[command]
    needed, _, error = entry.get("needs", "").partition(": ")
    if needed and needed not in values:
        raise Mistake(error)
    components = entry.get("setup", "").split()
    if command == "sim":
        wanted = {"icarus": values["SIM"] in ("icarus", "both"), "waves": "WAVES" in values}
        components = [name for name in components if wanted[name]]
    setup = ["env", f"PYTHON={values['PYTHON']}", "bash", "ci/setup.sh", *components]
    first = [] if command in WITHOUT_SETUP else [setup]
    if command in SPECIAL:
        return first + SPECIAL[command](values)
    for names, lines in entry.get("run", {}).items():
        if names == "else" or values.given(names):
            return first + [values.step(line) for line in lines.split(" && ")]
    return first


# --- from a command line to its steps -----------------------------------------------------------------------


def checked(commands: list[str], given: dict[str, str], named: Iterable[str]) -> Values:
    """The values of one call. ``named`` are the options on its command line; others are of the environment.

    Raises :class:`Mistake`.
    """
    for kind, names, table in (("target", commands, COMMANDS), ("variable", named, OPTIONS)):
        if unknown := [name for name in names if name not in table]:
            raise Mistake(f"unknown {kind} {' '.join(unknown)}: 'make help ALL=1' lists what there is")
    for name, value in given.items():
        if "\n" in value:
            raise Mistake(f"{name} has a line break: write it in one line")
        if value.lstrip().startswith("-") and name not in ("SEED", "N"):
            raise Mistake(f"{name}={value}: a value may not begin with a dash")
        if name in SWITCHES and value not in (*YES, *NO, ""):
            raise Mistake(f"{name}={value}: write 1 or 0")
        if name == "BLOCK" and not value:
            raise Mistake("BLOCK is empty: name a block")
    working = [command for command in commands if command != "help"]
    used = uses(*working)
    if working and (unused := [name for name in OPTIONS if name in named and name not in used]):
        instead = f"it uses {' '.join(used) or 'no variable'}"
        raise Mistake(f"'make {' '.join(working)}' does not use {' '.join(unused)}: {instead}")
    if len(str(ROOT).split()) > 1:
        space = "has a space in it, which simulators cannot do with: move the project"
        raise Mistake(f'the path "{ROOT}" {space}')
    off = [name for name in SWITCHES if given.get(name) in NO]
    return Values((name, value) for name, value in given.items() if value and name not in off)


def execute(command: str, values: Values, *, making: bool) -> int:
    """Run the steps of a command up to the first that fails; returns the exit code of the last one.

    ``making``: the caller is make, as the help says.
    """
    if command == "help":
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that ends early is no error
        print("\n".join(help_lines("ALL" in values, making)))
        return 0
    # a make that a step calls begins anew
    environment = {name: value for name, value in os.environ.items() if name not in OPTIONS}
    first, *others = steps(command, values)
    for words in (first, *others):
        if len(others) > 1 and words is not first and command != "report":  # its steps say it
            print(f"== {shlex.join(words).removeprefix('.venv/bin/python -m ')}", file=sys.stderr, flush=True)
        if code := _ended(words, environment):
            return code
    return 0


def _ended(words: list[str], environment: dict[str, str]) -> int:
    """Run one step; returns its exit code. Ctrl-C reaches it by itself, SIGTERM is passed on."""
    children: list[subprocess.Popen[bytes]] = []
    early = []  # SIGTERM that came while the step was being started

    def stop(*signals: object) -> None:
        early.append(signals)
        for child in children:
            child.terminate()

    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, stop)
    child = subprocess.Popen(words, cwd=ROOT, env=environment)
    children.append(child)
    if early:
        child.terminate()
    seconds, silent = 0, [name for name in SILENT if name in words]
    while True:
        try:
            code = child.wait(10 if silent else None)
            return code if code >= 0 else 128 - code
        except subprocess.TimeoutExpired:
            seconds += 10
            print(f"  {seconds} s: {silent[0]}", file=sys.stderr, flush=True)


def help_lines(everything: bool, making: bool) -> Iterator[str]:
    """The text of ``make help``, or of ``cacheforge --help``; ``everything``: as with ALL=1."""
    shown = _TABLE["shown"]
    groups: dict[str, list[str]] = {title: names.split() for title, names in shown["commands"].items()}
    options = shown["options"].split()
    if everything:
        first = {name for names in groups.values() for name in names}
        groups["Other"] = [name for name in COMMANDS if name not in first]
        options = list(OPTIONS)
    yield "cacheforge: GPU caches generated from Python templates, and the environment that verifies them.\n"
    if making:
        yield "make TARGET [VARIABLE=value ...]      a target first installs what is missing"
        yield "make help ALL=1                       all targets, variables and examples"
        yield ".venv/bin/cacheforge sim --help       options of sim (after set-up)"
    else:
        yield "cacheforge COMMAND [OPTION ...]       a command first installs what is missing"
        yield "cacheforge help --all                 all commands, options and examples"
        yield "cacheforge sim --help                 options of sim"
    for title, names in groups.items():
        yield f"\n{title}"
        yield from (_row(name, 10, COMMANDS[name]["help"], making) for name in names)
    yield "\nVariables and their defaults" if making else "\nOptions"
    listed = {name for names in groups.values() for name in names}
    for name in options:
        users, (default, text) = [command for command in COMMANDS if name in uses(command)], OPTIONS[name]
        named = len(users) <= FEW and not text.startswith(f"{users[0]}: ")
        whose = f"{', '.join(user for user in users if user in listed)}: " if named else ""
        yield _row(f"{name}={default}" if making else flag(name), 22, whose + text, making)
    yield "\nExamples"
    examples = list(_TABLE["examples"].items())[: None if everything else shown["examples"]]
    lines = {example if making else spelled(example): text for example, text in examples}
    yield from (f"  {example:{max(map(len, lines))}}  {text}" for example, text in lines.items())


def _row(name: str, width: int, text: str, making: bool) -> str:
    """A line of help, or several where the text is long."""
    text = text if making else spelled(text).replace("1 = ", "")
    return textwrap.fill(
        text, WIDTH, initial_indent=f"  {name:{width}} ", subsequent_indent=" " * (width + 3)
    )


def spelled(text: str, *, names: bool = False) -> str:
    """A text about ``make`` in the words of ``cacheforge``: --name for NAME=, with ``names`` for NAME."""

    def option(match: re.Match[str]) -> str:
        name, equals, end = match.groups()
        if name not in OPTIONS or not (equals or names):
            return match[0]
        value = "" if name in SWITCHES or not equals or end else " "
        return flag(name) + (value and value + equals[1:])

    text = re.sub(rf"\bmake(?='| (?:{'|'.join(COMMANDS)})\b)", "cacheforge", text)
    return re.sub(r"\b([A-Z_]+)\b(=1\b|=)?(?=([ ,]?))", option, text)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Raise :class:`Mistake` instead of printing the usage."""
        raise Unparsed(f"{message} (see {self.prog} --help)")


class Whole(Parser):
    """The parser of all commands; its help is that of ``make``."""

    def format_help(self) -> str:
        """The commands in groups."""
        return "\n".join(help_lines(everything=False, making=False)) + "\n"


def parser() -> Parser:
    """The parser of ``cacheforge``. A command takes each option; :func:`checked` judges which it uses."""
    whole = Whole(prog="cacheforge")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for command, entry in COMMANDS.items():
        about, used = spelled(entry["help"]), uses(command)
        part = commands.add_parser(command, help=about, description=about, allow_abbrev=False)
        if first := next((name for name in ("PROGRAM", "PATTERN", "TEXTURE", "BLOCK") if name in used), None):
            word = part.add_argument(first, nargs="?", default=argparse.SUPPRESS, help=OPTIONS[first][1])
            if first == "BLOCK":
                word.completer = lambda **_: _blocks("__init__.py")  # type: ignore[attr-defined]
        for name, (default, text) in OPTIONS.items():
            shown = spelled(text) + (f" (default: {default})" if default not in ("", "0") else "")
            kind: dict[str, Any] = {"metavar": name}
            if name in SWITCHES:
                shown, kind = shown.replace("1 = ", ""), {"action": "store_const", "const": "1"}
            kind["help"] = shown if name in used else argparse.SUPPRESS
            part.add_argument(flag(name), dest=name, **kind)
    return whole


def main(argv: list[str]) -> int:
    """Run ``COMMAND [OPTION ...]``, or ``make TARGET TARGETS NAMES``, whose values are in the environment."""
    making = argv[:1] == ["make"]
    try:
        if making:
            command, targets, names = argv[1], argv[2].split(), argv[3].split()
            given = {name: os.environ[name] for name in OPTIONS if name in os.environ}
            values = checked(targets, given, names)
        else:
            command, values = parsed(argv)
        return execute(command, values, making=making)
    except Mistake as mistake:
        ready = making or isinstance(mistake, Unparsed)
        print(f"error: {mistake if ready else spelled(str(mistake), names=True)}", file=sys.stderr)
        return 2


def parsed(argv: list[str]) -> tuple[str, Values]:
    """The command of ``cacheforge`` and its values; a shell that completes it ends here."""
    whole = parser()
    try:
        import argcomplete
    except ModuleNotFoundError:  # before set-up
        pass
    else:
        argcomplete.autocomplete(whole)
    options = vars(whole.parse_args(argv))
    given = {name: options[name] for name in OPTIONS if options[name] is not None}
    return options["command"], checked([options["command"]], given, given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
