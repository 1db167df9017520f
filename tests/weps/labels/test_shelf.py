import pytest

from tests.weps.builders import analysis_of
from weps.key_terms import weighting
from weps.labels.shelf import Shelf
from weps.labels.vocabulary import Vocabulary
from weps.records import Document

PAGE = "He left Elektra Records. She joined ELEKTRA RECORDS and Elektra Records; www.kelp.example"


def shelf_of(*documents: str | Document, keep: tuple[str, ...] = ()) -> Shelf:
    vocabulary = Vocabulary.of(analysis_of(*documents))
    rows = list(range(len(documents)))
    (terms,) = vocabulary.terms([rows], weighting("likelihood_ratio"))
    return Shelf.of(vocabulary, [[term for term in terms if term[0] in keep or not keep]])


def test_phrases_hold_a_wanted_word():
    assert set(shelf_of(PAGE, keep=("elektra",)).phrases) == {"elektra records"}
    assert not shelf_of(PAGE, keep=("joined",)).phrases


def test_all_words_of_phrases_are_known():
    assert set(shelf_of(PAGE, keep=("elektra",)).words) == {"elektra", "records"}


@pytest.mark.parametrize(
    ("text", "spelled"), [("elektra records", "Elektra Records"), ("elektra", "Elektra")]
)
def test_spelled_as_mostly_written(text, spelled):
    assert shelf_of(PAGE).spelled(text) == spelled


def test_addresses_do_not_spell():
    page = "kelp.com Kelp www.kelp.example kelp@kelp.example"
    assert shelf_of(page).spelled("kelp") == "Kelp"


def test_word_lists_are_spelled_as_in_titles():
    page = Document(rank=1, title="Elektra Records", blocks=("elektra record elektra producer",))
    shelf = shelf_of(page)
    assert shelf.spelled("elektra") == "Elektra"
    assert shelf.spelled("producer") == "producer"


def test_pages_with_capitals_are_not_spelled_as_titles():
    page = Document(rank=1, title="KELP", blocks=("Here is kelp, and kelp.",))
    assert shelf_of(page).spelled("kelp") == "kelp"


@pytest.mark.parametrize("text", ["Kelp kelp", "kelp Kelp"])
def test_of_equally_frequent_spellings_the_small_one(text):
    assert shelf_of(text).spelled("kelp") == "kelp"


def test_phrases_seldom_written_as_names_are_none():
    assert not shelf_of("Kelp Reef, a kelp reef, one kelp reef").phrases
