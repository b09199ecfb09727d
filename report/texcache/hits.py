# SPDX-License-Identifier: Apache-2.0
"""Where it hits, and why it misses: levels, single-port caches and sets; kinds of misses and the optima."""

from typing import Any

import numpy as np

from report.pages import Page
from report.tables import Rows
from report.texcache.summary import FILTERS, Book


def draw(page: Page, book: Book) -> None:
    """Both chapters."""
    _levels(page, book)
    _sets(page, book)
    _banks(page, book)
    _kinds(page, book)


def _levels(page: Page, book: Book) -> None:
    rows: Rows = []
    for filter in FILTERS:
        counts = {scene: book(book.scene(scene, filter, "scan")).by_level for scene in book.scenes}
        used = np.sum([own[:, 1] > own[:, 2] for own in counts.values()], axis=0)
        for scene, own in counts.items():
            looked = own[:, 1].sum()
            rows += [
                {"scene": scene, "filter": filter, "level": level, "side": book.base.level_side(level),
                 "footprints": footprints, "lookups": lookups, "share": lookups / looked,
                 "hit_rate": hits / lookups, "misses": lookups - hits, "_missed": (lookups - hits) / looked,
                 "_side": f"{book.base.level_side(level)}²", "_used": bool(used[level])}
                for level, (footprints, lookups, hits, _) in enumerate(own.tolist()) if footprints
            ]  # fmt: skip
    page.draw("levels", rows, worst=max(rows, key=lambda row: row["misses"]))


def _sets(page: Page, book: Book) -> None:
    rows: Rows = []
    uneven = {}
    for scene in book.scenes:
        counts = book(book.scene(scene, "trilinear", "scan")).by_set
        assert counts is not None, "base runs have them"
        shares = counts[:, :, 1] / counts[:, :, 0].sum()
        uneven[scene] = float(shares.max() / shares.mean())
        rows += [
            {"scene": scene, "bank": bank, "set": index, "lookups": int(counts[bank, index, 0]),
             "misses": int(counts[bank, index, 1]), "share": float(shares[bank, index])}
            for bank, index in np.ndindex(*shares.shape)
        ]  # fmt: skip
    scene = max(uneven, key=lambda name: uneven[name])
    page.draw("sets", rows, scene=scene, factor=uneven[scene], most=max(row["share"] for row in rows),
              wide=max(12.0, 340 / book.base.cache.sets))  # fmt: skip


def _banks(page: Page, book: Book) -> None:
    rows: Rows = []
    for scene in book.scenes:
        for filter in FILTERS:
            by_set = book(book.scene(scene, filter, "scan")).by_set
            assert by_set is not None, "base runs have them"
            looked, missed = by_set.sum(axis=1).T
            rows += [
                {"scene": scene, "filter": filter, "bank": bank, "lookups": int(looked[bank]),
                 "share": float(looked[bank] / looked.sum()),
                 "hit_rate": float(1 - missed[bank] / looked[bank]) if looked[bank] else None,
                 "misses": int(missed[bank]), "_cache": f"cache {bank}"}
                for bank in range(book.base.banks)
            ]  # fmt: skip
    last = [row["share"] for row in rows if row["bank"] == book.base.banks - 1]
    page.draw("banks", rows, last=(min(last), max(last)), even=1 / book.base.banks)


def _kinds(page: Page, book: Book) -> None:
    rows: Rows = []
    for filter in FILTERS:
        for scene in book.scenes:
            kinds = book.kinds(book.scene(scene, filter, "scan"))
            rows.append({
                "scene": scene, "filter": filter, "lookups": kinds.lookups, "misses": kinds.total,
                "compulsory": kinds.compulsory, "capacity": kinds.capacity, "conflict": kinds.conflict,
                "optimal": kinds.optimal, "optimal_full": kinds.optimal_full, "excess": kinds.excess,
            })  # fmt: skip
    misses = sum(row["misses"] for row in rows)
    part: dict[str, Any] = {
        kind: sum(row[kind] for row in rows) / misses for kind in ("compulsory", "capacity", "conflict")
    }
    page.draw("kinds", rows, verdict=page.say(max(part, key=lambda name: part[name])), **part,
              excess=[row["excess"] for row in rows])  # fmt: skip
