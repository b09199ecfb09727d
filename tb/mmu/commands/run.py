# SPDX-License-Identifier: Apache-2.0
"""``python -m tb run mmu``: a program on the SIMT machine that fetches, loads and stores through the RTL."""

from configs.mmu.schema import Config
from tb.common.replay.machine import ReplayError
from tb.mmu.machine import MachineRun
from tb.mmu.outcome import ProgramOutcome, predicted
from tb.mmu.profile import columns, stalls
from utils import cli
from utils.console import Console
from utils.progress import counter
from workloads.simt.caches import rate
from workloads.simt.loading import add_program, folder_of, load_program
from workloads.simt.machine import Fault, Machine
from workloads.simt.profile import profile


def parser() -> cli.Parser:
    """The command line."""
    result = cli.Parser(prog="python -m tb run mmu", description=__doc__)
    result.set_defaults(block="mmu")
    add_program(result)
    result.add_argument(
        "--ready",
        action="store_true",
        help="any warp that is ready goes on, not only the one whose turn it is",
    )
    cli.add_config_arguments(result, block=False)
    return result


def main(argv: list[str]) -> int:
    """Entry point: 0 if the RTL does what the golden models do, else 1. Raises UserError on bad input."""
    arguments = parser().parse_args(argv)
    cli.check_seed(arguments.seed)
    cfg = cli.chosen_config(arguments)
    assert isinstance(cfg, Config)
    loaded = load_program(arguments)
    ideal, console = loaded.machine, Console(highlight=False, soft_wrap=True)
    before = ideal.memory.copy()
    with counter() as progress:
        progress("running it on the ideal machine", 0, 0)
        try:
            trace = ideal.run(arguments.limit)
        except Fault as fault:
            console.print(*loaded.printed, sep="\n", end="\n" * bool(loaded.printed))
            raise loaded.located(arguments.program, fault) from None
        total = len(trace.fetches)
        progress("building the RTL", 0, total)
        on_rtl = MachineRun(cfg, Machine(before, ideal.launch), trace, arguments.seed, ready=arguments.ready)
        try:
            outcome = on_rtl.run(lambda fetched: progress("instructions on the RTL", fetched, total))
        except ReplayError as error:
            console.print(f"FAILED  {error}")
            return 1
    ideal.memory[:] = outcome.memory
    lines = [*loaded.notes(), *summary(cfg, outcome)]
    expected = predicted(cfg, before, outcome.trace)
    code_bytes = loaded.image.code_bytes
    counts, more = profile(outcome.trace, code_bytes).by_pc, columns(outcome, expected, code_bytes)
    written = loaded.write_listing(folder_of(arguments), arguments.program, counts, more)
    lines.append(f"{written}: counts by instruction")
    differ = [
        f"FAILED  {stream} {name}: the golden model counts {count}, the RTL {outcome.counters[stream][name]}"
        for stream, counts in expected.counters.items()
        for name, count in counts.items()
        if outcome.counters[stream][name] != count
    ]
    for line in [*lines, *(differ or ["the golden models of the caches count the same hits and misses"])]:
        console.print(line)
    return 1 if differ else 0


def summary(cfg: Config, outcome: ProgramOutcome) -> list[str]:
    """For people: cycles, hits and what was waited for."""
    icache, dcache = outcome.counters["icache_perf"], outcome.counters["dcache_perf"]
    words = dcache["hits"] + dcache["misses"]
    waits = ", ".join(f"{count} {why}" for why, count in stalls(dcache).items())
    return [
        f"on the RTL of mmu {cfg.name}: {outcome.instructions} instructions in {outcome.cycles} cycles, "
        f"CPI {outcome.cycles / max(outcome.instructions, 1):.3f}; the clean at the end takes "
        f"{outcome.clean} more",
        f"icache: {icache['fetches']} fetches, {rate(icache, icache['fetches'])}",
        f"dcache: {words} words, {rate(dcache, words)}, {dcache['writes']} writes to memory",
        f"cycles of waiting for memory: {icache['memory_wait_cycles']} for instructions, "
        f"{dcache['memory_wait_cycles']} {'with data under way' if cfg.dcache.mshrs else 'for data'}",
        *([f"cycles in which look-ups of dcache waited: {waits}"] if waits else []),
    ]
