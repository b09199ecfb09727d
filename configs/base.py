# SPDX-License-Identifier: Apache-2.0
"""The base of every block's configuration, and how presets and overrides are found and loaded."""

import hashlib
import importlib
import json
import re
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from configs import parts, trees
from configs.parts import AxiPort, MemoryTiming
from configs.ports import Stream
from utils import toml
from utils.errors import UserError, shortened, shown
from utils.notebook import table

ROOT = Path(__file__).parent
PROJECT = "cacheforge_"
"""Prefix of every module name in generated Verilog."""
LONGEST_NAME = 120  # characters of a folder's name, before its hashes
C = TypeVar("C", bound="BlockConfig")
SHOWN = 8  # problems of a configuration


class BlockConfig(BaseModel):
    """Fields common to all blocks; a block's schema adds its own and its parts.

    Instances are frozen and hashable; ``hash`` names everything that is built from the configuration.
    A block that contains another has its configuration as a field: what it is given changes the preset
    that it names (``icache = { preset = "tiny" }``), or the default one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    block: ClassVar[str]
    preset: str = Field("", description="name of the preset this came from")
    description: str = Field("", description="one line about the preset")
    memory: MemoryTiming = Field(default=MemoryTiming(), description="timing of the memory model")

    observe: bool = Field(True, description="with monitoring ports (`evt`, ...)")

    #: fields that say nothing about the hardware
    ASIDE: ClassVar[frozenset[str]] = frozenset({"preset", "description", "memory"})
    #: fields that nobody sets because they equal another: path -> path of the one they follow
    FOLLOWS: ClassVar[Mapping[str, str]] = {}

    def __repr__(self) -> str:
        return f"<Config {self.block} {self.name if self.preset else self.hash}>"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return table(repr(self), {path: _shown(value) for path, value in self.chosen.items()})

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        inner = {
            name: _preset_values(kind.block, dict(values.get(name) or {}).get("preset"))
            for name, kind in cls.inner_kinds().items()
        }
        return trees.complete(cls, cls.follows(), values, inner)

    @classmethod
    def inner_kinds(cls) -> dict[str, type["BlockConfig"]]:
        """The classes of the configurations of the blocks that this one contains, by field."""
        kinds = {name: parts.part_of(field) for name, field in cls.model_fields.items()}
        return {name: kind for name, kind in kinds.items() if kind and issubclass(kind, BlockConfig)}

    @classmethod
    def follows(cls) -> dict[str, str]:
        """``FOLLOWS``, and those of the blocks inside; these have its observers and its memory's timing."""
        followers = dict(cls.FOLLOWS)
        for name, kind in cls.inner_kinds().items():
            same = ("observe", *(f"memory.{field}" for field in MemoryTiming.model_fields))
            followers |= {f"{name}.{path}": path for path in same}
            followers |= {f"{name}.{path}": f"{name}.{leader}" for path, leader in kind.follows().items()}
        return followers

    @property
    def inner(self) -> dict[str, "BlockConfig"]:
        """The configurations of the blocks that this one contains, by field."""
        return {name: getattr(self, name) for name in self.inner_kinds()}

    @classmethod
    def choices(cls) -> tuple[str, ...]:
        """Paths of all fields that an override may set, the timing of the memory last."""
        follows = cls.follows()
        paths = [
            path
            for path, field in parts.fields(cls).items()
            if path.rpartition(".")[2] not in ("preset", "description")
            and path not in follows
            and not parts.is_fact(field)
        ]
        return tuple(sorted(paths, key=lambda path: path.startswith("memory.")))

    @property
    def chosen(self) -> dict[str, Any]:
        """The values of all ``choices`` by their paths, as JSON knows them."""
        values = parts.leaves(self)
        return {path: values[path] for path in self.choices()}

    @property
    def geometry(self) -> dict[str, Any]:
        """The choices that decide the hardware, by their paths."""
        return {
            path: value for path, value in self.chosen.items() if path.partition(".")[0] not in self.ASIDE
        }

    @property
    def name(self) -> str:
        """``preset`` or ``preset+field=value,...``: the preset and what was changed from it."""
        there = load(self.block, self.preset).chosen
        changes = ",".join(
            f"{path}={_shown(value)}" for path, value in self.chosen.items() if value != there[path]
        )
        return self.preset + (f"+{changes}" if changes else "")

    @property
    def hash(self) -> str:
        """12 hex digits over block and geometry: equal hashes, equal Verilog."""
        text = json.dumps([self.block, self.geometry], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def top(self, prefix: str = "") -> str:
        """The name of the block's top module: the project's, ``prefix``, the block's."""
        return f"{PROJECT}{prefix}{self.block}"

    def build_folder(self, root: Path | str = "build") -> Path:
        """Where everything built from this configuration goes: ``build/<block>/<name>-<hash>``.

        A long name is cut, and has a hash of its own then: file systems take 255 characters.
        """
        slug = re.sub(r"[^A-Za-z0-9._]+", "-", self.name)
        if len(slug) > LONGEST_NAME:
            slug = f"{slug[:LONGEST_NAME]}-{hashlib.sha256(slug.encode()).hexdigest()[:8]}"
        return Path(root) / self.block / f"{slug}-{self.hash}"

    @property
    def clocks(self) -> dict[str, int]:
        """Clocks of the DUT, the main one first: name -> period in picoseconds, in the testbench."""
        return {"clk": 10_000}

    @property
    def all_streams(self) -> dict[str, Stream]:
        """The block's streams by name, those for observers included."""
        raise NotImplementedError

    @cached_property
    def streams(self) -> dict[str, Stream]:
        """The streams that are ports, by name."""
        return {name: s for name, s in self.all_streams.items() if self.observe or not s.observer}

    @property
    def axi_ports(self) -> dict[str, AxiPort]:
        """The block's AXI4 ports by prefix."""
        values = (getattr(self, name) for name in type(self).model_fields)
        return {port.prefix: port for port in values if isinstance(port, AxiPort)}

    def with_(self, **changes: Any) -> Self:
        """A validated copy with some fields changed; a mapping changes a part: ``cache={"ways": 2}``.

        Raises :class:`UserError` like :func:`load`.
        """
        values = self.model_dump()
        for path in self.follows():
            trees.remove(values, path)
        return _validated(type(self), trees.merged(values, changes))


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
    config: type[BlockConfig] = importlib.import_module(f"{__package__}.{block}.schema").Config
    return config


@cache
def presets(block: str) -> tuple[str, ...]:
    """Names of the presets of ``block``, the default one (``paper`` or ``base``) first."""
    schema(block)
    names = sorted(path.stem for path in (ROOT / block).glob("*.toml"))
    return tuple(sorted(names, key=lambda name: (name != "paper", name != "base")))


def default_preset(block: str) -> str:
    """The published machine, ``paper``; ``base`` where nothing is published. Raises :class:`UserError`."""
    return presets(block)[0]


def load(block: str, preset: str | None = None, overrides: list[str] | tuple[str, ...] = ()) -> Any:
    """Load a preset (the block's default one if None) and apply overrides ``field=value``.

    A field is named by its path (``cache.ways=2``) or, where it alone has its name, by that (``ways=2``).
    Returns the block's own configuration class. Raises :class:`UserError` naming field, value and rule.
    """
    return _load(block, default_preset(block) if preset is None else preset, tuple(overrides))


@cache
def _load(block: str, preset: str, overrides: tuple[str, ...]) -> BlockConfig:
    values = _preset_values(block, preset)
    for override in overrides:
        field, value = trees.read_override(override, schema(block).choices())
        values = trees.merged(values, trees.nested(field, value))
    return _validated(schema(block), values)


def _preset_values(block: str, preset: str | None) -> dict[str, Any]:
    """What the file of a preset says, of the default one if None. Raises :class:`UserError`."""
    name = default_preset(block) if preset is None else preset
    if name not in presets(block):
        raise UserError(
            f"unknown configuration {name!r} of {block}: choose one of {', '.join(presets(block))}"
        )
    return {**toml.read(ROOT / block / f"{name}.toml"), "preset": name}


def _validated(kind: type[C], values: dict[str, Any]) -> C:
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        problems = []
        for item in error.errors():
            where = ".".join(str(part) for part in item["loc"])
            message = item["msg"].removeprefix("Value error, ")
            message = message.replace("Input should be greater than or equal to", "must be at least")
            message = message.replace("Input should be less than or equal to", "must be at most")
            message = message.replace("Input should be", "must be")
            if where and not isinstance(item["input"], dict):
                where += f"={shown(item['input'])}"
            problems.append(f"{shortened(where)}: {message}" if where else message)
        more = [f"and {len(problems) - SHOWN} more"] if len(problems) > SHOWN else []
        raise UserError(f"configuration of {kind.block}: {'; '.join(problems[:SHOWN] + more)}") from None
