# SPDX-License-Identifier: Apache-2.0
"""Traffic of the pipelined texture unit: that of ``texunit``, also of two levels; a trace file."""
