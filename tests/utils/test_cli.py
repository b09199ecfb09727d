# SPDX-License-Identifier: Apache-2.0
"""How command lines end: what the machine refuses is one line; what is our own mistake stays a traceback."""

import errno
import importlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from configs import UserError
from utils import cli

ROOT = Path(__file__).parents[2]


def ended(number: int, capsys: pytest.CaptureFixture[str], name: str | None) -> tuple[int, str]:
    """Exit code and words of a command that ends with an error of the system."""

    def main(argv: list[str]) -> int:
        raise OSError(number, os.strerror(number), name)

    with pytest.raises(SystemExit) as stop:
        cli.run(main)
    return int(stop.value.code or 0), capsys.readouterr().err


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.EACCES, "work in a checkout of your own"),  # a checkout of another user
        (errno.EROFS, "work in a checkout of your own"),
        (errno.ENOSPC, "make room"),
        (errno.ENOTDIR, "name another place"),
        (errno.ENAMETOOLONG, "choose a shorter name"),
    ],
)
def test_what_the_machine_refuses_is_one_line(
    number: int, advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, start in (("/somewhere/build", "error: /somewhere/build: "), (None, "error: ")):
        code, words = ended(number, capsys, name)
        assert code == 2 and words.count("\n") == 1
        assert words.startswith(start + os.strerror(number)) and advice in words


def test_a_mistake_of_ours_is_none_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(FileNotFoundError):
        ended(errno.ENOENT, capsys, "build/what we should have made")


@pytest.mark.parametrize(
    "command",
    [
        ["rtl", "texcache", "--config", "tiny", "--out", "{file}/x"],
        ["formal", "texcache", "--test", "fifo", "--out", "{file}/x"],
        ["ci.nightly", "history", "--folder", "{file}/x"],
        ["workloads", "texture", "checker", "--out", "{file}/x.png"],
        ["workloads", "texture", "checker", "--out", "{file}/" + "x" * 300 + ".png"],
        ["workloads", "texture", "{folder}"],
        ["workloads", "pattern", "streaming", "-n", "0", "--out", "{folder}/x.csv"],
        ["tb", "trace", "texcache", "--trace", "{folder}/none.csv"],
        ["tb", "sim", "texcache", "--rtl-dir", "{file}"],
        ["tb", "sim", "texcache", "-n", "0"],
        ["rtl", "texcache", "--set", "ways=3"],
        ["workloads", "capture", "texcache", "--scene", "nowhere"],
    ],
)
def test_commands_that_cannot_do_it(command: list[str], tmp_path: Path) -> None:
    file, folder = tmp_path / "file", tmp_path / "folder.csv"
    file.write_text("")
    folder.mkdir()
    words = [word.format(file=file, folder=folder) for word in command]
    done = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    assert file.read_text() == "" and not list(folder.iterdir())


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("tb frame renderer --out {folder}", "{folder}: is a folder: name a file"),
        ("tb frame texunit --out {file}/x.png", "{file}/x.png: {file} is a file: name another place"),
        ("tb frame renderer --out x.jpg", "x.jpg: the name must end in .png"),
        ("tb frame renderer --seed -1", "--seed -1: must be 1 to 2147483647"),
        ("tb trace texcache --trace x.csv --out {file}", "{file}: is a file: name a folder"),
        ("tb measure simple --out /proc/x", "/proc/x: nothing can be written there"),
        ("tb measure simple --report {file}", "{file}: is a file: name a folder"),
        ("tb run lpas pollers --out {file}", "{file}: is a file: name a folder"),
        ("tb run mmu fft --out /proc/x/y", "/proc/x/y: nothing can be written there"),
        ("tb sim simple --seed -1", "--seed -1: must be 1 to 2147483647"),
        ("tb sim simple -n 100000000000", "-n 100000000000: must be 1 to 10000000"),
        ("workloads.simt fft --out {file}", "{file}: is a file: name a folder"),
        ("workloads capture texcache --out {folder}", "{folder}: is a folder: name a file"),
        ("workloads capture zcache --out x.txt", "x.txt: the name must end in .csv or .npz"),
        ("workloads pattern thrashing --out /proc/x.csv", "/proc/x.csv: nothing can be written there"),
        ("workloads pattern thrashing --seed -1", "--seed -1: must be 1 to 2147483647"),
        ("workloads pattern thrashing -n 100000000000", "-n 100000000000: must be 1 to 10000000"),
        ("workloads texture checker --out {folder}", "{folder}: is a folder: name a file"),
        ("report texcache --out {file}", "{file}: is a file: name a folder"),
        ("rtl simple --out /proc/x", "/proc/x: nothing can be written there"),
        ("rtl release simple --out {file}", "{file}: is a file: name a folder"),
        ("formal simple --out {file}", "{file}: is a file: name a folder"),
        ("ci.synth simple --out {file}", "{file}: is a file: name a folder"),
        ("ci.synth simple --netlist /proc/x", "/proc/x: nothing can be written there"),
        ("ci.faults simple --generated 3 --seed -1", "--seed -1: must be 1 to 2147483647"),
        ("ci.nightly run smoke --seed -1", "--seed -1: must be at least 0"),
    ],
)
def test_what_is_given_is_checked_before_any_work(command: str, message: str, tmp_path: Path) -> None:
    """Places to write, seeds and numbers; nothing is made there."""
    file, folder = tmp_path / "file", tmp_path / "folder.csv"
    file.write_text("")
    folder.mkdir()
    module, *argv = command.format(file=file, folder=folder).split()
    main = importlib.import_module(f"{module}.__main__").main
    began = time.process_time()
    with pytest.raises(UserError) as caught:
        main(argv)
    assert message.format(file=file, folder=folder) in str(caught.value) and "\n" not in str(caught.value)
    assert time.process_time() - began < 5 and len(list(tmp_path.rglob("*"))) == 2
