# SPDX-License-Identifier: Apache-2.0
"""Blocks beside each other in one chip: no module has two texts, all elaborate together."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import configs
from configs import PROJECT, UserError, load
from formal import tools
from rtl import generate
from rtl.generate import common
from rtl.release import release
from tests.rtl.running import COMMANDS, complaints

PRESETS = [(block, preset) for block in configs.blocks() for preset in configs.presets(block)]
THREE = [load("texcache", "tiny"), load("dcache", "tiny"), load("texunit", "small")]
#: the wrappers are instantiated without connections
UNCONNECTED = {"verilator": "-Wno-PINMISSING", "icarus": "-Wno-portbind"}


def chip() -> dict[str, str]:
    """All presets of all blocks, and a top that holds one of each."""
    files: dict[str, str] = {}
    instances = []
    for number, (block, preset) in enumerate(PRESETS):
        cfg, prefix = load(block, preset), re.sub(r"\W", "_", f"{preset}_")
        for name, text in generate(cfg, prefix).items():
            assert files.setdefault(name, text) == text, f"{name} has two texts"
        instances.append(f"    {cfg.top(prefix)} block{number} ();")
    return {**files, "chip.v": "\n".join(["module chip;", *instances, "endmodule", ""])}


@pytest.mark.slow
@pytest.mark.parametrize("simulator", COMMANDS)
def test_all_blocks_and_presets_elaborate_in_one_top(simulator: str, tmp_path: Path) -> None:
    files = chip()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert complaints(simulator, tmp_path, "chip", files, UNCONNECTED[simulator]) == ""


@pytest.fixture(scope="module")
def delivered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Verilog of three blocks as ``make verilog`` writes it, and the core of a chip that holds them."""
    folder = tmp_path_factory.mktemp("delivered")
    release(tuple(cfg.block for cfg in THREE), folder)
    instances = [f"    {cfg.top()}_fields block{number} ();" for number, cfg in enumerate(THREE)]
    (folder / "chip.v").write_text("\n".join(["module chip;", *instances, "endmodule", ""]))
    rtl = {
        "files": ["chip.v"],
        "file_type": "verilogSource-2005",
        "depend": [f"cacheforge:{cfg.block}:{cfg.preset}-{cfg.hash}" for cfg in THREE],
    }
    target = {"filesets": ["rtl"], "toplevel": "chip", "default_tool": "icarus"}
    core = {"name": "::chip:0", "filesets": {"rtl": rtl}, "targets": {"default": target}}
    (folder / "chip.core").write_text("CAPI=2:\n" + yaml.safe_dump(core))
    return folder


def fusesoc(folder: Path, work: Path, core: str, *options: str) -> list[str]:
    """The files that FuseSoC collects in ``work`` for a core, in its order."""
    command = [sys.executable, "-m", "fusesoc.main", "--cores-root", str(folder), "run", "--setup", *options]
    command += ["--work-root", str(work), core]
    done = subprocess.run(command, cwd=work.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [listing] = work.glob("*.eda.yml")
    return [file["name"] for file in yaml.safe_load(listing.read_text())["files"]]


def test_three_blocks_compile_together_as_delivered(delivered: Path, tmp_path: Path) -> None:
    """By FuseSoC with all tools, and without it by their file lists; no clock is defined inside a chip."""
    work = tmp_path / "work"
    files = fusesoc(delivered, work, "::chip")
    assert {Path(name).suffix for name in files} == {".v"}
    listed = [
        os.path.normpath(folder / name)
        for cfg in THREE
        for folder in [delivered / f"{cfg.block}-{cfg.preset}"]
        for name in (folder / "filelist.f").read_text().split()
    ]
    assert len(set(listed)) < len(listed)  # what they share is named by each
    for simulator in COMMANDS:
        for folder, sources in ((work, files), (delivered, [*dict.fromkeys(listed), "chip.v"])):
            assert complaints(simulator, folder, "chip", sources, UNCONNECTED[simulator]) == ""
    script = f"read_verilog {' '.join(files)}; hierarchy -check -top chip; proc; check -assert"
    done = tools.yosys(work, "-p", script)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("cfg", "tool", "kinds"),
    [(THREE[0], "vivado", {".sdc"}), (THREE[2], "vivado", {".xdc"}), (THREE[2], "icarus", {".sdc"})],
    ids=str,
)
def test_a_block_alone_has_its_constraints(
    cfg: configs.BlockConfig, tool: str, kinds: set[str], delivered: Path, tmp_path: Path
) -> None:
    """Vivado takes the crossings of a block of several clocks, which hold in a chip, too."""
    name = f"cacheforge:{cfg.block}:{cfg.preset}-{cfg.hash}"
    files = fusesoc(delivered, tmp_path / "work", name, "--tool", tool)
    assert {Path(file).suffix for file in files} == {".v", *kinds}


def test_blocks_share_a_module_only_if_its_text_is_the_same() -> None:
    shared = common()
    texts: dict[str, str] = {}
    for block in configs.blocks():
        own = generate(load(block))
        assert all(shared[name] == text for name, text in own.items() if name in shared)
        for name in own.keys() - shared.keys():
            assert name not in texts, f"{name} of {block} and of {texts[name]}"
            texts[name] = block


@pytest.mark.slow
def test_every_file_holds_the_module_of_its_name() -> None:
    for name, text in chip().items():
        modules = re.findall(r"^module (\w+)", text, re.MULTILINE)
        assert modules == [name.removesuffix(".v")]
        assert name == "chip.v" or name.startswith(PROJECT)


def test_a_prefix_renames_all_that_is_the_configurations_own_and_nothing_else() -> None:
    plain, renamed = generate(load("texcache", "tiny")), generate(load("texcache", "tiny"), "l1_")
    assert list(renamed) == [name.replace("_texcache", "_l1_texcache") for name in plain]
    used = set(re.findall(r"^ +(\w+) (?:#\(|\w+ \($)", "\n".join(renamed.values()), re.MULTILINE))
    own = {"cacheforge_l1_texcache_line_reader", "cacheforge_l1_texcache_tag_bank"}
    assert own | {"cacheforge_fifo"} <= used
    assert not any(name.startswith("cacheforge_texcache") for name in used)
    with pytest.raises(UserError, match="prefix '2nd'"):
        generate(load("texcache", "tiny"), "2nd")
