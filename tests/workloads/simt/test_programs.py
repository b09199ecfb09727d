# SPDX-License-Identifier: Apache-2.0
"""The programs: results as numpy's, on machines of all sizes; and what they ask of the caches."""

from typing import Any

import numpy as np
import pytest
from skimage.draw import line

from configs import UserError
from workloads.simt.machine import Machine
from workloads.simt.programs import NINE, PROGRAMS, Job, prepare
from workloads.simt.programs.integers import FACTOR

ILINE = 512  # bytes of a line of the instruction cache


def ran(name: str, n: int | None = None, **options: Any) -> Job:
    job = prepare(PROGRAMS[name], n, **options)
    job.run()
    return job


def test_the_sources_nine_are_there_and_three_of_ours() -> None:
    assert set(PROGRAMS) == {*NINE, "product", "unrolled", "ways"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_numpys(name: str) -> None:
    ran(name)


@pytest.mark.parametrize("name", NINE)
@pytest.mark.parametrize(("warps", "threads", "schedule"), [(1, 1, "oldest"), (3, 5, "round-robin")])
def test_results_do_not_depend_on_the_machine(name: str, warps: int, threads: int, schedule: str) -> None:
    n = {"matmul": 7, "convolution": 9, "equations": 7}.get(name, 32)
    ran(name, n, seed=2, bases=(0, 0x40000), warps=warps, threads=threads, schedule=schedule)


@pytest.mark.parametrize(
    ("name", "n"), [("sort", 2), ("maximum", 1), ("fft", 2), ("equations", 1), ("matmul", 1)]
)
def test_the_smallest_problems(name: str, n: int) -> None:
    ran(name, n)


def test_the_sources_product_to_the_digit() -> None:
    """4 warps of 4 threads; in hex, as the source prints them."""
    job = ran("product")
    address, product = job.expected[0]["c"]
    assert (job.launch.warps, job.launch.threads) == (4, 4)
    words = job.memory[address // 4 : address // 4 + 16]
    printed = "1e 46 32 3c 46 ae 72 8c 32 72 54 64 3c 8c 64 78"
    assert " ".join(f"{word:x}" for word in words) == printed
    assert np.array_equal(FACTOR @ FACTOR.T, product)


def test_equations_fft_and_lines_against_the_libraries() -> None:
    """What numpy repeats step by step elsewhere, against numpy's and scikit-image's own."""
    job = prepare(PROGRAMS["equations"], 16, seed=3)
    matrix = np.random.default_rng([3, 0]).standard_normal((16, 17), np.float32).astype(np.float64)
    job.run()
    assert np.allclose(job.expected[0]["x"][1], np.linalg.solve(matrix[:, :16], matrix[:, 16]), rtol=2e-3)
    job = ran("fft", 128, seed=3)
    re, im = np.random.default_rng([3, 0]).standard_normal((2, 128), np.float32)
    spectrum = job.expected[0]["re"][1] + 1j * job.expected[0]["im"][1]
    assert np.abs(spectrum - np.fft.fft(re + 1j * im)).max() < 1e-4
    ends = np.random.default_rng([3, 0]).integers(0, 128, (8, 4), np.int32)
    ends[4:5, 2:] = ends[4:5, :2]
    picture = np.zeros((128, 128), np.uint8)
    for x0, y0, x1, y1 in ends.tolist():
        picture[line(y0, x0, y1, x1)] = 255
    differing = (ran("lines", 8, seed=3).expected[0]["picture"][1] != picture).sum()
    assert differing <= 0.02 * (picture > 0).sum(), "ties may fall differently, no more"


def test_routines_of_ways_are_in_one_set_of_the_instruction_cache() -> None:
    trace = prepare(PROGRAMS["ways"], 17).run()
    lines = np.unique(trace.addresses // ILINE)
    assert [int((lines % 4 == index).sum()) for index in range(4)] == [18, 0, 0, 0]  # and the caller's line


@pytest.mark.parametrize(
    ("name", "n", "options", "words"),
    [
        ("sort", 24, {}, "N=24: sort takes powers of two"),
        ("product", 5, {}, "N=5: product takes 4 to 4"),
        ("matmul", 0, {}, "N=0: matmul takes 1 to 512"),
        ("maximum", None, {"bases": ()}, "blocks=0: must be 1 to 4"),
        ("maximum", None, {"warps": 9}, "warps=9: must be 1 to 8"),
        ("maximum", None, {"threads": 0}, "threads=0: must be 1 to 8"),
        ("maximum", None, {"schedule": "random"}, "schedule 'random': choose one of round-robin, oldest"),
        ("maximum", None, {"bases": (0, 64)}, r"bases 0x0 and 0x40: their \d+ bytes of code overlap"),
        ("maximum", None, {"bases": (0x200000,)}, "base 0x200000: must be"),
        ("vertices", 1 << 20, {}, "choose a smaller N"),
    ],
)
def test_what_cannot_be_is_refused(name: str, n: int | None, options: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        prepare(PROGRAMS[name], n, **options)


def test_a_wrong_result_is_named() -> None:
    job = prepare(PROGRAMS["matmul"], 4)
    address, _ = job.expected[0]["c"]
    Machine(job.memory, job.launch).run()
    job.memory[address // 4 + 6] ^= 1
    with pytest.raises(
        UserError, match=r"matmul: block 0: c\[1, 2\] is -?\d+, must be -?\d+; 1 of 16 differ"
    ):
        job.check()
