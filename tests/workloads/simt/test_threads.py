# SPDX-License-Identifier: Apache-2.0
"""Programs whose threads share nothing, against a public simulator: the same memory, byte by byte."""

import numpy as np
import pytest

from tests.workloads.simt.single import thread_by_thread
from workloads.simt.machine import Machine
from workloads.simt.programs import PROGRAMS, prepare
from workloads.simt.programs.program import STACKS

ALONE = {"matmul": 5, "product": 4, "convolution": 6, "loop": 20, "lines": 12, "vertices": 21, "ways": 3}


@pytest.mark.parametrize("name", ALONE)
def test_threads_do_what_they_do_alone(name: str) -> None:
    job = prepare(PROGRAMS[name], ALONE[name], warps=3, threads=4)
    alone = thread_by_thread(job.memory, job.launch, 0)
    Machine(job.memory, job.launch).run()
    wrong = np.flatnonzero(job.memory[: STACKS // 4] != alone[: STACKS // 4])
    assert len(wrong) == 0, f"{name}: {len(wrong)} words differ, the first at {4 * wrong[0]:#x}"
    job.check()


def test_programs_that_share_nothing_are_all_compared() -> None:
    """But for the one of 10,000 instructions a pass, which has no branch and no load in them."""
    assert {name for name, program in PROGRAMS.items() if not program.shares} == {*ALONE, "unrolled"}
