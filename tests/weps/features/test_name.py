"""The name on its pages: its mentions and its form."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs.benchmarks import census_names
from tests.cases import each_case
from tests.weps.builders import analysis_of, document, documents, extract, flagged
from weps.features.name import (
    NameForm,
    embedding,
    encoded_texts,
    mentions_of,
    name_forms,
)
from weps.features.registry import all_features, feature_by_name
from weps.language.analysis import page_text
from weps.name.person_name import PersonName
from weps.reading import PageForm, available_similarities, reduce_document
from weps.similarity.columns import pair_table, parse_similarity
from weps.systems import similarities_of


def test_mentions_do_not_cross_blocks():
    analysis = analysis_of(document("Dr.", "Thomas", "Baker's"), document("Dr.", "Thomas Baker"))
    nothing, [mention] = mentions_of(analysis)
    assert not nothing
    assert (mention.start, mention.end, mention.before, mention.after) == (6, 18, "", "")


def test_mentions_have_their_place_in_the_page_text():
    page = document("Sean  P. O’Brien sang", title="About Sean O’Brien", snippet="O’Brien, Sean")
    (found,) = mentions_of(analysis_of(page, name="Sean O'Brien"))
    assert [page_text(page)[each.start : each.end] for each in found] == [
        "Sean O'Brien",
        "O'Brien, Sean",
        "Sean  P. O'Brien",
    ]


@each_case("form", PageForm)
def test_all_pairs_of_a_name_have_its_number_of_pages_whatever_their_form(form):
    (column,) = available_similarities([parse_similarity("few_pages")], form)
    values = pair_table(analysis_of("Baker", "x", ""), [column]).values
    assert np.unique(values).tolist() == [pytest.approx(1 / 3)]


def test_lists_are_made_from_the_tables_of_the_bureau(tmp_path):
    tables = {
        "all.last": "SMITH 1.006 1.006 1\nAALUND 0.000 90.483 88798\n",
        "female.first": "MARY 2.629 2.629 1\nLEE 0.2 2.829 2\n",
        "male.first": "JAMES 3.318 3.318 1\nMARY 0.009 3.327 2\nROY 0.2 3.527 3\n",
    }
    for name, text in tables.items():
        (tmp_path / f"dist.{name}").write_text(text)
    census_names.main(str(tmp_path), str(tmp_path))
    first, last = (
        (tmp_path / f"{each}.txt").read_text().splitlines() for each in ("first", "last")
    )
    assert first[1:] == ["1.659 james", "1.319 mary", "0.1 lee roy"]
    assert last[1:] == ["1.006 smith"]


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
    "St. Anna's Mary Baker|Baker, Mary|Anna (Mary Baker)|Anna\nMary Baker",
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
    "text", "|Mary|Mary and Baker|Coleman, Mary, Baker|Mary, Jane Baker|Anna Baker, Mary".split("|")
)
def test_pages_without_the_name_have_no_form(text):
    assert forms_of(text) == [None]


@each_case(
    ("name", "text", "expected"),
    [
        ("Madonna", "Madonna Ciccone sings", ("", "", "ciccone")),
        ("Madonna", "Anna Madonna", ("anna", "", "")),
        ("Baker, Mary Ann", "Mary J. Baker", ("", "j", "")),
        ("Mary Ann Baker", "Anna Mary Ann Baker", ("anna", "", "")),
        ("Mary Ann Baker", "Mary A. Baker, Mary A. Baker", ("", "", "")),
        ("Sean O'Brien", "Sean O’Brien-Holt", ("", "", "holt")),
        ("Jürgen Groß", "Hans Jürgen Groß Müller", ("hans", "", "müller")),
        ("王 伟", "王 伟", ("", "", "")),
    ],
)
def test_forms_of_names_of_any_form(name, text, expected):
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


def test_the_name_as_a_page_writes_it():
    name = PersonName.parse("mary Ann van der BAKER")
    assert NameForm().written(name) == "Mary Ann van der Baker"
    written = NameForm(("anna",), ("j",), ("o'hara",)).written(name)
    assert written == "Anna Mary Ann J. van der Baker O'Hara"


WORDS = ["Anna", "Mary", "Baker", "Holt", "J.", "jane", "-", ",", "\n"]


@given(texts=st.lists(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), max_size=4))
def test_a_pair_s_flags_do_not_depend_on_other_pages(texts):
    whole = flags_of(*texts)
    assert not any(first == second for first, second in whole)
    for first, second in combinations(range(len(texts)), 2):
        pair = flags_of(texts[first], texts[second])
        assert whole.get((first, second)) == pair.get((0, 1))


FILLER = "and " * 23
"""Stop words: with the name itself or a word they fill a window of 25."""


def near(page, width=25, name="Thomas Baker"):
    (found,) = extract(f"window(width={width})", analysis_of(page, name=name))
    return found


@each_case(
    ("text", "expected"),
    [
        ("", ""),
        ("Kelp grows", ""),
        ("Kelps of Thomas Baker grow, grow", "kelp grow grow"),
        (f"tides kelp {FILLER} Thomas Baker {FILLER} reef dunes shore", "kelp reef dune"),
        (f"kelp {FILLER} Baker, Thomas {FILLER} reef dunes", "kelp"),
        (f"kelp {FILLER} Thomas J. Baker {FILLER} reef", "reef"),
        # Windows that overlap count their words once.
        ("kelp Thomas Baker reef Thomas Baker dunes", "kelp reef dune"),
        # The last name alone counts only on pages whose sentences never have the whole name.
        (f"kelp Baker. And {FILLER * 2} Thomas Baker reef", "reef"),
        (f"kelp Baker {FILLER * 2} Baker reef", "kelp reef"),
        ("kelp Thomas reef", ""),
    ],
)
def test_content_words_within_25_tokens_of_the_name(text, expected):
    assert near(text) == Counter(expected.split())


def test_windows_end_with_the_page_not_with_the_sentence():
    pages = analysis_of(document("Kelp.", "Thomas Baker. Reefs"), document("Dunes by Thomas Baker"))
    assert extract("window(width=80)", pages) == [Counter(["kelp", "reef"]), Counter(["dune"])]


def test_the_first_thirty_mentions_have_windows():
    names = f"Thomas Baker {FILLER * 3}" * 30
    assert near(f"kelp {names} Thomas Baker reef") == {"kelp": 1}
    assert near(f"kelp {names.removesuffix('Thomas Baker ')} reef", width=80)["kelp"] == 1


RESULT = document(
    f"Dunes and Tides {FILLER * 8} Kelp of Thomas Baker at Reefs, says NASA",
    title="Baker on kelp in Kent",
    snippet="Thomas: Shores, shores",
)


@each_case(
    ("feature", "expected"),
    [
        ("window(width=25)", "kelp reef nasa kelp kent shore shore"),
        ("capitalised_window", "kelp reef nasa kent shore"),
        ("capitalised_result", "kent shore"),
    ],
)
def test_title_and_snippet_are_part_of_every_window(feature, expected):
    (found,) = extract(feature, analysis_of(RESULT))
    found.pop("say", None)
    assert found == Counter(expected.split())


@pytest.mark.parametrize(
    "feature",
    ["window(width=25)", "window(width=80)", "capitalised_window", "capitalised_result"],
)
@given(page=documents, other=documents)
def test_a_page_has_the_same_words_whatever_stands_beside_it(feature, page, other):
    (alone,) = extract(feature, analysis_of(page))
    assert extract(feature, analysis_of(page, other))[0] == alone
    assert extract(feature, analysis_of(other, page))[1] == alone


@given(page=documents)
def test_a_wider_window_has_at_least_the_words_of_a_narrower_one(page):
    (narrow,), (wide,), (capitals,) = (
        extract(each, analysis_of(page))
        for each in ("window(width=25)", "window(width=80)", "capitalised_window")
    )
    assert narrow <= wide
    assert capitals <= wide


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (PageForm.TOKENS, ["rarity(content(n=1))"]),
        (PageForm.RESULTS, []),
    ],
)
def test_pages_without_the_name_have_no_windows(form, expected):
    assert list(map(str, available_similarities(similarities_of("windows"), form))) == expected
    (left,) = available_similarities([parse_similarity("dice(capitalised_result)")], form)
    assert left.feature.name == "capitalised_result"


MANY = "word " * 200
MENU, LONG = "Home | News", "Tides rise and fall along the whole coast, as every sailor knows well."


@each_case(
    ("page", "expected"),
    [
        (document("Thomas J. Baker sings"), "J. sings"),
        (
            document("He sings.", "BAKER, THOMAS: tenor", title="Home of Baker's"),
            "Home of 's He sings. , : tenor",
        ),
        (document(MENU, LONG, title="Thomas Baker", snippet="sings"), f"sings {LONG}"),
        (document(MENU, LONG), LONG),
        (document(MENU), MENU),
        (document(f"Thomas Baker {MANY}", f"early {MANY} Thomas Baker"), "word " * 90),
        (document(f"{MANY}Thomas Baker {MANY}"), "word " * 120),
        (document(MANY), "word " * 120),
        (document("Thomas Baker", title="word " * 99), "word " * 40),
        (document(), ""),
    ],
)
def test_what_is_encoded_of_a_page(page, expected):
    assert list(encoded_texts(analysis_of(page))) == [expected.strip()]


@each_case(
    ("form", "expected"),
    [
        (PageForm.PAGES, "Concert sings the tenor part"),
        (PageForm.TOKENS, "Concert sings tenor part concert sing"),
        (PageForm.RESULTS, "Concert sings"),
    ],
)
def test_less_is_encoded_of_reduced_pages(form, expected):
    page = document("Thomas Baker the tenor part", title="Concert", snippet="sings")
    reduced = reduce_document(page, "Thomas Baker", form)
    assert list(encoded_texts(analysis_of(reduced))) == [expected]


@each_case(
    ("name", "text"),
    [
        ("王小明", "The singer 王小明, at xiaoming-wang.example, sings"),
        ("王小明", "The singer王小明, at wangxiaoming.example, sings"),
        ("José Núñez", "The singer JOSE NUNEZ, at nunez-jose.example, sings"),
        ("Siobhan O'Brien", "The singer Siobhan OBrien, at siobhan-o-brien.example, sings"),
        ("สมชาย วิชัย", "The singer สมชาย วิชัย, at smchay-wichay.example, sings"),
    ],
)
def test_names_are_taken_out_of_what_is_encoded_in_every_spelling(name, text):
    [left] = encoded_texts(analysis_of(text, name=name))
    assert left.replace("- ", "").split() == "The singer , at .example, sings".split()


@each_case("name", ["José María de la Fuente", "Wei Li", "王小明"])
def test_the_length_of_a_name_decides_nothing_of_what_is_encoded(name):
    def encoded(name):
        words = [*map(str, range(10_000, 10_400))]
        text = " ".join(f"{word} {name}" if at % 9 == 4 else word for at, word in enumerate(words))
        return list(encoded_texts(analysis_of(text, name=name)))

    assert encoded(name) == encoded("Robin Averdale")


def test_a_name_without_words_is_in_no_text():
    assert list(encoded_texts(analysis_of("Thomas", name="?"))) == ["Thomas"]


def test_texts_are_encoded_by_the_reader_s_encoder():
    pages = analysis_of("Thomas Baker sings", "Thomas Baker paints", "Thomas Baker sings")
    vectors = embedding(pages)
    assert feature_by_name("embedding").extract(pages).tolist() == vectors.tolist()
    assert np.diag(vectors @ vectors.T) == pytest.approx([1, 1, 1])
    assert vectors[0] @ vectors[2] == pytest.approx(1)
