# SPDX-License-Identifier: Apache-2.0
"""Scripts to begin with; ``docs/api.md`` has the manual."""
