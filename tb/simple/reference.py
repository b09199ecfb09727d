# SPDX-License-Identifier: Apache-2.0
"""Feeds the golden model with the requests that were answered, and says what the pins must show."""

from typing import Any

from numpy.typing import NDArray

from models.simple import REQUEST, SimpleModel
from tb.common.components.packing import Columns
from tb.common.components.writing import WritingReference
from tb.simple.items import event_columns, result_columns

CHANNELS = ("evt", "res")


class SimpleReference(WritingReference):
    """One request at a time: a reset meets one at most."""

    channels = CHANNELS
    request_type, model_class = REQUEST, SimpleModel

    def columns(self, channel: str, requests: NDArray[Any], results: NDArray[Any]) -> Columns:
        """See :meth:`RequestReference.columns`."""
        return (event_columns if channel == "evt" else result_columns)(requests, results)
