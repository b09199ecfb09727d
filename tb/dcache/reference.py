# SPDX-License-Identifier: Apache-2.0
"""Feeds the golden model with the requests that were answered, and says what the pins must show."""

from typing import Any

from numpy.typing import NDArray

from models.dcache import REQUEST, DcacheModel
from tb.common.components.packing import Columns
from tb.common.components.writing import WritingReference
from tb.dcache.items import event_columns, result_columns

CHANNELS = ("evt", "res")


class DcacheReference(WritingReference):
    """Three requests may be under way: a reset meets them, and some of their writes."""

    channels = CHANNELS
    request_type, model_class = REQUEST, DcacheModel

    def columns(self, channel: str, requests: NDArray[Any], results: NDArray[Any]) -> Columns:
        """See :meth:`RequestReference.columns`."""
        return (event_columns if channel == "evt" else result_columns)(requests, results)
