import pytest

from eval.text.senses.words import Word, part_of, words_of


@pytest.mark.parametrize(
    ("tag", "part"),
    [
        ("NOUN", "n"),
        ("PROPN", "n"),
        ("VERB", "v"),
        ("ADJ", "a"),
        ("ADV", "r"),
        ("NUM", ""),
        ("X", ""),
        ("AUX", "x"),
        ("DET", "x"),
        ("", "x"),
    ],
)
def test_tags_of_open_classes_have_parts(tag: str, part: str) -> None:
    assert part_of(tag) == part
    assert Word("any", part).open == (part != "x")


def test_letters_are_the_stem_or_the_form_in_lower_case() -> None:
    assert Word("Fired").letters == "fired"
    assert Word("Fired", "v", "fire").letters == "fire"


def test_sentences_become_words() -> None:
    sentences = [["The", "Guns"], ["fired"]]
    assert words_of(sentences) == (("the", "", "the"), ("guns", "", "guns"), ("fired", "", "fired"))
    tagged = words_of(sentences, [["DET", "NOUN"], ["VERB"]], lambda word: word[:3])
    assert tagged == (("the", "x", "the"), ("guns", "n", "gun"), ("fired", "v", "fir"))
    assert words_of([]) == ()


def test_tags_without_tokens_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        words_of([["one"]], [["NUM", "NOUN"]])
