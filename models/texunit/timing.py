# SPDX-License-Identifier: Apache-2.0
"""Cycles of the texture unit's stages that its design fixes, from handshake in to handshake out."""

from configs.texunit.schema import Config

LOD_CYCLES, FILTER_CYCLES = 11, 8  # the level of detail, one texel or one bilinear pixel
REPEAT_CYCLES, HIT_CYCLES = 1, 8  # a query of the line before, of another one that is in the cache
MISS_CYCLES = 9  # of a miss beside the memory's, from the address handshake to the last beat
LOOKUP_CYCLES = 6  # of a miss, no waiting for memory: five until the tags have decided, one to answer


def query_cycles(cfg: Config) -> dict[str, int]:
    """Cycles of a cache query by what it finds; of a miss the least, with a memory that is idle."""
    miss = MISS_CYCLES + cfg.memory.latency + cfg.beats_per_line - 1
    return {"repeat": REPEAT_CYCLES, "hit": HIT_CYCLES, "miss": miss}
