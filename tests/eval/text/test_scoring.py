"""Testbeds are scored: measures of texts, needs, faults, and values that are kept."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from tests.cases import each_case
from tests.eval.text.made_up import JAPANESE, MEASURES, WORDS, parsed, tides
from tests.eval.text.made_up import topic as made_topic
from tests.eval.text.made_up_wordnet import packed, tiny
from weps._cache import Cache
from weps.errors import LanguageError, SourceError, ValuesError
from weps_eval.text import scoring
from weps_eval.text.declaration import Family, Measure, Need
from weps_eval.text.testbed import Output, Reference, Testbed, Text, Topic, write_matrix
from weps_eval.text.topic import TextTools, TopicTexts, WordVectors

Floats: TypeAlias = NDArray[np.float64]

OUTPUTS = ("the cat sat on the mat", "", "a dog", " \n")
REFERENCES = ("the cat sat", "a cat was on the mat", "dogs")


def lengths(
    _: TopicTexts,
    outputs: Sequence[Text],
    references: Sequence[Text],
    *,
    together: bool = False,
    **__: object,
) -> Floats:
    """A measure that sees empty texts if it is shown any."""
    if together:
        return np.array([[float(len(each)) + len(references)] for each in outputs])
    return np.array([[len(one) / len(other) for other in references] for one in outputs])


FAMILY = Family(
    name="lengths",
    group="style",
    description="d",
    formula="f",
    source="s",
    function=lengths,
    joined="j",
)


def measure(references: str = "mean", family: Family = FAMILY) -> Measure:
    return Measure(family, (("references", references),))


def desk(outputs: Sequence[str] = OUTPUTS, references: Sequence[str] = REFERENCES) -> TopicTexts:
    return TopicTexts(
        Topic(
            "t",
            tuple(Reference(f"r{number}", text) for number, text in enumerate(references)),
            tuple(Output(f"s{number}", text) for number, text in enumerate(outputs)),
        )
    )


def test_empty_texts_are_alike_and_like_nothing_else():
    table = scoring.measure_similarities(measure(), desk(), OUTPUTS, ("the cat sat", ""))
    assert table.tolist() == [[22 / 11, 0.0], [0.0, 1.0], [5 / 11, 0.0], [0.0, 1.0]]


@each_case(
    ("how", "expected"),
    [
        ("mean", np.mean([22 / 11, 22 / 20, 22 / 4])),
        ("maximum", 22 / 4),
        ("jackknife", (22 / 4 + 22 / 4 + 22 / 11) / 3),
        ("together", 25.0),
    ],
)
def test_references_are_combined(how, expected):
    values = scoring._measure_scores(measure(how), desk())
    assert values[0] == pytest.approx(expected)
    assert values[1] == values[3] == 0.0


SCORES = arrays(
    np.float64, st.tuples(st.integers(1, 4), st.integers(1, 5)), elements=st.floats(0, 1)
)


@given(SCORES)
def test_the_jackknife_leaves_every_reference_out_once(scores):
    references = scores.shape[1]
    without = [np.delete(scores, one, axis=1) for one in range(references)]
    expected = (
        np.mean([each.max(axis=1) for each in without], axis=0) if references > 1 else scores.T
    )
    np.testing.assert_allclose(
        scoring._jackknife_over_references(scores), np.ravel(expected), rtol=1e-12
    )


def test_no_number_is_refused_with_the_name_of_the_system():
    def nan(
        _: TopicTexts, outputs: Sequence[Text], references: Sequence[Text], **__: object
    ) -> Floats:
        table = np.ones((len(outputs), len(references)))
        table[-1, 0] = np.nan
        return table

    family = Family(name="n", group="g", description="d", formula="f", source="s", function=nan)
    with pytest.raises(ValuesError, match=r"the output of 's2'.*no number"):
        scoring._measure_scores(measure(family=family), desk())


def test_twenty_faults_are_listed():
    listed = scoring.join_faults([f"fault {number}" for number in range(23)])
    assert listed.endswith("; fault 19; and 3 more")


def needing(*needs: Need) -> Measure:
    family = Family(
        name=f"made_{'_'.join(needs)}",
        group="made up",
        description="",
        formula="",
        source="",
        function=lambda _, outputs, references: np.ones((len(outputs), len(references))),
        needs=frozenset(needs),
    )
    return Measure(family, ())


def one(**more: object) -> Testbed:
    return Testbed("Tides", "en", "made up", (made_topic("ebb", {"one": "tide"}, **more),))


@each_case(
    ("need", "tools", "error", "message"),
    [
        (Need.PARSES, TextTools(language="no_such"), LanguageError, "no such language pipeline"),
        (Need.TAGS, TextTools(language="no_such"), LanguageError, "no such language pipeline"),
        (Need.WORDNET, TextTools(wordnet=Path("nowhere")), SourceError, "nowhere"),
        (Need.VECTORS, TextTools(), ValuesError, "made_vectors compares vectors of words"),
        (Need.SOURCES, TextTools(), ValuesError, "Tides: topics have no sources: 'ebb', 'flood'"),
        (Need.CONCEPTS, TextTools(), ValuesError, "have no concepts: 'ebb', 'flood', 'noon'"),
    ],
)
def test_what_is_missing_is_named(need, tools, error, message):
    with pytest.raises(error) as caught:
        scoring.check_needs(tides(), [*parsed(), needing(need)], tools)
    assert message in caught.value.describe()
    assert caught.value.remedy


@pytest.mark.parametrize("library", ["nltk", "sacrebleu"])
def test_a_missing_library_is_reported_with_the_measures(library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(LanguageError, match=f"{library} is not installed") as caught:
        scoring.check_needs(tides(), [needing(Need(library))], TextTools())
    assert f"which made_{library} needs" in caught.value.what
    assert "pip install 'weps[text]'" in caught.value.describe()


def test_values_depend_on_what_is_needed(tmp_path):
    net = tiny(tmp_path)
    tools = TextTools(wordnet=packed(tmp_path), vectors=WordVectors(tmp_path / "vectors.txt"))
    (tmp_path / "vectors.txt").write_bytes(b"tide 1")
    found = scoring.measure_dependencies([needing(*Need)], tools)
    names = ["weps", "code", "tags", "parses", "WordNet", "vectors", "nltk", "sacrebleu"]
    assert list(found) == names
    assert found["vectors"] == f"sha256-{sha256(b'tide 1').hexdigest()[:8]}"
    assert found["WordNet"] == f"sha256-{net.digest[:16]}"
    assert found["nltk"] == version("nltk")
    assert found["tags"] == found["parses"]
    assert found["tags"].startswith("en/")


class StoppedError(Exception):
    pass


@pytest.fixture
def kept(tmp_path: Path) -> TextTools:
    return TextTools(cache=Cache(tmp_path / "cache"))


def test_every_output_has_a_value_of_every_measure():
    testbed = tides()
    matrix = scoring.score_testbed(testbed, parsed())
    at = 0
    for one_topic in testbed.topics:
        for row, measure in enumerate(parsed()):
            found = matrix.values[row, at : at + len(one_topic.outputs)]
            assert (
                found.tolist() == scoring._measure_scores(measure, TopicTexts(one_topic)).tolist()
            )
        at += len(one_topic.outputs)
    assert matrix.values.shape == (2, at) == (2, 11)
    assert matrix.measures == MEASURES
    pairs = [(name, system) for name, outputs in WORDS.items() for system in outputs]
    assert list(zip(matrix.topic, matrix.system, strict=True)) == pairs


def test_nothing_depends_on_the_number_of_processes(tmp_path):
    for jobs in (1, 2):
        write_matrix(scoring.score_testbed(tides(), parsed(), jobs=jobs), tmp_path / str(jobs))
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("error", [StoppedError, KeyboardInterrupt])
def test_a_run_that_was_stopped_goes_on(kept, monkeypatch, jobs, error):
    def stop(_: str, done: int, __: int) -> None:
        if done == 2:
            raise error

    with pytest.raises(error):
        scoring.score_testbed(tides(), parsed(), kept, jobs=jobs, progress=stop)
    scored = counted(monkeypatch)
    matrix = scoring.score_testbed(tides(), parsed(), kept)
    assert scored == ["noon", "night"]
    assert matrix.values.tolist() == scoring.score_testbed(tides(), parsed()).values.tolist()


def test_a_mended_topic_alone_is_scored_again(kept, monkeypatch):
    scoring.score_testbed(tides(), parsed(), kept)
    scored = counted(monkeypatch)
    mended = tides(flood={"one": "It rose.", "two": "The tide fell at noon."})
    matrix = scoring.score_testbed(mended, parsed(), kept)
    assert scored == ["flood"]
    assert matrix.values.tolist() == scoring.score_testbed(mended, parsed()).values.tolist()
    scored.clear()
    judged = replace(
        mended.topics[0],
        outputs=tuple(replace(each, human={"good": 1.0}) for each in mended.topics[0].outputs),
    )
    scoring.score_testbed(replace(mended, topics=(judged, *mended.topics[1:])), parsed(), kept)
    assert scored == [], "values do not depend on what people thought"
    scoring.score_testbed(mended, parsed()[:1], kept)
    assert len(scored) == 4, "other measures have other values"


def test_a_measure_that_is_not_defined_does_not_stop_the_others(kept, monkeypatch):
    faulty = tides(ebb={"one": JAPANESE, "two": "ok"}, noon={"three": JAPANESE})
    with pytest.raises(ValuesError, match="not defined for all texts") as caught:
        scoring.score_testbed(faulty, parsed(), kept)
    message = caught.value.describe()
    assert "topic 'ebb', the output of 'one': a text is not in Latin letters" in message
    assert "topic 'noon', the output of 'three'" in message
    assert message.count("take letters of all scripts: unicode=true") == 2
    assert "(rouge(n=1), rouge_l)" in message
    scored = counted(monkeypatch)
    scoring.score_testbed(tides(), parsed(), kept)
    assert scored == ["ebb", "noon"]


def test_a_criterion_that_is_called_like_a_measure_is_reported_before_the_work(monkeypatch):
    scored = counted(monkeypatch)
    first, *_ = tides().topics
    faulty = replace(first, outputs=(replace(first.outputs[0], human={"rouge_l": 1.0}),))
    testbed = Testbed("Tides", "en", "made up", (faulty,))
    with pytest.raises(ValuesError, match="columns occur twice: 'rouge_l'"):
        scoring.score_testbed(testbed, parsed())
    assert scored == []


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The topics that will be scored from now on."""
    scored: list[str] = []
    original = scoring._judge_topic

    def judge(topic, **how) -> object:
        scored.append(topic.topic)
        return original(topic, **how)

    monkeypatch.setattr(scoring, "_judge_topic", judge)
    return scored
