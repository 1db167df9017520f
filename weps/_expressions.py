"""Expressions that print and parse: ``dice(ngram(n=2, local=true))``.

Features, similarities and measures are written the same way on the command line, in model files
and in tables. An expression is a name with positional arguments (further expressions) and named
parameters (numbers, booleans, words).
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from weps.errors import FeatureError

Value = bool | int | float | str

_LONGEST = 200
"""Characters of a text that an error quotes."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed name."""

    name: str
    arguments: tuple[Expression, ...] = ()
    parameters: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        named = (
            f"{key}={str(value).lower() if isinstance(value, bool) else value}"
            for key, value in self.parameters
        )
        inside = ", ".join([*map(str, self.arguments), *named])
        return f"{self.name}({inside})" if inside else self.name


def parse_expression(text: str) -> Expression:
    """The expression that ``text`` writes, whose grammar is a part of Python's.

    Raises:
        FeatureError: if the text is not an expression.
    """
    try:
        if text.count("(") > 50:
            raise ValueError("it is nested too deeply")
        # Where a comma or a parenthesis follows another, an argument or a name is missing.
        if not re.fullmatch(r"[\w\s(),=.+-]*", text) or re.search(r"[(,]\s*[(,)]", text):
            raise ValueError("expected names, numbers and arguments in parentheses")
        return _expression_of(ast.parse(text.strip(), mode="eval").body)
    except (ValueError, RecursionError, MemoryError, SyntaxError) as problem:
        reason = problem.msg if isinstance(problem, SyntaxError) else str(problem)
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        raise FeatureError(
            f"cannot read {shown!r}: {reason}", remedy="write it like dice(ngram(n=2, local=true))"
        ) from None


def _expression_of(node: ast.expr) -> Expression:
    match node:
        case ast.Name(name):
            return Expression(name)
        case ast.Call(ast.Name(name), arguments, keywords):
            parameters = {each.arg or "": _value_of(each.value) for each in keywords}
            if len(parameters) < len(keywords):
                raise ValueError("a parameter is given twice")
            return Expression(
                name, tuple(map(_expression_of, arguments)), tuple(parameters.items())
            )
    raise ValueError(f"expected a name, got {ast.unparse(node)!r}")


def _value_of(node: ast.expr) -> Value:
    match node:
        case ast.Name(word):
            return {"true": True, "false": False}.get(word, word)
        case ast.Constant(int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
            return -number
    raise ValueError(f"expected a number, word, true or false, got {ast.unparse(node)!r}")


def split_items(text: str) -> list[str]:
    """The parts of a comma-separated list, commas inside parentheses left alone."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]
