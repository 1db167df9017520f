"""Cross-validation and transfer on invented names that a tree can tell apart."""

from collections.abc import Collection
from pathlib import Path

import numpy as np
import pytest

from tests.cases import each_case
from weps.coreference.classifiers import CLASSIFIERS
from weps.errors import FeatureError
from weps.reading import Origin, PageForm
from weps.records import Clustering
from weps.sources.base import Source
from weps.sources.corpora import clustering_xml
from weps.sources.opening import open_source
from weps.systems import parse_configuration, similarities_of
from weps.training.examples import Example, TrainingSettings, make_folds, read_examples
from weps.training.fitting import ExampleAnswer
from weps_eval.benchmark.scoring import score_answers, score_baselines
from weps_eval.benchmark.trials import (
    Columns,
    Systems,
    Trial,
    answer_without_evidence,
    cross_validate,
    judge_answer,
)
from weps_eval.clustering.measures import scorer_for


def example(*groups: set[int], pages: int = 4, name: str = "Ada") -> Example:
    key = Clustering(tuple(map(frozenset, groups)))
    values = np.zeros((pages * (pages - 1) // 2, 0), dtype=np.float32)
    return Example(name, tuple(range(1, pages + 1)), (), values, key)


@each_case(
    ("key", "answer", "right"),
    [
        ([{1, 2}, {3, 4}], [{1, 2}, {3, 4}], {1: 1, 2: 1, 3: 1, 4: 1}),
        ([{1, 2}, {3, 4}], [{1, 2, 3}, {4}], {1: 0, 2: 0, 3: 0, 4: 0}),
        ([{1, 2}, {3, 4}], [{1}, {2}, {3, 4}], {1: 0, 2: 0, 3: 1, 4: 1}),
        ([{1, 2}, {3, 4}], [{4, 2}, {3, 1}], {1: 0, 2: 0, 3: 0, 4: 0}),
        ([{1, 2}, {4}], [{1, 2, 3, 4}], {1: 0, 2: 0, 4: 0}),  # the key leaves out 3
    ],
)
def test_a_page_is_right_where_most_others_are_of_its_person(key, answer, right):
    judged, found = judge_answer(example(*key), Clustering(tuple(map(frozenset, answer))))["pages"]
    ranks = np.flatnonzero(judged) + 1
    assert dict(zip(ranks.tolist(), found[judged].tolist(), strict=True)) == right


def test_without_evidence_every_page_is_alone_and_forecasts_are_the_shares_of_training():
    training = [example({1, 2}, {3, 4}), example({1}, {2}, pages=2)]
    found = answer_without_evidence(training, [example({1, 2, 3}, pages=3, name="Bea")])
    assert list(found) == ["Bea"]
    assert set(found["Bea"].clustering.groups) == {frozenset({rank}) for rank in (1, 2, 3)}
    assert found["Bea"].probability == pytest.approx([(2 + 1) / (7 + 2)] * 3)
    assert found["Bea"].page_confidence == pytest.approx([(2 + 1) / (6 + 2)] * 3)


SETTINGS = TrainingSettings()
PAPER, BOOSTED = (
    parse_configuration("paper"),
    parse_configuration("default:features=non-linguistic,copies=0"),
)
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
    (folder / "key.xml").write_text(clustering_xml(key), "utf-8")


def load(
    corpus: Source, similarities: Columns, forms: Collection[PageForm] | None = None
) -> dict[str, dict[PageForm, Example]]:
    return {name: read_examples(name, corpus, similarities, forms) for name in corpus.names}


def of_origin(name: str, origin: Origin = Origin.SEARCH) -> Example:
    return Example(name, (), (), np.zeros((0, 0), np.float32), Clustering(()), origin)


@pytest.mark.parametrize("chosen", [PAPER, BOOSTED])
def test_people_who_differ_clearly_are_separated(corpus, chosen, monkeypatch):
    for grower in CLASSIFIERS.values():
        monkeypatch.setitem(grower.choices, "leaf", 3)
    examples = [by_form[PageForm.PAGES] for by_form in load(corpus, PLAIN).values()]
    parts = make_folds(len(examples), 3, seed=0)
    trial = cross_validate(examples, PLAIN, parts, chosen, SETTINGS)
    answers = {name: each.clustering for name, each in trial.answers.items()}
    assert set(answers) == set(corpus.names)
    scores = score_answers(answers, corpus, scorer_for(corpus))
    assert [each["bcubed_f05"] for each in scores.values()] == pytest.approx([1.0] * 6)
    assert trial.learning > 0


def test_no_name_is_answered_by_what_it_has_taught(monkeypatch):
    taught: list[set[str]] = []
    examples = [of_origin(str(number)) for number in range(7)]

    def watched(rest: list[Example], unseen: list[Example], *_: object) -> Trial:
        taught.append({each.name for each in rest})
        given = ExampleAnswer(Clustering(()), *np.zeros((3, 0)))
        return Trial({each.name: given for each in unseen}, 1.0, 0.5)

    monkeypatch.setattr("weps_eval.benchmark.trials.evaluate_transfer", watched)
    parts = make_folds(7, 3, seed=0)
    trial = cross_validate(examples, PLAIN, parts, PAPER, SETTINGS)
    names = [{str(number) for number in part} for part in parts]
    assert [set(trial.answers) - each for each in taught] == names
    assert all(len(each) in (4, 5) for each in taught)
    assert (trial.learning, trial.answering) == (3.0, 1.5)


def test_without_similarities_no_pages_are_put_together(corpus):
    held = [by_form[PageForm.PAGES] for by_form in load(corpus, ()).values()]
    trial = cross_validate(held, (), make_folds(len(held), 3, seed=0), PAPER, SETTINGS)
    alone = {frozenset([rank]) for rank in range(1, 7)}
    answered = {name: set(each.clustering.groups) for name, each in trial.answers.items()}
    assert answered == dict.fromkeys(corpus.names, alone)


def test_baselines_are_scored_for_every_name_with_a_key(corpus):
    scores = score_baselines(corpus.names, corpus, scorer_for(corpus))
    assert set(scores) == {"all_in_one", "one_in_one", "combined"}
    assert scores["all_in_one"]["Ada_Lovell"]["bcubed_recall"] == pytest.approx(1.0)
    assert scores["all_in_one"]["Ada_Lovell"]["bcubed_precision"] == pytest.approx(0.5)
    assert scores["one_in_one"]["Ada_Lovell"]["bcubed_precision"] == pytest.approx(1.0)


def test_a_form_lacks_features():
    texts = ["paper", "paper:features=tokens", "paper:features=token+title"]
    systems = Systems.parse(texts)
    absent = {PageForm.PAGES: [], PageForm.TOKENS: ["dice(token(local=true))"]}
    absent[PageForm.RESULTS] = ["dice(token)", "dice(token(local=true))"]
    for form, names in absent.items():
        used, missing = systems.used(form), systems.missing(form)
        assert list(map(str, missing[texts[2]])) == names
        for name, wanted in systems.wanted.items():
            assert {*used[name], *missing[name]} == {*wanted}
            assert not {*used[name]} & {*missing[name]}


def test_a_form_has_features_and_choices_of_its_own():
    own = "paper:features=token,results.features=title,results.link=average"
    systems = Systems.parse([own, "paper:features=token", "paper:features=title,link=average"])
    assert [str(each) for each in systems.wanted[own]] == [
        *("dice(token)", "dice(token(local=true))", "dice(title)")
    ]
    assert [str(each) for each in systems.used(PageForm.TOKENS)[own]] == ["dice(token)"]
    assert [str(each) for each in systems.missing(PageForm.RESULTS)[own]] == []
    assert {*map(str, systems.union)} == {*map(str, systems.wanted[own])}


def test_all_that_cannot_be_read_is_listed_at_once():
    with pytest.raises(FeatureError) as caught:
        Systems.parse(["paper:features=tokne", "paper", "papre", "paper:link=avrage"])
    for fault in ("'tokne'", "'papre'", "'avrage'"):
        assert fault in caught.value.describe()
