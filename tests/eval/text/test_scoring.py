"""Testbeds are scored and summed up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from eval.text.declarations.base import Family
from eval.text.matrix import MeasureMatrix
from eval.text.measures.overlap import Overlap
from eval.text.measures.topic import TopicTexts
from eval.text.registry import Measure
from eval.text.scoring import measure_scores, measure_similarities
from eval.text.summary import system_agreement, system_means
from eval.text.testbed import Output, Reference, Text, Topic
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


NONE = float("nan")


def matrix(*rows: tuple[str, str, float, float]) -> MeasureMatrix:
    """Topic, system, value, what people thought."""
    topic, system, value, human = zip(*rows, strict=True) if rows else ((), (), (), ())
    return MeasureMatrix(
        topic, system, ("m",), np.array([value], float), ("c",), np.array([human], float)
    )


ROWS = (
    ("t1", "A", 0.1, 1.0),
    ("t1", "B", 0.3, 2.0),
    ("t1", "C", 0.2, 4.0),
    ("t2", "B", 0.9, NONE),
    ("t2", "C", 0.4, 5.0),
    ("t3", "A", 0.6, 2.0),
    ("t3", "B", 0.5, 4.0),
    ("t3", "C", 0.9, 5.0),
    ("t3", "D", 0.0, NONE),
)


def test_means_are_over_the_topics_of_each_system() -> None:
    means = system_means(matrix(*ROWS))
    assert means.systems == ("A", "B", "C", "D")
    assert means.topics.tolist() == [2, 3, 3, 1]
    assert means.values == pytest.approx(np.array([[0.35, 1.7 / 3, 0.5, 0.0]]))
    assert means.overall == pytest.approx([3.9 / 9])


def test_agreement_is_over_the_topics_on_which_all_were_judged() -> None:
    found = system_agreement(matrix(*ROWS), "c")
    assert (found.systems, found.topics) == (3, 2)
    ours, people = [0.7, 0.8, 1.1], [3.0, 6.0, 9.0]
    assert found.pearson == pytest.approx([stats.pearsonr(ours, people).statistic])
    assert found.kendall.tolist() == [1.0]


@pytest.mark.parametrize(
    ("rows", "systems", "topics"),
    [
        ((), 0, 0),
        ([row for row in ROWS if row[1] in "AB"], 2, 2),
        ([("t1", "A", 0.1, 1.0), ("t2", "B", 0.2, 2.0), ("t3", "C", 0.3, 3.0)], 3, 0),
        ([("t1", "A", 0.1, NONE)], 0, 0),
    ],
)
def test_no_agreement(rows: list[tuple[str, str, float, float]], systems: int, topics: int) -> None:
    found = system_agreement(matrix(*rows), "c")
    assert (found.systems, found.topics) == (systems, topics)
    assert not found.is_defined
    assert np.isnan([found.pearson, found.kendall]).all()


@pytest.mark.parametrize(
    ("values", "people"),
    [((0.5, 0.5, 0.5), (1, 2, 3)), ((1, 2, 3), (4, 4, 4)), ((1, 2, np.inf), (1, 2, 3))],
)
def test_no_coefficient_where_systems_are_alike_or_endless(
    values: tuple[float, ...], people: tuple[float, ...]
) -> None:
    rows = [("t", *row) for row in zip("ABC", values, people, strict=True)]
    found = system_agreement(matrix(*rows), "c")
    assert found.is_defined
    assert np.isnan([found.pearson, found.kendall]).all()


def test_values_that_hardly_differ() -> None:
    rows = (("t", name, 1 + 1e-9 * at, float(at)) for at, name in enumerate("ABC"))
    assert system_agreement(matrix(*rows), "c").kendall.tolist() == [1.0]


@given(st.permutations(range(6)))
def test_equal_means_are_tied_in_whatever_order_they_are_added_up(order) -> None:
    thirds = {"A": (11, 13, 13, 11, 10, 14), "B": (10, 14, 12, 12, 11, 13), "C": (6,) * 6}
    rows = [
        (f"t{topic}", system, value, thirds[system][topic] / 3)
        for topic in order
        for system, value in zip("ABC", (0.3, 0.2, 0.1), strict=True)
    ]
    ties = stats.kendalltau((3, 2, 1), (4, 4, 2)).statistic
    assert system_agreement(matrix(*rows), "c").kendall == pytest.approx([ties])


def test_there_must_be_such_a_criterion() -> None:
    with pytest.raises(ValuesError, match="neither a measure nor a criterion 'd'"):
        system_agreement(matrix(*ROWS), "d")


cells = st.tuples(st.integers(0, 20), st.one_of(st.none(), st.integers(0, 5)))
tables = st.dictionaries(st.tuples(st.sampled_from("tuv"), st.sampled_from("ABCDE")), cells)


@given(tables, st.randoms())
def test_brute_force(table, random) -> None:
    rows = [
        (*key, value, NONE if human is None else human) for key, (value, human) in table.items()
    ]
    random.shuffle(rows)
    found = system_agreement(matrix(*rows), "c")
    judged = {key: cell for key, cell in table.items() if cell[1] is not None}
    systems = {system for _, system in judged}
    by_topic = defaultdict(set)
    for topic, system in judged:
        by_topic[topic].add(system)
    shared = {topic for topic, present in by_topic.items() if present == systems}
    assert (found.systems, found.topics) == (len(systems), len(shared))
    if not found.is_defined:
        return
    pairs = [
        np.mean([judged[topic, system] for topic in sorted(shared)], axis=0) for system in systems
    ]
    ours, people = np.array(pairs).T
    if np.ptp(ours) > 0 and np.ptp(people) > 0:
        assert found.pearson[0] == pytest.approx(stats.pearsonr(ours, people).statistic)
        tau = stats.kendalltau(ours.round(9), people.round(9)).statistic
        assert found.kendall[0] == pytest.approx(tau)
