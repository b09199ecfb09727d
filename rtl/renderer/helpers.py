# SPDX-License-Identifier: Apache-2.0
"""What the renderer templates need beyond the configuration: pixels of quads, channels of memory's port."""

from collections.abc import Iterable

from configs.depth import SIDE
from configs.ports import Field
from configs.renderer.schema import QUADS, Config
from configs.texunit.schema import Config as TexunitConfig
from configs.zcache.schema import Config as ZcacheConfig


def pixels(quad: int) -> tuple[int, ...]:
    """Pixels of the tile that a quad has: upper left, upper right, lower left, lower right."""
    first = quad // 2 * 2 * SIDE + quad % 2 * 2
    return first, first + 1, first + SIDE, first + SIDE + 1


def quads_of(cfg: Config, unit: int) -> tuple[int, ...]:
    """Quads of a tile that a texture unit samples."""
    return tuple(range(unit, QUADS, cfg.texunit.units))


def unit_of(cfg: Config, quad: int) -> int:
    """The texture unit that samples a quad."""
    return quad % cfg.texunit.units


def masters(cfg: Config) -> dict[str, TexunitConfig | ZcacheConfig]:
    """The parts that go to memory, in the order of the interconnect's masters."""
    return {"texunit": cfg.texunit, "zcache": cfg.zcache}


def joined(items: Iterable[str]) -> str:
    """One vector of signals, the first lowest."""
    return "{" + ", ".join(reversed(list(items))) + "}"


def channel_bits(cfg: Config, channel: str) -> int:
    """Width of a channel's word: of all its fields but for id and a write's last."""
    return sum(field.width for field in _fields(cfg, channel))


def channel_word(cfg: Config, channel: str, master: str = "") -> str:
    """The word of a channel of the common port, or of a master, padded."""
    own = masters(cfg)[master].axi if master else cfg.axi
    parts = []
    for field in _fields(cfg, channel):
        name = f"{master}_{own.prefix}_{channel}{field.name}".removeprefix("_")
        widths = {signal.name: signal.width for signal in own.channels[channel].fields}
        missing = field.width - widths.get(field.name, field.width)
        parts.append(f"{{{missing}'d0, {name}}}" if missing else name)
    return joined(parts)


def master_id(cfg: Config, master: str, channel: str) -> str:
    """The id of a master's channel in the width that all masters have."""
    missing = cfg.axi.inner_id_bits - masters(cfg)[master].axi.id_bits
    name = f"{master}_{cfg.axi.prefix}_{channel}id"
    return f"{{{missing}'d0, {name}}}" if missing else name


def _fields(cfg: Config, channel: str) -> list[Field]:
    fields = cfg.axi.channels[channel].fields
    return [field for field in fields if field.name != "id" and (channel, field.name) != ("w", "last")]
