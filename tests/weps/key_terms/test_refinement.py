import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of, document, documents
from weps._text import split_words
from weps.key_terms.labels import Refinement, labels_and_words, suggest_refinements
from weps.language.analysis import analyse_documents
from weps.reading import PageForm, reduce_document
from weps.records import Document


def shown(clusters: list[list[int]], *pages: str | Document) -> list[Refinement | None]:
    return suggest_refinements(clusters, analysis_of(*pages))


def texts(clusters: list[list[int]], *pages: str | Document) -> list[str | None]:
    return [each and each.text for each in shown(clusters, *pages)]


def test_the_republican():
    """The paper's example (section 3), with pages of a few words."""
    pages = ["Republican politician", "a Republican; politician", "politician in Ohio", "novels"]
    assert shown([[0, 1], [2], [3]], *pages) == [
        Refinement("Republican", 1, 1, 1),
        Refinement("Ohio", 1, 1, 1),
        Refinement("novels", 1, 1, 1),
    ]


@each_case("text", ["", "Thomas Baker", "the of 1999", "click home"])
def test_no_suggestion_where_there_is_nothing_to_type(text):
    assert shown([[0], [1]], text, "tides") == [None, Refinement("tides", 1, 1, 1)]


def test_none_where_the_name_alone_does_as_well():
    assert shown([[0, 1]], "tides", "tides kelp") == [None]
    assert shown([[0, 1, 2]], "tides", "kelp", "wind", "moons") == [None]


@each_case(
    ("clusters", "pages", "text"),
    [
        ([[0], [1]], ["maths at York Minster. Maths", "moons"], "York Minster"),
        ([[0], [1]], ["San Diego. Diego rises. Diego falls.", "San Marino"], "San Diego"),
        ([[0], [1]], ["Humber Diego. Thomas Baker left San Diego. Diego rises", "x"], "San Diego"),
        ([[0, 1, 2, 3], [4]], ["San Diego", "Diego", "Diego", "Diego", "moons"], "Diego"),
        ([[0], [1]], ["wind moons tides", "x"], "wind"),
        ([[*range(4)], [4]], [*["www.kelp.com tides"] * 3, "www.kelp.com", *"xyz"], "tides"),
        ([[*range(10)], [11]], [*["kelp tides"] * 9, "tides", "tides", "x", "wind"], "tides"),
    ],
)
def test_what_is_suggested(clusters, pages, text):
    assert texts(clusters, *pages)[0] == text


@each_case("form", PageForm)
def test_every_form_of_page_has_some(form):
    pages = [
        document("Ann swims in Whitby.", title="Whitby", snippet="Whitby swims", rank=1),
        document("He paints moons.", title="moons", snippet="moons", rank=2),
    ]
    poorer = [reduce_document(page, "Thomas Baker", form) for page in pages]
    found = suggest_refinements([[0], [1]], analyse_documents("Thomas Baker", poorer))
    assert [each.text for each in found] == ["Whitby", "moons"]


@given(st.lists(documents, min_size=1, max_size=5), st.data())
def test_figures_are_what_a_search_would_find(pages, data):
    rows = data.draw(st.sets(st.integers(0, len(pages) - 1), min_size=1).map(sorted))
    (found,) = suggest_refinements([rows], analyse_documents("Thomas Baker", pages))
    if found is None:
        return
    wanted = split_words(found.text)
    has = [any(holds(text, wanted) for text in texts_of(page)) for page in pages]
    hits = sum(has[row] for row in rows)
    assert {"thomas", "baker"}.isdisjoint(wanted)
    assert (found.precision, found.recall) == (hits / sum(has), hits / len(rows))
    assert found.f == pytest.approx(2 * hits / (sum(has) + len(rows)))
    assert found.f > 2 * len(rows) / (len(pages) + len(rows))


def texts_of(page: Document) -> list[str]:
    """The sentences of a page, which end at points, and what the search engine shows."""
    return [part for text in (*page.blocks, page.title, page.snippet) for part in text.split(".")]


def holds(text: str, wanted: list[str]) -> bool:
    return f" {' '.join(wanted)} " in f" {' '.join(split_words(text))} "


DANISH = "Det er ikke til at få øje på den, og han har også en af dem"
GERMAN = "Er war nicht der, den sie auch mit einem von uns und bei dem war"


RESIDUES = (
    "Men|NoScript|Tienes QUE Registrarte|Customize|Unavailable|Mot de passe oublié"
    "|Benutzername Registrieren|Akzeptieren Datenschutz|Zaloguj|Зарегистрироваться"
    "|document writeln onClick|Thomas Bakers"
)


@each_case("residue", RESIDUES.split("|"))
def test_boilerplate_is_neither_suggested_nor_a_label(residue):
    pages = f"{residue}. {residue}. {residue}! Thomas Baker, {residue}. kelp", "Thomas Baker, tides"
    table = analysis_of(*pages)
    (label, _), (found, _) = (
        each([[0], [1]], table) for each in (labels_and_words, suggest_refinements)
    )
    assert (label.terms, label.words, found and found.text) == (("kelp",), (), "kelp")


@each_case(("text", "word"), [(DANISH, "Men"), (GERMAN, "War"), ("", "Que")])
def test_stop_words_are_those_of_the_language_of_the_page(text, word):
    pages = (
        f"{text}. {word}. {word} Thomas Baker. {word}! kelp",
        "Thomas Baker, the war of tides: War",
    )
    table = analysis_of(*pages)
    found = suggest_refinements([[0], [1]], table)
    assert word not in {*next(labels_and_words([[0]], table)).terms, found[0] and found[0].text}
    assert "war" in map(str.lower, next(labels_and_words([[1]], table)).terms)


@pytest.mark.parametrize(("pages", "text"), [(9, "York"), (8, "tides")])
def test_names_are_preferred_if_nearly_as_good(pages, text):
    """Of 10 pages York is on so many: F 0.947 or 0.889 of that of tides."""
    person = ["tides, York"] * pages + ["tides"] * (10 - pages)
    assert texts([list(range(10)), [10]], *person, *["moons"] * 10)[0] == text
