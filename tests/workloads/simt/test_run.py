# SPDX-License-Identifier: Apache-2.0
"""``make run``: what it shows and writes, profile and listing, and what it says to mistakes."""

from pathlib import Path

import numpy as np
import pytest

from configs import UserError
from tests.workloads.simt import encoding as e
from workloads.simt import isa
from workloads.simt.__main__ import main
from workloads.simt.disassembly import disassemble
from workloads.simt.image import Image, Segment, Symbol
from workloads.simt.profile import passes, profile
from workloads.simt.programs import PROGRAMS, prepare, shipped


def own(path: Path, code: list[int]) -> Path:
    """An image file whose result is in 0x1000; all of it is line 7 of own.s."""
    symbols = {"_start": Symbol(0, 0), "result": Symbol(0x1000, 8)}
    segments = [Segment(True, 0, np.array(code, np.uint32))]
    lines = {4 * row: ("own.s", 7) for row in range(len(code))}
    path.write_text(Image(path.stem, 0, segments, symbols, lines, {}).text())
    return path


def test_a_built_in_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["product", "--out", str(tmp_path)])
    text = capsys.readouterr().out
    assert "product, 4 rows: the source's 4 x 4 product" in text and "results as numpy's" in text
    job = prepare(PROGRAMS["product"])
    trace = job.run()
    assert (
        f"{len(trace.fetches)} instructions of warps, {4 * len(trace.fetches)} of threads: 4.00 of 8" in text
    )
    with np.load(tmp_path / "trace.npz") as stored:
        assert (stored["fetch_pc"] == trace.fetches["pc"]).all()
        assert (stored["access_addr"] == trace.accesses["addr"]).all()
    rows = (tmp_path / "listing.txt").read_text().splitlines()
    columns = ["issued", "lanes", "cycles", "i-misses", "d-misses", "stalls", "pc", "word", "instruction"]
    assert rows[0].split() == columns
    assert "icache paper, pseudo-lru: 384 fetches, 383 hits, 1 misses: hit rate 99.740%, 0 evictions" in text
    assert "# matmul.c:21  sum += a[row * n + k] * b[k * n + column];" in rows
    counted = [row.split() for row in rows[1:] if row[:10].strip().isdigit()]
    assert sum(int(row[0]) for row in counted) == len(trace.fetches)
    assert ["16", "64", "16"] in [row[:3] for row in counted if row[5] == "mul"]


def test_a_program_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = [e.lui(5, 1), e.addi(6, 0, -9), e.sw(6, 5), e.sw(5, 5, 4), e.STOP]
    main([str(own(tmp_path / "own.hex", code)), "--warps", "1", "--threads", "1", "--out", str(tmp_path)])
    assert "result: -9 4096\n5 instructions of warps, 5 of threads: 1.00" in capsys.readouterr().out
    with pytest.raises(
        UserError, match=r"own.hex: block 0, .* pc 0x0 in _start, own.s:7 \(.word 0x0*1\): no instr"
    ):
        main([str(own(tmp_path / "own.hex", [1])), "--out", str(tmp_path)])


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ([e.jal(0, 0)], r"pc 0x0 in _start, own.s:7 \(jal zero, 0x0\): still running after 500 instructions"),
        ([e.lui(5, 0x300), e.i(isa.JALR, 0, 0, 5, 0)], "pc 0x300000, after pc 0x4 in _start, own.s:7: no i"),
        ([e.addi(6, 0, 7), e.sw(6, 0, 8), 0], "pc 0x8 in _start, own.s:7, where the program has overwritten"),
    ],
)
def test_a_program_that_stops_names_its_line_and_has_a_listing(
    code: list[int], message: str, tmp_path: Path
) -> None:
    arguments = ["--limit", "500", "--warps", "1", "--out", str(tmp_path / "out")]
    with pytest.raises(UserError, match=f"{message}.*; counts until then: .*listing.txt"):
        main([str(own(tmp_path / "own.hex", code)), *arguments])
    row = (tmp_path / "out" / "listing.txt").read_text().splitlines()[4].split()
    assert row[0] == ("500" if code[0] == e.jal(0, 0) else "1")
    assert not (tmp_path / "out" / "trace.npz").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no program given"),
        (["sort", "--limit", "0"], "limit=0: a run takes 1 instruction at least"),
        (["nothing"], "unknown program 'nothing': sort, maximum"),
        (["nothing.c"], "program nothing.c: no such file"),
        (["sort", "-n", "3"], "N=3: sort takes powers of two"),
        (["sort", "--blocks", "5"], "blocks=5: must be 1 to 4"),
        (["sort", "--warps", "0"], "warps=0: must be 1 to 8"),
        (["sort", "--seed", "0"], "--seed 0"),
        (["sort", "--icache", "none"], "unknown configuration 'none' of icache: choose one of paper"),
        (["sort", "--dcache", "small ways=17"], "ways"),
        (["sort", "--policy", "random"], "cache.policy"),
    ],
)
def test_mistakes(arguments: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        main([*arguments, "--out", str(tmp_path / "out")])
    assert not (tmp_path / "out").exists()


def test_a_file_has_no_size(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="N is the size of a built-in program's data"):
        main([str(own(tmp_path / "own.hex", [e.STOP])), "-n", "4"])


def test_the_list_names_all(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--list"])
    text = capsys.readouterr().out
    assert all(f" {name} " in text for name in PROGRAMS)


def test_cycles_of_the_ideal_machine() -> None:
    """A cycle each, but for loads and stores, which take one for each active lane."""
    job = prepare(PROGRAMS["convolution"], 8)
    trace = job.run()
    profiled = profile(trace, job.image.code_bytes)
    lanes = sum(int(mask).bit_count() for mask in trace.accesses["mask"])
    assert profiled.cycles == len(trace.fetches) - len(trace.accesses) + lanes
    assert profiled.by_pc["cycles"].sum() == profiled.cycles
    assert profiled.by_pc["issued"].sum() == profiled.instructions
    counted = tuple(int((trace.accesses["op"] == op).sum()) for op in (0, 1))
    assert (profiled.loads, profiled.stores) == counted


def test_passes_of_the_data_ram() -> None:
    """Different banks or one word in one pass; else as many as the fullest bank has words."""
    rng = np.random.default_rng(1)
    addresses = rng.integers(0, 24, (500, 8)) * 4
    active = rng.integers(0, 2, (500, 8))
    masks = (active << np.arange(8)).sum(axis=1)
    for row, lanes, mask in zip(addresses, active, masks.tolist(), strict=True):
        words = {int(address) // 4 for address, lane in zip(row, lanes, strict=True) if lane}
        assert passes(mask, row) == max(sum(word % 8 == bank for word in words) for bank in range(8))
    unit, same, bank = np.arange(8) * 4, np.zeros(8, int), np.arange(8) * 32
    assert [passes(255, row) for row in (unit, same, bank)] == [1, 1, 8]


@pytest.mark.parametrize("name", sorted({program.image or program.name for program in PROGRAMS.values()}))
def test_the_listing_shows_each_word_as_an_instruction(name: str) -> None:
    assert not [word for pc, word in shipped(name).code if word and disassemble(word, pc).startswith(".word")]


@pytest.mark.parametrize(
    ("word", "text", "pc"),
    [
        (e.simt(isa.SPLIT, 5, 6, 1), "split.n t0, t1", 0),
        (e.simt(isa.PRED, 0, 5, 6), "pred t0, t1", 0),
        (e.simt(isa.BAR, 0, 5, 6), "bar t0, t1", 0),
        (e.simt(isa.JOIN, 0, 5), "join t0", 0),
        (e.branch(6, 5, 6, -8), "bltu t0, t1, 0x38", 0x40),
        (e.jal(1, 0x800), "jal ra, 0x840", 0x40),
        (e.i(isa.OP_IMM, 3, 5, 6, -1), "sltiu t0, t1, -1", 0),
        (e.i(isa.OP_IMM, 5, 5, 6, 0x403), "srai t0, t1, 3", 0),
        (e.r(isa.OP, 5, 0x20, 5, 6, 7), "sra t0, t1, t2", 0),
        (e.r(isa.OP, 6, 1, 5, 6, 7), "rem t0, t1, t2", 0),
        (e.r(isa.OP_FP, 1, 0x60, 5, 6, 1), "fcvt.wu.s t0, ft6, rtz", 0),
        (e.csrr(5, isa.WARP_ID), "csrrs t0, warp_id, zero", 0),
        (e.r(isa.OP_FP, 1, 0x14, 10, 11, 12), "fmax.s fa0, fa1, fa2", 0),
        (e.s(2, 2, 8, -4, isa.STORE_FP), "fsw fs0, -4(sp)", 0),
        (e.i(isa.MISC_MEM, 1, 0, 0, 0), "fence.i", 0),
        (0xFFFFFFFF, ".word 0xffffffff", 0),
    ],
)
def test_disassembly(word: int, text: str, pc: int) -> None:
    assert disassemble(word, pc) == text
