# SPDX-License-Identifier: Apache-2.0
"""Traffic of ``icache``: patterns of small programs, and trace files."""
