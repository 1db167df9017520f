"""Cross-validation and transfer on invented names that a tree can tell apart."""

from pathlib import Path

import pytest

from eval.benchmark import baselines, cross_validate, judge_all, load_examples, transfer
from eval.judge import judge_for
from weps.feature_sets import similarities_of
from weps.forms import Form, offered
from weps.records import Clustering
from weps.sources import Source, open_source, write_clustering
from weps.training import Settings

SETTINGS = Settings(leaf=3)
PLAIN = similarities_of("non-linguistic")
TRADES = {"baker": "bread oven flour dough crust", "sailor": "ship sail harbour rope tide"}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Six names with a baker and a sailor each, three pages of either, and a key."""
    root = tmp_path_factory.mktemp("corpus")
    for first in ("Ada", "Bea", "Cleo", "Dora", "Ella", "Fay"):
        write_name(root / f"{first}_Lovell", first)
    return open_source(root)


def write_name(folder: Path, first: str) -> None:
    folder.mkdir()
    for rank in range(1, 7):
        trade = "baker" if rank <= 3 else "sailor"
        own = " ".join(f"{word}{first.lower()}" for word in TRADES[trade].split())
        text = f"<title>{first} Lovell</title><p>{first} Lovell, {own}.<p>Page{rank} of many."
        (folder / f"{rank:03}.html").write_text(text)
    key = Clustering((frozenset({1, 2, 3}), frozenset({4, 5, 6})))
    write_clustering(key, folder / "key.xml")


def test_names_that_are_easily_told_apart_are_told_apart(corpus: Source) -> None:
    loaded = load_examples(corpus, corpus.names, PLAIN)
    examples = [by_form[Form.PAGES] for _, by_form in loaded]
    answers = cross_validate(examples, PLAIN, 3, SETTINGS)
    assert set(answers) == set(corpus.names)
    scores = judge_all(answers, corpus, judge_for(corpus))
    assert {name: each["bcubed_f05"] for name, each in scores.items()} == pytest.approx(
        dict.fromkeys(corpus.names, 1.0)
    )


@pytest.mark.parametrize("form", list(Form))
def test_a_model_of_each_form_answers_for_examples_of_that_form(corpus: Source, form: Form) -> None:
    examples = dict(load_examples(corpus, corpus.names, PLAIN, {form}))
    assert all(set(by_form) == {form} for by_form in examples.values())
    columns = {by_form[form].values.shape[1] for by_form in examples.values()}
    assert columns == {len(offered(PLAIN, form))}
    held = [by_form[form] for by_form in examples.values()]
    answers = transfer(held, held, offered(PLAIN, form), SETTINGS)
    assert {name: each.ranks for name, each in answers.items()} == {
        name: frozenset(range(1, 7)) for name in corpus.names
    }


def test_without_similarities_no_pages_are_put_together(corpus: Source) -> None:
    loaded = load_examples(corpus, corpus.names, ())
    held = [by_form[Form.PAGES] for _, by_form in loaded]
    answers = cross_validate(held, (), 3, SETTINGS)
    alone = {frozenset([rank]) for rank in range(1, 7)}
    assert {name: set(each.groups) for name, each in answers.items()} == dict.fromkeys(
        corpus.names, alone
    )


def test_baselines_are_scored_for_every_name_with_a_key(corpus: Source) -> None:
    scores = baselines(corpus.names, corpus, judge_for(corpus))
    assert set(scores) == {"all_in_one", "one_in_one", "combined"}
    assert scores["all_in_one"]["Ada_Lovell"]["bcubed_recall"] == pytest.approx(1.0)
    assert scores["all_in_one"]["Ada_Lovell"]["bcubed_precision"] == pytest.approx(0.5)
    assert scores["one_in_one"]["Ada_Lovell"]["bcubed_precision"] == pytest.approx(1.0)
