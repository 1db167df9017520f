"""``weps study key-terms``."""

import json
from math import isnan
from pathlib import Path

import pytest

from tests.cases import each_case
from tests.eval.cli.conftest import NAMES, mixed, results
from tests.eval.key_terms.made_up import collected, places, topic, topics_of
from tests.eval.key_terms.test_sources import TEXTS, archive
from weps_eval.key_terms.concepts import WordShare
from weps_eval.report.tables import DOES_NOT_HOLD, HOLDS, NOT_STUDIED, UNDECIDED
from weps_eval.studies import key_terms
from weps_eval.studies.key_terms import CLAIMS
from weps_eval.studies.running import StudyResult, study

__all__ = ["mixed", "results"]


@pytest.fixture(autouse=True)
def known_topics(request, monkeypatch):
    if "weps" not in request.fixturenames:
        monkeypatch.setattr(key_terms, "study_topics", topics_of)


def found(*collections) -> StudyResult:
    return study("key-terms", collected(*collections))


def frames(*topics):
    return found(topics).frames


def words(*topics):
    return [verdict.word for _, verdict in found(topics).judged]


PAPER = places(**{"-1": 0.39, "any_distance": 0.25, "+1": 0.05, "subjects": 0.3, "modifiers": 0.3})
PAPER = {**PAPER, "other words": PAPER["subjects"]}


@pytest.mark.usefixtures("any_sample_size")
def test_none_holds_where_the_contrary_does():
    against = places(**{"-1": 0.05, "+1": 0.9, "heads": 0.5, "other_phrases": 0.5})
    against = {**against, "last nouns": against["heads"]}
    better = {"likelihood_ratio": ["haiti", "un", "democracy"], "tfsyntax": ["sea"]}
    ours = topic(where=against, lists=better, words=5)
    assert words(ours, ours) == [DOES_NOT_HOLD] * len(CLAIMS)


@pytest.mark.parametrize(
    ("first", "second", "word", "rival"),
    [
        ({"+2": 0.9, "+3": 0.35}, {"+2": 0.0, "+3": 0.35}, DOES_NOT_HOLD, "+3"),
        ({"+2": 0.35, "+3": 0.2}, {"+2": 0.0, "+3": 0.2}, UNDECIDED, "+2"),
    ],
)
@pytest.mark.usefixtures("any_sample_size")
def test_a_distance_that_is_surely_better_decides_before_one_that_may_be(
    first, second, word, rival
):
    topics = [topic(where=places(**{"-1": 0.3} | each)) for each in (first, second)]
    (_, peak) = found(topics).judged[1]
    assert (peak.word, peak.figures[:13]) == (word, f"−1 against {rival}")


GOOD = ["haiti", "un", "democracy"]


@each_case(
    ("where", "lists", "fails"),
    [
        ({}, {}, set()),
        ({"+1": 0.95}, {}, {"peak", "fall", "below"}),
        ({"+2": 0.95}, {}, {"peak"}),
        ({"any distance": 0.95}, {}, {"before"}),
        ({"other phrases": 0.95}, {}, {"subjects"}),
        ({"heads": 0.95}, {}, {"heads"}),
        ({"last nouns": 0.95}, {}, {"noun heads"}),
        ({}, {"tf": GOOD}, {"tfsyntax", "equal length"}),
        ({}, {"tf": ["sea", *GOOD]}, {"tfsyntax"}),
        ({}, {"likelihood_ratio": GOOD}, {"tfsyntax", "equal length", "others"}),
        ({}, {"okapi": GOOD}, {"tfsyntax", "equal length", "others"}),
        ({}, {"tfsyntax": [*GOOD, *("x" * size for size in range(1, 9))]}, {"vocabulary"}),
    ],
)
@pytest.mark.usefixtures("any_sample_size")
def test_each_claim_rests_on_its_own_figures(where, lists, fails):
    rules = (
        *("before", "peak", "fall", "below", "subjects", "heads", "noun heads"),
        *("tfsyntax", "equal length", "others", "vocabulary"),
    )
    plain = {name: ["sea"] for name in ("tf", "likelihood_ratio", "okapi")}
    shown = {**PAPER, **{place: WordShare(round(100 * each), 100) for place, each in where.items()}}
    ours = topic(where=shown, lists=plain | {"tfsyntax": ["haiti"]} | lists, words=10)
    judged = [verdict for _, verdict in found((ours, ours)).judged]
    assert {rule for rule, each in zip(rules, judged, strict=True) if each.word != HOLDS} == fails
    if not where:
        shown = judged[0].figures
        assert (shown[:22], shown[-5:]) == ("0.390 − 0.250: +0.140 ", "+56 %")


@pytest.mark.usefixtures("any_sample_size")
def test_without_tags_only_statistics_are_judged():
    judged = found((topic(where={}), topic(where={}))).judged
    assert {each.text for each, verdict in judged if verdict.word != NOT_STUDIED} == {
        "Likelihood ratio and Okapi are no better than TF."
    }


def cell(frame, column, **where):
    (row,) = frame.where(**where).rows
    return row[column]


def test_means_are_over_topics():
    made = frames(topic(where=places(subjects=0.5)), topic(where=places(subjects=0.2)))
    pair = made["pairs"].where(which="subjects").rows[0]
    assert cell(made["places"], "probability", place="subjects").value == pytest.approx(0.35)
    assert pair["ahead"].value == pytest.approx(0.25)
    assert pair["ahead"][1:] == pytest.approx((0.1, 0.4))
    assert cell(made["pairs"], "higher", which="heads") == "0 of 2"
    assert pair["higher"] == "2 of 2"


def test_topics_without_a_word_there_are_left_out():
    empty = {**places(), "heads": WordShare(0, 0)}
    made = frames(topic(where=places(heads=0.4)), topic(where=empty))
    assert cell(made["places"], "probability", place="heads").value == pytest.approx(0.4)
    assert cell(made["pairs"], "higher", which="heads") == "0 of 1"


def test_recall_and_noise_of_lists():
    short = {"tfsyntax": ["haiti"]}
    made = frames(topic(lists=short), topic(lists=short))
    plain = made["weightings"].where(weighting="tf").rows[0]
    assert (plain["recall_at_50"].value, plain["noise_at_50"].value) == (pytest.approx(2 / 3), 2)
    assert plain["candidates"] == 5
    lead = made["leads"].where(weighting="tfsyntax", over="tf")
    assert [row["ahead"].value for row in lead.rows] == pytest.approx([-1 / 3, 0])
    assert cell(made["weightings"], "considered", weighting="tfsyntax").value == 1 / 50


def test_curves_are_means_at_equal_lengths():
    made = frames(topic(lists={"tf": ["haiti", "sea"]}), topic(lists={"tf": ["sea"]}))
    noise, recall = cell(made["weightings"], "curve", weighting="tf")
    assert noise[:3].tolist() == [0, 0.5, 1]
    assert recall[:3].tolist() == pytest.approx([0, 1 / 6, 1 / 6])
    assert recall[-1] == recall[2]


TAGGED = topic("sea"), topic("bread")


@pytest.mark.usefixtures("undrawn")
@each_case(
    ("empty", "missing"),
    [
        ({"-6"}, set()),
        ({"heads"}, {"figure-3-1"}),
        (places().keys(), {"figure-1-1", "figure-2-1", "figure-3-1", "figure-3b-1"}),
    ],
)
def test_places_without_a_word_are_not_drawn(empty, missing):
    where = places() | dict.fromkeys(empty, WordShare(0, 0))
    made = found([topic("sea", where=where), topic("bread", where=where)])
    assert isnan(cell(made.frames["places"], "probability", place=min(empty)).value)
    drawn, complete = (
        {figure.key for figure in each.document().figures()} for each in (made, found(TAGGED))
    )
    assert complete - drawn == missing
    assert "NaN" not in json.dumps(made.data())


MORE = {"bread-8": ("The bread rose. Ovens burned.", "bread\noven\n")}


@pytest.fixture
def annotated(mixed: Path) -> Path:
    (mixed / "attributes").mkdir()
    for name in NAMES:
        (mixed / "attributes" / f"{name}.txt").write_text("1\tOccupation\tbread\n2\tSchool\toven\n")
    return mixed


@pytest.mark.slow
def test_documents_and_sections_however_many_processes(weps, tmp_path):
    zipped, report = archive(tmp_path / "news.zip", TEXTS | MORE), tmp_path / "report"
    words, outputs = ("study", "key-terms", "--keyphrases", zipped), []
    for jobs, more in ((1, ("--report", report)), (2, ())):
        written = tmp_path / f"{jobs}.json"
        status, out, _ = weps(*words, "--json", written, "--jobs", jobs, *more)
        assert status == 0
        outputs.append(json.loads(written.read_text()) | {"made": ""})
        assert "+verb" in out
        assert outputs[0]["signature"] in out
    data = outputs[0]
    assert data == outputs[1]
    assert [each["title"] for each in data["collections"]] == ["news: documents", "news: sections"]
    assert [len(each["topics"]) for each in data["collections"]] == [4, 2]
    assert "ISCORPUS" in (report / "index.html").read_text()


@pytest.mark.slow
def test_people_without_tags(weps, annotated, tmp_path):
    written = tmp_path / "study.json"
    status, out, _ = weps("study", "key-terms", annotated, "--json", written)
    assert status == 0
    (found,) = json.loads(written.read_text())["collections"]
    assert found["title"] == "WePS-2: attributes"
    assert len(found["topics"]) == 2 * (len(NAMES) - 1)
    assert found["weightings"]["tf"]["recall_at_10"]["value"] == 1
    assert "tfsyntax" not in found["weightings"]
    assert f"Left out, because less is available: {NAMES[0]}." in out
    assert "not studied" in out


@pytest.mark.slow
def test_what_cannot_be_studied(weps, annotated, tmp_path, results):
    for words, message in (
        ((), "no topics to study"),
        ((annotated, "--pages", 7), "no kind of key concepts has 2 topics"),
        ((results,), "no name has the text of its pages"),
        (("--keyphrases", tmp_path / "none.zip"), "cannot be read"),
    ):
        status, _, err = weps("study", "key-terms", *words)
        assert status != 0
        assert message in err
