# SPDX-License-Identifier: Apache-2.0
"""Templates of the pipelined texture unit."""
