# SPDX-License-Identifier: Apache-2.0
"""``<block>_fields``: the block with one port for each field of its streams, the module to instantiate.

The block's own top has each stream's fields in one vector, as the testbench likes them; this module around
it has ``req_u``, ``req_v``, ... A field that would get the name of another port has ``_data`` in its own:
``res0_data_valid``.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from configs import BlockConfig, Stream
from configs.parts import Signal
from rtl import layout, verilog

FIELDS = "_fields"
"""What the wrapper is called behind the block's name."""

DOCS = {
    "a word is offered": "a transfer is offered",
    "reset with the memory, which forgets open bursts":
        "high: memory resets too, open bursts are forgotten; at power-up high with the other resets",
}  # fmt: skip
"""Comments of ports that the packed top words otherwise."""

PORT = re.compile(r"^    (input|output) +wire +(?:\[(\d+):0\] +)?(\w+),? *(?:// (.*))?$")


def top_ports(text: str, module: str) -> list[Signal]:
    """The ports of ``module`` in generated Verilog; a port's comment stands behind it or above it."""
    start = text.index(f"\nmodule {module} (")
    result, above = [], ""
    for line in text[start : text.index("\n);", start)].splitlines():
        port = PORT.match(line)
        if port:
            size = int(port[2]) + 1 if port[2] else 1
            direction = "in" if port[1] == "input" else "out"
            result.append(Signal(port[3], direction, size, port[4] or above.strip()))
        above = "" if port else f"{above} {line.strip().removeprefix('//').strip()}"
    return result


def field_ports(stream: Stream, others: set[str]) -> dict[str, Signal]:
    """The port of each field of a stream, by the field's name; ``others`` are the names of other ports."""
    result = {}
    for field in stream.fields:
        name = f"{stream.name}_{field.name}"
        if name in others:
            name = f"{stream.name}_data_{field.name}"
        result[field.name] = Signal(name, stream.direction, field.width, field.doc, field.signed)
    return result


def wrapper_ports(cfg: BlockConfig, text: str, prefix: str = "") -> list[Signal]:
    """The ports of the wrapper around the top module, whose generated Verilog is ``text``."""
    signals = top_ports(text, cfg.top(prefix))
    names, vectors = {signal.name for signal in signals}, _vectors(cfg)
    listed: list[Signal] = []
    for signal in signals:
        stream = vectors.get(signal.name)
        own = replace(signal, doc=DOCS.get(signal.doc, signal.doc))
        listed += field_ports(stream, names).values() if stream else [own]
    return listed


def _vectors(cfg: BlockConfig) -> dict[str, Stream]:
    """The streams with fields, by the port that has these."""
    return {f"{stream.name}_data": stream for stream in cfg.streams.values() if stream.fields}


def wrap(cfg: BlockConfig, text: str, prefix: str = "") -> str:
    """The Verilog of the wrapper around the top module, whose generated Verilog is ``text``."""
    top = cfg.top(prefix)
    signals = top_ports(text, top)
    names, vectors = {signal.name for signal in signals}, _vectors(cfg)
    body: list[str] = []
    for signal in signals:
        if signal.name in vectors:
            body += _wired(vectors[signal.name], field_ports(vectors[signal.name], names))
    lines = [
        f"// {cfg.block} with one port for each field; see {top}.",
        "//",
        "// Combinational: wires only.",
        f"module {top}{FIELDS} (",
        verilog.ports(wrapper_ports(cfg, text, prefix), last=True),
        ");",
        "",
        *body,
        "",
        f"    {top} packed_top (",
        verilog.connect(signals, last=True),
        "    );",
        "",
        "endmodule",
    ]
    return layout.tidy("\n".join(lines))


def _wired(stream: Stream, fields: dict[str, Signal]) -> Iterator[str]:
    vector = f"{stream.name}_data"
    if stream.direction == "in":
        packed = verilog.pack(stream, values={name: signal.name for name, signal in fields.items()})
        yield f"    wire {verilog.width(stream.width)} {vector} = {packed};"
        return
    yield f"    wire {verilog.width(stream.width)} {vector};"
    for name, signal in fields.items():
        low = stream.offset(name)
        yield f"    assign {signal.name} = {vector}[{low + signal.width - 1}:{low}];"
