from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs.benchmarks.reference_words import reference_of
from tests.cases import each_case
from tests.weps.builders import analysis_of, contents, document, extract
from tests.weps.key_terms.builders import counted, documents, tagged
from weps._text import singular_form, split_words
from weps.features.bags import Bags
from weps.key_terms.labels import (
    Counts,
    PhraseBrowser,
    Reference,
    Vocabulary,
    content_word_counts,
    extend_all_to_phrases,
    labels_and_words,
    likelihood_ratio,
    rank_words,
    spread_likelihood,
)
from weps.name.person_name import PersonName
from weps.records import Document
from weps.sources.opening import open_source

TWO = counted("haiti troops haiti", "troops", "tide")


def parts_of(reference):
    return dict(reference.words), reference.size, reference.documents


def test_words_are_counted_over_documents():
    assert parts_of(Reference.of(TWO)) == (
        {"haiti": (2, 1), "tide": (1, 1), "troops": (2, 2)},
        5,
        3,
    )


def test_words_of_few_collections_are_left_out_but_counted():
    parts = [Reference.of(counted(text)) for text in ("sea tide tide", "sea", "tide gale")]
    joined = Reference.combine(parts, fewest=2)
    assert parts_of(joined) == ({"sea": (2, 2), "tide": (3, 2)}, 6, 3)
    assert parts_of(Reference.combine([])) == ({}, 0, 0)


def test_words_of_three_names_are_kept(tmp_path):
    pages = {
        "Ada_Lovell": ["sea sea tide Ada Lovell", "sea gale"],
        "Bea_Lovell": ["sea tide Bea", "ada"],
        "Cleo_Lovell": ["sea gale ada Cleo"],
        "Dora_Lovell": ["tide Dora lovell"],
    }
    for name, texts in pages.items():
        (tmp_path / name).mkdir()
        for rank, text in enumerate(texts, start=1):
            (tmp_path / name / f"{rank:03}.html").write_text(f"<p>{text}")
    reference = reference_of(open_source(tmp_path))
    assert parts_of(reference) == ({"sea": (5, 4), "tide": (3, 3)}, 12, 6)
    assert reference.made_from["names"] == 4


def test_the_built_in_collection_holds_what_its_words_allow():
    built_in = Reference.builtin()
    assert Reference.builtin() is built_in
    counts, files = built_in.counts_of(tuple(built_in.words))
    assert (files >= built_in.made_from["fewest_names"]).all()
    assert (counts >= files).all()
    assert counts.sum() < built_in.size
    assert files.max() <= built_in.documents
    assert all(word == word.lower() for word in built_in.words)


NUMBERS = st.integers(0, 1000)


def counts(a=0, c=0, b=0, d=0, n=0, documents=0):
    """One word: a of c words of the set, b of d words of the collection, n of its documents."""
    inside, outside, frequency = (np.array([number], dtype=np.float64) for number in (a, b, n))
    return Counts(inside, float(c), outside, float(d), frequency, float(documents))


@st.composite
def profiles(draw):
    """a of c words, b of d."""
    a, b = draw(NUMBERS), draw(NUMBERS)
    return a, a + draw(NUMBERS), b, b + draw(NUMBERS)


def ratio(a, c, b, d):
    return likelihood_ratio(counts(a, c, b, d)).item()


@each_case(
    ("a", "c", "b", "d", "expected"),
    [
        # E1 = 100·20/1100 = 1.818, E2 = 18.182: 2 (10 ln 5.5 + 10 ln .55)
        (10, 100, 10, 1000, 22.138),
        # E1 = 5/11: 2·5 ln 11, the collection adds nothing
        (5, 100, 0, 1000, 23.979),
        # nothing in the set, E2 = 200/11: 2·20 ln 1.1, and rarer than expected
        (0, 100, 20, 1000, -3.812),
        # E1 = 1, E2 = 10: 2 (1 ln 1 + 10 ln 1)
        (1, 100, 10, 1000, 0),
        (0, 100, 0, 1000, 0),
        (3, 100, 0, 0, 0),
        (0, 0, 5, 1000, 0),
    ],
)
def test_likelihood_ratio_by_hand(a, c, b, d, expected):
    assert ratio(a, c, b, d) == pytest.approx(expected, abs=5e-4)


@given(profiles())
def test_likelihood_ratio_tells_which_profile_has_more(profile):
    a, c, b, d = profile
    found = ratio(a, c, b, d)
    assert np.isfinite(found)
    # Between shares that nearly agree the ratio itself may be nothing but rounding.
    assert found * np.sign(a * d - b * c) >= 0
    if a * d == b * c:
        assert found == 0
    assert found == pytest.approx(-ratio(b, d, a, c), abs=1e-9)


def test_words_are_the_tokens_of_the_page():
    analysis = analysis_of("York teaches York's bakers", "Thomas Baker of York", "")
    found = content_word_counts(analysis)
    assert contents(found) == [dict(bag) for bag in extract("token", analysis)]
    assert list(found.strings) == sorted(found.strings)


def test_a_page_without_text_has_the_words_of_its_search_result():
    shown = {"title": "Baker, oboe", "snippet": "The oboe of York"}
    pages = document("York", **shown), document(**shown), document("x", **shown)
    assert contents(content_word_counts(analysis_of(*pages))) == [
        {"york": 1},
        {"oboe": 2, "york": 1},
        {"oboe": 2, "york": 1},
    ]


NEWS = Reference({"president": (60, 30), "troops": (4, 3), "a": (9, 9), "c": (1, 1)}, 1000, 40)


def ranked(sets, *texts, weigh=likelihood_ratio, most=None):
    """For each set its words with their weights."""
    found = counted(*texts)
    return [
        [(found.strings[column], weight) for column, weight in zip(*map(list, each), strict=True)]
        for each in rank_words(found, sets, weigh, NEWS, most)
    ]


def test_words_of_a_single_document_weigh_less_by_their_share():
    texts = "a a a a", "c c", "c"
    (plain,), (spread,) = (
        ranked([[0, 1, 2]], *texts, weigh=each) for each in (likelihood_ratio, spread_likelihood)
    )
    weights = dict(plain)
    assert dict(spread) == pytest.approx({"a": weights["a"] / 3, "c": weights["c"] * 2 / 3})


@given(documents, st.data())
def test_weights_are_those_of_the_statistic_and_equals_stand_in_order(texts, data):
    rows = data.draw(st.sets(st.integers(0, len(texts) - 1), min_size=1).map(sorted))
    inside = " ".join(texts[row] for row in rows).split()
    others = [text.split() for row, text in enumerate(texts) if row not in rows]
    expected = []
    for word in set(inside):
        known, files = NEWS.words.get(word, (0, 0))
        expected.append(
            likelihood_ratio(
                counts(
                    inside.count(word),
                    len(inside),
                    known + sum(text.count(word) for text in others),
                    NEWS.size + sum(map(len, others)),
                    files + sum(word in text for text in others),
                    NEWS.documents + len(others),
                )
            ).item()
        )
    (terms,) = ranked([rows], *texts)
    assert sorted(weight for _, weight in terms) == sorted(expected)
    assert terms == sorted(terms, key=lambda term: (-term[1], term[0]))


@given(documents, st.integers(0, 4) | st.none(), st.data())
def test_all_sets_at_once_are_as_each_by_itself(texts, most, data):
    rows = st.lists(st.integers(0, len(texts) - 1), max_size=4)
    sets = data.draw(st.lists(rows, max_size=4))
    expected = [ranked([each], *texts)[0][:most] for each in sets]
    assert ranked(sets, *texts, most=most) == expected


WORDS = (
    "Thomas Baker thomas producer Producers Queen tides Movie movies of the add 1984 York Minster"
    " Elektra Records ROY january University physics www.baker.example"
).split()


def made(people: list[list[int]], *documents: str | Document) -> list[tuple[str, ...]]:
    labels = list(labels_and_words(people, analysis_of(*documents)))
    return [label.terms for label in labels]


def label_of(*documents: str | Document) -> tuple[str, ...]:
    """The label of the person whose pages these are, who has no namesake."""
    return made([list(range(len(documents)))], *documents)[0]


def test_a_person_without_text_has_an_empty_label():
    assert made([[0], [1]], document(), "tides") == [(), ("tides",)]
    assert made([[], [0]], "tides") == [(), ("tides",)]


def saying(seen: str, other: str) -> str:
    return f"Thomas Baker saw the {seen}. Elsewhere others saw the {other}."


@each_case(
    ("pages", "first"),
    [
        (
            [document(title="Thomas Baker, producer", snippet="worked for Elektra Records")],
            "producer|Elektra Records|worked",
        ),
        (["producer rock album rock queen", document("producer rock", rank=2)], "producer|rock"),
        (["He saw York Minster, and York Minster saw him"], "York Minster"),
        ([saying("ibex", "lynx")], "ibex"),
        ([saying("lynx", "ibex")], "lynx"),
        (["Thomas Baker likes kelp, dulse and samphire; he is a conductor."], "conductor"),
        (["the Interdepartmental Telecommunications"], "Interdepartmental Telecommunications"),
        (["a house in NASHUA"], "Nashua|house"),
        (["a house in UNLV"], "UNLV|house"),
        (["a house in McNeil"], "McNeil|house"),
    ],
)
def test_the_label_begins_with_the_words_and_names_that_stand_out(pages, first):
    expected = tuple(first.split("|"))
    assert label_of(*pages)[: len(expected)] == expected


def test_words_of_chinese_are_labels():
    people = ["王伟教授,北京大学物理学院", "王伟,在北京大学"], ["王伟的小提琴,北京", "王伟拉小提琴"]
    pages = analysis_of(*people[0], *people[1], name="王伟")
    physicist, violinist = labels_and_words([[0, 1], [2, 3]], pages)
    assert physicist.terms[0] == "北京大学"
    assert violinist.terms[0] == "小提琴"
    assert not {"京大", "伟教"} & {*physicist.terms, *physicist.words}


def test_what_stands_on_most_pages_of_the_person_comes_first():
    pages = ["kelp kelp tides", "tides wind", "wind", "moons"]
    assert made([[0, 1], [2], [3]], *pages)[0][0] == "tides"


def test_what_fills_a_table_counts_five_times():
    pages = ["kelp " * 5 + "tides", "tides", "tides", "wind", "moons"]
    table = ["kelp " * 500 + "tides", *pages[1:]]
    people = [[0, 1, 2], [3], [4]]
    assert made(people, *table) == made(people, *pages)
    assert made(people, *table)[0][0] == "tides"


NO_LABELS = (
    "Thomas Baker|THOMAS BAKER, Thomas J. Baker|Bakers, thomasbaker; the Thomas Bakers of old"
    "|the and of|1984 2001|January Monday|Add QuickList User Shopping Copyright"
    "|www.kelp.example/tides/index.html kelp@tides.example"
)


@each_case("text", NO_LABELS.split("|"))
def test_what_is_no_label(text):
    assert label_of(document(text, title=text)) == ()


pages = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=5
)


@given(pages, st.randoms(use_true_random=False))
def test_labels_of_any_pages(texts, random):
    order = list(range(len(texts)))
    random.shuffle(order)
    cut = random.randint(0, len(texts))
    people = [rows for rows in (order[:cut], order[cut:]) if rows]
    found = made(people, *texts)
    name = set(PersonName.parse("Thomas Baker").tokens)
    for label in found:
        forms = [split_words(term) for term in label]
        flat = [word.removesuffix("s") for term in forms for word in set(term)]
        assert len(label) <= 5
        assert all(forms)
        assert name.isdisjoint(flat)
        assert len(set(flat)) == len(flat)
    assert made([sorted(rows) for rows in people], *texts) == found
    assert made(people[::-1], *texts) == found[::-1]


@each_case("forms", ["Movie, movies", "Galaxy, galaxies", "Finch, finches"])
def test_one_of_several_forms_is_shown(forms):
    assert len(label_of(forms)) == 1


@pytest.mark.parametrize(("own", "shared"), [("ibex", "lynx"), ("lynx", "ibex")])
def test_what_namesakes_have_too_comes_later(own, shared):
    label = made([[0], [1, 2, 3]], f"{own} {shared}", *[f"{shared} moons"] * 3)[0]
    assert label[0] == own


def test_one_word_names_do_not_hide_occupations():
    table = analysis_of("Cher was a teacher", name="Cher")
    assert next(labels_and_words([[0]], table)).terms == ("teacher",)


def test_the_best_words_that_are_left():
    ((terms, words_left),) = labels_and_words(
        [[0]], analysis_of("kelp, dulse, samphire, ibex, lynx, moons, Moon, tides")
    )
    assert terms == ("dulse", "ibex", "kelp", "lynx", "samphire")
    assert words_left == ("Moon", "tides")


PAGE = "He left Elektra Records. She joined ELEKTRA RECORDS and Elektra Records; www.kelp.example"


def spelled_of(text: str, *documents: str | Document) -> str:
    """A word or phrase of the pages of one person, as it is mostly written."""
    vocabulary = of(*documents)
    terms = vocabulary.terms([[*range(len(documents))]], likelihood_ratio)
    browser = vocabulary.browser
    number = [*browser.words.strings, *browser.phrases.strings].index(text)
    return vocabulary.spellings(terms)(number)


@each_case(
    ("page", "text", "spelled"),
    [
        (PAGE, "elektra records", "Elektra Records"),
        (PAGE, "elektra", "Elektra"),
        ("kelp.com Kelp www.kelp.example kelp@kelp.example", "kelp", "Kelp"),
        (Document(rank=1, title="KELP", blocks=("Here is kelp, and kelp.",)), "kelp", "kelp"),
        ("Kelp kelp", "kelp", "kelp"),
        ("kelp Kelp", "kelp", "kelp"),
    ],
)
def test_spelled_as_mostly_written_outside_of_addresses(page, text, spelled):
    assert spelled_of(text, page) == spelled


def test_word_lists_are_spelled_as_in_titles():
    page = Document(rank=1, title="Elektra Records", blocks=("elektra record elektra producer",))
    assert spelled_of("elektra", page) == "Elektra"
    assert spelled_of("producer", page) == "producer"


def of(*documents) -> Vocabulary:
    return Vocabulary.of(analysis_of(*documents))


def test_nearness_is_the_share_of_the_pages():
    """A word near the name on every page weighs three times as much as elsewhere."""
    pages = ["Thomas Baker saw kelp.", "Thomas Baker saw kelp."]
    far = ["Thomas Baker left. He saw kelp."] * 2

    def weight_of_kelp(texts: list[str]) -> float:
        found = of(*texts, "moons")
        (terms,) = found.terms([[0, 1]], lambda counts: counts.inside)
        return dict(terms)[found.browser.words.strings.index("kelp")]

    weight, farther = map(weight_of_kelp, (pages, far))
    assert weight == 3 * farther


HAITI = "the/DET president/NOUN of/ADP Haiti/PROPN left/VERB"
CODE = "source/NOUN code/NOUN fell/VERB"
sentences = st.lists(
    st.sampled_from(["York/PROPN", "rock/NOUN", "rocks/NOUN", "old/ADJ", "of/ADP", "fell/VERB"]),
    min_size=1,
    max_size=8,
).map(" ".join)
weights = st.lists(
    st.tuples(st.sampled_from(["york", "rock", "rocks", "old", "fell"]), st.integers(-1, 4)),
    unique_by=lambda term: term[0],
)


def browser(*documents):
    words = content_word_counts(tagged(*documents))
    phrases = Bags.of(map(noun_phrases, documents))
    number = {word: at for at, word in enumerate(words.strings)}
    held = [
        sorted(number[word] for word in set(text.lower().split()) & number.keys())
        for text in phrases.strings
    ]
    return PhraseBrowser(words, phrases, held)


def noun_phrases(document):
    """Two or more words of a sentence from a noun or adjective to a noun."""
    for sentence in document:
        words, tags = zip(*(word.split("/") for word in sentence.split()), strict=True)
        for begin, end in combinations(range(len(words) + 1), 2):
            inside = tags[begin:end]
            if (
                end - begin > 1
                and {*inside} <= {"ADJ", "ADP", "NOUN", "PROPN"}
                and inside[0] != "ADP"
                and inside[-1] in {"NOUN", "PROPN"}
            ):
                yield " ".join(words[begin:end])


def numbered(terms, pages):
    return [(pages.words.strings.index(word), weight) for word, weight in terms]


def extended(terms, pages, rows):
    (found,) = extend_all_to_phrases([numbered(terms, pages)], pages, [rows])
    return [(*pages.words.strings, *pages.phrases.strings)[number] for number in found]


YORK, LEFT = ["New/ADJ York/PROPN fell/VERB"] * 4, "York/PROPN left/VERB"
LOOSE = ["source/NOUN fell/VERB"] * 3
PLAIN = "code/NOUN fell/VERB"
ROCKS, BAND = "Rocks/NOUN fell/VERB", "rock/NOUN band/NOUN fell/VERB"
FINE = "fine/ADJ source/NOUN code/NOUN fell/VERB"


@each_case(
    ("terms", "documents", "rows", "expected"),
    [
        (
            {"haiti": 2, "president": 1},
            [[HAITI, HAITI], [HAITI, "Haiti/PROPN fell/VERB"]],
            [0, 1],
            ["president of Haiti"],
        ),
        # Half of the documents, words of weight 2: a gain of 1 is not enough, more is.
        ({"source": 1, "code": 1}, [[CODE, CODE, *LOOSE], LOOSE], [0, 1], ["source", "code"]),
        ({"source": 1, "code": 1.1}, [[CODE, CODE, *LOOSE], LOOSE], [0, 1], ["source code"]),
        ({"source": 1, "code": 0}, [[CODE, CODE, *LOOSE], LOOSE], [0, 1], ["source"]),
        # What hardly ever stands alone takes along words without weight.
        ({"york": 1}, [YORK], [0], ["New York"]),
        ({"york": 1}, [[*YORK, LEFT]], [0], ["New York"]),
        ({"york": 1}, [[*YORK, LEFT, LEFT]], [0], ["york"]),
        # Words side by side once are no phrase of a term found twice.
        ({"code": 2, "source": 1}, [[CODE, PLAIN]], [0], ["code", "source"]),
        ({"code": 2, "source": 1}, [[CODE]], [0], ["source code"]),
        ({"code": 2, "source": 1}, [[PLAIN], [CODE], [CODE]], [1, 2], ["source code"]),
        ({"code": 2}, [[PLAIN], [CODE], [CODE]], [0], ["code"]),
        # Nothing is shown twice; of equal phrases the shortest is.
        ({"rocks": 3, "rock": 2, "band": 1}, [[ROCKS] * 2 + [BAND] * 2], [0], ["rocks", "band"]),
        ({"code": 1, "source": 0.5}, [[FINE, FINE]], [0], ["source code"]),
        ({"rock": 2, "fell": 0, "band": -1}, [["rock/NOUN fell/VERB band/NOUN"]], [0], ["rock"]),
        ({}, [[CODE]], [0], []),
    ],
)
def test_terms_grow_to_phrases_that_weigh_more_than_they_lose(terms, documents, rows, expected):
    assert extended([*terms.items()], browser(*documents), rows) == expected


@given(st.lists(st.lists(sentences, max_size=3), min_size=1, max_size=3), weights)
def test_every_term_of_weight_is_shown_once(documents, word_weights):
    pages = browser(*documents)
    terms = [(word, float(n)) for word, n in word_weights if word in pages.words.strings]
    shown = extended(terms, pages, range(len(documents)))
    words = [{*map(singular_form, phrase.lower().split())} - {"of"} for phrase in shown]
    covered = set().union(*words)
    assert {singular_form(word) for word, weight in terms if weight > 0} <= covered
    assert sum(map(len, words)) == len(covered)
