"""Sets of measures."""

from __future__ import annotations

from collections import Counter

import pytest

from eval.text.measure_sets import MEASURE_SETS, MeasureSet, measures_of
from weps.errors import FeatureError


@pytest.mark.parametrize("chosen", MEASURE_SETS.values(), ids=MEASURE_SETS)
def test_members_are_measures_each_another(chosen: MeasureSet) -> None:
    assert len({*chosen.measures}) == len(chosen.measures)


def test_the_sets_of_the_papers_have_as_many_measures_as_the_papers() -> None:
    families = Counter(measure.family.group for measure in MEASURE_SETS["duc2004"].measures)
    assert families["ROUGE"] == 24 + 24
    assert families.total() == 59
    assert len(MEASURE_SETS["summaries"].measures) == 21


def test_a_list_holds_measures_and_sets_each_once() -> None:
    chosen = measures_of("rouge(n=2, part=recall), usual ,rouge(n=1)")
    assert list(map(str, chosen)) == [
        "rouge(n=2, part=recall)",
        *map(str, MEASURE_SETS["usual"].measures),
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "no measure is named"),
        (" , ", "no measure is named"),
        ("usal", "there is neither a measure nor a set 'usal'; did you mean usual"),
        ("usual(n=1)", "the set usual has no parameters"),
        ("Usual", "did you mean usual"),
        ("usual;rouge", "did you mean usual or rouge or grouge?"),
        ("usual, rugo(n=1)", "unknown measure 'rugo'"),
        ("rouge(n=1) rouge(n=2)", "cannot read"),
    ],
)
def test_what_is_no_list_is_refused(text: str, what: str) -> None:
    with pytest.raises(FeatureError, match=r"\w") as caught:
        measures_of(text)
    assert what in caught.value.describe()
