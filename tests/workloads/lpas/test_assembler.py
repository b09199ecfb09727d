# SPDX-License-Identifier: Apache-2.0
"""Programs of the PEs of ``lpas`` as text: what is understood, and what is refused, with file and line."""

from pathlib import Path

import pytest

from configs import UserError
from workloads.lpas import isa
from workloads.lpas.assembler import Place, assemble, read_program
from workloads.lpas.loading import PROGRAMS, SOURCES


def test_each_form_of_an_instruction() -> None:
    program = assemble(
        """
        ; a comment, and a name
        BASE = 3 * 16 + 2
        start: LD r1, [r2 + BASE]
        again: ST r3, [r4 - 1] ; behind it
               ST 7, [BASE]
               ADD r1, r2, r3
               ADD r1, r2, -1
               LI r5, 0xffff
               BLT r1, 3, again
               jmp start
               FLUSH
        """,
        "own.pe",
    )
    rows = [tuple(row) for row in program.code.tolist()]
    none = isa.NONE
    assert rows == [
        (isa.LD, 1, 2, none, 50, 0), (isa.ST, 0, 4, 3, 0xFFFF, 0), (isa.ST, 7, none, none, 50, 0),
        (isa.ADD, 1, 2, 3, 0, 0), (isa.ADD, 1, 2, none, 0xFFFF, 0), (isa.LI, 5, none, none, 0xFFFF, 0),
        (isa.BLT, 0, 1, none, 3, 1), (isa.JMP, 0, none, none, 0, 0), (isa.FLUSH, 0, none, none, 0, 0),
    ]  # fmt: skip
    assert program.lines == [4, 5, 6, 7, 8, 9, 10, 11, 12]
    assert program.where(2)[0] == "own.pe:6" and program.where(9) == program.where(len(program.code) - 1)


def test_tabs_part_words_as_blanks_do() -> None:
    with_blanks = assemble(".word 16, 5\nADD r1, r2, 1\nST r1, [r2 + 3]\nHALT", "own.pe")
    with_tabs = assemble(".word\t16,\t5\nADD\tr1,\tr2,\t1\n\tST\t r1, [r2 +\t3]\nHALT\t", "own.pe")
    assert with_tabs.code.tolist() == with_blanks.code.tolist() and with_tabs.words == with_blanks.words


def test_directives() -> None:
    program = assemble(
        ".pes 4\n.word 16, 5, 6\n.image 0x100, tiled\n.result 16, 2\n.limit 9 * 10000\n"
        ".phase one\nHALT\n.phase two\nHALT",
        "a",
    )
    assert program.limit == 90000
    assert (program.pes, program.words, program.result) == (4, {16: 5, 17: 6}, (16, 2))
    assert program.image == Place(0x100, "tiled") and program.phases == [("one", 0), ("two", 1)]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("MOV r1, r2", "unknown instruction 'MOV'"),
        ("a" * 100_000, "unknown instruction 'aaaa"),
        ("ADD r1, r2", "ADD has 3 operands, not 2"),
        ("ADD r1, r16, 1", "'r16' is no register: r0 to r15"),
        ("ADD r1, 5, 1", "'5' is no register: r0 to r15"),
        ("LD r1, r2", "'r2' is no address: [r1], [r1 + 5] or [5]"),
        ("LD r1, []", "'[]' is no address: [r1], [r1 + 5] or [5]"),
        ("LD r1, [r16]", "'r16' is no register: r0 to r15"),
        ("LI r1, 65536", "65536 is 65536, which 16 bits cannot hold"),
        ("LI r1, -32769", "-32769 is -32769, which 16 bits cannot hold"),
        ("LI r1, A", "unknown name 'A'"),
        ("LI r1, 1 +", "'1 +' is no constant"),
        ("LI r1, 1 / 2", "'1 / 2' is no constant"),
        ("LI r1, f(1)", "'f(1)' is no constant"),
        ("LI r1, 1 << 99", "a shift by 99"),
        ("LI r1, 1 << 32 << 32", "does not fit"),
        ("JMP away", "unknown label 'away'"),
        ("here: HALT\nhere: HALT", "'here' is there twice"),
        ("A = 1\nA: HALT", "'A' is there twice"),
        ("r1 = 5", "'r1' is a register or an instruction"),
        ("add: HALT", "'add' is a register or an instruction"),
        (".data 1", "unknown directive '.data'"),
        (".pes", ".pes has 1 operands"),
        (".limit 0", "a program takes 1 cycle at least, not 0"),
        (".image 5, round", "an image is rows or tiled, not 'round'"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(line: str, says: str) -> None:
    text = f"HALT\n\n{line}"
    with pytest.raises(UserError) as refused:
        assemble(text, "own.pe")
    assert len(str(refused.value)) < 300
    number = len(text.splitlines())
    assert str(refused.value).startswith(f"own.pe:{number}: ") and says in str(refused.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    for content, says in (
        (None, "no such file"),
        (b"\xff\xfe\x00", "is no text"),
        (b"; nothing", "no instruction"),
    ):
        path = tmp_path / f"{says[:2]}.pe"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(UserError, match=says):
            read_program(path)


def test_every_built_in_program_is_there() -> None:
    assert {path.stem for path in SOURCES.glob("*.pe")} == set(PROGRAMS)
    for name in PROGRAMS:
        assert len(read_program(SOURCES / f"{name}.pe").code) > 5
