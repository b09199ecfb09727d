# SPDX-License-Identifier: Apache-2.0
"""What the tests of SIMT caches share."""

from configs.simt import LFU, LRU, PSEUDO_LRU, ROUND_ROBIN, SimtCache

#: ways in which a cold set is filled, by policy and number of ways (docs/replacement.md)
COLD = {
    (ROUND_ROBIN, 4): "0123", (LFU, 4): "3210", (LRU, 4): "0123", (PSEUDO_LRU, 4): "2031",
    (ROUND_ROBIN, 8): "01234567", (LFU, 8): "76543210", (LRU, 8): "01234567", (PSEUDO_LRU, 8): "26043715",
    (ROUND_ROBIN, 16): "0123456789abcdef", (LFU, 16): "fedcba9876543210", (LRU, 16): "0123456789abcdef",
    (PSEUDO_LRU, 16): "26ae048c37bf159d",
}  # fmt: skip


def cold_order(cache: SimtCache, policy: int) -> list[int]:
    """The ways of an empty set in the order in which they are filled."""
    return list(range(cache.ways)) if cache.invalid_first else [int(n, 16) for n in COLD[policy, cache.ways]]
