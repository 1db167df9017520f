import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from weps.names import PersonName
from weps.portraits.mentions import full_mentions, mentions

BAKER = PersonName.parse("Thomas Baker")


def told(text: str, name: str = "Thomas Baker") -> list[str]:
    return [text[begin:end] for begin, end in mentions(text, PersonName.parse(name))]


@pytest.mark.parametrize(
    "text",
    [
        "Thomas Baker",
        "THOMAS BAKER",
        "thomas   baker",
        "Thomas J. Baker",
        "Thomas J Baker",
        "Thomas John William Baker",
        "Thomas “Tom” Baker",
        'Thomas "Tom" Baker',
        "Thomas (Tom) Baker",
        "Thomas\nBaker",
        "Baker, Thomas",
        "BAKER, Thomas J.",
        "Baker, Thomas J",
    ],
)
def test_full_names(text):
    assert told(f"Here is {text}; and so on.") == [text]
    assert list(full_mentions(f"({text})", BAKER)) == [(1, 1 + len(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Baker's book", ["Baker"]),
        ("Thomas Baker's book", ["Thomas Baker"]),
        ("Thomas Baker’s book", ["Thomas Baker"]),
        ("Mr. Baker; BAKER said", ["Baker", "BAKER"]),
        ("a baker bakes", []),
        ("Bakers, Bakery and Baker2", []),
        ("Thomas Baker-Smith", []),
        ("Thomas and Mary Baker", ["Baker"]),
        ("thomas@baker, x@Baker", []),
        ("Thomas alone", []),
        ("Thomas Baker Thomas Baker", ["Thomas Baker", "Thomas Baker"]),
        ("Thomas A. B. C. Baker", ["Baker"]),
        ("", []),
    ],
)
def test_what_else_is_a_mention(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Baker, Thomas", "Thomas Baker", ["Thomas Baker"]),
        ("Thomas Baker Jr.", "Thomas Baker, Jr.", ["Thomas Baker"]),
        ("Cher", "Cher's teacher", ["Cher"]),
        ("Conan O'Brien", "O’Brien and Conan O'Brien", ["O’Brien", "Conan O'Brien"]),
        ("Conan O’Brien", "Conan O'Brien", ["Conan O'Brien"]),
        ("José García", "JOSÉ GARCÍA", ["JOSÉ GARCÍA"]),
        ("Juan Carlos de la Cruz", "Juan C. de la Cruz", ["Juan C. de la Cruz"]),
        ("Иван Петров", "ИВАН ПЕТРОВ и петров", ["ИВАН ПЕТРОВ"]),
        ("王小明", "我是王小明的朋友", ["王小明"]),
        ("王 小明", "我是王小明的朋友", ["王小明"]),
        ("नरेंद्र मोदी", "श्री नरेंद्र मोदी ने", ["नरेंद्र मोदी"]),
        ("C++ (Baker", "C++ Baker", ["C++ Baker"]),
        ("...", "Well... Thomas", []),
        ("", "Thomas Baker", []),
    ],
)
def test_names_of_all_kinds(name, text, expected):
    assert told(text, name) == expected


def test_the_last_name_alone_is_no_full_mention():
    assert list(full_mentions("Mr. Baker", BAKER)) == []
    assert list(full_mentions("Cher", PersonName.parse("Cher"))) == [(0, 4)]


pieces = st.lists(st.sampled_from(["Thomas", "Baker", "J.", " ", ",", "'s", "“", "x", "-", "İ"]))


@given(pieces.map("".join), st.text(max_size=12))
@unhurried
def test_mentions_are_in_order_and_apart(text, name):
    for person in (BAKER, PersonName.parse(name)):
        flat = [at for span in mentions(text, person) for at in span]
        assert flat == sorted(flat)
        assert set(full_mentions(text, person)) <= set(mentions(text, person))
    assert all("baker" in text[begin:end].lower() for begin, end in mentions(text, BAKER))
