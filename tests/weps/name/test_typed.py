"""Tests for weps.name.typed."""

import pytest

from tests.cases import each_case
from weps.errors import SourceError
from weps.name.typed import check_name, require_name

_PAGES = {
    "Edwin Foxcombe": "Edwin Foxcombe is a botanist. EDWIN FOXCOMBE does research with Ann Foxley.",
    "Mary Smith-Jones": "Mary Smith-Jones wrote to Mary Smith.",
    "José María de la Fuente": "El poeta José María de la Fuente, y la Fuente de Vida.",
    "Madonna": "Madonna is a singer, who did Research on a tour.",
    "王小明": "王小明教授は東京で研究しています。",
    "राहुल शर्मा": "डॉ. राहुल शर्मा ने",
}
_OTHERS = ["A page about kelp and Research.", ""]


def pages_of(name: str) -> list[str]:
    return [f"{number}\n{_PAGES[name]}" for number in range(9)] + _OTHERS


@each_case(
    ("folder", "name"),
    [
        ("Edwin Foxcombe – research", "Edwin Foxcombe"),
        ("research: Edwin Foxcombe", "Edwin Foxcombe"),
        ("Edwin Foxcombe (2)", "Edwin Foxcombe"),
        ("01 Edwin Foxcombe", "Edwin Foxcombe"),
        ("Edwin Foxcombe 2024-05-06", "Edwin Foxcombe"),
        ("weps Edwin Foxcombe", "Edwin Foxcombe"),
        ("edwin foxcombe pages", "Edwin Foxcombe"),
        ("edwin foxcombe", "Edwin Foxcombe"),
        ("EdwinFoxcombe", "Edwin Foxcombe"),
        ("Edwin Foxcombe AND botanist", "Edwin Foxcombe"),
        ("Foxcombe, Edwin", "Foxcombe, Edwin"),
        ("E. Foxcombe", "E. Foxcombe"),
        ("mary smith jones archive", "Mary Smith-Jones"),
        ("Mary Smith-Jones", "Mary Smith-Jones"),
        ("Jose Maria de la Fuente (old)", "José María de la Fuente"),
        ("Madonna – pages", "Madonna"),
        ("王小明 資料", "王小明"),
        ("राहुल शर्मा 2", "राहुल शर्मा"),
    ],
)
def test_pages_decide_which_part_of_the_name_of_a_folder_is_one(folder, name):
    texts = [f"{number}\n{text}" for number, text in enumerate([*_PAGES.values(), *_OTHERS] * 2)]
    read, caution = check_name(folder, pages_of(name) if name in _PAGES else texts, of_folder=True)
    assert read == name
    assert "did you mean" not in caution


@each_case(
    ("typed", "of", "meant"),
    [
        ("Edwin Foxcomb", "Edwin Foxcombe", "Edwin Foxcombe"),
        ("Edwni Foxcombes", "Edwin Foxcombe", "Edwin Foxcombe"),
        ("Edvin Foxcombe", "Edwin Foxcombe", "Edwin Foxcombe"),
        ("Madona", "Madonna", "Madonna"),
        ("Marie Smith-Jones", "Mary Smith-Jones", ""),
        ("Ann Baker", "Edwin Foxcombe", ""),
        ("Foxcombe University", "Edwin Foxcombe", ""),
        ("Cher", "Madonna", ""),
    ],
)
@pytest.mark.parametrize("of_folder", [False, True])
def test_a_name_that_no_page_has_is_said_with_what_they_have(typed, of, meant, of_folder):
    read, caution = check_name(typed, pages_of(of), of_folder=of_folder)
    assert read == typed
    assert caution.startswith(f"The name {typed} is on none of 10 pages: ")
    asked = f"did you mean {meant}, on 9 of 10 pages?" if meant else "check the spelling"
    assert asked in caution


@each_case(
    "typed", [*_PAGES, "Foxcombe", "foxcombe, edwin", "Prof. Edwin Foxcombe, PhD", "E. Foxcombe"]
)
def test_a_name_that_pages_have_is_left_alone(typed):
    texts = pages_of(typed if typed in _PAGES else "Edwin Foxcombe")
    assert check_name(typed, texts) == check_name(typed, []) == (typed, "")


def test_words_that_are_typed_besides_are_only_told():
    read, caution = check_name("Edwin Foxcombe – research", pages_of("Edwin Foxcombe"))
    assert read == "Edwin Foxcombe – research"
    assert "did you mean Edwin Foxcombe, on 9 of 10 pages?" in caution


def test_another_spelling_is_the_name():
    texts = pages_of("Edwin Foxcombe")
    assert check_name("Eddy Fox", texts)[1]
    assert check_name("Eddy Fox", texts, ["Edwin Foxcombe"]) == ("Eddy Fox", "")


@each_case(
    "name",
    ["", "  ", "…", "!?", "😀", "\u202e\u200b", '""', "\x07", "N" * 300, "311", "王" * 99],
)
def test_what_is_no_name_is_refused(name):
    with pytest.raises(SourceError):
        require_name("Ann Lee", name)


@each_case("name", ["Madonna", "Pelé", "50 Cent", "Ro\u200fbin 😀 Averdale", "a b " * 6])
def test_unusual_names_are_names(name):
    require_name(name)
