# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``mmu``: both caches over one memory, the shared RAM, and the control port.

Each side is predicted in its own order (:meth:`MmuModel.fetch`, :meth:`MmuModel.access`), the order between
them being the caller's, or both in one order (:meth:`MmuModel.replay`). Their order matters to words that
were stored and are fetched, and AXI gives none there either: a ``fence`` does. Written from ``docs/mmu.md``.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from configs.dcache import schema as dcache
from configs.dcache.schema import LANES, LOAD, STORE
from configs.icache import schema as icache
from configs.mmu.registers import COMMANDS
from configs.mmu.schema import BANKS, WORD_BYTES, Config
from models.dcache import AHEAD, REQUEST, DcacheModel, blocking, by_lane, groups
from models.dcache import COUNTED as ACCESS_COUNTED
from models.dcache import RESULT as DCACHE_RESULT
from models.dcache.records import count as count_access
from models.icache import REQUEST as FETCH_REQUEST
from models.icache import RESULT as ICACHE_RESULT
from models.icache import IcacheModel
from models.icache.serving import COUNTED as FETCH_COUNTED
from models.icache.serving import Seen, in_time, serve
from models.icache.serving import count as count_fetch
from models.kernels import allocating, kernel
from models.memory import Memory

#: the data cache's, with the words of the shared RAM in ``data``; bit i of ``shared``: lane i is there;
#: ``passes``: cycles that they took
RESULT = np.dtype([*DCACHE_RESULT.descr, ("shared", "u1"), ("passes", "u1")])
#: counters of the RTL that do not count cycles of waiting
COUNTED = ("shared", "passes", "conflicts", "commands")


@allocating
def passes(mask: int, places: Any) -> int:
    """Cycles that lanes in ``mask`` take for words at ``places`` [LANES] of the shared RAM.

    In one, each bank serves one of its words, to all lanes that want it.
    """
    count = np.zeros(BANKS, np.uint8)
    for lane in range(LANES):
        first = mask >> lane & 1
        for lower in range(lane):
            if mask >> lower & 1 and places[lower] == places[lane]:
                first = 0
        count[places[lane] % BANKS] += first
    return int(count.max())


@kernel
def share(
    words: NDArray[np.uint32], store: bool, lane: int, place: int, word: int, strobe: int, out: Any
) -> None:
    """A lane's word of the shared RAM ``words``."""
    if not store:
        out.data[lane] = words[place]
        return
    mask = np.uint32(0)
    for byte in range(WORD_BYTES):
        if strobe >> byte & 1:
            mask |= np.uint32(255 << (8 * byte))
    words[place] = (words[place] & ~mask) | (np.uint32(word) & mask)


@allocating
def _share_all(
    words: NDArray[np.uint32], base: int, requests: Any, address: Any, word: Any, strobe: Any, results: Any
) -> None:
    places = np.zeros(LANES, np.int64)
    for i in range(len(requests)):
        out = results[i]
        for lane in range(LANES):
            if out.shared >> lane & 1:
                places[lane] = (address[i, lane] - base) // WORD_BYTES
                share(words, requests[i].op == STORE, lane, places[lane], word[i, lane], strobe[i, lane], out)
        out.passes = passes(out.shared, places)


@kernel
def _replay(
    of_dcache: Any, fetching: Any, fetches: Any, fetched: Any, fetch_counts: Any,
    state: Any, nonblocking: bool, accesses: Any, address: Any, word: Any, strobe: Any, accessed: Any,
    counts: Any,
) -> None:  # fmt: skip
    """All requests in their order: :func:`models.icache.serving.replay` and those of :mod:`models.dcache`."""
    f = a = 0
    for i in range(len(of_dcache)):
        if of_dcache[i]:
            request = accesses[a]
            if nonblocking:
                groups.serve(state, request.op, request.mask, address[a], word[a], strobe[a], accessed[a])
            else:
                blocking.serve(state, request.op, request.mask, address[a], word[a], strobe[a], accessed[a])
            count_access(state.window, request.op, request.mask, address[a], accessed[a], counts)
            a += 1
        else:
            near = in_time(fetching, f) if fetching.early else True
            serve(fetching, fetches[f], near, fetched[f])
            count_fetch(fetches[f].op, fetched[f], fetch_counts)
            f += 1


class MmuModel:
    """The memory unit ``cfg`` over ``memory``. Raises :class:`UserError` for requests that do not fit.

    The unit of ``memory.poisoned`` is the longer of the two caches' lines: ``region_bytes``. ``journaled``:
    writes of the data cache can be undone (:meth:`DcacheModel.undo`).
    """

    def __init__(self, cfg: Config, memory: Memory, *, journaled: bool = False) -> None:
        self.cfg, self.memory = cfg, memory
        self.region_bytes = max(inner.cache.line_bytes for inner in (cfg.icache, cfg.dcache))
        self._views = [Memory(memory.seed, memory.base, memory.image) for _ in range(2)]
        self.dcache = DcacheModel(cfg.dcache, self._views[1], journaled=journaled)
        self.icache = IcacheModel(cfg.icache, self._views[0], self.dcache.memory)
        self._words = np.zeros(cfg.data_ram.capacity_bytes // WORD_BYTES, np.uint32)
        self.tries = 0  # writes that memory was asked for, resets or not
        self.reset()

    def fetch(
        self, requests: NDArray[Any], close: NDArray[np.bool_] | None = None, seen: Seen | None = None
    ) -> NDArray[Any]:
        """See :meth:`IcacheModel.replay`."""
        self._poison()
        return self.icache.replay(requests, close, seen)

    def access(self, requests: NDArray[Any], limit: int = 1 << 60) -> NDArray[Any]:
        """Loads, stores and the rest, a ``models.dcache.REQUEST`` array [n], in order; returns RESULT [n].

        ``limit``: see :meth:`DcacheModel.replay`.
        """
        self._poison()
        shared, to_dcache = self._split(requests)
        return self._with_shared(requests, shared, self.dcache.replay(to_dcache, limit))

    def replay(
        self, of_dcache: NDArray[np.bool_], fetches: NDArray[Any], accesses: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Requests of both caches in one order: :meth:`fetch` and :meth:`access` in turn, and their results.

        ``of_dcache`` [n]: whose each is; ``fetches`` [n - k] and ``accesses`` [k] in their orders.
        """
        self._poison()
        self.icache.check(fetches)
        shared, to_dcache = self._split(accesses)
        fetched = np.zeros(len(fetches), ICACHE_RESULT)
        served = np.zeros(len(accesses), DCACHE_RESULT)
        counts = np.zeros(len(FETCH_COUNTED), np.int64), np.zeros(len(ACCESS_COUNTED + AHEAD), np.int64)
        state = self.dcache.state(accesses["op"])
        _replay(
            of_dcache, self.icache.state(), fetches, fetched, counts[0], state, self.cfg.dcache.nonblocking,
            to_dcache, *self.dcache.by_lanes(to_dcache), served, counts[1],
        )  # fmt: skip
        self.icache.add(counts[0])
        self.dcache.add(counts[1])
        self.dcache.follow(to_dcache, served)
        return fetched, self._with_shared(accesses, shared, served)

    def _split(self, requests: NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[Any]]:
        """Which lanes [n] are the shared RAM's, and the requests with the others alone."""
        shared, to_dcache = self.shared(requests), requests.copy()
        to_dcache["mask"] &= ~shared
        return shared, to_dcache

    def _with_shared(
        self, requests: NDArray[Any], shared: NDArray[np.uint8], served: NDArray[Any]
    ) -> NDArray[Any]:
        """RESULT [n] of what the data cache ``served``, and of the shared RAM, which is accessed here."""
        self.tries += int(served["tries"].sum(dtype=np.int64))
        results = np.zeros(len(requests), RESULT)
        for name in DCACHE_RESULT.names or ():
            results[name] = served[name]
        results["shared"] = shared
        _share_all(
            self._words, self.cfg.data_ram.base, requests, by_lane(requests, "addr"),
            by_lane(requests, "data"), by_lane(requests, "strobe"), results,
        )  # fmt: skip
        self.counters["shared"] += int(np.count_nonzero(shared))
        self.counters["passes"] += int(results["passes"].sum())
        self.counters["conflicts"] += int(np.maximum(results["passes"].astype(np.int64) - 1, 0).sum())
        return results

    def shared(self, requests: NDArray[Any]) -> NDArray[np.uint8]:
        """The lanes [n] of requests that are in the window of the shared RAM, a bit for each."""
        ram, op = self.cfg.data_ram, requests["op"]
        there = by_lane(requests, "addr") - ram.base
        inside = (there >= 0) & (there < ram.capacity_bytes) & ((op == LOAD) | (op == STORE))[:, None]
        lanes: NDArray[np.uint8] = np.packbits(inside, axis=1, bitorder="little")[:, 0] & requests["mask"]
        return lanes

    def base(self, block: int, address: int, seen: Seen | None = None) -> None:
        """The control port sets a block's base address. ``seen``, here and below: as of :meth:`fetch`."""
        self._operate(None, icache.BASE, seen, block=block, pc=address)

    def policy(self, name: str, number: int) -> None:
        """It sets the policy of ``"icache"`` or ``"dcache"``."""
        if name == "icache":
            self._operate(None, icache.POLICY, pc=number)
        else:
            self._operate(dcache.POLICY, None, addr0=number)

    def command(self, name: str) -> bool:
        """It gives a command of ``COMMANDS``; whether memory failed. Raises :class:`UserError`."""
        if name not in COMMANDS:
            raise UserError(f"unknown command {name!r}: choose one of {', '.join(COMMANDS)}")
        return self._operate(*COMMANDS[name]) & 1 != 0

    def status(self, name: str, seen: Seen | None = None) -> int:
        """It reads the status of ``"icache"`` or ``"dcache"``: a word's address, bit 0 set, or 0."""
        if name == "icache":
            return self._operate(None, icache.STATUS, seen)
        return self._operate(dcache.STATUS, None)

    def _operate(
        self, data_op: int | None, fetch_op: int | None, seen: Seen | None = None, **fields: int
    ) -> int:
        """Operations of the caches, the data cache's first; the address that failed, bit 0: one did."""
        failure = 0
        self.counters["commands"] += (data_op is not None) + (fetch_op is not None)
        if data_op is not None:
            [served] = self.access(_record(REQUEST, op=data_op, **fields))
            failure = int(served["data"][0]) & ~3 | int(served["err"] & 1)
            fields = {}
        if fetch_op is not None:
            [fetched] = self.fetch(_record(FETCH_REQUEST, op=fetch_op, **fields), seen=seen)
            failure |= int(fetched["inst"]) & ~3 | int(fetched["err"])
        return failure

    def _poison(self) -> None:
        """The caches' views of memory fail where it does."""
        caches = (self.cfg.icache.cache, self.cfg.dcache.cache)
        for view, cache in zip(self._views, caches, strict=True):
            each = self.region_bytes // cache.line_bytes
            lines = {region * each + n for region in self.memory.poisoned for n in range(each)}
            if view.poisoned != lines:
                view.heal()
                view.poison(lines)

    def abandon(self, requests: NDArray[Any], command: str, writes: int) -> None:
        """A reset met these accesses [n], then a ``command`` if there is one, after their first ``writes``
        writes; all is forgotten.
        """
        op, _ = COMMANDS[command] if command else (None, None)
        met = [requests] if op is None else [requests, _record(REQUEST, op=op)]
        self.access(np.concatenate(met), writes)
        self.reset()

    def reset(self) -> None:
        """Forgets all lines, dirty ones too, errors and bases, clears the shared RAM and the counters."""
        self.icache.reset()
        self.dcache.reset()
        self._words[:] = 0
        self.counters = dict.fromkeys(COUNTED, 0)


def _record(kind: np.dtype[Any], **fields: int) -> NDArray[Any]:
    """A request [1]; fields that are not given are 0."""
    request = np.zeros(1, kind)
    for name, value in fields.items():
        request[name] = value
    return request
