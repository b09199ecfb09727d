# SPDX-License-Identifier: Apache-2.0
"""The scoreboard refuses every way in which a design can deliver something else than expected."""

from collections.abc import Mapping
from typing import ClassVar, NoReturn

import pytest
from pyuvm import uvm_root

from tb.common.components.bench import Mismatch
from tb.common.components.scoreboard import Expectation, Key, Scoreboard
from tb.common.components.transactions import Observation

REPRO = "make sim TEST=x SEED=1"


class FakeBench:
    """All that a scoreboard wants of one."""

    def fail(self, text: str) -> NoReturn:
        raise Mismatch(f"{text}\n  repeat with: {REPRO}")


def transaction_id(word: int) -> int:
    return word >> 8


class Board(Scoreboard):
    """A channel in order, and one that tells words apart by the id in their upper bits."""

    channels: ClassVar[tuple[str, ...]] = ("out", "keyed")
    keys: ClassVar[Mapping[str, Key]] = {"keyed": transaction_id}

    def cdb_get(self, label: str, inst_path: str = "") -> FakeBench:
        return FakeBench()


@pytest.fixture
def board(request: pytest.FixtureRequest) -> Board:
    made: Board = Board.create(f"board_{abs(hash(request.node.name))}", uvm_root())
    made.build_phase()
    return made


def observe(board: Board, channel: str, *words: int) -> None:
    for cycle, word in enumerate(words):
        board.observed[channel].write(Observation(cycle, word))


def expect(board: Board, channel: str, words: list[int], first: int = 0) -> None:
    board.expected[channel].write(Expectation(words, range(first, first + len(words))))


def test_what_is_expected_and_observed_matches_whichever_is_first(board: Board) -> None:
    board.announce("out", 3)
    expect(board, "out", [1, 2])
    observe(board, "out", 1, 2, 3)
    expect(board, "out", [3], 2)
    board.check_phase()
    assert board.by_name["out"].checked == 3


def test_a_difference_is_told_with_the_command_that_repeats_it(board: Board) -> None:
    expect(board, "out", [1, 2])
    with pytest.raises(Mismatch, match=r"out 1 in cycle 1: expected 0x2, got 0x3\n +repeat with: make sim"):
        observe(board, "out", 1, 3)


def test_order_counts_where_it_is_promised(board: Board) -> None:
    expect(board, "out", [1, 2])
    with pytest.raises(Mismatch, match="out 0 in cycle 0: expected 0x1, got 0x2"):
        observe(board, "out", 2, 1)


def test_order_does_not_count_among_different_keys(board: Board) -> None:
    board.announce("keyed", 4)
    expect(board, "keyed", [0x101, 0x202, 0x103])
    observe(board, "keyed", 0x202, 0x101, 0x103, 0x305)
    expect(board, "keyed", [0x305], 3)
    board.check_phase()
    assert [transfer.word for transfer in board.by_name["keyed"].matched] == [0x202, 0x101, 0x103, 0x305]


def test_order_counts_among_those_of_one_key(board: Board) -> None:
    expect(board, "keyed", [0x101, 0x202, 0x103])
    with pytest.raises(Mismatch, match="keyed 0 in cycle 1: expected 0x101, got 0x103"):
        observe(board, "keyed", 0x202, 0x103, 0x101)


def test_wrong_data_under_a_right_key_is_a_difference(board: Board) -> None:
    expect(board, "keyed", [0x101, 0x202])
    with pytest.raises(Mismatch, match="keyed 1 in cycle 0: expected 0x202, got 0x2ff"):
        observe(board, "keyed", 0x2FF)


def test_a_key_that_nobody_asked_for_is_too_much_and_leaves_the_right_one_missing(board: Board) -> None:
    expect(board, "keyed", [0x101])
    observe(board, "keyed", 0x401)
    with pytest.raises(Mismatch, match=r"keyed: 1 missing, the first is 0 \(0x101\)"):
        board.check_phase()
    observe(board, "keyed", 0x101)
    with pytest.raises(Mismatch, match="keyed: 1 too many, the first in cycle 0: 0x401"):
        board.check_phase()


def test_a_duplicate_is_too_much(board: Board) -> None:
    expect(board, "keyed", [0x101, 0x202])
    observe(board, "keyed", 0x202, 0x101, 0x202)
    with pytest.raises(Mismatch, match="keyed: 1 too many, the first in cycle 2: 0x202"):
        board.check_phase()


def test_the_first_that_is_missing_is_the_oldest_of_all_keys(board: Board) -> None:
    expect(board, "keyed", [0x301, 0x102, 0x203])
    observe(board, "keyed", 0x301)
    with pytest.raises(Mismatch, match=r"keyed: 2 missing, the first is 1 \(0x102\)"):
        board.check_phase()


@pytest.mark.parametrize(("announced", "text"), [(3, "3 announced"), (1, "1 announced")])
def test_fewer_or_more_than_announced_fail(board: Board, announced: int, text: str) -> None:
    board.announce("out", announced)
    expect(board, "out", [1, 2])
    observe(board, "out", 1, 2)
    with pytest.raises(Mismatch, match=f"out: {text}, 2 checked"):
        board.check_phase()


def test_missing_and_surplus_transfers_fail(board: Board) -> None:
    expect(board, "out", [5])
    with pytest.raises(Mismatch, match=r"out: 1 missing, the first is 0 \(0x5\)"):
        board.check_phase()
    observe(board, "out", 5, 6)
    with pytest.raises(Mismatch, match="out: 1 too many, the first in cycle 1: 0x6"):
        board.check_phase()


@pytest.mark.parametrize("channel", ["out", "keyed"])
def test_a_reset_forgives_what_is_missing_and_nothing_else(board: Board, channel: str) -> None:
    board.announce(channel, 3)
    expect(board, channel, [0x101, 0x202, 0x303])
    observe(board, channel, 0x101)
    board.reset()
    board.check_phase()
    observe(board, channel, 0x404)
    with pytest.raises(Mismatch, match=f"{channel}: 1 transfers that nothing was expected for"):
        board.reset()
