"""Whose pages a study is about, in which form, compared by what."""

from argparse import Namespace
from pathlib import Path

import pytest

from eval.commands.study_scope import remarks, scope_of
from tests.eval.commands.conftest import NAMES, write_weps2
from weps.errors import FeatureError, SourceError
from weps.forms import Form


def asked(corpus: Path, **other: object) -> Namespace:
    plain = {"exclude": [], "test": None, "form": None, "features": None, "base": None}
    return Namespace(corpus=corpus, **{**plain, **other})


def test_without_a_word_everything_is_studied_that_the_pages_have(saved: Path) -> None:
    scope = scope_of(asked(saved))
    assert scope.form is Form.PAGES
    assert scope.features == scope.wanted
    assert scope.base == "token"
    assert [sorted(corpus.forms) for corpus in scope.corpora.values()] == [sorted(NAMES)]


def test_the_form_is_the_richest_that_any_name_has(mixed: Path, results: Path) -> None:
    scope = scope_of(asked(mixed))
    assert scope.form is Form.TOKENS
    assert scope.left_out == {"WePS-2": [NAMES[0]]}
    assert scope_of(asked(results)).form is Form.RESULTS


def test_with_two_corpora_it_is_one_that_both_have(saved: Path, tmp_path: Path) -> None:
    others = write_weps2(tmp_path / "others", NAMES)
    left = list(NAMES[:3])
    for name in NAMES[3:]:
        (others / "gold_standard" / f"{name}.xml").unlink()
    scope = scope_of(asked(saved, test=others, exclude=left))
    assert scope.form is Form.TOKENS
    assert [sorted(corpus.forms) for corpus in scope.corpora.values()] == [list(NAMES[3:]), left]


def test_trees_may_not_judge_what_they_have_learnt_from(saved: Path, results: Path) -> None:
    with pytest.raises(
        SourceError, match=f"2 names stand in both corpora, {NAMES[4]} is the first"
    ):
        scope_of(asked(saved, test=results, exclude=list(NAMES[:4])))


@pytest.mark.parametrize(
    ("features", "base"), [("all", "token"), ("url+title", "title"), ("ngram", "ngram(n=2)")]
)
def test_the_base_is_the_words_or_the_first_feature(saved: Path, features: str, base: str) -> None:
    assert scope_of(asked(saved, features=features)).base == base


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"features": "title", "base": "url"}, "'url' is not among the features studied; .*title"),
        ({"features": "ngram", "form": Form.RESULTS}, "the pages lack them all"),
        ({"features": "no_such_thing"}, "no feature set or feature"),
    ],
)
def test_features_that_cannot_be_studied(
    saved: Path, options: dict[str, object], complaint: str
) -> None:
    with pytest.raises(FeatureError, match=complaint):
        scope_of(asked(saved, **options))


def test_a_form_that_no_name_has(results: Path) -> None:
    with pytest.raises(SourceError, match="no name has its pages as pages; say --form results"):
        scope_of(asked(results, form=Form.PAGES))


def test_the_reader_is_told_what_is_missing(mixed: Path) -> None:
    told = " ".join(remarks(scope_of(asked(mixed)), seed=0))
    assert f"Left out of WePS-2, because only less of their pages is at hand: {NAMES[0]}." in told
    assert "do not have them: capitalised, entity, " in told  # none of these functions is left
    assert "ngram(n=2, local=true)" in told  # some n-grams are
    assert "Of the feature set all, " in told
    assert "5 groups gives rough intervals" in told
