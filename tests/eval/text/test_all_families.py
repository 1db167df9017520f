"""What holds for every family of measures, whatever it measures."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.cases import each_case
from tests.eval.text.made_up_topic import SOURCES, TOPIC, plain, topic, variants
from weps._files import resource_path
from weps.errors import ValuesError
from weps_eval.text.declaration import MEASURE_SETS, Measure, measure_families
from weps_eval.text.scoring import _measure_scores, measure_similarities, score_testbed
from weps_eval.text.testbed import Text, read_testbed
from weps_eval.text.topic import TextTools, TopicTexts

pytest.importorskip("nltk")
pytest.importorskip("sacrebleu")

EVERY = list(measure_families().values())
SAME = {
    "nist": (3.0, 4.0),
    "perplexity": (0.2, 0.6),
    "meteor": (0.99, 1.0),
    "grouge": (0.5, 1.0),
}
"""What families give to the same text that do not give 1."""
FOREIGN = {
    "Japanese": ("猫は魚を食べる。私は学生です。", "猫は魚を食べる。犬は走る。"),
    "Arabic": ("القط يأكل السمك. هو طالب.", "القط يأكل السمك. الكلب يجري."),
    "Greek": ("Η γάτα τρώει ψάρι. Βρέχει.", "Η γάτα τρώει ψάρι. Ο σκύλος τρέχει."),
}


def compared(
    measure: Measure, outputs: Sequence[Text], references: Sequence[Text], tools: TextTools
) -> NDArray[np.float64]:
    return measure_similarities(
        measure, TopicTexts(topic(outputs, references), tools), outputs, references
    )


@each_case("family", EVERY)
def test_measures_print_and_parse_and_are_numbers_in_the_order_of_outputs(family, tools):
    turned = replace(TOPIC, references=TOPIC.references[::-1], outputs=TOPIC.outputs[::-1])
    desk, turned_desk = TopicTexts(TOPIC, tools), TopicTexts(turned, tools)
    for measure in variants(family):
        assert Measure.parse(str(measure)) == measure
        found = _measure_scores(measure, desk)
        assert found.shape == (3,), str(measure)
        assert np.isfinite(found).all(), str(measure)
        assert _measure_scores(measure, turned_desk)[::-1] == pytest.approx(found, rel=1e-12), str(
            measure
        )


@each_case("family", EVERY)
def test_references_are_compared_among_themselves(family, tools):
    desk = TopicTexts(TOPIC, tools)
    texts = [each.text for each in TOPIC.references]
    found = measure_similarities(plain(family), desk, texts, texts)
    assert found.shape == (2, 2)
    assert (np.diagonal(found) >= found.max(axis=0)).all(), "nothing is more alike than the same"
    assert measure_similarities(plain(family), desk, texts[:1], texts[1:]) == found[:1, 1:]


@each_case("family", EVERY)
def test_the_same_text(family, tools):
    [[found]] = compared(plain(family), SOURCES[1:], SOURCES[1:], tools)
    low, high = SAME.get(family.name, (1.0, 1.0))
    assert low <= found <= high


@each_case("family", EVERY)
def test_empty_texts(family, tools):
    outputs: list[Text] = ["", "It rained.", " \n", ()]
    references: list[Text] = ["It rained.", "\t"]
    desk = TopicTexts(topic(outputs, ["It rained."]), tools)
    found = measure_similarities(plain(family), desk, outputs, references)
    assert found[[0, 2, 3]].tolist() == [[0.0, 1.0]] * 3
    assert found[1, 1] == 0.0
    assert found[1, 0] > 0 or family.name == "grouge", "two words have a bigram"


@each_case("family", EVERY)
def test_texts_of_punctuation(family, tools):
    marks, others = "!!! … ?!", "– ."
    [[with_words, with_marks]] = compared(plain(family), [marks], ["It rained.", others], tools)
    if family.group == "translation":
        assert max(with_words, with_marks) < 1, "punctuation marks are words"
    elif family.name == "gramsim":
        assert with_words < with_marks == 1, "punctuation marks have tags"
    else:
        assert (with_words, with_marks) == (0.0, 1.0)


@each_case("script", FOREIGN)
@each_case("family", EVERY)
def test_texts_of_other_scripts(family, script, tools):
    measure = plain(family)
    if family.group == "ROUGE":
        with pytest.raises(ValuesError, match=r"the output of 'system 0': .*unicode=true"):
            compared(measure, FOREIGN[script], FOREIGN[script][:1], tools)
        measure = Measure(family, tuple({**dict(measure.values), "unicode": True}.items()))
    found = compared(measure, FOREIGN[script], FOREIGN[script][:1], tools)
    assert found[0, 0] > 0
    assert found[0, 0] >= found[1, 0] >= 0 or family.name in {"ter", "wer", "per"}


@each_case("family", EVERY)
def test_forty_references(family, tools):
    references = [f"The boss lost {number} of his jobs. It rained." for number in range(40)]
    desk = TopicTexts(topic(["The boss lost 7 of his jobs.", "It rained."], references), tools)
    for measure in variants(family):
        assert np.isfinite(_measure_scores(measure, desk)).all()


# GROUGE takes a minute for the senses in WordNet; its own tests have a smaller one.
SETS = [each.measures for name, each in MEASURE_SETS.items() if name != "senses"]


def test_every_measure_distinguishes_outputs_of_the_shipped_testbed():
    testbed = read_testbed(resource_path("testbed/news.jsonl"))
    found = score_testbed(testbed, tuple(dict.fromkeys(chain.from_iterable(SETS))))
    constant = np.ptp(found.values, axis=1) == 0
    assert [name for name, same in zip(found.measures, constant, strict=True) if same] == []
