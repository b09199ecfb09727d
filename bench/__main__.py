# SPDX-License-Identifier: Apache-2.0
"""``python -m bench BLOCK``: every benchmark of this folder, one after the other."""

import importlib
from pathlib import Path

import configs
from configs import cli


def main(argv: list[str]) -> int:
    """Run each module here that has a ``main``, with the published configuration of BLOCK."""
    parser = cli.Parser(prog="python -m bench", description=__doc__)
    parser.add_argument("block", metavar="BLOCK", help="one of: " + ", ".join(configs.blocks()))
    configs.schema(parser.parse_args(argv).block)
    for path in sorted(Path(__file__).parent.glob("[a-z]*.py")):
        module = importlib.import_module(f"bench.{path.stem}")
        if not hasattr(module, "main"):
            continue
        print(f"\n{(module.__doc__ or path.stem).splitlines()[0]}", flush=True)
        module.main([])
    return 0


if __name__ == "__main__":
    cli.run(main)
