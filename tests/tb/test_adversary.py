# SPDX-License-Identifier: Apache-2.0
"""The adversary's sets: each bug has its place in the Verilog of today, once, and leaves it valid."""

import pytest

import configs
import rtl
from rtl import crossings
from tests.tb import adversary

BLOCKS = sorted(path.stem for path in adversary.FOLDER.glob("*.toml"))
LEAST = 100


@pytest.mark.parametrize("block", BLOCKS)
def test_each_bug_has_its_place_and_leaves_valid_verilog(block: str) -> None:
    bugs = adversary.bugs_of(block)
    cfgs = {name: configs.load(block, name) for name in {bug.config for bug in bugs}}
    generated = {name: rtl.generate(cfg) for name, cfg in cfgs.items()}
    for bug in bugs:
        files = generated[bug.config]
        planted = rtl.plant(files, bug.file, bug.find, bug.replace)
        assert planted != files, bug.name
        try:
            crossings.check(cfgs[bug.config], planted, cfgs[bug.config].top(), crossings.still(block))
        except configs.UserError as error:
            pytest.fail(f"{bug.name}: {error}")
    assert len({bug.name for bug in bugs if not bug.harmless}) >= LEAST


def test_an_unknown_bug_is_refused() -> None:
    with pytest.raises(configs.UserError, match="no bug 'nothing'"):
        adversary.main(["simple", "--test", "nothing"])
