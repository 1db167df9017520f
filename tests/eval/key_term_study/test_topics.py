import pytest

from eval.key_term_study.concepts import concepts_of
from eval.key_term_study.topics import Given, read_topics, studied
from tests.weps.builders import analysis_of
from tests.weps.key_terms.builders import tagged
from weps.key_terms import Occurrences, key_terms

HARBOUR = "the/DET harbour/NOUN closed/VERB ./PUNCT"
SHIPS = "ships/NOUN of/ADP the/DET harbour/NOUN sank/VERB ./PUNCT"
BREAD = "bread/NOUN rose/VERB ./PUNCT"


def given_(rows, phrases=("harbour",), title="sea"):
    return Given("sections", title, tuple(rows), concepts_of(phrases))


def test_topics_without_concepts_or_words_are_left_out():
    analysis = tagged([HARBOUR], ["./PUNCT"])
    topics = [given_([0]), given_([0], ["the"]), given_([1])]
    assert read_topics(analysis, topics, tagged=True).topics == (topics[0],)


def test_what_is_told_of_a_topic():
    batch = read_topics(tagged([HARBOUR], [SHIPS], [BREAD]), [given_([0, 1])], tagged=True)
    (topic,) = studied([batch])
    assert (topic.documents, topic.concepts, topic.title) == (2, 1, "sea")
    assert topic.curves["tf"].recall_at(1) == 1
    assert topic.candidates["tf"] == topic.words
    assert topic.candidates["tfsyntax"] == 1
    assert topic.places["-1"].held == 2


def test_all_other_documents_are_the_reference_collection(monkeypatch):
    seen = []

    def spy(occurrences, rows, weighting, reference):
        seen.append(reference)
        return key_terms(occurrences, rows, weighting, reference)

    monkeypatch.setattr("eval.key_term_study.topics.key_terms", spy)
    sea, bread = tagged([HARBOUR], [SHIPS]), tagged([BREAD], [BREAD])
    batches = [
        read_topics(sea, [given_([0])], tagged=True),
        read_topics(bread, [], tagged=True),
    ]
    told = []
    list(studied(batches, told.append))
    assert {each.documents for each in seen} == {3}
    words = dict(seen[0].words)
    assert words["harbour"] == (1, 1)  # in the other document of the same name
    assert words["bread"] == (2, 2)
    assert "closed" not in words
    assert len(told) == 2


def test_documents_without_tags_have_statistics_alone():
    analysis = analysis_of("harbour ships", "bread")
    (topic,) = studied([read_topics(analysis, [given_([0])], tagged=False)])
    assert topic.places == {}
    assert "tf" in topic.curves
    assert "tfsyntax" not in topic.curves
    with pytest.raises(KeyError):
        Occurrences.plain(analysis).counts["verb"]
