"""What parameters of measures may be."""

from __future__ import annotations

import pytest

from eval.text.declarations.base import Choice, Number, Parameter, Switch, Whole
from weps._expressions import Value

CHOICE = Choice(("f", "recall"), "which")
SWITCH = Switch("whether")
NUMBER = Number(1.0, 0.0, 2.0, "how much")
WHOLE = Whole(None, 1, 9, "how many", "any")


@pytest.mark.parametrize(
    ("parameter", "given", "kept"),
    [
        (CHOICE, "recall", "recall"),
        (CHOICE, "precision", None),
        (CHOICE, True, None),
        (SWITCH, True, True),
        (SWITCH, False, False),
        (SWITCH, 1, None),
        (SWITCH, "yes", None),
        (NUMBER, 2, 2.0),
        (NUMBER, 2.1, None),
        (NUMBER, -0.1, None),
        (NUMBER, True, None),
        (NUMBER, "much", None),
        (WHOLE, 9, 9),
        (WHOLE, 10, None),
        (WHOLE, 0, None),
        (WHOLE, 2.0, None),
        (WHOLE, True, None),
        (WHOLE, "any", "any"),
        (WHOLE, "all", None),
        (Whole(1, 1, 9, "how many"), "", None),
    ],
)
def test_values_are_kept_or_refused(parameter: Parameter, given: Value, kept: Value | None) -> None:
    read = parameter.read(given)
    assert read == kept
    assert type(read) is type(kept)


@pytest.mark.parametrize(
    ("parameter", "default", "allowed"),
    [
        (CHOICE, "f", "f, recall"),
        (SWITCH, False, "true, false"),
        (NUMBER, 1.0, "0 to 2"),
        (WHOLE, None, "1 to 9, any"),
        (Whole(3, 1, 9, "how many"), 3, "1 to 9"),
    ],
)
def test_what_is_usual_and_what_is_allowed(
    parameter: Parameter, default: Value | None, allowed: str
) -> None:
    assert parameter.default == default
    assert parameter.allowed == allowed
