"""Overlaps, parameters, and measures that are declared."""

import math
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.text.made_up_topic import TOPIC, topic
from weps.errors import FeatureError, ValuesError
from weps_eval.text.declaration import (
    FAMILIES,
    PART,
    Choice,
    Number,
    Overlap,
    Switch,
    Whole,
    measure,
    measure_families,
    or_wholes,
    pooled_overlap,
)
from weps_eval.text.registry import Measure, measures_of
from weps_eval.text.scoring import measure_scores
from weps_eval.text.topic import TopicTexts

COUNTS = st.integers(0, 50)


@each_case(
    ("overlap", "precision", "recall"),
    [
        (Overlap(1, 2, 4), 0.5, 0.25),
        (Overlap(0, 2, 4), 0, 0),
        (Overlap(0, 0, 4), 0, 0),
        (Overlap(0, 2, 0), 0, 0),
        (Overlap(0, 0, 0), 1, 1),
    ],
)
def test_shares_are_defined_everywhere(overlap, precision, recall):
    assert (overlap.precision, overlap.recall) == (precision, recall)


@each_case(
    ("beta", "expected"),
    [(1, 1 / 3), (0, 0.5), (math.inf, 0.25), (2, 5 * 0.5 * 0.25 / (4 * 0.5 + 0.25))],
)
def test_f_goes_from_precision_to_recall(beta, expected):
    assert Overlap(1, 2, 4).f(beta) == pytest.approx(expected)


@given(COUNTS, COUNTS, COUNTS, st.floats(0, 1e6))
def test_f_lies_between_precision_and_recall(shared, left, right, beta):
    overlap = Overlap(shared, shared + left, shared + right)
    low, high = sorted((overlap.precision, overlap.recall))
    assert low - 1e-12 <= overlap.f(beta) <= high + 1e-12


@each_case(
    ("overlap", "output", "reference", "expected"),
    [
        (Overlap(0, 0, 0), (("a",),), (("a",),), Overlap(1, 1, 1)),
        (Overlap(0, 0, 0), (("a",),), (("b",),), Overlap(0, 1, 1)),
        (Overlap(0, 0, 0), (), ((),), Overlap(1, 1, 1)),
        (Overlap(0, 0, 1), (("a",),), (("a", "b"),), Overlap(0, 0, 1)),
    ],
)
def test_texts_without_units_match_as_wholes(overlap, output, reference, expected):
    assert or_wholes(overlap, output, reference) == expected
    assert or_wholes(overlap, output, reference, official=True).matches == 0


def test_pooled_is_all_matches_over_all_totals():
    overlaps = [Overlap(1, 2, 4), Overlap(2, 2, 2)]
    assert pooled_overlap(overlaps) == Overlap(3, 4, 6)


def test_weights_are_pooled_by_their_power():
    assert pooled_overlap([Overlap(3, 3, 3, 2), Overlap(4, 4, 4, 2)]) == Overlap(5, 5, 5)


CHOICE = Choice(("f", "recall"), "which")
SWITCH = Switch("whether")
NUMBER = Number(1.0, 0, 2, "how much")
WHOLE = Whole(None, 1, 9, "how many", "any")


@each_case(
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
def test_values_are_kept_or_refused(parameter, given, kept):
    read = parameter.read(given)
    assert read == kept
    assert type(read) is type(kept)


@pytest.fixture
def undone() -> Iterator[None]:
    """Measures declared by a test are forgotten."""
    measure_families()
    known = dict(FAMILIES)
    yield
    FAMILIES.clear()
    FAMILIES.update(known)


@pytest.mark.usefixtures("undone")
def test_a_measure_of_a_user_is_known_at_once():
    @measure(
        "style",
        "equally long",
        formula="1 if so",
        source="our own",
        aliases={"long{}": "by={}"},
        by=Whole(1, 1, 9, "characters that do not matter"),
    )
    def same_length(output: str, reference: str, *, by: int) -> float:
        return float(len(output) // by == len(reference) // by)

    assert same_length("a", "b", by=1) == 1, "the function is still the function"
    assert str(Measure.parse("same_length")) == "same_length"
    assert list(map(str, measures_of("Long-2, rouge_1"))) == ["same_length(by=2)", "rouge(n=1)"]
    assert list(measure_families()).index("same_length") < list(measure_families()).index("hwcm")
    assert measure_scores(Measure.parse("same_length"), TopicTexts(TOPIC)).tolist() == [0, 0, 0]


@pytest.mark.usefixtures("undone")
def test_parts_of_overlaps_are_chosen_pooled_and_swapped():
    @measure(
        "style",
        "letters",
        formula="matches = 1",
        source="our own",
        joined="pooled",
        part=PART,
        inverted=Switch("swap"),
    )
    def letters(output: str, reference: str) -> Overlap:
        if output == "It rained.":
            raise ValuesError("too short")
        return Overlap(1, len(output), len(reference))

    made = topic(["a" * 5], ["b" * 2, "c" * 4])
    for values, expected in {
        "part=recall": (1 / 2 + 1 / 4) / 2,
        "part=recall, references=together": 2 / 6,
        "part=precision, references=together": 2 / 10,
        "part=precision, inverted=true": 1 / 5,
        "part=recall, inverted=true, references=maximum": 1 / 2,
    }.items():
        found = measure_scores(Measure.parse(f"letters({values})"), TopicTexts(made))
        assert found.tolist() == pytest.approx([expected]), values
    with pytest.raises(ValuesError, match="too short") as caught:
        measure_scores(Measure.parse("letters"), TopicTexts(topic(["It rained."], ["Rain."])))
    assert caught.value.where == "the output of 'system 0'", "the longer text is named"


@pytest.mark.usefixtures("undone")
def test_a_measure_of_weps_is_not_replaced():
    with pytest.raises(FeatureError, match="weps has a measure 'dice'"):
        measure("style", "d", formula="f", source="s", name="dice")(len)
