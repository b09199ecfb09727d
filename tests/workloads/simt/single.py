# SPDX-License-Identifier: Apache-2.0
"""Threads one after the other on tinyrv, a public RISC-V simulator, where SIMT instructions are no-ops."""

from functools import cache
from typing import Any, NoReturn

import numpy as np
import tinyrv
from numpy.typing import NDArray

from workloads.simt import isa
from workloads.simt.machine import MEMORY_BYTES, Launch

LIMIT = 100_000  # instructions of a thread


class Single(tinyrv.sim):  # type: ignore[misc]
    """A simulator of RV32 that a tmc without lanes stops."""

    def __init__(self) -> None:
        super().__init__(xlen=32)
        self.stopped = False

    def mtrap(self, tval: int, cause: int) -> NoReturn:
        raise AssertionError(f"tinyrv: trap {cause} at {self.op.addr:#x}: {self.op}")

    def unimplemented(self, **_: Any) -> NoReturn:
        raise AssertionError(f"tinyrv: {self.op} is not implemented")

    def _custom0(self, **_: Any) -> None:
        word = self.op.data
        self.pc += 4
        self.stopped = word >> 12 & 7 == isa.TMC and self.x[word >> 15 & 31] == 0


@cache
def _reused() -> Single:
    return Single()


def one(word: int, x: dict[int, int], f: dict[int, int]) -> Single:
    """The simulator after the instruction ``word``; registers before by number."""
    sim = _reused()
    sim.copy_in(0, int(word).to_bytes(4, "little"))
    sim.pc = 0
    for register in range(1, 32):
        sim.x[register] = tinyrv.sext(32, x.get(register, 0))
    for register, value in {5: 0, **f}.items():
        sim.f.s[register] = value
    sim.step(trace=False)
    return sim


def thread_by_thread(memory: NDArray[np.uint32], launch: Launch, block: int) -> NDArray[np.uint32]:
    """What memory holds after all threads of a block, each run to its end; pcs must begin at base 0."""
    sim = Single()
    sim.copy_in(0, memory.tobytes())
    start = launch.blocks[block]
    assert start.base == 0, "tinyrv knows no bases"
    for warp in range(launch.warps):
        for lane in range(launch.threads):
            _thread(sim, launch, (block, warp, lane))
    return np.frombuffer(bytes(sim.copy_out(0, memory.nbytes)), np.uint32)


def _thread(sim: Single, launch: Launch, at: tuple[int, int, int]) -> None:
    block, warp, lane = at
    start = launch.blocks[block]
    sim.pc, sim.stopped = start.pc, False
    for register in range(1, 32):
        sim.x[register] = tinyrv.sext(32, start.registers.get(register, 0))
    if launch.stack:
        thread = (block * isa.WARPS + warp) * isa.LANES + lane
        sim.x[isa.SP] = MEMORY_BYTES - thread * launch.stack
    values = {
        isa.THREAD_ID: lane, isa.WARP_ID: warp, isa.BLOCK_ID: block, isa.ACTIVE_THREADS: 1 << lane,
        isa.NUM_THREADS: launch.threads, isa.NUM_WARPS: launch.warps, isa.NUM_BLOCKS: len(launch.blocks),
        isa.MHARTID: (block * isa.WARPS + warp) * isa.LANES + lane,
    }  # fmt: skip
    for csr, value in values.items():
        sim.csr[csr] = value
    for _ in range(LIMIT):
        sim.step(trace=False)
        if sim.stopped:
            return
    raise AssertionError(f"tinyrv: thread {at} does not end")
