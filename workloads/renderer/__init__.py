# SPDX-License-Identifier: Apache-2.0
"""Traffic of ``renderer``: scenes as vertices, and the coordinates of the quads that they cover."""
