# SPDX-License-Identifier: Apache-2.0
"""``<block>_example``: a design around ``<block>_fields`` to begin with, every port connected by its name."""

from collections.abc import Sequence

from configs import BlockConfig
from configs.parts import Signal
from rtl import layout, verilog
from rtl.wrapper import FIELDS

EXAMPLE = "_example"
"""What the example is called behind the block's name."""


def example(cfg: BlockConfig, signals: Sequence[Signal], prefix: str = "") -> str:
    """The Verilog of the example; ``signals`` are the ports of ``<block>_fields``.

    Clocks, resets and AXI are its own ports; the signals of streams are wires, their inputs idle.
    """
    top = cfg.top(prefix)
    groups: dict[str, list[Signal]] = {}
    for signal in signals:
        groups.setdefault(_stream(cfg, signal), []).append(signal)
    outside = groups.pop("", [])
    lines = [
        f"// {top}{FIELDS} in a design, every port connected by its name: a beginning for your own.",
        "//",
        "// Clocks, resets and AXI come from outside. Streams are wires; those into the block are idle: put",
        "// your own signals in place of the constants, and delete unused.",
        f"module {top}{EXAMPLE} (",
        verilog.ports(outside, last=True),
        ");",
    ]
    for name, members in groups.items():
        stream = cfg.streams[name]
        lines += ["", f"    // {name}, {stream.direction}, {stream.clock}: {stream.doc}".rstrip(": ")]
        lines += _wires(members)
    left = [signal.name for members in groups.values() for signal in members if signal.direction == "out"]
    lines += [
        "",
        f"    {top}{FIELDS} {cfg.block}0 (",
        verilog.connect(signals, last=True),
        "    );",
        "",
        "    wire unused = &{",
        ",\n".join(f"        {name}" for name in ("1'b0", *left)),
        "    };",
        "",
        "endmodule",
    ]
    return layout.tidy("\n".join(lines))


def _stream(cfg: BlockConfig, signal: Signal) -> str:
    """The stream that a port belongs to, empty if to none."""
    return next((name for name in cfg.streams if signal.name.startswith(f"{name}_")), "")


def _wires(signals: Sequence[Signal]) -> list[str]:
    """Declarations of a stream's signals, comments in a column."""
    declared = []
    for signal in signals:
        signed = "signed " if signal.signed else ""
        bits = f"{verilog.width(signal.width)} " if signal.width > 1 else ""
        idle = int(signal.name.endswith("_ready"))
        value = f" = {signal.width}'d{idle}" if signal.direction == "in" else ""
        declared.append(f"    wire {signed}{bits}{signal.name}{value};")
    column = max(map(len, declared))
    lines = zip(signals, declared, strict=True)
    return [f"{line:{column}} // {signal.doc}" if signal.doc else line for signal, line in lines]
