# SPDX-License-Identifier: Apache-2.0
"""Trace files of ``simple``: a column for each field of its requests (:mod:`workloads.traces.requests`)."""

from collections.abc import Mapping

import numpy as np

from configs import UserError
from configs.simple.schema import LOAD, STORE, Config
from workloads.traces.references import READ, WRITE, References, words
from workloads.traces.requests import Default, Made, counting


def accessed(cfg: Config, references: References) -> Made:
    """What other programs' loads and stores ask, by field: each the words that it touches, one by one. A
    store writes the number of its request: such files do not say what was stored.

    Raises :class:`UserError` where there are none.
    """
    taken = references.of(READ, WRITE)
    if not len(taken.label):
        raise UserError("no loads or stores among its references: fetches go to BLOCK=icache")
    owner, address, strobe = words(taken, cfg.cache.address_bits, cfg.word_bytes)
    store = taken.label[owner] == WRITE
    value = np.where(store, np.arange(len(owner)) & (1 << cfg.word_bits) - 1, 0)
    word, op = address // cfg.word_bytes, np.where(store, STORE, LOAD)
    return Made({"op": op, "word": word, "value": value, "strobe": strobe}, taken, owner)


def defaults(cfg: Config) -> Mapping[str, Default]:
    """Fields that a trace may leave out: loads, or whole words of 0."""
    whole = (1 << cfg.word_bytes) - 1
    return {"op": LOAD, "value": 0, "strobe": whole, "id": counting(cfg.id_bits)}
