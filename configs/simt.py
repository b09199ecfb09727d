# SPDX-License-Identifier: Apache-2.0
"""What the caches of a SIMT processor have in common: their geometry, and the policies that replace lines."""

from typing import Literal

from pydantic import Field

from configs.parts import CacheGeometry, PowerOfTwo

POLICIES = ("round-robin", "lfu", "lru", "pseudo-lru")
ROUND_ROBIN, LFU, LRU, PSEUDO_LRU = range(4)

Policy = Literal["round-robin", "lfu", "lru", "pseudo-lru"]


class SimtCache(CacheGeometry):
    """Lines in 4, 8 or 16 ways under a policy that can be changed at run time (docs/replacement.md)."""

    ways: PowerOfTwo = Field(16, ge=4, le=16, description="ways of a set")
    line_bytes: PowerOfTwo = Field(512, ge=8, le=1024, description="bytes of a line")
    policy: Policy = Field("pseudo-lru", description="replacement policy after reset")
    invalid_first: bool = Field(
        False,
        description="a way without a line is filled before a line is replaced, whatever the policy says",
    )

    @property
    def policy_number(self) -> int:
        """The policy after reset as the hardware counts them."""
        return POLICIES.index(self.policy)
