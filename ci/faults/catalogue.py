# SPDX-License-Identifier: Apache-2.0
"""Faults as records: ``tb/<block>/faults.toml``, and files in the same form from outside the tree."""

from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import configs
import rtl
from configs import BlockConfig, UserError
from utils import toml

ROOT = Path(__file__).parents[2]
COMMON = "common"
"""The list of faults in ``rtl/common``, which proofs detect."""
TEXTS = ("file", "find", "replace", "why")
FIELDS: dict[str, type] = {
    **dict.fromkeys((*TEXTS, "config", "simulator", "kind", "harmless"), str), "caught_by": list, "seed": int,
    "depth": int, "skip": int,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A text of a Verilog file that is replaced, which must fit once.

    ``caught_by`` names tests (each must fail) or one assertion, as ``proof.assertion``. A fault from outside
    the tree names none, but may say in ``harmless`` why it changes nothing. ``seed`` is the tests'; ``depth``
    and ``skip`` replace the proof's last step and name the first one that the solver looks at.
    """

    block: str
    name: str
    file: str
    find: str
    replace: str
    why: str
    config: str = ""
    caught_by: tuple[str, ...] = ()
    simulator: str = "verilator"
    kind: str = "listed"
    harmless: str = ""
    seed: int = 1
    depth: int | None = None
    skip: int = 0

    def __str__(self) -> str:
        return f"{self.name}: {self.file}: {self.why}"

    @property
    def proof(self) -> str:
        """The proof that detects the fault; empty if tests do."""
        return self.caught_by[0].partition(".")[0] if self.caught_by and "." in self.caught_by[0] else ""

    @property
    def assertion(self) -> str:
        """The assertion of the proof, or its cover."""
        return self.caught_by[0].partition(".")[2]

    @property
    def cfg(self) -> BlockConfig:
        """The configuration whose Verilog has the fault. Raises :class:`UserError` for an unknown one."""
        return configs.load(self.block, self.config or None)

    def planted(self, files: dict[str, str]) -> dict[str, str]:
        """``files`` with the fault. Raises :class:`UserError` unless it fits once."""
        try:
            return rtl.plant(files, self.file, self.find, self.replace)
        except (KeyError, ValueError) as error:
            words = f"there is no file {self.file}" if isinstance(error, KeyError) else error
            raise UserError(f"fault {self.name} of {self.block}: {words}") from None

    def write(self, root: Path) -> Path:
        """Write the Verilog with the fault alone; returns its folder."""
        folder = root / self.name / "rtl"
        rtl.write_files(folder, self.planted(rtl.generate(self.cfg)))
        return folder


def blocks() -> tuple[str, ...]:
    """Names of all lists: blocks, and ``common``."""
    return (*(name for name in configs.blocks() if path_of(name).is_file()), COMMON)


def path_of(block: str) -> Path:
    """The list of ``block``."""
    return ROOT / "tb" / block / "faults.toml"


def listed(block: str) -> list[Fault]:
    """The faults in the list of ``block``. Raises :class:`UserError`."""
    if block not in blocks():
        raise UserError(f"block {block!r} has no list of faults: choose from {', '.join(blocks())}")
    return read(path_of(block), block, caught=True)


def read(path: Path, block: str, *, caught: bool = False) -> list[Fault]:
    """The faults in a file: a table each, ``[name]`` or ``[bug.name]``, texts above the first are defaults.

    ``caught``: each must name what detects it. Raises :class:`UserError` for a file in another form.
    """
    content = toml.read(path)
    common = {key: value for key, value in content.items() if not isinstance(value, dict)}
    tables = {key: value for key, value in content.items() if isinstance(value, dict)}
    if set(tables) == {"bug"}:
        tables = tables["bug"]
    if not tables:
        raise UserError(f"{path}: holds no fault: write a table each, with {', '.join(TEXTS)}")
    return [_fault(path, block, name, {**common, **table}, caught) for name, table in tables.items()]


def _fault(path: Path, block: str, name: str, entry: dict[str, Any], caught: bool) -> Fault:
    wanted = (*TEXTS, *(["caught_by"] if caught else []))
    if missing := [field for field in wanted if field not in entry]:
        raise UserError(f"{path}: fault {name} has no {', '.join(missing)}")
    for field, value in entry.items():
        if field not in FIELDS:
            raise UserError(f"{path}: fault {name}: unknown field {field!r}: known are {', '.join(FIELDS)}")
        if not isinstance(value, FIELDS[field]):
            raise UserError(f"{path}: fault {name}: {field} must be of type {FIELDS[field].__name__}")
    return Fault(block=block, name=name, **{**entry, "caught_by": tuple(entry.get("caught_by", ()))})


def choose(faults: list[Fault], names: Collection[str], where: Path) -> list[Fault]:
    """The faults of ``names``, all if there are none. Raises :class:`UserError` for an unknown name."""
    available = {fault.name for fault in faults}
    for name in names:
        if name not in available:
            near = get_close_matches(name, sorted(available), 3, 0.5)
            advice = f"did you mean {' or '.join(near)}?" if near else f"there are {len(available)}"
            raise UserError(f"unknown fault {name!r}: {advice} ({where})")
    return [fault for fault in faults if not names or fault.name in names]
