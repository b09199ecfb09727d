# SPDX-License-Identifier: Apache-2.0
"""Looks at pins, as text: a monitor looks at twenty of them in each cycle, and wants to know 0, 1 or X."""

from collections.abc import Callable
from typing import Any

#: a pin now: "0", "1", "X", "Z", or all bits of a vector so, the highest first
Look = Callable[[], str]

#: cycles with valid low for which a monitor still looks at it: to be woken costs as much as so many looks
AWAKE = 16


def look(signal: Any) -> Look:
    """A function that gives a signal's value as text, the highest bit first.

    ``signal.value`` makes an object of each value: 0.5 us a bit, and 2 us a word of 640; what stands below it
    gives the text alone, in a fifth or half of that (measured, cocotb 2.1).
    """
    text: Look = signal._handle.get_signal_val_binstr
    return text
