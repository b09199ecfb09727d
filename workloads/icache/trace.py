# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``icache``: a column for each field of its requests (:mod:`workloads.traces.requests`)."""

from collections.abc import Mapping

from configs import UserError
from configs.icache.schema import FETCH, Config
from workloads.traces.references import FETCH as FETCHED
from workloads.traces.references import References, words
from workloads.traces.requests import Default, Made


def fetched(cfg: Config, references: References) -> Made:
    """What other programs' fetches ask, by field: the words that each touches, from a block based at 0.

    Raises :class:`UserError` where there are none.
    """
    chosen = references.of(FETCHED)
    if not len(chosen.label):
        raise UserError(
            "no fetches (din's label 2, lackey's I) among its references: loads and stores go to BLOCK=dcache"
        )
    owner, pc, _ = words(chosen, cfg.cache.address_bits)
    return Made({"pc": pc}, chosen, owner)


def defaults(cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: fetches of block 0 and warp 0."""
    return {"op": FETCH, "block": 0, "warp": 0, "sign": 0}
