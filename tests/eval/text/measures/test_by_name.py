"""Measures by their names: what is read of texts, and which parameters go where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import sqrt

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.text.made_up_topic import TOPIC, topic
from tests.eval.text.made_up_wordnet import numbered
from weps.errors import ValuesError
from weps_eval.text.declaration import Measure
from weps_eval.text.measures import synthesis
from weps_eval.text.measures.kernels import _best_matches, sense_node
from weps_eval.text.measures.senses import (
    Alignment,
    Word,
    Words,
    _gram_matches,
    known_ranks,
    load_wordnet,
)
from weps_eval.text.scoring import _measure_scores, measure_similarities
from weps_eval.text.testbed import Text, Topic
from weps_eval.text.topic import TextTools, TopicTexts

pytest.importorskip("nltk")
pytest.importorskip("sacrebleu")

SAID: Text = ("The dog ran.", "A cat sat.")
HEARD: Text = ("A cat ran home.",)
EXAMPLES: list[tuple[tuple[Text, Text], dict[str, float]]] = [
    (
        (SAID, HEARD),
        {
            "rouge(n=1, part=recall)": 3 / 4,
            "rouge(n=1, part=precision)": 3 / 6,
            "rouge(n=1, beta=2)": 5 * 3 / (6 + 4 * 4),
            "rouge(n=2, part=recall)": 1 / 3,
            "rouge_l(part=recall)": 3 / 4,
            "rouge_l(part=precision)": 3 / 6,
            "rouge_l(part=recall, level=text)": 2 / 4,
            "rouge_l(part=precision, level=text)": 2 / 6,
            "rouge_l(part=recall, inverted=true)": 3 / 4,
            "rouge_l(part=precision, inverted=true)": 3 / 6,
            "rouge_w(part=recall)": 2 / 4,
            "rouge_w(part=precision, official=true, weight=2)": 3 / 6,
            "rouge_w(part=precision, official=true, weight=2, inverted=true)": 0.12423,  # √5 / 18
            "rouge(n=4, official=true)": 0,
            "rouge_s(part=recall)": 1 / 6,
            "rouge_s(part=recall, skip=0)": 1 / 3,
            "rouge_su(part=recall)": 4 / 10,
            "rouge_su(part=precision, skip=0)": 4 / 11,
        },
    ),
    (
        ("the jumps кот", "the jumped x кот"),
        {
            "rouge(n=1, part=recall)": 1 / 3,
            "rouge(n=1, part=recall, stop=true)": 0 / 2,
            "rouge(n=1, part=recall, stem=true)": 2 / 3,
            "rouge(n=1, part=recall, unicode=true)": 2 / 4,
        },
    ),
    (
        ("The job, the boss and the gun.", "The boss? The gun."),
        {
            "overlap": 4 / 7,
            "overlap(distinct=true)": 3 / 5,
            "overlap(tokens=blanks)": 2 / 9,
            "dice": 8 / 11,
            "dice(distinct=true)": 6 / 8,
            "cosine": 3 / sqrt(15),
            "cosine(tokens=blanks)": 2 / sqrt(6 * 3),
        },
    ),
]


@each_case(("texts", "values"), EXAMPLES)
def test_worked_examples(texts, values):
    found = {measure: compared(measure, *texts) for measure in values}
    assert found == pytest.approx(values)


def test_no_answer_is_that_to_another_question():
    desk = TopicTexts(topic([SAID, "A cat."], [HEARD, "The dog."]))
    texts: tuple[Text, ...] = (SAID, HEARD, "A cat.", "The dog.")
    names = ("rouge(n=1)", "rouge(n=2)", "rouge(n=1, stop=true)", "rouge_s", "rouge_s(skip=0)")
    for one, other, name in product(texts, texts, names):
        [[found]] = measure_similarities(Measure.parse(name), desk, [one], [other])
        assert found == compared(name, one, other)


def compared(measure: str, output: Text, reference: Text) -> float:
    desk = TopicTexts(topic([output], [reference]))
    [[found]] = measure_similarities(Measure.parse(measure), desk, [output], [reference])
    return float(found)


def test_tags_are_those_of_the_pipeline():
    output = "DET NOUN VERB PUNCT CCONJ DET NOUN AUX VERB PUNCT".split()
    reference = "NOUN VERB PUNCT PRON VERB PUNCT".split()
    said = "The boss lost, and the job was lost."
    found = compared("gramsim", said, ("Guns fired!", "It rained."))
    assert found == pytest.approx(synthesis.vector_similarity(output, reference))


OUTPUT = "The bosses lost jobs. The boss fired."
REFERENCE = "A boss lost the job."
LEMMAS = ("boss", "lose", "job", "boss", "fire"), ("boss", "lose", "job")
WORDS = ("bosses", "lost", "jobs", "boss", "fired"), ("boss", "lost", "job")
PLAIN = (
    (("the", "bosses", "lost", "jobs"), ("the", "boss", "fired")),
    (("a", "boss", "lost", "the", "job"),),
)
NUMBERS = (
    ("the", "boss", "lost", "job", "the", "boss", "fired"),
    ("a", "boss", "lost", "the", "job"),
)
CONCEPTS = [("lost", "job"), ("officer",), ("gun",)]
SOURCES: tuple[Text, ...] = ("The job was a job. The job!", ("A boss fired", "the boss."))


def value(
    measure: str,
    of: Topic | None = None,
    outputs: Sequence[Text] = (OUTPUT,),
    references: Sequence[Text] = (REFERENCE,),
) -> float:
    desk = TopicTexts(of or replace(topic(outputs, references), sources=SOURCES))
    return float(measure_similarities(Measure.parse(measure), desk, outputs, references).item())


def tvm(output: Sequence[str], reference: Sequence[str], terms: Sequence[str]) -> float:
    return synthesis.truncated_similarity((output, ()), (reference, terms))


@each_case(
    ("measure", "wanted"),
    [
        ("vectmodel", synthesis.vector_similarity(*LEMMAS)),
        ("vectmodel(unit=word)", synthesis.vector_similarity(*WORDS)),
        ("tvm(n=2)", tvm(*LEMMAS, ("boss", "job"))),
        ("tvm(n=99)", tvm(*LEMMAS, ("boss", "job", "lose"))),
        ("tvm(n=2, unit=word)", tvm(*WORDS, ("boss", "job"))),
        ("tvm(n=1, inverted=true)", tvm(*LEMMAS, ("boss",))),
        ("tvm(n=4, inverted=true)", tvm(*LEMMAS, ("boss", "fire", "job", "lose"))),
        ("tvm(n=1, of=sources)", tvm(*LEMMAS, ("job",))),
        (
            "tvm(n=3, of=sources, inverted=true)",
            tvm(*LEMMAS, ("job", "boss", "fire")),
        ),
        ("nicos", synthesis.concept_similarity(*((each, CONCEPTS) for each in NUMBERS))),
        ("nicos", 1 / (1 + 1 / 7)),
        ("perplexity", synthesis.perplexity_similarity(*PLAIN)),
        ("perplexity(n=1)", synthesis.perplexity_similarity(*PLAIN, 1)),
        ("perplexity(inverted=true)", synthesis.perplexity_similarity(*PLAIN[::-1])),
    ],
)
def test_values_are_those_of_the_arithmetic(measure, wanted):
    assert value(measure) == pytest.approx(wanted, rel=1e-12)


def test_concepts_may_be_the_key_terms_of_texts():
    references = ["The treasury lost treasury bonds.", "Treasury bonds fell."]
    same = value("nicos(concepts=references)", None, ["Bonds fell."], ["Bonds fell."])
    assert same == 1
    of = topic(["Bonds fell."], references)
    found = measure_similarities(
        Measure.parse("nicos(concepts=references, n=1)"),
        TopicTexts(of),
        ["Treasury bonds fell."],
        references,
    )
    assert found[0].tolist() == [1 / (1 + abs(1 / 3 - 1 / 5)), 1.0]
    sources = replace(of, sources=("Zebras. Zebras!",))
    assert value("nicos(concepts=sources)", sources, ["Zebras fell."], ["Bonds fell."]) == (
        pytest.approx(1 / 1.5)
    )


@each_case(
    ("match", "output", "wanted"),
    [
        ("exact", "The  GUN is new.", 1 / 2),  # the reference holds gun and lost job
        ("edit", "Lost jb", ((7 - 7) / 3 + (7 - 1) / 8) / 2),
        ("edit", "Gu", ((2 - 1) / 3 + 0 / 8) / 2),
        ("edit", "XgYuZn", (3 / 3 + 0 / 8) / 2),
        ("exact", "Officers rest.", 0),
    ],
)
def test_answers_of_the_reference(match, output, wanted):
    given = value(f"answers(match={match})", None, [output], ["The gun was his lost job."])
    assert given == pytest.approx(wanted)
    assert value(f"answers(match={match})", None, [output], ["It rained."]) == 0, "no answer"


@each_case(
    ("part", "wanted"),
    [("recall", 1.0), ("precision", 0.5), ("f", 2 / 3)],
)
def test_documents_and_sentences(part, wanted):
    outputs, references = [("It rained.", "Jobs!")], ["it rained"]
    assert value(f"sentencesim(part={part})", None, outputs, references) == pytest.approx(wanted)
    of = replace(topic(outputs, references), sources=("It rained.", "Jobs. It snowed."))
    assert value(f"docsim(part={part})", of, outputs, references) == pytest.approx(wanted)


@each_case(
    ("measure", "changes", "message"),
    [
        ("docsim", {}, r"the output of 'one': no sentence .* is in any document"),
        ("docsim", {"sources": ()}, r"topic 'shots': the topic has no source documents"),
        ("tvm(n=2, of=sources)", {"sources": ()}, r"topic 'shots': .* no source documents"),
        ("tvm(n=2, of=sources)", {"sources": ("!",)}, "the sources: no terms"),
        ("nicos", {"concepts": ()}, r"topic 'shots': the topic has no key concepts"),
        ("nicos", {"concepts": ("!",)}, r"topic 'shots': the topic has no key concepts"),
        ("nicos(concepts=sources)", {"sources": ("!",)}, "no key terms in sources"),
        ("nicos(concepts=sources)", {"sources": ()}, "no source documents"),
        ("answers", {"concepts": ()}, r"topic 'shots': the topic has no key concepts"),
    ],
)
def test_what_a_topic_lacks_is_named(measure, changes, message):
    changed = replace(TOPIC, **changes)  # type: ignore[arg-type]
    outputs = [TOPIC.outputs[0].text] if changes else ["It snowed."]
    if not changes:
        changed = replace(topic(outputs, ["It rained."]), sources=("It rained.",))
        message = message.replace("'one'", "'system 0'")
    with pytest.raises(ValuesError, match=message):
        value(measure, changed, outputs, [TOPIC.references[0].text])


OUTPUTS = ["The officer fired. It rained!", "The boss lost the job"]
REFERENCES = ["It rained, and the officer lost his job."]


def found(measure: str, desk: TopicTexts) -> list[float]:
    values = measure_similarities(Measure.parse(measure), desk, OUTPUTS, REFERENCES)
    return [round(float(each), 12) for each in values[:, 0]]


@pytest.mark.parametrize(
    ("values", "kernel", "beta"),
    [("", (2, 0.5), 3), (", length=3, decay=0.25, beta=1", (3, 0.25), 1)],
)
def test_wsk_is_the_kernel_of_words_in_lower_case(values, kernel, beta):
    outputs = [["the officer fired", "it rained"], ["the boss lost the job"]]
    references = [["it rained and the officer lost his job"]]
    texts = (
        [[tuple(map(sense_node, sentence.split())) for sentence in text] for text in side]
        for side in (outputs, references)
    )
    precision, recall = _best_matches(*texts, *kernel)
    desk = TopicTexts(topic(OUTPUTS, REFERENCES))
    f = (1 + beta**2) * precision * recall / (recall + beta**2 * precision)
    parts = {"f": f, "recall": recall, "precision": precision}
    for part, wanted in parts.items():
        assert found(f"wsk(part={part}{values})", desk) == pytest.approx(wanted[:, 0])


def test_esk_adds_the_senses_of_open_words(tools):
    said, other = "The officer fired.", "The policeman fired."
    number = numbered(load_wordnet(tools.wordnet), "n3 n4 v1 v2")
    policeman, soldier, shoot, dismiss = number
    nodes = [
        tuple(map(sense_node, form.split(), [(), senses, (shoot, dismiss)]))
        for form, senses in (
            ("the officer fired", (soldier, policeman)),
            ("the policeman fired", (policeman,)),
        )
    ]
    (precision,), (recall,) = _best_matches([nodes[:1]], [nodes[1:]], 2, 0.5)[..., 0]
    desk = TopicTexts(topic([said], [other]), tools)
    [[value]] = measure_similarities(Measure.parse("esk"), desk, [said], [other])
    assert value == pytest.approx(10 * precision * recall / (recall + 9 * precision))


SENSES = {
    "The officers fired.": "the.x officers.n fired.v",
    "The boss finished quickly!": "the.x boss.n finished.v quickly.r",
    "The policeman lost his job.": "the.x policeman.n lost.v his.x job.n",
}
SENSE_TEXTS = list(SENSES)
SENSE_OUTPUTS, SENSE_REFERENCES = SENSE_TEXTS[:2], SENSE_TEXTS[1:]


def tagged_text(text: str) -> Words:
    return tuple(Word(form, part, form) for form, part in map(split, SENSES[text].split()))


def split(word: str) -> list[str]:
    return word.split(".")


@pytest.fixture
def desk(tools: TextTools) -> TopicTexts:
    return TopicTexts(topic(SENSE_OUTPUTS, SENSE_REFERENCES), tools)


@pytest.fixture
def aligned(tools: TextTools) -> Alignment:
    return Alignment.of(
        map(tagged_text, SENSE_TEXTS), known_ranks(load_wordnet(tools.wordnet), None)
    )


@pytest.mark.parametrize(
    ("values", "n", "skip", "beta"),
    [
        ("n=1", 1, None, 0.5),
        ("n=2, beta=0.25", 2, None, 0.25),
        ("n=2, skip=4", 2, 4, 0.5),
        ("n=2, skip=0", 2, 0, 0.5),
    ],
)
def test_grouge_is_of_the_words_of_the_pipeline(desk, aligned, values, n, skip, beta):
    def counted(outputs: list[str], references: list[str]) -> np.ndarray:
        pairs = [
            [
                [_gram_matches(*map(tagged_text, pair), n, skip, each) for each in (None, aligned)]
                for pair in product([output], references)
            ]
            for output in outputs
        ]
        return np.moveaxis(np.array([beta, 1 - beta]) @ np.array(pairs), -1, 0)

    sides = SENSE_OUTPUTS, SENSE_REFERENCES
    plainly, turned = (Measure.parse(f"grouge({values}{also})") for also in ("", ", inverted=true"))
    matches, totals = counted(*sides)
    pooled = matches.sum(axis=1) / totals.sum(axis=1)
    assert _measure_scores(plainly, desk) == pytest.approx(pooled)
    assert measure_similarities(plainly, desk, *sides) == pytest.approx(matches / totals)
    matches, totals = counted(*sides[::-1])
    inverted = measure_similarities(turned, desk, *sides)
    assert inverted == pytest.approx((matches / totals).T)
    assert _measure_scores(turned, desk) == pytest.approx(inverted.mean(axis=1))


def test_words_are_skipped_between_two_alone(desk):
    with pytest.raises(ValuesError, match="1-grams that skip 4 words"):
        _measure_scores(Measure.parse("grouge(n=1, skip=4)"), desk)
