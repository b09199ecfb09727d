# SPDX-License-Identifier: Apache-2.0
"""Speed of golden models beside pycachesim (C), on the same accesses.

pycachesim counts hits of addresses that are computed beforehand. A golden model starts from requests, and
returns data, ways and victims. Counts must agree where both replace lines alike.
"""

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import oracle, replay
from bench.benchmark import Benchmark, Way, timed
from bench.oracle import Accesses
from cacheforge.requests import room_of
from configs import UserError
from configs.lpas.schema import STORE, WORD_BYTES
from configs.parts import CacheGeometry
from configs.texpipe.schema import BANKS
from configs.trilinear.schema import HALVES
from models import texpipe, trilinear
from models.dcache import traffic as dcache
from models.icache import traffic as icache
from models.lpas import REQUEST, LpasModel
from models.memory import Memory
from models.mmu import MmuModel
from models.mmu.traffic import sides
from models.texcache import TexcacheModel
from models.texcache.lookups import lookups
from models.texcache.sweep import sweep
from models.texpipe.banks import set_of
from tb.mmu.prediction import asked_of
from workloads.traces.requests import records

FIFO = {"policy": "round-robin", "invalid_first": False}  # of both: pycachesim's LRU overlooks stores

Ways = dict[str, Way]
#: a cache, what it serves, and pycachesim's counts that the model's must equal
Served = tuple[CacheGeometry, Accesses, tuple[str, ...]]


def in_order(served: list[Served], golden: Callable[[], Any], work: int, policy: str, **note: Any) -> Ways:
    """Loads and stores, which pycachesim takes one by one, with a simulator for each cache."""

    def pycachesim() -> list[int]:
        counts = []
        for geometry, accesses, names in served:
            simulator, cache = oracle.simulator(geometry, policy)
            oracle.feed(simulator, accesses)
            counts += [cache.stats()[f"{name}_count"] for name in names]
        return counts

    words = sum(len(accesses.addresses) for _, accesses, _ in served)
    return {
        "pycachesim": Way(timed(pycachesim), words, "one by one"),
        "golden model": Way(timed(golden), work, "with all data", **note),
    }


def looked_up(
    cache: Any, banks: int, lines: list[NDArray[np.int64]], golden: Callable[[], int], count: int, unit: str
) -> Ways:
    """Look-ups of ``lines`` by LRU in plain caches of all banks' sets, one for each list."""
    addresses = [(part * cache.line_bytes).tolist() for part in lines]
    rate, work = (count, unit), sum(map(len, lines))

    def pycachesim() -> int:
        return sum(oracle.hits(cache, part, banks) for part in addresses)

    return {
        "pycachesim": Way(timed(pycachesim), work, "hits alone"),
        "golden model": Way(timed(golden), work, "with texels", rate=rate),
    }


def one_port(benchmark: Benchmark, cfg: Any, pattern: str, count: int) -> Ways:
    """Requests of one cache, with model and traffic of the usual names."""
    fifo, block = benchmark.fifo, benchmark.block
    cfg, room = cfg.with_(cache=FIFO) if fifo else cfg, room_of(block)
    requests = records(room.request, room.pattern_columns(cfg, pattern, count))
    requests = requests[requests["op"] <= STORE] if fifo else requests  # pycachesim has no clean

    def golden() -> list[int]:
        machine = room.model(cfg, Memory())
        machine.replay(requests)
        return [machine.counters[name] for name in benchmark.counts]

    accesses = Accesses(*importlib.import_module(f"models.{block}.traffic").plain(cfg, requests))
    served = [(cfg.cache, accesses, tuple(benchmark.counts.values()))]
    return in_order(served, golden, len(requests), "FIFO" if fifo else "LRU")


def mmu(cfg: Any, pattern: str, count: int) -> Ways:
    """Requests of both caches; pycachesim has no shared RAM and no control port."""
    cfg = cfg.with_(icache={"cache": FIFO}, dcache={"cache": FIFO})
    fetches, accesses = asked_of(sides(cfg, replay.of_both(cfg, pattern, count)))
    accesses = accesses[accesses["op"] <= STORE]

    def golden() -> list[int]:
        machine = MmuModel(cfg, Memory())
        machine.fetch(fetches)
        machine.access(accesses)
        return [machine.icache.counters["hits"], machine.dcache.counters["writes"]]

    served: list[Served] = [
        (cfg.icache.cache, Accesses(*icache.plain(cfg.icache, fetches)), ("HIT",)),
        (cfg.dcache.cache, Accesses(*dcache.plain(cfg.dcache, accesses)), ("EVICT",)),
    ]
    return in_order(served, golden, len(fetches) + len(accesses), "FIFO")


def lpas(cfg: Any, pattern: str, count: int) -> Ways:
    """Accesses of all PEs. The caches together are one direct-mapped cache of all their lines: home and line
    lie side by side in an address. pycachesim takes the accesses in the order of the model's grants.
    """
    requests = records(REQUEST, replay.traffic_of(cfg, pattern, count))
    answers = LpasModel(cfg, Memory()).replay(requests)
    order = np.argsort(answers["granted"], kind="stable")
    stores, words = requests["op"][order] == STORE, requests["word"][order]
    whole = CacheGeometry(sets=cfg.pes * cfg.cache.sets, ways=1, line_bytes=cfg.cache.line_bytes)

    def golden() -> list[int]:
        machine = LpasModel(cfg, Memory())
        machine.replay(requests)
        return [machine.counters["misses"], machine.counters["write_backs"]]

    accesses = Accesses(stores.tolist(), (words * WORD_BYTES).tolist(), WORD_BYTES)
    rate = int(answers["done"].max()) + 1, "cycles"
    return in_order([(whole, accesses, ("MISS", "EVICT"))], golden, len(requests), "LRU", rate=rate)


def texcache(cfg: Any, pattern: str, count: int) -> Ways:
    """Footprints; and a sweep over geometries. Raises :class:`UserError` for more than one bank."""
    if cfg.banks != 1:
        raise UserError(f"{cfg.name} has {cfg.banks} banks, pycachesim is one cache: choose banks=1")
    trace = replay.traffic_of(cfg, pattern, count)
    lines = lookups(cfg, trace.footprints, trace.lut).line
    geometries = [cfg.with_(cache={"sets": 16 << n % 4, "ways": 1 << n // 4}) for n in range(16)]

    def golden() -> int:
        machine = TexcacheModel(cfg, Memory(), trace.lut)
        machine.replay(trace.footprints)
        return machine.counters["hits"]

    addresses: list[int] = (lines * cfg.cache.line_bytes).tolist()
    each = timed(lambda: [oracle.hits(geometry.cache, addresses) for geometry in geometries])
    swept = timed(lambda: [total.hits for total in sweep(geometries, trace.footprints, trace.lut)])
    (hits, _), many, name = swept(), len(lines) * len(geometries), "pycachesim, 16 geometries"
    return looked_up(cfg.cache, 1, [lines], golden, count, "footprints") | {
        name: Way(each, many, "one after the other", hits),
        "sweep, 16 geometries": Way(swept, many, "few passes", hits, beside=name),
    }


def of_texpipe(cfg: Any, pattern: str, count: int) -> Ways:
    """Quads."""
    frame, cache = replay.quads(pattern, count), cfg.cache

    def replayed() -> tuple[Any, int]:
        machine = texpipe.TexpipeModel(cfg, Memory(1, 0, frame.image))
        return machine.replay(*frame.stream)[1], machine.counts["hits"]

    beats = replayed()[0]
    beat, bank = np.nonzero(beats["valid"])
    lines = beats["line"][beat, bank].astype(np.int64)
    places = np.array([set_of(line, cache.set_bits) for line in lines.tolist()], np.int64)
    lines = oracle.placed(lines, bank * cache.sets + places, BANKS * cache.sets)
    return looked_up(cache, BANKS, [lines], lambda: replayed()[1], len(frame.quads), "quads")


def of_trilinear(cfg: Any, pattern: str, count: int) -> Ways:
    """Samples; pycachesim is a plain cache for each half."""
    requests = records(trilinear.REQUEST, replay.traffic_of(cfg, pattern, count))
    half, lines = cfg.half, []

    def golden() -> int:
        machine = trilinear.TrilinearModel(cfg, Memory())
        machine.replay(requests)
        return sum(each.counters["hits"] for each in machine.halves.values())

    results = trilinear.TrilinearModel(cfg, Memory()).replay(requests, values=False)
    for name in HALVES:
        valid = results[name]["valid"] == 1
        line, bank, index = (results[name][at][valid].astype(np.int64) for at in ("line", "bank", "set"))
        lines.append(oracle.placed(line, bank * half.cache.sets + index, half.banks * half.cache.sets))
    return looked_up(half.cache, half.banks, lines, golden, len(requests), "requests")


CONTESTS: dict[str, Callable[[Any, str, int], Ways]] = {
    "mmu": mmu, "lpas": lpas, "texcache": texcache, "texpipe": of_texpipe, "trilinear": of_trilinear,
}  # fmt: skip


@contextmanager
def ways(benchmark: Benchmark, cfg: Any, pattern: str, count: int) -> Iterator[Ways]:
    """See :meth:`bench.benchmark.Benchmark.measure`; kernels compile before the times are taken."""
    ready = CONTESTS.get(benchmark.block, partial(one_port, benchmark))(cfg, pattern, count)
    for way in ready.values():
        way.run()
    yield ready
