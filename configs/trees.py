# SPDX-License-Identifier: Apache-2.0
"""Nested values by their paths: overrides of any depth, changes, fields that follow others."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from configs import parts
from utils import toml
from utils.errors import UserError, shortened


def read_override(override: str, choices: Sequence[str]) -> tuple[str, Any]:
    """Path and value of ``field=value``; ``choices`` are the paths there are.

    Raises :class:`UserError` for another form, a field that does not exist and a name that several have.
    """
    key, equals, text = override.partition("=")
    if not equals or not key or not text:
        example = "cache.ways=2" if "cache.ways" in choices else f"{choices[0]}=..."
        raise UserError(f"override {shortened(override)!r}: write it as field=value, e.g. {example}")
    if re.search(r",[a-z_.]+=", text):
        raise UserError(f"override {shortened(override)!r}: separate overrides by blanks, not by commas")
    try:
        value = toml.parsed(f"value = {text}")["value"]
    except ValueError:  # also of numbers beyond all limits
        value = text
    return _resolve(shortened(override), shortened(key), choices), value


def _resolve(override: str, key: str, choices: Sequence[str]) -> str:
    if key in choices:
        return key
    ends = [path for path in choices if path.endswith(f".{key}")]
    if len(ends) == 1:
        return ends[0]
    if ends:
        raise UserError(f"override {override!r}: {key} is ambiguous; say which: {', '.join(ends)}")
    inside = [path for path in choices if path.startswith(f"{key}.")]
    if inside:
        raise UserError(f"override {override!r}: {key} is a part; choose one of {', '.join(inside)}")
    above = key.rpartition(".")[0]
    beside = [path for path in choices if above and path.startswith(f"{above}.")]
    candidates = beside or [path for path in choices if not path.startswith("memory.")]
    raise UserError(f"override {override!r}: unknown field {key}; choose one of {', '.join(candidates)}")


def nested(path: str, value: Any) -> dict[str, Any]:
    """``{"cache": {"ways": value}}`` for the path ``cache.ways``."""
    for name in reversed(path.split(".")):
        value = {name: value}
    return dict(value)


def merged(values: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """``values`` with ``changes``; a mapping in both is merged in turn."""
    result = dict(values)
    for name, change in changes.items():
        inner = result.get(name)
        if isinstance(change, Mapping) and isinstance(inner, Mapping):
            result[name] = merged(inner, change)
        else:
            result[name] = change
    return result


def remove(values: dict[str, Any], path: str) -> None:
    """Take the value at ``path`` out of ``values``, if it is there."""
    *above, leaf = path.split(".")
    for name in above:
        values = values.get(name, {})
    values.pop(leaf, None)


def complete(
    kind: type[BaseModel],
    follows: Mapping[str, str],
    values: Mapping[str, Any],
    inner: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """The input of ``kind``: parts that are given in part get the rest of their defaults, and every field of
    ``follows`` the value of the one it follows.

    ``inner`` has, for parts that complete themselves, what is used in place of defaults. Raises ValueError
    where a field that follows is given another value.
    """
    defaults = {
        name: dict(inner[name]) if name in inner else field.get_default().model_dump()
        for name, field in kind.model_fields.items()
        if parts.part_of(field)
    }
    for path in follows:
        remove(defaults, path)
    given = {
        name: value.model_dump() if isinstance(value, BaseModel) else value for name, value in values.items()
    }
    result = merged(defaults, given)
    for path, leader in follows.items():
        value, own = _at(result, leader), _at(result, path)
        if value is None:
            value = parts.fields(kind)[leader].default
        if own is not None and own != value:
            raise ValueError(f"{path}={own}: always equals {leader}, which is {value}")
        result = merged(result, nested(path, value))
    return result


def _at(values: Any, path: str) -> Any:
    for name in path.split("."):
        if not isinstance(values, Mapping) or name not in values:
            return None
        values = values[name]
    return values
