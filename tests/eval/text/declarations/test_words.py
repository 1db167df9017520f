"""Measures of words, ROUGE and translation are declared."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.text.declarations.made_up import topic
from weps.errors import ValuesError
from weps_eval.text.declarations.base import Choice, Need, Number, Switch, Whole
from weps_eval.text.declarations.words import (
    cosine_similarity,
    jaccard_similarity,
    words_in_common,
)
from weps_eval.text.measures.overlap import Overlap, words_of
from weps_eval.text.measures.synthesis import vector_similarity
from weps_eval.text.measures.topic import TopicTexts
from weps_eval.text.measures.translation import (
    bleu_score,
    chrf_score,
    meteor_score,
    nist_score,
    score_every_pair,
    score_pooled,
    ter_score,
)
from weps_eval.text.registry import Measure
from weps_eval.text.scoring import measure_scores, measure_similarities
from weps_eval.text.testbed import Text

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


OUTPUT: Text = ("The dog ran.", "A cat sat.")
REFERENCE: Text = ("A cat ran home.",)


@each_case(
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
        ("rouge_w(part=precision, official=true, weight=2)", 3 / 6),
        ("rouge_w(part=precision, official=true, weight=2, inverted=true)", sqrt(5) / 18),
        ("rouge(n=4, official=true)", 0),
        ("rouge_s(part=recall)", 1 / 6),
        ("rouge_s(part=recall, skip=0)", 1 / 3),
        ("rouge_su(part=recall)", 4 / 10),
        ("rouge_su(part=precision, skip=0)", 4 / 11),
    ],
)
def test_worked_example(measure, wanted):
    assert value(measure, OUTPUT, REFERENCE) == pytest.approx(wanted)


@each_case(
    ("measure", "wanted"),
    [
        ("rouge(n=1, part=recall)", 1 / 3),
        ("rouge(n=1, part=recall, stop=true)", 0 / 2),
        ("rouge(n=1, part=recall, stem=true)", 2 / 3),
        ("rouge(n=1, part=recall, unicode=true)", 2 / 4),
    ],
)
def test_options_are_those_of_the_name(measure, wanted):
    assert value(measure, "the jumps кот", "the jumped x кот") == pytest.approx(wanted)


def test_no_answer_is_that_to_another_question():
    desk = TopicTexts(topic([OUTPUT, "A cat."], [REFERENCE, "The dog."]))
    texts: tuple[Text, ...] = (OUTPUT, REFERENCE, "A cat.", "The dog.")
    names = ("rouge(n=1)", "rouge(n=2)", "rouge(n=1, stop=true)", "rouge_s", "rouge_s(skip=0)")
    for one, other, name in product(texts, texts, names):
        [[found]] = measure_similarities(Measure.parse(name), desk, [one], [other])
        assert found == value(name, one, other)


def value(measure: str, output: Text, reference: Text) -> float:
    desk = TopicTexts(topic([output], [reference]))
    [[found]] = measure_similarities(Measure.parse(measure), desk, [output], [reference])
    return float(found)


pytest.importorskip("nltk")
pytest.importorskip("sacrebleu")

OUTPUTS = ["The boss lost the job at the gun shop.", "It rained\non the boss."]
REFERENCES = ["The boss lost his job in the gun shop.", "On the Boss, it rained!"]


@each_case(
    ("measure", "score"),
    [
        ("bleu", bleu_score()),
        ("bleu(order=2, lowercase=true)", bleu_score(2, lowercase=True)),
        ("nist(n=2)", nist_score(2)),
        ("ter(normalized=true)", ter_score(normalized=True)),
        ("chrf", chrf_score()),
        ("chrf(words=2)", chrf_score(2)),
        ("meteor(alpha=0.5, gamma=0.2)", meteor_score(alpha=0.5, gamma=0.2)),
    ],
)
def test_values_are_those_of_the_libraries(measure, score):
    desk = TopicTexts(topic([tuple(OUTPUTS[1].split("\n")), OUTPUTS[0]], REFERENCES))
    texts = [each.text for each in desk.topic.outputs]
    found = measure_similarities(Measure.parse(measure), desk, texts, REFERENCES)
    assert found[::-1].tolist() == score_every_pair(OUTPUTS, REFERENCES, score).tolist()


@each_case(
    ("name", "score"), [("bleu", bleu_score()), ("nist", nist_score()), ("ter", ter_score())]
)
def test_several_references_are_as_published(name, score):
    desk, measure = TopicTexts(topic(OUTPUTS, REFERENCES)), Measure.parse(name)
    found = measure_scores(measure, desk)
    assert found.tolist() == score_pooled(OUTPUTS, REFERENCES, score).tolist()
    alone = Measure.parse(f"{name}(references=maximum)")
    assert not np.array_equal(measure_scores(alone, desk), found)


def test_synonyms_are_those_of_wordnet(tools):
    measure = Measure.parse("meteor(synonyms=WordNet)")
    desk = TopicTexts(topic(["fire"], ["dismiss"]), tools)
    texts = ["they fire her"], ["they dismiss her"]
    direct = score_every_pair(*texts, meteor_score(tools.words()))
    assert measure_similarities(measure, desk, *texts).tolist() == direct.tolist()
    assert direct.item() > measure_similarities(Measure.parse("meteor"), desk, *texts).item()
    assert measure.needs == {Need.NLTK, Need.WORDNET}


@pytest.mark.parametrize(
    ("outputs", "references", "whose"),
    [
        (["gun", "gun " * 1001], ["job"], "the output of 'system 1'"),
        (["gun"], ["job", "gun " * 1001], "the reference 'model 1'"),
    ],
)
def test_a_text_that_is_too_long_is_named(outputs, references, whose):
    with pytest.raises(ValuesError, match=f"{whose}: TER of a text of 1,001 words"):
        measure_scores(Measure.parse("ter"), TopicTexts(topic(outputs, references)))


def test_tags_are_those_of_the_pipeline():
    output = "DET NOUN VERB PUNCT CCONJ DET NOUN AUX VERB PUNCT".split()
    reference = "NOUN VERB PUNCT PRON VERB PUNCT".split()
    found = value("gramsim", "The boss lost, and the job was lost.", ("Guns fired!", "It rained."))
    assert found == pytest.approx(vector_similarity(output, reference))


@each_case(
    ("measure", "wanted"),
    [
        ("overlap", 4 / 7),
        ("overlap(distinct=true)", 3 / 5),
        ("overlap(tokens=blanks)", 2 / 9),
        ("dice", 8 / 11),
        ("dice(distinct=true)", 6 / 8),
        ("cosine", 3 / sqrt(15)),
        ("cosine(tokens=blanks)", 2 / sqrt(6 * 3)),
    ],
)
def test_words_in_common(measure, wanted):
    found = value(measure, "The job, the boss and the gun.", "The boss? The gun.")
    assert found == pytest.approx(wanted)


TEXTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=5).map(tuple), max_size=3).map(tuple)
MEASURES = (jaccard_similarity, Overlap.f, cosine_similarity)


@given(output=TEXTS, reference=TEXTS)
def test_lexical_overlap_is_of_multisets(output, reference):
    first, second = Counter(words_of(output)), Counter(words_of(reference))
    either = (first | second).total()
    expected = (first & second).total() / either if either else 1
    assert jaccard_similarity(words_in_common(output, reference)) == expected
