# SPDX-License-Identifier: Apache-2.0
"""PEs of ``lpas`` on the golden model: arithmetic, cycles, faults; the application beside scikit-image."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from skimage.feature import graycomatrix, graycoprops

from configs import UserError, load
from configs.lpas.schema import Config
from workloads.lpas import glcm, isa, pe
from workloads.lpas.assembler import TILED, Place, assemble
from workloads.lpas.figures import APPLICATIONS, over_time, phases
from workloads.lpas.golden import GoldenOutcome, run_golden
from workloads.lpas.images import BUILT_IN, Grey
from workloads.lpas.listing import write_listing, write_trace
from workloads.lpas.loading import image_words, load_program, prepare
from workloads.lpas.trace import load_trace

WORD = st.integers(0, 65535) | st.sampled_from([0, 1, 15, 16, 17, 0x7FFF, 0x8000, 0xFFFF])


def config(preset: str = "paper", *changes: str) -> Config:
    cfg = load("lpas", preset, changes)
    assert isinstance(cfg, Config)
    return cfg


def run(text: str, cfg: Config | None = None, limit: str = "\n.limit 100000") -> GoldenOutcome:
    cfg = cfg or config()
    loaded = prepare(cfg, assemble(text + limit, "own.pe"))
    return run_golden(cfg, loaded.program, loaded.words)


def expected(op: str, a: int, b: int, carry: int) -> int:
    """By Python's own integers."""
    whole = {
        "ADD": a + b, "ADC": a + b + carry, "SUB": a - b, "AND": a & b, "OR": a | b,
        "SHL": (a << min(b, 16)), "SHR": a >> min(b, 16), "MUL": a * b, "MULH": a * b >> 16,
    }  # fmt: skip
    return whole[op] & 0xFFFF


@given(a=WORD, b=WORD, carry=st.integers(0, 1))
@settings(deadline=None, max_examples=60)
def test_arithmetic(a: int, b: int, carry: int) -> None:
    for op in ("ADD", "ADC", "SUB", "AND", "OR", "SHL", "SHR", "MUL", "MULH"):
        for constant in (True, False):
            program = assemble(f"{op} r3, r1, {b if constant else 'r2'}\nADC r4, r5, 0\nHALT", "a")
            [state] = pe.reset(1)
            state["r"][1:3], state["carry"] = (a, b), carry
            pe.advance(program.code, state, True, 1 << 16, 100)
            assert state["status"] == pe.ENDED and state["r"][3] == expected(op, a, b, carry), op
            whole = a + b + (carry if op == "ADC" else 0)
            assert state["r"][4] == (whole >> 16 if op in ("ADD", "ADC") else carry), f"the carry after {op}"
            assert state["at"] == 2


@pytest.mark.parametrize(
    ("branch", "goes"),
    [("BEQ", (False, True, False)), ("BNE", (True, False, True)), ("BLT", (True, False, False))],
)
def test_branches_compare_unsigned(branch: str, goes: tuple[bool, ...]) -> None:
    for a, taken in zip((5, 0x9000, 0xFFFF), goes, strict=True):
        outcome = run(f"LI r1, {a}\n{branch} r1, 0x9000, t\nST 1, [0]\nt: HALT\n.result 0, 1")
        assert outcome.words[0] == (not taken), a


def test_cycles_of_instructions() -> None:
    """The PEs but 5 end at once; memory's first beat is L cycles away, a line has 4 beats."""
    begin, cfg = "BEQ r15, 5, on\nHALT\non:", config()
    miss = 4 + cfg.memory.latency + cfg.beats
    for text, cycles in (
        ("HALT", 1), ("LI r1, 1\nADD r1, r1, 1\nHALT", 3), ("ST 1, [80]\nHALT", miss + 1),
        ("ST 1, [80]\nST 2, [81]\nHALT", miss + 2), ("ST 1, [80]\nLD r1, [81]\nHALT", miss + 3),
        ("JMP x\nx: JMP y\ny: HALT", 3),
    ):  # fmt: skip
        outcome = run(f"{begin} {text}")
        assert outcome.cycles == 1 + cycles, text
        assert outcome.instructions == 2 * (cfg.pes - 1) + 1 + len(text.splitlines())


def test_a_pe_knows_its_number_and_the_others() -> None:
    outcome = run("SHL r1, r15, 1\nADD r2, r15, r14\nST r2, [r1 + 64]\nHALT", config("tiny"))
    assert outcome.words[64:71:2].tolist() == [4, 5, 6, 7]


def test_the_outside_goes_past_the_caches() -> None:
    text = """
        SUB r1, r14, 1
        BEQ r15, r1, last
        HALT
    last: STM 9, [0x40]
        ST 7, [0x40]
        LDM r2, [0x40]
        STM r2, [0x80]
        FLUSH
        LDM r2, [0x40]
        STM r2, [0x81]
        HALT
    """
    assert run(text).words[[0x80, 0x81]].tolist() == [9, 7]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("LI r1, 5\nLDM r1, [0]\nHALT", r"own.pe:2: PE 0, cycle 1, LDM r1, \[0\]: only the last PE, 15"),
        ("x: JMP x", r"own.pe:1: PE 0, cycle 100000, x: JMP x: has not ended after 100000 cycles; LIMIT"),
        ("x: LD r1, [0]\nJMP x", r"own.pe:.: PE 0, .*has not ended after 100000 cycles"),
        ("ADD r1, r1, 1", r"own.pe:1: PE 0, cycle 1, ADD r1, r1, 1: goes on behind .*: end it with HALT"),
    ],
)
def test_a_pe_that_cannot_go_on(text: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        run(text)


def test_a_cache_that_has_served_nobody() -> None:
    """Its first line never comes."""
    with pytest.raises(UserError, match=r"waiting for cache 0: PE 0 since cycle 0, PE 1 since cycle 0, .*"
                       r"; served there last: nobody$"):  # fmt: skip
        run("LD r1, [r15]\nHALT\n.limit 20", config("paper", "memory.latency=9000"), limit="")


def test_what_does_not_fit() -> None:
    tiny = config("tiny")
    for text, says in (
        (".pes 16\nHALT", "needs 16 PEs, tiny has 4"),
        ("\n.word 2047, 1, 2\nHALT", "own.pe:2: .word: word 0x800 is beyond the memory of tiny"),
        ("ST 1, [2048]\nHALT", "own.pe:1: PE 0, cycle 0, ST 1, .2048.: word 0x800 is beyond the memory"),
        ("HALT\n.image 0", "own.pe:2: .image: word 0xfff is beyond the memory of tiny, which has 0x800"),
        (".result 2040, 9\nHALT", "own.pe:1: .result: word 0x800 is beyond the memory"),
    ):  # fmt: skip
        with pytest.raises(UserError, match=says):
            run(text, tiny)
    with pytest.raises(UserError, match=r"has no .image"):
        prepare(tiny, assemble("HALT", "a"), "brick")
    with pytest.raises(UserError, match="unknown program 'x'"):
        load_program(tiny, "x")


def test_the_image_lies_in_the_lines_of_the_pes() -> None:
    words = image_words(Place(0, TILED))
    assert len(np.unique(words)) == 64 * 64
    for y, x in ((0, 0), (3, 63), (4, 0), (37, 18), (63, 63)):
        cache, line, word = words[y, x] >> 4 & 15, words[y, x] >> 8, words[y, x] & 15
        assert (cache, line, word) == (y // 4, 4 * (y % 4) + x // 16, x % 16)
    assert image_words(Place(100, "rows"))[2, 3] == 100 + 128 + 3


def scikit(pixels: np.ndarray) -> tuple[np.ndarray, int]:
    counts = graycomatrix(pixels >> 6, [3], [0], levels=4, symmetric=True)
    assert counts.sum() == 7808 == glcm.PAIRS
    return counts[:, :, 0, 0], round(float(graycoprops(counts, "ASM")[0, 0]) * 7808**2)


@pytest.mark.parametrize("program", APPLICATIONS)
@pytest.mark.parametrize("image", BUILT_IN)
def test_the_application_is_scikit_images(program: str, image: str) -> None:
    cfg = config()
    loaded = load_program(cfg, program, image)
    assert loaded.image
    outcome = run_golden(cfg, loaded.program, loaded.words)
    counts, moment = glcm.found(outcome)
    expected_counts, expected_moment = scikit(loaded.image.pixels)
    assert (counts == expected_counts).all() and moment == expected_moment
    assert glcm.wrong(loaded.image.pixels, outcome) == ""
    other = loaded.image.pixels.copy()
    other[7, 9] ^= 0xC0
    assert "the matrix is" in glcm.wrong(other, outcome)
    outcome.words[glcm.MOMENT] ^= 1
    assert "the second moment is" in glcm.wrong(loaded.image.pixels, outcome)


def test_the_largest_moment_of_all(tmp_path: Path) -> None:
    """One level in the whole image: 7808 squared, 26 bits, carries from the low word to the high one."""
    Image.new("L", (64, 64), 200).save(tmp_path / "flat.png")
    cfg = config("fs")
    loaded = load_program(cfg, APPLICATIONS[1], str(tmp_path / "flat.png"))
    assert glcm.found(run_golden(cfg, loaded.program, loaded.words))[1] == 60_964_864


def test_an_image_of_ones_own(tmp_path: Path) -> None:
    Image.fromarray(np.random.default_rng(3).integers(256, size=(64, 64, 3), dtype=np.uint8)).save(
        tmp_path / "a.png"
    )
    grey = Grey(str(tmp_path / "a.png"))
    colour = np.asarray(Image.open(tmp_path / "a.png")).astype(float)
    assert np.abs(grey.pixels - colour @ [0.299, 0.587, 0.114]).max() <= 1 and grey.note == ""
    Image.new("L", (100, 40), 9).save(tmp_path / "b.png")
    assert Grey(str(tmp_path / "b.png")).note == "b.png: resized from 100x40 to 64x64", "once"
    with pytest.raises(UserError, match="no such file"):
        Grey(str(tmp_path / "c.png"))


def test_phases_and_words_add_up() -> None:
    cfg = config()
    loaded = load_program(cfg, APPLICATIONS[1])
    outcome = run_golden(cfg, loaded.program, loaded.words)
    parts = phases(loaded.program, outcome)
    assert [part.name for part in parts] == ["clearing", "counting", "summing"]
    assert sum(part.cycles for part in parts) == outcome.cycles
    moved = int((outcome.accesses["op"] < 4).sum())
    assert sum(part.words for part in parts) == moved
    _, rate = over_time(outcome.accesses, outcome.cycles, 50)
    assert rate.mean() == pytest.approx(moved * 2 / outcome.cycles * 221e6)
    loads = outcome.accesses[outcome.accesses["op"] == isa.LD]
    counting = loads[loads["done"] > parts[1].first]
    assert (counting["word"][counting["pe"] < 15] >> 4 & 15 == counting["pe"][counting["pe"] < 15]).all()


def test_an_access_of_another_pe_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "ldm.csv"
    path.write_text("# a comment\npe,op,word\n3,ldm,0\n\n2,ldm,0\n")
    with pytest.raises(UserError, match=r"ldm.csv:5: access 1: ldm of PE 2; ldm, stm, flush are for"):
        load_trace(path, config("tiny"))


def test_listing_and_trace(tmp_path: Path) -> None:
    """The trace is one that ``make trace`` takes; as it stands it makes the same cycles again."""
    cfg = config("tiny")
    text = "SHL r1, r15, 6\nST 3, [r1]\nLD r2, [0]\nHALT"
    loaded = prepare(cfg, assemble(text, "own.pe"))
    outcome = run_golden(cfg, loaded.program, loaded.words)
    listing = write_listing(tmp_path / "listing.txt", loaded.program, outcome).read_text().splitlines()
    assert [line.split()[0] for line in listing[2:4]] == ["4", "4"] and listing[1].strip().startswith("SHL")
    trace = load_trace(write_trace(tmp_path / "trace.csv", outcome), cfg)
    assert len(trace.columns["pe"]) == len(outcome.accesses) == 8
