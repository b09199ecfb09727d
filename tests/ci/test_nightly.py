# SPDX-License-Identifier: Apache-2.0
"""Campaigns: run, resumed after kill -9 and Ctrl-C, workers that die, closure, smoke tier, baseline."""

import json
import os
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ci.nightly import __main__ as command
from ci.nightly import campaign, catalogue, closure, page, smoke
from ci.nightly.catalogue import Job
from ci.nightly.cluster import cluster, longest_first, run_all, simulations
from ci.nightly.job import OtherSourcesError, Result
from ci.nightly.job import run as run_job
from ci.nightly.store import Store, job_of
from configs import UserError
from report.browser import open_page
from tb.common.coverage import coincidences
from tb.common.coverage.coincidences import Waiver
from tb.common.running import baseline, builds, regression
from tests.waiting import PATIENCE, until
from utils import cli
from utils.console import Console
from utils.processes import sole

TESTS = ("smoke", "lru_order", "hit_latency")
JOBS = [Job("texcache", "tiny", "verilator", test, 1, 60) for test in TESTS]
SOURCES = catalogue.sources_keys(["texcache"])["texcache"]


def result(job: Job, verdict: str = "passed", **changes: Any) -> Result:
    """What a job might have given."""
    figures = {"checked": 10, "lookups": 20, "hits": 5, "cycles": 100}
    made = Result(job, verdict, 1.5, figures=figures, coverage={"modes": {"a": 1, "b": 0}}, worker="here")
    return replace(made, **changes)


def always_dies(jobs: list[Job], sources: str) -> list[Result]:
    """A job that kills every worker."""
    if jobs[0].seed == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return [result(job) for job in jobs]


def leaves_its_name(jobs: list[Job], sources: str) -> list[Result]:
    """Tells in which order a worker was given its work."""
    with (Path(os.environ["CACHEFORGE_TEST_MARKS"]) / "order").open("a") as file:
        file.write(f"{jobs[0].seed} ")
    return [result(job) for job in jobs]


# -- catalogue and jobs


def test_tiers_hold_each_job_once() -> None:
    for tier in ("full", "nightly"):
        jobs = catalogue.jobs(tier, catalogue.blocks(), 1)
        assert len({job.key for job in jobs}) == len(jobs) > 100
        assert {job.block for job in jobs} == set(catalogue.blocks())
    full = {job.key for job in catalogue.jobs("full", ["texcache"], 1)}
    nightly = {job.key for job in catalogue.jobs("nightly", ["texcache"], 1)}
    assert full < nightly
    assert nightly != {job.key for job in catalogue.jobs("nightly", ["texcache"], 2)}, "SEED brings new seeds"


def test_a_date_may_be_the_seed() -> None:
    """0, too: a number that no test takes as its seed becomes one that is."""
    blocks = catalogue.blocks()
    assert {1000, 1001} <= {job.seed for job in catalogue.jobs("nightly", blocks, 1)}
    rest = catalogue.jobs("full", blocks, 1)
    for seed in (0, 20261122, 1 << 40):
        jobs = catalogue.jobs("nightly", blocks, seed)
        assert len(jobs) > len(rest) + 500
        assert all(1 <= job.seed <= cli.LAST_SEED for job in jobs)
    [steered] = next(closure.rounds(closure.Steering("texunit"), "small", "verilator", 20261122, 10, 1))
    assert 1 <= steered.seed <= cli.LAST_SEED


@pytest.mark.slow
def test_a_job_runs_and_tells_what_it_did() -> None:
    jobs = [replace(job, coverage=True) for job in JOBS]
    results = run_job(jobs, SOURCES)
    assert [done.job for done in results] == jobs
    for done in results:
        assert done.verdict == "passed" and not done.bucket
        assert done.coverage and done.config_hash and done.seconds > 0
    assert results[0].figures["checked"] > 50
    assert results[0].code and not results[1].code, "of the simulation, once"


@pytest.mark.slow
def test_a_job_does_the_same_alone_in_company_and_beside_another_campaign() -> None:
    """Two campaigns take the same folder: one after the other."""
    parts = [JOBS, JOBS, *([job] for job in JOBS)]
    with ThreadPoolExecutor(4) as pool:
        first, second, *alone = pool.map(lambda jobs: run_job(jobs, SOURCES), parts)
    for results in (second, [result for [result] in alone]):
        for result, other in zip(first, results, strict=True):
            assert (result.verdict, result.figures, result.coverage) == (
                "passed", other.figures, other.coverage,
            )  # fmt: skip


def test_simulations_hold_jobs_that_differ_in_the_test_alone() -> None:
    jobs = [*JOBS, *(replace(job, seed=2) for job in JOBS), replace(JOBS[0], steer=(("beside", "drop"),))]
    assert simulations(jobs) == [jobs[:3], jobs[3:6], jobs[6:]]
    assert [len(some) for some in simulations(jobs, 2)] == [2, 1, 2, 1, 1]


def test_the_longest_simulations_are_sent_first() -> None:
    """Of those whose seconds are known; others before them, but behind one for each build."""
    short, long, longer = ([replace(JOBS[0], test=test)] for test in ("short", "long", "longer"))
    seconds = {job.work: cost for [job], cost in ((short, 1.0), (long, 5.0), (longer, 9.0))}
    assert longest_first([short, long, longer], seconds) == [longer, long, short]
    fresh, fuller = [replace(JOBS[0], test="fresh")], [replace(JOBS[0], test=test) for test in "ab"]
    slow = [replace(JOBS[0], simulator="icarus", count=1)]
    assert longest_first([short, longer, fresh, fuller], seconds) == [fuller, fresh, longer, short]
    assert longest_first([longer, fresh, slow], seconds) == [slow, fresh, longer]
    other = [replace(long[0], config="paper")]
    assert longest_first([short, longer, long, other], seconds | {other[0].work: 0.5}) == [
        longer, other, long, short,
    ]  # fmt: skip


def test_a_worker_with_other_sources_is_refused() -> None:
    with pytest.raises(OtherSourcesError, match="has other sources in"):
        run_job(JOBS, "other")


def test_a_broken_build_is_a_failed_job(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("verilator cannot compile x.v:17: syntax error")

    monkeypatch.setattr(builds, "build", broken)
    done, *_ = run_job(JOBS, SOURCES)
    assert done.verdict == "failed"
    assert done.bucket == "texcache: RuntimeError: verilator cannot compile x.v:#: syntax error"


# -- store


def test_nothing_is_counted_twice(tmp_path: Path) -> None:
    store = Store(tmp_path / "results.db")
    number = store.begin("full", ["texcache"], 1, "sources", "revision", "command")
    for _ in range(2):
        for job in JOBS:
            store.add(number, result(job))
    store.add(number, result(JOBS[0], "failed"))
    [row] = store.campaigns()
    assert (row["jobs"], row["passed"], row["checked"]) == (3, 3, 30)
    assert [job_of(row) for row in store.jobs(number)] == sorted(JOBS, key=lambda job: job.key)
    assert store.unfinished("full", ["texcache"], 1, "sources") == number
    assert store.unfinished("full", ["texcache"], 1, "other sources") is None
    store.finish(number, "passed", {})
    assert store.unfinished("full", ["texcache"], 1, "sources") is None


def test_seconds_are_those_of_the_last_campaign_in_which_a_test_passed(tmp_path: Path) -> None:
    store = Store(tmp_path / "results.db")
    for seed, (verdict, seconds) in enumerate((("passed", 7.0), ("passed", 3.0), ("failed", 1.0)), 1):
        number = store.begin("full", ["texcache"], seed, "sources", "revision", "command")
        store.add(number, result(replace(JOBS[0], seed=seed), verdict, seconds=seconds))
    assert store.seconds() == {JOBS[0].work: 3.0}


def test_steered_jobs_come_back_as_they_were(tmp_path: Path) -> None:
    store = Store(tmp_path / "results.db")
    job = replace(JOBS[0], steer=(("beside", "drop"), ("memory", "jitter")))
    number = store.begin("full", ["texcache"], 1, "s", "r", "c")
    store.add(number, result(job))
    assert job_of(store.jobs(number)[0]) == job


@pytest.mark.parametrize("cut", [True, False])
def test_a_damaged_database_is_kept_and_a_new_one_begun(tmp_path: Path, cut: bool) -> None:
    path, said = tmp_path / "results.db", list[str]()
    store = Store(path)
    number = store.begin("full", ["texcache"], 1, "sources", "revision", "command")
    for seed in range(200):
        store.add(number, result(replace(JOBS[0], seed=seed)))
    store.close()
    path.write_bytes(path.read_bytes()[:9000] if cut else b"no database at all" * 100)
    assert not Store(path, said.append).campaigns()
    assert (tmp_path / "results.db.damaged-1").is_file()
    assert said == [f"{path}: damaged; it is kept as {path}.damaged-1, a new one begins"]


def test_a_full_disk_loses_nothing_and_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    store = Store(path)
    number = store.begin("full", ["texcache"], 1, "sources", "revision", "command")
    store.add(number, result(JOBS[0]))
    store._db.execute("PRAGMA max_page_count = 1")  # no page more than there are
    with pytest.raises(UserError, match=r"full; nothing that is stored is lost; make room on the disk"):
        for seed in range(1000):
            store.add(number, result(replace(JOBS[1], seed=seed)))
    store.close()
    assert JOBS[0].key in Store(path).done(number)


def test_a_simulation_on_a_full_disk_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise RuntimeError("verilator cannot compile: No space left on device")

    monkeypatch.setattr(builds, "build", full)
    with pytest.raises(OSError, match="No space left on device"):
        run_job(JOBS, SOURCES)


def test_a_database_of_another_format_is_named(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    store = Store(path)
    store._db.execute("PRAGMA user_version = 99")
    store.close()
    with pytest.raises(UserError, match="of format 99"):
        Store(path)


def test_a_database_of_another_user_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(PermissionError, match=r"results\.db"):
        Store(tmp_path / "results.db")


def test_one_campaign_at_a_time(tmp_path: Path) -> None:
    with (
        sole(tmp_path / command.LOCK, "a campaign"),
        pytest.raises(UserError, match=rf"a campaign is running in {tmp_path}: process {os.getpid()} on "),
    ):
        command.main(["run", "smoke", "--blocks", "simple", "--folder", str(tmp_path)])
    assert not Store(tmp_path / "results.db").campaigns()


def test_a_campaign_judges_ports_and_crossings(monkeypatch: pytest.MonkeyPatch) -> None:
    """As ``make sim`` does: a failure beside the tests, which passed."""
    never = Waiver((".*",), never=True, reason="")
    monkeypatch.setattr(coincidences, "waivers", lambda path: [never])
    *tests, wrong = run_job(JOBS, SOURCES)
    assert {test.verdict for test in tests} == {"passed"} and [test.job for test in tests] == JOBS
    assert (wrong.verdict, wrong.error) == ("failed", "Coincidence")
    assert wrong.job.test == "coincidences at the ports, smoke"


# -- cluster


def test_a_cluster_takes_the_longest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker gets its work in the order of :func:`longest_first`, not as it is listed."""
    monkeypatch.setenv("CACHEFORGE_TEST_MARKS", str(tmp_path))
    jobs = [replace(JOBS[0], seed=count, count=count) for count in range(1, 13)]
    seconds = {job.work: float(job.count * 5 % 13) for job in jobs}
    with cluster(None, 1) as client:
        run_all(client, jobs, lambda result: None, leaves_its_name, seconds)
    order = [int(seed) for seed in (tmp_path / "order").read_text().split()]
    assert order == [job.seed for job in sorted(jobs, key=lambda job: -seconds[job.work])]


@pytest.mark.slow
def test_a_job_that_kills_every_worker_has_failed() -> None:
    results: list[Result] = []
    with cluster(None, 1) as client:
        run_all(client, [JOBS[0], replace(JOBS[0], seed=2)], results.append, always_dies)
    verdicts = {result.job.seed: (result.verdict, result.error) for result in results}
    assert verdicts[1] == ("failed", "KilledWorker")


def test_a_scheduler_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ci.nightly.cluster.CONNECT_SECONDS", 1)
    words = r"--scheduler tcp://127\.0\.0\.1:9: no Dask scheduler answers there"
    with pytest.raises(UserError, match=words), cluster("tcp://127.0.0.1:9", 1):
        pass


# -- campaigns


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalogue of three jobs."""
    monkeypatch.setattr(catalogue, "jobs", lambda *_: JOBS)


def run(folder: Path, *options: str) -> int:
    argv = ["run", "full", "--blocks", "texcache", "--jobs", "1", "--folder", str(folder), *options]
    return command.main(argv)


@pytest.mark.slow
def test_a_campaign_page_and_history(small: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path) == 1, "three jobs do not close the coverage"
    shown = capsys.readouterr().out
    assert "FAILED  campaign 1, full: 3 jobs, 3 passed, 0 failed" in shown
    assert "texcache tiny: functional" in shown and "holes" in shown
    document, messages = open_page(tmp_path / "index.html")
    assert messages == []
    for word in ("Holes", "History", "lru_order"):
        assert word in document
    links = re.findall(r'href="([^#"][^":]*)"', (tmp_path / "index.html").read_text())
    assert any(name.endswith(".csv") for name in links)
    assert [name for name in links if not (tmp_path / name).is_file()] == []
    cases = ElementTree.parse(tmp_path / "junit.xml").getroot().iter("testcase")
    named = {(case.get("classname"), case.get("name"), len(case)) for case in cases}
    assert named == {(f"texcache.tiny.{job.simulator}", f"{job.test}-seed{job.seed}", 0) for job in JOBS}
    assert command.main(["history", "--folder", str(tmp_path)]) == 0
    assert "full" in capsys.readouterr().out
    assert command.main(["page", "--folder", str(tmp_path)]) == 0


def test_trends_compare_campaigns_of_the_same_blocks(
    small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The hit rate of another block is no trend."""
    store = Store(tmp_path / "results.db")
    rates = {}
    for seed, block, rate in (
        (1, "texcache", 0.5),
        (1, "texunit", 0.9),
        (2, "texcache", 0.6),
        (2, "texunit", 0.8),
    ):
        number = store.begin("full", [block], seed, "sources", "revision", "command")
        store.finish(number, "passed", {"coverage": []})
        rates[number] = {"hit rate": rate}
    monkeypatch.setattr(Store, "shares", lambda self, number: rates[number])
    assert command.main(["history", "--folder", str(tmp_path)]) == 0
    shown = re.findall(r"hit rate (\d+)\.00 %( \S)?", capsys.readouterr().out)
    assert shown == [("50", ""), ("90", ""), ("60", " ↑"), ("80", " ↓")]
    assert {row["blocks"] for row in page.comparable(store, store.campaign(2))} == {"texunit"}


@pytest.mark.slow
def test_a_failure_is_bucketed_and_run_again_with_waves(
    small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(client: Any, jobs: list[Job], take: Any, seconds: Any, say: Any) -> None:
        for number, job in enumerate(jobs):
            words = f"cycle {number}: expected 0x{number:x}"
            take(result(job, "failed", error="Mismatch", message=words, repro=f"make sim TEST={job.test}"))

    monkeypatch.setattr(campaign, "run_all", failing)
    assert run(tmp_path) == 1
    shown = capsys.readouterr().out
    assert "3 x texcache: Mismatch: cycle #: expected #" in shown
    assert shown.count("once more with waveforms") == 1
    assert "waves.fst" in shown and "repeat: make sim TEST=" in shown
    assert "waves.fst" in (tmp_path / "index.html").read_text()


@pytest.mark.parametrize(("verdict", "code"), [("passed", 0), ("skipped", 1)])
def test_a_campaign_passes_only_if_something_was_checked(
    small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verdict: str, code: int
) -> None:
    durations = []

    def answer(client: Any, jobs: list[Job], take: Any, seconds: Any, say: Any) -> None:
        durations.append(seconds)
        for job in jobs:
            take(result(job, verdict, coverage={}))

    monkeypatch.setattr(campaign, "run_all", answer)
    monkeypatch.setattr(campaign, "judged", lambda *_: [])
    monkeypatch.setattr(baseline, "compare", lambda *_: [])
    assert run(tmp_path) == code
    assert run(tmp_path, "--new") == code
    assert durations == [{}, {job.work: 1.5 for job in JOBS} if verdict == "passed" else {}]


@pytest.mark.slow
def test_changed_figures_fail_until_the_baseline_is_changed(
    small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(baseline, "path_of", lambda block: tmp_path / f"{block}.json")
    run(tmp_path)
    argv = ["baseline", "--blocks", "texcache", "--folder", str(tmp_path)]
    assert command.main(argv) == 0
    written = json.loads((tmp_path / "texcache.json").read_text())
    figures = written["smoke"]["tiny/1/60"]
    assert figures["checked"] > 50
    figures["hits"] += 1
    (tmp_path / "texcache.json").write_text(json.dumps(written))
    assert run(tmp_path, "--new") == 1
    assert "baseline texcache tiny/smoke/1/60: hits" in capsys.readouterr().out
    assert command.main(argv) == 0
    assert "1 changes" in capsys.readouterr().out


def test_the_count_is_seen_on_a_narrow_terminal() -> None:
    console = Console(width=80)
    shown = campaign.bars(console)
    note = "63 passed, 0 failed  texcache/tile4x4/verilator/reset_in_traffic/1/200"
    shown.add_task("nightly: texcache texunit", total=2300, completed=63, note=note)
    with console.capture() as capture:
        console.print(shown.get_renderable())
    assert "texcache texunit" in capture.get() and "63/2300" in capture.get()


SLOW = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a parent in the background has it ignored
from dataclasses import replace
from ci.nightly import __main__ as command, campaign, catalogue
from tests.ci.test_nightly import JOBS
catalogue.jobs = lambda *_: [*JOBS, *(replace(JOBS[0], seed=seed) for seed in range(2, 9))]
sys.exit(command.main(["run", "full", "--blocks", "texcache", "--jobs", "1", "--folder", sys.argv[1]]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_campaign_goes_on_and_loses_nothing(how: int, tmp_path: Path) -> None:
    argv = [sys.executable, "-c", SLOW, str(tmp_path)]
    first = subprocess.Popen(argv, cwd=builds.ROOT, stdout=subprocess.PIPE, start_new_session=True, text=True)

    def two_are_done() -> bool:
        assert first.poll() is None
        if not (tmp_path / "results.db").is_file():
            return False
        store = Store(tmp_path / "results.db")
        done = sum(row["jobs"] for row in store.campaigns())
        store.close()
        return done >= 2

    until(two_are_done, "two jobs")
    first.send_signal(how)
    shown = first.communicate(timeout=PATIENCE)[0]
    if how == signal.SIGINT:
        assert "interrupted" in shown and first.returncode == 130
    again = subprocess.run(argv, cwd=builds.ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert "going on with campaign 1:" in again.stdout, again.stdout + again.stderr
    [row] = Store(tmp_path / "results.db").campaigns()
    assert (row["jobs"], row["passed"]) == (10, 10)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["run", "weekly"], "unknown tier 'weekly'"),
        (["run", "full", "--blocks", "nope"], "unknown block 'nope'"),
        (["run", "full", "--jobs", "0"], "--jobs 0: must be at least 1"),
        (["history"], "no campaign yet"),
        (["page"], "no campaign"),
    ],
)
def test_bad_input_is_named(argv: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        command.main([*argv, "--folder", str(tmp_path)])


# -- smoke tier, closure


def test_ranking_reaches_everything_with_little() -> None:
    names = {"wide": {"a", "b", "c"}, "left": {"a", "b"}, "right": {"b", "c"}, "only": {"d"}, "none": set()}
    jobs = {name: Job("texcache", "tiny", "verilator", name, 1, 1) for name in names}
    hit = {jobs[name]: frozenset((label,) for label in bins) for name, bins in names.items()}
    seconds = dict.fromkeys(hit, 1.0)
    assert {job.test for job in smoke.rank(hit, seconds, setup=0)} == {"wide", "only"}
    seconds[jobs["wide"]] = 100.0
    assert {job.test for job in smoke.rank(hit, seconds, setup=0)} == {"left", "right", "only"}
    assert smoke.rank({}, {}) == []


def test_ranking_counts_what_a_configuration_costs_to_build() -> None:
    jobs = [Job("texcache", preset, "", test, 1, 1) for preset, test in ("ax", "bx", "by")]
    hit = dict(zip(jobs, (frozenset({("1",)}), frozenset({("1",)}), frozenset({("2",)})), strict=True))
    seconds = dict(zip(jobs, (1.0, 2.0, 1.0), strict=True))
    assert {job.key for job in smoke.rank(hit, seconds, setup=0)} == {jobs[0].key, jobs[2].key}
    assert {job.key for job in smoke.rank(hit, seconds, setup=9.0)} == {jobs[1].key, jobs[2].key}


def test_a_block_that_was_never_ranked_has_the_smoke_test_of_each_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "smoke_file", lambda block: tmp_path / "none.toml")
    runs = {(run.config, run.simulator, run.seed, run.count) for run in regression.runs("texcache")}
    jobs = catalogue.jobs("smoke", ["texcache"], 1)
    assert {(job.config, job.simulator, job.seed, job.count) for job in jobs} == runs
    assert {job.test for job in jobs} == {"smoke"} and len(jobs) == len(runs)


def test_the_smoke_tier_is_read_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both = [replace(JOBS[1], simulator=simulator) for simulator in ("verilator", "icarus")]
    chosen = [JOBS[0], JOBS[2], *both, replace(JOBS[0], seed=2)]
    path = tmp_path / "smoke.toml"
    smoke.write_smoke(path, chosen)
    monkeypatch.setattr(catalogue, "smoke_file", lambda block: path)
    assert catalogue.jobs("smoke", ["texcache"], 1) == chosen


def test_a_tier_without_jobs_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "smoke.toml"
    path.write_text("")
    monkeypatch.setattr(catalogue, "smoke_file", lambda block: path)
    with pytest.raises(UserError, match="tier smoke of texcache has no jobs"):
        catalogue.jobs("smoke", ["texcache"], 1)


def test_weights_move_towards_rare_bins() -> None:
    steering = closure.Steering("texcache")
    knob, options = "distribution", closure.knobs("texcache")["distribution"]
    assert set(steering.weights(knob).values()) == {1.0}
    for _ in range(20):  # one option goes on finding new bins, the others always the same
        for number, option in enumerate(options):
            job = replace(JOBS[0], steer=((knob, option),))
            new = {f"bin{len(steering.counts.get('p', {}))}": 1} if option == "far" else {"old": 1}
            steering.learn(job, {"p": new})
            assert number < len(options)
    weights = steering.weights(knob)
    assert max(weights, key=lambda name: weights[name]) == "far" and weights["far"] > 2
    assert min(weights.values()) >= closure.FLOOR, "no option is ever left out"
    assert abs(sum(weights.values()) / len(weights) - 1) < 1e-9


def test_rounds_repeat_themselves() -> None:
    def first(seed: int) -> list[Job]:
        return next(closure.rounds(closure.Steering("texunit"), "one-unit", "verilator", seed, 60, 5))

    assert first(3) == first(3)
    assert len({job.key for job in first(3) + first(4)}) == 10
