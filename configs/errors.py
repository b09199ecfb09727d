# SPDX-License-Identifier: Apache-2.0
"""The one exception that means "the user can mend this"."""


class UserError(Exception):
    """Bad input or a missing tool: the text says what, where and what to do.

    Command lines turn it into one ``error:`` line and exit code 2 (:func:`configs.cli.run`).
    """
