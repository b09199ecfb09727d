# SPDX-License-Identifier: Apache-2.0
"""Short replays that judge mutants of a block that answers requests."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from configs import BlockConfig
from models.memory import Memory
from tb.common.replay.requests import Columns, Model, Requester


@dataclass(frozen=True)
class RequestCheck:
    """Compares the RTL of a folder with what the model says of ``columns``; ``options`` of the replay."""

    cfg: BlockConfig
    requester: Requester
    predict: Callable[[Any, Columns, Memory], Model]
    columns: Columns
    memory: Memory
    options: dict[str, Any]

    def __call__(self, folder: Path, plusarg: str) -> str:
        """The first difference, or nothing. Raises ``ReplayError`` if the RTL stops."""
        where: dict[str, Any] = {"rtl_dir": folder, "plusarg": plusarg, **self.options}
        rtl = self.requester.replay(self.cfg, self.columns, self.memory, self.memory.seed, **where)
        model = self.predict(self.cfg, self.columns, self.memory)
        wrong = self.requester.check(self.cfg, self.columns, model, rtl)
        return wrong[0].text if wrong else ""
