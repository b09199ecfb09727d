# SPDX-License-Identifier: Apache-2.0
"""The verification environment: ``common`` serves every block, ``<block>`` holds what is particular to one."""
