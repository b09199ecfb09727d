# SPDX-License-Identifier: Apache-2.0
"""How generated Verilog looks after substitution: ports in columns, no line too long."""

import re
import textwrap

LONGEST = 119
PORT = re.compile(r"^    (input |output) (wire|reg ) *(signed )?(\[[^\]]+\])? *(\w+)(,?) *(?://(.*))?$")
BREAK = re.compile(r"(?<=[|&,:?=+(]) ")


def tidy(text: str) -> str:
    """``text`` with the ports of each module in columns and long lines broken."""
    lines: list[str] = []
    ports: list[str] | None = None
    for line in text.split("\n"):
        if ports is None:
            lines += _broken(line)
            if re.match(r"(module \w+|\)) \($", line):
                ports = []
        elif line == ");":
            lines += [*_columns(ports), line]
            ports = None
        else:
            ports.append(line)
    return "\n".join(lines)


def _columns(lines: list[str]) -> list[str]:
    ports = [PORT.match(line) for line in lines]
    ranges = max((len(port[4] or "") + len(port[3] or "") for port in ports if port), default=0)
    names = max((len(port[5]) + len(port[6]) for port in ports if port), default=0)
    result = []
    for line, port in zip(lines, ports, strict=True):
        if not port:
            result += _comment(line.strip()) if line.strip().startswith("//") else [line]
            continue
        size = f"{port[3] or ''}{port[4] or ''}"
        declared = f"    {port[1]} {port[2]} {size:{ranges}}{' ' if ranges else ''}{port[5]}{port[6]}"
        aligned = f"{declared:{len('    output wire ') + ranges + bool(ranges) + names}}"
        comment = (port[7] or "").strip()
        if len(aligned) + 4 + len(comment) > LONGEST:
            result += [*_comment(f"// {comment}"), declared]
        else:
            result.append(f"{aligned} // {comment}" if comment else declared)
    return result


def _comment(line: str) -> list[str]:
    words = line.removeprefix("//").strip()
    return textwrap.wrap(words, LONGEST, initial_indent="    // ", subsequent_indent="    //   ") or [
        "    //"
    ]


def _broken(line: str) -> list[str]:
    """A line of code in as many as it takes: broken after an operator or a comma, the rest indented."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    result = []
    while len(line) > LONGEST and "//" not in line:
        places = [place.start() for place in BREAK.finditer(line, len(indent), LONGEST + 1)]
        if not places:
            break
        result.append(line[: places[-1]])
        line = indent + line[places[-1] + 1 :]
    return [*result, line]
