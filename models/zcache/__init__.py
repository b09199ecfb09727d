# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``zcache``, cycle by cycle, written from ``docs/zcache.md``.

:func:`models.zcache.cycles.cycle` is the model: the records of all ports of one clock cycle. :func:`run` puts
whole sequences of tiles through it, before a memory, a shader and a consumer.
"""

from models.zcache.cycles import cycle
from models.zcache.functional import AccessOutcome, depth_buffer, functional
from models.zcache.records import FILLED, REQUEST, RESULT
from models.zcache.running import Machine, ModelRun, run
from models.zcache.state import INPUTS, OUTPUTS, WORD, State, new_state

__all__ = [
    "FILLED", "INPUTS", "OUTPUTS", "REQUEST", "RESULT", "WORD",
    "AccessOutcome", "Machine", "ModelRun", "State", "cycle", "depth_buffer",
    "functional", "new_state", "run",
]  # fmt: skip
