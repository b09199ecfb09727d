# SPDX-License-Identifier: Apache-2.0
"""ELF files of RV32 as images: code is what can be executed, linked to count from the base of its block."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from configs import UserError
from workloads.simt.image import Image, Segment, Symbol

EXECUTABLE = 1  # of a segment's flags
COMPRESSED = 1  # of a RISC-V file's flags
GAP = 8  # words of zero that are not worth keeping
SHOWN = {"result"}  # variables whose kind is looked up
FIELDS = 64  # of a structure, at most
#: numpy's kinds by DW_AT_encoding: address, boolean, float, signed (2), unsigned (2)
ENCODINGS = {1: "u", 2: "u", 4: "f", 5: "i", 6: "i", 7: "u", 8: "u"}


def from_elf(path: Path, name: str) -> Image:
    """The image of an ELF file, without provenance. Raises :class:`UserError`."""
    try:
        with path.open("rb") as file:
            elf = ELFFile(file)
            _check(path, elf)
            segments = [part for segment in elf.iter_segments("PT_LOAD") for part in _segments(path, segment)]
            return Image(name, elf["e_entry"], segments, _symbols(elf), _lines(elf), {})
    except ELFError as error:
        raise UserError(f"{path}: is no ELF file that can be read ({error})") from None


def _check(path: Path, elf: Any) -> None:
    if elf["e_machine"] != "EM_RISCV" or elf.elfclass != 32:
        raise UserError(
            f"{path}: is for {elf.get_machine_arch()}, {elf.elfclass} bits, not for 32-bit RISC-V"
        )
    if elf["e_type"] != "ET_EXEC":
        raise UserError(f"{path}: is not linked: give its addresses (docs/simt.md shows a linker script)")
    if elf["e_flags"] & COMPRESSED:
        raise UserError(f"{path}: has compressed instructions; compile for rv32imf")


def _segments(path: Path, segment: Any) -> Iterator[Segment]:
    """What is in a segment, without longer runs of zeros: memory is zero in the beginning."""
    address = segment["p_paddr"]
    if address % 4:
        raise UserError(f"{path}: a segment begins at {address:#x}, which is no multiple of 4")
    data = segment.data()
    words = np.frombuffer(data.ljust(-(-len(data) // 4) * 4, b"\0"), "<u4")
    used = np.flatnonzero(words)
    for run in np.split(used, np.flatnonzero(np.diff(used) > GAP) + 1):
        if len(run):
            first, last = int(run[0]), int(run[-1])
            code = bool(segment["p_flags"] & EXECUTABLE)
            yield Segment(code, address + 4 * first, words[first : last + 1])


def _symbols(elf: Any) -> dict[str, Symbol]:
    """Functions, variables and labels by name, in order of address."""
    table = elf.get_section_by_name(".symtab")
    kinds = _kinds(elf)
    symbols = {}
    for symbol in sorted(
        table.iter_symbols() if table else (), key=lambda symbol: (symbol["st_value"], symbol.name)
    ):
        kind, section = symbol["st_info"]["type"], symbol["st_shndx"]
        named = bool(symbol.name) and not symbol.name.startswith(("$", ".L"))
        if named and kind in ("STT_FUNC", "STT_OBJECT", "STT_NOTYPE") and isinstance(section, int):
            symbols[symbol.name] = Symbol(symbol["st_value"], symbol["st_size"], kinds.get(symbol.name, ""))
    return symbols


def _lines(elf: Any) -> dict[int, tuple[str, int]]:
    """The line of source of each instruction, where the file has debug information."""
    lines: dict[int, tuple[str, int]] = {}
    if not elf.has_dwarf_info():
        return lines
    dwarf = elf.get_dwarf_info()
    for unit in dwarf.iter_CUs():
        program = dwarf.line_program_for_CU(unit)
        if program is None:
            continue
        offset = 0 if program.header.version >= 5 else 1
        states = [entry.state for entry in program.get_entries() if entry.state is not None]
        for here, following in pairwise(states):
            if here.end_sequence or not here.line:
                continue
            file = program.header.file_entry[here.file - offset].name.decode(errors="replace")
            for pc in range(here.address, following.address, 4):
                lines[pc] = (Path(file).name.replace(" ", "_"), here.line)
    return lines


def _kinds(elf: Any) -> dict[str, str]:
    """Numpy's types of the elements of the variables SHOWN, where debug information tells them."""
    if not elf.has_dwarf_info():
        return {}
    types = {}
    for unit in elf.get_dwarf_info().iter_CUs():
        for entry in unit.get_top_DIE().iter_children():
            name = _attribute(entry, "DW_AT_name", b"").decode(errors="replace")
            if entry.tag == "DW_TAG_variable" and name in SHOWN and "DW_AT_type" in entry.attributes:
                kind = _element(entry.get_DIE_from_attribute("DW_AT_type"))
                fields = _fields(kind) or []
                types[name] = ",".join(fields) if len(fields) <= FIELDS else ""
    return types


def _attribute(entry: Any, name: str, otherwise: Any) -> Any:
    return entry.attributes[name].value if name in entry.attributes else otherwise


def _element(kind: Any) -> Any:
    """The type of an array's elements, or a type itself, without names and qualifiers."""
    names = ("DW_TAG_typedef", "DW_TAG_volatile_type", "DW_TAG_const_type", "DW_TAG_array_type")
    while kind.tag in names and "DW_AT_type" in kind.attributes:
        kind = kind.get_DIE_from_attribute("DW_AT_type")
    return kind


def _fields(kind: Any) -> list[str] | None:
    """Numpy's types of the numbers of a type, ``V`` for bytes between; None if it has others."""
    size = _attribute(kind, "DW_AT_byte_size", 4)
    if kind.tag in ("DW_TAG_pointer_type", "DW_TAG_enumeration_type"):
        return [f"u{size}" if kind.tag == "DW_TAG_pointer_type" else f"i{size}"]
    if kind.tag == "DW_TAG_base_type":
        if _attribute(kind, "DW_AT_name", b"") == b"char":
            return ["S1"]
        letter = ENCODINGS.get(_attribute(kind, "DW_AT_encoding", 0), "")
        return [f"{letter}{size}"] if letter and size <= 8 else None
    if kind.tag != "DW_TAG_structure_type":
        return None
    fields: list[str] = []
    end = 0
    for member in kind.iter_children():
        if member.tag != "DW_TAG_member" or "DW_AT_bit_size" in member.attributes:
            return None
        outer = member.get_DIE_from_attribute("DW_AT_type")
        inner, count = _fields(_element(outer)), _count(outer)
        if inner is None or count * len(inner) > FIELDS:
            return None
        at = _attribute(member, "DW_AT_data_member_location", 0)
        fields += [f"V{at - end}"] * (at > end) + inner * count
        end = at + count * sum(int(field[1:]) for field in inner)
    return fields + [f"V{size - end}"] * (size > end)


def _count(kind: Any) -> int:
    """Elements of an array in all dimensions; 1 of others."""
    names = ("DW_TAG_typedef", "DW_TAG_volatile_type", "DW_TAG_const_type")
    while kind.tag in names:
        kind = kind.get_DIE_from_attribute("DW_AT_type")
    count = 1
    if kind.tag == "DW_TAG_array_type":
        for bound in kind.iter_children():
            count *= _attribute(bound, "DW_AT_count", 0) or _attribute(bound, "DW_AT_upper_bound", -1) + 1
    return count
