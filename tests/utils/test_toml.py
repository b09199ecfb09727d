# SPDX-License-Identifier: Apache-2.0
"""TOML of users is bounded: what would take gigabytes is refused at once, in one line."""

import time
from pathlib import Path

import pytest

from configs import UserError, load
from utils import toml

DEEP = ".".join(["a"] * 100_000) + " = 1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DEEP, "more than 1000 dots"),
        (f"x = {{ {DEEP} }}", "more than 1000 dots"),
        (f"x = 1\n[{DEEP[:-4]}]", r"dots \(at line 2\)"),
        ("x = " + "[" * 100_000, "too many brackets|nesting"),
        ("#" * (toml.MOST_CHARACTERS + 1), "more than 1048576 characters"),
        ("x = \xff", "codec can't decode byte"),
    ],
)
def test_hostile_files(text: str, message: str, tmp_path: Path) -> None:
    path, began = tmp_path / "x.toml", time.process_time()
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UserError, match=f"x.toml: not valid TOML: .*({message})"):
        toml.read(path)
    assert time.process_time() - began < 5


def test_hostile_overrides() -> None:
    """What is no TOML is a text, as ever; many unknown fields are a short message."""
    began = time.process_time()
    for value in (f"{{{DEEP}}}", "{" + ", ".join(f"a{i} = 1" for i in range(5000)) + "}"):
        with pytest.raises(UserError, match=r"configuration of simple: cache\.sets") as caught:
            load("simple", "tiny", [f"cache.sets={value}"])
        assert len(str(caught.value)) < 2000
    assert time.process_time() - began < 5
