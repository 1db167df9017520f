import pytest

from eval.text.measures.topic import TopicTexts
from eval.text.registry import Measure
from eval.text.scoring import measure_similarities
from eval.text.testbed.records import Text
from tests.eval.text.declarations.made_up import topic

OUTPUT: Text = ("The dog ran.", "A cat sat.")
REFERENCE: Text = ("A cat ran home.",)


@pytest.mark.parametrize(
    ("measure", "wanted"),
    [
        ("rouge(n=1, part=recall)", 3 / 4),
        ("rouge(n=1, part=precision)", 3 / 6),
        ("rouge(n=1, beta=2)", 5 * 3 / (6 + 4 * 4)),
        ("rouge(n=2, part=recall)", 1 / 3),
        ("rouge_l(part=recall)", 3 / 4),
        ("rouge_l(part=precision)", 3 / 6),
        ("rouge_l(part=recall, level=text)", 2 / 4),
        ("rouge_l(part=precision, level=text)", 2 / 6),
        ("rouge_l(part=recall, inverted=true)", 3 / 4),
        ("rouge_l(part=precision, inverted=true)", 3 / 6),
        ("rouge_w(part=recall)", 2 / 4),
        ("rouge_s(part=recall)", 1 / 6),
        ("rouge_s(part=recall, skip=0)", 1 / 3),
        ("rouge_su(part=recall)", 4 / 10),
        ("rouge_su(part=precision, skip=0)", 4 / 11),
    ],
)
def test_worked_example(measure: str, wanted: float) -> None:
    assert value(measure, OUTPUT, REFERENCE) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("measure", "wanted"),
    [
        ("rouge(n=1, part=recall)", 1 / 3),
        ("rouge(n=1, part=recall, stop=true)", 0 / 2),
        ("rouge(n=1, part=recall, stem=true)", 2 / 3),
        ("rouge(n=1, part=recall, unicode=true)", 2 / 4),
    ],
)
def test_options_are_those_of_the_name(measure: str, wanted: float) -> None:
    assert value(measure, "the jumps кот", "the jumped x кот") == pytest.approx(wanted)


def test_no_answer_is_that_to_another_question() -> None:
    desk = TopicTexts(topic([OUTPUT, "A cat."], [REFERENCE, "The dog."]))
    texts: tuple[Text, ...] = (OUTPUT, REFERENCE, "A cat.", "The dog.")
    names = ("rouge(n=1)", "rouge(n=2)", "rouge(n=1, stop=true)", "rouge_s", "rouge_s(skip=0)")
    for one in texts:
        for other in texts:
            for name in names:
                [[found]] = measure_similarities(Measure.parse(name), desk, [one], [other])
                assert found == value(name, one, other)


def value(measure: str, output: Text, reference: Text) -> float:
    desk = TopicTexts(topic([output], [reference]))
    [[found]] = measure_similarities(Measure.parse(measure), desk, [output], [reference])
    return float(found)
