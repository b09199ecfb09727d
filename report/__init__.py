# SPDX-License-Identifier: Apache-2.0
"""The hit-rate report: one self-contained page with CSV and JSON files beside it, from measured results.

====================  ================================================================================
``<block>``           reads what was measured of a block, yields rows and values: ``build(folder, progress)``
``<block>/page.toml`` declares its page: sections, figures, sentences, columns, charts
``pages``             brings both together; ``shared.toml``: what several blocks have
``drawing``           charts as they are declared; ``charts``, ``svg``: as inline SVG
``tables``            one table, three forms: page, CSV, JSON
``page``              what a page is made of, and its frame; ``images``, ``views``: pictures
``results``           measured files, checked as they are read
``browser``           headless Chromium: opens the page, takes its picture
====================  ================================================================================

Reads result files only: no simulator, no testbench. ``python -m tb measure BLOCK`` writes them.
"""

import configs as _configs  # noqa: F401  says what to type where packages are missing
