# SPDX-License-Identifier: Apache-2.0
"""The first judgement: short replays through the design that holds all mutants, milliseconds each."""

import importlib
import signal
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from pathlib import Path

from configs import BlockConfig
from tb.common.replay.machine import Check, ReplayError
from tb.common.running.processes import processes

AT_ONCE = 16  # mutants that a process is given at a time
SECONDS = 20  # of CPU, for one mutant; most take a tenth of one


@cache
def checks(cfg: BlockConfig, seed: int) -> Mapping[str, Check]:
    """The block's, from ``tb/<block>/quick.py``, by name."""
    found: Mapping[str, Check] = importlib.import_module(f"tb.{cfg.block}.quick").checks(cfg, seed)
    return found


def judge(cfg: BlockConfig, folder: Path, seed: int, number: int) -> tuple[str, str]:
    """The check that notices mutant ``number``, and what it says; empty if none does. 0 is the design."""
    for name, check in checks(cfg, seed).items():
        try:
            wrong = check(folder, f"+mutant={number}")
        except ReplayError as error:
            wrong = str(error)
        if wrong:
            return name, wrong
    return "", ""


def judge_all(
    cfg: BlockConfig, folder: Path, seed: int, numbers: Sequence[int], jobs: int
) -> Iterator[tuple[int, str, str]]:
    """:func:`judge` for each of ``numbers``, in their order, ``jobs`` at a time; the library must be built.

    A mutant that ends the process, or loops for ever within a cycle, is noticed by that.
    """
    judge_some = partial(_judge_some, cfg, folder, seed)
    parts = [numbers[at : at + AT_ONCE] for at in range(0, len(numbers), AT_ONCE)]
    while parts:
        try:
            with processes(jobs) as pool:
                for found in pool.map(judge_some, list(parts)):
                    yield from found
                    del parts[0]
        except BrokenProcessPool:
            # by one of the parts at work, perhaps the first: each of its mutants gets a process of its own
            for number in parts.pop(0):
                try:
                    with processes(1) as pool:
                        yield from pool.submit(judge_some, [number]).result()
                except BrokenProcessPool:
                    yield number, "replay", "the simulation crashes or hangs"


def _judge_some(
    cfg: BlockConfig, folder: Path, seed: int, numbers: Sequence[int]
) -> list[tuple[int, str, str]]:
    found = []
    for number in numbers:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)  # ends the process: nobody handles it
        found.append((number, *judge(cfg, folder, seed, number)))
    signal.setitimer(signal.ITIMER_PROF, 0)
    return found
