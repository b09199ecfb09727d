# SPDX-License-Identifier: Apache-2.0
"""``python -m rtl release``: a folder for each preset, and an archive whose bytes are always the same."""

import zipfile
from os.path import normpath
from pathlib import Path

import pytest

import configs
from rtl import __main__ as command
from rtl.generate import bundle
from rtl.version import commit


def test_all_presets_of_a_block_and_their_archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["release", "simple", "--out", str(tmp_path / "one")]) == 0
    said = capsys.readouterr().out.splitlines()
    path = tmp_path / "one" / "simple-verilog.zip"
    assert said[-1] == f"{path}: {path.stat().st_size:,} bytes" and len(said) == 1 + len(
        configs.presets("simple")
    )
    with zipfile.ZipFile(path) as archive:
        packed = {name.removeprefix("simple-verilog/"): archive.read(name) for name in archive.namelist()}
    expected = {
        normpath(f"simple-{preset}/{name}"): text
        for preset in configs.presets("simple")
        for name, text in bundle(
            configs.load("simple", preset), commit=commit(), common_folder="../common"
        ).items()
    }
    assert set(packed) - set(expected) == {"LICENSE", "using-the-verilog.md"}
    assert "common/cacheforge_common.core" in packed and "simple-tiny/filelist.f" in packed
    for kind in (".v", "_fields.v", "_example.v", ".sdc", ".core"):
        assert f"simple-tiny/cacheforge_simple{kind}" in packed
    for name, text in expected.items():
        assert packed[name].decode() == text == (tmp_path / "one" / name).read_text()


def test_archives_have_the_same_bytes_whenever_they_are_made(tmp_path: Path) -> None:
    """Written into another folder, where other files already lie; dates are no part of it."""
    command.main(["release", "simple", "--out", str(tmp_path / "one")])
    (tmp_path / "two" / "simple-tiny").mkdir(parents=True)
    (tmp_path / "two" / "simple-tiny" / "notes.txt").write_text("mine")
    command.main(["release", "simple", "--out", str(tmp_path / "two")])
    first, second = (tmp_path / name / "simple-verilog.zip" for name in ("one", "two"))
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as archive:
        entries = archive.infolist()
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {entry.external_attr >> 16 for entry in entries} == {0o100644}
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
