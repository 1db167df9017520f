from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, document, extract, texts, unhurried
from weps.features.vocabulary import stop_words
from weps.words import tokens

NAME = {"thomas", "baker"}


def naive_ngrams(blocks: list[str], n: int) -> Counter[str]:
    """The paper's definition, said in plain Python, for blocks of one sentence each."""
    found: Counter[str] = Counter()
    for block in blocks:
        words = [token.lower() if token[-1].isalnum() else "·" for token in tokens(block)]
        runs = [words[at : at + n] for at in range(len(words) - n + 1)]
        found.update(" ".join(run) for run in runs if any(map(carries_evidence, run)))
    return found


def carries_evidence(word: str) -> bool:
    return len(word) > 1 and word not in stop_words() | NAME


@pytest.mark.parametrize(
    ("text", "n", "expected"),
    [
        ("", 2, []),
        ("maths", 2, []),
        ("the Maths of tides", 2, ["the maths", "maths of", "of tides"]),
        ("the Maths of tides", 3, ["the maths of", "maths of tides"]),
        ("of the tides", 3, ["of the tides"]),
        ("of the and", 2, []),
        ("maths. Tides", 2, ["maths ·"]),
        ("maths, tides; tides", 2, ["maths ·", "· tides", "tides ·", "· tides"]),
        ("# @ , ( !", 2, []),
        ("at the ( J )", 2, []),
        ("Thomas Baker", 2, []),
        ("Thomas J. Baker of", 5, []),
        ("Thomas Baker sings", 3, ["thomas baker sings"]),
        (
            "one tide two tide three tide",
            5,
            ["one tide two tide three", "tide two tide three tide"],
        ),
    ],
)
def test_ngrams(text, n, expected):
    assert extract(f"ngram(n={n})", analysis_of(text)) == [Counter(expected)]


def test_ngrams_of_a_page_of_three_words():
    assert extract("ngram(n=5)", analysis_of("maths and tides")) == [Counter()]


def test_ngrams_do_not_reach_across_blocks_or_documents():
    analysis = analysis_of(document("maths", "tides"), "moons")
    assert extract("ngram(n=2)", analysis) == [Counter(), Counter()]


def test_ngrams_near_the_name():
    text = "Thomas Baker sings. He teaches maths."
    assert extract("ngram(n=2, local=true)", analysis_of(text)) == [
        Counter(["baker sings", "sings ·"])
    ]


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@given(pages=st.lists(st.lists(texts.map(lambda t: t.replace(".", ",")), max_size=3), max_size=3))
@unhurried
def test_ngrams_are_what_the_definition_says(n, pages):
    analysis = analysis_of(*[document(*blocks) for blocks in pages])
    assert extract(f"ngram(n={n})", analysis) == [naive_ngrams(blocks, n) for blocks in pages]


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@given(text=texts)
@unhurried
def test_local_ngrams_are_some_of_the_ngrams(n, text):
    analysis = analysis_of(text)
    (everywhere,) = extract(f"ngram(n={n})", analysis)
    (local,) = extract(f"ngram(n={n}, local=true)", analysis)
    assert local <= everywhere
