# SPDX-License-Identifier: Apache-2.0
"""What every command line of the project shares: how errors end, how a configuration is chosen."""

import argparse
import errno
import os
import re
import shlex
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from configs.base import BlockConfig, blocks, load
from utils.errors import ROOM, UserError
from utils.keys import INSTALLED, ROOT
from utils.outside import ENVIRONMENT
from utils.processes import use_build

_ELSEWHERE = "work in a checkout of your own"
#: what a system call is refused for, and what helps
REFUSALS = {
    errno.EACCES: _ELSEWHERE,
    errno.EPERM: _ELSEWHERE,
    errno.EROFS: _ELSEWHERE,
    errno.ENOSPC: ROOM,
    errno.EDQUOT: ROOM,
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.EISDIR: "name a file",
    errno.ENOTDIR: "a file stands where a folder must be: name another place",
    errno.EEXIST: "a file stands where a folder must be: name another place",
}
LAST_SEED = (1 << 31) - 1  # the largest that Verilator takes; the first is 1


def run(main: Callable[[list[str]], int]) -> None:
    """Run ``main(argv)`` and exit with its code.

    A :class:`UserError` is one line and exit code 2; so is what the machine does not let us do. SIGTERM, with
    which a service stops a job, is what Ctrl-C is: what was started ends, too.
    """
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    if not INSTALLED:
        use_build(ROOT / "build")
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        code = 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        code = 130
    except BrokenPipeError:  # the reader (head, less) has gone: not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        if error.errno not in REFUSALS:
            raise
        where = f"{error.filename}: " if error.filename else ""
        print(f"error: {where}{error.strerror}; {REFUSALS[error.errno]}", file=sys.stderr)
        code = 2
    finally:
        signal.signal(signal.SIGTERM, before)
    sys.exit(code)


class Parser(argparse.ArgumentParser):
    """An argument parser that fails in the project's own form (one ``error:`` line, exit code 2).

    ``prog`` may begin with ``python``: shown is the one that has what the project needs.
    """

    def __init__(self, *, prog: str | None = None, **options: Any) -> None:
        if prog and prog.startswith("python "):
            prog = prog.replace("python", ENVIRONMENT, 1)
        super().__init__(prog=prog, **options)

    def error(self, message: str) -> NoReturn:
        """Raise :class:`UserError` instead of printing the usage."""
        raise UserError(f"{message} (see {self.prog} --help)")


def check_seed(seed: int) -> None:
    """Raises :class:`UserError` for a ``--seed`` that a simulation does not take."""
    check_number("--seed", seed, 1, LAST_SEED)


def check_number(option: str, value: int, least: int, most: int) -> None:
    """Raises :class:`UserError` for the ``value`` of an option beyond its limits."""
    if not least <= value <= most:
        raise UserError(f"{option} {value}: must be {least} to {most}")


def add_out(parser: argparse.ArgumentParser, default: str, *suffixes: str) -> None:
    """Add ``--out`` to ``parser``: a file with one of ``suffixes``, or a folder if there are none.

    ``default`` says where else is written.
    """
    where = f"where to write, {' or '.join(suffixes)}" if suffixes else "folder to write to"
    parser.add_argument(
        "-o", "--out", type=out_file(*suffixes) if suffixes else out_folder,
        metavar="FILE" if suffixes else "DIR", help=f"{where} (default: {default})",
    )  # fmt: skip


def out_file(*suffixes: str) -> Callable[[str], Path]:
    """The ``type`` of an option that names a file to write, with one of ``suffixes`` if there are any.

    It raises :class:`UserError` at once for a place where no such file can be.
    """

    def checked(text: str) -> Path:
        path = Path(text)
        if path.is_dir():
            raise UserError(f"{path}: is a folder: name a file")
        if suffixes and path.suffix not in suffixes:
            raise UserError(f"{path}: the name must end in {' or '.join(suffixes)}")
        _check_writable(path, path.parent)
        return path

    return checked


def out_folder(text: str) -> Path:
    """The ``type`` of an option that names a folder to write into; it need not exist.

    Raises :class:`UserError` at once for a place where no folder can be written.
    """
    path = Path(text)
    _check_writable(path, path)
    return path


def _check_writable(path: Path, folder: Path) -> None:
    """Raises :class:`UserError` unless files can be made in ``folder``, or in the first one above it."""
    try:
        while not folder.exists():
            folder = folder.parent
        if not folder.is_dir():
            other = f"{folder} is a file: name another place"
            raise UserError(f"{path}: {'is a file: name a folder' if folder == path else other}")
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = REFUSALS.get(error.errno or 0, "name another place")
        raise UserError(f"{path}: nothing can be written there ({error.strerror}): {reason}") from None


def add_config_arguments(
    parser: argparse.ArgumentParser, *, block: bool = True, otherwise: str | None = None
) -> None:
    """Add ``BLOCK --config --set`` to ``parser``; :func:`chosen_config` reads them back.

    ``otherwise`` says what is taken where no preset is named and that is not the block's default one.
    """
    if block:
        parser.add_argument("block", metavar="BLOCK", help="one of: " + ", ".join(blocks()))
    parser.add_argument(
        "--config", metavar="NAME", help=f"preset of the block (default: {otherwise or 'paper, else base'})",
    )  # fmt: skip
    parser.add_argument(
        "--set",
        default="",
        metavar="'K=V ...'",
        help="overrides of single fields, e.g. 'cache.ways=2 units=1'",
    )


def chosen_config(arguments: argparse.Namespace) -> BlockConfig:
    """The configuration that the parsed arguments name. Raises :class:`UserError`."""
    return load(arguments.block, arguments.config, arguments.set.split())


def make_command(target: str, cfg: BlockConfig, **variables: object) -> str:
    """``make TARGET`` for a configuration, as a shell takes it; variables that are None are left out."""
    changes = cfg.name.partition("+")[2].replace(",", " ") or None
    said = {"BLOCK": cfg.block, "CONFIG": cfg.preset, "SET": changes, **variables}
    given = {name: str(value) for name, value in said.items() if value is not None}
    plain = re.compile(r"[\w@%+=:,./{}-]+")  # braces, too: runner.repro_command's {test}
    words = (
        f"{name}={value if plain.fullmatch(value) else shlex.quote(value)}" for name, value in given.items()
    )
    return " ".join(["make", target, *words])
