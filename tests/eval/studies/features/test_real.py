"""What must hold on real pages: three names of WePS-1, without language processing."""

from pathlib import Path

import pytest

from eval.benchmark.trials import load_examples
from eval.studies.features.findings import Findings, Plan, compute_findings
from eval.studies.features.pairs import (
    by_feature,
    compared_by_all,
    feature_combinations,
    instances_of,
)
from eval.studies.features.rankings import compare_similarities
from eval.studies.features.trees import cross_validate_trees, study_settings
from eval.tables.instances import Instances
from weps.page_forms import PageForm
from weps.reading import Reader
from weps.sources.opening import open_source
from weps.systems import FEATURE_SETS

NAMES = ("Charlotte_Bergeron", "Roy_Tamashiro", "Tim_Whisler")
FEATURES = FEATURE_SETS["non-linguistic"].features()


@pytest.fixture(scope="module")
def pairs(weps_data: Path) -> Instances:
    source = open_source(weps_data / "corpora" / "weps-1" / "training")
    similarities = compared_by_all(FEATURES)
    loaded = load_examples(source, NAMES, similarities, {PageForm.PAGES}, reader=Reader(), jobs=1)
    examples = {name: by_form[PageForm.PAGES] for name, by_form in loaded}
    return instances_of(examples, similarities)


@pytest.fixture(scope="module")
def found(pairs: Instances) -> Findings:
    some = by_feature(pairs, FEATURES)
    plan = Plan("token", feature_combinations(FEATURES, "token"), 3, 2, 0)
    settings = study_settings(seed=0)
    return compute_findings(
        some, some, lambda chosen: cross_validate_trees(some.only(chosen), settings), plan
    )


def test_more_features_never_lower_the_bound(found: Findings) -> None:
    tokens, non_linguistic, families = (
        found.bound_of(name) for name in ("tokens", "non-linguistic", "token + n-gram")
    )
    assert tokens is not None
    assert families is not None
    assert non_linguistic is not None
    figures = [each.max_pwa.pooled for each in (tokens, families, non_linguistic)]
    assert figures == sorted(figures)
    counts = found.tested.counts
    for each in found.bounds:
        assert each.max_pwa.total.sum() == counts.positive * counts.negative
        assert (each.tree_pwa.total <= each.max_pwa.total).all()
        assert (each.tree_pwa.total.diagonal() == each.max_pwa.total.diagonal()).all()
        assert each.tree_pwa.pooled <= each.tree_auc.pooled
    assert found.search.every.value >= found.rankings["token"].pwa.value


def test_a_tree_over_words_tells_people_apart(found: Findings) -> None:
    tokens = found.bound_of("tokens")
    assert tokens is not None
    assert tokens.tree_auc.pooled > 0.5


def test_shares_of_redundancy_are_all_there_is(found: Findings) -> None:
    for each in found.rankings.values():
        shares = [each.redundant, each.non_redundant, each.non_informative]
        assert sum(share.value for share in shares) == pytest.approx(1)
    token = found.rankings["token"]
    assert (token.redundant.value, token.non_redundant.value) == (1, 0)
    assert found.ranked_by_base() > 0.9


def test_every_interval_holds_its_figure(found: Findings) -> None:
    for each in found.rankings.values():
        for figure in (each.average_precision, each.pwa, each.auc):
            assert figure.low <= figure.value <= figure.high


def test_dice_ranks_as_when_it_is_studied(pairs: Instances, found: Findings) -> None:
    rivals = compare_similarities(pairs, FEATURES)
    for name in rivals.features:
        assert rivals.average_precision(name, "dice") == found.rankings[name].average_precision
