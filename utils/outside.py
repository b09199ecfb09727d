# SPDX-License-Identifier: Apache-2.0
"""A command outside the project's environment ends in one line that says what to type, not in a traceback.

Imported first by every package that has commands, so nothing but the standard library may be imported here.
"""

import os
import sys
from pathlib import Path
from types import TracebackType

ENVIRONMENT = ".venv/bin/python"
ROOT = Path(__file__).resolve().parent.parent


def explain(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """For ``sys.excepthook``: a package of others that is missing is one line and exit code 2."""
    name = getattr(error, "name", None) or ""
    ours = (ROOT / name.partition(".")[0]).exists()
    if not issubclass(kind, ModuleNotFoundError) or ours:
        sys.__excepthook__(kind, error, trace)
        return
    command = " ".join([ENVIRONMENT, *sys.orig_argv[1:]])
    print(
        f"error: {sys.executable} has no module {name}: run make, which lists the targets (each sets up what "
        f"it needs); after that {command} works, too",
        file=sys.stderr,
        flush=True,
    )
    os._exit(2)


# so it is until the module to run is found, and never where we are a library
if sys.argv[0] == "-m" and __package__ == "utils":
    sys.excepthook = explain
