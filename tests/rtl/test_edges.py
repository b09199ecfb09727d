# SPDX-License-Identifier: Apache-2.0
"""Both ends of every field of every block: a refusal that says why, or Verilog that three tools take.

One field of the smallest preset has a value at its end; others differ where the schema demands it. Each
preset is there without its observers, too.
"""

from collections import deque
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic.fields import FieldInfo

import configs
from ci.lint import lint
from configs import BlockConfig, UserError, load, parts
from formal import tools
from rtl.generate import FILE_LIST

LOADS = 300  # configurations that the search for one that is accepted looks at
OTHERS = 3  # fields that it changes beside the one in question
AT_ONCE = 20  # designs that one run of Yosys reads, one after the other


def ends(field: FieldInfo) -> tuple[Any, ...]:
    """The least and the greatest value of a number, every value of a choice."""
    if field.annotation is bool:
        return False, True
    if get_args(field.annotation):
        return get_args(field.annotation)
    least = [rule.ge for rule in field.metadata if hasattr(rule, "ge")]
    most = [rule.le for rule in field.metadata if hasattr(rule, "le")]
    most += [rule.lt - 1 for rule in field.metadata if hasattr(rule, "lt")]
    [low], [high] = least, most
    return low, high


def geometry(block: str) -> dict[str, FieldInfo]:
    """The fields of ``block`` that decide its Verilog, by path."""
    kind = configs.schema(block)
    listed = parts.fields(kind)
    return {path: listed[path] for path in kind.choices() if path.partition(".")[0] not in kind.ASIDE}


def text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def loaded(block: str, preset: str, changes: dict[str, Any]) -> BlockConfig:
    """Raises :class:`UserError` for changes that the rules forbid."""
    config: BlockConfig = load(block, preset, [f"{path}={text_of(value)}" for path, value in changes.items()])
    return config


def accepted(block: str, preset: str, path: str, value: Any) -> BlockConfig | None:
    """The configuration with this value and as few other ends as possible; None if the search finds none.

    Fields to change are those that the refusals name.
    """
    fields, waiting, tried = geometry(block), deque([{path: value}]), set[frozenset[Any]]()
    while waiting and len(tried) < LOADS:
        changes = waiting.popleft()
        try:
            return loaded(block, preset, changes)
        except UserError as error:
            reason = str(error)
        named = [path for path in fields if path not in changes and path.rpartition(".")[2] in reason]
        named.sort(key=lambda path: path not in reason)
        for other in named if len(changes) <= OTHERS else ():
            for end in ends(fields[other]):
                more = {**changes, other: end}
                if (key := frozenset(more.items())) not in tried:
                    tried.add(key)
                    waiting.append(more)
    return None


def smallest(block: str) -> str:
    """The preset whose Verilog takes the tools least time."""
    presets = configs.presets(block)
    return next((name for name in ("tiny", "small") if name in presets), presets[0])


EDGES = [
    (block, preset, path, value)
    for block in configs.blocks()
    for preset in {smallest(block): 0, configs.default_preset(block): 0}
    for path, field in geometry(block).items()
    for value in ends(field)
]


def test_a_refusal_names_field_and_value() -> None:
    """A configuration that differs from a preset in one value at its end is made, or refused with both."""
    refused = 0
    for block, preset, path, value in EDGES:
        try:
            loaded(block, preset, {path: value})
        except UserError as error:
            refused += 1
            shown = {text_of(value), hex(value) if isinstance(value, int) else ""} - {""}
            assert path.rpartition(".")[2] in str(error), error
            assert any(f"={word}" in str(error) for word in shown), (path, value, error)
    assert refused > len(EDGES) // 10


def without_observers(block: str) -> list[BlockConfig]:
    observed = "observe" in configs.schema(block).choices()
    return [load(block, preset, ["observe=false"]) for preset in configs.presets(block)] if observed else []


def yosys(folder: Path, cfgs: list[BlockConfig]) -> str:
    """What Yosys says of designs in folders by their hash; it ends at the first that it does not take."""
    script = []
    for cfg in cfgs:
        names = (folder / cfg.hash / FILE_LIST).read_text().split()
        files, top = " ".join(f"{cfg.hash}/{name}" for name in names), names[-1].removesuffix(".v")
        script.append(
            f"design -reset; read_verilog {files}; hierarchy -check -top {top}; proc; check -assert"
        )
    done = tools.yosys(folder, "-p", "; ".join(script))
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.slow
@pytest.mark.parametrize("block", configs.blocks())
def test_three_tools_take_the_verilog_at_both_ends_of_every_field(block: str, tmp_path: Path) -> None:
    """Verilator (lint), Icarus and Yosys. Some values are refused whatever the other fields are.

    Of ``renderer``, which takes minutes, its own fields: it hands others to blocks that are swept themselves.
    """
    inner = configs.schema(block).inner_kinds() if block == "renderer" else {}
    edges = [edge for edge in EDGES if edge[:2] == (block, smallest(block))]
    candidates = [accepted(*edge) for edge in edges if edge[2].partition(".")[0] not in inner]
    cfgs = {cfg.hash: cfg for cfg in [*candidates, *without_observers(block)] if cfg}
    assert len([cfg for cfg in candidates if cfg]) > 0.7 * len(candidates)
    complaints = {cfg.name: lint(cfg, tmp_path / cfg.hash) for cfg in cfgs.values()}
    assert not any(complaints.values()), "\n".join(
        f"{name}: {text}" for name, text in complaints.items() if text
    )
    made = list(cfgs.values())
    for first in range(0, len(made), AT_ONCE):
        several = made[first : first + AT_ONCE]
        if yosys(tmp_path, several):
            for cfg in several:
                assert not (complaint := yosys(tmp_path, [cfg])), f"{cfg.name}: {complaint[-1000:]}"
