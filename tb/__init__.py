# SPDX-License-Identifier: Apache-2.0
"""The verification environment: ``common`` serves every block, ``<block>`` is particular to one."""

import configs as _configs  # noqa: F401  says what to type where packages are missing
