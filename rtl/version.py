# SPDX-License-Identifier: Apache-2.0
"""Version and commit of package, Verilog and cores: ``version.toml``, and the checkout's git."""

import subprocess
import tomllib
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
_DECLARED = tomllib.loads((HERE / "version.toml").read_text())
VERSION: str = _DECLARED["version"]
COMMON: str = _DECLARED["common"]["version"]
COMMIT = HERE / "commit.txt"
"""Written into the package for pip, which has no git."""


def maker(commit: str, version: str = VERSION) -> str:
    """The words of a header: ``cacheforge 2.0.1, commit 0123456789ab,``, without a commit the first two."""
    return f"cacheforge {version}{f', commit {commit},' if commit else ''}"


@cache
def commit() -> str:
    """The checkout's commit, with ``+changes`` if its files differ; "unknown" where there is no git."""
    if COMMIT.is_file():
        return COMMIT.read_text().strip()
    options = ["--always", "--exclude=*", "--abbrev=12", "--dirty=+changes"]
    try:
        done = subprocess.run(
            ["git", "-C", HERE, "describe", *options], capture_output=True, text=True, check=False
        )
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"
