# SPDX-License-Identifier: Apache-2.0
"""Cycles of the texture unit's stages that its design fixes, from handshake in to handshake out."""

from configs.texunit.schema import Config

LOD_CYCLES, FILTER_CYCLES = 11, 8  # the level of detail, one texel or one bilinear pixel
COORDINATE_CYCLES = 6  # from a quad with its level to its first pixel; the others follow as they are taken
ADDRESS_CYCLES = 2  # of a pixel's addresses
FETCH_CYCLES = 1  # from a pixel's addresses to its first query
GATHER_CYCLES = 4  # from a pixel's last answer to the filter
REPEAT_CYCLES, HIT_CYCLES = 1, 8  # a query of the line before, of another one that is in the cache
MISS_CYCLES = 9  # of a miss beside the memory's, from the address handshake to the last beat
ASK_CYCLES, ANSWER_CYCLES = 7, 2  # of these: from the query to its address, from the last beat to the answer
TABLE_ASK_CYCLES = (
    3  # from a primitive's start to the first address of its colour table; the next follows at once
)
PLACE_CYCLES = 3  # from a line's last beat to an address that takes its place
SETUP_CYCLES = 3  # of a primitive alone; the cache's sweep comes on top
TABLE_END_CYCLES = 4  # from the last beat of a colour table to the end of setup
LOOKUP_CYCLES = 6  # of a miss, no waiting for memory: five until the tags have decided, one to answer


def query_cycles(cfg: Config) -> dict[str, int]:
    """Cycles of a cache query by what it finds; of a miss the least, with a memory that is idle."""
    miss = MISS_CYCLES + cfg.memory.latency + cfg.beats_per_line - 1
    return {"repeat": REPEAT_CYCLES, "hit": HIT_CYCLES, "miss": miss}
