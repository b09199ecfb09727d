# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``mmu``: requests of both caches in one order, a column for each field of either.

``op`` tells whose a request is. An operation that both have carries the cache's name: ``icache_status``.
"""

from collections.abc import Mapping

from configs import Stream
from configs.dcache import schema as dcache
from configs.icache import schema as icache
from configs.mmu.schema import Config
from configs.ports import Field
from workloads.dcache.trace import defaults as of_dcache
from workloads.icache.trace import defaults as of_icache
from workloads.traces.requests import Default

BOTH = set(icache.OPS) & set(dcache.OPS)
#: the operations of icache, then those of dcache
OPS = tuple(
    f"{name}_{op}" if op in BOTH else op
    for name, ops in (("icache", icache.OPS), ("dcache", dcache.OPS))
    for op in ops
)
FIRST_OF_DCACHE = len(icache.OPS)


def stream(cfg: Config) -> Stream:
    """What a request of either cache may have."""
    fields = {field.name: field for inner in cfg.inner.values() for field in inner.all_streams["req"].fields}
    op = Field("op", len(OPS).bit_length(), doc="of icache or dcache", names=OPS)
    return Stream("access", "in", (op, *(field for name, field in fields.items() if name != "op")))


def defaults(cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: those of the other cache, and what the caches' own may."""
    return {"pc": 0, "addr0": 0, **of_icache(cfg.icache), **of_dcache(cfg.dcache), "op": 0}
