# SPDX-License-Identifier: Apache-2.0
"""Failures that look alike: the same kind of error with other numbers is one bucket."""

import re

LENGTH = 160
_NUMBERS = (
    (re.compile(r"\d+ \(0x[0-9a-f]+\)"), "#"),
    (re.compile(r"\b0x[0-9a-fA-F]+\b"), "#"),
    (re.compile(r"\b[0-9a-f]{8,}\b"), "#"),
    (re.compile(r"-?\d+(\.\d+)?"), "#"),
    (re.compile(r"#([ ,#]*#)+"), "#"),
    (re.compile(r"/\S+"), "PATH"),
    (re.compile(r"\s+"), " "),
)


_FIELD = re.compile(r"^\s*(\w+): expected ", re.MULTILINE)
_DIGITS = re.compile(r"\d+")


def bucket(block: str, error: str, message: str) -> str:
    """The first line of a failure that says something, with its numbers and paths taken out, and which fields
    differ, lanes of one name being one field: wrong texels and wrong ids are two buckets.
    """
    line = next((line for line in message.splitlines() if line.strip()), error or "no message")
    for pattern, put in _NUMBERS:
        line = pattern.sub(put, line)
    fields = dict.fromkeys(_DIGITS.sub("#", name) for name in _FIELD.findall(message))
    differ = f" [{', '.join(fields)}]" if fields else ""
    return f"{block}: {error + ': ' if error else ''}{line.strip()[:LENGTH]}{differ}"
