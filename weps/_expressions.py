"""Expressions that print and parse: ``dice(ngram(n=2, local=true))``.

Features, similarities and measures are written the same way on the command line, in model files
and in tables. An expression is a name with positional arguments (further expressions) and named
parameters (numbers, booleans, words).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from weps.errors import FeatureError

Value = bool | int | float | str

_TOKEN = re.compile(r"\s*(?:([A-Za-z_]\w*)|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([(),=]))")
_MAX_PARENTHESES = 50
_LITERALS: dict[str, bool] = {"true": True, "false": False}


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
    """The expression that ``text`` writes.

    Raises:
        FeatureError: if the text is not an expression.
    """
    if text.count("(") > _MAX_PARENTHESES:
        raise _syntax_error(f"{text[:40]}…", "it is nested too deeply")
    tokens = _tokenize(text)
    expression, end = _read_expression(tokens, 0, text)
    if end != len(tokens):
        raise _syntax_error(text, f"unexpected {tokens[end]!r}")
    return expression


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


def _syntax_error(text: str, why: str) -> FeatureError:
    return FeatureError(
        f"cannot read {text!r}: {why}", remedy="write it like dice(ngram(n=2, local=true))"
    )


def _tokenize(text: str) -> list[str]:
    tokens, position = [], 0
    stripped = text.rstrip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None:
            raise _syntax_error(text, f"unexpected {stripped[position]!r}")
        tokens.append(match.group().strip())
        position = match.end()
    return tokens


def _read_expression(tokens: list[str], at: int, text: str) -> tuple[Expression, int]:
    """Read one expression from ``tokens[at:]``; returns it and where it ends."""
    if at >= len(tokens) or not tokens[at].isidentifier():
        raise _syntax_error(text, "a name is missing")
    name, at = tokens[at], at + 1
    arguments: list[Expression] = []
    parameters: dict[str, Value] = {}
    if at < len(tokens) and tokens[at] == "(":
        while tokens[at] != ")":
            at += 1  # the opening parenthesis or a comma
            if tokens[at + 1 : at + 2] == ["="]:
                if not tokens[at].isidentifier():
                    what = f"expected the name of a parameter, got {tokens[at]!r}"
                    raise _syntax_error(text, what)
                if tokens[at] in parameters:
                    raise _syntax_error(text, f"{tokens[at]!r} is given twice")
                parameters[tokens[at]] = _read_value(tokens[at + 2 : at + 3], text)
                at += 3
            else:
                argument, at = _read_expression(tokens, at, text)
                arguments.append(argument)
            if at >= len(tokens) or tokens[at] not in "),":
                raise _syntax_error(text, "a closing parenthesis is missing")
        at += 1
    return Expression(name, tuple(arguments), tuple(parameters.items())), at


def _read_value(tokens: list[str], text: str) -> Value:
    token = tokens[0] if tokens else ""
    if token.isidentifier():
        return _LITERALS.get(token, token)
    try:
        return float(token) if set(token) & set(".e") else int(token)
    except ValueError:
        raise _syntax_error(
            text, f"expected a number, word, true or false, got {token!r}"
        ) from None
