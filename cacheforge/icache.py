# SPDX-License-Identifier: Apache-2.0
"""``icache`` in the library: fetches."""

from cacheforge.requests import RequestRoom
from models.icache import REQUEST, IcacheModel
from workloads.icache.patterns import PATTERNS, columns
from workloads.icache.trace import defaults, fetched

ROOM = RequestRoom(REQUEST, IcacheModel, PATTERNS, columns, defaults, fetched)
