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
from tb.common.components.transactions import Observation
from tb.texcache.items import requests
from tb.texcache.prediction import Prediction, answers, events, fills
from tb.texcache.scoreboard import TexcacheScoreboard


class TexcacheReference(ReferenceModel):
    """A request sees the look-up table as written in earlier cycles, hence the order of ``kinds``."""

    kinds = ("req", "lut", "inv")
    scoreboard: TexcacheScoreboard  # set by the environment

    def build_phase(self) -> None:
        """The model over hashed memory of the test's seed; the look-up table is not written yet."""
        super().build_phase()
        self.cfg: Config = self.bench.cfg
        self.memory = Memory(seed=self.bench.seed & 0xFFFFFFFF)
        self.model = TexcacheModel(
            self.cfg, self.memory, np.zeros((self.cfg.textures, self.cfg.levels), np.uint32)
        )
        self.accepted = 0
        self.invalidated = uvm_analysis_port("invalidated", self)

    def predict(self, inputs: list[Input]) -> None:
        """See :meth:`ReferenceModel.predict`."""
        for kind, group in groupby(inputs, key=lambda one: one.kind):
            seen = [one.seen for one in group]
            if kind == "req":
                self._requests(seen)
            elif kind == "lut":
                for entry in zip(
                    *unpack_words(self.cfg.streams["lut"], [one.word for one in seen]).values(), strict=True
                ):
                    self.model.set_lut(*(int(value) for value in entry))
            else:
                self.model.invalidate()
                self.invalidated.write(seen[-1])

    def _requests(self, seen: list[Observation]) -> None:
        footprints, ids = requests(self.cfg, [one.word for one in seen])
        results = self.model.replay(footprints)
        self.scoreboard.predicted(Prediction(self.accepted, footprints, ids, results, seen))
        indices = np.arange(self.accepted, self.accepted + len(seen))
        self.accepted += len(seen)
        words, owners = events(self.cfg, results)
        self.scoreboard.expect("evt", words, indices[owners].tolist())
        addresses, owners = fills(self.cfg, results)
        self.scoreboard.expect("fill", addresses, indices[owners].tolist())
        self.scoreboard.expect("res", answers(self.cfg, results, ids), indices.tolist())

    def poison(self, lines: list[int]) -> None:
        """From now on fills of ``lines`` fail. To be called while the design is idle."""
        self.flush()
        self.memory.poison(lines)

    def heal(self) -> None:
        """From now on all fills succeed. To be called while the design is idle."""
        self.flush()
        self.memory.heal()

    def reset(self) -> None:
        """The design forgets its lines and counts; the look-up table stays."""
        self.model.reset()
