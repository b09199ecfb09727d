# SPDX-License-Identifier: Apache-2.0
"""A reference that follows the design cycle by cycle, beside a golden model that is exact in cycles."""
