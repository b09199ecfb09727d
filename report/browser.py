# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium: opens the page, collects what its console says, takes its picture, without a network."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from configs import UserError
from utils.files import atomic_path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: no profile of the user's, no background traffic; every host name fails to resolve
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--enable-logging=stderr",
)
TIMEOUT = 120  # seconds
_CONSOLE = re.compile(r":CONSOLE(?::\d+|\(\d+\))?\] (.*)$")


def find() -> str:
    """Path of the browser. Raises :class:`UserError` that says what to install."""
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    raise UserError("no Chromium found: install it (Debian: apt-get install chromium) and try again")


def _run(page: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    if not page.is_file():
        raise UserError(f"{page}: no such page; run make report first")
    with tempfile.TemporaryDirectory(prefix="cacheforge-browser-", ignore_cleanup_errors=True) as profile:
        command = [find(), *FLAGS, f"--user-data-dir={profile}", *flags, page.resolve().as_uri()]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            raise UserError(f"{page}: Chromium did not finish within {TIMEOUT} s") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise UserError(f"{page}: Chromium ended with code {done.returncode}: {last}")
    return done


def open_page(page: Path) -> tuple[str, list[str]]:
    """The document as the browser sees it once its scripts have run, and all console messages."""
    done = _run(page, "--dump-dom")
    messages = [match.group(1) for line in done.stderr.splitlines() if (match := _CONSOLE.search(line))]
    return done.stdout, messages


def screenshot(page: Path, picture: Path, width: int = 1360, height: int = 1180, dark: bool = False) -> None:
    """A PNG of the page's top ``width`` x ``height`` pixels."""
    flags = ["--force-dark-mode", "--blink-settings=preferredColorScheme=0"] if dark else []
    with atomic_path(picture) as temporary:
        _run(page, f"--window-size={width},{height}", f"--screenshot={temporary}", *flags)
        if not temporary.stat().st_size:
            raise UserError(f"{picture}: Chromium wrote no picture of {page}")
