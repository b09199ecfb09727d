# SPDX-License-Identifier: Apache-2.0
"""The configurations that are compared, by role: what the report calls them."""

from collections.abc import Iterable, Mapping
from typing import Any

from configs.lpas.schema import Config
from tb.common.measuring.workload import preset_of

LPAS, FS, LR2SS = SWITCHES = ("LPAS", "FS", "LR2SS")
READING_B, READING_C = READINGS = ("LR2SS B", "LR2SS C")
AGE, WEIGHTS = BOUNDED = ("LPAS, age", "LPAS, weights")
PIPELINED = "LPAS, read_pipeline"
CHANGES: Mapping[str, Mapping[str, Any]] = {
    LPAS: {}, FS: {"switch": "fs"}, LR2SS: {"switch": "lr2ss-a"}, READING_B: {"switch": "lr2ss-b"},
    READING_C: {"switch": "lr2ss-c"}, AGE: {"bound": "age"}, WEIGHTS: {"bound": "weights"},
    PIPELINED: {"read_pipeline": True},
}  # fmt: skip


def configurations(base: Config, roles: Iterable[str], **changes: Any) -> dict[str, Config]:
    """``base`` in each role, with ``changes``."""
    return {role: preset_of(base.with_(**CHANGES[role], **changes)) for role in roles}
