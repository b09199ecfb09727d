# SPDX-License-Identifier: Apache-2.0
"""Traffic of ``simple``: patterns of small programs, and trace files."""
