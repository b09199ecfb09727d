# SPDX-License-Identifier: Apache-2.0
"""The hit-rate report: one self-contained page with CSV and JSON files beside it, from measured results.

====================  ================================================================================
``svg``, ``charts``   drawings as inline SVG: scales, axes, lines, bars, histograms, heat maps
``tables``            one table, three forms: page, CSV, JSON
``images``            pictures as data URIs
``page``              what a block's report is made of, and the page around it
``browser``           headless Chromium: opens the page, takes its picture
``<block>``           what the report says about a block: ``build(results, progress) -> BlockReport``
====================  ================================================================================

Reads result files only: no simulator, no test bench. ``python -m tb measure BLOCK`` writes them.
"""

import configs as _configs  # noqa: F401  says what to type where packages are missing
