import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from weps.words import singular, tokens, words

TEXTS = st.text(st.one_of(st.characters(), st.sampled_from("aZ's’- ._İ")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t ", []),
        ("Thomas Baker", ["Thomas", "Baker"]),
        ("Baker, T.", ["Baker", ",", "T", "."]),
        ("well-known", ["well", "known"]),
        ("York - Leeds", ["York", "-", "Leeds"]),
        ("-5", ["-", "5"]),
        ("snake_case", ["snake", "_", "case"]),
        ("O'Brien", ["O'Brien"]),
        ("O'Shea", ["O'Shea"]),
        ("Baker's hat", ["Baker", "'s", "hat"]),
        ("BAKER'S", ["BAKER", "'S"]),
        ("the Bakers' hats", ["the", "Bakers", "'", "hats"]),
        ("'quoted'", ["'", "quoted", "'"]),
        ("room 42b", ["room", "42b"]),
        ("1,000 runs in 12.5 s.", ["1,000", "runs", "in", "12.5", "s", "."]),
        ("at 10.30am", ["at", "10", ".", "30am"]),
        ("Müller Ωmega 北京", ["Müller", "Ωmega", "北京"]),
        ("tb@york.example", ["tb", "@", "york", ".", "example"]),
        ("?!…", ["?", "!", "…"]),
    ],
)
def test_tokens(text, expected):
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("?!", []),
        ("Thomas J. BAKER", ["thomas", "j", "baker"]),
        ("Thomas_Baker", ["thomas", "baker"]),
        ("O'Brien", ["o'brien"]),
        ("Baker's hat", ["baker", "hat"]),
        ("index.html?id=5", ["index", "html", "id", "5"]),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


@given(TEXTS)
@unhurried
def test_words_are_the_tokens_that_are_words_in_lower_case(text):
    assert words(text) == [token.lower() for token in tokens(text) if token[0].isalnum()]


@given(TEXTS)
@unhurried
def test_tokens_keep_every_visible_character_but_hyphens(text):
    without_hyphens = str.maketrans("’", "'", "-")
    kept, visible = "".join(tokens(text)), "".join(text.split())
    assert kept.translate(without_hyphens) == visible.translate(without_hyphens)


@pytest.mark.parametrize(
    ("plural", "expected"),
    [
        ("books", "book"),
        ("studies", "study"),
        ("flies", "fly"),
        ("churches", "church"),
        ("dishes", "dish"),
        ("classes", "class"),
        ("boxes", "box"),
        ("horses", "horse"),
        ("houses", "house"),
        ("pies", "pie"),
        ("book", "book"),
        ("class", "class"),
        ("bus", "bus"),
        ("analysis", "analysis"),
        ("gas", "gas"),
    ],
)
def test_singular(plural, expected):
    assert singular(plural) == expected
