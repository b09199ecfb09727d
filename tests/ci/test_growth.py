# SPDX-License-Identifier: Apache-2.0
"""``python -m ci.synth.growth``, modules that are measured alone, and Verilog that Yosys takes whole."""

from pathlib import Path

import pytest

import configs
from ci.synth import __main__ as synth
from ci.synth import families, growth, result
from configs import UserError


@pytest.mark.parametrize("block", configs.blocks())
def test_yosys_finds_every_module(block: str, tmp_path: Path) -> None:
    """It looks at each as it is by default, too, before parameters are given."""
    sources = result.verilog(configs.load(block), None)
    script = f"read_verilog {' '.join(sources)}; hierarchy -check -top cacheforge_{block}"
    assert result.run(script, sources, tmp_path) == tmp_path


@pytest.mark.slow
def test_a_module_is_measured_alone(tmp_path: Path) -> None:
    """Of a cache with a RAM the small part without one; each is kept for itself."""
    cfg, which = configs.load("lpas", "tiny"), families.family("xc7")
    sources = result.verilog(cfg, None)
    alone = result.measure(cfg, which, sources, tmp_path, "lpas_select")
    assert alone["resources"]["lut"] > 20 and alone["resources"]["ff"] > 30
    assert [path.name for path in tmp_path.glob("*.json")] == ["xc7-lpas_select.json"]


@pytest.mark.slow
def test_a_block_is_measured_without_some_modules(tmp_path: Path) -> None:
    """The switch with its words, between PEs and caches: more than its arbiters, and no RAM is left."""
    cfg, which = configs.load("lpas", "tiny"), families.family("xc7")
    sources = result.verilog(cfg, None)
    part = "without lpas_cache lpas_network lpas_outside counter lpas_count"
    figures = result.measure(cfg, which, sources, tmp_path, part)
    arbiters = result.measure(cfg, which, sources, tmp_path, "lpas_switch")
    assert figures["resources"]["lut"] > 4 * arbiters["resources"]["lut"] > 0
    assert figures["resources"]["lut_memory"] == figures["resources"]["bram"] == 0
    assert figures["timing"]["logic_ps"] > arbiters["timing"]["logic_ps"]  # the words come after the grants
    assert len(list(tmp_path.glob("xc7-without-lpas_cache-*.json"))) == 1


def test_what_grows_is_measured_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A row for each set of changes; one whose Verilog is as it was stays."""
    done: list[str] = []

    def synthesized(
        cfg: configs.BlockConfig, which: object, sources: object, *rest: object
    ) -> dict[str, object]:
        done.append(cfg.name)
        row = {name: len(done) for name in growth.FIGURES}
        timing = {"logic_ps": 1500, "path": ["FDRE", "LUT6", "LUT4"]}
        return {"key": growth.key(cfg, str(rest[-1])), "resources": row, "timing": timing}

    monkeypatch.setattr(growth, "FOLDER", tmp_path)
    monkeypatch.setattr(result, "measure", synthesized)
    monkeypatch.setattr(growth, "ROWS", rows := tmp_path / "growth.toml")
    rows.write_text('[[simple]]\nsizes = ["sets=4", "sets=8"]\n')
    assert growth.main(["simple", "--only", "sets=8"]) == 0
    assert growth.main(["simple"]) == 0
    assert len(done) == 2
    measured = growth.known("simple").values()
    assert [row["lut"] for row in measured] == ["2", "1"]
    assert [stale for _, stale in growth.stale("simple")] == [False, False]
    assert synth.main(["simple", "--list"]) == 0
    printed = capsys.readouterr().out
    assert "sets=8" in printed and printed.count("as now") == 2 and "older" not in printed
    assert {(row["path_ns"], row["luts_in_path"]) for row in measured} == {("1.50", "2")}
    rows.write_text('[[simple]]\npresets = ["tiny"]\n')
    assert growth.main(["simple"]) == 0
    assert [(row["preset"], row["lut"]) for row in growth.known("simple").values()] == [("tiny", "3")]
    with pytest.raises(UserError, match=r"block texcache has nothing that grows"):
        growth.main(["texcache"])
