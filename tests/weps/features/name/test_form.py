from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of, document, flagged
from weps.features.name.form import NameForm, name_forms
from weps.features.registry import all_features
from weps.page_forms import PageForm, available_similarities
from weps.similarity.columns import parse_similarity

FLAGS = [str(each) for each in all_features() if each.function == "name_form"]


def forms_of(*pages, name: str = "Mary Baker") -> list[tuple[str, str, str] | None]:
    """What stands before, within and behind the name on each page."""
    return [
        form and (" ".join(form.before), " ".join(form.between), " ".join(form.after))
        for form in name_forms(analysis_of(*pages, name=name))
    ]


def flags_of(*pages) -> dict[tuple[int, int], set[str]]:
    """The flags of each pair of rows that has any."""
    analysis = analysis_of(*pages, name="Mary Baker")
    found: dict[tuple[int, int], set[str]] = {}
    for flag in FLAGS:
        for pair in flagged(flag, analysis):
            found.setdefault(pair, set()).add(flag)
    return found


BEFORE = {
    "": "Mary Baker|MARY BAKER|mary baker|Mrs. Mary Baker|Lady Mary Baker|Author Mary Baker|"
    "With Mary Baker|by anna Mary Baker|Anna. Mary Baker|Anna, Mary Baker|A. Mary Baker|"
    "St. Anna's Mary Baker|Baker, Mary|Anna Baker, Mary|Anna (Mary Baker)|Anna\nMary Baker",
    "anna": "Anna Mary Baker|ANNA MARY BAKER|Dr Anna Mary Baker|“Anna  Mary J. Baker",
    "josé": "José Mary Baker",
}
BETWEEN = {
    "": 'Mary "Polly" Baker|Mary (Polly) Baker',
    "j": "Mary J. Baker|Mary J Baker|Mary J Baker Holt|Baker, Mary J.",
    "jane": "Mary Jane Baker|MARY JANE BAKER|Mary (Polly) Jane Baker",
    "jane ann": "Mary Jane Ann Baker",
    "éloïse": "Mary Éloïse Baker",
    "o'hara": "Mary O’Hara Baker",
}
AFTER = {
    "": "Mary Baker Photography|Mary Baker Book|Mary Baker John|Mary Baker holt|Mary Baker, Holt|"
    "Mary Baker's Holt|Mary Baker Tufts Univ.|Mary Baker London|Mary Baker. Holt|Baker, Mary Holt|"
    "Mary Baker Jr|Mary Baker\nHolt",
    "holt": "Mary Baker Holt|MARY BAKER HOLT|Mary Baker-Holt|Mary Baker Holt's",
    "peña": "Mary Baker Peña",
}


@each_case(
    ("part", "expected", "text"),
    [
        (part, expected, text)
        for part, cases in enumerate((BEFORE, BETWEEN, AFTER))
        for expected, texts in cases.items()
        for text in filter(None, texts.split("|"))
    ],
)
def test_names_before_within_and_behind_the_name(part, expected, text):
    (form,) = forms_of(document(*text.split("\n")))
    assert form is not None
    assert form[part] == expected


@each_case(
    "text",
    [
        "",
        "Mary",
        "Mary and Baker",
        "Mary met Baker",
        "Coleman, Mary, Baker",
        "Mary, Jane Baker",
        "Mary Baker-",
    ],
)
def test_pages_without_the_name_have_no_form(text):
    assert forms_of(text) == [None]


@each_case(
    ("name", "text", "expected"),
    [
        ("Madonna", "Madonna Ciccone sings", ("", "", "ciccone")),
        ("Madonna", "Anna Madonna", ("anna", "", "")),
        ("Baker, Mary Ann", "Mary J. Baker", ("", "j", "")),
        ("Mary Ann Baker", "Anna Mary Ann Baker", ("anna", "ann", "")),
        ("Sean O'Brien", "Sean O’Brien-Holt", ("", "", "holt")),
        ("Jürgen Groß", "Hans Jürgen Groß Müller", ("hans", "", "müller")),
        ("王 伟", "王 伟", ("", "", "")),
    ],
)
def test_names_of_any_form(name, text, expected):
    assert forms_of(text, name=name) == [expected]


@each_case(
    ("mentions", "expected"),
    [
        ("Anna Mary Baker|Mary Baker", ("", "", "")),
        ("Anna Mary Baker|Anna Mary Baker|Mary Baker", ("anna", "", "")),
        ("Emma Mary Baker|Anna Mary Baker|Mary Baker", ("anna", "", "")),
        ("Mary J. Baker|Mary Baker|Mary Baker|Mary Baker", ("", "j", "")),
        ("Mary J. Baker|Mary Baker|Mary Baker|Mary Baker|Mary Baker", ("", "", "")),
        ("Mary J. Baker|Mary K. Baker|Mary K. Baker", ("", "k", "")),
        ("Mary Baker Holt|Mary and Baker", ("", "", "holt")),
        ("|".join(["Mary Baker"] * 40 + ["Anna Mary Baker"] * 50), ("", "", "")),
    ],
)
def test_the_usual_form_of_a_page(mentions, expected):
    assert forms_of(document(*mentions.split("|"))) == [expected]


def test_title_snippet_and_text_have_the_name():
    text = "Mary Baker Holt"
    pages = [document(title=text), document(snippet=text), document(text)]
    assert forms_of(*pages) == [("", "", "holt")] * 3


@each_case(
    ("first", "second", "flag"),
    [
        ("Anna Mary Baker", "Anna Mary Baker", "before, relation=agree"),
        ("Anna Mary Baker", "Emma Mary Baker", "before, relation=differ"),
        ("Anna Mary Baker", "Mary Baker", "before, relation=one_only"),
        ("Mary J. Baker", "Mary Jane Baker", "between, relation=agree"),
        ("Mary Jane Ann Baker", "Mary Jane A. Baker", "between, relation=agree"),
        ("Mary Jane Baker", "Mary Jane Ann Baker", "between, relation=agree"),
        ("Mary Jane Baker", "Mary June Baker", "between, relation=differ"),
        ("Mary J. Baker", "Mary K. Baker", "between, relation=differ"),
        ("Mary Éloïse Baker", "Mary É. Baker", "between, relation=agree"),
        ("Baker, Mary J.", "Mary Baker", "between, relation=one_only"),
        ("Mary Baker-Holt", "Mary Baker Holt", "after, relation=agree"),
        ("Mary Baker-Holt", "Mary Baker Peña", "after, relation=differ"),
        ("Mary Baker Holt", "Mary Baker", "after, relation=one_only"),
        ("Mary Baker", "Mary Baker", ""),
        ("Anna Mary Baker", "tides", ""),
        ("tides", "moons", ""),
    ],
)
def test_pairs_of_pages_agree_differ_or_have_a_name_on_one_only(first, second, flag):
    expected = {f"name_form(part={flag})"} if flag else set()
    assert flags_of(first, second, "") == ({(0, 1): expected, (1, 0): expected} if flag else {})


@each_case("form", PageForm)
def test_title_and_snippet_have_case_whatever_the_form_of_pages(form):
    wanted = [parse_similarity(each) for each in FLAGS]
    assert available_similarities(wanted, form) == tuple(wanted)


@pytest.mark.parametrize(
    ("form", "written"),
    [
        (NameForm(), "Mary Baker"),
        (NameForm(("anna",), ("j",), ("o'hara",)), "Anna Mary J. Baker O'Hara"),
    ],
)
def test_the_name_as_a_page_writes_it(form, written):
    analysis = analysis_of(name="Mary Ann Baker")
    assert form.written(analysis.name) == written


def test_no_text_takes_long():
    hostile = ("Anna " * 20_000, "Mary " * 20_000, "Mary A " * 20_000, "Mary Baker " * 20_000)
    assert len(forms_of(*hostile)) == len(hostile)


_WORDS = ["Anna", "Mary", "Baker", "Holt", "J.", "jane", "-", ",", "\n"]


@given(texts=st.lists(st.lists(st.sampled_from(_WORDS), max_size=9).map(" ".join), max_size=4))
def test_a_pair_s_flags_do_not_depend_on_other_pages(texts):
    whole = flags_of(*texts)
    assert not any(first == second for first, second in whole)
    for first, second in combinations(range(len(texts)), 2):
        pair = flags_of(texts[first], texts[second])
        assert whole.get((first, second)) == pair.get((0, 1))
