# SPDX-License-Identifier: Apache-2.0
"""``python -m formal BLOCK`` proves properties of a block's Verilog; see ``docs/formal.md``."""

import json
import shlex
from pathlib import Path

from rich.table import Table

from configs import UserError
from formal import catalogue, engine, model, tools
from formal.catalogue import Proof
from formal.engine import Result
from utils import cli
from utils.console import Console, coloured
from utils.files import write_atomic
from utils.progress import spinner


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(
        prog="python -m formal",
        description="Prove properties of a block's Verilog, each on a small configuration of its own.",
        epilog="Exit code 1 if a proof fails or is undecided.",
    )
    cli.add_config_arguments(result, otherwise="for each proof a small configuration of its own")
    result.add_argument(
        "--only", "--test", default="", metavar="NAME,...", help="these proofs alone, not all of the block"
    )
    cli.add_out(result, "build/formal/BLOCK")
    result.add_argument("--list", action="store_true", help="show the proofs and prove nothing")
    return result


def show_list(block: str, proofs: list[Proof]) -> None:
    """Print what is proved, in words."""
    table = Table("proof", "method", "module", "what it says", title=f"proofs of {block}")
    for proof in proofs:
        table.add_row(proof.name, _method(proof), proof.top, proof.says)
    Console().print(table)


def _method(proof: Proof) -> str:
    return {"induction": "induction", "bounded": f"bounded to {proof.depth}", "cover": "cover"}[proof.method]


def run(block: str, proofs: list[Proof], preset: str | None, overrides: str, out: Path) -> list[Result]:
    """Prove one after the other, and say which are left out and why.

    Raises :class:`configs.UserError` if there is nothing to prove, or a configuration cannot be read.
    """
    pairs = [(proof, proof.configuration(block, preset, overrides)) for proof in proofs]
    chosen = [(proof, cfg) for proof, cfg in pairs if proof.applies(cfg)]
    left = [f"{proof.name} is about {proof.unmet(cfg)}" for proof, cfg in pairs if not proof.applies(cfg)]
    if not chosen:
        raise UserError(f"nothing to prove of this configuration of {block}: {'; '.join(left)}")
    if left:
        print("\n  ".join(["left out, being about other configurations:", *left]))
    tools.require_all()
    results = []
    with spinner() as say:
        for number, (proof, cfg) in enumerate(chosen, 1):
            say(f"{block}: {proof.name} ({number} of {len(chosen)})")
            try:
                results.append(engine.prove(proof, cfg, out / proof.name))
            except model.BuildError as error:
                raise UserError(f"{proof.name} on {cfg.name} cannot be read: {error}") from error
    return results


def show(block: str, results: list[Result]) -> None:
    """Print the table of verdicts and where the traces of covers are."""
    console = Console()
    table = Table("proof", "method", "verdict", title=f"proofs of {block}")
    table.add_column("configuration", overflow="fold")
    table.add_column("seconds", justify="right")
    for result in results:
        verdict = coloured(result.shown, "green" if result.good else "red")
        table.add_row(
            result.proof.name, _method(result.proof), verdict, result.cfg.name, f"{result.seconds:.1f}"
        )
    console.print(table)
    for result in results:
        if result.good and result.traces:
            names = ", ".join(path.name for path in result.traces)
            console.print(
                f"{result.proof.name}: traces in {result.traces[0].parent}: {names}", soft_wrap=True
            )


def repeat(block: str, result: Result, preset: str | None, overrides: str) -> str:
    """The one command that repeats a proof."""
    words = ["make", "prove", f"BLOCK={block}", f"TEST={result.proof.name}"]
    words += [f"CONFIG={preset}"] if preset else []
    words += [f"SET={overrides}"] if overrides else []
    return shlex.join(words)


def complain(result: Result, command: str) -> str:
    """What is to be said about a result that is not good."""
    names = ", ".join(result.failing)
    lines = [f"{result.proof.name} {result.shown}: {names + ': ' if names else ''}{result.words}"]
    lines += [f"  {result.proof.says}"]
    lines += [f"  trace: {path}" for path in result.traces]
    return "\n".join([*lines, f"  repeat: {command}"])


def record(result: Result) -> dict[str, object]:
    """A result for ``results.json``."""
    return {
        "proof": result.proof.name,
        "says": result.proof.says,
        "module": result.proof.top,
        "method": result.proof.method,
        "depth": result.proof.depth,
        "configuration": result.cfg.name,
        "verdict": result.verdict,
        "failing": list(result.failing),
        "traces": [str(path) for path in result.traces],
        "seconds": round(result.seconds, 1),
    }


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`configs.UserError` on bad input."""
    arguments = parser().parse_args(argv)
    block, preset, overrides = arguments.block, arguments.config, arguments.set
    proofs = catalogue.choose(block, arguments.only)
    if arguments.list:
        show_list(block, proofs)
        return 0
    out = arguments.out or Path("build") / "formal" / block
    results = run(block, proofs, preset, overrides, out)
    write_atomic(out / "results.json", json.dumps([record(result) for result in results], indent=2) + "\n")
    show(block, results)
    for result in results:
        if not result.good:
            print(complain(result, repeat(block, result, preset, overrides)))
    return 0 if all(result.good for result in results) else 1


if __name__ == "__main__":
    cli.run(main)
