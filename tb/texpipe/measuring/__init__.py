# SPDX-License-Identifier: Apache-2.0
"""What a frame through the pipelined texture unit gives: its picture and its figures."""
