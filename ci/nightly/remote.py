# SPDX-License-Identifier: Apache-2.0
"""Work for a Dask cluster of which only the workers know this project.

Dask's scheduler unpickles what it is given, so a function of ours would have to be importable there. What is
sent instead is :func:`pickle.loads` and bytes, which become a call when a worker unpickles them.
"""

import pickle
import sys
from collections.abc import Callable
from typing import Any

import cloudpickle
from distributed import Client, Future


class _Call:
    """Is made where it is unpickled, and unpickles as what the function returns."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._pickled = cloudpickle.dumps((function, arguments))

    def __reduce__(self) -> tuple[Callable[[bytes], Any], tuple[bytes]]:
        return call_here, (self._pickled,)


def call_here(pickled: bytes) -> Any:
    """In a worker's process: find the checkout whose environment this is, import what is asked for, call it.

    Raises RuntimeError, naming the machine, if the environment is not that of a checkout.
    """
    import importlib.util  # this function is sent as code: what it uses, it imports
    import pickle
    import socket
    import sys
    from pathlib import Path

    if importlib.util.find_spec("ci.nightly" if importlib.util.find_spec("ci") else "ci") is None:
        sys.path.insert(0, str(Path(sys.prefix).parent))  # `make setup` makes .venv in the checkout
        importlib.invalidate_caches()
    try:
        function, arguments = pickle.loads(pickled)
    except ModuleNotFoundError as error:
        raise RuntimeError(
            f"worker {socket.gethostname()} runs {sys.executable}, which is not of a checkout that is set up "
            f"({error}): start .venv/bin/dask worker of one"
        ) from None
    return function(*arguments)


def ask(client: Client, function: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
    """What ``function`` returns on each worker, by its address; or the exception that it raises there."""
    answers: dict[str, Any] = client.run(
        call_here, cloudpickle.dumps((function, arguments)), on_error="return"
    )
    return answers


cloudpickle.register_pickle_by_value(sys.modules[__name__])


def submit(client: Client, function: Callable[..., Any], *arguments: Any, **options: Any) -> "Future[Any]":
    """As :meth:`distributed.Client.submit`; the scheduler need not know ``function``."""
    call = cloudpickle.dumps(_Call(function, arguments))
    return client.submit(pickle.loads, call, pure=False, **options)
