# SPDX-License-Identifier: Apache-2.0
"""Which PE rows are near to a cache row, and the links of a two-stage switch: tables of ``lpas``."""


def area_rows(areas: str, row: int, rows: int) -> tuple[tuple[int, ...], ...]:
    """The PE rows of each area of the caches of ``row``, nearest first.

    ``distance``: a row each, of two that are as near the lower first; ``cyclic``: row, row + 1, ...;
    ``merged``: rows that are as near are one area.
    """
    if areas == "cyclic":
        return tuple(((row + step) % rows,) for step in range(rows))
    near = sorted(range(rows), key=lambda other: (abs(other - row), other))
    if areas == "distance":
        return tuple((other,) for other in near)
    distances = sorted({abs(other - row) for other in near})
    return tuple(tuple(other for other in near if abs(other - row) == distance) for distance in distances)


def links_of(reading: str, rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """The number of the link [pe, cache] that leads a PE to a cache; links of a group are numbered in a row.

    ``lr2ss-a``: a PE column has a link to each cache of its column and one to all others. ``lr2ss-b``: one to
    each cache column. ``lr2ss-c``: a PE row has one to each cache column.
    """
    pes = range(rows * columns)

    def link(pe: int, cache: int) -> int:
        if reading == "lr2ss-a":
            group = pe % columns
            own = cache % columns == group
            return group * (rows + 1) + (cache // columns if own else rows)
        group = pe // columns if reading == "lr2ss-c" else pe % columns
        return group * columns + cache % columns

    return tuple(tuple(link(pe, cache) for cache in pes) for pe in pes)
