# SPDX-License-Identifier: Apache-2.0
"""Beyond the paper: the machine without bank conflicts beside the published one, on the same traffic."""

from collections.abc import Sequence

from report import memory
from report.costs import draw_costs
from report.pages import Page
from report.texcache.summary import BASE, Book, Summary
from report.words import mean

FAST = "fast"
FAR, NEAR = "latency=100", "latency=1"
MACHINES = {
    BASE: "published",
    FAR: "published, memory of 100 cycles",
    "deep": "and FIFOs of 128, begin at the first space",
    "fast,fill=shared": "and banks by parity, each line looked up once",
    FAST: "and a write port for fills (conflict-free)",
    "fast,layout=tile4x4": "and textures in tiles of 4 × 4",
}
CONFLICT_FREE = "conflict-free"
#: Runs before a memory of 1 cycle and of 100, by machine.
DISTANCES = {"published": (NEAR, FAR), CONFLICT_FREE: (f"{FAST},{NEAR}", FAST)}
RATE = "pixels_per_clock"


def draw(page: Page, book: Book) -> None:
    """The chapter; measured on the scenes in scan-line order, bilinear."""
    rows = [
        {
            "machine": words, "scene": scene, "latency": run.cfg.memory.latency,
            RATE: run.speed.pixels_per_clock,
            "hits": run.rates.lookup, "fetched": run.rates.fetched, "misses": run.counters["misses"],
            "bytes_per_pixel": run.bytes_per_pixel,
        }
        for role, words in MACHINES.items()
        for scene, run in zip(book.scenes, book.drawn(role), strict=True)
    ]  # fmt: skip
    fast, far = book.by_scene(FAST, RATE), book.by_scene(FAR, RATE)
    page.draw("machines", rows, least=min(fast.values()), times=mean(fast.values()) / mean(far.values()))
    shares = [
        {"machine": words, "scene": scene, **_parts(*pair)}
        for words, (near, far) in DISTANCES.items()
        for scene, *pair in zip(book.scenes, book.drawn(far), book.drawn(near), strict=True)
    ]
    memory.draw_cycles(page, "fast_cycles", shares, CONFLICT_FREE)
    machines = {
        "published": _rates(book, [BASE, *book.roles("latency=")], "memory.latency"),
        CONFLICT_FREE: _rates(book, [FAST, *book.roles("fast,latency=")], "memory.latency"),
    }
    reach = f"{book.drawn(FAST)[0].cfg.fifo.depth} footprints"
    memory.draw_latency(page, "fast_memory", machines, RATE, reach)
    if depths := book.roles("fast,fifo="):
        memory.draw_depths(page, "fast_depth", _rates(book, [FAST, *depths], "fifo.depth"), RATE)
    draw_costs(page, "texcache-cost")


def _parts(far: Summary, near: Summary) -> dict[str, float]:
    """Shares of the cycles before a distant memory: those before a near one, by what the RTL counts there,
    and those that are more. Raises :class:`UserError` if they do not add up.
    """
    counters = near.counters
    waits = counters["request_wait_cycles"]
    conflicts = min(waits, counters["conflict_cycles"])
    spent = {
        "ideal": counters["footprints"], "conflicts": conflicts, "stop": counters["stop_cycles"],
        "order": waits - conflicts,
    }  # fmt: skip
    where = f"{far.workload.id} on {far.role}"
    return memory.far_shares(where, spent, near.speed.cycles, far.speed.cycles)


def _rates(book: Book, roles: Sequence[str], value: str) -> memory.Rates:
    """Pixels per clock by a value of the configuration and scene."""
    part, name = value.split(".")
    return {
        getattr(getattr(book.drawn(role)[0].cfg, part), name): book.by_scene(role, RATE) for role in roles
    }
