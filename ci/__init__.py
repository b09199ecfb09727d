# SPDX-License-Identifier: Apache-2.0
"""Set-up, lint and regressions: what runs the project rather than being it. May import everything."""

import configs as _configs  # noqa: F401  says what to type where packages are missing
