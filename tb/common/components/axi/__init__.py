# SPDX-License-Identifier: Apache-2.0
"""AXI4: what a burst is, a memory that answers, and a checker of all five channels."""
