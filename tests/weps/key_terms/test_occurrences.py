import numpy as np
import pytest

from tests.weps.builders import analysis_of, document, extract
from tests.weps.key_terms.builders import occurrences, tagged
from weps.errors import FeatureError
from weps.key_terms.clauses import word_positions
from weps.key_terms.occurrences import Occurrences, Position


def told(occurrences, position=Position.ANYWHERE):
    """Word → how often it occurs in each document, where it occurs at all."""
    columns = occurrences.at(position).toarray().T.tolist()
    named = zip(occurrences.words, columns, strict=True)
    return {word: counts for word, counts in named if any(counts)}


def test_content_words_are_counted_where_they_stand():
    found = occurrences("the president/h of haiti/mv", "", "haiti/v haiti troops")
    assert found.words == ("haiti", "president", "troops")
    assert found.documents == 3
    assert told(found) == {"haiti": [1, 0, 2], "president": [1, 0, 0], "troops": [0, 0, 1]}
    assert told(found, Position.VERB) == {"haiti": [1, 0, 1]}
    assert told(found, Position.SUBJECT) == {"haiti": [1, 0, 0], "president": [1, 0, 0]}
    assert told(found, Position.HEAD) == {"president": [1, 0, 0]}
    assert told(found, Position.MODIFIER) == {"haiti": [1, 0, 0]}
    assert {counts.dtype for counts in found.counts.values()} == {np.dtype(np.int32)}


@pytest.mark.parametrize("texts", [[], [""], ["the", "of"]])
def test_documents_without_content_words_keep_their_row(texts):
    found = occurrences(*texts)
    assert (found.words, found.documents) == ((), len(texts))
    assert {found.at(position).shape for position in Position} == {(len(texts), 0)}


def test_tagged_documents_are_counted_by_their_syntax():
    analysis = tagged(
        ["the/DET president/NOUN of/ADP Haiti/PROPN resigned/VERB"], ["Baker/PROPN left/VERB"]
    )
    found = Occurrences.of(word_positions(analysis), 2)
    assert told(found, Position.VERB) == {"haiti": [1, 0]}
    assert told(found, Position.HEAD) == {"president": [1, 0]}
    assert told(found, Position.MODIFIER) == {"haiti": [1, 0]}


def test_without_tags_words_are_the_tokens_of_the_page():
    analysis = analysis_of("York teaches York's bakers", "Thomas Baker of York", "")
    found = Occurrences.without_positions(analysis)
    counted = [{word: n[row] for word, n in told(found).items() if n[row]} for row in range(3)]
    assert counted == [dict(bag) for bag in extract("token", analysis)]
    assert list(found.words) == sorted(found.words)


def test_a_page_without_text_has_the_words_of_its_search_result():
    shown = {"title": "Baker, oboe", "snippet": "The oboe of York"}
    found = Occurrences.without_positions(
        analysis_of(document("York", **shown), document(**shown), document("x", **shown))
    )
    assert told(found) == {"oboe": [0, 2, 2], "york": [1, 1, 1]}


def test_a_position_that_is_not_known_is_told():
    with pytest.raises(FeatureError, match="positions of words .verb. are unknown"):
        Occurrences.without_positions(analysis_of("York")).at(Position.VERB)
