# SPDX-License-Identifier: Apache-2.0
"""Traffic of ``zcache``."""
