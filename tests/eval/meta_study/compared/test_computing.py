import numpy as np
import pytest

from eval.meta_study.compared.computing import compare_testbed
from eval.text.desk import Desk, Tools
from eval.text.measures import Measure, similarities
from tests.eval.meta_study.compared.made_up import words
from weps.errors import ValuesError

MEASURES = tuple(map(Measure.parse, ("rouge(n=1, part=recall)", "rouge_l")))


def test_everything_is_compared_with_everything() -> None:
    testbed = words(topics=2)
    found = compare_testbed(testbed, MEASURES, Tools())
    for topic, each in zip(testbed.topics, found, strict=True):
        peers, models = ([one.text for one in some] for some in (topic.outputs, topic.references))
        desk = Desk(topic)
        for number, measure in enumerate(MEASURES):
            for ours, rows, columns in (
                (each.values.peers, peers, models),
                (each.values.models, models, models),
                (each.values.among_peers, peers, peers),
            ):
                assert ours[number].tolist() == similarities(measure, desk, rows, columns).tolist()
        assert each.systems == ("one", "two", "three", "four")
        assert each.references == ("r0", "r1", "r2", "r3", "r4")
    assert [each.human.tolist() for each in found] == [[[5, 2, 3, 1]], [[6, 3, 4, 2]]]


def test_the_row_is_the_output_and_the_column_the_reference() -> None:
    (topic,) = compare_testbed(words(topics=1, one="The tide."), MEASURES[:1], Tools())
    assert topic.values.peers[0, 0, 0] == pytest.approx(2 / 5)  # recall of five words
    assert topic.values.models[0, 0, 1] == 1


def test_outputs_need_not_be_compared_with_one_another() -> None:
    found = compare_testbed(words(), MEASURES, Tools(), among_peers=False)
    assert [each.values.among_peers for each in found] == [None] * 3


def test_nothing_depends_on_the_number_of_processes() -> None:
    one, two = (compare_testbed(words(), MEASURES, Tools(), jobs=jobs) for jobs in (1, 2))
    for first, second in zip(one, two, strict=True):
        assert np.array_equal(first.values.peers, second.values.peers)
        assert np.array_equal(first.values.models, second.values.models)


def test_progress_is_told_by_topic() -> None:
    heard: list[tuple[int, int]] = []
    compare_testbed(
        words(), MEASURES, Tools(), progress=lambda _, done, total: heard.append((done, total))
    )
    assert heard == [(done, 3) for done in range(4)]


def test_texts_for_which_a_measure_is_not_defined_are_told_together() -> None:
    with pytest.raises(ValuesError, match=r"'t0', the output of 'two'") as told:
        compare_testbed(words(two="潮が満ちた"), MEASURES, Tools())
    assert "rouge(n=1, part=recall), rouge_l" in str(told.value)
