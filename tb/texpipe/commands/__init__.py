# SPDX-License-Identifier: Apache-2.0
"""Commands of the block: ``python -m tb NAME texpipe``."""
