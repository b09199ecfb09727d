# SPDX-License-Identifier: Apache-2.0
"""Both ends of every field of every block: a refusal that says why, or Verilog that three tools take."""

import os
import subprocess
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from annotated_types import Ge, Le, Lt
from pydantic.fields import FieldInfo

import configs
from configs import BlockConfig, UserError, load, parts
from formal import tools as yosys_tools
from rtl import write
from tb.common.running.tools import require, tool_environment

LOADS = 300  # configurations that the search for one that is accepted looks at
STEPS = 3  # other fields that it changes


def ends(field: FieldInfo) -> tuple[Any, ...]:
    """The least and the greatest value of a number, every value of a choice."""
    if field.annotation is bool:
        return False, True
    if get_args(field.annotation):
        return get_args(field.annotation)
    low = next(rule.ge for rule in field.metadata if isinstance(rule, Ge))
    high = [rule.le if isinstance(rule, Le) else rule.lt - 1 for rule in field.metadata if isinstance(rule, Le | Lt)]
    return low, high[0]


def fields_of(block: str) -> dict[str, FieldInfo]:
    """The fields of ``block`` that decide its Verilog, by path."""
    kind = configs.schema(block)
    listed = parts.fields(kind)
    return {path: listed[path] for path in kind.choices() if path.partition(".")[0] not in kind.ASIDE}


def overrides(changes: dict[str, Any]) -> list[str]:
    return [f"{path}={str(value).lower() if isinstance(value, bool) else value}" for path, value in changes.items()]


def check_refusal(error: UserError, path: str, value: Any) -> None:
    """The message has the field, its value and more."""
    text = str(error)
    name = path.rpartition(".")[2]
    assert name in text, text
    shown = {str(value), str(value).lower(), repr(value)} | ({hex(value)} if isinstance(value, int) else set())
    assert any(word in text for word in shown), text


def accepted(block: str, preset: str, path: str, value: Any) -> Iterator[BlockConfig]:
    """The configuration with this value and as few other changes as the rules demand, found by their messages."""
    fields, waiting, looked = fields_of(block), deque([{path: value}]), 0
    seen = set()
    while waiting and looked < LOADS:
        changes = waiting.popleft()
        looked += 1
        try:
            yield load(block, preset, overrides(changes))
            return
        except UserError as error:
            text = str(error)
            if len(changes) == 1:
                check_refusal(error, path, value)
            if len(changes) > STEPS:
                continue
            for other in sorted(fields, key=lambda one: one not in text):
                if other in changes or not (other in text or other.rpartition(".")[2] in text):
                    continue
                for end in ends(fields[other]):
                    more = {**changes, other: end}
                    key = frozenset(more.items())
                    if key not in seen:
                        seen.add(key)
                        waiting.append(more)
