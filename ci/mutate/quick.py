# SPDX-License-Identifier: Apache-2.0
"""The first judgement: short replays through the design that holds all mutants, milliseconds each."""

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path

from configs import BlockConfig
from tb.common.replay import ReplayError

#: told a folder of Verilog and a plusarg, says what is wrong or nothing
Check = Callable[[Path, str], str]


def checks(cfg: BlockConfig, seed: int) -> Mapping[str, Check]:
    """The block's, from ``tb/<block>/quick.py``, by name."""
    found: Mapping[str, Check] = importlib.import_module(f"tb.{cfg.block}.quick").checks(cfg, seed)
    return found


def judge(known: Mapping[str, Check], folder: Path, number: int) -> tuple[str, str]:
    """The check that notices mutant ``number`` and what it says; empty if none does. 0 is the design."""
    for name, check in known.items():
        try:
            wrong = check(folder, f"+mutant={number}")
        except ReplayError as error:
            wrong = str(error)
        if wrong:
            return name, wrong
    return "", ""
