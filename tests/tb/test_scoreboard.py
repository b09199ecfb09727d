# SPDX-License-Identifier: Apache-2.0
"""The scoreboard notices what differs, is missing, is too much, or was announced and never came."""

from types import SimpleNamespace
from typing import ClassVar

import pytest

from tb.common.components.scoreboard import Mismatch, Scoreboard
from tb.common.components.transactions import Observation

REPRO = "make sim TEST=x SEED=1"


class Board(Scoreboard):
    channels: ClassVar[tuple[str, ...]] = ("out",)

    def cdb_get(self, label: str, inst_path: str = "") -> SimpleNamespace:
        return SimpleNamespace(repro=REPRO)


@pytest.fixture
def board(request: pytest.FixtureRequest) -> Board:
    made = Board(f"board_{abs(hash(request.node.name))}", None)
    made.build_phase()
    return made


def seen(board: Board, *words: int) -> None:
    for cycle, word in enumerate(words):
        board.observe("out", Observation(cycle, word))


def test_what_is_expected_and_seen_matches_in_either_order(board: Board) -> None:
    board.announce("out", 3)
    board.expect("out", [1, 2], [0, 1])
    seen(board, 1, 2, 3)
    board.expect("out", [3], [2])
    board.check_complete()
    assert board.by_name["out"].checked == 3


def test_a_difference_is_told_with_the_command_that_repeats_it(board: Board) -> None:
    board.expect("out", [1, 2], [0, 1])
    with pytest.raises(Mismatch, match=r"out 1 in cycle 1: expected 0x2, got 0x3\n +repeat with: make sim"):
        seen(board, 1, 3)


def test_fewer_than_announced_fail(board: Board) -> None:
    board.announce("out", 3)
    board.expect("out", [1, 2], [0, 1])
    seen(board, 1, 2)
    with pytest.raises(Mismatch, match="out: 3 announced, 2 checked"):
        board.check_complete()


def test_more_than_announced_fail(board: Board) -> None:
    board.announce("out", 1)
    board.expect("out", [1, 2], [0, 1])
    seen(board, 1, 2)
    with pytest.raises(Mismatch, match="out: 1 announced, 2 checked"):
        board.check_complete()


def test_missing_and_surplus_transfers_fail(board: Board) -> None:
    board.expect("out", [5], [0])
    with pytest.raises(Mismatch, match=r"out: 1 missing, the first is 0 \(0x5\)"):
        board.check_complete()
    seen(board, 5, 6)
    with pytest.raises(Mismatch, match="out: 1 too many, the first in cycle 1: 0x6"):
        board.check_complete()


def test_a_reset_forgives_what_is_missing_and_nothing_else(board: Board) -> None:
    board.announce("out", 3)
    board.expect("out", [1, 2, 3], [0, 1, 2])
    seen(board, 1)
    board.reset()
    board.check_complete()
    seen(board, 4)
    with pytest.raises(Mismatch, match="1 transfers that nothing was expected for"):
        board.reset()
