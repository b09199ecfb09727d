# SPDX-License-Identifier: Apache-2.0
"""Traffic of the pipelined texture unit: that of ``texunit``; here is a trace file to begin with."""
