# SPDX-License-Identifier: Apache-2.0
"""Damaged and empty trace files: read, or refused in one line that names the file; nothing else."""

import io
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import configs
from configs import Field, Stream, UserError
from tests.damage import damaged
from workloads.texcache.trace_files import load_trace
from workloads.texunit.quad_trace import load_quads
from workloads.traces.requests import load_requests

CACHE, UNIT = configs.load("texcache", "tiny"), configs.load("texunit", "small")
STREAM = Stream("req", "in", (Field("op", 2, names=("load", "store", "flush")), Field("data", 64)))
Read = Callable[[Path], Any]


def footprints(path: Path) -> Any:
    return load_trace(path, CACHE)


def quads(path: Path) -> Any:
    return load_quads(path, UNIT)


def requests(path: Path) -> Any:
    return load_requests(path, STREAM, "here")


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


COORDINATES = ",".join(f"{axis}{pixel}" for pixel in range(4) for axis in "uv")
TEXTS: dict[Read, bytes] = {
    footprints: b"#trace version=1 max_side=64\n#texture id=0 side=32\n#level tex=1 level=0 base=0x4000\n"
    b"tex,level,u,v,mode_u\n# a comment\n0,2,3,4,repeat\n1,0,-5,6,2\n",
    quads: b"#trace version=1\n#texture id=0 width=16 height=8 format=rgb8 base=0x100\n"
    + f"tex,valid,{COORDINATES}\n0,15,0,0,4096,0,0,4096,4096,4096\n0,1,-7,8,9,10,11,12,13,14\n".encode(),
    requests: b"op,data\nload,5\n1,18446744073709551615\n",
}
ARRAYS: dict[Read, dict[str, Any]] = {
    footprints: {
        "tex": [0, 1], "level": [2, 1], "u": [3, 4], "v": [-5, 6], "sides": [16, 32], "name": "mine",
        "image": np.arange(16), "base": 64, "meta": '{"a": 1}',
    },
    quads: {"tex": [0], "uv": np.zeros((1, 4, 2), int), "width": [16], "height": [8], "texture_base": [32]},
    requests: {"op": [0, 2], "data": np.array([1, 1 << 63], np.uint64), "image": np.arange(4)},
}  # fmt: skip
READERS = list(TEXTS)


@pytest.mark.parametrize("suffix", [".csv", ".npz"])
@pytest.mark.parametrize("read", READERS)
def test_a_damaged_file_is_read_or_refused(read: Read, suffix: str, tmp_path: Path) -> None:
    content = TEXTS[read] if suffix == ".csv" else npz(**ARRAYS[read])
    path = tmp_path / f"whole{suffix}"
    path.write_bytes(content)
    assert len(read(path))

    @settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(damaged([content]))
    def check(content: bytes) -> None:
        with tempfile.TemporaryDirectory(dir=tmp_path) as name, warnings.catch_warnings():
            warnings.simplefilter("error")
            path = Path(name) / f"mine{suffix}"
            path.write_bytes(content)
            try:
                assert len(read(path))
            except UserError as error:
                assert str(path) in str(error), f"which file? {error}"
                assert "\n" not in str(error) and len(str(error)) < 1000, str(error)

    check()


@pytest.mark.parametrize("read", READERS)
def test_files_without_accesses(read: Read, tmp_path: Path) -> None:
    head, _, _ = TEXTS[read].rpartition(b"\n0,") if read is not requests else (b"op,data", b"", b"")
    lines = [line for line in head.splitlines() if line[:1] in b"#tod"]
    (tmp_path / "a.csv").write_bytes(b"\n".join(lines) + b"\n\n# the end\n")
    with pytest.raises(UserError, match=rf"a.csv:{len(lines) + 2}: no accesses"):
        read(tmp_path / "a.csv")
    kept = ("sides", "width", "height", "texture_base", "name", "image", "base", "meta")
    empty = {name: value if name in kept else np.asarray(value)[:0] for name, value in ARRAYS[read].items()}
    (tmp_path / "a.npz").write_bytes(npz(**empty))
    with pytest.raises(UserError, match=r"a\.npz: array (tex|op) is empty"):
        read(tmp_path / "a.npz")


@pytest.mark.parametrize("read", READERS)
def test_files_that_are_something_else(read: Read, tmp_path: Path) -> None:
    for suffix in (".csv", ".npz"):
        folder = tmp_path / f"folder{suffix}"
        folder.mkdir()
        with pytest.raises(UserError, match=rf"trace .*folder{suffix}: is a folder"):
            read(folder)
        for name in (f"none{suffix}", "a" * 300 + suffix):
            with pytest.raises(UserError, match=rf"trace .*{name}: no such file"):
                read(tmp_path / name)
    archive = tmp_path / "a.npz"
    array = io.BytesIO()
    np.save(array, np.arange(3))
    for content, words in (
        (TEXTS[read], "is no numpy archive; write it with numpy.savez, or as text"),
        (b"", "is no numpy archive"),
        (array.getvalue(), "holds a single array; write it with numpy.savez"),
        (npz(tex=np.array([{}], object)), "array tex holds Python objects; write integers"),
    ):
        archive.write_bytes(content)
        with pytest.raises(UserError, match=f"a.npz: {words}") as error:
            read(archive)
        assert "pickle" not in str(error.value)
    (tmp_path / "a.csv").write_bytes(TEXTS[read] + b"# caf\xe9\n")
    with pytest.raises(UserError, match=rf"a.csv:{TEXTS[read].count(10) + 1}: byte 0xe9 is no UTF-8"):
        read(tmp_path / "a.csv")


LONG = "12345678901234567890123456789012345678901234567890"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("0,2,3,4", f"0,2,{LONG},4", f":6: u={LONG}: must be"),
        ("0,2,3,4", f"0,2,-{LONG},4", f":6: u=-{LONG}: must be"),
        ("0,2,3,4", f"0,2,{LONG}x,4", f":6: u='{LONG}x': not an integer"),
        ("0,2,3,4", f"0,2,{LONG * 2},4", rf":6: u='{LONG}{LONG[:30]}\.\.\. \(100 characters"),
        ("0,2,3,4", f"0,2,{'1' * 5000},4", r"\.\.\. \(5000 characters\)': more than 99 digits"),
        ("base=0x4000", f"base={LONG}", f":3: #level: base={LONG}: must be a multiple"),
        ("base=0x4000", "base=0x4001", ":3: #level: base=0x4001: must be a multiple"),
        ("base=0x4000", f"base={'1' * 5000}", r"\.\.\. \(5000 characters\)': more than 99 digits"),
        ("side=32", f"side={LONG}", f":2: #texture: texture side {LONG}: must be"),
        ("side=32", f"side=32 base={LONG}", f"address {LONG}: must be"),
        ("version=1", f"version={LONG}", f":1: #trace: version={LONG}: this program reads"),
        ("#level", f"#{'level' * 100}", r"unknown directive #level.*\(500 characters\)"),
    ],
)  # fmt: skip
def test_numbers_are_reported_as_they_are_written(tmp_path: Path, old: str, new: str, words: str) -> None:
    path = tmp_path / "mine.csv"
    text = TEXTS[footprints].decode()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(UserError, match=words):
        footprints(path)


def test_lines_of_another_size_need_a_table(tmp_path: Path) -> None:
    path, own = tmp_path / "a.npz", CACHE.cache.line_bytes
    for arrays in (ARRAYS[footprints], {**ARRAYS[footprints], "sides": [64, 64]}):
        path.write_bytes(npz(**arrays, line_bytes=own))
        assert len(footprints(path))
        path.write_bytes(npz(**arrays, line_bytes=2 * own))
        with pytest.raises(UserError, match=f"a.npz: line_bytes={2 * own}: tiny has lines of {own} bytes"):
            footprints(path)
