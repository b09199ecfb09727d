# SPDX-License-Identifier: Apache-2.0
"""Programs on the RTL of ``lpas``: accesses, values and cycles as on the golden model."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from configs import UserError, load
from configs.lpas.schema import Config
from tb.lpas.commands.run import main
from tb.lpas.machine import MachineRun, differences
from workloads.lpas.assembler import assemble
from workloads.lpas.golden import GoldenOutcome, run_golden
from workloads.lpas.loading import load_program, prepare

#: all kinds of accesses, lines that displace each other, memory that is written back
MIXED = """
ROUNDS = 12
        LI  r1, 0
        SHL r2, r15, 1
round:  MUL r3, r1, 67
        ADD r3, r3, r2
        AND r3, r3, 0x1FF
        LD  r4, [r3]
        ADD r4, r4, r15
        ST  r4, [r3]
        ADD r1, r1, 1
        BLT r1, ROUNDS, round
        SUB r5, r14, 1
        BNE r15, r5, end
        LDM r6, [3]
        STM r6, [0x300]
        FLUSH
        LDM r6, [r3]
        STM r6, [0x301]
end:    HALT
        .result 0x300, 2
"""


def config(preset: str, *changes: str) -> Config:
    cfg = load("lpas", preset, changes)
    assert isinstance(cfg, Config)
    return cfg


def both(cfg: Config, text: str) -> tuple[GoldenOutcome, GoldenOutcome]:
    loaded = prepare(cfg, assemble(text, "own.pe"))
    golden = run_golden(cfg, loaded.program, loaded.words)
    return golden, MachineRun(cfg, loaded.program, loaded.words).run()


@pytest.mark.slow
@pytest.mark.parametrize("changes", [(), ("memory.latency=3",)])
def test_all_kinds_of_accesses(changes: tuple[str, ...]) -> None:
    golden, rtl = both(config("tiny", *changes), MIXED)
    assert differences(golden, rtl) == []
    assert len(golden.accesses) == 4 * 24 + 5 and golden.counters["evictions"] > 5
    assert golden.counters["conflict_cycles"] and golden.words[:512].any()


@pytest.mark.parametrize("name", ["conflict", "ping-pong"])
def test_built_in_programs(name: str) -> None:
    cfg = config("paper")
    loaded = load_program(cfg, name)
    golden = run_golden(cfg, loaded.program, loaded.words)
    assert differences(golden, MachineRun(cfg, loaded.program, loaded.words).run()) == []


def test_another_switch_is_noticed() -> None:
    """The RTL of one switch is not the golden model of the other."""
    paper = config("paper")
    loaded = load_program(paper, "conflict")
    golden = run_golden(config("fs"), loaded.program, loaded.words)
    texts = differences(golden, MachineRun(paper, loaded.program, loaded.words).run())
    assert any(
        re.match(r"access \d+: PE \d+, store of word 0x53, .*; of the RTL: PE ", text) for text in texts
    )


def test_each_difference_is_told() -> None:
    golden, rtl = both(config("tiny"), "ST r15, [4]\nHALT")
    accesses: Any = golden.accesses.copy()
    accesses["done"][1] += 1
    words = golden.words.copy()
    words[4] ^= 1
    counters = {**golden.counters, "hits": 77}
    changes: dict[str, dict[str, Any]] = {
        "cycles: ": {"cycles": 1}, "flush: ": {"flush": 1}, "instructions: ": {"instructions": 1},
        "access 1: ": {"accesses": accesses}, "accesses: ": {"accesses": golden.accesses[:-1]},
        "word 0x4: ": {"words": words}, "counter hits: ": {"counters": counters},
    }  # fmt: skip
    for begin, change in changes.items():
        [text] = differences(replace(golden, **change), rtl)
        assert text.startswith(begin)


def test_a_pe_that_cannot_go_on_stops_the_run() -> None:
    cfg = config("tiny")
    loaded = prepare(cfg, assemble("ST 1, [0]\nLDM r1, [0]\nHALT", "own.pe"))
    with pytest.raises(UserError, match=r"own.pe:2: PE \d, cycle \d+, LDM r1, \[0\]: only the last PE"):
        MachineRun(cfg, loaded.program, loaded.words).run()
    loaded = prepare(cfg, assemble(".limit 300\nx: LD r1, [0]\nJMP x", "own.pe"))
    with pytest.raises(UserError, match=r"has not ended after 300 cycles"):
        MachineRun(cfg, loaded.program, loaded.words).run()


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["paper", "fs", "age", "weights"])
def test_pollers_of_a_row_hang_under_local_priority_alone(preset: str) -> None:
    cfg = config(preset)
    loaded = load_program(cfg, "pollers")
    if preset == "paper":
        says = (
            r"pollers.pe:\d+: PE \d+, cycle 20000, .*: has not ended after 20000 cycles; .*for cache 15: "
            r"PE 0 since cycle 202\D.*; served there last: PE 1[2-4] in cycle (1999|2000)\d"
        )
        with pytest.raises(UserError, match=says):
            run_golden(cfg, loaded.program, loaded.words)
        with pytest.raises(UserError, match=says):
            MachineRun(cfg, loaded.program, loaded.words).run()
        return
    golden = run_golden(cfg, loaded.program, loaded.words)
    assert differences(golden, MachineRun(cfg, loaded.program, loaded.words).run()) == []
    assert golden.cycles < 1000 and golden.words[15 * 16] == 1


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "own.pe", tmp_path / "out"
    path.write_text(MIXED)
    assert main([str(path), "--config", "tiny", "--rtl", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert (
        "101 accesses: 48 load, 48 store, 2 ldm, 2 stm, 1 flush" in printed
        and "the RTL does the same" in printed
    )
    assert (out / "listing.txt").is_file() and (out / "trace.csv").is_file()
    assert main(["--list"]) == 0 and "cooccurrence-lines" in capsys.readouterr().out
    for arguments, says in (
        ([], "no program given: cooccurrence, .*, or a file in .pe"),
        (["a.c"], "unknown program 'a.c'"),
        (["a.pe"], "no such file"),
        (
            [str(path), "--config", "tiny", "--limit", "9"],
            r"own.pe:\d+: PE \d, cycle 9, .* after 9 cycles",
        ),
        ([str(path), "--config", "tiny", "--limit", "0"], "limit=0: a run takes 1 cycle at least"),
    ):
        with pytest.raises(UserError, match=says):
            main(arguments)


def test_memory_is_the_programs_own_words() -> None:
    golden, rtl = both(
        config("tiny"), ".word 8, 5, 6\nLD r1, [8]\nLD r2, [9]\nADD r1, r1, r2\nST r1, [10]\nHALT"
    )
    assert np.array_equal(golden.words[8:11], [5, 6, 11]) and differences(golden, rtl) == []
