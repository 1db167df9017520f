"""What every study finds, concludes and shows of made-up data, as it was recorded.

After a change that is meant, ``WEPS_GOLDEN=record pytest tests/eval/studies/test_golden.py``.
"""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from tests.eval.key_terms.made_up import collected, topic, topics_of
from tests.eval.studies.made_up import compared
from tests.eval.studies.made_up_groups import alike
from tests.eval.studies.made_up_instances import noisy
from tests.eval.studies.made_up_people import uniform
from tests.eval.studies.made_up_scores import NAMES, judged, matrix, scored
from weps._formatting import table_width
from weps.cli.console import Console
from weps.features.registry import feature_by_name
from weps_eval.report import charts
from weps_eval.report.document import write_document
from weps_eval.report.tables import CANNOT, DOES_NOT_HOLD, HOLDS, NOT_STUDIED, TOO_FEW
from weps_eval.studies import NAMES as STUDIES
from weps_eval.studies import features, key_terms
from weps_eval.studies.measures import StudyInput
from weps_eval.studies.regression import ComparedOutputs
from weps_eval.studies.running import StudyResult, study
from weps_eval.text.declaration import measures_of

FOLDER = Path(__file__).with_name("golden")
SCHEMATA = Path(__file__).resolve().parents[3] / "docs" / "schema"
LETTERS = tuple("abcdefghijkl")
LONG = tuple(f"rouge_su(skip={skip}, part=precision, stop=true, stem=true)" for skip in range(15))


@dataclass(frozen=True)
class Case:
    source: Callable[..., Any]
    """Makes data of fewer than ten groups; ``measures`` are their names."""
    schema: str = ""
    """Name of the JSON Schema, if there is one."""
    settings: dict[str, Any] = field(default_factory=dict)


def outputs_alike(measures: tuple[str, ...] = NAMES) -> ComparedOutputs:
    """Five topics with two similarities between outputs."""
    tables = {topic: np.random.default_rng(topic).random((2, 7, 7)) for topic in range(5)}
    values = scored(matrix(measures, topics=5))
    return ComparedOutputs(values, judged(measures, topics=5), ("cosine", measures[0]), tables)


def pairs_of_pages(**_: tuple[str, ...]) -> features.StudiedInstances:
    """Pairs of pages as if of a corpus, compared by three similarities."""
    chosen = tuple(map(feature_by_name, ("token", "title", "ngram(n=2)", "linked")))
    pairs = noisy(tuple(map(str, chosen)), groups=9)
    return replace(
        features.read_source(pairs, features.FeaturesSettings()),
        corpora={"pages": pairs},
        features=chosen,
        compared=noisy(tuple(map(str, features._similarities_by_paper(chosen)))),
        recognisers=("en",),
    )


KERNELS = tuple(
    map(
        str,
        measures_of(
            "esk(length=2|3, beta=2|3), esk(length=2|3, beta=1), wsk(length=2|3, beta=2|3), "
            "esk(decay=1), rouge(n=1|2, stop=true), rouge_l"
        ),
    )
)
GROUGE = tuple(
    map(
        str,
        measures_of(
            "grouge(n=1|2), grouge(n=2, skip=4), grouge(n=1, beta=0|0.25|0.75|1), "
            "rouge(n=1|2, part=recall, official=true, stem=true, references=together), "
            "rouge_we(n=1|2, unknown=none, part=recall, references=together)"
        ),
    )
)


def opposed(measures: tuple[str, ...], families: tuple[str, ...]) -> StudyInput:
    """Some families say the opposite of people, the others what they say."""
    made = matrix(measures, noise=0.05)
    signs = np.array([-1 if name.startswith(families) else 1 for name in measures])
    return scored(replace(made, values=made.values * signs[:, None]))


CASES = {
    "correlation": Case(
        lambda measures=NAMES: scored(matrix(measures)), "meta-correlation", {"ulc": "none"}
    ),
    "features": Case(pairs_of_pages, settings={"combinations": 3}),
    "grouge": Case(lambda measures=GROUGE: opposed(measures, ("rouge",)), "meta-variants"),
    "kernels": Case(lambda measures=KERNELS: opposed(measures, ("wsk", "rouge")), "meta-variants"),
    "heterogeneity": Case(
        lambda measures=LETTERS: alike(8, names=measures), "meta-heterogeneity", {"sets": 4}
    ),
    "hbr": Case(lambda measures=LETTERS: alike(8, names=measures), "meta-hbr"),
    "improvements": Case(
        lambda **names: scored(matrix(names.get("measures", NAMES))),
        "meta-improvements",
        {"chosen": "s6"},
    ),
    "key-terms": Case(lambda **_: collected((topic("sea"), topic("bread")))),
    "orange": Case(lambda **names: compared(**{"models": 6, **names}), "meta-orange"),
    "qarla": Case(compared, "meta-qarla", {"clusters": 3}),
    "refinements": Case(lambda **_: uniform({"tokens": 0.95, "bigrams": 0.9, "ae work": 0.5})),
    "regression": Case(outputs_alike, "meta-regression", {"variables": 3, "folds": 3}),
}
EACH = pytest.mark.parametrize("name", CASES)
DRAWN_ELSEWHERE = {"features", "key-terms"}
"""Studies with so many figures that tests of their own draw them."""


@pytest.fixture(autouse=True)
def known_topics(monkeypatch) -> None:
    """The study of key terms takes topics as they are made up."""
    monkeypatch.setattr(key_terms, "study_topics", topics_of)


@pytest.fixture
def without_pictures(monkeypatch) -> None:
    """As if matplotlib were not installed: pictures take longer than the study."""
    monkeypatch.setattr(charts, "has_matplotlib", lambda: False)


def found(name: str, **names: tuple[str, ...]) -> StudyResult:
    return study(name, CASES[name].source(**names), **CASES[name].settings)


def recorded(result: StudyResult) -> dict[str, Any]:
    document = result.document()
    data = result.data()
    del data["signature"]
    return {
        "data": data,
        "terminal": {each.key: [each.title, *each.rows[0]] for each in result.tables(brief=True)},
        "tables": {each.key: [each.title, *each.rows[0]] for each in document.tables()},
        "figures": {each.key: each.title for each in document.figures()},
    }


def assert_equal(one: Any, other: Any) -> None:
    """Numbers may differ a little from one machine to another."""
    if isinstance(one, dict):
        assert list(one) == list(other)
        for key in one:
            assert_equal(one[key], other[key])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for pair in zip(one, other, strict=True):
            assert_equal(*pair)
    else:
        assert one == (pytest.approx(other, abs=1e-9) if isinstance(other, float) else other)


@EACH
@pytest.mark.usefixtures("any_sample_size", "without_pictures")
def test_all_that_is_found_and_shown(name):
    made = recorded(found(name))
    if CASES[name].schema:
        jsonschema.validate(
            {**made["data"], "signature": "table:0"},
            json.loads((SCHEMATA / f"{CASES[name].schema}.schema.json").read_text()),
        )
    file = FOLDER / f"{name}.json"
    if os.environ.get("WEPS_GOLDEN") == "record":
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n")
    assert_equal(made, json.loads(file.read_text()))
    assert {each["verdict"] for each in made["data"]["conclusions"]} & {HOLDS, DOES_NOT_HOLD}


@EACH
@pytest.mark.usefixtures("without_pictures")
def test_little_data_say_little_in_short_sentences_and_frames_become_pandas(name):
    result = found(name)
    words = {verdict.word for _, verdict in result.judged}
    assert TOO_FEW in words
    assert words <= {TOO_FEW, CANNOT, NOT_STUDIED}
    texts = [claim.text for claim, _ in result.judged]
    assert len(set(texts)) == len(texts)
    assert max(map(len, texts)) < 80 or result.study.wide
    assert all(len(paragraph) > 40 for paragraph in result.study.opening)
    pytest.importorskip("pandas")
    assert all(len(frame.to_pandas()) == len(frame) for frame in result.frames.values())


@EACH
@pytest.mark.usefixtures("without_pictures")
def test_the_terminal_has_a_hundred_columns(name, capsys):
    result = found(name, measures=LONG)
    for table in result.tables(brief=True):
        fits = table_width(table.rows) <= 100
        assert fits or result.study.wide or name == "key-terms", table.title
    result.show(Console())
    assert capsys.readouterr().out.endswith(f"{result.signature}\n")


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CASES if name not in DRAWN_ELSEWHERE])
def test_every_figure_can_be_drawn(name, tmp_path):
    pytest.importorskip("matplotlib")
    document = found(name).document()
    assert all(figure.svg for figure in document.figures())
    keys = [each.key.lower() for each in (*document.figures(), *document.tables())]
    assert len({"index", *keys}) == 1 + len(keys), "they are names of files"
    assert write_document(document, tmp_path, files=True)


def test_every_study_has_a_case():
    assert CASES.keys() == set(STUDIES)
