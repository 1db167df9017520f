"""JSON that others may have written: models that check it, and one message for all its faults.

Imports pydantic, so it is imported only by modules that read such a file.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from weps._formatting import cut_text, quote_text
from weps.errors import WepsError

_MAX_REPORTED = 5
_MESSAGES = {
    "bool_type": "expected true or false",
    "dataclass_type": "expected an object",
    "dict_type": "expected an object",
    "enum": "expected {expected}",
    "finite_number": "expected a finite number",
    "float_type": "expected a number",
    "greater_than": "expected a number above {gt:g}",
    "greater_than_equal": "expected a number from {ge:g}",
    "int_type": "expected a whole number",
    "less_than": "expected a number below {lt:g}",
    "less_than_equal": "expected a number up to {le:g}",
    "list_type": "expected a list",
    "literal_error": "expected {expected}",
    "model_type": "expected an object",
    "string_pattern_mismatch": "expected text that matches {pattern}",
    "string_too_long": "expected at most {max_length} characters",
    "string_too_short": "expected at least {min_length} characters",
    "string_type": "expected text",
    "too_long": "expected at most {max_length} entries",
    "too_short": "expected at least {min_length} entries",
    "tuple_type": "expected a list",
}
"""Type of a pydantic error → message; others are worded by pydantic."""
_COMPLETE = {
    "missing": "is missing",
    "extra_forbidden": "is not a field of this format",
    "unexpected_keyword_argument": "is not a field of this format",
}
"""Types whose message does not state the value."""


class JsonModel(BaseModel):
    """A record read from JSON: no value is converted, unknown fields are refused.

    The docstring of a field is its description in the JSON Schema.
    """

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True
    )


Model = TypeVar("Model", bound=BaseModel)


def parse_json(model: type[Model], raw: bytes | str, fail: Callable[[str], WepsError]) -> Model:
    """The record in a JSON text.

    Args:
        model: of the record.
        raw: the text; bytes are UTF-8.
        fail: makes the error to raise from the description of the faults.
    """
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        raise fail(describe_faults(error)) from None


def validate_data(model: type[Model], data: object, fail: Callable[[str], WepsError]) -> Model:
    """The record in parsed JSON or in keyword arguments, see :func:`parse_json`."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise fail(describe_faults(error)) from None


@cache
def json_reader(model: type) -> TypeAdapter[Any]:
    """The reader of a dataclass from JSON, which takes a while to make."""
    return TypeAdapter(model)


def describe_faults(error: ValidationError) -> str:
    """The faults of a record, each with its place, joined by semicolons; at most five."""
    faults = []
    for fault in error.errors(include_url=False):
        parts = (  # of a place such as people[3].pages[0]; there are none for the whole
            f".{part}" if isinstance(part, str) and part.isidentifier() else f"[{_quote(part)}]"
            for part in fault["loc"]
        )
        kind, place = fault["type"], "".join(parts).removeprefix(".")
        if kind in _COMPLETE:
            faults.append(f"{place} {_COMPLETE[kind]}")
            continue
        if kind == "value_error":
            message = str(fault["ctx"]["error"])
        elif kind in _MESSAGES:
            expected = _MESSAGES[kind].format_map(fault.get("ctx", {}))
            message = f"{expected}, got {_quote(fault['input'])}"
        else:
            message = fault["msg"]
        faults.append(f"{place}: {message}" if place else message)
    more = len(faults) - _MAX_REPORTED
    return "; ".join(faults[:_MAX_REPORTED]) + (f"; and {more} more" if more > 0 else "")


_KINDS = {dict: "an object", list: "a list", tuple: "a list", type(None): "null"}
"""Types of values that are not quoted."""


def _quote(value: object) -> str:
    if isinstance(value, str):
        return quote_text(value)
    return _KINDS.get(type(value)) or cut_text(str(value), 40)
