# SPDX-License-Identifier: Apache-2.0
"""Output of a program of one's own: what its threads printed, and its variable ``result``."""

from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from workloads.simt.image import Image
from workloads.simt.isa import LANES, WARPS
from workloads.simt.machine import Launch

SHOWN = 16  # numbers of a result
OUTPUT = "simt_output"  # of runtime.c: for each thread of the machine a length and text


def printed(image: Image, memory: NDArray[np.uint32], launch: Launch) -> list[str]:
    """Lines that the threads printed, in order of threads; those of neighbours that are the same once."""
    if OUTPUT not in image.symbols:
        return []
    address, size, _ = image.symbols[OUTPUT]
    buffers = memory.view(np.uint8)[address : address + size].reshape(-1, size // (WARPS * LANES * 4))
    texts = [
        (f"{f'block {block}, ' if len(launch.blocks) > 1 else ''}", warp * launch.threads + lane,
         _text(buffers[(block * WARPS + warp) * LANES + lane]))
        for block in range(len(launch.blocks))
        for warp in range(launch.warps)
        for lane in range(launch.threads)
    ]  # fmt: skip
    shown = []
    for (block, text), group in groupby(texts, lambda thread: (thread[0], thread[2])):
        numbers = [number for _, number, _ in group]
        names = f"threads {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"thread {numbers[0]}"
        shown += [f"{block}{names}: {line}" for line in text.splitlines()]
    return shown


def _text(buffer: NDArray[np.uint8]) -> str:
    length, text = int(buffer[:4].view(np.uint32)[0]), buffer[4:].tobytes()
    cut = f"\n... and {length - len(text)} bytes more" if length > len(text) else ""
    return text[: min(length, len(text))].decode(errors="replace") + cut


def values(image: Image, memory: NDArray[np.uint32]) -> list[str]:
    """The variable ``result``, if there is one: its elements, or words where their type is not known."""
    if "result" not in image.symbols:
        return []
    address, size, kind = image.symbols["result"]
    element = np.dtype([(str(at), name) for at, name in enumerate((kind or "i4").split(","))])
    count = max(size // element.itemsize, 1)
    elements = memory.view(np.uint8)[address : address + count * element.itemsize].view(element)
    if kind == "S1":
        return [f"result: {elements.tobytes().split(bytes(1))[0].decode(errors='replace')!r}"]
    names = [name for name in element.names or () if element[name].kind != "V"]
    rows = [" ".join(str(row[name]) for name in names) for row in elements[:SHOWN]]
    shown = " ".join(rows if len(names) == 1 else (f"({row})" for row in rows))
    return [f"result: {shown}" + (f" ... ({count} in all)" if count > SHOWN else "")]
