# SPDX-License-Identifier: Apache-2.0
"""``python -m ci.faults [BLOCK]``: plant faults in Verilog, see which tests and proofs detect them."""

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

import configs
import rtl
from ci.faults import catalogue, choice, listed, regression, show
from ci.faults.catalogue import Fault
from ci.faults.judging import Judging
from ci.faults.mutants import Mutant, find
from ci.faults.verdicts import EQUIVALENT, Verdict, Verdicts
from configs import BlockConfig, UserError
from tb.common.running import builds
from tb.common.running import regression as runs
from tb.common.running.tools import identity
from utils import cli
from utils.console import Console
from utils.files import write_atomic
from utils.keys import digest
from utils.progress import Bars
from utils.sources import Dependencies, dependencies

LEAST = 90.0
ROOT = builds.BUILD / "faults"


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(
        prog="python -m ci.faults",
        description="Plant faults in generated Verilog, see which tests and proofs detect them.",
        epilog="Exit code 1 if a fault of the list survives, or the score is below --least. The same command "
        "goes on where it was stopped.",
    )
    result.add_argument("block", nargs="?", metavar="BLOCK", help="default: the lists of all blocks")
    cli.add_config_arguments(result, block=False, otherwise="a small one")
    result.add_argument(
        "--test", default="", metavar="NAME,...", help="these faults of the list or the file (default: all)"
    )
    other = result.add_mutually_exclusive_group()
    other.add_argument(
        "--generated", metavar="N", help="N small changes drawn by the seed, or all; the regression judges"
    )
    other.add_argument("--mutant", type=int, metavar="NUMBER", help="one small change; writes its Verilog")
    other.add_argument("--file", type=Path, metavar="TOML", help="faults of your own; the regression judges")
    result.add_argument("--seed", type=int, default=1, help="of the draw (default: 1)")
    result.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="faults judged at a time")
    result.add_argument(
        "--least",
        type=float,
        default=LEAST,
        help=f"percent to reach, but for a list (default: {LEAST:g})",
    )
    result.add_argument("--list", action="store_true", help="show the faults and judge nothing")
    return result


def judges(block: str) -> Dependencies:
    """All files that judge faults of ``block``, beside the RTL."""
    return dependencies("ci.faults.__main__", block=block, beside=("rtl",))


def judges_key(block: str) -> str:
    """A hash of the judges, of packages and of the simulator."""
    return digest([judges(block).key, repr((judges(block).versions, identity("verilator")))])


def judge_lists(arguments: argparse.Namespace, names: Sequence[str], console: Console) -> int:
    """Judge the lists of one block or of all. Raises :class:`UserError`."""
    if arguments.config or arguments.set:
        raise UserError("--config and --set are for --generated and --file: a fault of a list names its own")
    blocks = (arguments.block,) if arguments.block else catalogue.blocks()
    everything = [fault for block in blocks for fault in catalogue.listed(block)]
    where = catalogue.path_of(arguments.block or "<block>")
    chosen = catalogue.choose(everything, names, where)
    if arguments.list:
        return show_list(console, chosen)
    judged: list[tuple[Fault | Mutant, Verdict]] = []
    with Bars(console=console) as bars:
        task = bars.add_task("faults", total=len(chosen))
        for block in blocks:
            mine = [fault for fault in chosen if fault.block == block]
            judged += judge_list(block, mine, arguments.jobs, bars, task)
    show.show(console, judged, of=len(everything))
    return 0 if show.score(judged).survived == 0 else 1


def judge_list(
    block: str, faults: Sequence[Fault], jobs: int, bars: Bars, task: Any
) -> list[tuple[Fault | Mutant, Verdict]]:
    """Verdicts on faults in the list of ``block``, in their order."""
    folder = ROOT / block
    folder.mkdir(parents=True, exist_ok=True)
    every = catalogue.listed(block)
    texts = sorted({text for fault in every if not fault.proof for text in _verilog(block, fault.config)})
    proofs = dependencies("formal.__main__", block=block) if block in configs.blocks() else None
    key = digest([*texts, *map(repr, every), judges_key(block), proofs.key if proofs else ""])
    with builds.locked(folder):
        verdicts = Verdicts(folder / "list.db", key)
        due = [fault for fault in faults if fault.name not in verdicts.of]
        bars.update(task, description=f"faults of {block}")
        bars.advance(task, len(faults) - len(due))
        for some in listed.judge(due, ROOT, jobs):
            for name, verdict in some.items():
                verdicts.put(name, verdict)
            bars.advance(task, len(some))
        verdicts.close()
    return [(fault, verdicts.of[fault.name]) for fault in faults]


def _verilog(block: str, config: str) -> list[str]:
    return list(rtl.generate(configs.load(block, config or None)).values())


def show_list(console: Console, faults: Sequence[Fault | Mutant]) -> int:
    """Print the faults and how many there are of each kind."""
    for fault in faults:
        console.print(str(fault), soft_wrap=True)
    console.print(show.kinds(faults), soft_wrap=True)
    return 0


def drawn(mutants: list[Mutant], arguments: argparse.Namespace) -> list[Mutant]:
    """One mutant, all, or a sample that the seed decides. Raises :class:`UserError`."""
    cli.check_seed(arguments.seed)
    if arguments.mutant is not None:
        cli.check_number("--mutant", arguments.mutant, 1, len(mutants))
        return [mutants[arguments.mutant - 1]]
    if arguments.generated == "all":
        return mutants
    if not arguments.generated.isdecimal() or int(arguments.generated) < 1:
        raise UserError(f"--generated {arguments.generated}: give a number from 1 on, or all")
    count = min(int(arguments.generated), len(mutants))
    indices = np.random.default_rng(arguments.seed).choice(len(mutants), count, replace=False)
    return [mutants[index] for index in sorted(indices)]


def judge_generated(arguments: argparse.Namespace, console: Console) -> int:
    """Judge small changes of one configuration. Raises :class:`UserError`."""
    block = arguments.block
    preset = arguments.config or runs.mutation(block).config
    cfg = configs.load(block, preset, arguments.set.split())
    files = rtl.generate(cfg)
    mutants = find(files)
    chosen = drawn(mutants, arguments)
    if arguments.list:
        return show_list(console, chosen)
    folder, inside = cfg.build_folder(ROOT), {mutant.id: mutant for mutant in mutants}
    wanted = [mutant.id for mutant in chosen]
    of = judge(cfg, files, inside, {}, wanted, arguments, console, hasty=False)
    judged = [(mutant, of[str(mutant.id)]) for mutant in chosen]
    show.show(console, judged, of=len(mutants))
    if arguments.mutant is not None:
        alone = folder / f"mutant-{chosen[0].id}"
        rtl.write_files(alone, {**files, chosen[0].file: chosen[0].apply(files[chosen[0].file])})
        seed, count = regression.traffic(cfg)
        by = judged[0][1].by
        test = by.removeprefix("test ") if by.startswith("test ") else None
        command = cli.make_command("sim", cfg, TEST=test, SEED=seed, N=count, RTL_DIR=alone)
        console.print(f"  {command}", soft_wrap=True)
        return 0
    record = {
        "block": block, "config": cfg.name, "hash": cfg.hash, "seed": arguments.seed, "of": len(mutants),
        **asdict(show.score(judged)), "percent": show.score(judged).percent,
        "mutants": [{**asdict(mutant), **asdict(verdict)} for mutant, verdict in judged],
    }  # fmt: skip
    write_atomic(folder / "generated.json", json.dumps(record, indent=1) + "\n")
    console.print(f"results  {folder / 'generated.json'}", soft_wrap=True)
    return 0 if show.score(judged).percent >= arguments.least else 1


def judge_file(arguments: argparse.Namespace, names: Sequence[str], console: Console) -> int:
    """Judge the faults of a file by the regressions of their configurations. Raises :class:`UserError`."""
    block = arguments.block
    if arguments.config or arguments.set:
        raise UserError("--config and --set do not go with --file: its records name their configurations")
    every = catalogue.read(arguments.file, block)
    chosen = catalogue.choose(every, names, arguments.file)
    if arguments.list:
        return show_list(console, chosen)
    judged: list[tuple[Fault | Mutant, Verdict]] = []
    for config in dict.fromkeys(fault.config for fault in chosen):
        cfg = configs.load(block, config or None)
        files = rtl.generate(cfg)
        here = {number: fault for number, fault in enumerate(every, 1) if fault.config == config}
        effective = {number: fault for number, fault in here.items() if not fault.harmless}
        inside = choice.choices(effective, files)
        apart = {number: fault for number, fault in effective.items() if number not in inside}
        wanted = [number for number, fault in effective.items() if fault in chosen]
        of = judge(cfg, files, inside, apart, wanted, arguments, console, hasty=True)
        for number, fault in here.items():
            if fault in chosen:
                judged.append((fault, Verdict(EQUIVALENT) if fault.harmless else of[str(number)]))
    show.show(console, judged, of=len(every))
    return 0 if show.score(judged).percent >= arguments.least else 1


def judge(
    cfg: BlockConfig, files: dict[str, str], inside: Mapping[int, Mutant], apart: Mapping[int, Fault],
    numbers: Sequence[int], arguments: argparse.Namespace, console: Console, *, hasty: bool,
) -> dict[str, Verdict]:  # fmt: skip
    """Verdicts by number: of the regression, then of proofs that survivors change nothing.

    ``hasty``: the faults are of a file, and a change of exact figures settles one.
    """
    folder, name = cfg.build_folder(ROOT), "file" if hasty else "generated"
    with builds.locked(folder), Bars(console=console) as bars:
        faults = [repr(sorted(inside.items())), repr(sorted(apart.items()))]
        verdicts = Verdicts(folder / f"{name}.db", digest([*files.values(), *faults, judges_key(cfg.block)]))
        judging = Judging(cfg, files, inside, apart, folder / name, verdicts, arguments.jobs, bars, hasty)
        judging.test(numbers)
        judging.prove(numbers)
        verdicts.close()
    return verdicts.of


def main(argv: list[str]) -> int:
    """Entry point. Raises :class:`UserError` on bad input."""
    arguments = parser().parse_args(argv)
    cli.check_number("--jobs", arguments.jobs, 1, 256)
    names = [name for name in arguments.test.split(",") if name]
    console = Console(highlight=False, emoji=False)  # ":100:" in a place is no picture
    generated = arguments.generated is not None or arguments.mutant is not None
    if not generated and not arguments.file:
        return judge_lists(arguments, names, console)
    if not arguments.block:
        raise UserError("--generated, --mutant and --file need a block: name one")
    configs.schema(arguments.block)
    if arguments.file:
        return judge_file(arguments, names, console)
    if names:
        raise UserError("--test names faults of a list or a file; --mutant chooses a generated one")
    return judge_generated(arguments, console)


if __name__ == "__main__":
    cli.run(main)
