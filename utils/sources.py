# SPDX-License-Identifier: Apache-2.0
"""Files of this project that a module depends on, derived from the modules themselves.

From the named modules on, these are followed: imports anywhere in a file, texts that are a module's name
(``python -m`` of another process), and names with gaps, as in ``import_module(f"tb.{block}.knobs")``, which
stand for the modules of the block in question. A package's data files count if a module says their name, or a
module of that package, of one inside it or around it, says their ending. Prose never counts.
"""

import ast
import hashlib
import json
import platform
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from importlib import metadata
from pathlib import Path

from utils.errors import UserError
from utils.files import write_atomic
from utils.keys import INSTALLED, ROOT, digest, kept

PROSE = {".md"}
RANKED = "smoke.toml"  # written by a ranking: decides nothing but what is run
CONTAINED = ("configs", "rtl")  # rooms whose files count of the blocks inside a block, too
HERE = "{package}"  # stands in a name with gaps for the package of the module that says it
_NAME = re.compile(r"[a-z_]\w*(\.\w+)+")
_GAPS = re.compile(r"(\{package\}|[a-z_]\w*)(\.(\w+|\*))+")
_FILE = re.compile(r"([\w./-]*/)?([\w-]+(\.\w+)+)")
_NAMES = re.compile(r"[\w-]+(?:\.\w+)+")
_ENDING = re.compile(r"\*?((\.\w+)+)")


@dataclass(frozen=True)
class Facts:
    """A Python file's imports, texts that may be modules' names, names of modules with gaps, names of files,
    and endings of names; ``sha`` of its text.
    """

    sha: str
    imports: list[str]
    texts: list[str]
    gaps: list[str]
    files: list[str]
    endings: list[str]


def read(text: bytes, package: str) -> Facts:
    """The facts of a file of ``package``; a file that is no Python imports nothing."""
    imports, texts, gaps, files, endings = (set[str]() for _ in range(5))
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError):
        nodes = []
    for node in nodes:
        if isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            name = ".".join([*above, *([node.module] if node.module else [])])
            imports |= {name, *(f"{name}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.JoinedStr):
            name = "".join(map(_part, node.values))
            gaps |= {name} if _GAPS.fullmatch(name) else set()
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts |= {node.value} if _NAME.fullmatch(node.value) else set()
            files |= {match[2]} if (match := _FILE.fullmatch(node.value)) else set()
            endings |= {match[1]} if (match := _ENDING.fullmatch(node.value)) else set()
    return Facts(_sha(text), *map(sorted, (imports, texts, gaps, files, endings)))


def _part(value: ast.expr) -> str:
    if isinstance(value, ast.Constant):
        return str(value.value)
    inner = value.value if isinstance(value, ast.FormattedValue) else None
    return HERE if isinstance(inner, ast.Name) and inner.id == "__package__" else "*"


def _sha(text: bytes) -> str:
    return hashlib.blake2b(text, digest_size=16).hexdigest()


class Tree:
    """The files below ``root`` as they are now, each read once; ``cached`` keeps the facts of Python files,
    which are parsed again only if their text has changed.
    """

    def __init__(self, root: Path = ROOT, cached: Path | None = None) -> None:
        self.root, self.cached, self.new = root, cached, False
        self.facts: dict[Path, Facts] = {}
        self.there: dict[Path, bool] = {}
        self.blocks = {path.parent.name for path in (root / "configs").glob("*/schema.py")}
        self.known: dict[str, dict[str, object]] = {}
        with suppress(OSError, ValueError, TypeError):  # damaged, or not there
            self.known.update(json.loads((cached or Path()).read_text()))

    def of(self, path: Path) -> Facts:
        """The facts of a Python file."""
        if path not in self.facts:
            text, name = path.read_bytes(), str(path.relative_to(self.root))
            try:
                facts = Facts(**self.known[name])  # type: ignore[arg-type]
            except (KeyError, TypeError):
                facts = None
            if facts is None or facts.sha != _sha(text):
                self.new, facts = True, read(text, ".".join(path.relative_to(self.root).parent.parts))
                self.known[name] = asdict(facts)
            self.facts[path] = facts
        return self.facts[path]

    def save(self) -> None:
        """Keep what was parsed; a folder that nobody may write to does without."""
        if self.cached and self.new:
            self.new = False
            with suppress(OSError):
                write_atomic(self.cached, json.dumps(self.known))

    def find(self, name: str) -> Iterator[Path]:
        """The file of a module, and those of the packages that it is in; of others nothing."""
        parts = name.removeprefix("cacheforge.").split(".") if INSTALLED else name.split(".")
        for end in range(1, len(parts) + 1):
            place = self.root.joinpath(*parts[:end])
            yield from filter(self._is_file, (place / "__init__.py", place.with_suffix(".py")))

    def _is_file(self, path: Path) -> bool:
        if path not in self.there:
            self.there[path] = path.is_file()
        return self.there[path]

    def names(self, path: Path) -> set[str]:
        """The blocks that a path names."""
        return self.blocks & {*path.relative_to(self.root).parts[:-1], path.name.partition(".")[0]}


class Dependencies:
    """All files that ``modules`` depend on where ``block`` is the block in question.

    ``beside``: rooms that are not followed, as what they make is in the key itself.
    """

    def __init__(
        self, tree: Tree, modules: Iterable[str], block: str = "", beside: Iterable[str] = ()
    ) -> None:
        self.asked = tuple(modules), block, tuple(beside)
        self.tree, self.block, self.beside = tree, block, set(beside)
        self.modules, self.outside = set[Path](), set[str]()
        self.wanted, self.gaps = list(modules), set[tuple[str, str]]()
        self.context = {block} - {""}
        while self.wanted or self._filled():
            self._follow(self.wanted.pop())
        tree.save()

    def _follow(self, name: str) -> None:
        paths = [] if name.partition(".")[0] in self.beside else set(self.tree.find(name)) - self.modules
        for path in paths:
            self.modules.add(path)
            facts, package = self.tree.of(path), path.relative_to(self.tree.root).parent
            self.wanted += [*facts.imports, *facts.texts]
            self.outside |= {name.partition(".")[0] for name in facts.imports}
            self.gaps |= {(gap, ".".join(package.parts)) for gap in facts.gaps}
            if package.parts[:1] == ("configs",):
                self.context |= self.tree.names(path)

    def _filled(self) -> bool:
        """Whether names with gaps stand for modules that are not followed yet: these are wanted now."""
        root = self.tree.root
        for gap, origin in self.gaps:
            place = gap.replace(HERE, origin).lstrip(".").replace(".", "/")
            paths = [*root.glob(str(Path(place).parent / "__init__.py")), *root.glob(f"{place}.py")]
            paths += [path for folder in root.glob(place) if folder.is_dir() for path in folder.rglob("*.py")]
            for path in paths:
                room = path.relative_to(root).parts[0]
                blocks = self.context if room in CONTAINED else {self.block}
                named = self.tree.names(path)
                if path not in self.modules and room not in self.beside and named and named <= blocks:
                    self.wanted.append(_module(path.relative_to(root)))
        return bool(self.wanted)

    @cached_property
    def files(self) -> list[Path]:
        """The modules, and the data files of their packages that they speak of, in order."""
        names = {name for path in self.modules for name in self.tree.of(path).files}
        said = [(path.parent, tuple(self.tree.of(path).endings)) for path in self.modules]
        packages = {path.parent for path in self.modules if path.name == "__init__.py"}
        data = {
            path: tuple(ending for package, endings in said if _near(package, folder) for ending in endings)
            for folder in packages for path in _data(folder) if self.tree.names(path) <= self.context
        }  # fmt: skip
        files = set[Path]()
        while new := {path for path in data if path.name in names or path.name.endswith(data[path])} - files:
            files |= new
            for path in (path for path in new if path.suffix == ".toml"):  # which may name others
                names |= set(_NAMES.findall(path.read_text()))
        return sorted(self.modules | files)

    @cached_property
    def versions(self) -> dict[str, str]:
        """Of Python, and of the packages of others that a module imports."""
        others = self.outside - sys.stdlib_module_names
        names = {name for module in others for name in _distributions().get(module, ())}
        packages = {name: metadata.version(name) for name in sorted(names)}
        return {"python": platform.python_version(), **packages}

    @cached_property
    def key(self) -> str:
        """16 hex digits over names and contents of all files."""
        return self._key(self.files)

    @cached_property
    def code(self) -> str:
        """16 hex digits over names and contents of the modules alone."""
        return self._key(sorted(self.modules))

    def _key(self, files: Iterable[Path]) -> str:
        parts: list[str | bytes] = []
        for path in files:
            parts += [str(path.relative_to(self.tree.root)), path.read_bytes()]
        return digest(parts)


def _near(folder: Path, other: Path) -> bool:
    """Whether a package is the other one, or one of both is inside the other."""
    return folder == other or folder in other.parents or other in folder.parents


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _data(folder: Path) -> Iterator[Path]:
    """The data files of a package, with those of folders in it that are no packages."""
    for path in folder.iterdir():
        if path.is_dir():
            if path.name != "__pycache__" and not (path / "__init__.py").is_file():
                yield from _data(path)
        elif path.suffix not in {".py", *PROSE} and path.name != RANKED:
            yield path


@cache
def _distributions() -> dict[str, list[str]]:
    return {module: list(names) for module, names in metadata.packages_distributions().items()}


@cache
def _tree() -> Tree:
    return Tree(cached=kept("sources.json"))


@cache
def dependencies(*modules: str, block: str = "", beside: tuple[str, ...] = ()) -> Dependencies:
    """As of the first time that this process asks."""
    return Dependencies(_tree(), modules, block, beside)


def sources_key(*modules: str, block: str = "", beside: tuple[str, ...] = ()) -> str:
    """16 hex digits over all that ``modules`` depend on, see :class:`Dependencies`."""
    return dependencies(*modules, block=block, beside=beside).key


def check_unchanged(before: Dependencies) -> None:
    """Raises :class:`UserError` if a file differs from what ``before.key`` was made of."""
    if Dependencies(Tree(before.tree.root, before.tree.cached), *before.asked).key != before.key:
        raise UserError("sources were edited while this ran: run it again; nothing of it was kept")
