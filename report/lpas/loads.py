# SPDX-License-Identifier: Apache-2.0
"""Offered load: saturation by traffic and switch; sizes of the array; what they take of an FPGA."""

from report import costs
from report.lpas import source
from report.lpas.results import FS, LPAS, LR2SS, SWITCHES, LpasResults, saturation
from report.pages import Page
from report.tables import Rows

TRAFFICS = {
    "uniform": "to any cache", "local": "80 % to the own row of caches",
    "transposed": "PE (r, c) to cache (c, r)", "hot spot": "15 % to one cache, the others to any",
}  # fmt: skip
#: accesses at full load: what they are called, of which workload (none: the stores of each traffic), the role
READS = (
    ("loads as published", "reads", "LPAS"), ("loads with read_pipeline", "reads", "LPAS, read_pipeline"),
    ("stores", "", "LPAS"),
)  # fmt: skip
UNIFORM_RATE = 0.60162  # stores of a PE per cycle, by the Markov chain of 16 PEs that each draw a cache
CLIP = 40.0  # cycles: what waits longer is beyond saturation
KEYS = ("offered", "accepted", "latency", "delay", "p99", "worst")
SIZES = ((2, 2), (2, 4), (4, 4), (4, 8), (8, 8))
NAMES = {LPAS: "lpas", FS: "fs", LR2SS: "lr2ss-a"}  # values of the field ``switch``
SWITCH = "without lpas_cache lpas_network lpas_outside counter lpas_count"
PARTS = {SWITCH: "the switch", "lpas_switch": "its arbiters", "": "the whole block"}
COMMAND = ".venv/bin/python -m ci.synth.growth lpas"


def draw(page: Page, results: LpasResults) -> None:
    """Saturation, sizes and resources."""
    for traffic in TRAFFICS:
        _saturation(page, results, traffic)
    _reads(page, results)
    _sizes(page, results)
    for part, words in PARTS.items():
        draw_resources(page, part, words)


def accepted(results: LpasResults, traffic: str, role: str) -> float:
    """Accesses by PE and cycle at full load, when each PE always has something to do."""
    run = results.get(saturation(traffic), role)
    return float(run.about["points"][run.full_load(traffic)]["accepted"])


def points(results: LpasResults, traffic: str) -> Rows:
    """A row for each switch and load."""
    return [
        {"traffic": point["traffic"], "switch": role, **{key: point[key] for key in KEYS},
         "_delay": min(point["delay"], CLIP)}
        for role, run in results.all(saturation(traffic)) for point in run.about["points"]
    ]  # fmt: skip


def _saturation(page: Page, results: LpasResults, traffic: str) -> None:
    most = {role: accepted(results, traffic, role) for role in SWITCHES}
    full = ", ".join(
        f"{role} {rate:.3f} ({rate * 16 * 2 * source.MHZ * 1e6 / 1e9:.2f} GB/s)"
        for role, rate in most.items()
    )
    exact = f" Theory for independent writes: {UNIFORM_RATE}." if traffic == "uniform" else ""
    page.draw("saturation", points(results, traffic), anchor=f"lpas-{saturation(traffic)}", name=traffic,
              words=TRAFFICS[traffic], full=full, exact=exact, key=traffic.replace(" ", "_"), clip=CLIP,
              title=traffic.capitalize())  # fmt: skip


def _reads(page: Page, results: LpasResults) -> None:
    rows: Rows = []
    for accesses, workload, role in READS:
        for traffic in TRAFFICS:
            run = results.get(workload or saturation(traffic), role)
            point = run.about["points"][run.full_load(traffic)]
            rows.append({"traffic": traffic, "accesses": accesses,
                         **{key: point[key] for key in ("accepted", "latency", "worst")}})  # fmt: skip
    rate = {(row["accesses"], row["traffic"]): row["accepted"] for row in rows}
    gains = ", ".join(
        f"{traffic} {rate[READS[1][0], traffic] / rate[READS[0][0], traffic]:.2f}" for traffic in TRAFFICS
    )
    page.draw("lpas-reads", rows, gains=gains)


def _sizes(page: Page, results: LpasResults) -> None:
    size_runs = list(results.beginning("sizes-"))
    rows = [
        {"size": workload.removeprefix("sizes-"), "switch": role, "traffic": point["traffic"],
         "offered": point["offered"], "latency": point["latency"], "accepted": point["accepted"],
         "words": point["accepted"] * run.about["pes"]}
        for workload, role, run in size_runs for point in run.about["points"]
    ]  # fmt: skip
    names, by_model = (
        list(dict.fromkeys(row["size"] for row in rows)),
        sum(run.model_only for *_, run in size_runs),
    )
    full = {(row["size"], row["switch"]): row["words"] for row in rows
            if (row["traffic"], row["offered"]) == ("uniform", 1.0)}  # fmt: skip
    page.draw(
        "lpas-sizes", rows, last=names[-1], arrays=len(names),
        best=", ".join(f"{role} {full[names[-1], role]:.1f}" for role in SWITCHES),
        by_model=f"{by_model} of them models only" if by_model else "RTL equal to the model in each",
    )  # fmt: skip


def resources(role: str, size: tuple[int, int], part: str) -> dict[str, float] | None:
    """Kept synthesis of a switch in an array of this size, or None."""
    rows, columns = size
    changes = f"switch={NAMES[role]} array.rows={rows} array.columns={columns} "
    changes += "observe=false " if part == SWITCH else ""
    changes += f"axi.id_bits={(rows * columns).bit_length()}"
    return costs.kept("lpas").get(("", changes, part))


def draw_resources(page: Page, part: str, words: str) -> None:
    """LUTs and the depth of logic of a part over the size of the array."""
    rows: Rows = [
        {"size": f"{size[0]}x{size[1]}", "switch": role, **sizes}
        for size in SIZES for role in SWITCHES if (sizes := resources(role, size, part))
    ]  # fmt: skip
    every = [row["size"] for row in rows]
    drawn = [row for row in rows if every.count(row["size"]) == len(SWITCHES)]
    learn = "Too few of them were measured."
    if drawn:
        last = {row["switch"]: row for row in drawn if row["size"] == drawn[-1]["size"]}
        least = min(SWITCHES, key=lambda role: last[role]["lut"])
        paths = ", ".join(f"{role} {last[role]['path_ns']:.2f} ns" for role in SWITCHES)
        learn = f"At {drawn[-1]['size']} {least} needs the least. Longest paths of logic there: {paths}."
    anchor = f"lpas-cost-{words.split()[-1]}"
    page.draw("resources", rows, charted=drawn, anchor=anchor, key=anchor.replace("-", "_"), words=words,
              learn=learn,
              command=COMMAND)  # fmt: skip
