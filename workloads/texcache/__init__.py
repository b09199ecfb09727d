# SPDX-License-Identifier: Apache-2.0
"""Traffic of the texture cache: frames of footprints, access patterns, trace files."""
