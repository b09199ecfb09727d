# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``trilinear``: predicts every request exactly, written from ``docs/trilinear.md``.

A half is a ``texcache``, so each of its footprints goes through that one's :func:`models.texcache.access`;
what is here says which footprints each half gets, and what of both is the sample's.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.trilinear.schema import HALVES, INVALIDATE, OPS, TABLE, TEXELS, TRILINEAR, Config
from models import lru
from models.kernels import inlined, kernel
from models.memory import Contents, Memory
from models.texcache import NONE, Tally, TexcacheModel, TexcacheState, access, added, clear, count
from models.texcache import RESULT as LOOKED_UP
from models.texcache.address import Geometry, geometry
from utils.errors import UserError

REQUEST = np.dtype(
    [
        *(("op", "u1"), ("tex", "u2"), ("level", "u1"), ("mode_u", "u1"), ("mode_v", "u1")),
        *(("u0", "i4"), ("v0", "i4"), ("u1", "i4"), ("v1", "i4"), ("line", "u4"), ("id", "u4")),
    ]
)
#: What became of a request. ``texel``: four of its level, four of the next one, 0 where there are none;
#: ``needs``: bit 0 the half of even levels, bit 1 that of odd ones; what each looked up, zeros if it did not.
RESULT = np.dtype(
    [("texel", "u4", 2 * TEXELS), ("err", "u1"), ("needs", "u1"), *((half, LOOKED_UP) for half in HALVES)]
)
#: counters of the RTL that do not count cycles
COUNTED = ("samples", "pairs")


class Limits(NamedTuple):
    """What requests must stay below; ``reach``: of coordinates, either way."""

    textures: int
    levels: int
    lines: int
    reach: int


class Footprint(NamedTuple):
    """What a half is asked for: a FOOTPRINT."""

    tex: int
    level: int
    mode_u: int
    mode_v: int
    u: int
    v: int


@inlined
def footprint_of(sample: Any, half: int) -> Footprint:
    """That of half 0 (even) or 1 (odd), which a sample needs: the finer level is its own, or the next one."""
    own = sample.level & 1 == half
    u, v = sample.u0 if own else sample.u1, sample.v0 if own else sample.v1
    return Footprint(sample.tex, int(sample.level) + (not own), sample.mode_u, sample.mode_v, u, v)


@inlined
def needs_of(request: Any, last_level: int) -> int:
    """Which halves a request needs, bit 0 even, bit 1 odd: none if it is no sample.

    The smallest level has no next one: a trilinear sample of it is a bilinear one.
    """
    if request.op > TRILINEAR:
        return 0
    if request.op == TRILINEAR and request.level < last_level:
        return 3
    return 1 << (request.level & 1)


@inlined
def inside(reach: int, u: int, v: int) -> bool:
    """Whether coordinates are in -``reach`` .. ``reach`` - 1; what is below that is far up without a sign."""
    most = np.uint64(2 * reach)
    return bool((np.uint64(np.int64(u) + reach) < most) & (np.uint64(np.int64(v) + reach) < most))


@inlined
def fits(limits: Limits, request: Any) -> bool:
    """Whether a cache of these limits can be asked for ``request``. Fields without use may be anything."""
    if request.op == INVALIDATE:
        return True
    exists = (request.tex < limits.textures) & (request.level < limits.levels)
    if request.op == TABLE:
        return exists & (request.line < limits.lines)
    finer = (request.mode_u < 3) & (request.mode_v < 3) & inside(limits.reach, request.u0, request.v0)
    coarser = inside(limits.reach, request.u1, request.v1)
    alone = needs_of(request, limits.levels - 1) != 3
    return exists & finer & (coarser | alone) & (request.op <= TRILINEAR)


@inlined
def ask(
    geo: Geometry, contents: Contents, half: TexcacheState, parity: int, request: Any, values: bool,
    record: Any, out: Any,
) -> Tally:  # fmt: skip
    """Half ``parity`` looks up its footprint of the sample ``request``; writes ``record`` and its
    share of ``out``, which was zeros.
    """
    tally = access(geo, half.lut, contents, half.sets, footprint_of(request, parity), values, record)
    out.err |= tally.err
    if values:
        first = 0 if request.level & 1 == parity else TEXELS
        for texel in range(TEXELS):
            out.texel[first + texel] = record.texel[texel]
    return tally


@kernel
def _replay(
    geo: Geometry, contents: Contents, even: TexcacheState, odd: TexcacheState, limits: Limits,
    requests: NDArray[Any], values: bool, results: NDArray[Any], even_found: NDArray[Any],
    odd_found: NDArray[Any],
) -> tuple[int, int, int]:  # fmt: skip
    """Requests until the first one that does not fit, samples and pairs among them. Records of the halves
    [n]: parts of those of ``results``.
    """
    done, samples, pairs = 0, 0, 0
    even_counts, odd_counts = NONE, NONE
    for i in range(len(requests)):
        request, out = requests[i], results[i]
        if not fits(limits, request):
            break
        done += 1
        for texel in range(2 * TEXELS):
            out.texel[texel] = 0
        needs = needs_of(request, limits.levels - 1)
        out.err, out.needs = 0, needs
        if needs & 1:
            tally = ask(geo, contents, even, 0, request, values, even_found[i], out)
            even_counts = added(even_counts, tally)
        else:
            clear(even_found[i])
        if needs & 2:
            tally = ask(geo, contents, odd, 1, request, values, odd_found[i], out)
            odd_counts = added(odd_counts, tally)
        else:
            clear(odd_found[i])
        samples += needs > 0
        pairs += needs == 3
        if request.op == TABLE:
            table = odd.lut if request.level & 1 else even.lut
            table[request.tex, request.level] = request.line
        elif request.op == INVALIDATE:
            lru.clear(even.sets)
            lru.clear(odd.sets)
    count(even.counts, even_counts)
    count(odd.counts, odd_counts)
    return done, samples, pairs


class TrilinearModel:
    """The cache ``cfg`` over ``memory``, its table all 0. Raises :class:`UserError` for what does not fit."""

    def __init__(self, cfg: Config, memory: Memory) -> None:
        self.cfg, self.memory = cfg, memory
        half = cfg.half
        table = np.zeros((half.textures, half.levels), np.uint32)
        self.halves = {name: TexcacheModel(half, memory, table) for name in HALVES}
        self.counters = dict.fromkeys(COUNTED, 0)  # since the last reset
        self._geometry = geometry(half)
        self._limits = Limits(half.textures, half.levels, 1 << half.cache.line_bits, 2 * half.max_side)

    def replay(
        self, requests: NDArray[Any], *, values: bool = True, out: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """REQUEST array [n] in order; returns the RESULT array [n]. Goes on from the present state.

        Without ``values`` memory is not read and all texels are 0. ``out``: a RESULT array [n] to write to
        and return. Raises :class:`UserError` if it is none, and for a request that does not fit.
        """
        if out is None:
            out = np.empty(len(requests), RESULT)
        elif out.dtype != RESULT or out.shape != requests.shape:
            raise UserError(f"out: {len(requests)} requests need as many of RESULT, not {out.shape}")
        even, odd = (self.halves[name].state for name in HALVES)
        done, samples, pairs = _replay(
            self._geometry, self.memory.contents, even, odd, self._limits, requests, values, out,
            out["even"], out["odd"],
        )  # fmt: skip
        self.counters["samples"] += samples
        self.counters["pairs"] += pairs
        if done < len(requests):
            self._refuse(done, requests[done])
        return out

    def _refuse(self, index: int, request: Any) -> None:
        """Raises :class:`UserError`, naming the request that does not fit."""
        most = self._limits
        fields = dict(zip(request.dtype.names or (), request.item(), strict=True))
        raise UserError(
            f"request {index}, {fields}: {self.cfg.name} takes op 0..{len(OPS) - 1}, "
            f"tex 0..{most.textures - 1}, level 0..{most.levels - 1}, mode 0..2, "
            f"u and v {-most.reach}..{most.reach - 1}, line 0..{most.lines - 1}"
        )

    def reset(self) -> None:
        """Forgets all lines and sets the counters to zero; the table stays."""
        for model in self.halves.values():
            model.reset()
        self.counters = dict.fromkeys(COUNTED, 0)
