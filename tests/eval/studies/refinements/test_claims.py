import pytest

from tests.cases import each_case
from tests.eval.studies.refinements.made_up import findings, outcome, person, uniform
from weps_eval.report.claims import (
    DOES_NOT_HOLD,
    HOLDS,
    NOT_STUDIED,
    UNDECIDED,
    Verdict,
    judge_claims,
)
from weps_eval.studies.refinements.claims import (
    ATTRIBUTES,
    BEST_ATTRIBUTE_COUNTS,
    BEST_ATTRIBUTE_SHARES,
    CLAIMS,
    PEOPLE,
    PUBLISHED_MEANS,
    sample_size,
)
from weps_eval.studies.refinements.findings import AGGREGATES, SIZES, Findings

pytestmark = pytest.mark.usefixtures("any_sample_size")

PRECISE = outcome(0.6, 1.0, 0.4)
PAPER = {
    "tokens": 0.95,
    "bigrams": 0.9,
    "trigrams": 0.8,
    "fourgrams": 0.7,
    "fivegrams": 0.6,
    "ner person": 0.7,
    "ae affiliation": PRECISE,
    "ae work": 0.3,
}
"""People for whom the paper concludes right, as far as one kind of person can tell."""
_NAMES = {
    "on average very good": "good",
    "near-perfect": "perfect",
    "best attribute does": "attributes",
    "cannot always": "always",
    "Fewer people": "fewer",
    "very precise": "precise",
    "recall of attributes": "recall",
    "Affiliation is": "affiliation",
    "No single": "single",
    "Recognised": "entities",
    "almost perfect": "words",
    "shorter n-grams": "lengths",
}


def verdicts(found: Findings) -> dict[str, Verdict]:
    return {
        next(name for part, name in _NAMES.items() if part in claim.text): verdict
        for claim, verdict in judge_claims(CLAIMS, found, sample_size)
    }


def words(found: Findings) -> dict[str, str]:
    return {name: verdict.word for name, verdict in verdicts(found).items()}


def with_parts(**changes: object) -> dict[str, object]:
    return PAPER | {kind.replace("_", " "): best for kind, best in changes.items()}


def test_what_holds_for_people_like_the_papers():
    found = words(uniform(PAPER))
    assert len(found) == len(CLAIMS) == len(_NAMES)
    assert {name for name, word in found.items() if word != HOLDS} == {"always", "fewer", "single"}


@each_case(
    ("name", "found", "word"),
    [
        ("good", {"tokens": 0.84}, DOES_NOT_HOLD),
        ("good", {"tokens": 0.85}, HOLDS),
        ("perfect", {"tokens": 0.89}, DOES_NOT_HOLD),
        ("attributes", with_parts(ae_work=0.96), UNDECIDED),
        ("precise", with_parts(ae_work=outcome(0.7, 0.8, 0.6)), DOES_NOT_HOLD),
        ("recall", with_parts(ae_work=outcome(0.9, 1.0, 0.9)), DOES_NOT_HOLD),
        ("affiliation", with_parts(ae_work=0.7), DOES_NOT_HOLD),
        ("affiliation", with_parts(ae_work=PRECISE), UNDECIDED),
        ("single", PAPER, DOES_NOT_HOLD),
        ("single", with_parts(ae_work=PRECISE, ae_fax=PRECISE), HOLDS),
        ("entities", with_parts(ner_person=0.5), DOES_NOT_HOLD),
        ("words", with_parts(tokens=0.8, bigrams=0.8, ner_person=1.0), DOES_NOT_HOLD),
        ("lengths", with_parts(fivegrams=0.75), DOES_NOT_HOLD),
        ("lengths", with_parts(fivegrams=0.7), UNDECIDED),
    ],
)
def test_the_figures_decide(name, found, word):
    assert words(uniform(found))[name] == word


def test_some_cannot_use_attributes_and_fewer_of_those_with_one_page():
    none = {"ae work": None, "tokens": 1.0}
    people = [
        each
        for name in "ABC"
        for each in (
            person(none, 1, name),
            person(PAPER, 2, name),
            person(none, 2, name),
            person(PAPER, 3, name),
            person(PAPER, 3, name),
            person(none, 3, name),
        )
    ]
    found = words(findings(*people))
    assert (found["always"], found["fewer"]) == (HOLDS, HOLDS)


def test_one_name_decides_nothing_nor_does_what_was_not_studied():
    assert HOLDS not in words(uniform(PAPER, names=1)).values()
    found = words(uniform({"tokens": 1.0}))
    assert {name for name, word in found.items() if word == NOT_STUDIED} == {
        "attributes", "always", "fewer", "precise", "recall", "affiliation", "single", "entities"
    }  # fmt: skip


def test_sizes_and_kinds_are_ours():
    ours = {kind for kinds in AGGREGATES.values() for kind in kinds} | AGGREGATES.keys()
    assert tuple(PEOPLE) == tuple(PUBLISHED_MEANS) == tuple(BEST_ATTRIBUTE_COUNTS) == SIZES
    assert all(set(figures) == ours for figures in PUBLISHED_MEANS.values())


@each_case("size", SIZES)
def test_f_of_the_means_is_near_the_mean_of_f(size):
    """A misread digit would tear them apart; means of F are not F of means."""
    for found in PUBLISHED_MEANS[size].values():
        assert found.f == pytest.approx(
            2 * found.precision * found.recall / (found.precision + found.recall), abs=0.06
        )


@each_case("place", range(3))
def test_the_percentages_of_wins_are_whole_numbers_of_more_wins_than_people(place):
    total = list(BEST_ATTRIBUTE_COUNTS.values())[place]
    wins = [round(BEST_ATTRIBUTE_SHARES[kind][place] * total / 100) for kind in ATTRIBUTES]
    assert sum(wins) == total
    for kind, own in zip(ATTRIBUTES, wins, strict=True):
        assert BEST_ATTRIBUTE_SHARES[kind][place] == pytest.approx(100 * own / total, abs=0.006)
    size = SIZES[place]
    assert total > PEOPLE[size] * PUBLISHED_MEANS[size]["best-ae"].coverage
