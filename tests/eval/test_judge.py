from pathlib import Path

import pytest

from eval.judge import bcubed_f05, judge_for
from weps.errors import FeatureError
from weps.records import Clustering
from weps.resources import resource
from weps.sources import open_source

KEY = Clustering((frozenset({1, 2}), frozenset({3})), discarded=frozenset({4}))


@pytest.fixture
def wepsroot(tmp_path: Path) -> Path:
    """The least folder that is taken for a WePS-1 corpus."""
    (tmp_path / "description_files").mkdir()
    (tmp_path / "truth_files").mkdir()
    text = '<corpus search_string="Ada Lovell"><doc rank="0" url="http://a.example/"/></corpus>'
    (tmp_path / "description_files" / "Ada_Lovell.xml").write_text(text)
    return tmp_path


def test_saved_pages_are_scored_as_weps2() -> None:
    assert judge_for(open_source(resource("demo"))).scorer.name == "weps2"


def test_a_corpus_is_scored_by_its_own_scorer_unless_told_otherwise(wepsroot: Path) -> None:
    source = open_source(wepsroot)
    assert judge_for(source).scorer.name == "weps1"
    assert judge_for(source, "weps2").scorer.name == "weps2"


def test_an_unknown_scorer_is_refused(wepsroot: Path) -> None:
    with pytest.raises(FeatureError, match="weps1, weps2"):
        judge_for(open_source(wepsroot), "weps9")


def test_the_signature_says_scorer_names_and_corpus() -> None:
    source = open_source(resource("demo"))
    signature = judge_for(source).signature(source, source.names)
    assert "scorer:weps2" in signature
    assert "names:1" in signature
    assert f"sha256-{source.digest(source.names)[:8]}" in signature


def test_the_objective_ignores_what_the_key_discards() -> None:
    right = Clustering((frozenset({1, 2}), frozenset({3, 4})))
    assert bcubed_f05(right, KEY, [1, 2, 3, 4]) == pytest.approx(1.0)


def test_no_answer_scores_nothing() -> None:
    judge = judge_for(open_source(resource("demo")))
    assert set(judge.scores(None, KEY, [1, 2, 3, 4]).values()) == {0.0}
