# SPDX-License-Identifier: Apache-2.0
"""The base of every block's configuration, and how presets and overrides are found and loaded."""

import hashlib
import importlib
import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from configs.errors import UserError
from configs.ports import Stream

ROOT = Path(__file__).parent


def power_of_two(value: int) -> int:
    """A pydantic validator. Raises ValueError for anything else."""
    if value < 1 or value & (value - 1):
        raise ValueError("must be a power of two")
    return value


class MemoryTiming(BaseModel):
    """How the AXI memory behind a block answers; a matter of the test bench, not of the RTL.

    A burst's first beat comes ``latency`` cycles after the address handshake, or as soon as the beats of the
    bursts before it have left; ``gap`` idle cycles follow every beat.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    latency: int = Field(26, ge=1, le=10_000, description="cycles from address handshake to first data beat")
    gap: int = Field(0, ge=0, le=1_000, description="idle cycles after each data beat")


C = TypeVar("C", bound="BlockConfig")


class BlockConfig(BaseModel):
    """Fields common to all blocks; a block's schema adds its geometry.

    Instances are frozen and hashable; ``hash`` names everything that is built from the configuration.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    block: ClassVar[str]
    preset: str = Field("", description="name of the preset this came from")
    description: str = Field("", description="one line about the preset")
    memory: MemoryTiming = Field(
        default=MemoryTiming(latency=26, gap=0), description="timing of the memory model"
    )

    #: fields that say nothing about the hardware
    ASIDE: ClassVar[frozenset[str]] = frozenset({"preset", "description", "memory"})

    @property
    def geometry(self) -> dict[str, Any]:
        """The fields that decide the hardware, in order."""
        return {name: value for name, value in self.model_dump(mode="json").items() if name not in self.ASIDE}

    @property
    def name(self) -> str:
        """``preset`` or ``preset+field=value,...``: the preset and what was changed from it."""
        origin = load(self.block, self.preset)
        here, there = self.model_dump(mode="json"), origin.model_dump(mode="json")
        changes = [
            f"{key}={_shown(here[key])}" for key in here if key not in self.ASIDE and here[key] != there[key]
        ]
        changes += [
            f"memory.{key}={value}" for key, value in here["memory"].items() if value != there["memory"][key]
        ]
        return self.preset + ("+" + ",".join(changes) if changes else "")

    @property
    def hash(self) -> str:
        """12 hex digits over block and geometry: equal hashes, equal Verilog."""
        text = json.dumps([self.block, self.geometry], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def build_folder(self, root: Path | str = "build") -> Path:
        """Where everything built from this configuration goes: ``build/<block>/<name>-<hash>``."""
        slug = re.sub(r"[^A-Za-z0-9._]+", "-", self.name)
        return Path(root) / self.block / f"{slug}-{self.hash}"

    @property
    def clocks(self) -> dict[str, int]:
        """Clocks of the DUT, the main one first: name -> period in picoseconds, in the test bench."""
        return {"clk": 10_000}

    @property
    def streams(self) -> dict[str, Stream]:
        """The block's ports by name."""
        raise NotImplementedError

    def with_(self, **changes: Any) -> Self:
        """A validated copy with some fields changed. Raises :class:`UserError` like :func:`load`."""
        return _validated(type(self), {**self.model_dump(), **changes})


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def blocks() -> tuple[str, ...]:
    """Names of all blocks: the folders here that hold a ``schema.py``."""
    return tuple(sorted(path.parent.name for path in ROOT.glob("*/schema.py")))


def schema(block: str) -> type[BlockConfig]:
    """The configuration class of ``block``. Raises :class:`UserError` for an unknown block."""
    if block not in blocks():
        raise UserError(f"unknown block {block!r}: choose one of {', '.join(blocks())}")
    config: type[BlockConfig] = importlib.import_module(f"configs.{block}.schema").Config
    return config


@cache
def presets(block: str) -> tuple[str, ...]:
    """Names of the presets of ``block``, ``paper`` first."""
    schema(block)
    names = sorted(path.stem for path in (ROOT / block).glob("*.toml"))
    return tuple(sorted(names, key=lambda name: name != "paper"))


def load(block: str, preset: str = "paper", overrides: list[str] | tuple[str, ...] = ()) -> Any:
    """Load a preset and apply ``key=value`` overrides (``memory.latency=10`` reaches nested fields).

    Returns the block's own configuration class. Raises :class:`UserError` naming field, value and rule.
    """
    return _load(block, preset, tuple(overrides))


@cache
def _load(block: str, preset: str, overrides: tuple[str, ...]) -> BlockConfig:
    if preset not in presets(block):
        raise UserError(
            f"unknown configuration {preset!r} of {block}: choose one of {', '.join(presets(block))}"
        )
    path = ROOT / block / f"{preset}.toml"
    try:
        values = tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: not valid TOML: {error}") from None
    for override in overrides:
        _apply(values, override, schema(block))
    return _validated(schema(block), {**values, "preset": preset})


def _apply(values: dict[str, Any], override: str, kind: type[BaseModel]) -> None:
    key, equals, text = override.partition("=")
    if not equals or not key or not text:
        raise UserError(f"override {override!r}: write it as field=value, e.g. ways=2")
    *parents, leaf = key.split(".")
    if parents:
        if parents != ["memory"]:
            raise UserError(f"override {override!r}: unknown field {key}")
        values = values.setdefault("memory", {})
        kind = MemoryTiming
    if leaf not in kind.model_fields or leaf in ("preset", "description", "memory"):
        known = [name for name in kind.model_fields if name not in BlockConfig.ASIDE]
        raise UserError(f"override {override!r}: unknown field {key}; choose one of {', '.join(known)}")
    try:
        values[leaf] = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        values[leaf] = text


def _validated(kind: type[C], values: dict[str, Any]) -> C:
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        problems = []
        for item in error.errors():
            where = ".".join(str(part) for part in item["loc"])
            message = item["msg"].removeprefix("Value error, ")
            problems.append(f"{where}={item['input']!r}: {message}" if where else message)
        raise UserError(f"configuration of {kind.block}: " + "; ".join(problems)) from None
