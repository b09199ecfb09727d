# SPDX-License-Identifier: Apache-2.0
"""``python -m workloads.simt.images``: make the shipped images anew from their sources; needs ``ziglang``."""

from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from utils.cli import run
from utils.files import atomic_path
from workloads.simt.programs import PROGRAMS
from workloads.simt.programs.program import IMAGES
from workloads.simt.toolchain import DATA, SOURCES, build

STEP = 4096  # of the addresses that data is linked to


def texts() -> dict[str, str]:
    """The text of each image, by name. Raises UserError."""
    names = sorted({program.image or program.name for program in PROGRAMS.values()})
    sources = {path.stem: path for path in SOURCES.iterdir() if path.suffix in (".c", ".s")}
    return {name: build(sources[name], DATA + STEP * number).text() for number, name in enumerate(names, 1)}


def main(_: list[str]) -> int:
    """Write them, with the date of no day: the same texts are the same file."""
    with atomic_path(IMAGES) as path, ZipFile(path, "w") as images:
        for name, text in texts().items():
            images.writestr(ZipInfo(f"{name}.hex"), text, ZIP_DEFLATED, 9)
    print(f"{IMAGES}: written")
    return 0


if __name__ == "__main__":
    run(main)
