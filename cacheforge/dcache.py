# SPDX-License-Identifier: Apache-2.0
"""``dcache`` in the library: loads and stores."""

from cacheforge.requests import RequestRoom
from models.dcache import REQUEST, DcacheModel
from workloads.dcache.patterns import PATTERNS, columns
from workloads.dcache.trace import accessed, defaults

ROOM = RequestRoom(REQUEST, DcacheModel, PATTERNS, columns, defaults, accessed)
