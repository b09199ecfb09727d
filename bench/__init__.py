# SPDX-License-Identifier: Apache-2.0
"""Speed, as ratios measured side by side in one run; nothing here is a test."""

import configs as _configs  # noqa: F401  says what to type where packages are missing
