# SPDX-License-Identifier: Apache-2.0
"""Tests of configurations, generator, models, workloads, report, and of the harness itself."""

import configs as _configs  # noqa: F401  says what to type where packages are missing
