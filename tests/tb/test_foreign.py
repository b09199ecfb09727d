# SPDX-License-Identifier: Apache-2.0
"""Verilog from elsewhere is held against the configuration before anything is compiled."""

import re
from pathlib import Path

import pytest

import configs
import rtl
from configs import UserError
from tb.common.running import builds, foreign

CFG = configs.load("texcache", "tiny")


def written(folder: Path, cfg: configs.BlockConfig = CFG) -> Path:
    rtl.write(cfg, folder)
    return folder


def check(folder: Path) -> None:
    foreign.check(CFG, folder, builds.sources_of(folder, CFG.top()))


def edit(folder: Path, find: str, replace: str) -> None:
    path = folder / "cacheforge_texcache.v"
    text = path.read_text()
    changed = re.sub(find, replace, text, count=1)
    assert changed != text
    path.write_text(changed)


def test_generated_verilog_is_that_of_its_configuration(tmp_path: Path) -> None:
    check(written(tmp_path))
    foreign.check(CFG.with_(memory={"latency": 9}), tmp_path, builds.sources_of(tmp_path, CFG.top()))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"max_side": 128}, "CONFIG=tiny SET='max_side=128'"),  # ports of other widths
        ({"cache": {"sets": 4}}, "CONFIG=tiny SET='cache.sets=4'"),  # the same ports: only the header tells
        ({"banks": 1, "cache": {"sets": 4}}, "SET='banks=1 cache.sets=4'"),
    ],
)
def test_the_header_of_another_configuration(changes: dict[str, object], words: str, tmp_path: Path) -> None:
    other = CFG.with_(**changes)
    written(tmp_path / "v", other)
    message = rf"v/\w+\.v: was generated for texcache .* \(hash {other.hash}\), .* tiny \(hash {CFG.hash}\)"
    with pytest.raises(UserError, match=message) as error:
        check(tmp_path / "v")
    assert words in str(error.value)
    with pytest.raises(UserError, match="was generated for"):
        builds.build(CFG, "verilator", rtl_dir=tmp_path / "v", root=tmp_path / "build")
    assert not list((tmp_path / "build").rglob("stamp"))


@pytest.mark.parametrize(
    ("find", "replace", "words"),
    [
        (r"\[30:0\]  lut_data", "[29:0]  lut_data", "lut_data is input of 30 bits, not input of 31 bits"),
        (r"\[31:0\]  m_axi_araddr", "[32:0]  m_axi_araddr", "port m_axi_araddr is output of 33 bits, not"),
        (r"output wire         busy", "output wire [1:0]   busy", "port busy is output of 2 bits"),
        (r"input  wire         res_ready", "output wire res_ready", "port res_ready is output of 1 bit"),
        (r"output wire         usp_stop,.*", "", "port usp_stop is missing"),
        (r"input  wire         rst,", "input  wire rst, input wire scan,", "nothing drives its port scan"),
    ],
)  # fmt: skip
def test_ports_that_differ(find: str, replace: str, words: str, tmp_path: Path) -> None:
    edit(written(tmp_path), find, replace)
    edit(tmp_path, r"// Configuration.*\n", "")
    with pytest.raises(UserError, match=re.escape(str(tmp_path))) as error:
        check(tmp_path)
    assert words in str(error.value) and "tiny" in str(error.value)


def test_many_ports_that_differ_are_counted(tmp_path: Path) -> None:
    written(tmp_path, configs.load("texcache", "paper"))
    for path in tmp_path.glob("*.v"):
        path.write_text(re.sub("// Configuration.*", "", path.read_text()))
    with pytest.raises(UserError, match=r"not input of \d+ bits; .* and \d+ more: choose the configuration"):
        check(tmp_path)


def test_verilog_of_ones_own_needs_no_header(tmp_path: Path) -> None:
    edit(written(tmp_path), r"// Configuration.*\n", "")
    edit(tmp_path, r"output wire         busy,", "output wire busy, output wire debug,")
    check(tmp_path)


def test_what_is_no_verilog_is_left_to_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "cacheforge_texcache.v").write_bytes(b"module cacheforge_texcache; is no \xff\xfe Verilog")
    check(tmp_path)


def test_blocks_inside_are_of_their_own_configurations(tmp_path: Path) -> None:
    """Those of the outer one's; a file made for another is named."""
    cfg = configs.load("mmu", "tiny")
    foreign.check(cfg, written(tmp_path, cfg), builds.sources_of(tmp_path, cfg.top()))
    other = cfg.with_(icache={"cache": {"sets": 4}})
    (tmp_path / "cacheforge_mmu_icache.v").write_text(rtl.generate(other)["cacheforge_mmu_icache.v"])
    with pytest.raises(UserError, match=r"mmu_icache\.v: was generated for icache .*, this is mmu tiny"):
        foreign.check(cfg, tmp_path, builds.sources_of(tmp_path, cfg.top()))
