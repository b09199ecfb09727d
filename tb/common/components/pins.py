# SPDX-License-Identifier: Apache-2.0
"""Looks at pins, as text: a monitor looks at twenty of them in each cycle, and wants to know 0, 1 or X."""

from collections.abc import Callable
from typing import Any

#: a pin now: "0", "1", "X", "Z", or all bits of a vector so, the highest first
Look = Callable[[], str]

AWAKE = 16  # cycles with valid low for which a monitor still looks: to be woken costs as much as so many looks


def look(signal: Any) -> Look:
    """What ``str(signal.value)`` says, at a third of the time: cocotb makes a ``Logic`` of each bit, or a
    ``LogicArray`` of a vector, only for us to ask for its text.
    """
    text: Look = signal._handle.get_signal_val_binstr
    return text
