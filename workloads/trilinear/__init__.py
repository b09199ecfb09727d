# SPDX-License-Identifier: Apache-2.0
"""Traffic of ``trilinear``: samples of the texture cache's patterns and scenes, and trace files."""
