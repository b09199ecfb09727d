# SPDX-License-Identifier: Apache-2.0
"""Traces that other programs write: loads, stores and fetches, as text or as ChampSim's records.

The form of a text file is that of its first line that is a reference in any of :data:`FORMS`. Sources of the
forms: Dinero IV's manual (din); lackey/lk_main.c of Valgrind; source/tools/SimpleExamples/pinatrace.cpp of
Pin; clients/drcachesim/tools/view.cpp, api/samples/memtrace_simple.c and memtrace_x86.c of DynamoRIO; the
README of Ramulator, loadstore_trace.cpp of Ramulator 2; inc/trace_instruction.h of ChampSim.
"""

import codecs
import re
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs import UserError
from utils.errors import shortened
from utils.files import is_file
from workloads.traces.opening import MOST_ROWS, check_rows, lines, plain_name, unpacked

READ, WRITE, FETCH = range(3)  # din's labels
WORD_BYTES = 4  # a reference without a size means the word at its address
MOST_BYTES = 4096  # of a reference
_RW = {"r": (READ,), "w": (WRITE,)}
_HEX = r"(?:0x)?(?P<hex>[0-9a-f]{1,16})"
_SIZE = r"(?P<size>\d+)"
_RECORD = r"(?:\d+\s+\d+:\s+)?(?:\S+\s+)?"  # how a line of drmemtrace's view begins: numbers, thread


class Form(NamedTuple):
    """How a program writes a reference: ``pattern`` matches a line, with groups ``label``, ``hex`` or
    ``decimal`` of the address, and ``size`` if there is one; ``labels`` says what a label means.
    """

    name: str
    example: str
    pattern: str
    labels: Mapping[str, tuple[int, ...]]
    dynamorio: bool = False


FORMS = (
    Form(
        "din", "label hexaddress", rf"(?P<label>\d+)\s+{_HEX}(?:\s.*)?",
        {"0": (READ,), "1": (WRITE,), "2": (FETCH,)},
    ),
    Form(
        "lackey", "I  hexaddress,size", rf"(?P<label>[ILSM])\s+{_HEX},\s*{_SIZE}",
        {"i": (FETCH,), "l": (READ,), "s": (WRITE,), "m": (READ, WRITE)},
    ),
    Form(
        "Pin", "0xip: R 0xaddress",
        rf"(?:0x)?[0-9a-f]+:\s*(?P<label>[RW])\s+{_HEX}(?:\s+{_SIZE}(?:\s.*)?)?", _RW,
    ),
    Form(
        "drmemtrace", "read 8 byte(s) @ 0xaddress",
        rf"{_RECORD}(?P<label>ifetch|read|write)\s+{_SIZE} byte\(s\) @ {_HEX}(?:\s.*)?",
        {"ifetch": (FETCH,), "read": (READ,), "write": (WRITE,)}, True,
    ),
    Form("memtrace_simple", "0xaddress: size, r", rf"{_HEX}:\s*{_SIZE},\s*(?P<label>[a-z]\w*)", _RW, True),
    Form("memtrace_x86", "0xip,r,size,0xaddress", rf"0x[0-9a-f]+,(?P<label>[rw]),{_SIZE},{_HEX}", _RW, True),
    Form("Ramulator", "0xaddress R", rf"{_HEX}\s+(?P<label>[RW])", _RW),
    Form(
        "Ramulator 2", "LD 0xaddress",
        r"(?P<label>LD|ST)\s+(?:0x(?P<hex>[0-9a-f]{1,16})|(?P<decimal>\d{1,19}))",
        {"ld": (READ,), "st": (WRITE,)},
    ),
)  # fmt: skip
_PATTERNS = {form.name: re.compile(form.pattern, re.IGNORECASE | re.ASCII) for form in FORMS}
#: comments, and what Valgrind says
_NOISE = ("#", "==", "--", "**")
#: what DynamoRIO's tools say beside references: heads, markers, prefetches and flushes, sums, and, far to the
#: right, the last bytes of a long instruction
_DYNAMORIO = re.compile(
    r"\s*(?:Output format:|Format: <.*|<--record#->.*|View tool results:|\d+ : total .*"
    rf"|{_RECORD}<.*>|{_RECORD}(?:pref|iflush|dflush)\S*\s+\d+ byte\(s\) @ .*)\s*"
    r"|\s{20,}[0-9a-f]{2}(?: [0-9a-f]{2})*\s*",
    re.ASCII,
)
#: a record of ChampSim: an instruction and the memory that it reads and writes; addresses of 0 are none
INSTRUCTION = np.dtype(
    [("ip", "<u8"), ("branch", "u1", 2), ("registers", "u1", 6), ("writes", "<u8", 2), ("reads", "<u8", 4)]
)


class References(NamedTuple):
    """n references in order: ``label`` [n] READ, WRITE or FETCH, byte ``address`` [n] and ``size`` [n]."""

    label: NDArray[np.int64]
    address: NDArray[np.uint64]
    size: NDArray[np.int64]

    def of(self, *labels: int) -> "References":
        """Those with one of the labels."""
        chosen = np.isin(self.label, labels)
        return References(self.label[chosen], self.address[chosen], self.size[chosen])

    def beyond(self, bits: int) -> int:
        """How many have a byte whose address has more than ``bits`` bits, or wraps around 2^64."""
        last = np.uint64((1 << bits) - 1) - (self.size - 1).astype(np.uint64)
        return int(np.count_nonzero(self.address > last))


def holds_references(path: Path) -> bool:
    """Whether a file is to be read as one of these: its first line that says something is one of theirs, or
    its name is not that of a trace file of our own. Raises :class:`UserError` for a damaged file.
    """
    suffix = plain_name(path).suffix
    if not is_file(path) or suffix != ".csv":
        return is_file(path) and suffix != ".npz"
    first = next((line.strip() for _, line in lines(path) if not _is_noise(line, None)), "")
    return _form(first) is not None


def read_references(path: Path) -> References:
    """The references of a file. Raises :class:`UserError` with the line and what it must be."""
    with unpacked(path) as stream:
        start = stream.read(INSTRUCTION.itemsize)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UserError(f"{path}: is UTF-16 text; save the file as UTF-8")
    return _of_records(path) if b"\0" in start else _of_lines(path)


def _of_records(path: Path) -> References:
    """Of ChampSim: of each instruction a fetch, then its reads, then its writes, a word each."""
    size = INSTRUCTION.itemsize
    with unpacked(path) as stream:
        data = stream.read(MOST_ROWS * size)
        more = bool(stream.read(1))
    if len(data) % size:
        raise UserError(
            f"{path}: has zero bytes, so it is no text, and its {len(data)} bytes are no whole number of "
            f"ChampSim's records of {size}"
        )
    records = np.frombuffer(data, INSTRUCTION)
    wrong = np.flatnonzero((records["branch"] > 1).any(axis=1))
    if len(wrong):
        raise UserError(
            f"{path}: has zero bytes, so it is no text, and its record {wrong[0]} is none of ChampSim's: "
            "is_branch and branch_taken are 0 or 1"
        )
    address = np.column_stack([records["ip"], records["reads"], records["writes"]])
    there = address != 0
    there[:, 0] = True
    count = int(np.count_nonzero(there))
    if more or count > MOST_ROWS:
        raise UserError(
            f"{path}: more than {MOST_ROWS:,} references; take the first ones: xz -dc FILE | head -c "
            f"{MOST_ROWS * size // there.shape[1]}"
        )
    label = np.broadcast_to([FETCH, *[READ] * 4, *[WRITE] * 2], there.shape)[there]
    return References(label, _word(address[there]), np.full(count, WORD_BYTES))


def _word(address: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return address & ~np.uint64(WORD_BYTES - 1)


def _of_lines(path: Path) -> References:
    label, address, size = array("b"), array("Q"), array("H")
    form: Form | None = None
    for number, line in lines(path):
        if _is_noise(line, form):
            continue
        text = line.strip()
        try:
            form = form or _needed(text)
            labels, start, length = _parsed(form, text)
        except ValueError as error:
            raise UserError(f"{path}:{number}: {error}") from None
        for kind in labels:
            label.append(kind)
            address.append(start)
            size.append(length)
        check_rows(path, number, len(label))
    return References(np.array(label, np.int64), np.array(address, np.uint64), np.array(size, np.int64))


def _is_noise(line: str, form: Form | None) -> bool:
    """Whether a line of a file of this form, None if that is not known yet, is no reference."""
    text = line.strip()
    if not text or text.startswith(_NOISE):
        return True
    return (form is None or form.dynamorio) and _DYNAMORIO.fullmatch(line) is not None


def _form(text: str) -> Form | None:
    """That of a file whose first reference is this line."""
    return next((form for form in FORMS if _PATTERNS[form.name].fullmatch(text)), None)


def _needed(text: str) -> Form:
    """The same; raises ValueError if there is none."""
    chosen = _form(text)
    if not chosen:
        forms = ", ".join(f"{form.name} ({form.example!r})" for form in FORMS)
        raise ValueError(
            f"{shortened(text)!r} is no reference of {forms}; "
            "names of files in the project's own form end in .csv or .npz (docs/traces.md)"
        )
    return chosen


def _parsed(form: Form, text: str) -> tuple[tuple[int, ...], int, int]:
    """Labels, byte address and size of the references of a line. Raises ValueError."""
    match = _PATTERNS[form.name].fullmatch(text)
    if not match:
        raise ValueError(f"{shortened(text)!r} is no {form.name} reference: write {form.example!r}")
    groups = match.groupdict()
    labels = form.labels.get(groups["label"].lower())
    if labels is None and form.name == "memtrace_simple":  # the name of an instruction
        labels = (FETCH,)
    if labels is None:
        raise ValueError(
            f"label {groups['label']}: must be 0 (read), 1 (write) or 2 (fetch); leave other lines out"
        )
    address = int(groups["hex"], 16) if groups["hex"] else int(groups["decimal"])  # one of them matched
    if not groups.get("size"):
        return labels, address & -WORD_BYTES, WORD_BYTES
    size = int(groups["size"][:9])
    if not 1 <= size <= MOST_BYTES:
        raise ValueError(f"size {shortened(groups['size'])}: must be 1 to {MOST_BYTES} bytes")
    return labels, address, size


def words(
    references: References, bits: int, word_bytes: int = WORD_BYTES
) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[np.int64]]:
    """The aligned words that references touch, in order: to which reference each belongs [m], the lowest
    ``bits`` of its byte address [m] (int64, of 64 bits uint64), and the bytes of it that are meant [m], bit 0
    the lowest.
    """
    offset = (references.address & np.uint64(word_bytes - 1)).astype(np.int64)
    count = (offset + references.size + word_bytes - 1) // word_bytes
    owner = np.repeat(np.arange(len(count)), count)
    nth = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    first = (references.address & ~np.uint64(word_bytes - 1))[owner]
    address = first + (nth * word_bytes).astype(np.uint64) & np.uint64((1 << bits) - 1)
    address = address.astype(np.int64 if bits < 64 else np.uint64)
    begin = np.maximum(offset[owner] - nth * word_bytes, 0)
    end = np.minimum((offset + references.size)[owner] - nth * word_bytes, word_bytes)
    return owner, address, (1 << end) - (1 << begin)
