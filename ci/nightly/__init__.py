# SPDX-License-Identifier: Apache-2.0
"""Regressions over blocks, configurations, simulators, tests and seeds, on all cores or several machines.

=============  =========================================================================
``catalogue``  what there is to run: jobs of a tier, from ``tb/<block>/regression.toml``
``job``        runs one job, in a worker's process
``store``      results in SQLite; a job counts once
``cluster``    jobs on a Dask cluster, live progress
``closure``    more seeds until every bin is hit or a budget ends
``smoke``      the smallest set of tests and seeds that reaches the coverage, which ``make test`` runs
``coverage``   functional and code coverage of a campaign
``page``       the dashboard
=============  =========================================================================
"""
