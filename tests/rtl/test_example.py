# SPDX-License-Identifier: Apache-2.0
"""``<block>_example.v``: every port of the wrapper by its name, clean on both simulators.

``tests/rtl/test_generator.py`` lints it in every preset.
"""

import re
from pathlib import Path

import pytest

import configs
from configs import load
from rtl import write
from tests.rtl.running import COMMANDS, complaints


@pytest.mark.parametrize("block", configs.blocks())
def test_examples_elaborate_on_both_simulators(block: str, tmp_path: Path) -> None:
    write(load(block), tmp_path, "l1_")
    top = f"cacheforge_l1_{block}"
    sources = [*(tmp_path / "filelist.f").read_text().split(), f"{top}_fields.v", f"{top}_example.v"]
    for simulator in COMMANDS:
        assert complaints(simulator, tmp_path, f"{top}_example", sources) == ""


@pytest.mark.parametrize("block", configs.blocks())
def test_every_port_is_named_once(block: str, tmp_path: Path) -> None:
    write(load(block), tmp_path)
    wrapper = (tmp_path / f"cacheforge_{block}_fields.v").read_text()
    ports = re.findall(r"^    (?:input |output) wire .*?(\w+),?(?: *//.*)?$", wrapper, re.MULTILINE)
    text = (tmp_path / f"cacheforge_{block}_example.v").read_text()
    assert re.findall(r"^        \.(\w+)\(\1\)", text, re.MULTILINE) == ports
