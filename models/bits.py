# SPDX-License-Identifier: Apache-2.0
"""Bits of small masks, for kernels."""

from models.kernels import kernel


@kernel
def ones(mask: int) -> int:
    """How many of the lowest eight bits are 1: pairs, then fours, then all are added side by side."""
    pairs = (mask & 0x55) + (mask >> 1 & 0x55)
    fours = (pairs & 0x33) + (pairs >> 2 & 0x33)
    return (fours & 15) + (fours >> 4 & 15)
