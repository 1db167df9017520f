from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import pytest

from eval.text.declarations.base import Need
from eval.text.measures.perplexity import perplexity_similarity
from eval.text.measures.synthesis import nicos, truncated_similarity, vector_similarity
from eval.text.measures.topic import TopicTexts
from eval.text.registry import Measure
from eval.text.scoring import measure_scores, measure_similarities
from eval.text.testbed.records import Text, Topic
from tests.eval.text.declarations.made_up import TOPIC, topic
from weps.errors import ValuesError

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
SOURCES: tuple[Text, ...] = ("The job was a job. The job!", ("A boss fired", "the boss."))


def value(
    measure: str,
    of: Topic | None = None,
    outputs: Sequence[Text] = (OUTPUT,),
    references: Sequence[Text] = (REFERENCE,),
) -> float:
    desk = TopicTexts(of or replace(topic(outputs, references), sources=SOURCES))
    return float(measure_similarities(Measure.parse(measure), desk, outputs, references).item())


@pytest.mark.parametrize(
    ("measure", "wanted"),
    [
        ("vectmodel", vector_similarity(*LEMMAS)),
        ("vectmodel(unit=word)", vector_similarity(*WORDS)),
        ("tvm(n=2)", truncated_similarity(*LEMMAS, ("boss", "job"))),
        ("tvm(n=99)", truncated_similarity(*LEMMAS, ("boss", "job", "lose"))),
        ("tvm(n=2, unit=word)", truncated_similarity(*WORDS, ("boss", "job"))),
        ("tvm(n=1, inverted=true)", truncated_similarity(*LEMMAS, ("boss",))),
        ("tvm(n=4, inverted=true)", truncated_similarity(*LEMMAS, ("boss", "fire", "job", "lose"))),
        ("tvm(n=1, of=sources)", truncated_similarity(*LEMMAS, ("job",))),
        (
            "tvm(n=3, of=sources, inverted=true)",
            truncated_similarity(*LEMMAS, ("job", "boss", "fire")),
        ),
        ("nicos", nicos(*NUMBERS, [("lost", "job"), ("officer",), ("gun",)])),
        ("nicos", 1 / (1 + 1 / 7)),
        ("perplexity", perplexity_similarity(*PLAIN)),
        ("perplexity(n=1)", perplexity_similarity(*PLAIN, 1)),
        ("perplexity(inverted=true)", perplexity_similarity(*PLAIN[::-1])),
    ],
)
def test_values_are_those_of_the_arithmetic(measure: str, wanted: float) -> None:
    assert value(measure) == pytest.approx(wanted, rel=1e-12)


def test_concepts_may_be_the_key_terms_of_texts() -> None:
    told = ["The treasury lost treasury bonds.", "Treasury bonds fell."]
    same = value("nicos(concepts=references)", None, ["Bonds fell."], ["Bonds fell."])
    assert same == 1
    of = topic(["Bonds fell."], told)
    found = measure_similarities(
        Measure.parse("nicos(concepts=references, n=1)"),
        TopicTexts(of),
        ["Treasury bonds fell."],
        told,
    )
    assert found[0].tolist() == [1 / (1 + abs(1 / 3 - 1 / 5)), 1.0]
    sources = replace(of, sources=("Zebras. Zebras!",))
    assert value("nicos(concepts=sources)", sources, ["Zebras fell."], ["Bonds fell."]) == (
        pytest.approx(1 / 1.5)
    )


@pytest.mark.parametrize(
    ("part", "wanted"),
    [("recall", 1.0), ("precision", 0.5), ("f", 2 / 3)],
)
def test_documents_and_sentences(part: str, wanted: float) -> None:
    outputs, references = [("It rained.", "Jobs!")], ["it rained"]
    assert value(f"sentencesim(part={part})", None, outputs, references) == pytest.approx(wanted)
    of = replace(topic(outputs, references), sources=("It rained.", "Jobs. It snowed."))
    assert value(f"docsim(part={part})", of, outputs, references) == pytest.approx(wanted)


def test_the_usual_part_is_that_of_2004() -> None:
    assert value("sentencesim", None, [("It rained.", "Jobs!")], ["it rained"]) == 1.0
    assert value("sentencesim(part=f, beta=0.0)", None, [("A.", "B.")], ["a"]) == 0.5
    assert value("vectmodel", None, ["jobs"], ["guns"]) == pytest.approx(1 / (1 + sqrt(2)))


@pytest.mark.parametrize(
    ("measure", "changes", "told"),
    [
        ("docsim", {}, r"the output of 'one': no sentence .* is in any document"),
        ("docsim", {"sources": ()}, r"topic 'shots': the topic has no source documents"),
        ("tvm(n=2, of=sources)", {"sources": ()}, r"topic 'shots': .* no source documents"),
        ("tvm(n=2, of=sources)", {"sources": ("!",)}, "the sources: no terms"),
        ("nicos", {"concepts": ()}, r"topic 'shots': the topic has no key concepts"),
        ("nicos", {"concepts": ("!",)}, r"topic 'shots': the topic has no key concepts"),
        ("nicos(concepts=sources)", {"sources": ("!",)}, "no key terms in sources"),
        ("nicos(concepts=sources)", {"sources": ()}, "no source documents"),
    ],
)
def test_what_a_topic_lacks_is_told(measure: str, changes: dict[str, object], told: str) -> None:
    changed = replace(TOPIC, **changes)  # type: ignore[arg-type]
    outputs = [TOPIC.outputs[0].text] if changes else ["It snowed."]
    if not changes:
        changed = replace(topic(outputs, ["It rained."]), sources=("It rained.",))
        told = told.replace("'one'", "'system 0'")
    with pytest.raises(ValuesError, match=told):
        value(measure, changed, outputs, [TOPIC.references[0].text])


@pytest.mark.parametrize(
    ("measure", "needs"),
    [
        ("tvm(n=1)", {Need.TAGS}),
        ("tvm(n=1, unit=word)", set()),
        ("tvm(n=1, of=sources)", {Need.TAGS, Need.SOURCES}),
        ("nicos", {Need.CONCEPTS}),
        ("nicos(concepts=references)", set()),
        ("nicos(concepts=sources)", {Need.SOURCES}),
        ("docsim", {Need.SOURCES}),
    ],
)
def test_needs(measure: str, needs: set[Need]) -> None:
    assert Measure.parse(measure).needs == needs


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("vectmodel", "vectmodel(unit=word)"),
        ("tvm(n=1)", "tvm(n=9)"),
        ("nicos(concepts=references, n=1)", "nicos(concepts=references)"),
    ],
)
def test_what_was_asked_before_changes_nothing(first: str, second: str) -> None:
    texts = topic([OUTPUT, "It rained."], [REFERENCE, "The officers fired the boss."])
    desk = TopicTexts(texts)
    found = [measure_scores(Measure.parse(each), desk).tolist() for each in (first, second)]
    anew = measure_scores(Measure.parse(second), TopicTexts(texts)).tolist()
    assert found[1] == anew != found[0]
