# SPDX-License-Identifier: Apache-2.0
"""Constants in a program's text: numbers, names, ``+ - * << >> & |`` and parentheses."""

import ast
import operator
from collections.abc import Callable, Mapping

OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
}  # fmt: skip
LARGEST = 1 << 32  # in between; a shift by more than a word is a mistake


def evaluate(text: str, names: Mapping[str, int]) -> int:
    """The value of ``text``. Raises ValueError, with a message, for what is none."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"'{text.strip()}' is no constant") from None
    return _value(tree, names)


def _value(tree: ast.expr, names: Mapping[str, int]) -> int:
    if isinstance(tree, ast.Constant) and type(tree.value) is int:
        return tree.value
    if isinstance(tree, ast.Name):
        if tree.id not in names:
            raise ValueError(f"unknown name '{tree.id}'")
        return names[tree.id]
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        return -_value(tree.operand, names)
    if isinstance(tree, ast.BinOp) and type(tree.op) in OPERATORS:
        left, right = _value(tree.left, names), _value(tree.right, names)
        if isinstance(tree.op, ast.LShift | ast.RShift) and not 0 <= right <= 32:
            raise ValueError(f"a shift by {right}")
        result = OPERATORS[type(tree.op)](left, right)
        if abs(result) > LARGEST:
            raise ValueError(f"'{ast.unparse(tree)}' does not fit")
        return result
    raise ValueError(f"'{ast.unparse(tree)}' is no constant")
