# SPDX-License-Identifier: Apache-2.0
"""``python -m rtl release``: the Verilog of presets as folders, and as an archive to attach to a release.

The archive's bytes follow from the Verilog alone (with the same zlib): entries are sorted, dates and modes
are fixed.
"""

import zipfile
from collections.abc import Mapping
from os.path import normpath
from pathlib import Path

import configs
from rtl.generate import COMMON, bundle, write_bundle
from rtl.version import commit
from utils import cli
from utils.files import atomic_path
from utils.keys import ROOT

FOLDER = Path("build/verilog")
BESIDE = ("LICENSE", "docs/using-the-verilog.md")  # what goes into an archive, too
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first date that a zip can hold


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(
        prog="python -m rtl release",
        description="Write the Verilog of each preset of a block, or of all blocks, and an archive of it.",
    )
    result.add_argument("block", metavar="BLOCK", nargs="?", help="one of: " + ", ".join(configs.blocks()))
    cli.add_out(result, str(FOLDER))
    return result


def archive(path: Path, files: Mapping[str, bytes]) -> None:
    """Write ``files`` (name -> content) into a zip, below a folder of its name."""
    with atomic_path(path) as temporary, zipfile.ZipFile(temporary, "w") as target:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{path.stem}/{name}", EPOCH)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = 0o100644 << 16
            target.writestr(entry, content)


def release(blocks: tuple[str, ...], out: Path) -> Path:
    """Write ``<block>-<preset>/`` of all presets of ``blocks``, and ``common/``, into ``out``.

    Returns the archive of it there.

    Raises :class:`configs.UserError` for an unknown block.
    """
    chosen = [configs.load(block, preset) for block in blocks for preset in configs.presets(block)]
    packed = {Path(name).name: (ROOT / name).read_bytes() for name in BESIDE}
    for cfg in chosen:
        folder = f"{cfg.block}-{cfg.preset}"
        files = bundle(cfg, commit=commit(), common_folder=f"../{COMMON}")
        write_bundle(out / folder, files)
        packed |= {normpath(f"{folder}/{name}"): text.encode() for name, text in files.items()}
        print(f"{out / folder}: {cfg.description}", flush=True)
    path = out / f"{blocks[0] if len(blocks) == 1 else 'cacheforge'}-verilog.zip"
    archive(path, packed)
    return path


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`configs.UserError` on bad input."""
    arguments = parser().parse_args(argv)
    path = release((arguments.block,) if arguments.block else configs.blocks(), arguments.out or FOLDER)
    print(f"{path}: {path.stat().st_size:,} bytes")
    return 0
