# SPDX-License-Identifier: Apache-2.0
"""What a block's page says of its configurations: rows of its presets, fields with limits, and counters."""

import typing
from collections.abc import Mapping

from pydantic import AfterValidator
from pydantic.fields import FieldInfo

from configs import parts
from configs.base import default_preset, load, presets, schema

T = typing.TypeVar("T")


def preset_rows(block: str) -> list[list[str]]:
    """Name and description of each preset, the default one first."""
    return [[f"`{name}`", load(block, name).description] for name in presets(block)]


def field_rows(block: str) -> list[list[str]]:
    """Path, limits, value in the default preset, other values in other presets, meaning of each field."""
    fields = parts.fields(schema(block))
    default = default_preset(block)
    chosen = {name: load(block, name).chosen for name in presets(block)}
    rows = []
    for path, value in chosen[default].items():
        others = [f"{name}: {_shown(c[path])}" for name, c in chosen.items() if c[path] != value]
        meaning = fields[path].description or ""
        rows.append([f"`{path}`", limits(fields[path]), _shown(value), ", ".join(others), meaning])
    return rows


def counter_rows(block: str) -> list[list[str]]:
    """Name, presets if it is not in all, and meaning of each counter of ``perf``, in the order of the stream.

    A configuration without one has the others in the same order.
    """
    perf = {
        preset: {field.name: field for field in stream.fields}
        for preset in presets(block)
        for key, stream in load(block, preset).all_streams.items()
        if key in ("perf", "perf0")
    }
    return [[f"`{field.name}`", only, field.doc] for field, only in of_presets(perf)]


def of_presets(by_preset: Mapping[str, Mapping[str, T]]) -> list[tuple[T, str]]:
    """Entries by name, as the first preset has each, with the presets that have it unless all do."""
    first: dict[str, T] = {}
    for named in by_preset.values():
        first |= {name: entry for name, entry in named.items() if name not in first}
    having = {name: [preset for preset, named in by_preset.items() if name in named] for name in first}
    return [
        (entry, ", ".join(having[name]) if len(having[name]) < len(by_preset) else "")
        for name, entry in first.items()
    ]


def limits(field: FieldInfo) -> str:
    """The values that a field takes, e.g. ``1 to 8``, ``powers of two, 2 to 64`` or ``row, texel``."""
    if typing.get_origin(field.annotation) is typing.Literal:
        return ", ".join(map(str, typing.get_args(field.annotation)))
    if field.annotation is bool:
        return "true, false"
    ends = [
        str(getattr(rule, end) - beyond)
        for end, beyond in (("ge", 0), ("le", 0), ("lt", 1))
        for rule in field.metadata
        if hasattr(rule, end)
    ]
    validators = [rule.func for rule in field.metadata if isinstance(rule, AfterValidator)]
    kind = "powers of two, " if parts.power_of_two in validators else ""
    return kind + " to ".join(ends)


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
