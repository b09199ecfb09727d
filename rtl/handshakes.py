# SPDX-License-Identifier: Apache-2.0
"""Streams and AXI channels that leave a block: no ``valid`` may depend on its own ``ready`` within a cycle.

A consumer may wait for valid before it is ready: if valid waits for ready, neither ever comes. Whether valid
waits for a ready of an earlier cycle is not seen here.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from configs import BlockConfig
from rtl.dataflow import elaborate
from rtl.domains import Domains


def handshakes(cfg: BlockConfig) -> Iterator[tuple[str, str]]:
    """The ports valid and ready of each stream, and of each channel of an AXI port, that leaves the block."""
    for stream in cfg.streams.values():
        if stream.direction == "out" and stream.valid and stream.ready:
            yield f"{stream.name}_valid", f"{stream.name}_ready"
    for port in cfg.axi_ports.values():
        for channel in port.channels.values():
            if channel.direction == "out":
                yield f"{channel.name}valid", f"{channel.name}ready"


def check_files(cfg: BlockConfig, paths: Sequence[Path]) -> list[str]:
    """:func:`check` of the Verilog in ``paths``."""
    return check(cfg, {path.name: path.read_text() for path in paths})


def check(cfg: BlockConfig, files: Mapping[str, str]) -> list[str]:
    """The handshakes of ``cfg``'s Verilog (name -> text) that may lock up, a line each; empty if none may.

    Raises :class:`configs.UserError` for Verilog that is not valid.
    """
    domains = Domains(cfg, elaborate(files, cfg.top()))
    return [
        f"{valid} depends on {ready} in the same cycle: {' -> '.join(way)}; a consumer may wait for valid "
        "before it is ready, so offer without looking at ready"
        for valid, ready in handshakes(cfg)
        if (way := domains.sources(valid).get(ready))
    ]
