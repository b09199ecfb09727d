# SPDX-License-Identifier: Apache-2.0
"""The adversary's sets: each bug has its place in the Verilog of today, once, and leaves it valid."""

from pathlib import Path

import pytest

import configs
import rtl
from rtl import crossings
from tb.common.running import builds
from tests.tb import adversary

BLOCKS = sorted(path.stem for path in adversary.FOLDER.glob("*.toml"))
LEAST = 100


@pytest.mark.parametrize("block", BLOCKS)
def test_each_bug_has_its_place(block: str) -> None:
    bugs = adversary.bugs_of(block)
    generated = {name: rtl.generate(configs.load(block, name)) for name in {bug.config for bug in bugs}}
    for bug in bugs:
        files = generated[bug.config]
        assert rtl.plant(files, bug.file, bug.find, bug.replace) != files, bug.name
    assert len({bug.name for bug in bugs if not bug.harmless}) >= LEAST


@pytest.mark.parametrize("block", BLOCKS)
def test_each_bug_is_valid_verilog(block: str, tmp_path: Path) -> None:
    for bug in adversary.bugs_of(block):
        cfg = configs.load(block, bug.config)
        try:
            crossings.check_files(cfg, builds.sources_of(bug.plant(tmp_path), block))
        except configs.UserError as error:
            pytest.fail(f"{bug.name}: {error}")


def test_an_unknown_bug_is_refused() -> None:
    with pytest.raises(configs.UserError, match="no bug 'nothing'"):
        adversary.main(["simple", "--test", "nothing"])
