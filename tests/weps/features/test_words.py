from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of, document, documents, extract, texts
from tests.weps.features.annotated import annotated, one_page
from weps._text import singular_form, split_tokens, split_words
from weps.features.bags import dropped_words, stop_words
from weps.reading import PageForm, available_similarities, reduce_document
from weps.records import Document
from weps.similarity.columns import parse_similarity

NAME = "Thomas Baker"
pages = st.lists(st.lists(texts, max_size=3), max_size=3)


def naive_runs(blocks: list[str], n: int) -> Counter[str]:
    """What the words of the tokens files are, said in plain Python, and runs of them."""
    kept = [
        singular_form(word)
        for word in split_words(" . ".join(blocks))
        if len(word) > 2 and word.isalpha() and word not in stop_words() | {"thomas", "baker"}
    ]
    return Counter(" ".join(kept[at : at + n]) for at in range(len(kept) - n + 1))


def test_stop_words_and_the_name_are_not_content():
    assert dropped_words(frozenset({"lee"})) == stop_words() | {"lee"}


@each_case(
    ("feature", "found"),
    [
        ("token", {"sold": 1, "bread": 1, "city": 1}),
        ("title", {"bread": 1}),
        ("url", {"bread": 1}),
        ("content(n=2)", {"sold bread": 1, "bread city": 1}),
        ("result(n=2)", {"bread bread": 1}),
        ("ngram(n=2)", {"baker sold": 1, "sold bread": 1, "bread ·": 1, "baker city": 1}),
        ("phrase", {"baker city": 1}),
        ("capitalised", {"thomas j baker": 1, "baker city": 1}),
        ("entity(type=person)", {"thomas j baker": 1}),
        ("fine_entity(type=person)", {"thomas j baker": 1}),
    ],
)
def test_where_the_words_of_the_name_are_taken_out(feature, found):
    """As docs/features.md says."""
    text = "Thomas Baker sold bread. Thomas J Baker of Baker City"
    people = [("Thomas Baker", "person"), ("Thomas J. Baker", "person"), ("Baker City", "")]
    made = one_page(*people, text=text)
    page = replace(made.documents[0], title="Thomas Baker's bread", url="http://baker.org/bread")
    assert extract(feature, replace(made, documents=(page,))) == [Counter(found)]


@pytest.mark.parametrize("n", range(1, 6))
@given(pages=pages)
def test_runs_are_what_the_definition_says(n, pages):
    analysis = analysis_of(*[document(*blocks) for blocks in pages])
    assert extract(f"content(n={n})", analysis) == [naive_runs(blocks, n) for blocks in pages]


@pytest.mark.parametrize("n", [1, 2])
@given(pages=st.lists(documents, max_size=3))
def test_results_are_what_the_definition_says(n, pages):
    expected = [naive_runs([each.title, each.snippet, each.url], n) for each in pages]
    assert extract(f"result(n={n})", analysis_of(*pages)) == expected


@each_case("form", PageForm)
def test_pages_of_every_form_have_results(form):
    page = document("moons", title="maps", snippet="tides")
    poor = reduce_document(page, NAME, form)
    assert extract("result(n=2)", analysis_of(poor)) == [Counter(["map tide"])]
    assert available_similarities([parse_similarity("dice(result(n=2))")], form)


def test_one_name_s_words_are_not_taken_for_another_s():
    first, second = analysis_of("tides Lee"), analysis_of("moons Baker", name="Ann Lee")
    for _ in range(2):
        assert extract("content(n=2)", first) == [Counter(["tide lee"])]
        assert extract("content(n=2)", second) == [Counter(["moon baker"])]


def test_lemmas_that_carry_evidence_and_others():
    for lemma in ("teach", "université", "1998", "tide-table"):
        assert extract("lemma", one_page((lemma, "NOUN"))) == [Counter([lemma])]
    for lemma in ["", *"u.s. the thomas baker thoma baker/thomas x 's ...".split()]:
        assert extract("lemma", one_page((lemma, "NOUN"))) == [Counter()], lemma


def test_lemmas_of_a_name_that_looks_like_a_plural_and_of_several_classes():
    marks = [("wood", "NOUN"), ("book", "NOUN"), ("book", "VERB")]
    analysis = annotated([("Ann Woods", marks)], name="Ann Woods")
    assert extract("lemma", analysis) == [Counter(book=2)]


NAME_NGRAMS = {"thomas", "baker"}


def naive_ngrams(blocks: list[str], n: int) -> Counter[str]:
    """The paper's definition, said in plain Python, for blocks of one sentence each."""
    found: Counter[str] = Counter()
    for block in blocks:
        words = [token.lower() if token[-1].isalnum() else "·" for token in split_tokens(block)]
        runs = [words[at : at + n] for at in range(len(words) - n + 1)]
        found.update(" ".join(run) for run in runs if any(map(carries_evidence, run)))
    return found


def carries_evidence(word: str) -> bool:
    return len(word) > 1 and word not in stop_words() | NAME_NGRAMS


@each_case(
    ("text", "n", "expected"),
    [
        ("the Maths of tides", 2, ["the maths", "maths of", "of tides"]),
        ("maths. Tides", 2, ["maths ·"]),
        ("# @ , ( !", 2, []),
        ("Thomas Baker sings", 3, ["thomas baker sings"]),
    ],
)
def test_ngrams(text, n, expected):
    assert extract(f"ngram(n={n})", analysis_of(text)) == [Counter(expected)]


def test_ngrams_near_the_name():
    text = "Thomas Baker sings. He teaches maths."
    (found,) = extract("ngram(n=2, local=true)", analysis_of(text))
    assert found == Counter(["baker sings", "sings ·"])


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@given(pages=st.lists(st.lists(texts.map(lambda t: t.replace(".", ",")), max_size=3), max_size=3))
def test_ngrams_are_what_the_definition_says(n, pages):
    analysis = analysis_of(*[document(*blocks) for blocks in pages])
    assert extract(f"ngram(n={n})", analysis) == [naive_ngrams(blocks, n) for blocks in pages]


PHRASES = (
    "the Marine Ecologist → marine ecologist|his three sons → three sons|The Times → times|"
    "all the world's tides → world tides|tides → tides|St. John's   College, → st john college|"
    "a state-of-the-art lab → state of the art lab|the tide of the century → tide of the century|"
    "Thomas Baker's tides → thomas baker tides|Dr. Thomas Baker → dr thomas baker"
)


@each_case("case", PHRASES.split("|"))
def test_noun_phrases(case):
    written, counted = case.split(" → ")
    assert extract("phrase", one_page((written, ""))) == [Counter([counted])]


@each_case("written", "|the|x|# @ !|all of this|it|the Baker|Thomas Baker".split("|"))
def test_noun_phrases_that_carry_no_evidence(written):
    assert extract("phrase", one_page((written, ""))) == [Counter()]


@each_case(
    ("text", "expected"),
    [
        ("", {}),
        ("Thomas Baker teaches maths, and maths only.", {"teaches": 1, "maths": 2}),
        ("York YORK york", {"york": 3}),
        ("I don't like O'Neill's maths", {"o'neill": 1, "maths": 1}),
        ("I don’t like O’Neill’s maths", {"o'neill": 1, "maths": 1}),
    ],
)
def test_words_of_the_page_without_stop_words_and_name(text, expected):
    assert extract("token", analysis_of(text)) == [Counter(expected)]


def test_words_near_the_name():
    text = "Thomas Baker teaches maths. Maths heals."
    other = "Tides heal. Baker, of York, sings."
    near, none = extract("token(local=true)", analysis_of(text, other))
    assert (near, none) == (Counter(["teaches", "maths"]), Counter())


_GERMAN = "Thomas Baker war auch mit allen Kollegen in der Schule, die er besucht hatte"
_ENGLISH = "Thomas Baker was in the war with Allen, and it is what they saw him die of in a van"


@each_case(
    ("feature", "place"),
    [
        *product(["token", "content(n=1)", "window(width=80)"], ["blocks"]),
        *product(["result(n=1)", "window(width=80)"], ["title", "snippet"]),
        *((each, each) for each in ("title", "snippet")),
    ],
)
def test_function_words_are_dropped_on_pages_in_their_language_alone(feature, place):
    texts = [(each,) if place == "blocks" else each for each in (_GERMAN, _ENGLISH)]
    german, english = extract(feature, analysis_of(*(Document(1, **{place: t}) for t in texts)))
    assert german.keys() == {"kollegen", "schule", "besucht"}
    assert english.keys() == {"war", "allen", "van", "die"}


@each_case("name", ["title", "snippet"])
@each_case(
    ("text", "expected"),
    [
        ("", []),
        ("Thomas Baker's home page - Dept. of Maths, York", ["dept", "maths", "york"]),
        ("BAKER, Thomas: Tides & tides", ["tides", "tides"]),
    ],
)
def test_words_of_the_search_result(name, text, expected):
    analysis = analysis_of(document("tides", **{name: text}))
    assert extract(name, analysis) == [Counter(expected)]
    assert extract("token", analysis) == [Counter(["tides"])]


@each_case(
    ("address", "expected"),
    [
        ("", []),
        ("http://www.york.ac.uk/~baker/maths/index.html", ["york", "maths"]),
        ("HTTPS://YORK.example:80/a_tide?who=t+baker#tide", ["york", "80", "tide", "tide"]),
        ("http://york.example/r%C3%A9sum%C3%A9.htm", ["york", "résumé"]),
        ("ftp://tides.example", ["tides"]),
        ("tides.example/x", ["tides"]),
    ],
)
def test_parts_of_the_url(address, expected):
    (found,) = extract("url", analysis_of(document("maths", url=address)))
    assert Counter({word: found[word] for word in found if word != "who"}) == Counter(expected)
