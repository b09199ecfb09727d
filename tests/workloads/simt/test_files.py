# SPDX-License-Identifier: Apache-2.0
"""Images, ELF files and the compiler."""

import hashlib
import struct
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from configs import UserError
from tests.workloads.simt import encoding as e
from workloads.simt import images, toolchain
from workloads.simt.elf import from_elf
from workloads.simt.image import read_image
from workloads.simt.machine import new_memory
from workloads.simt.programs import PROGRAMS, shipped
from workloads.simt.programs.program import IMAGES

needs_compiler = pytest.mark.skipif(
    not toolchain.installed(), reason="ziglang is optional, and not installed"
)
NAMES = sorted({program.image or program.name for program in PROGRAMS.values()})


def elf(path: Path, code: bytes, *, machine: int = 243, kind: int = 2, flags: int = 2) -> Path:
    """An ELF file with ``code`` at 0 and a word of data at 0x1000, four more of zeros behind it."""
    fields = (1, 1, 1, 0, 0, kind, machine, 1, 4, 52, 0, flags, 52, 32, 2, 0, 0, 0)
    head = struct.pack("<4s5B7xHHIIIIIHHHHHH", b"\x7fELF", *fields)
    at = 52 + 64
    parts = struct.pack("<8I", 1, at, 0, 0, len(code), len(code), 5, 4)
    parts += struct.pack("<8I", 1, at + len(code), 0x1000, 0x1000, 4, 20, 6, 4)
    path.write_bytes(head + parts + code + struct.pack("<I", 77))
    return path


def texts() -> dict[str, str]:
    """The texts of the shipped images."""
    with ZipFile(IMAGES) as files:
        return {name.removesuffix(".hex"): files.read(name).decode() for name in files.namelist()}


def words(*values: int) -> bytes:
    return np.array(values, "<u4").tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_shipped_images_are_of_the_sources_beside_them(name: str) -> None:
    """A source that was changed needs its image made anew: python -m workloads.simt.images."""
    image = shipped(name)
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in toolchain.SOURCES.iterdir()}
    assert image.sources and image.sources.items() <= files.items()
    assert f"ziglang {toolchain.ZIG}," in image.tool
    own = {file for file, _ in image.lines.values()}
    assert own <= set(image.sources) and max(line for _, line in image.lines.values()) > 8


def test_there_is_an_image_for_each_program_and_no_other() -> None:
    assert sorted(texts()) == NAMES
    assert {path.stem for path in toolchain.SOURCES.iterdir()} == {*NAMES, "simt", "start"}


@pytest.mark.parametrize("name", NAMES)
def test_images_are_read_as_they_are_written(name: str) -> None:
    assert shipped(name).text() == texts()[name]


@needs_compiler
def test_images_can_be_made_again_bit_by_bit() -> None:
    assert images.texts() == texts()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no SIMT image"),
        ("00000013\n", "is no SIMT image"),
        ("// SIMT image: x\n00000013\n", "line 2: a word before any address"),
        ("// SIMT image: x\n// code\n@00000000\n0000013\n", "line 4: '0000013' is no line"),
    ],
)
def test_damaged_images(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.hex"
    path.write_text(text)
    with pytest.raises(UserError, match=message):
        read_image(path)


def test_an_image_beyond_memory(tmp_path: Path) -> None:
    path = tmp_path / "x.hex"
    path.write_text("// SIMT image: x\n// data\n@00400000\n00000001\n")
    with pytest.raises(UserError, match="beyond memory"):
        read_image(path).place(new_memory(), 0)


def test_elf_files_become_images(tmp_path: Path) -> None:
    code = [e.addi(5, 0, 1), *[0] * 20, e.STOP]
    image = from_elf(elf(tmp_path / "x.elf", words(*code)), "x")
    assert image.entry == 4 and image.code_bytes == 4 * len(code)
    assert [(segment.code, segment.address, segment.words.tolist()) for segment in image.segments] == [
        (True, 0, [code[0]]), (True, 84, [e.STOP]), (False, 0x1000, [77]),
    ]  # fmt: skip
    memory = new_memory(0x10000)
    image.place(memory, 0x800)
    assert memory[0x200:0x216].tolist() == code and memory[0x400] == 77 and memory[:0x200].sum() == 0


@pytest.mark.parametrize(
    ("fields", "message"),
    [({"machine": 62}, "is for x64, 32 bits"), ({"kind": 1}, "is not linked"), ({"flags": 3}, "compressed")],
)
def test_other_elf_files_are_refused(fields: dict[str, int], message: str, tmp_path: Path) -> None:
    path = elf(tmp_path / "x.elf", words(e.STOP), **fields)
    with pytest.raises(UserError, match=message):
        from_elf(path, "x")
    path.write_bytes(b"no ELF")
    with pytest.raises(UserError, match="is no ELF file"):
        from_elf(path, "x")


def test_without_a_compiler_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "installed", lambda: False)
    with pytest.raises(UserError, match=rf"-m pip install ziglang=={toolchain.ZIG}'"):
        toolchain.build(toolchain.SOURCES / "loop.c")


@needs_compiler
def test_a_mistake_in_a_program_is_shown_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "wrong.c"
    path.write_text('#include "simt.h"\nvoid main(void) { nothing(); }\n')
    with pytest.raises(UserError, match=r"wrong.c:2:19: error: .*nothing"):
        toolchain.build(path)
