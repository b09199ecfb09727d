# SPDX-License-Identifier: Apache-2.0
"""Views of a recorded waveform, for GTKWave and Surfer: they show the ports that the configuration has.

A group for each stream has clock, reset, valid, ready and, cut out of the packed ``data``, every field under
its own name. Counters are decimal, signed fields signed, values that have names shown by these, the rest is
in hexadecimal. A group for each AXI port has one for each of its channels. Observers and counters are folded.
"""

import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vcd.gtkw import GTKWSave, make_translation_filter

from configs import AxiPort, BlockConfig, Field, Stream
from rtl.verilog import stream_signals
from utils.files import write_atomic

WAVES = "waves.fst"
GTKWAVE, SURFER = "waves.gtkw", "waves.sucl"
NAMES = "waves.names"
CYCLE_PIXELS = 24  # of the fastest clock, when GTKWave opens
FRAME_PIXELS = 200  # GTKWave's zoom is -log2 of the time that so many pixels take
SIGNALS_PIXELS = 240  # of the column of names


@dataclass(frozen=True)
class Row:
    """A line of a view: ``field`` lies from bit ``low`` on in ``signal``, a port of ``bits`` bits."""

    field: Field
    signal: str
    bits: int
    low: int = 0
    decimal: bool = False

    @property
    def format(self) -> str:
        """How its value is shown, in the words of pyvcd."""
        if self.field.signed:
            return "signed"
        return "dec" if self.decimal else "bin" if self.field.width == 1 else "hex"


@dataclass(frozen=True)
class Group:
    """Rows, or groups, under a name; ``folded``: shown as the name alone at first."""

    name: str
    members: "tuple[Row | Group, ...]"
    folded: bool = False

    @property
    def rows(self) -> Iterator[Row]:
        """Its rows and those of its groups."""
        for member in self.members:
            yield from (member,) if isinstance(member, Row) else member.rows


def groups(cfg: BlockConfig) -> list[Group]:
    """What there is to see of a block: its streams, then its AXI ports."""
    return [*map(_stream, cfg.streams.values()), *map(_axi_port, cfg.axi_ports.values())]


def _stream(stream: Stream) -> Group:
    rows, counters = _clock(stream.clock), stream.name.startswith("perf")
    for signal in stream_signals(stream):
        if signal.name == f"{stream.name}_data":
            rows += [
                Row(field, signal.name, signal.width, stream.offset(field.name), decimal=counters)
                for field in stream.fields
            ]
        else:
            rows.append(_whole(signal.name))
    return Group(stream.name, tuple(rows), folded=stream.observer or counters)


def _axi_port(port: AxiPort) -> Group:
    channels = [
        Group(
            channel.name,
            (
                *(_whole(f"{channel.name}{word}") for word in ("valid", "ready")),
                *(_whole(f"{channel.name}{field.name}", field.width) for field in channel.fields),
            ),
        )
        for channel in port.channels.values()
    ]
    return Group(port.prefix, (*_clock(port.clock), _whole(f"{port.prefix}_rst"), *channels))


def _clock(clock: str) -> list[Row]:
    return [_whole(clock), _whole(clock.replace("clk", "rst"))]


def _whole(signal: str, bits: int = 1) -> Row:
    return Row(Field(signal, bits), signal, bits)


def write(cfg: BlockConfig, folder: Path) -> None:
    """Write the views of ``waves.fst`` in ``folder`` beside it."""
    shown = groups(cfg)
    write_atomic(folder / SURFER, _surfer(cfg, folder, shown))
    write_atomic(folder / GTKWAVE, _gtkwave(cfg, folder, shown))


def commands(folder: Path) -> dict[str, str]:
    """The command that opens a view, by the viewer's name, for those that are in ``folder``."""
    views = {"GTKWave": (GTKWAVE, "gtkwave"), "Surfer": (SURFER, "surfer --command-file")}
    return {
        viewer: f"{command} {folder / file}"
        for viewer, (file, command) in views.items()
        if (folder / file).is_file()
    }


def _surfer(cfg: BlockConfig, folder: Path, shown: list[Group]) -> str:
    """Dividers and whole ports: Surfer's commands know no ranges of bits."""
    lines = [f"load_file {folder / WAVES}"]
    for group in shown:
        signals = dict.fromkeys(row.signal for row in group.rows)
        lines += [f"divider_add {group.name}", *(f"variable_add {cfg.top()}.{signal}" for signal in signals)]
    return "\n".join([*lines, ""])


def _gtkwave(cfg: BlockConfig, folder: Path, shown: list[Group]) -> str:
    text = io.StringIO()
    save = GTKWSave(text)
    save.dumpfile(str(folder / WAVES))
    save.savefile(str(folder / GTKWAVE))
    save.zoom_markers(-math.log2(min(cfg.clocks.values()) * FRAME_PIXELS / CYCLE_PIXELS))
    save.signals_width(SIGNALS_PIXELS)
    save.treeopen(cfg.top())
    for group in shown:
        _gtkwave_group(save, group, cfg.top(), folder / NAMES)
    return text.getvalue()


def _gtkwave_group(save: GTKWSave, group: Group, top: str, names: Path) -> None:
    """``names``: the folder for the names of values."""
    with save.group(group.name, closed=group.folded):
        for member in group.members:
            if isinstance(member, Row):
                _gtkwave_row(save, member, top, names / f"{group.name}.{member.field.name}.txt")
            else:
                _gtkwave_group(save, member, top, names)


def _gtkwave_row(save: GTKWSave, row: Row, top: str, names: Path) -> None:
    """``names``: the file for the names of the field's values, if they have any."""
    field, path = row.field, f"{top}.{row.signal}" + (f"[{row.bits - 1}:0]" if row.bits > 1 else "")
    look: dict[str, Any] = {"datafmt": row.format}
    if field.names:
        values = list(enumerate(field.names))
        write_atomic(names, make_translation_filter(values, row.format, field.width) + "\n")
        look["translate_filter_file"] = str(names)
    first = row.bits - row.low - field.width  # GTKWave counts bits from the left
    if field.width == row.bits:
        save.trace(path, field.name, **look)
    elif field.width == 1 and not field.names:
        save.trace(f"({first}){path}", field.name, **look)
    else:
        bits = [(bit, path) for bit in range(first, first + field.width)]
        save.trace_combined(field.name, bits, **look)
