# SPDX-License-Identifier: Apache-2.0
r"""Code coverage from Verilator's ``coverage.dat``: read, merge, waive, judge.

Each line of the file is ``C '<key>' <count>``; a key is a list of ``\x01name\x02value``: f file, l line,
n column, page ``v_<kind>/<module>``, o what is counted there, h instance. Merging is a sum per key. A point
is covered when it was counted in any instance of its module.
"""

import fnmatch
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from configs import UserError
from tb.common.coverage.data import WAIVED, is_text
from utils import toml
from utils.errors import shown

KINDS = ("line", "branch", "toggle", "expr")
_RECORD = re.compile(r"C '(.*)' (\d+)$")


class Location(NamedTuple):
    """A point of the source; ``item``, e.g. ``busy:0->1``, tells apart what is counted in one place."""

    file: str
    line: int
    column: int
    kind: str
    item: str

    @property
    def source(self) -> str:
        """The text of the line, if the file is still there."""
        lines = _lines(self.file)
        return lines[self.line - 1].strip() if self.line <= len(lines) else ""

    def __str__(self) -> str:
        return f"{Path(self.file).name}:{self.line}: {self.kind} {self.item}: {self.source}"


@cache
def _lines(path: str) -> list[str]:
    file = Path(path)
    return file.read_text().splitlines() if file.is_file() else []


Counts = dict[Location, int]


def parse(text: str, name: str = "coverage.dat") -> Counts:
    """Counts per location of the text of one file. Raises :class:`UserError` for another format."""
    counts: Counts = {}
    first, *records = text.splitlines()
    if not first.startswith("# SystemC::Coverage"):
        raise UserError(f"{name}: not Verilator's coverage data")
    for record in records:
        match = _RECORD.match(record)
        if not match:
            raise UserError(f"{name}: cannot read {record[:60]!r}")
        parts = dict(part.partition("\x02")[::2] for part in match[1].split("\x01") if part)
        kind = parts["page"].partition("/")[0].removeprefix("v_")
        where = Location(parts["f"], int(parts["l"]), int(parts["n"]), kind, parts.get("o", ""))
        counts[where] = counts.get(where, 0) + int(match[2])
    return counts


def merge(*many: Counts) -> Counts:
    """The sum."""
    result: Counts = {}
    for counts in many:
        for where, count in counts.items():
            result[where] = result.get(where, 0) + count
    return result


def read(paths: Iterable[Path]) -> Counts:
    """Read and merge files."""
    return merge(*(parse(path.read_text(), str(path)) for path in paths))


@dataclass(frozen=True)
class Waiver:
    """Points that need not be covered; ``file``, ``item`` and ``source`` text are patterns with ``*``."""

    kind: str
    file: str
    reason: str
    item: str = "*"
    source: str = "*"

    def covers(self, where: Location) -> bool:
        """Whether the waiver is about this point."""
        return (
            where.kind == self.kind
            and fnmatch.fnmatchcase(Path(where.file).name, self.file)
            and fnmatch.fnmatchcase(where.item, self.item.replace("[", "[[]"))
            and fnmatch.fnmatchcase(where.source, self.source.replace("[", "[[]"))
        )


def waivers(path: Path) -> list[Waiver]:
    """The ``[[code]]`` tables of a TOML file. Raises :class:`UserError` for one that is incomplete."""
    entries = toml.tables(path, WAIVED)["code"]
    for entry in entries:
        where, needed = f"{path}: waiver {shown(entry)}", {"kind", "file", "reason"}
        about = set(entry) - needed
        if not needed <= set(entry) or not all(map(is_text, entry.values())) or entry["kind"] not in KINDS:
            raise UserError(f"{where}: needs kind ({', '.join(KINDS)}), file and reason")
        if not about or not about <= {"item", "source"}:
            raise UserError(f"{where}: needs item or source, which say what it is about, and nothing else")
    return [Waiver(**entry) for entry in entries]


@dataclass
class Part:
    """Coverage of one kind."""

    covered: int = 0
    waived: int = 0
    holes: list[Location] = field(default_factory=list)

    @property
    def percent(self) -> float:
        """Of the points that are not waived."""
        points = self.covered + len(self.holes)
        return 100 * self.covered / points if points else 100.0


def judge(counts: Counts, waived: Sequence[Waiver] = ()) -> dict[str, Part]:
    """Coverage per kind. A waived point that was covered counts as covered."""
    parts = {kind: Part() for kind in KINDS}
    for where, count in sorted(counts.items()):
        part = parts[where.kind]
        if count:
            part.covered += 1
        elif any(waiver.covers(where) for waiver in waived):
            part.waived += 1
        else:
            part.holes.append(where)
    return parts


def useless(counts: Counts, waived: Sequence[Waiver]) -> list[Waiver]:
    """Waivers that are about no point at all."""
    return [waiver for waiver in waived if not any(waiver.covers(where) for where in counts)]


def lcov(counts: Counts) -> str:
    """Line and branch coverage in LCOV's format, for tools that show it in the source."""
    files: dict[str, dict[int, int]] = {}
    for where, count in counts.items():
        if where.kind in ("line", "branch"):
            lines = files.setdefault(where.file, {})
            lines[where.line] = max(lines.get(where.line, 0), count)
    text = ""
    for name, lines in sorted(files.items()):
        text += (
            f"SF:{name}\n" + "".join(f"DA:{n},{c}\n" for n, c in sorted(lines.items())) + "end_of_record\n"
        )
    return text
