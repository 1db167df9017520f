"""The values of measures on a topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

from eval.text.declarations.base import Family
from eval.text.measures.overlap import Overlap
from eval.text.measures.topic import TopicTexts
from eval.text.registry import Measure
from eval.text.scoring import measure_scores, measure_similarities
from eval.text.testbed.records import Output, Reference, Text, Topic
from weps.errors import ValuesError

Floats: TypeAlias = NDArray[np.float64]

OUTPUTS = ("the cat sat on the mat", "", "a dog", " \n")
REFERENCES = ("the cat sat", "a cat was on the mat", "dogs")


def lengths(
    _: TopicTexts, outputs: Sequence[Text], references: Sequence[Text], **__: object
) -> Floats:
    """A measure that sees empty texts if it is shown any."""
    return np.array([[len(one) / len(other) for other in references] for one in outputs])


def together(
    _: TopicTexts, outputs: Sequence[Text], references: Sequence[Text], **__: object
) -> Floats:
    return np.array([float(len(each)) for each in outputs]) + len(references)


FAMILY = Family(
    name="lengths",
    group="style",
    description="d",
    formula="f",
    source="s",
    compare=lengths,
    together=together,
    joined="j",
)


def measure(references: str = "mean", family: Family = FAMILY) -> Measure:
    return Measure(family, (("references", references),))


def desk(outputs: Sequence[str] = OUTPUTS, references: Sequence[str] = REFERENCES) -> TopicTexts:
    return TopicTexts(
        Topic(
            "t",
            tuple(Reference(f"r{number}", text) for number, text in enumerate(references)),
            tuple(Output(f"s{number}", text) for number, text in enumerate(outputs)),
        )
    )


def test_empty_texts_are_alike_and_like_nothing_else() -> None:
    table = measure_similarities(measure(), desk(), OUTPUTS, ("the cat sat", ""))
    assert table.tolist() == [[22 / 11, 0.0], [0.0, 1.0], [5 / 11, 0.0], [0.0, 1.0]]


def test_nothing_is_compared_where_all_texts_are_empty() -> None:
    assert measure_similarities(measure(), desk(), ["", ""], ["", ""]).tolist() == [[1, 1], [1, 1]]
    assert measure_similarities(measure(), desk(), [""], REFERENCES).tolist() == [[0, 0, 0]]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("mean", np.mean([22 / 11, 22 / 20, 22 / 4])),
        ("maximum", 22 / 4),
        ("jackknife", (22 / 4 + 22 / 4 + 22 / 11) / 3),
        ("together", 25.0),
    ],
)
def test_references_are_combined_as_told(how: str, expected: float) -> None:
    values = measure_scores(measure(how), desk())
    assert values[0] == pytest.approx(expected)
    assert values[1] == values[3] == 0.0


def test_no_number_is_refused_with_the_name_of_the_system() -> None:
    def nan(
        _: TopicTexts, outputs: Sequence[Text], references: Sequence[Text], **__: object
    ) -> Floats:
        table = np.ones((len(outputs), len(references)))
        table[-1, 0] = np.nan
        return table

    family = Family(name="n", group="g", description="d", formula="f", source="s", compare=nan)
    with pytest.raises(ValuesError, match=r"the output of 's2'.*no number"):
        measure_scores(measure(family=family), desk())


def test_values_equal_the_arithmetic() -> None:
    values = measure_similarities(
        Measure.parse("rouge(n=1, part=recall)"), desk(), OUTPUTS[:1], REFERENCES[:2]
    )
    assert values.tolist() == [[Overlap(3, 6, 3).recall, Overlap(4, 6, 6).recall]]
    pooled = measure_scores(Measure.parse("rouge(n=1, part=recall, references=together)"), desk())
    assert pooled[0] == 7 / 10


def test_whose_text_has_no_words_is_told() -> None:
    with pytest.raises(ValuesError, match=r"the output of 's0': a text has no word.*unicode=true"):
        measure_scores(Measure.parse("rouge(n=1)"), desk(["文章", "a"]))
