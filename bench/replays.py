# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks of trace replay share: three ways to run the same accesses, in the same cycles.

- bare model: the Verilated library runs words packed beforehand, and what comes out is thrown away;
- replay: packing, the same run, and results, events and cycles folded into records;
- replay, compared: the same, the golden model, and everything compared access by access.
"""

from collections.abc import Callable, Mapping

from bench.timing import Row, Say, fastest, rows, timed

Run = Callable[[], object]


def compare(
    bare: Run,
    replay: Run,
    compared: Run,
    count: int,
    cycles: float,
    rounds: int,
    say: Say,
    others: Mapping[str, Run] | None = None,
) -> list[Row]:
    """Accesses per second of the three, and of ``others``; ``cycles`` that all ``count`` of them take."""
    ways = {"bare model": timed(bare), "replay": timed(replay), "replay, compared": timed(compared)}
    ways |= {name: timed(run) for name, run in (others or {}).items()}
    taken = fastest(ways, rounds, say)
    remark = f"{cycles / count:.2f} cycles each, {cycles / taken['bare model'] / 1e6:.2f} M cycles/s"
    return rows([(name, count, taken[name], remark * (name == "bare model")) for name in ways])
