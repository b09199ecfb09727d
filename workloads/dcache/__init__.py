# SPDX-License-Identifier: Apache-2.0
"""Traffic of ``dcache``: patterns of small programs, and trace files."""
