# SPDX-License-Identifier: Apache-2.0
"""The golden model of ``zcache`` as the reference asks it: its records from and to pins."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from configs.depth import PIXELS
from configs.zcache.schema import COUNTERS, Config
from models.zcache.cycles import step
from models.zcache.state import (
    DF,
    EMPTY,
    FRESH,
    INPUTS,
    NUMBER_OF,
    OUTPUTS,
    PF,
    PF_TOUCH,
    TOUCHED,
    WORD,
    new_state,
)  # fmt: skip
from tb.common.components.axi.bursts import PLAIN
from tb.zcache.cycles.kernels import RecordModel

STATUS = {EMPTY: "empty", PF: "PF", PF_TOUCH: "PF+touch", DF: "DF", FRESH: "fresh", TOUCHED: "touched"}
BEAT_BYTES, BEATS = 16, 4
SHOWN = 12  # words in flight, and lines, that the message has
#: what a burst of a line says beside id and address
LINE_BURST = {"len": BEATS - 1, "size": 4, "burst": 1, **PLAIN}


class ZcacheModel(RecordModel):
    """One block. ``m_axi_rst`` alone resets it as well."""

    def __init__(self, cfg: Config, answered: list[str]) -> None:
        self.cfg, prefix = cfg, cfg.axi.prefix
        names = {name: name.removeprefix(f"{prefix}_") for name in answered}
        fields = {
            name: _with_line(short, ("valid", "ready")) if name != short else name
            for name, short in names.items()
        }
        super().__init__(step, new_state(cfg), (INPUTS, OUTPUTS), fields)
        self._resets = {"rst": False, f"{prefix}_rst": False}
        self._offers: dict[str, Callable[[int], None]] = {
            "tile": self._tile, "shade": self._shade, f"{prefix}_r": self._beat, f"{prefix}_b": self._answer,
        }  # fmt: skip
        self._read_ports(cfg)
        channels = cfg.axi.channels  # made anew at each look
        self._tiles, self._reads, self._writes = cfg.streams["tile"], channels["r"], channels["w"]
        self._answers = channels["b"]
        self._counted = [NUMBER_OF[name] for name in cfg.counters]

    def _read_ports(self, cfg: Config) -> None:
        streams, channels, prefix = cfg.streams, cfg.axi.channels, cfg.axi.prefix
        self.read_as(streams["res"], {field.name: f"res_{field.name}" for field in streams["res"].fields})
        for name in ("evt", "pre"):
            self.read_as(
                streams[name], {field.name: f"{name}_{field.name}" for field in streams[name].fields}
            )
        self.read_as(channels["ar"], {"id": "ar_id", "addr": "ar_addr", **LINE_BURST})
        self.read_as(channels["aw"], {"id": 0, "addr": "aw_addr", **LINE_BURST})
        self.read_by(f"{prefix}_w", self._write_beat)

    def drive(self, name: str, level: bool) -> None:
        if name in self._resets:
            self._resets[name] = level
            self.inputs["rst"] = any(self._resets.values())
            if name != "rst":
                self.inputs["m_axi_rst"] = level
            return
        short = name.removeprefix(f"{self.cfg.axi.prefix}_")
        self.inputs[short if short == name else _with_line(short, ("valid", "ready"))] = level

    def offer(self, channel: str, word: int) -> None:
        self._offers[channel](word)

    def _tile(self, word: int) -> None:
        values = self._tiles.unpack(word)
        for name in WORD.names or ():
            if name == "depth":
                self.inputs["depth"] = [values[f"depth{pixel}"] for pixel in range(PIXELS)]
            else:
                self.inputs[name] = values[name]

    def _shade(self, word: int) -> None:
        self.inputs["kill"] = word

    def _beat(self, word: int) -> None:
        values = self._reads.unpack(word)
        self.inputs["r_id"], self.inputs["r_resp"] = values["id"], values["resp"]
        self.inputs["r_data"] = np.frombuffer(values["data"].to_bytes(BEAT_BYTES, "little"), "<u4")

    def _answer(self, word: int) -> None:
        self.inputs["b_resp"] = self._answers.unpack(word)["resp"]

    def _write_beat(self) -> int:
        data = int.from_bytes(self.outputs["w_data"].tobytes(), "little")
        return self._writes.pack(
            {"data": data, "strb": (1 << BEAT_BYTES) - 1, "last": int(self.outputs["w_last"])}
        )

    def counts(self) -> bytes:
        return self._flat[-len(COUNTERS) :][self._counted].astype("<u4").tobytes()

    @property
    def resting(self) -> bool:
        """Whether nothing is in flight, on its way from memory or to it, or waits to be fetched ahead."""
        now, fills = self.state_record["now"], self._fills
        waits = now["asked"] != now["decided"] or now["moved"] != now["taken"] or now["left"] != now["moved"]
        return not (waits or fills["busy"].any() or now["put"] != now["written"] or now["resetting"])

    @property
    def _fills(self) -> NDArray[Any]:
        fills: NDArray[Any] = self.state_record["fills"][: self.cfg.fills]
        return fills

    def state(self) -> str:
        return "\n".join([*self._words(), *self._lines(), *self._memory()])

    def _words(self) -> list[str]:
        now, size, flying = self.state_record["now"], self.cfg.shading.tiles, self.state_record["words"]
        texts = [f"words: {now['taken']} taken, {now['moved']} moved to T1, {now['left']} answered"]
        for number in range(int(now["left"]), min(int(now["taken"]), int(now["left"]) + SHOWN)):
            word = flying[number % size]
            place = "T1" if number < now["moved"] else "in flight"
            texts.append(
                f"  {place}: op {word['op']} x {word['x']} y {word['y']} number {word['number']} "
                f"set {word['index']} mask {int(word['mask']):#06x} test {word['test']}"
            )
        texts.append(
            f"at the test: kind {now['kind']}, first {now['first']}, failed {now['failed']}; requests asked "
            f"{now['asked']}, decided {now['decided']}, pointer {now['pointer']}, "
            f"distance {now['distance']}, score {now['score']}; barrier step {now['step']}, row {now['row']}"
        )
        return texts

    def _lines(self) -> list[str]:
        """The lines of the sets that words in flight are in."""
        now, size, flying = self.state_record["now"], self.cfg.shading.tiles, self.state_record["words"]
        numbers = range(int(now["left"]), min(int(now["taken"]), int(now["left"]) + SHOWN))
        texts = []
        for index in sorted({int(flying[number % size]["index"]) for number in numbers}):
            ways = [
                f"{STATUS[int(line['status'])]}{' dirty' if line['dirty'] else ''} {line['number']}"
                for line in self.state_record["lines"][index, : self.cfg.cache.ways]
            ]
            texts.append(f"set {index}: {', '.join(ways)}; tree {int(self.state_record['plru'][index]):b}")
        return texts

    def _memory(self) -> list[str]:
        now = self.state_record["now"]
        fills = [
            f"{number}: {fill['number']}{' forgotten' if fill['forgotten'] else ''}, beat {fill['beats']}"
            for number, fill in enumerate(self._fills)
            if fill["busy"]
        ]
        counts = ", ".join(f"{name} {now[name]}" for name in ("put", "inside", "sent", "written"))
        return [f"fills: {'; '.join(fills) or 'none'}", f"writes: {counts}"]


def _with_line(short: str, ends: tuple[str, ...]) -> str:
    """``arvalid`` as ``ar_valid``."""
    [end] = [end for end in ends if short.endswith(end)]
    return f"{short.removesuffix(end)}_{end}"
