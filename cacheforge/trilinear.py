# SPDX-License-Identifier: Apache-2.0
"""``trilinear`` in the library: samples of two mip levels."""

from typing import Any

from cacheforge.requests import RequestRoom
from cacheforge.result import Run, share
from configs.trilinear.schema import Config
from models.memory import Memory
from models.trilinear import REQUEST, TrilinearModel
from workloads.traces.columns import of_stream
from workloads.traces.npz_table import read_columns
from workloads.traces.requests import Requests, records
from workloads.trilinear.samples import PATTERNS, columns
from workloads.trilinear.trace import defaults


class TrilinearRoom(RequestRoom):
    """Look-ups are the halves'."""

    def run(self, cfg: Config, traffic: Requests, seed: int) -> Run:
        """See :meth:`RequestRoom.run`."""
        asked = read_columns(traffic.columns, of_stream(cfg.streams["req"]))
        model = TrilinearModel(cfg, Memory(seed, traffic.base, traffic.image))
        results = model.replay(records(self.request, asked))
        rates: dict[str, Any] = {}
        for name in ("both", *model.halves):
            counted = [half.counters for other, half in model.halves.items() if name in ("both", other)]
            hits, lookups = (sum(counters[what] for counters in counted) for what in ("hits", "lookups"))
            rates[f"look-up hit rate, {name}"] = share(hits, lookups)
        return Run(cfg, results, model.counters, rates)


ROOM = TrilinearRoom(REQUEST, TrilinearModel, dict.fromkeys(PATTERNS), columns, defaults)
