# SPDX-License-Identifier: Apache-2.0
"""The verification environment: ``common`` serves every block, ``<block>`` is particular to one."""
