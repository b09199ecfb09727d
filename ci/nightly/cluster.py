# SPDX-License-Identifier: Apache-2.0
"""Jobs on a Dask cluster: a local one with a process per core, or an existing scheduler's.

A worker that dies costs its job a second try on another worker, nothing else. Results come one by one and are
stored as they come. A scheduler needs nothing of this project; workers of other machines need a checkout of
the same revision that is set up: one with other sources is refused.
"""

import logging
import socket
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from distributed import Client, KilledWorker, LocalCluster, as_completed

from ci.nightly.catalogue import Job, Work, sources_keys
from ci.nightly.job import FULL, OtherSourcesError, Result, run
from ci.nightly.remote import ask, submit
from configs import UserError
from utils.databases import ROOM
from utils.keys import ROOT

TRIES = 3  # of a job whose worker died
TOGETHER = 8  # tests in one simulation: what a worker that dies costs at most
CONNECT_SECONDS = 15
POLL_SECONDS = 0.05
LOOK_SECONDS = 5.0  # between looks at whether other workers have come

#: told each result as it comes
Taker = Callable[[Result], None]


@contextmanager
def cluster(scheduler: str | None, workers: int) -> Iterator[Client]:
    """A client of the scheduler at an address like ``tcp://host:8786``, or of a local cluster.

    Raises :class:`UserError` if nobody answers there.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    if scheduler:
        try:
            client = Client(scheduler, timeout=CONNECT_SECONDS)
        except (OSError, ValueError) as error:
            raise UserError(f"--scheduler {scheduler}: no Dask scheduler answers there ({error})") from None
        with client:
            try:
                client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            except TimeoutError:
                raise UserError(
                    f"--scheduler {scheduler}: it has no workers; start '.venv/bin/dask worker {scheduler}' "
                    "in a checkout that is set up"
                ) from None
            yield client
        return
    local = LocalCluster(
        n_workers=workers, threads_per_worker=1, memory_limit=0, dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    )  # fmt: skip
    with local, Client(local) as client:
        yield client


def simulations(jobs: Sequence[Job], most: int = TOGETHER) -> list[list[Job]]:
    """Jobs that differ in the test alone share a simulation, at most ``most`` of them."""
    alike: dict[Job, list[Job]] = {}
    for job in jobs:
        alike.setdefault(replace(job, test=""), []).append(job)
    return [same[at : at + most] for same in alike.values() for at in range(0, len(same), most)]


def longest_first(parts: Sequence[list[Job]], seconds: Mapping[Work, float]) -> list[list[Job]]:
    """Simulations in the order in which to send them, so that no worker idles while the last long one runs.

    ``seconds`` of tests are those of earlier campaigns. A simulation with a test that has none may be the
    longest and goes first: Icarus before Verilator, then by transactions. Before all others goes one for each
    build: workers that need the same build wait for each other.
    """

    def length(some: list[Job]) -> tuple[float, ...]:
        durations = [seconds.get(job.work) for job in some]
        if None not in durations:
            return (0, 0, sum(filter(None, durations)))
        return (1, some[0].simulator == "icarus", sum(job.count for job in some))

    ordered = sorted(parts, key=length, reverse=True)
    builders = {some[0].build: some for some in reversed(ordered)}
    first = {id(some) for some in builders.values()}
    return sorted(ordered, key=lambda some: id(some) not in first)


@dataclass(frozen=True)
class Accepted:
    """The workers that may run jobs: all, or, where some are ``refused``, those ``among`` the others.

    ``present``: all workers when they were asked.
    """

    present: frozenset[str]
    refused: dict[str, str]

    @classmethod
    def ask(cls, client: Client, keys: Mapping[str, str]) -> "Accepted":
        """Ask all workers for the ``keys`` of their sources. Raises :class:`UserError` if none has these."""
        answers = ask(client, _sources, list(keys))
        refused = {
            address: str(answer) if isinstance(answer, Exception) else f"{address} in {answer[0]}"
            for address, answer in answers.items()
            if isinstance(answer, Exception) or answer[1] != keys
        }
        if answers and len(refused) == len(answers):
            raise UserError(
                f"no worker has the sources of this checkout: {'; '.join(refused.values())}; bring them to "
                "the same revision, and do not edit files while a campaign runs"
            )
        return cls(frozenset(answers), refused)

    @property
    def among(self) -> list[str] | None:
        """Addresses of those that may, None for any."""
        return sorted(self.present - self.refused.keys()) if self.refused else None

    def outdated(self, client: Client) -> bool:
        """Whether those that may are no longer the ones that are there."""
        return bool(self.refused) and self.present != set(client.scheduler_info(n_workers=-1)["workers"])


def _sources(blocks: Sequence[str]) -> tuple[str, dict[str, str]]:
    """On a worker: where its checkout is, and the keys of its sources."""
    return f"{socket.gethostname()}:{ROOT}", sources_keys(blocks)


def run_all(
    client: Client,
    jobs: Sequence[Job],
    take: Taker,
    work: Callable[..., list[Result]] = run,
    seconds: Mapping[Work, float] | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Run ``jobs``; ``take`` is told each result. A job whose worker dies again and again has failed.

    A worker with other sources is refused: ``say`` is told so once, and its jobs go to the others.
    ``seconds``: see :func:`longest_first`. Raises :class:`UserError` where nothing can go on.
    """
    keys = sources_keys({job.block for job in jobs})
    left = dict(enumerate(longest_first(simulations(jobs), seconds or {})))
    said = set[str]()
    while left:
        accepted = Accepted.ask(client, keys)
        for address, where in accepted.refused.items():
            if address not in said:
                say(f"refused: worker {where}, with other sources than this checkout; the others do its jobs")
        said |= accepted.refused.keys()
        _run_on(client, accepted, left, keys, take, work)


def _run_on(
    client: Client, accepted: Accepted, left: dict[int, list[Job]], keys: Mapping[str, str], take: Taker,
    work: Callable[..., list[Result]],
) -> None:  # fmt: skip
    """Run the simulations that are ``left`` and take them out, until none is or other workers may."""
    call = uuid.uuid4().hex
    futures: dict[Any, int] = {
        submit(
            client, work, some, keys[some[0].block], key=("simulations", call, n), retries=TRIES, priority=-n,
            workers=accepted.among,
        ): n
        for n, some in left.items()
    }  # fmt: skip
    try:
        ended, looked = as_completed(futures), time.monotonic()
        while futures:
            for future in ended.next_batch(block=False):
                if not _taken(future, left[futures[future]], take):
                    return
                del left[futures.pop(future)]
                future.release()
            time.sleep(POLL_SECONDS)
            if time.monotonic() - looked > LOOK_SECONDS:
                looked = time.monotonic()
                if accepted.outdated(client):
                    return
    finally:
        client.cancel(list(futures))


def _taken(future: Any, some: list[Job], take: Taker) -> bool:
    """Whether a simulation has ended, and its results were taken; not if its worker has other sources."""
    if future.cancelled():
        raise UserError(
            "the Dask scheduler is gone; what was done is stored, and the same command goes on with "
            "the rest once a scheduler is there again"
        )
    error = future.exception()
    if isinstance(error, OtherSourcesError):
        return False
    if isinstance(error, OSError) and error.errno in FULL:
        raise UserError(f"a worker has no room left: {error}; {ROOM}")
    if error is None:
        results = future.result()
    else:
        died = isinstance(error, KilledWorker)
        words = f"its worker died {TRIES + 1} times" if died else str(error)
        results = [Result(job, "failed", 0.0, type(error).__name__, words) for job in some]
    for result in results:
        take(result)
    return True
