import numpy as np
import pytest

from eval.meta_study.judged import judged_by
from eval.meta_study.material import Scored
from eval.meta_study.regression.outputs import alike_outputs
from eval.text.desk import Tools
from eval.text.measures import Measure
from eval.text.testbed import MeasureMatrix, Output, Reference, Testbed, Topic

TEXTS = {"a": "the red cat sat", "b": "the red cat ran", "c": "a dog barked"}


def topic(name: str, systems: str) -> Topic:
    outputs = tuple(Output(each, TEXTS[each], {"quality": 1.0}) for each in systems)
    return Topic(name, (Reference("R", "the red cat"),), outputs)


TESTBED = Testbed(
    "made up", "en", "nowhere", (topic("one", "abc"), topic("two", "ca"), topic("three", "b"))
)


def judged(rows):
    """Of these topics and systems, in this order."""
    topics, systems = zip(*rows, strict=True)
    size = len(rows)
    return judged_by(
        Scored(
            "x",
            MeasureMatrix(
                topics,
                systems,
                ("m",),
                np.ones((1, size)),
                ("quality",),
                np.arange(float(size))[None],
            ),
            (),
            "",
        ),
        "quality",
    )


def test_outputs_stand_in_the_order_of_the_judged():
    outputs = judged([("two", "a"), ("one", "c"), ("two", "c"), ("one", "a")])
    found = alike_outputs(outputs, TESTBED, [Measure.parse("rouge(n=1)")], Tools())
    assert set(found) == {0, 1}
    assert found[0].shape == (1, 2, 2)
    assert np.diagonal(found[1][0]) == pytest.approx([1, 1])


def test_rows_are_compared_with_columns():
    outputs = judged([("one", "a"), ("one", "b"), ("one", "c")])
    measures = [Measure.parse(each) for each in ("rouge(n=1)", "rouge(n=1, part=recall)")]
    (table,) = alike_outputs(outputs, TESTBED, measures, Tools()).values()
    assert table[0][0].tolist() == pytest.approx([1, 0.75, 0])
    assert table[1][0].tolist() == pytest.approx([1, 0.75, 0])


def test_several_processes_find_the_same():
    outputs = judged([("two", "a"), ("one", "c"), ("two", "c"), ("one", "a")])
    work = (outputs, TESTBED, [Measure.parse("rouge(n=1)")], Tools())
    one, two = (alike_outputs(*work, jobs=jobs) for jobs in (1, 2))
    assert all((one[each] == two[each]).all() for each in one)
