# SPDX-License-Identifier: Apache-2.0
"""Verdicts as JUnit's XML, which CI servers show; a case is named by test and what it ran on."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from utils.files import write_atomic

# characters that no XML file may hold
_ILLEGAL = dict.fromkeys(range(32)) | {9: "\t", 10: "\n", 13: "\r"}


class Case(NamedTuple):
    """One test: ``suite`` is what it ran on, e.g. ``texcache.paper.verilator``; ``verdict`` passed, failed or
    skipped; ``error`` and ``message`` of a failure, and the command that repeats it.
    """

    suite: str
    test: str
    verdict: str
    seconds: float
    error: str = ""
    message: str = ""
    repro: str = ""


def write(path: Path, name: str, cases: Iterable[Case]) -> None:
    """Write all ``cases`` to ``path``, a suite for each that they name, in order."""
    suites: dict[str, list[Case]] = {}
    for case in cases:
        suites.setdefault(case.suite, []).append(case)
    root = ElementTree.Element("testsuites", name=name)
    for suite, members in suites.items():
        verdicts = [case.verdict for case in members]
        element = ElementTree.SubElement(
            root, "testsuite", name=suite, tests=str(len(members)), failures=str(verdicts.count("failed")),
            errors="0", skipped=str(verdicts.count("skipped")),
            time=f"{sum(case.seconds for case in members):.3f}",
        )  # fmt: skip
        for case in members:
            _add(element, case)
    ElementTree.indent(root)
    write_atomic(path, ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n")


def _add(suite: ElementTree.Element, case: Case) -> None:
    element = ElementTree.SubElement(
        suite, "testcase", classname=case.suite, name=case.test, time=f"{case.seconds:.3f}"
    )
    if case.verdict == "skipped":
        ElementTree.SubElement(element, "skipped")
    elif case.verdict != "passed":
        message = case.message.translate(_ILLEGAL)
        first = next(iter(message.splitlines()), case.error)
        failure = ElementTree.SubElement(element, "failure", type=case.error, message=first)
        failure.text = f"{message}\nrepeat: {case.repro}" if case.repro else message
