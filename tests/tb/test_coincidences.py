# SPDX-License-Identifier: Apache-2.0
"""What meets at the ports: counted from the log, held against waivers."""

from pathlib import Path

import pytest

import configs
from configs import Stream, UserError
from configs.ports import Field
from tb.common.components.transactions import Observation, TransactionLog
from tb.common.coverage import coincidences, meetings
from tb.common.running import judging, runner

REQ = Stream("req", "in", (Field("a", 4),))
RES = Stream("res", "out", (Field("v", 4), Field("err", 1)))
STOP = Stream("stop", "out", (), ready=False)
ACK = Stream("ack", "out", (Field("a", 4),), ready=False)
EVT = Stream("evt", "out", (Field("a", 4),), ready=False, observer=True)
STREAMS = [REQ, RES, STOP]


def log(**transfers: list[tuple[int, int, int]]) -> TransactionLog:
    """Of (cycle, word, waited) by stream."""
    made = TransactionLog()
    by_name = {stream.name: stream for stream in STREAMS}
    for name, several in transfers.items():
        for cycle, word, waited in several:
            made.add(by_name[name], Observation(cycle, word, waited))
    return made


def counted(made: TransactionLog, resets: list[int], releases: list[int]) -> meetings.Counts:
    return meetings.count(made.events(STREAMS), resets, releases)


def test_pairs_are_counted_by_cycle() -> None:
    made = log(req=[(5, 1, 2), (6, 2, 0)], res=[(5, 16, 0), (9, 1, 0)], stop=[(4, 0, 0)])
    counts = counted(made, [10], [12])
    met = {name: number for name, number in counts.items() if number}
    assert met == {
        "req = res": 1, "req = res error": 1, "res > req": 1, "res error > req": 1, "req > req": 1,
        "req waits = stop": 1, "req waits > stop": 1, "stop > req": 1, "stop > res": 1, "stop > res error": 1,
        "req waits > res": 1, "req waits > res error": 1, "req waits > req": 1, "req waits > req waits": 1,
        "res > reset": 1,
    }  # fmt: skip


def test_an_offer_that_a_reset_ends_has_waited() -> None:
    made = log(req=[])
    made.lost(REQ, 8, 2)
    counts = counted(made, [8], [9])
    met = {name for name, number in counts.items() if number}
    assert met == {"req waits > req waits", "req waits > reset"}


def test_bins_follow_from_the_streams() -> None:
    assert meetings.eventful([REQ, ACK, EVT, STOP]) == [REQ, ACK, STOP]
    names = set(counted(log(), [], []))
    own = {"req", "req waits", "res", "res waits", "res error", "stop"}
    assert {part for name in names for part in name.replace(" = ", " > ").split(" > ")} == own | {
        "reset", "release",
    }  # fmt: skip
    assert (
        not {f"{event} = {other}" for event in own for other in own if event.split()[0] == other.split()[0]}
        & names
    )
    # pairs of events of two streams three times, of one stream twice, each with itself, reset and release
    pairs = 3 * (2 * 3 + 2 * 1 + 3 * 1) + 2 * (1 + 3) + 4 * 6
    assert len(names) == pairs


def test_what_is_counted_is_judged(tmp_path: Path) -> None:
    path = tmp_path / "waivers.toml"
    path.write_text("""
        [[coincidence]]
        never = ['req = (res|stop)', 'nonsense']
        reason = "not in one cycle"
        [[coincidence]]
        rare = ['req > .*']
        reason = "takes long"
    """)
    waived = coincidences.waivers(path)
    counts = {"req = res": 1, "req = stop": 0, "req > a": 1, "req > b": 0, "c = d": 0}
    verdict = coincidences.judge(counts, waived)
    assert (verdict.met, verdict.wrong) == (2, ["req = res"])
    assert (verdict.waived, verdict.holes) == (["req = stop", "req > b"], ["c = d"])
    assert list(coincidences.useless(["req = res", "req > a"], waived)) == ["nonsense"]


def test_what_one_configuration_waives_another_must_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot meet where one miss stops all may where it does not."""
    waived = [
        coincidences.Waiver(("a = b", "a > b"), never=True, reason="r", only="blocking"),
        coincidences.Waiver(("c = d",), never=False, reason="r", only="mshrs"),
    ]
    monkeypatch.setattr(coincidences, "waivers", lambda _: waived)
    stops, goes_on = (configs.load("dcache", preset) for preset in ("tiny", "fast-tiny"))

    def verdict(first: dict[str, int], second: dict[str, int]) -> coincidences.Verdict:
        runs = [(stops, [{"coincidences": first}]), (goes_on, [{"coincidences": second}])]
        return coincidences.met(runs)[1]

    nothing = {"a = b": 0, "a > b": 0, "c = d": 0}
    assert verdict(nothing, nothing).holes == ["a = b", "a > b", "c = d"]
    assert verdict(nothing, nothing | {"a = b": 1}).wrong == []
    assert verdict(nothing | {"a = b": 1}, nothing).wrong == ["a = b"]
    assert verdict(nothing | {"c = d": 1}, nothing).met == 1
    assert coincidences.met([(stops, [{"coincidences": nothing}])])[1].waived == ["a = b", "a > b"]
    waived[:] = [coincidences.Waiver(("a = b",), never=True, reason="r", only="blocked")]
    with pytest.raises(UserError, match="only = 'blocked': there is no such field"):
        verdict(nothing, nothing)


@pytest.mark.parametrize(
    "entry", ["never = ['a']", "never = ['a']\nrare = ['b']\nreason = 'c'", "rare = ['a']\nreason = ' '"]
)
def test_a_waiver_has_a_reason(entry: str, tmp_path: Path) -> None:
    path = tmp_path / "waivers.toml"
    path.write_text(f"[[coincidence]]\n{entry}\n")
    with pytest.raises(UserError, match="needs never or rare, patterns, and a reason"):
        coincidences.waivers(path)


def test_what_cannot_meet_fails_the_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = {"smoke": {"coincidences": {"req = req waits": 2, "req > res": 7}}}
    passed = [runner.Outcome("smoke", "passed", 1.0, "", "", "make sim")]
    result = runner.RunResult(tmp_path, "icarus", passed, kept)
    waived = [coincidences.Waiver(("req = .*",), never=True, reason="r")]
    monkeypatch.setattr(coincidences, "waivers", lambda _: waived)
    outcome = judging.impossible(configs.load("simple", "tiny"), result).outcomes[-1]
    assert (outcome.verdict, outcome.error) == ("failed", "Coincidence")
    assert outcome.message.endswith("req = req waits, in 2 cycles")
    kept["smoke"]["coincidences"]["req = req waits"] = 0
    assert judging.impossible(configs.load("simple", "tiny"), result) == result
