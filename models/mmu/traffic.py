# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``mmu``: requests of both caches in one order, a column for each field of either.

``op`` tells whose a request is. An operation that both have carries the cache's name: ``icache_status``.
References of other programs' traces will do, too: fetches go to ``icache``, loads and stores to ``dcache``.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import Stream, UserError
from configs.dcache import schema as dcache
from configs.icache import schema as icache
from configs.mmu.schema import Config
from configs.ports import Field
from models.dcache.traffic import defaults as of_dcache
from models.dcache.traffic import lanes_of
from models.icache.traffic import defaults as of_icache
from workloads.traces.references import FETCH, READ, WRITE, References, holds_references, words
from workloads.traces.requests import Columns, Default, Made, Requests, load_references, load_requests

BOTH = set(icache.OPS) & set(dcache.OPS)
#: the operations of icache, then those of dcache
OPS = tuple(
    f"{name}_{op}" if op in BOTH else op
    for name, ops in (("icache", icache.OPS), ("dcache", dcache.OPS))
    for op in ops
)
FIRST_OF_DCACHE = len(icache.OPS)


class Side(NamedTuple):
    """What one cache is asked: ``rows`` [k], the numbers of its accesses in the trace, and ``columns`` [k] by
    field of its stream ``req``.
    """

    rows: NDArray[np.int64]
    columns: Columns


def stream(cfg: Config) -> Stream:
    """What a request of either cache may have."""
    fields = {field.name: field for inner in cfg.inner.values() for field in inner.all_streams["req"].fields}
    op = Field("op", len(OPS).bit_length(), doc="of icache or dcache", names=OPS)
    return Stream("access", "in", (op, *(field for name, field in fields.items() if name != "op")))


def defaults(cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: those of the other cache, and what the caches' own may."""
    return {"pc": 0, "addr0": 0, **of_icache(cfg.icache), **of_dcache(cfg.dcache), "op": 0}


def load_trace(path: Path, cfg: Config) -> Requests:
    """The requests of a file, of ours or with references of other programs.

    Raises :class:`UserError` naming file, line or array, field and rule.
    """
    if holds_references(path):
        return load_references(path, partial(asked, cfg), cfg.axi.address_bits, defaults(cfg))
    return load_requests(path, stream(cfg), cfg.name, defaults(cfg))


def asked(cfg: Config, references: References) -> Made:
    """What other programs' references ask, by field, in their order: of each fetch the words that it touches,
    one by one, of each load or store up to eight at a time, as the caches' own trace files have them.

    Raises :class:`UserError` where there are none.
    """
    if not len(references.label):
        raise UserError("no references: fetches, loads or stores of din or lackey (docs/dcache.md)")
    fetch = references.label == FETCH
    owner, pc, _ = words(references.of(FETCH), cfg.axi.address_bits)
    accesses, access_owner = lanes_of(cfg.dcache, references.of(READ, WRITE))
    owners = np.concatenate([np.flatnonzero(fetch)[owner], np.flatnonzero(~fetch)[access_owner]])
    order = np.argsort(owners, kind="stable")

    def joined(of_fetch: NDArray[np.int64], of_access: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.concatenate([of_fetch, of_access])[order]

    nothing = np.zeros(len(pc), np.int64), np.zeros(len(access_owner), np.int64)
    accesses["op"] = accesses["op"] + FIRST_OF_DCACHE
    columns = {name: joined(nothing[0], column) for name, column in accesses.items()} | {
        "op": joined(nothing[0] + icache.FETCH, accesses["op"]),
        "pc": joined(pc, nothing[1]),
        "mask": joined(nothing[0] + 1, accesses["mask"]),
    }
    return Made(columns, references, owners[order])


def sides(cfg: Config, columns: Columns) -> tuple[Side, Side]:
    """The requests of ``icache`` and those of ``dcache`` among n of both."""
    data = columns["op"] >= FIRST_OF_DCACHE

    def side(rows: NDArray[np.int64], name: str, first: int) -> Side:
        fields = cfg.inner[name].all_streams["req"].fields
        own = {field.name: columns[field.name][rows] for field in fields}
        return Side(rows, own | {"op": own["op"] - first})

    return side(np.flatnonzero(~data), "icache", 0), side(np.flatnonzero(data), "dcache", FIRST_OF_DCACHE)
