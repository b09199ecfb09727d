# SPDX-License-Identifier: Apache-2.0
"""Mode adaptive: how far ahead of the test lines are asked for, changed by what became of those before."""

from configs.zcache.schema import LATE, MISS
from models.kernels import kernel
from models.zcache.state import NUMBER_OF, State, step_counter

LOST, FARTHER, NEARER = (NUMBER_OF[name] for name in ("lost", "farther", "nearer"))


@kernel
def note_kind(state: State, kind: int) -> None:
    """The end of an access's first cycle at the test; before the pointer moves."""
    now, settings = state.now, state.settings
    lost = kind == MISS and now.pointer > now.moved
    reaches = now.pointer - now.moved + 1 >= now.distance
    step_counter(state, LOST, lost)
    if lost:
        now.score -= settings.weight
    elif reaches and kind in (LATE, MISS):
        now.score += 1
    distance, change = now.distance, now.distance // settings.step + 1
    if now.score >= settings.patience:
        now.distance, now.score = min(settings.tiles, distance + change), 0
    elif now.score <= -settings.patience:
        now.distance, now.score = max(1, distance - change), 0
    step_counter(state, FARTHER, now.distance > distance)
    step_counter(state, NEARER, now.distance < distance)
