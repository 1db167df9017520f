import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.syntax.sentences import TAGS
from weps.syntax.letters import BREAK, letter


@pytest.mark.parametrize(
    ("expected", "tokens"),
    [
        ("d", "the/DET Her/PRON their/PRON both/CCONJ"),
        ("a", "old/ADJ"),
        ("c", "12/NUM 1,000/NUM $/SYM %/SYM"),
        ("n", "talks/NOUN foo/X she/NEW ©2005/SYM"),
        ("m", "Haiti/PROPN Who/PROPN"),
        ("g", "'s/PART ’s/PART '/PART"),
        ("o", "she/PRON these/PRON"),
        ("w", "that/PRON"),
        ("r", "soon/ADV oh/INTJ no/ADV"),
        ("t", "not/PART n’t/PART"),
        ("i", "to/PART To/PART"),
        ("p", "of/ADP of/SCONJ According/VERB to/ADP"),
        ("x", "has/AUX 's/AUX"),
        ("v", "said/VERB bring/VERB string/VERB"),
        ("z", "being/AUX saying/VERB trying/VERB"),
        (
            "s",
            "that/SCONJ que/SCONJ que/PRON Who/PRON When/ADV which/DET after/SCONJ mientras/SCONJ",
        ),
        ("k", "and/CCONJ &/CCONJ"),
        (",", ",/PUNCT */X =/SYM lrb/PUNCT (/PUNCT"),
        (".", "./PUNCT ?/PUNCT ;/PUNCT .../PUNCT :/SYM |/NOUN"),
        ("h", "-/PUNCT -/NOUN"),
    ],
)
def test_letters(expected, tokens):
    pairs = [token.rsplit("/", 1) for token in tokens.split()]
    assert {token: letter(*token) for token in map(tuple, pairs)} == dict.fromkeys(
        map(tuple, pairs), expected
    )


@given(st.text(), st.sampled_from([*TAGS, "", "SPACE", "odd"]))
def test_any_word_has_one_letter_which_is_no_break(word, tag):
    assert len(letter(word, tag)) == 1
    assert letter(word, tag).isascii()
    assert letter(word, tag) != BREAK
