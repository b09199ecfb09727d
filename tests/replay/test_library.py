# SPDX-License-Identifier: Apache-2.0
"""The compiled library: built once, by one process, and never taken for finished when it is not."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import configs
from tb.common.replay import library as replay_library
from tb.common.replay.library import Port, Roles, load_library
from tb.common.running.builds import ROOT, sources_of
from tests.waiting import PATIENCE, until

LOAD = """
import sys, configs
from pathlib import Path
from tb.common.replay.library import Roles, load_library
print(load_library(configs.load("texcache", "tiny"), None, Roles(), Path(sys.argv[1]))._name)
"""


def build_elsewhere(root: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", LOAD, str(root)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True)


def libraries(root: Path) -> list[Path]:
    return sorted(root.glob("texcache/replay-*/*.so"))


def leftovers(root: Path) -> list[Path]:
    return sorted(root.glob("texcache/replay-*/building-*"))


@pytest.mark.slow
def test_an_interrupted_build_recovers_and_builders_wait_for_each_other(tmp_path: Path) -> None:
    first = build_elsewhere(tmp_path)
    until(lambda: leftovers(tmp_path), "the build begins")
    time.sleep(0.3)
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    assert leftovers(tmp_path), "the build was to be interrupted half way"
    assert not libraries(tmp_path)

    both = [build_elsewhere(tmp_path) for _ in range(2)]
    names = [process.communicate(timeout=PATIENCE)[0].strip() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert names[0] == names[1]
    assert [str(path) for path in libraries(tmp_path)] == names[:1]
    assert not leftovers(tmp_path)

    stamp = libraries(tmp_path)[0].stat()
    again = build_elsewhere(tmp_path)
    assert again.communicate(timeout=PATIENCE)[0].strip() == names[0]
    assert libraries(tmp_path)[0].stat().st_mtime_ns == stamp.st_mtime_ns, "built a second time"


def test_the_stamp_covers_verilog_harness_and_flags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "texcache.v").write_text("module cacheforge_texcache; endmodule\n")
    sources = sources_of(tmp_path, "cacheforge_texcache")
    stamp = replay_library._stamp(sources, "harness")
    assert stamp == replay_library._stamp(sources, "harness")
    assert stamp != replay_library._stamp(sources, "other harness")
    with monkeypatch.context() as patch:
        patch.setattr(replay_library, "FLAGS", (*replay_library.FLAGS, "-O0"))
        assert stamp != replay_library._stamp(sources, "harness")
    (tmp_path / "texcache.v").write_text("module cacheforge_texcache; /* changed */ endmodule\n")
    assert stamp != replay_library._stamp(sources, "harness")


def test_a_library_is_loaded_once_and_serves_every_latency_of_memory() -> None:
    cfg = configs.load("texcache", "tiny")
    library = load_library(cfg, None, Roles())
    assert library is load_library(cfg, None, Roles())
    other = configs.load("texcache", "tiny", ["memory.latency=77"])
    assert load_library(other, None, Roles())._name == library._name


def test_the_harness_follows_the_ports() -> None:
    """What a block does not have is not asked for."""
    cfg = configs.load("texcache", "tiny")
    whole = replay_library._harness(cfg, Roles())
    assert "Port<pins::req, pins::res, pins::evt, NoStream, NoStream>" in whole
    assert "std::tuple<pins::perf> counters{}" in whole
    bare = replay_library._harness(cfg, Roles((Port(event=None, counters=None),)))
    assert "Port<pins::req, pins::res, NoStream, NoStream, NoStream>" in bare
    assert "std::tuple<NoStream> counters{}" in bare
    assert Roles().writable(cfg) == ["lut", "inv"]
