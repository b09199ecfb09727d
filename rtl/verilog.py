# SPDX-License-Identifier: Apache-2.0
"""What templates say of streams and ports: ranges, names for fields, port lists, connections."""

from collections.abc import Iterable, Mapping

from configs import Stream
from configs.parts import Signal


def width(bits: int) -> str:
    """A Verilog range for ``bits`` bits, e.g. ``[7:0]``; a single bit has one too, for slicing."""
    return f"[{bits - 1}:0]"


def unpack(stream: Stream, vector: str, name: str | None = None, fields: Iterable[str] | None = None) -> str:
    """Verilog declarations that name the fields of a packed vector: ``<name>_<field>``.

    ``name`` is the stream's own unless given; ``fields`` chooses some.
    """
    wanted = None if fields is None else set(fields)
    lines = []
    for field in stream.fields:
        if wanted is None or field.name in wanted:
            low = stream.offset(field.name)
            signed = "signed " if field.signed else ""
            declared = f"wire {signed}{width(field.width)} {name or stream.name}_{field.name}"
            lines.append(f"{declared} = {vector}[{low + field.width - 1}:{low}];")
    return "\n    ".join(lines)


def pack(
    stream: Stream, name: str | None = None, values: Mapping[str, str] | None = None, indent: int = 4
) -> str:
    """A concatenation of the fields of a stream, the inverse of :func:`unpack`: a field a line.

    Each is ``<name>_<field>``, or what ``values`` has for it; ``indent`` is the statement's. Raises KeyError
    for a value of no field.
    """
    given = dict(values or {})
    words = [given.pop(field.name, f"{name or stream.name}_{field.name}") for field in stream.fields]
    if given:
        raise KeyError(f"{stream.name} has no field {', '.join(given)}")
    inner = ",\n".join(" " * (indent + 4) + word for word in reversed(words))
    return "{\n" + inner + "\n" + " " * indent + "}"


def declare(signal: Signal) -> str:
    """The declaration of a port; without a comma."""
    direction = "input  wire" if signal.direction == "in" else "output wire"
    signed = "signed " if signal.signed else ""
    return f"{direction} {signed}{width(signal.width) + ' ' if signal.width > 1 else ''}{signal.name}"


def ports(signals: Iterable[Signal], *, last: bool = False) -> str:
    """Port declarations with their comments; ``last``: the port list ends with them."""
    listed = tuple(signals)
    lines = []
    for signal in listed:
        comma = "" if last and signal is listed[-1] else ","
        lines.append(f"    {declare(signal)}{comma}" + (f" // {signal.doc}" if signal.doc else ""))
    return "\n".join(lines)


def wires(signals: Iterable[Signal], before: str) -> str:
    """Declarations of wires with the names of ports, ``before`` in front."""
    lines = [f"wire {width(s.width) + ' ' if s.width > 1 else ''}{before}{s.name};" for s in signals]
    return "\n    ".join(lines)


def connect(signals: Iterable[Signal], *, before: str = "", last: bool = False) -> str:
    """Connections of ports to wires of their names, ``before`` in front of these."""
    lines = [f"        .{signal.name}({before}{signal.name})" for signal in signals]
    return ",\n".join(lines) + ("" if last else ",")


def stream_signals(stream: Stream, name: str | None = None) -> tuple[Signal, ...]:
    """The ports of a stream: valid, ready, data, as far as it has them."""
    back = "in" if stream.direction == "out" else "out"
    prefix, result = name or stream.name, []
    if stream.valid:
        result.append(Signal(f"{prefix}_valid", stream.direction, 1, "a word is offered"))
    if stream.ready:
        result.append(Signal(f"{prefix}_ready", back, 1, "it is taken"))
    if stream.fields:
        names = ", ".join(field.name for field in stream.fields)
        result.append(Signal(f"{prefix}_data", stream.direction, stream.width, names))
    return tuple(result)
