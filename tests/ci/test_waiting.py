# SPDX-License-Identifier: Apache-2.0
"""Tests on a busy machine: what may take its time, and what is said of what never comes."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.waiting import until


@given(st.booleans())
def test_an_example_may_take_any_time(_: bool) -> None:
    time.sleep(0.25)  # longer than hypothesis allows by itself


def test_what_comes_late_is_waited_for_and_what_never_comes_is_named() -> None:
    turns = iter(range(3))
    until(lambda: next(turns) == 2, "the third turn")
    with pytest.raises(AssertionError, match="the compiler ends: not within 0 s"):
        until(lambda: False, "the compiler ends", 0.1)
