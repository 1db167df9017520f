import pytest

from eval.language.doubts import doubtful, settled, without_handles, words_only
from eval.language.sentences import Sentence


def sentence(text: str, tags: str, pos: str = "") -> Sentence:
    words = tuple(text.split())
    given = tuple(tag.replace("?", "") for tag in tags.split())
    return Sentence(words, (True,) * len(words), pos=tuple(pos.split()), entities=given)


def shown(each: Sentence) -> str:
    return " ".join(tag or "?" for tag in each.entities)


@pytest.mark.parametrize(
    ("text", "tags", "after"),
    [
        ("the Widget broke", "O O O", "O ? O"),
        ("Widgets broke", "O O", "O O"),
        ("on Monday in Dutch", "O O O O", "O O O O"),
        ("saw Ada", "O B-PERSON", "O B-PERSON"),
        ("plan A", "O O", "O O"),
    ],
)
def test_capitals_within_a_sentence_are_doubtful(text: str, tags: str, after: str) -> None:
    assert [shown(each) for each in doubtful([sentence(text, tags)])] == [after]


@pytest.mark.parametrize(
    ("text", "tags", "after"),
    [
        ("the German Prize", "O ? ?", "O O ?"),
        ("gene therapy", "? ?", "O O"),
        ("saw Ada", "O B-PERSON", "O B-PERSON"),
    ],
)
def test_what_is_no_name_is_settled(text: str, tags: str, after: str) -> None:
    assert [shown(each) for each in settled([sentence(text, tags)])] == [after]


@pytest.mark.parametrize(
    ("text", "pos", "after"),
    [
        ("she slept", "PRON VERB", "O O"),
        ("saw Ada", "VERB PROPN", "O ?"),
        ("Museum of Northby", "PROPN ADP PROPN", "? ? ?"),
        ("Museum of the North slept", "PROPN ADP DET PROPN VERB", "? ? ? ? O"),
        ("Ada left on Monday", "PROPN VERB ADP PROPN", "? ? ? O"),
    ],
)
def test_proper_nouns_and_what_joins_them_are_missing(text: str, pos: str, after: str) -> None:
    assert [shown(each) for each in words_only([sentence(text, "", pos)])] == [after]


@pytest.mark.parametrize(
    ("text", "tags", "after"),
    [
        ("@ adaq met Ada", "B-PERSON B-PERSON O B-PERSON", "? ? O B-PERSON"),
        ("met @", "O O", "O ?"),
        ("@adaq slept", "O O", "O O"),
    ],
)
def test_user_names_are_no_names(text: str, tags: str, after: str) -> None:
    assert [shown(each) for each in without_handles([sentence(text, tags)])] == [after]
