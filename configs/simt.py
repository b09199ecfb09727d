# SPDX-License-Identifier: Apache-2.0
"""What the caches of a SIMT processor have in common: their lines, and the policies that replace them."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from configs.base import BlockConfig
from configs.parts import AxiPort, CacheGeometry, PowerOfTwo, log2

WORD_BYTES = 4
POLICIES = ("round-robin", "lfu", "lru", "pseudo-lru")
ROUND_ROBIN, LFU, LRU, PSEUDO_LRU = range(4)

Policy = Literal["round-robin", "lfu", "lru", "pseudo-lru"]


class SimtCache(CacheGeometry):
    """Lines in 1 to 16 ways under a policy that can be changed at run time (docs/replacement.md)."""

    ways: int = Field(16, ge=1, le=16, description="ways of a set, any number")
    line_bytes: PowerOfTwo = Field(512, ge=8, le=1024, description="bytes of a line")
    policy: Policy = Field("pseudo-lru", description="replacement policy after reset")
    invalid_first: bool = Field(
        False,
        description="a way without a line is filled before a line is replaced, whatever the policy says",
    )

    @property
    def way_bits(self) -> int:
        """Bits that hold a way's number, one at least."""
        return max(1, super().way_bits)

    @property
    def policy_number(self) -> int:
        """The policy after reset as the hardware counts them."""
        return POLICIES.index(self.policy)


class SimtConfig(BlockConfig):
    """A cache whose lines are moved by one burst each."""

    FOLLOWS: ClassVar[Mapping[str, str]] = {"axi.address_bits": "cache.address_bits"}

    cache: SimtCache
    axi: AxiPort

    def check_line(self) -> None:
        """Raise ValueError for a line that no burst moves."""
        if not 2 <= self.beats <= 256:
            raise ValueError(
                f"cache.line_bytes={self.cache.line_bytes} and axi.data_bits={self.axi.data_bits}: a line of "
                f"{self.beats} beats; it must have 2 at least and 256, the longest burst, at most"
            )

    @property
    def several_sets(self) -> bool:
        """Whether there is more than one set."""
        return self.cache.sets > 1

    @property
    def beats(self) -> int:
        """AXI data beats of a line."""
        return self.axi.beats(self.cache.line_bytes)

    @property
    def beat_bits(self) -> int:
        """Bits of a beat's place in its line."""
        return log2(self.beats)

    @property
    def beat_words(self) -> int:
        """Words, or instructions, of a beat."""
        return self.axi.strobe_bits // WORD_BYTES

    @property
    def line_words(self) -> int:
        """Words, or instructions, of a line."""
        return self.cache.line_bytes // WORD_BYTES
