# SPDX-License-Identifier: Apache-2.0
"""What the pins must show for the golden model's results: the words of each channel."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from configs.texcache.schema import Config
from tb.common.components.packing import pack_words
from tb.common.components.transactions import Observation

#: what is compared: results, look-ups by beat, lines asked from memory
CHANNELS = ("res", "evt", "fill")
SLOTS = ("left of row 0", "left of row 1", "right of row 0", "right of row 1")


class Prediction(NamedTuple):
    """Some footprints in a row, arrays [n], with what the model says and when the design took them.

    ``failing``: lines that memory answers with an error.
    """

    first: int  # index of the first footprint since the test began
    footprints: NDArray[Any]
    ids: NDArray[np.int64]
    results: NDArray[Any]  # RESULT
    accepted: list[Observation]
    failing: frozenset[int] = frozenset()


def answers(cfg: Config, results: NDArray[Any], ids: NDArray[np.int64]) -> list[int]:
    """The result words [n]."""
    texels = {f"texel{i}": results["texel"][:, i] for i in range(4)}
    return pack_words(cfg.streams["res"], {**texels, "err": results["err"], "id": ids})


def beat_numbers(results: NDArray[Any]) -> NDArray[np.int64]:
    """The beat in which each slot is looked up, shape [n, 4]: a new beat where the bank is taken already."""
    valid, bank = results["valid"].astype(bool), results["bank"].astype(np.int64)
    beat = np.zeros(valid.shape, np.int64)
    number, taken = np.zeros(len(results), np.int64), np.zeros(len(results), np.int64)
    for slot in range(valid.shape[1]):
        conflict = valid[:, slot] & (taken >> bank[:, slot] & 1 == 1)
        number += conflict
        taken = np.where(conflict, 0, taken) | (valid[:, slot] << bank[:, slot])
        beat[:, slot] = number
    return beat


def events(cfg: Config, results: NDArray[Any]) -> tuple[list[int], NDArray[np.int64]]:
    """The event words, one per beat, in order, and the footprint (0 to n-1) of each."""
    counts = results["beats"].astype(np.int64)
    owner = np.repeat(np.arange(len(results)), counts)
    beat = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    mine = results["valid"][owner].astype(bool) & (beat_numbers(results)[owner] == beat[:, None])
    columns = {"last": beat == counts[owner] - 1}
    for slot in range(cfg.slots):
        for name in ("valid", "hit", "bank", "set", "way", "evict", "victim"):
            columns[f"{name}{slot}"] = np.where(mine[:, slot], results[name][owner, slot], 0)
    return pack_words(cfg.streams["evt"], columns), owner


def fills(cfg: Config, results: NDArray[Any]) -> tuple[list[int], NDArray[np.int64]]:
    """Byte addresses of the lines to read, in order, and the footprint (0 to n-1) of each."""
    missing = (results["valid"] == 1) & (results["hit"] == 0)
    addresses = results["line"][missing].astype(np.int64) * cfg.cache.line_bytes
    return addresses.tolist(), np.nonzero(missing)[0]


def describe(prediction: Prediction, row: int) -> str:
    """A footprint for people."""
    footprint = prediction.footprints[row]
    fields = ", ".join(f"{name}={footprint[name]}" for name in footprint.dtype.names)
    return f"footprint {prediction.first + row} (id {prediction.ids[row]}: {fields})"


def places(result: Any) -> list[str]:
    """Where the model looks a footprint's lines up, one line of text per look-up."""
    texts = []
    for slot, name in enumerate(SLOTS):
        if result["valid"][slot]:
            kind = "hit" if result["hit"][slot] else "evicting miss" if result["evict"][slot] else "miss"
            texts.append(
                f"  model, {name}: line {result['line'][slot]:#x}, bank {result['bank'][slot]}, "
                f"set {result['set'][slot]}, way {result['way'][slot]}, {kind}"
            )
    return texts
