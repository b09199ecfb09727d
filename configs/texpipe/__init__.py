# SPDX-License-Identifier: Apache-2.0
"""Configuration of the pipelined texture unit."""
