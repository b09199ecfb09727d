# SPDX-License-Identifier: Apache-2.0
"""The proofs of a block: ``formal/<block>/proofs.toml``, and those of the parts of ``rtl/common`` it uses."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, get_args

import configs
from configs import PROJECT, BlockConfig, UserError
from rtl import generate
from rtl.parts import Use, uses
from utils import toml

ROOT = Path(__file__).parent
FILE = "proofs.toml"

Method = Literal["induction", "bounded", "cover"]
METHODS: tuple[Method, ...] = get_args(Method)
Entries = dict[str, dict[str, Any]]  # of a catalogue, by the proof's name


@dataclass(frozen=True)
class Bug:
    """A replacement in the Verilog that fits once, and the assertion (or cover) that must fail.

    ``depth`` replaces the proof's where fewer steps show it: that a cover is out of reach takes all of them.
    ``skip``: first steps that the solver does not look at, where it takes long to find that none fails yet.
    """

    file: str
    find: str
    replace: str
    fails: str
    depth: int | None = None
    skip: int = 0


@dataclass(frozen=True)
class Proof:
    """What is proved of the module ``top``, and how.

    ``depth`` is in cycles (in steps of the clocks where ``multiclock``): what a bounded proof covers, the
    base of an induction, the longest trace of a cover.
    ``needs`` are the smallest values of the configuration (by paths) for which the module has what is proved,
    ``most`` the largest; a common ``module`` must be among those that the configuration uses.
    ``roles``: for which parts of the configuration a common module is filled, by its own names for them.
    ``common`` names files of the block's folder or of ``formal/common`` that the properties use: modules, and
    pieces (``.svh``) that they include.
    ``proved`` names instances of properties that another proof shows: what they assert is assumed.
    ``free`` names modules whose outputs are left to the solver: more is proved than asked for, never less.
    ``slow``: the proof takes more than 6 s of CPU, so that ``make test`` leaves it to ``FULL=1``.
    """

    name: str
    says: str
    top: str
    folder: Path
    properties: str
    method: Method
    depth: int
    config: str
    set: str
    part: str = ""
    parameters: dict[str, int] = field(default_factory=dict)
    needs: dict[str, int] = field(default_factory=dict)
    free: Sequence[str] = ()
    multiclock: bool = False
    common: Sequence[str] = ()
    proved: Sequence[str] = ()
    most: dict[str, int] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    module: str = ""
    skip: int = 0  # a bug's
    slow: bool = False

    def applies(self, cfg: BlockConfig) -> bool:
        """Whether a configuration has what this proof is about."""
        return not self.unmet(cfg)

    def unmet(self, cfg: BlockConfig) -> str:
        """What this proof is about and a configuration has not, in words; empty if there is nothing."""
        if self.module and self.module not in _modules(cfg):
            return f"the module {self.module}, which is not used"
        has = {name: int(attrgetter(name)(cfg)) for name in (*self.needs, *self.most)}
        few = [f"{name} of at least {n}, not {has[name]}" for name, n in self.needs.items() if has[name] < n]
        many = [f"{name} of at most {n}, not {has[name]}" for name, n in self.most.items() if has[name] > n]
        return ", ".join(few + many)

    def configuration(self, block: str, preset: str | None, overrides: str) -> BlockConfig:
        """The proof's own small configuration, or ``preset`` if given, with ``overrides`` on top.

        Raises :class:`UserError` like :func:`configs.load`.
        """
        own = () if preset else tuple(self.set.split())
        cfg: BlockConfig = configs.load(block, preset or self.config, (*own, *overrides.split()))
        return cfg


_known: dict[str, frozenset[str]] = {}  # by hash of the configuration


def _modules(cfg: BlockConfig) -> frozenset[str]:
    if cfg.hash not in _known:
        _known[cfg.hash] = frozenset(Path(file).stem.removeprefix(PROJECT) for file in generate(cfg))
    return _known[cfg.hash]


def proofs(block: str) -> list[Proof]:
    """All proofs about a block, those of its common parts first.

    Raises :class:`UserError` for an unknown block or one without proofs, ValueError for a wrong catalogue.
    """
    configs.schema(block)
    if not (ROOT / block / FILE).is_file():
        raise UserError(f"block {block} has no proofs: write formal/{block}/{FILE} (docs/formal.md says how)")
    common, own = (toml.read(ROOT / folder / FILE) for folder in ("common", block))
    small = {key: own.pop(key) for key in ("config", "set")}
    used = {**small, "common": own.pop("common", ())}
    parts = [_proof(name, common, ROOT / "common", small) for name in common]
    all_proofs = [
        _of_part(proof, use) for use in uses(block) for proof in parts if proof.part == use.template
    ]
    all_proofs += [_proof(name, own, ROOT / block, used) for name in own]
    if len({proof.name for proof in all_proofs}) != len(all_proofs):
        raise ValueError(f"{block}: two proofs of one name")
    return all_proofs


def choose(block: str, names: str) -> list[Proof]:
    """The proofs of ``names`` (separated by commas), all if empty. Raises :class:`UserError`."""
    available = proofs(block)
    wanted = [name for name in names.split(",") if name]
    existing = {proof.name for proof in available}
    for name in wanted:
        if name not in existing:
            raise UserError(f"unknown proof {name!r} of {block}: choose from {', '.join(sorted(existing))}")
    return [proof for proof in available if not wanted or proof.name in wanted]


def _of_part(proof: Proof, use: Use) -> Proof:
    """A proof of ``formal/common`` about a part as a block uses it, under the name it has there."""
    top = use.module if proof.top == proof.part else proof.top
    return replace(proof, top=top, roles=use.roles, module=use.module)


def _proof(name: str, entries: Entries, folder: Path, small: dict[str, Any]) -> Proof:
    """The proof ``name``: values of its entry, then of the entry that ``like`` names, then ``small``."""
    own = entries[name]
    like = entries[own["like"]] if "like" in own else {}
    method = next(key for key in (*own, *like) if key in METHODS)
    values = {**small, **like, **own}
    depth = values[method]
    for key in ("like", *METHODS):
        values.pop(key, None)
    properties = values.pop("properties", f"{values['top']}.sv")
    return Proof(name=name, method=method, depth=depth, folder=folder, properties=properties, **values)
