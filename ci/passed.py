# SPDX-License-Identifier: Apache-2.0
"""Which tests passed in this checkout on the sources as they are: what ``RESUME=1`` need not run again.

A test is noted with a hash of all that it may depend on. For most tests that is every file that git knows
or would add, but prose, unless its module, or what that imports, speaks of pages or of whole checkouts. A
test that names blocks, in its path or its parameters, does not depend on what belongs to other blocks: on
paths that name one of these, unless a file of its own block mentions it beside its comments, and on parts of
the RTL that these alone use. Nor does it depend on other tests and what these share, unless its module
imports or names it, on reports, benches, mutants or proofs, unless it speaks of them, or on a ranking, unless
it judges that.
"""

import ast
import hashlib
import platform
import re
import subprocess
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache, cached_property
from importlib import metadata
from pathlib import Path

import configs
from ci.suite import JUDGES_RANKING
from configs import UserError
from rtl import parts
from tb.common.running.tools import identity
from utils.databases import open_cache
from utils.sources import RANKED

PROSE = {".md"}
READS_PROSE = {"md", "docs", "git", "sandbox"}  # words of which a test that reads prose has one
CONFTEST = "tests/conftest.py"
PARTS = "rtl/common"
CODE = {".py", ".mako", ".toml", ".sv", ".v"}
PAGES = {"report", "measure", "page", "campaign"}
#: folders that no simulation and no model needs, and the words of which a test of them has one
LEAVES = {
    "report": PAGES, "measuring": {"measuring", "bench", "frame", "picture", *PAGES}, "bench": {"bench"},
    "ci": {"ci", *PAGES}, "mutate": {"mutate"}, "synth": {"synth", *PAGES},
    "formal": {"formal", "prove", "ci"},
}  # fmt: skip
SETTLED = 30.0  # seconds between looks at whether somebody has edited the sources under the tests


def _names(text: str) -> list[str]:
    """The blocks that ``text`` names as whole words, in its order."""
    known = configs.blocks()
    return [word for word in re.findall(r"[a-z0-9]+", text) if word in known]


def _said(path: Path, text: str) -> str:
    """What ``text``, of the file ``path``, says beside its comments: of Python imports and single words."""
    if path.suffix == ".py":
        tree = ast.parse(text)
        values = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        return " ".join(
            [*_imported(tree), *(one for one in values if isinstance(one, str) and " " not in one)]
        )
    return re.sub(r"^\s*(#|//).*|\s(#|//) .*", "", text, flags=re.MULTILINE)


def _imported(tree: ast.AST) -> set[str]:
    """The modules that a module may import, and what it takes from them, as names with dots."""
    names = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


@cache
def _tools() -> str:
    """Machine, Python, all packages and the simulators that are there: an update makes every note void."""
    packages = sorted(f"{one.name} {one.version}" for one in metadata.distributions())
    simulators = []
    for name in ("verilator", "icarus"):
        with suppress(UserError):
            simulators.append(identity(name))
    return repr((platform.platform(), platform.python_version(), packages, simulators))


class Module:
    """A module of tests: the modules that it may import, by their paths, and all words in it."""

    def __init__(self, text: str) -> None:
        self.words = set(re.findall(r"\w+", text))
        paths = [name.replace(".", "/") for name in _imported(ast.parse(text))]
        self.imports = {f"{path}{end}" for path in paths for end in (".py", "/__init__.py")}


class Sources:
    """The files of a checkout as they are now.

    Raises :class:`UserError` where ``root`` is not a git checkout.
    """

    def __init__(self, root: Path) -> None:
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root, capture_output=True, check=False
        )
        if listed.returncode:
            raise UserError(
                f"{root} is no git checkout, what changed since the last run is not known: leave RESUME out"
            )
        self.root = root
        self.files: dict[str, bytes] = {}  # path -> hash of its content
        self.owner: dict[str, str | None] = {}
        self.users: dict[str, set[str]] = {}  # of a part of the RTL, by its path: blocks
        for path in sorted(set(listed.stdout.decode().split("\0"))):
            file = root / path
            if not path or not file.is_file():
                continue
            content = file.read_bytes()
            self.files[path] = hashlib.sha256(content).digest()
            owner = self.owner[path] = next(iter(_names(path)), None)
            if owner and file.name == parts.FILE:
                for line in filter(str.strip, content.decode().splitlines()):
                    self.users.setdefault(f"{PARTS}/{line.split()[0]}.v.mako", set()).add(owner)
        self.known: dict[tuple[str, frozenset[str], bool], str] = {}

    @cached_property
    def mentions(self) -> dict[str, set[str]]:
        """The blocks that the files of each block mention. Asking whether files have changed takes none."""
        found = {block: {block} for block in configs.blocks()}
        for path, owner in self.owner.items():
            file = self.root / path
            if owner and file.suffix in CODE:
                found[owner] |= set(_names(_said(file, file.read_text())))
        return found

    @cached_property
    def modules(self) -> dict[str, Module]:
        """The modules of tests, by their paths. Nor does that take any of these."""
        return {
            path: Module((self.root / path).read_text())
            for path in self.files
            if path.startswith("tests/") and path.endswith(".py")
        }

    def _needed(self, blocks: Iterable[str]) -> frozenset[str]:
        """``blocks``, those that their files mention, those that these mention, and so on."""
        needed: set[str] = set()
        more = set(blocks)
        while more - needed:
            needed |= more
            more = set().union(*(self.mentions[block] for block in needed))
        return frozenset(needed)

    def hash(self, test: str) -> str:
        """Names all that ``test``, an id of pytest, may depend on."""
        module, _, rest = test.partition("::")
        blocks = self._needed(_names(module) + _names(rest.partition("[")[2]))
        key = module, blocks, test.startswith(JUDGES_RANKING)
        if key not in self.known:
            self.known[key] = self._hash(*key)
        return self.known[key]

    def _shared(self, module: str) -> tuple[set[str], set[str]]:
        """What tests share and ``module`` needs: modules that it imports, or that these import, and other
        files whose name or folder one of them names; and all words of these modules.
        """
        needed, left = set[str](), {module}
        while left:
            needed |= left
            known = [self.modules[path] for path in left if path in self.modules]
            left = {path for path in self.modules if any(path in one.imports for one in known)} - needed
        words = set[str]().union(*(self.modules[path].words for path in needed if path in self.modules))
        files = {path for path in self.files if path.startswith("tests/")} - self.modules.keys()
        needed |= {path for path in files if words & {Path(path).stem, *Path(path).parts[2:-1]}}
        return needed, words

    def _hash(self, module: str, blocks: frozenset[str], ranking: bool) -> str:
        shared, words = self._shared(module)
        prose = module not in self.modules or bool(words & READS_PROSE)
        leaves = {leaf for leaf, of in LEAVES.items() if not words & of}
        total = hashlib.sha256(_tools().encode())
        for path, content in self.files.items():
            file = Path(path)
            if file.suffix in PROSE and not prose:
                continue
            if blocks and path != module:
                others = self.owner[path] not in {None, *blocks} or not blocks & self.users.get(path, blocks)
                if others:
                    continue
                if leaves & set(file.parts[:3]):  # ci/mutate, tb/<block>/measuring
                    continue
                if file.parts[0] == "tests" and path not in {CONFTEST, *shared}:
                    continue
                if file.name == RANKED and not ranking:
                    continue
            total.update(path.encode() + content)
        return total.hexdigest()


class Passed:
    """The record of the checkout ``root``, in the SQLite file ``path``.

    Notes are kept back until a look at the sources has shown that nobody edited them meanwhile.
    """

    def __init__(self, path: Path, root: Path) -> None:
        self.root, self.sources = root, Sources(root)
        self.base = open_cache(path)
        self.base.execute(
            "create table if not exists tests (test text primary key, sources text, seconds real)"
        )
        rows = self.base.execute("select test, sources, seconds from tests")
        #: the tests that passed before, on these sources, and the seconds of CPU that each took
        self.before = {test: cost for test, sources, cost in rows if self.sources.hash(test) == sources}
        self.waiting: dict[str, float] = {}
        self.looked, self.edited = time.monotonic(), False

    def note(self, test: str, seconds: float) -> None:
        """``test`` has passed; ``seconds`` of CPU that it took."""
        self.waiting[test] = seconds
        if time.monotonic() - self.looked > SETTLED:
            self.write()

    def write(self) -> None:
        """Write down what waits, unless the sources have changed since this was made."""
        self.edited = self.edited or Sources(self.root).files != self.sources.files
        self.looked = time.monotonic()
        if not self.edited:
            rows = [(test, self.sources.hash(test), cost) for test, cost in self.waiting.items()]
            with self.base:
                self.base.executemany("insert or replace into tests values (?, ?, ?)", rows)
        self.waiting.clear()
