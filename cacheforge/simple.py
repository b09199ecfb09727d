# SPDX-License-Identifier: Apache-2.0
"""``simple`` in the library: loads and stores."""

from cacheforge.requests import RequestRoom
from models.simple import REQUEST, SimpleModel
from workloads.simple.patterns import PATTERNS, columns
from workloads.simple.trace import accessed, defaults

ROOM = RequestRoom(REQUEST, SimpleModel, PATTERNS, columns, defaults, accessed)
