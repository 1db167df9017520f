from dataclasses import replace

import numpy as np
import pytest

from eval.meta.judged import Similarities
from eval.studies.pairwise import compare_testbed
from eval.studies.several import short_name
from eval.text.measures.topic import TextTools, TopicTexts
from eval.text.registry import Measure
from eval.text.scoring import measure_similarities
from tests.eval.studies.made_up import compared, words
from weps.errors import ValuesError

MEASURES = tuple(map(Measure.parse, ("rouge(n=1, part=recall)", "rouge_l")))


def test_everything_is_compared_with_everything() -> None:
    testbed = words(topics=2)
    found = compare_testbed(testbed, MEASURES, TextTools())
    for topic, each in zip(testbed.topics, found, strict=True):
        peers, models = ([one.text for one in some] for some in (topic.outputs, topic.references))
        desk = TopicTexts(topic)
        for number, measure in enumerate(MEASURES):
            for ours, rows, columns in (
                (each.values.peers, peers, models),
                (each.values.models, models, models),
                (each.values.among_peers, peers, peers),
            ):
                assert (
                    ours[number].tolist()
                    == measure_similarities(measure, desk, rows, columns).tolist()
                )
        assert each.systems == ("one", "two", "three", "four")
        assert each.references == ("r0", "r1", "r2", "r3", "r4")
    assert [each.human.tolist() for each in found] == [[[5, 2, 3, 1]], [[6, 3, 4, 2]]]


def test_the_row_is_the_output_and_the_column_the_reference() -> None:
    (topic,) = compare_testbed(words(topics=1, one="The tide."), MEASURES[:1], TextTools())
    assert topic.values.peers[0, 0, 0] == pytest.approx(2 / 5)  # recall of five words
    assert topic.values.models[0, 0, 1] == 1


def test_outputs_need_not_be_compared_with_one_another() -> None:
    found = compare_testbed(words(), MEASURES, TextTools(), among_peers=False)
    assert [each.values.among_peers for each in found] == [None] * 3


def test_nothing_depends_on_the_number_of_processes() -> None:
    one, two = (compare_testbed(words(), MEASURES, TextTools(), jobs=jobs) for jobs in (1, 2))
    for first, second in zip(one, two, strict=True):
        assert np.array_equal(first.values.peers, second.values.peers)
        assert np.array_equal(first.values.models, second.values.models)


def test_progress_is_told_by_topic() -> None:
    heard: list[tuple[int, int]] = []
    compare_testbed(
        words(), MEASURES, TextTools(), progress=lambda _, done, total: heard.append((done, total))
    )
    assert heard == [(done, 3) for done in range(4)]


def test_texts_for_which_a_measure_is_not_defined_are_told_together() -> None:
    with pytest.raises(ValuesError, match=r"'t0', the output of 'two'") as told:
        compare_testbed(words(two="潮が満ちた"), MEASURES, TextTools())
    assert "rouge(n=1, part=recall), rouge_l" in str(told.value)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("rouge(n=1, part=recall, stop=true)", "rouge(n=1, recall, stop)"),
        ("rouge_l(inverted=true)", "rouge_l(inverted)"),
        ("a column", "a column"),
    ],
)
def test_labels(name: str, label: str) -> None:
    assert short_name(name) == label


def test_instances_are_the_outputs_topic_by_topic() -> None:
    found = compared(topics=2, peers=3)
    instances = found.instances
    assert instances.topic.tolist() == [0, 0, 0, 1, 1, 1]
    assert instances.system.tolist() == [0, 1, 2, 0, 1, 2]
    assert instances.human[0].tolist() == [*found.topics[0].human[0], *found.topics[1].human[0]]


def test_systems_keep_their_numbers_whatever_topics_they_answered() -> None:
    found = compared(topics=2, peers=2)
    second = replace(found.topics[1], systems=("s1", "late"))
    found = replace(found, topics=(found.topics[0], second))
    assert found.systems == ("s0", "s1", "late")
    assert found.instances.system.tolist() == [0, 1, 1, 2]
    assert not found.is_uniform


def test_outputs_are_compared_with_one_another_on_all_topics_or_not_at_all() -> None:
    found = compared(topics=2)
    assert found.among_peers
    values = found.topics[1].values
    without = replace(found.topics[1], values=Similarities(values.peers, values.models))
    assert not replace(found, topics=(found.topics[0], without)).among_peers
    assert np.array_equal(found.similarities[1].peers, values.peers)


def test_whether_people_judged_outputs_or_systems() -> None:
    found = compared(topics=2)
    assert found.instances.judged_singly(0)
    found.topics[1].human[:] = found.topics[0].human
    assert not found.instances.judged_singly(0)
    found.topics[0].human[:] = np.nan
    found.topics[1].human[:] = np.nan
    assert not found.instances.judged_singly(0)
