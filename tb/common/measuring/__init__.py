# SPDX-License-Identifier: Apache-2.0
"""What the report shows, measured: ``python -m tb measure BLOCK``.

A block says in ``tb/<block>/measuring`` what is measured (a class :class:`Measurement` of a list of
:class:`Workload`); processes, files, progress and the index are here. ``stored``: files of results;
``workload``: what a block gives; ``command``: the command.
"""
