# SPDX-License-Identifier: Apache-2.0
"""Traffic of the texture unit: frames of quads, trace files."""
