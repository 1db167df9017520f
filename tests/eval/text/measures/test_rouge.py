"""ROUGE: n-grams, subsequences, and the figures of rouge-score."""

import json
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.text.made_up_topic import topic
from weps.errors import LanguageError, ValuesError
from weps_eval.text import topic as topic_module
from weps_eval.text.declaration import Measure, Overlap
from weps_eval.text.measures import rouge
from weps_eval.text.measures.senses import load_wordnet
from weps_eval.text.scoring import _measure_scores
from weps_eval.text.topic import Tokens, TopicTexts, official_stem, read_tokens, words_of


@each_case(
    ("text", "expected"),
    [
        ("It's 2.6 million-dollar; CAFÉ!", (("it", "s", "2", "6", "million", "dollar", "caf"),)),
        ("one\ntwo three\n\n...\n", (("one",), ("two", "three"))),
        (["one\ntwo", "three"], (("one", "two"), ("three",))),
        ("snake_case", (("snake", "case"),)),
        ("", ()),
        (" - ", ()),
        ([], ()),
    ],
)
def test_tokens(text, expected):
    assert read_tokens(text) == expected


@each_case(
    ("text", "expected"),
    [
        ("Выборы 2020 прошли", "выборы 2020 прошли"),
        ("Il a vécu à Évry", "il a vécu à évry"),
        ("It's 2.6 O'Brien snake_case", "it s 2 6 o brien snake case"),
        ("चुनाव, 2020", "चुनाव 2020"),
        ("两个不同的句子。2020年", "两个 不同 的 句子 2020 年"),
        ("", ""),
    ],
)
def test_tokens_of_all_scripts(text, expected):
    assert words_of(read_tokens(text, unicode=True)) == tuple(expected.split())


@each_case("official", [False, True])
@each_case(
    ("text", "is_latin"),
    [
        ("Il a vécu à Évry, où il est né", True),
        ("Tôi đã sống ở Việt Nam từ năm 2020", True),
        ("He wrote that all things flow (πάντα ῥεῖ), and that no man steps twice", True),
        ("Выборы 2020 прошли спокойно.", False),
        ("Выборы 2020 прошли спокойно: https://news.example/elections-2020", False),
        ("2020年两个不同的句子 iPhone", False),
        ("élève É", True),
        ("é", False),
        ("٢٠٢٠", False),
    ],
)
def test_a_text_whose_words_would_be_left_out_is_refused(text, is_latin, official):
    if is_latin:
        assert read_tokens(text, official=official)
    else:
        with pytest.raises(ValuesError, match=r"not in Latin letters.*unicode=true"):
            read_tokens(text, official=official)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ("the", "dogs", "were", "running", "and", "bus", "buses", "stopped")),
        ({"stop": True}, ("dogs", "running", "bus", "buses", "stopped")),
        ({"stop": True, "stem": True}, ("dog", "run", "bus", "buse", "stop")),
    ],
)
def test_the_options_of_the_paper(options, expected):
    pytest.importorskip("nltk")
    text = "The dogs were running, and bus buses stopped"
    assert read_tokens(text, **options) == (expected,)


def test_irregular_forms_are_those_of_wordnet_before_five_were_added():
    """ROUGE-1.5.5 reads the lists of WordNet 2.0."""
    words = load_wordnet().exceptions.items()
    bases = {form: base for part in "arnv" for (form, of), (base, *_) in words if of == part}
    looked_up = {form for form in bases if len(form) > 3 and form.isalnum()}
    added = {"cognosenti", "halfpence", "lisente", "morses", "staretsy"}
    assert {each for each in looked_up if official_stem(each) != bases[each]} == added


def test_stems_need_nltk(monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk.stem.porter", None)
    topic_module.porter_stem.cache_clear()
    with pytest.raises(LanguageError, match=r"pip install 'weps\[text\]'"):
        read_tokens("stems", stem=True)


WORDS = st.lists(st.sampled_from("abcd"), min_size=2, max_size=12).map(tuple)


KNOWN = {"cat": (1, 0), "dog": (3, 4), "runs": (1, 1), "sleeps": (4, 3), "cold": (-1, 0)}


def vectored(words: tuple[str, ...], known: dict[str, object]) -> tuple[tuple[str, ...], object]:
    zero = np.zeros_like(next(iter(known.values())))
    return words, np.array([known.get(word, zero) for word in words], np.float32)


@each_case(
    ("output", "reference", "n", "skip", "unknown", "expected"),
    [
        # cat · sleeps = .8 and runs · dog = 7 / 5√2 are more than cat · dog = .6 and runs · sleeps.
        ("cat runs", "dog sleeps", 1, "none", "none", (0.8 + 7 / 50**0.5, 2, 2)),
        # cat × runs = (1, 0), dog × sleeps = (12, 12).
        ("cat runs", "dog sleeps", 2, "none", "none", (0.5**0.5, 1, 1)),
        ("cat runs", "dog sleeps", 2, 4, "none", (0.5**0.5 + 0.8 + 7 / 50**0.5, 3, 3)),
        ("cat cold", "cold", 1, "none", "none", (1, 2, 1)),
        ("cat", "cold", 1, "none", "none", (0, 1, 1)),
        ("cat zebra", "zebra dog", 1, "none", "same", (1.6, 2, 2)),
        ("cat zebra", "zebra dog", 1, "none", "none", (0.6, 2, 2)),
        ("cat zebra", "cat zebra", 2, "none", "none", (0, 1, 1)),
        ("zebra", "zebra", 2, "none", "none", (1, 1, 1)),
    ],
)
def test_words_with_similar_vectors_match(output, reference, n, skip, unknown, expected):
    sides = (vectored(tuple(text.split()), KNOWN) for text in (output, reference))
    found = rouge.rouge_we(*sides, n, skip, unknown=unknown)
    assert (found.matches, found.output, found.reference) == pytest.approx(expected)


@given(WORDS, WORDS)
def test_with_different_directions_for_all_words_it_is_rouge(output, reference):
    apart = dict(zip("abcd", np.eye(4), strict=True))
    sides = [vectored(words, apart) for words in (output, reference)]
    texts = (output,), (reference,)
    for unknown in ("same", "none"):
        assert rouge.rouge_we(*sides, 1, unknown=unknown) == rouge.rouge_n(*texts, 1)
    assert rouge.rouge_we(*sides, 3, unknown="same") == rouge.rouge_n(*texts, 3)
    assert rouge.rouge_we(*sides, 2, 4, unknown="same") == rouge.rouge_su(*texts, 4)


@given(
    st.lists(st.sampled_from([*KNOWN, "zebra"]), min_size=1, max_size=5),
    st.lists(st.sampled_from([*KNOWN, "zebra"]), min_size=1, max_size=5),
)
def test_no_other_matching_of_words_is_better(output, reference):
    shorter, longer = sorted((tuple(output), tuple(reference)), key=len)
    sides = [vectored(words, KNOWN) for words in (shorter, longer)]
    units = [each / np.maximum(np.linalg.norm(each, axis=1), 1e-9)[:, None] for _, each in sides]
    alike = (units[0] @ units[1].T).clip(0)
    best = max(sum(alike[range(len(shorter)), order]) for order in matchings(len(longer), shorter))
    assert rouge.rouge_we(*sides, 1, unknown="none").matches == pytest.approx(best)


def matchings(size: int, words: tuple[str, ...]) -> list[list[int]]:
    return [list(each) for each in permutations(range(size), len(words))]


def test_long_texts_and_pairs_of_other_lengths_are_refused():
    long = vectored(("cat",) * 4_000, KNOWN)
    for arguments, message in (((2, 0), "would take too long"), ((3, 4), "skip words between")):
        with pytest.raises(ValuesError, match=message):
            rouge.rouge_we(long, long, *arguments, unknown="same")


def listed(words: tuple[str, ...], skip: int) -> Counter[tuple[str, str]]:
    pairs = combinations(enumerate(words), 2)
    return Counter((first, second) for (i, first), (j, second) in pairs if j - i - 1 <= skip)


@given(WORDS, WORDS, st.integers(0, 12))
def test_as_many_as_a_list_of_all_pairs_has(output, reference, skip):
    lists = listed(output, skip), listed(reference, skip)
    expected = Overlap((lists[0] & lists[1]).total(), lists[0].total(), lists[1].total())
    assert rouge.rouge_s((output,), (reference,), skip) == expected


def test_long_texts_are_counted_in_blocks(monkeypatch):
    words = np.random.default_rng(0).integers(40, size=(2, 300)).astype(str).tolist()
    texts = tuple((tuple(each),) for each in words)
    at_once = rouge.rouge_s(*texts)
    monkeypatch.setattr(rouge, "_CELLS", 2000)
    assert rouge.rouge_s(*texts) == at_once


Words = tuple[str, ...]

FEW_WORDS = st.lists(st.sampled_from("abc"), max_size=7).map(tuple)


def subsequences_of(words: Words) -> set[Words]:
    return {chosen for size in range(len(words) + 1) for chosen in combinations(words, size)}


@given(FEW_WORDS, FEW_WORDS)
def test_as_long_as_the_longest_of_all_subsequences(output, reference):
    common = subsequences_of(output) & subsequences_of(reference)
    longest = max(map(len, common))
    assert rouge.rouge_l((output,), (reference,)) == Overlap(longest, len(output), len(reference))


def matched(reference: Words, output: Words) -> set[int]:
    """Places in the reference of the subsequence that the published scorers take."""
    if not reference or not output:
        return set()
    if reference[-1] == output[-1]:
        return matched(reference[:-1], output[:-1]) | {len(reference) - 1}
    without = matched(reference[:-1], output), matched(reference, output[:-1])
    return max(without, key=len)


@given(st.lists(FEW_WORDS, max_size=3), FEW_WORDS)
def test_the_union_is_of_the_subsequences_that_scorers_take(output, reference):
    united = set().union(*(matched(reference, sentence) for sentence in output))
    words = Counter(word for sentence in output for word in sentence)
    expected = (words & Counter(reference[place] for place in united)).total()
    assert rouge._rouge_l_summary(tuple(output), (reference,)).matches == expected


def test_what_would_take_minutes_is_refused():
    many = (("a", "b"),) * 3_000
    with pytest.raises(ValuesError, match=r"3,000 and 3,000 sentences.*level=text"):
        rouge._rouge_l_summary(many, many)
    assert rouge.rouge_l(many, many).recall == 1


SOME_WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=10).map(tuple)


def of_the_paper(first: Words, second: Words, weight: float) -> float:
    """The program of Lin 2004, section 4, with f⁻¹ at its end."""
    c = [[0.0] * (len(second) + 1) for _ in range(len(first) + 1)]
    w = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, left in enumerate(first, 1):
        for j, right in enumerate(second, 1):
            if left == right:
                k = w[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + (k + 1) ** weight - k**weight
                w[i][j] = k + 1
            else:
                c[i][j] = max(c[i - 1][j], c[i][j - 1])
    return c[-1][-1] ** (1 / weight)


@given(SOME_WORDS, SOME_WORDS, st.sampled_from([1, 1.2, 2, 3.5]))
def test_as_the_program_of_the_paper(output, reference, weight):
    overlap = rouge.rouge_w((output,), (reference,), weight)
    assert overlap.matches == pytest.approx(of_the_paper(output, reference, weight), abs=1e-9)
    assert (overlap.output, overlap.reference) == (len(output), len(reference))


@each_case(
    ("measure", "output", "reference", "message"),
    [
        (rouge.rouge_w, (("the",) * 8_000,), (("the",) * 4_000,), "of 8,000 and 4,000 words would"),
        (
            rouge._rouge_w_official,
            (("a",) * 8_000,),
            (("the",) * 4_000,) * 2,
            "of 8,000 and 8,000 words",
        ),
    ],
)
def test_what_would_take_minutes_is_refused_weighted(measure, output, reference, message):
    with pytest.raises(ValuesError, match=message):
        measure(output, reference)
    assert rouge.rouge_w((("a",) * 8_000,), (("the",) * 8_000,)).matches == 0


MULTISETS = st.lists(st.lists(st.sampled_from("abcd"), max_size=5).map(tuple), max_size=3).map(
    tuple
)


@given(output=MULTISETS, reference=MULTISETS)
def test_lexical_overlap_is_of_multisets(output, reference):
    first, second = Counter(words_of(output)), Counter(words_of(reference))
    either = (first | second).total()
    assert rouge.lexical_overlap(output, reference) == (
        (first & second).total() / either if either else 1
    )


OFFICIAL = json.loads((Path(__file__).parent / "rouge_155.json").read_text("utf-8"))
"""What ROUGE-1.5.5 (-z SPL -f A) prints of made-up texts: recall, precision and F of measures.

F is what Perl makes of the printed recall and precision (``sprintf("%7.5f", $r * $p / …)``).
"""


@each_case("case", OFFICIAL)
def test_as_the_official_package(case):
    output, *references = (tuple(text.split("\n")) for text in (case[0], *case[1]))
    texts = TopicTexts(topic([output], references))
    for name, *printed in case[2:]:
        official = "" if "official=true" in name else ", official=true"
        parts = (
            f"part={part}, references=together{official})" for part in ("recall", "precision", "f")
        )
        found = [_measure_scores(Measure.parse(f"{name[:-1]}, {part}"), texts)[0] for part in parts]
        assert found == printed, name


rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")

MEASURES: dict[str, Callable[[Tokens, Tokens], Overlap]] = {
    **{f"rouge{n}": partial(rouge.rouge_n, n=n) for n in (1, 2, 3, 4)},
    "rougeL": rouge.rouge_l,
    "rougeLsum": rouge._rouge_l_summary,
}
SHORTEST = {"rouge2": 2, "rouge3": 3, "rouge4": 4}
SCORERS = {
    stem: rouge_scorer.RougeScorer(list(MEASURES), use_stemmer=stem) for stem in (False, True)
}
WRITTEN = st.lists(
    st.sampled_from([*"abc.-\n ", "running ", "runs ", " the ", "aÉ", "A9 "]), max_size=25
).map("".join)


def scores(overlap: Overlap) -> tuple[float, float, float]:
    return overlap.precision, overlap.recall, overlap.f()


def check(output: str, reference: str, stem: bool) -> None:
    texts = read_tokens(output, stem=stem), read_tokens(reference, stem=stem)
    theirs = SCORERS[stem].score(reference, output)
    longer = max(len(words_of(text)) for text in texts)
    for name, measure in MEASURES.items():
        if longer >= SHORTEST.get(name, 1):
            assert scores(measure(*texts)) == tuple(theirs[name]), name


@pytest.mark.parametrize("stem", [False, True])
@given(output=WRITTEN, reference=WRITTEN)
def test_made_up_texts(stem, output, reference):
    check(output, reference, stem)
