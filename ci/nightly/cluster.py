# SPDX-License-Identifier: Apache-2.0
"""Jobs on a Dask cluster: a local one with a process per core, or an existing scheduler's.

A worker that dies costs its job a second try on another worker, nothing else. Results come one by one and are
stored as they come. A scheduler needs nothing of this project; workers of other machines need a checkout of
the same revision that is set up.
"""

import logging
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from distributed import Client, KilledWorker, LocalCluster, as_completed

from ci.nightly.catalogue import Job, Work, sources_key
from ci.nightly.job import Result, run
from ci.nightly.remote import submit
from configs import UserError

TRIES = 3  # of a job whose worker died
TOGETHER = 8  # tests in one simulation: what a worker that dies costs at most
CONNECT_SECONDS = 15

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
        known = [seconds.get(job.work) for job in some]
        if None not in known:
            return (0, 0, sum(filter(None, known)))
        return (1, some[0].simulator == "icarus", sum(job.count for job in some))

    ordered = sorted(parts, key=length, reverse=True)
    builders = {some[0].build: some for some in reversed(ordered)}
    first = {id(some) for some in builders.values()}
    return sorted(ordered, key=lambda some: id(some) not in first)


def run_all(
    client: Client,
    jobs: Sequence[Job],
    take: Taker,
    work: Callable[..., list[Result]] = run,
    seconds: Mapping[Work, float] | None = None,
) -> None:
    """Run ``jobs``; ``take`` is told each result. A job whose worker dies again and again has failed.

    ``seconds``: see :func:`longest_first`.
    """
    if not jobs:
        return
    sources, call = sources_key(), uuid.uuid4().hex
    parts = longest_first(simulations(jobs), seconds or {})
    futures: dict[Any, list[Job]] = {
        submit(client, work, some, sources, key=("simulations", call, n), retries=TRIES, priority=-n): some
        for n, some in enumerate(parts)
    }
    try:
        for future in as_completed(futures):
            some = futures.pop(future)
            if future.cancelled():
                raise UserError(
                    "the Dask scheduler is gone; what was done is stored, and the same command goes on with "
                    "the rest once a scheduler is there again"
                )
            error = future.exception()
            if error is None:
                found = future.result()
            else:
                died = isinstance(error, KilledWorker)
                words = f"its worker died {TRIES + 1} times" if died else str(error)
                found = [Result(job, "failed", 0.0, type(error).__name__, words) for job in some]
            for result in found:
                take(result)
            future.release()
    except BaseException:
        client.cancel(list(futures))
        raise
