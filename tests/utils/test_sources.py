# SPDX-License-Identifier: Apache-2.0
"""Keys follow from modules: each kind of file that decides a result is in its key, others are not."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from configs import UserError
from utils.keys import ROOT
from utils.sources import Dependencies, Tree, check_unchanged

FILES = {
    "configs/__init__.py": "from configs.base import load\n",
    "configs/base.py": 'names = path.glob("*.toml")\nimport_module(f"{__package__}.{block}.schema")\n',
    "configs/one/__init__.py": "",
    "configs/one/schema.py": "from configs.inner.schema import Config\n",
    "configs/one/base.toml": "ways = 4\n",
    "configs/inner/__init__.py": "",
    "configs/inner/schema.py": "",
    "configs/inner/base.toml": "",
    "configs/two/__init__.py": "",
    "configs/two/schema.py": "",
    "configs/two/base.toml": "",
    "programs/__init__.py": 'IMAGES = HERE / "images"\nimage = read(IMAGES / f"{name}.hex")\n',
    "programs/images/loop.hex": "0001\n",
    "programs/about.md": "prose\n",
    "tb/__init__.py": "",
    "tb/run.py": 'import configs\nimport_module(f"tb.{block}.measuring")\nstart("-m", "tb.child")\n',
    "tb/child.py": 'read(HERE / "replay.h")\n',
    "tb/replay.h": "int x;\n",
    "tb/unused.h": "int x;\n",
    "tb/helper.py": "",
    "tb/one/__init__.py": "",
    "tb/one/items.py": "def late():\n    from tb import helper\n",
    "tb/one/measuring/__init__.py": "from tb.one import items\nimport programs\n",
    "tb/one/unused.py": "",
    "tb/two/__init__.py": "",
    "tb/two/measuring/__init__.py": "",
    "docs/page.md": "",
}
DECIDES = {
    "imported": "configs/base.py",
    "imported by name alone": "tb/one/measuring/__init__.py",
    "imported from a package": "tb/one/items.py",
    "imported in a function": "tb/helper.py",
    "run as another process": "tb/child.py",
    "a preset": "configs/one/base.toml",
    "a preset of a block inside": "configs/inner/base.toml",
    "a program": "programs/images/loop.hex",
    "a header": "tb/replay.h",
}
OTHERS = {
    "prose": "docs/page.md",
    "prose beside a module": "programs/about.md",
    "another block": "tb/two/measuring/__init__.py",
    "a preset of another block": "configs/two/base.toml",
    "imported by nothing": "tb/one/unused.py",
    "read by nothing": "tb/unused.h",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with two blocks, of which one contains a third."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def depend(root: Path) -> Dependencies:
    return Dependencies(Tree(root, root / "sources.json"), ["tb.run"], "one")


@pytest.mark.parametrize("name", DECIDES.values(), ids=DECIDES)
@pytest.mark.parametrize("edit", ["changed", "removed"])
def test_a_file_that_decides_is_in_the_key(root: Path, name: str, edit: str) -> None:
    path, before = root / name, depend(root)
    assert path in before.files and depend(root).key == before.key
    path.write_text(path.read_text() + "\n") if edit == "changed" else path.unlink()
    assert depend(root).key != before.key
    with pytest.raises(UserError, match="sources were edited while this ran"):
        check_unchanged(before)
    path.write_text(FILES[name])
    assert depend(root).key == before.key


@pytest.mark.parametrize("name", OTHERS.values(), ids=OTHERS)
def test_other_files_are_not(root: Path, name: str) -> None:
    before = depend(root)
    (root / name).write_text("changed = 1\n")
    assert depend(root).key == before.key
    check_unchanged(before)


@pytest.mark.parametrize("content", ["", "[]", '{"tb/run.py": {"sha": 1}}', "{", "\0"])
def test_what_was_noted_of_files_may_be_damaged(root: Path, content: str) -> None:
    key = depend(root).key
    (root / "sources.json").write_text(content)
    assert depend(root).key == key


ROOMS = ("utils", "configs", "models", "workloads", "tb", "tests", "report")
#: measures the first workload of a block in this process, and prints the files of ours that it opened
MEASURED = """
import json, sys
block, out, first = sys.argv[1:]
opened = set()
def note(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and "w" not in str(arguments[1]):
        opened.add(arguments[0])
sys.addaudithook(note)
import importlib
from utils import cli
from tb.common.measuring import command
what = importlib.import_module(f"tb.{block}.measuring").MEASUREMENT
arguments = command._parser(block, what).parse_args(["--quick", "--out", out])
order = what.order(arguments, cli.chosen_config(arguments), "make report")
[workload, *_] = [one for one in what.plan(order) if one.id.startswith(first)]
workload.measure(order)
opened |= {module.__file__ for module in sys.modules.values() if getattr(module, "__file__", None)}
print(json.dumps(sorted(opened)))
"""


def test_a_measurement_opens_nothing_that_is_not_in_its_key(tmp_path: Path) -> None:
    """But the templates of the RTL, whose Verilog is in the key."""
    block = "icache"
    words = [sys.executable, "-c", MEASURED, block, str(tmp_path), "loop"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    opened = {Path(name) for name in json.loads(done.stdout.splitlines()[-1]) if name.startswith(f"{ROOT}/")}
    ours = {path for path in opened if path.suffix != ".pyc" and path.parts[len(ROOT.parts)] in ROOMS}
    dependencies = Dependencies(Tree(), ["tb.common.measuring.command"], block, ("rtl",))
    assert len(ours) > 50 and ours <= set(dependencies.files)
    assert not [
        path for path in dependencies.files if {"simple", "zcache"} & set(path.relative_to(ROOT).parts)
    ]
