# SPDX-License-Identifier: Apache-2.0
"""A second texture cache, written from the specification alone and as naively as possible.

No bit arithmetic, no arrays, no numba: layouts by enumeration, wrapping by walking along the repeated side,
LRU by an ordered dictionary. Slow, and shares nothing with ``models`` but the names of the fields.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import cache
from itertools import product
from typing import Any


@cache
def wrapped_side(mode: int, side: int) -> tuple[int, ...]:
    """The coordinate seen at -4 side .. 4 side - 1."""
    up = list(range(side))
    if mode == 0:
        wrapped = up * 8
    elif mode == 1:
        wrapped = [0] * (4 * side) + up + [side - 1] * (3 * side)
    else:
        wrapped = (up + up[::-1]) * 4
    return tuple(wrapped)


@cache
def places(layout: str, side: int) -> dict[tuple[int, int], int]:
    """Offset of every texel (x, y) of a level: texels sorted by the layout's order, then counted."""

    def rows(x: int, y: int) -> tuple[Any, ...]:
        return y, x

    def tiles(x: int, y: int) -> tuple[Any, ...]:
        return y // 4, x // 4, y % 4, x % 4

    def morton(x: int, y: int) -> tuple[Any, ...]:
        digits_x = digits(x // 8, side // 8)
        digits_y = digits(y, side)
        bits = []
        while digits_x or digits_y:
            bits += [digits_x.pop(0)] if digits_x else []
            bits += [digits_y.pop(0)] if digits_y else []
        return *reversed(bits), x % 8

    order = {
        "row-major": rows,
        "tile4x4": tiles if side >= 4 else rows,
        "morton": morton if side >= 8 else rows,
    }
    texels = sorted(product(range(side), range(side)), key=lambda at: order[layout](*at))
    return {at: offset for offset, at in enumerate(texels)}


@cache
def halves(layout: str, side: int, line_texels: int) -> dict[int, int]:
    """Of each line of a level, by its number: row or column (which its number's parity does not tell), odd?

    Rows and columns are counted where lines begin; lines 0 and 1 are neighbours in the direction that the
    lowest bit tells.
    """
    corners: dict[int, tuple[int, int]] = {}
    for at, offset in places(layout, side).items():
        line = offset // line_texels
        corners[line] = min(corners.get(line, at), at)
    starts = zip(*corners.values(), strict=True)
    column, row = ({place: i for i, place in enumerate(sorted(set(ends)))} for ends in starts)
    beside = len(corners) > 1 and corners[1][0] != corners[0][0]
    return {line: (row[y] if beside else column[x]) % 2 for line, (x, y) in corners.items()}


def digits(number: int, limit: int) -> list[int]:
    """Binary digits of ``number``, lowest first, as many as numbers below ``limit`` need."""
    bits = []
    while limit > 1:
        bits.append(number % 2)
        number, limit = number // 2, limit // 2
    return bits


class NaiveTexcache:
    """Predicts RESULT fields as a dictionary of plain Python values."""

    def __init__(self, cfg: Any, lut: Any, word: Callable[[int], int], poisoned: Iterable[int] = ()) -> None:
        self.cfg, self.lut, self.word, self.poisoned = cfg, lut, word, set(poisoned)
        self.invalidate()

    def invalidate(self) -> None:
        """All sets: way -> [tag, poisoned], least recently used first."""
        self.sets = {
            key: OrderedDict((way, [None, False]) for way in range(self.cfg.cache.ways))
            for key in product(range(self.cfg.banks), range(self.cfg.cache.sets))
        }

    def texels(self, f: Any) -> list[tuple[int, int]]:
        """Texel address, and half of the banks (by parity), of the footprint's four texels."""
        side = self.cfg.max_side // 2 ** int(f["level"])
        addresses = []
        for down, right in product((0, 1), (0, 1)):
            x = wrapped_side(int(f["mode_u"]), side)[self._walk(int(f["u"]) + right, side)]
            y = wrapped_side(int(f["mode_v"]), side)[self._walk(int(f["v"]) + down, side)]
            base = int(self.lut[f["tex"], f["level"]]) * self.cfg.line_texels
            offset = places(self.cfg.layout, side)[x, y]
            half = halves(self.cfg.layout, side, self.cfg.line_texels)[offset // self.cfg.line_texels]
            addresses.append(((base + offset) % (2**self.cfg.cache.address_bits // 4), half))
        return addresses

    @staticmethod
    def _walk(coordinate: int, side: int) -> int:
        """Index into wrapped_side; far away it steps by whole periods, or stays at an end."""
        while coordinate < -4 * side:
            coordinate += 2 * side
        while coordinate >= 4 * side:
            coordinate -= 2 * side
        return coordinate + 4 * side

    def access(self, f: Any) -> dict[str, Any]:
        """One footprint."""
        cfg, texels = self.cfg, self.texels(f)
        addresses = [address for address, _ in texels]
        upper_left, upper_right, lower_left, lower_right = (
            (address // cfg.line_texels, half) for address, half in texels
        )
        all_four = cfg.lookup == "texel"
        lines: list[Any] = [
            upper_left,
            lower_left,
            upper_right if all_four or upper_right != upper_left else None,
            lower_right if all_four or lower_right != lower_left else None,
        ]
        if cfg.banking == "parity":
            in_turn = [upper_left, lower_left, upper_right, lower_right]
            lines = [line if line not in in_turn[:i] else None for i, line in enumerate(in_turn)]
        small = cfg.max_side // 2 ** int(f["level"]) < cfg.small_side
        slots = [self.look_up(line, small) for line in lines]
        names = ("valid", "hit", "bank", "set", "way", "evict", "victim", "line")
        result: dict[str, Any] = {name: [slot.get(name, 0) for slot in slots] for name in names}
        result["texel"] = [self.word(address) for address in addresses]
        result["err"] = int(any(slot.get("err") for slot in slots))
        result["beats"] = self.beats([slot["bank"] for slot in slots if slot])
        return result

    def look_up(self, target: tuple[int, int] | None, small: bool) -> dict[str, int]:
        """One look-up; empty for a slot that needs none."""
        if target is None:
            return {}
        cfg, (line, half) = self.cfg, target
        index, tag = line % cfg.cache.sets, line // cfg.cache.sets
        bank = cfg.banks - 1 if small else tag % cfg.banks
        if cfg.banking == "parity":
            bank, index, rest = 2 * half + line % 2, 0, line // 2
            for _ in range(3):
                index, rest = index ^ rest % cfg.cache.sets, rest // cfg.cache.sets
        ways = self.sets[bank, index]
        slot = {"valid": 1, "hit": 0, "bank": bank, "set": index, "evict": 0, "victim": 0, "line": line}
        for way, (held, _) in ways.items():
            if held == tag:
                slot |= {"hit": 1, "way": way}
                break
        else:
            way = next(iter(ways))
            held = ways[way][0]
            slot |= {"way": way, "evict": int(held is not None), "victim": held or 0}
            ways[way] = [tag, line in self.poisoned]
        ways.move_to_end(way)
        return slot | {"err": int(bool(ways[way][1]))}

    @staticmethod
    def beats(banks: list[int]) -> int:
        """Length of the list of groups, each the longest run of different banks."""
        groups: list[list[int]] = [[]]
        for bank in banks:
            if bank in groups[-1]:
                groups.append([])
            groups[-1].append(bank)
        return len(groups)
