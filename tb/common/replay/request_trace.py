# SPDX-License-Identifier: Apache-2.0
"""``make trace`` of a block that answers requests: file, model, RTL, comparison and report from a few lines.

``tb/<block>/trace.py`` says how the block is asked and what its model says of columns::

    run = RequestTrace(requester, predict, lambda cfg: {"id": counting(cfg.id_bits)}).run
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import BlockConfig
from models.memory import Memory
from tb.common.replay.requests import Columns, Model, Requester, Rtl
from tb.common.replay.trace_report import Progress, Report, Table, rate
from workloads.traces.requests import Default, MadeOf, Requests, load_trace, reference_hits

PERCENTILES = (50, 90, 99)


@dataclass(frozen=True)
class RequestTrace:
    """A configuration's ``requester``; ``predict(cfg, columns, memory)``, the golden model's view;
    ``defaults`` of fields of which a file need not have a column; ``figures`` of the block's own; and
    ``references(cfg, references)``, the requests that references of other programs' traces make; ``more(cfg,
    columns, memory)``: arrays of further files, by file.
    """

    requester: Callable[[Any], Requester]
    predict: Callable[[Any, Columns, Memory], Model]
    defaults: Callable[[Any], Mapping[str, Default]] = field(default=lambda cfg: {})
    figures: Callable[[Rtl], Mapping[str, int | float | None]] = field(default=lambda rtl: {})
    references: MadeOf | None = None
    more: Callable[[Any, Columns, Memory], dict[str, Columns]] = field(default=lambda *_: {})

    def run(
        self, cfg: BlockConfig, path: Path, seed: int, rtl_dir: Path | None, progress: Progress
    ) -> Report:
        """Load, predict, replay, compare. Raises :class:`configs.UserError` and ``ReplayError``."""
        progress("reading the trace", 0, 0)
        requester = self.requester(cfg)
        stream = cfg.streams[requester.port.request]
        trace = load_trace(path, cfg, stream, self.defaults(cfg), self.references)
        progress("golden model", 0, 0)
        model = self.predict(cfg, trace.columns, Memory(seed, trace.base, trace.image))
        progress("Verilated RTL", 0, 0)  # may have to be built first
        rtl = requester.replay(
            cfg, trace.columns, Memory(seed, trace.base, trace.image), seed, rtl_dir=rtl_dir,
            progress=lambda done: progress("Verilated RTL", done, len(trace)),
        )  # fmt: skip
        progress("comparing", 0, 0)
        return Report(
            name=trace.name, accesses=len(trace), cycles=rtl.cycles, columns=columns(trace, model, rtl),
            figures={
                **trace.figures, **of_references(trace, model.events), **figures(rtl), **self.figures(rtl)
            },
            tables=[waiting(cfg, requester, rtl)],
            mismatches=requester.check(cfg, trace.columns, model, rtl),
            more=self.more(cfg, trace.columns, Memory(seed, trace.base, trace.image)),
        )  # fmt: skip


def columns(trace: Requests, model: Model, rtl: Rtl) -> dict[str, NDArray[Any]]:
    """Per request: its fields, and what the RTL answered, with ``res_`` before the name of a field of both.

    Where the RTL differs from the model, what the model says follows as ``model_...``.
    """
    equal = np.ones(len(trace), bool)
    for name, column in model.results.items():
        equal &= (rtl.results[name] == column).reshape(len(trace), -1).all(axis=1)
    listed = dict(trace.columns) | {"equal": equal.astype(np.uint8), "cycles": rtl.t_result - rtl.t_request}
    listed |= {"t_request": rtl.t_request, "t_result": rtl.t_result}
    listed |= {(f"res_{name}" if name in listed else name): column for name, column in rtl.results.items()}
    return (
        listed
        if equal.all()
        else listed | {f"model_{name}": column for name, column in model.results.items()}
    )


def of_references(trace: Requests, events: Columns) -> dict[str, int | float | None]:
    """Hits and misses counted by references of another program, as simulators of processors' caches count
    them; ``events`` [n] have ``hit``, a bit for each lane of a request.
    """
    if trace.owner is None:
        return {}
    hits = reference_hits(trace, events["hit"])
    assert hits is not None
    hit_count = int(np.count_nonzero(hits))
    return {
        "references that hit": hit_count, "references that miss": len(hits) - hit_count,
        "hit rate of references": rate(hit_count, len(hits)),
    }  # fmt: skip


def figures(rtl: Rtl) -> dict[str, int | float | None]:
    """The headline numbers."""
    count = len(rtl.t_request)
    counted = {name: value for name, value in rtl.counters.items() if not name.endswith("_cycles")}
    bursts = {
        f"{what} of {prefix}": len(addresses)
        for what, ports in (("reads", rtl.reads), ("writes", rtl.writes))
        for prefix, addresses in ports.items()
    }
    return {
        "requests": count, **counted, **bursts, "cycles": rtl.cycles,
        "requests per clock": rate(count, rtl.cycles),
        **{f"latency, {name}": value for name, value in latencies(rtl).items()},
    }  # fmt: skip


def latencies(rtl: Rtl) -> dict[str, int | float]:
    """Cycles from request to result, in short."""
    latency = rtl.t_result - rtl.t_request if len(rtl.t_request) else np.zeros(1, np.int64)
    percentiles = {f"{p} %": int(np.percentile(latency, p, method="inverted_cdf")) for p in PERCENTILES}
    return {
        "least": int(latency.min()),
        "mean": float(latency.mean()),
        **percentiles,
        "most": int(latency.max()),
    }


def waiting(cfg: BlockConfig, requester: Requester, rtl: Rtl) -> Table:
    """The counters of cycles."""
    stream = requester.port.counters
    fields = cfg.streams[stream].fields if stream else ()
    rows = [
        (field.name, rtl.counters[field.name], field.doc)
        for field in fields
        if field.name.endswith("_cycles")
    ]
    return Table("waiting", ("counter", "cycles", "what it counts"), rows)
