# SPDX-License-Identifier: Apache-2.0
"""A copy of the project's Makefile and set-up in which every installer is a stub that notes its call."""

import shutil
import subprocess
from pathlib import Path

from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
COMMANDS = (
    *("awk", "bash", "cat", "chmod", "cp", "cut", "date", "dirname", "env", "find", "flock", "grep", "id"),
    *("make", "mkdir", "mv", "rm", "sed", "sha256sum", "sleep", "sort", "stat", "tail", "tr"),
)

CI = ("setup.sh", "clean.sh", "commands.py", "commands.toml")

# Stands for python3 and, copied by "-m venv", for .venv/bin/python; pip fails while the file pip-fails exists
PYTHON = """#!/bin/bash
echo "python $*" >>"{calls}"
case "$1 $2" in
    "-m venv") mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; echo "{root}/.venv" >"$3/bin/activate" ;;
    "-m pip") if [[ $3 == install && -e "{root}/pip-fails" ]]; then echo "no network"; exit 1; fi ;;
    -V*) echo "Python 3.11.2" ;;
esac
"""
APT = """#!/bin/bash
echo "apt-get $*" >>"{calls}"
[[ $1 == update ]] && exit 0
for package; do [[ $package == [a-z]* ]] && : >"{bin}/$package" && chmod +x "{bin}/$package"; done
exit 0
"""
NO_SUDO = "#!/bin/bash\nexit 1\n"
ID = "#!/bin/bash\necho {user}\n"


class Sandbox:
    """The project's set-up in ``root``, with a PATH that holds nothing but ``COMMANDS`` and stubs."""

    def __init__(self, root: Path, *, user: int = 0, present: tuple[str, ...] = ()) -> None:
        self.root, self.bin, self.calls_file = root, root / "bin", root / "calls"
        self.bin.mkdir()
        (root / "ci").mkdir()
        for name in ("Makefile", "requirements.txt", *(f"ci/{name}" for name in CI)):
            shutil.copy(ROOT / name, root / name)
        for command in COMMANDS:
            (self.bin / command).symlink_to(shutil.which(command) or f"/usr/bin/{command}")
        (self.bin / "id").unlink()
        for name, text in {"id": ID, "python3": PYTHON, "apt-get": APT, "sudo": NO_SUDO}.items():
            self.stub(name, text.format(user=user, root=root, bin=self.bin, calls=self.calls_file))
        for name in present:
            self.stub(name, "#!/bin/bash\n")

    def stub(self, name: str, text: str) -> None:
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)

    def run(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run ``command`` in the sandbox and return what it said."""
        self.calls_file.write_text("")
        settings = {"PATH": str(self.bin), "HOME": str(self.root), "LC_ALL": "C", **environment}
        nothing = subprocess.DEVNULL
        return subprocess.run(
            command, cwd=self.root, env=settings, stdin=nothing, capture_output=True, text=True,
            timeout=PATIENCE,
        )  # fmt: skip

    def setup(self, *components: str) -> subprocess.CompletedProcess[str]:
        return self.run("bash", "ci/setup.sh", *components)

    def make(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return self.run("make", *arguments, **environment)

    @property
    def calls(self) -> list[str]:
        """What the stubs were called with during the last run, the questions about versions left out."""
        lines = self.calls_file.read_text().splitlines()
        return [line for line in lines if line.startswith(("apt-get", "python -m"))]
