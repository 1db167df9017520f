import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, document, unhurried
from weps.errors import FeatureError
from weps.key_terms import WEIGHTINGS
from weps.labels import labels, labels_with_words
from weps.names import PersonName
from weps.records import Document
from weps.similarity import pair_table
from weps.words import words

WORDS = (
    "Thomas Baker thomas producer Producers Queen tides Movie movies of the add 1984 York Minster"
    " Elektra Records ROY january University physics www.baker.example"
).split()


def made(people: list[list[int]], *documents: str | Document) -> list[tuple[str, ...]]:
    return labels(people, pair_table(analysis_of(*documents), []))


def told(*documents: str | Document) -> tuple[str, ...]:
    """The label of the person whose pages these are, who has no namesake."""
    return made([list(range(len(documents)))], *documents)[0]


def test_no_people_no_labels():
    assert made([]) == []


def test_a_person_without_text_has_an_empty_label():
    assert made([[0], [1]], document(), "tides") == [(), ("tides",)]


def test_title_and_snippet_are_enough():
    page = document(title="Thomas Baker, producer", snippet="worked for Elektra Records")
    assert told(page) == ("producer", "Elektra Records", "worked")


def test_lists_of_words_are_enough():
    label = told("producer rock album rock queen", document("producer rock", rank=2))
    assert label[:2] == ("producer", "rock")


def test_words_grow_to_the_names_that_hold_them_as_they_are_written():
    pages = [f"He lives near York Minster, {verb} tides." for verb in ("and saw", "and heard")]
    assert "York Minster" in told(*pages)


def test_what_stands_on_most_pages_of_the_person_comes_first():
    pages = ["kelp kelp tides", "tides wind", "wind", "moons"]
    assert made([[0, 1], [2], [3]], *pages)[0][0] == "tides"


@pytest.mark.parametrize(("near", "far"), [("ibex", "lynx"), ("lynx", "ibex")])
def test_what_stands_near_the_name_comes_before_the_rest(near, far):
    assert told(f"Thomas Baker saw the {near}. Elsewhere others saw the {far}.")[0] == near


def test_occupations_come_first():
    assert told("Thomas Baker likes kelp, dulse and samphire; he is a conductor.")[0] == "conductor"


@pytest.mark.parametrize(
    "text",
    [
        "Thomas Baker",
        "THOMAS BAKER, Thomas J. Baker",
        "Bakers, thomasbaker; the Thomas Bakers of old",
        "the and of",
        "1984 2001",
        "January Monday",
        "Add QuickList User Shopping Copyright",
        "www.kelp.example/tides/index.html kelp@tides.example",
    ],
    ids=lambda text: text.split()[0],
)
def test_what_is_no_label(text):
    assert told(document(text, title=text)) == ()


def test_no_word_is_told_twice_in_any_form():
    label = told("Movie movies studies study kelp Kelp York Minster York School Minster York")
    found = [word for term in label for word in words(term)]
    assert len(found) == len({word.removesuffix("s").replace("studie", "study") for word in found})


@pytest.mark.parametrize(
    ("written", "shown"), [("NASHUA", "Nashua"), ("UNLV", "UNLV"), ("McNeil", "McNeil")]
)
def test_shouting_is_not_repeated(written, shown):
    assert told(f"a house in {written}") == tuple(
        sorted([shown, "house"], key=lambda term: term == "house")
    )


def test_headlines_are_no_label():
    label = told("Interdepartmental Counterrevolutionary Telecommunications")
    assert all(len(term) <= 40 for term in label)


@pytest.mark.parametrize("name", [each.name for each in WEIGHTINGS.values() if not each.needs_tags])
def test_any_weighting_without_tags_will_do(name):
    table = pair_table(analysis_of("tides and moons in Port Merrow", "kelp"), [])
    assert all(labels([[0], [1]], table, name))


def test_weightings_with_tags_cannot_be_had():
    with pytest.raises(FeatureError):
        labels([[0]], pair_table(analysis_of("tides"), []), "tfsyntax")


pages = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=5
)


@given(pages, st.randoms(use_true_random=False))
@unhurried
def test_labels_of_any_pages(texts, random):
    order = list(range(len(texts)))
    random.shuffle(order)
    cut = random.randint(0, len(texts))
    people = [rows for rows in (order[:cut], order[cut:]) if rows]
    found = made(people, *texts)
    name = set(PersonName.parse("Thomas Baker").tokens)
    for label in found:
        forms = [words(term) for term in label]
        flat = [word.removesuffix("s") for term in forms for word in set(term)]
        assert len(label) <= 5
        assert all(forms)
        assert name.isdisjoint(flat)
        assert len(set(flat)) == len(flat)
    assert made([sorted(rows) for rows in people], *texts) == found
    assert made(people[::-1], *texts) == found[::-1]


@given(pages, st.randoms(use_true_random=False))
@unhurried
def test_the_order_of_the_pages_does_not_matter(texts, random):
    order = list(range(len(texts)))
    random.shuffle(order)
    moved = [texts[row] for row in order]
    people = [[row] for row in range(len(texts))]
    assert made([[order.index(row)] for [row] in people], *moved) == made(people, *texts)


def test_five_terms():
    assert len(told("kelp, dulse, samphire, ibex, lynx, moons")) == 5


def test_names_of_some_length_are_labels():
    assert told("the Interdepartmental Telecommunications")[0] == (
        "Interdepartmental Telecommunications"
    )


@pytest.mark.parametrize("forms", ["Movie, movies", "Galaxy, galaxies", "Finch, finches"])
def test_one_of_several_forms_is_told(forms):
    assert len(told(forms)) == 1


@pytest.mark.parametrize(("own", "shared"), [("ibex", "lynx"), ("lynx", "ibex")])
def test_what_namesakes_have_too_comes_later(own, shared):
    label = made([[0], [1, 2, 3]], f"{own} {shared}", *[f"{shared} moons"] * 3)[0]
    assert label[0] == own


def test_a_person_without_pages():
    assert made([[], [0]], "tides") == [(), ("tides",)]


def test_one_word_names_do_not_hide_occupations():
    table = pair_table(analysis_of("Cher was a teacher", name="Cher"), [])
    assert labels([[0]], table) == [("teacher",)]


def test_the_best_words_that_are_left():
    ((terms, words_left),) = labels_with_words(
        [[0]], pair_table(analysis_of("kelp, dulse, samphire, ibex, lynx, moons, Moon, tides"), [])
    )
    assert terms == ("dulse", "ibex", "kelp", "lynx", "samphire")
    assert words_left == ("Moon", "tides")
