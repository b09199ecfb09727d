# SPDX-License-Identifier: Apache-2.0
"""What a program did, in files: its text with counts, and its accesses as a trace file."""

import csv
import io
from pathlib import Path

import numpy as np

from configs.lpas.schema import OPS
from utils.files import write_atomic
from workloads.lpas.assembler import Program
from workloads.lpas.golden import GoldenOutcome

HEAD = "  accesses    cycles  longest"


def write_listing(path: Path, program: Program, outcome: GoldenOutcome) -> Path:
    """Each line of its text, with the accesses that it made, their cycles in all, and the longest one's."""
    accesses = outcome.accesses
    cycles = accesses["done"] - accesses["first"] + 1
    count, whole = (np.bincount(accesses["pc"], weights, len(program.code)) for weights in (None, cycles))
    longest = np.zeros(len(program.code), np.int64)
    np.maximum.at(longest, accesses["pc"], cycles)
    by_line = {line: pc for pc, line in enumerate(program.lines)}
    rows = [f"{HEAD}  {program.name}"]
    for number, line in enumerate(program.text.splitlines(), 1):
        pc = by_line.get(number)
        figures = ""
        if pc is not None and count[pc]:
            figures = f"{int(count[pc]):10} {int(whole[pc]):9} {longest[pc]:8}"
        rows.append(f"{figures:{len(HEAD)}}  {line}".rstrip())
    write_atomic(path, "\n".join(rows) + "\n")
    return path


def write_trace(path: Path, outcome: GoldenOutcome) -> Path:
    """The accesses as a trace file that ``make trace BLOCK=lpas`` takes: ``at`` is the cycle it came in."""
    accesses = outcome.accesses[np.argsort(outcome.accesses["first"], kind="stable")]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["pe", "op", "word", "value", "at"])
    stored = np.where((accesses["op"] == 1) | (accesses["op"] == 3), accesses["value"], 0)
    for access, value in zip(accesses.tolist(), stored.tolist(), strict=True):
        writer.writerow([access[0], OPS[access[1]], access[2], value, access[4]])
    write_atomic(path, out.getvalue())
    return path
