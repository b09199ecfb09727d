# SPDX-License-Identifier: Apache-2.0
"""Feeds the golden model of the texture cache and turns its results into what the pins must show."""

from itertools import groupby

import numpy as np
from pyuvm import uvm_analysis_port

from configs.texcache.schema import Config
from models.memory import Memory
from models.texcache import TexcacheModel
from tb.common.components.packing import unpack_words
from tb.common.components.reference import Input, ReferenceModel
from tb.common.components.scoreboard import Expectation
from tb.common.components.transactions import Observation
from tb.texcache.items import requests
from tb.texcache.prediction import CHANNELS, Prediction, answers, events, fills


class TexcacheReference(ReferenceModel):
    """A request sees the look-up table as written in earlier cycles, hence the order of ``kinds``.

    ``predicted`` publishes footprints with what the model says of them, before the words that follow from
    that; ``invalidated`` each invalidation.
    """

    kinds = ("req", "lut", "inv")
    channels = CHANNELS

    def build_phase(self) -> None:
        """The model over hashed memory of the test's seed; the look-up table is not written yet."""
        super().build_phase()
        self.predicted = uvm_analysis_port("predicted", self)
        self.invalidated = uvm_analysis_port("invalidated", self)
        self.cfg: Config = self.bench.cfg
        self.memory = Memory(seed=self.bench.seed & 0xFFFFFFFF)
        self.model = TexcacheModel(
            self.cfg, self.memory, np.zeros((self.cfg.textures, self.cfg.levels), np.uint32)
        )
        self.accepted = 0

    def predict(self, inputs: list[Input]) -> None:
        for kind, group in groupby(inputs, key=lambda entry: entry.kind):
            transfers = [entry.transfer for entry in group]
            if kind == "req":
                self._requests(transfers)
            elif kind == "lut":
                self._write_table(transfers)
            else:
                self.model.invalidate()
                self.invalidated.write(transfers[-1])

    def _requests(self, transfers: list[Observation]) -> None:
        footprints, ids = requests(self.cfg, [transfer.word for transfer in transfers])
        results = self.model.replay(footprints)
        failing = self.memory.poisoned
        self.predicted.write(Prediction(self.accepted, footprints, ids, results, transfers, failing))
        indices = np.arange(self.accepted, self.accepted + len(transfers))
        self.accepted += len(transfers)
        words, owners = events(self.cfg, results)
        self.expected["evt"].write(Expectation(words, indices[owners].tolist()))
        addresses, owners = fills(self.cfg, results)
        self.expected["fill"].write(Expectation(addresses, indices[owners].tolist()))
        self.expected["res"].write(Expectation(answers(self.cfg, results, ids), indices.tolist()))

    def _write_table(self, transfers: list[Observation]) -> None:
        columns = unpack_words(self.cfg.streams["lut"], [transfer.word for transfer in transfers])
        for entry in zip(*columns.values(), strict=True):
            self.model.set_lut(*(int(value) for value in entry))

    def counters(self) -> dict[str, int]:
        return self.model.counters

    def reset(self) -> None:
        """The design forgets its lines and counts; the look-up table stays."""
        self.model.reset()
