# SPDX-License-Identifier: Apache-2.0
"""New Verilog never comes under an old version: ``rtl/version.toml`` has a hash of that of its versions."""

import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

import cacheforge
import configs
from rtl import generate, version
from rtl.generate import body, common
from rtl.wrapper import wrap
from utils.keys import digest

DECLARED = tomllib.loads((version.HERE / "version.toml").read_text())


def hashed(files: Mapping[str, str]) -> str:
    return digest(word for name, text in sorted(files.items()) for word in (name, body(text)))


def test_verilog_that_differs_has_a_new_version() -> None:
    files, shared = {}, common()
    for block in configs.blocks():
        for preset in configs.presets(block):
            cfg = configs.load(block, preset)
            made = generate(cfg)
            made["fields"] = wrap(cfg, made[f"{cfg.top()}.v"])
            files |= {f"{block}-{preset}/{name}": made[name] for name in made.keys() - shared.keys()}
    hashes = {"verilog": hashed(files), "common": hashed(shared)}
    kept = {"verilog": DECLARED["verilog"], "common": DECLARED["common"]["verilog"]}
    assert hashes == kept, "raise the version in rtl/version.toml, and put this hash beside it"


def test_a_line_of_verilog_decides_the_hash_and_a_header_does_not() -> None:
    files = common()
    assert hashed(files) == hashed(common(commit="0123"))
    name = next(iter(files))
    assert hashed(files) != hashed({**files, name: files[name].replace("endmodule", "\nendmodule")})


def test_package_and_verilog_have_one_version() -> None:
    assert cacheforge.__version__ == version.VERSION
    project = tomllib.loads((version.HERE.parent / "pyproject.toml").read_text())["project"]
    assert "version" not in project and project["dynamic"] == ["version"]
    assert f"\nversion: {version.VERSION}\n" in (version.HERE.parent / "CITATION.cff").read_text()


def test_the_commit_says_whether_files_differ_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str) -> None:
        identity = ["-c", "user.name=x", "-c", "user.email=x@x"]
        subprocess.run(["git", "-C", tmp_path, *identity, *words], check=True, capture_output=True)

    monkeypatch.setattr(version, "HERE", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    said = []
    for step in ("nothing", "init", "edit"):
        if step == "init":
            git("init")
            (tmp_path / "file").write_text("a")
            git("add", "file")
            git("commit", "-m", "x")
        elif step == "edit":
            (tmp_path / "file").write_text("b")
        said.append(version.commit.__wrapped__())
    assert said[0] == "unknown" and len(said[1]) == 12 and said[2] == f"{said[1]}+changes"
