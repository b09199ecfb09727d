# SPDX-License-Identifier: Apache-2.0
"""``make synth``: counts, what is kept, what it says to mistakes, and netlists under the testbench."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

import configs
import rtl
from ci.synth import families, netlist, place, resources, result, show
from ci.synth.__main__ import main
from configs import UserError
from tb.common.components import testcase
from tb.common.running import builds, runner
from utils import toml
from utils.console import Console

REGISTER = """
module cacheforge_texcache (input wire clk, input wire write, input wire [7:0] d, output reg [7:0] q);
    always @(posedge clk) if (write) q <= d;
endmodule
"""
LATCH = """
module cacheforge_texcache (input wire g, input wire d, output reg q);
    always @* if (g) q = d;
endmodule
"""
RAMS = """
module cacheforge_texcache #(parameter WORDS = 4096, parameter WIDTH = 72, parameter BITS = 12) (
    input wire clk, input wire read, input wire write, input wire [BITS-1:0] index,
    input wire [WIDTH-1:0] write_data, output reg [WIDTH-1:0] read_data
);
    reg [WIDTH-1:0] words [0:WORDS-1];
    always @(posedge clk)
        if (write) words[index] <= write_data; else if (read) read_data <= words[index];
endmodule
"""
SWAP = (
    "cacheforge_texcache_output.v",
    "        texel1,\n        texel2,\n",
    "        texel2,\n        texel1,\n",
)


def folder_with(tmp_path: Path, text: str) -> str:
    folder = tmp_path / "rtl"
    folder.mkdir(exist_ok=True)
    (folder / "cacheforge_texcache.v").write_text(text)
    return str(folder)


def measured(tmp_path: Path, text: str, family: str) -> dict[str, float]:
    """Resources of ``text`` as the command writes them."""
    out = tmp_path / "out"
    argv = ["texcache", "--rtl-dir", folder_with(tmp_path, text), "--family", family, "--out", str(out)]
    code = main(argv)
    counts: dict[str, float] = json.loads((out / f"{family}.json").read_text())["resources"]
    assert code == (1 if counts["latch"] else 0)
    return counts


def no_yosys(*_: object) -> str:
    raise AssertionError("Yosys runs again")


@pytest.mark.slow
@pytest.mark.parametrize("family", families.FAMILIES)
def test_a_register_is_flip_flops_and_nothing_else(tmp_path: Path, family: str) -> None:
    counts = measured(tmp_path, REGISTER, family)
    assert {name: count for name, count in counts.items() if count} == {"ff": 8}


@pytest.mark.slow
def test_latches_are_a_failure(tmp_path: Path) -> None:
    assert measured(tmp_path, LATCH, "xc7")["latch"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "width", "bits", "family", "wanted"),
    [
        (4096, 72, 12, "xcup", {"uram": 1}),
        (4096, 72, 12, "xc7", {"bram": 8}),
        (1024, 18, 10, "xcup", {"bram": 0.5}),
        (64, 8, 6, "xc7", {"lut_memory": 8}),
    ],
)
def test_rams_go_where_they_belong(
    tmp_path: Path, words: int, width: int, bits: int, family: str, wanted: dict[str, float]
) -> None:
    text = RAMS.replace("4096", str(words)).replace("72", str(width)).replace("= 12", f"= {bits}")
    counts = measured(tmp_path, text, family)
    kinds = ("uram", "bram", "lut_memory")
    assert {kind: counts[kind] for kind in kinds if counts[kind]} == wanted


@pytest.mark.slow
def test_a_second_run_is_kept_and_a_change_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = measured(tmp_path, REGISTER, "xc7")
    kept = tmp_path / "out" / "xc7.json"
    kept.write_text(kept.read_text()[:100])  # not a result: measured again
    assert measured(tmp_path, REGISTER, "xc7") == first
    monkeypatch.setattr(result, "run", no_yosys)
    assert measured(tmp_path, REGISTER, "xc7") == first
    with pytest.raises(AssertionError, match="Yosys runs again"):
        measured(tmp_path, REGISTER.replace("[7:0]", "[6:0]"), "xc7")


@pytest.mark.slow
def test_small_cache_has_no_latches_and_a_longest_path(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["texcache", "--config", "tiny", "--family", "xc7"]) == 0
    shown = capsys.readouterr().out
    assert "longest logic path" in shown and "no routing" in shown
    assert re.search(r"at most \d+ MHz", shown)
    kept = json.loads(
        (configs.load("texcache", "tiny").build_folder(builds.BUILD / "synth") / "xc7.json").read_text()
    )
    assert {kept["timing"]["path"][0], kept["timing"]["path"][-1]} <= {"FDRE", "RAM32M"}
    assert 1000 < kept["timing"]["logic_ps"] < 20_000
    assert kept["resources"]["lut_memory"] > 100 and kept["resources"]["latch"] == 0


def test_cells_are_counted_by_what_they_occupy() -> None:
    counts = resources.of_cells(
        {"LUT6": 3, "INV": 1, "RAM32M": 2, "FDRE": 5, "RAMB18E1": 1, "RAMB36E1": 2, "$scopeinfo": 9}
    )
    assert (counts["lut"], counts["lut1"], counts["lut_memory"], counts["lut_least"]) == (12, 1, 8, 12)
    assert resources.of_cells({"LUT6": 3, "LUT5": 4, "LUT2": 3})["lut_least"] == 3 + 4
    assert (counts["ff"], counts["bram"]) == (5, 2.5)
    with pytest.raises(RuntimeError, match=r"cells of an unknown kind: \{'FROB': 1\}"):
        resources.of_cells({"FROB": 1})
    with pytest.raises(RuntimeError, match="names no path"):
        resources.timing_of("")


def test_the_source_stands_beside_its_own_configuration_only() -> None:
    stated = result.published(configs.load("texunit"))
    assert (stated["lut"], stated["ff"], stated["dsp"]) == (9419, 23075, 76)
    assert result.published(configs.load("texunit", "paper", ("units=1",))) == {}
    assert result.published(configs.load("texcache")) == {}
    row = {"block": "texunit", "configuration": "paper", "tool": "t", "family": "xcup"}
    table = show.resources_table([{**row, "resources": resources.of_cells({"LUT6": 1234})}], stated)
    console = Console(width=100, file=io.StringIO(), record=True)
    console.print(table)
    assert re.search(r"LUT .* 1,234 .* 9,419 ", console.export_text())


@pytest.mark.parametrize(
    ("block", "timing"),
    [("icache", "2.923 ns and 307 MHz"), ("dcache", "3.258 ns and 307 MHz"), ("mmu", "307 MHz")],
)
def test_a_source_that_states_its_timing_alone_has_a_line_and_no_column(block: str, timing: str) -> None:
    stated, counts = result.published(configs.load(block)), resources.of_cells({"LUT6": 1234})
    row = {"block": block, "configuration": "paper", "tool": "t", "family": "xcup", "resources": counts}
    assert len(show.resources_table([row], stated).columns) == 2
    ours, source = show.timing_lines([row], stated)
    assert "Yosys has no delays for it" in ours
    assert source == f"Xu et al.: {timing} (UltraScale XCVU440, placed and routed)"
    assert show.timing_lines([row], result.published(configs.load(block, "tiny"))) == [ours]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["texcash"], "unknown block 'texcash'"),
        (["texcache", "--config", "huge"], "unknown configuration 'huge'"),
        (["texcache", "--set", "ways=3"], "ways"),
        (["texcache", "--family", "ice40"], "unknown family 'ice40': choose one of xc7, xcup"),
        (["texcache", "--rtl-dir", "/nowhere"], "no such folder"),
        (["texcache", "--netlist", __file__], "is a file: name a folder"),
        (["texcache", "--frob"], "unrecognized arguments"),
    ],
)
def test_mistakes(argv: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        main(argv)


def test_verilog_that_yosys_does_not_take(tmp_path: Path) -> None:
    broken = folder_with(tmp_path, "module cacheforge_texcache (input wire a); assign b = ; endmodule\n")
    with pytest.raises(UserError, match=r"synthesis fails: Yosys: .*syntax error"):
        main(["texcache", "--rtl-dir", broken, "--out", str(tmp_path / "out")])
    assert not list((tmp_path / "out").glob("*.json"))


def test_verilog_of_another_configuration_is_refused(tmp_path: Path) -> None:
    rtl.write(configs.load("texcache", "tiny"), tmp_path / "rtl")
    with pytest.raises(UserError, match=r"was generated for texcache tiny .* CONFIG=tiny"):
        main(["texcache", "--rtl-dir", str(tmp_path / "rtl"), "--out", str(tmp_path / "out")])


def test_a_netlist_does_not_replace_other_verilog(tmp_path: Path) -> None:
    mine = folder_with(tmp_path, REGISTER)
    with pytest.raises(UserError, match="holds other Verilog"):
        main(["texcache", "--rtl-dir", mine, "--netlist", mine])
    assert Path(mine, "cacheforge_texcache.v").read_text() == REGISTER


def gates_pass_smoke(block: str, preset: str, root: Path, *bug: str) -> runner.Outcome:
    """Smoke test of the testbench, on Icarus, on the netlist of RTL with a ``bug`` (see ``rtl.plant``)."""
    cfg = configs.load(block, preset)
    sources = result.verilog(cfg, None)
    if bug:
        sources = rtl.plant(sources, *bug)
    folder = root / "netlist"
    netlist.write(cfg, sources, folder)
    made = builds.build(cfg, "icarus", rtl_dir=folder, root=root)
    tests = testcase.choose(block, ["smoke"], cfg, "icarus")
    run = runner.run(made, tests, seed=1, count=100, folder=root / "run", rtl_dir=folder)
    return run.outcomes[0]


@pytest.mark.slow
@pytest.mark.parametrize(("block", "preset"), [("texcache", "tiny"), ("texunit", "small")])
def test_gates_pass_the_testbench(block: str, preset: str, tmp_path: Path) -> None:
    assert gates_pass_smoke(block, preset, tmp_path).verdict == "passed"


@pytest.mark.slow
def test_gates_of_wrong_rtl_do_not_pass(tmp_path: Path) -> None:
    outcome = gates_pass_smoke("texcache", "tiny", tmp_path, *SWAP)
    assert (outcome.verdict, outcome.error) == ("failed", "Mismatch"), outcome.message


def test_a_register_is_placed_and_routed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight flip-flops of an ECP5 with their clock; no block RAM, no DSP, and no input that others give."""
    folder = folder_with(tmp_path, REGISTER)
    design = place.of_config(configs.load("texcache"), Path(folder))
    figures = place.placed(design, 2)
    assert figures["resources"] | {"lut": 0} == {"lut": 0, "ff": 8, "ram": 0, "dsp": 0}
    assert [run["mhz"] for run in figures["runs"]] == [{}, {}]  # no path from one flip-flop to another
    monkeypatch.setattr(place, "neighbours", list)
    assert place.main(["texcache", "--rtl-dir", folder, "-n", "1"]) == 0
    assert re.search(r"texcache paper.*\b8\b.*\b0\b.*\b0\b", capsys.readouterr().out)
    with pytest.raises(UserError, match="of one block: say which by BLOCK="):
        place.main(["--config", "tiny"])
    with pytest.raises(UserError, match="synthesis fails: "):
        place.placed(place.of_config(configs.load("texcache"), Path(folder_with(tmp_path, LATCH))))


def runs_at(*speeds: float) -> dict[str, Any]:
    """Figures of a design with two clocks, the slower one at these frequencies."""
    runs = [
        {"seed": seed, "mhz": {"a": 200.0, "b": speed}, "levels": seed, "path": [f"from{seed}", "to"]}
        for seed, speed in enumerate(speeds, 1)
    ]
    return {"key": "k", "resources": {"lut": 1200, "ff": 3, "ram": 2, "dsp": 0}, "runs": runs}


def test_rows_keep_the_median_of_the_slowest_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- placed -->\nold\n<!-- end -->\nafter\n")
    monkeypatch.setattr(place, "PAGE", page)
    monkeypatch.setattr(place, "KEPT", tmp_path / "placed.csv")
    (tmp_path / "placed.csv").write_text(",".join(place.FIELDS) + "\n")
    first = place.Design("lm32_dcache", {}, "", tmp_path)
    ours = place.Design("simple base", {}, "", tmp_path)
    place.keep([place.row_of(ours, runs_at(55, 61, 60)), place.row_of(first, runs_at(50))])
    row = place.kept()["simple base"]
    assert [row[name] for name in ("clock", "seeds", "mhz", "least", "most", "levels", "path")] == [
        "b", "3", "60.0", "55.0", "61.0", "3", "from3 -> to",
    ]  # fmt: skip
    assert list(place.kept()) == ["lm32_dcache", "simple base"]
    assert "| `simple base` | 1,200 | 3 | 2 | 0 | 60.0 (b) | 55.0 to 61.0 | 1.20 | 3 |" in page.read_text()
    assert page.read_text().startswith("before\n") and "old" not in page.read_text()


@pytest.mark.parametrize(("speed", "code"), [(54.5, 0), (53.5, 1)])
def test_a_slower_preset_fails_the_comparison(
    speed: float,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(place, "KEPT", tmp_path / "placed.csv")
    monkeypatch.setattr(place, "PAGE", tmp_path / "page.md")
    (tmp_path / "page.md").write_text("<!-- placed -->\n<!-- end -->\n")
    (tmp_path / "placed.csv").write_text(",".join(place.FIELDS) + "\n")
    design = place.of_config(configs.load("simple", "tiny"))
    place.keep([place.row_of(design, runs_at(60)) | {"key": design.key}])
    monkeypatch.setattr(place, "neighbours", list)
    monkeypatch.setattr(place, "placed", lambda design, seeds: runs_at(speed))
    assert place.main(["--compare"]) == 0  # the Verilog is as it was
    place.keep([place.row_of(design, runs_at(60))])
    assert place.main(["--compare"]) == code
    assert ("simple tiny: 53.5 MHz, 60.0 before" in capsys.readouterr().out) == bool(code)


def test_caches_of_others_are_listed_with_their_packages() -> None:
    packages = (place.NEIGHBOURS.with_suffix(".txt")).read_text().replace("-", "_")
    entries = toml.read(place.NEIGHBOURS)
    assert next(iter(entries)) == "lm32_dcache"  # the ratios of all pages are to it
    assert all(f"\n{entry['package']}==" in packages for entry in entries.values())
