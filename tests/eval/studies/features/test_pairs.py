from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest

from eval.studies.features.findings import compared_by_all
from eval.studies.features.study import (
    by_feature,
    incomplete_sets,
    instances_of,
    scope_of,
    scope_remarks,
)
from eval.studies.features.trees import feature_combinations
from tests.eval.cli.conftest import NAMES, write_weps2
from tests.eval.studies.features.made_up import noisy
from weps.errors import SourceError
from weps.features.registry import FAMILIES, all_features, feature_by_name
from weps.page_forms import PageForm
from weps.records import Clustering
from weps.systems import FEATURE_SETS
from weps.training.examples import Example

TWO = tuple(map(feature_by_name, ("linked", "token")))
COMPARED = compared_by_all(TWO)


def example(name: str, *groups: set[int], ranks: tuple[int, ...] = (1, 2, 3)) -> Example:
    """Pairs whose values count up: 0, 1, … in the first column, ten times that in the second …"""
    pairs = np.arange(len(ranks) * (len(ranks) - 1) // 2, dtype=np.float32)
    values = np.outer(pairs, [10.0**power for power in range(len(COMPARED))]).astype(np.float32)
    return Example(name, ranks, COMPARED, values, Clustering(tuple(map(frozenset, groups))))


def test_flags_are_taken_as_they_are_and_bags_by_every_measure() -> None:
    assert list(map(str, COMPARED)) == ["linked", "dice(token)", "cosine(token)", "overlap(token)"]


def test_instances_are_the_judged_pairs_of_all_names() -> None:
    found = instances_of(
        {"Cleo": example("C"), "Ada": example("Ada", {1, 3}, {2}), "Bo": example("Bo", {2}, {3})},
        COMPARED,
    )
    assert found.measures == tuple(map(str, COMPARED))
    assert found.groups == ("Ada", "Bo"), "no two pages of Cleo are judged"
    assert found.group.tolist() == [0, 0, 0, 1]
    assert found.positive.tolist() == [False, True, False, False]
    assert found.column("linked").tolist() == [0, 1, 2, 2]
    assert found.column("dice(token)").tolist() == [0, 10, 20, 20]


@pytest.mark.parametrize("groups", [[{1, 2, 3}], [{1}, {2}, {3}], [{1}], []])
def test_a_key_that_tells_no_two_kinds_of_pairs_is_refused(groups: list[set[int]]) -> None:
    with pytest.raises(SourceError, match="judged pairs of pages"):
        instances_of({"Ada": example("Ada", *groups)}, COMPARED)


def test_features_are_studied_by_dice() -> None:
    some = noisy(tuple(map(str, COMPARED)))
    found = by_feature(some, TWO)
    assert found.measures == ("linked", "token")
    assert (found.column("token") == some.column("dice(token)")).all()
    assert (found.column("linked") == some.column("linked")).all()
    assert found.groups == some.groups


def test_combinations_are_sets_and_families_that_have_members() -> None:
    chosen = [feature_by_name(each) for each in ("linked", "ngram(n=2)", "token", "title")]
    found = {
        each.name: (each.kind, each.measures) for each in feature_combinations(chosen, "token")
    }
    everything = ("linked", "ngram(n=2)", "token", "title")
    assert found == {
        "tokens": ("set", ("token",)),
        "non-linguistic": ("set", everything),
        "all": ("set", everything),
        "link": ("family", ("linked",)),
        "n-gram": ("family", ("ngram(n=2)",)),
        "token": ("family", ("token", "title")),
        "token + link": ("family and base", ("token", "linked")),
        "token + n-gram": ("family and base", ("token", "ngram(n=2)")),
        "token + token": ("family and base", ("token", "title")),
    }


def test_every_feature_is_in_one_family_and_in_the_set_of_all() -> None:
    of_paper = FEATURE_SETS["all"].features()
    found = feature_combinations(of_paper, "token")
    families = [each for each in found if each.kind == "family"]
    assert [each.name for each in families] == [
        each for each in FAMILIES if each not in {"content", "identity"}
    ]
    members = [measure for each in families for measure in each.measures]
    (everything,) = (each for each in found if each.name == "all")
    assert sorted(members) == sorted(everything.measures) == sorted(map(str, of_paper))


@pytest.mark.parametrize(
    ("studied", "told"),
    [
        ((), {}),
        (tuple(map(str, all_features())), {}),
        (("token",), {"non-linguistic": 1, "all": 1}),
        (("token", "lemma", "title"), {"non-linguistic": 2, "linguistic": 1, "all": 3}),
    ],
)
def test_sets_that_are_studied_in_part_are_listed(
    studied: tuple[str, ...], told: dict[str, int]
) -> None:
    sizes = {name: len(each.features()) for name, each in FEATURE_SETS.items()}
    assert list(incomplete_sets([feature_by_name(each) for each in studied])) == [
        f"Of the feature set {name}, {left} of {sizes[name]} features are studied."
        for name, left in told.items()
    ]


def asked(corpus: Path, **other: object) -> Namespace:
    plain = {"exclude": [], "test": None, "form": None, "features": None, "base": None}
    return Namespace(corpus=corpus, **{**plain, **other})


def test_without_a_word_everything_is_studied_that_the_pages_have(trades: Path) -> None:
    scope = scope_of(asked(trades))
    assert scope.form is PageForm.PAGES
    assert scope.features == scope.wanted
    assert scope.base == "token"
    assert [sorted(corpus.forms) for corpus in scope.corpora.values()] == [sorted(NAMES)]


def test_the_form_is_the_richest_that_any_name_has(mixed: Path, results: Path) -> None:
    scope = scope_of(asked(mixed))
    assert scope.form is PageForm.TOKENS
    assert scope.left_out == {"WePS-2": [NAMES[0]]}
    assert scope_of(asked(results)).form is PageForm.RESULTS


def test_with_two_corpora_it_is_one_that_both_have(trades: Path, tmp_path: Path) -> None:
    others = write_weps2(tmp_path / "others", NAMES)
    left = list(NAMES[:3])
    for name in NAMES[3:]:
        (others / "gold_standard" / f"{name}.xml").unlink()
    scope = scope_of(asked(trades, test=others, exclude=left))
    assert scope.form is PageForm.TOKENS
    assert [sorted(corpus.forms) for corpus in scope.corpora.values()] == [list(NAMES[3:]), left]


@pytest.mark.parametrize(
    ("features", "base"), [("all", "token"), ("url+title", "title"), ("ngram", "ngram(n=2)")]
)
def test_the_base_is_the_words_or_the_first_feature(trades: Path, features: str, base: str) -> None:
    assert scope_of(asked(trades, features=features)).base == base


def test_two_corpora_of_one_kind_have_titles_of_their_own(trades: Path, others: Path) -> None:
    scope = scope_of(asked(trades, test=others))
    assert list(scope.corpora) == ["saved pages (training)", "saved pages (test)"]


def test_remarks_say_what_is_missing(mixed: Path) -> None:
    text = " ".join(scope_remarks(scope_of(asked(mixed))))
    assert f"Left out of WePS-2, because only less of their pages is at hand: {NAMES[0]}." in text
    assert "do not have them: capitalised, entity, " in text  # none of these functions is left
    assert "ngram(n=2, local=true)" in text  # some n-grams are
    assert "Of the feature set all, " in text
    assert "5 groups gives rough intervals" in text
