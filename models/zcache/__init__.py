# SPDX-License-Identifier: Apache-2.0
"""Golden model of ``zcache``."""
