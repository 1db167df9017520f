"""QARLA: properties of what it finds, verdicts, and the command."""

import re
from dataclasses import replace

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up import compared, written
from tests.eval.studies.made_up_scores import run_study
from weps_eval import study
from weps_eval.meta import qarla
from weps_eval.meta.orange import Similarities
from weps_eval.report.tables import CANNOT, DOES_NOT_HOLD, HOLDS, Verdict
from weps_eval.studies.pairwise import PairwiseInput
from weps_eval.studies.qarla_report import CONTRASTS, measures_of_families
from weps_eval.studies.running import StudyResult

MEASURES = ("--measures", "rouge(n=1),rouge_l,overlap")
RECALL = "rouge(n=1, part=recall, stem=true, stop=true)"
PRECISION = "rouge(n=1, part=precision, stem=true, stop=true)"
MADE = compared(apart=0.4)


@pytest.fixture(scope="module")
def frames():
    return study("qarla", MADE).frames


def test_all_that_king_chooses_follows_who_judges(frames):
    by_all = study("qarla", MADE, models="all").frames
    conditions = qarla.Conditions.of(MADE.similarities, judges=qarla.Judges.ALL)
    wanted = qarla.king_by_measure(conditions).mean(axis=1).round(12)
    assert sorted(by_all["measures"]["king"].value) == pytest.approx(sorted(wanted))
    assert by_all["clusters"]["king"] == wanted.tolist()
    assert by_all.facts["greedy"][0]["king"] == wanted.max()
    assert by_all["measures"]["king"].value != pytest.approx(frames["measures"]["king"].value)


def test_what_the_data_lack_is_left_out():
    """Similarities among outputs, human scores, people who answered all topics."""
    topics = tuple(
        replace(
            each,
            values=Similarities(each.values.outputs, each.values.references),
            human=np.empty((0, 4)),
            references=tuple(f"{number}{name}" for name in each.references),
        )
        for number, each in enumerate(MADE.topics)
    )
    result = study("qarla", replace(MADE, criteria=(), topics=topics))
    for name in ("jack", "curves", "agreement", "people", "sets", "first"):
        assert len(result.frames[name]) == 0, name
    assert len(result.frames["standings"]) == len(MADE.systems)
    assert len(result.frames.remarks) == 3
    assert {table.key for table in result.document().tables()} == {
        *("conclusions", "king", "sets", "clusters", "systems")
    }


def test_topics_that_nobody_judged_do_not_count():
    made = compared(5)
    unjudged = replace(made.topics[2], human=np.full((1, 4), np.nan))
    part = replace(made, topics=(*made.topics[:2], unjudged, *made.topics[3:]))
    without = replace(made, topics=(*made.topics[:2], *made.topics[3:]))
    rows = [
        {row["measure"]: row["mean"] for row in study("qarla", each).frames["people"].rows}
        for each in (part, without)
    ]
    assert rows[0] == rows[1]


def test_what_has_no_agreement():
    """Two systems; KING of a single set; a measure with infinite values, which have no mean."""
    assert len(study("qarla", compared(peers=2)).frames["agreement"]) == 0
    (row,) = study("qarla", compared(measures=("x",))).frames["agreement"].rows
    assert np.isnan(row["king_with_people"].value)
    made = compared(6)
    made.topics[0].values.outputs[1, 0, 0] = -np.inf
    rows = study("qarla", made).frames["people"].rows
    unknown = {row["measure"] for row in rows if np.isnan(row["mean"].value)}
    assert unknown == {made.measures[1]}


def test_queen_of_systems_and_references():
    made = compared(2, topics=2, measures=("x",))
    second = replace(made.topics[1], systems=("late", "s1", "s2", "s3"))
    made = replace(made, topics=(made.topics[0], second))
    found = study("qarla", made).frames
    conditions = qarla.Conditions.of(made.similarities)
    first, last = qarla.queen(conditions)
    queens = dict(zip(found["systems"]["system"], found["systems"]["queen"].value, strict=True))
    assert (queens["s0"], queens["late"]) == (first[0], last[0]), "on the topics that it answered"
    assert queens["s1"] == pytest.approx((first[1] + last[1]) / 2)
    left = qarla.queen_left_out(conditions)
    people = np.mean([each.references[0] for each in left], axis=0)
    assert found["references"]["queen"].value == pytest.approx(people)
    against = {row["label"]: row["queen"].value for row in found["alike"].rows}
    assert against["s2"] == pytest.approx(np.mean([each.outputs[0][:, 2].mean() for each in left]))
    systems = [against[name] for name in made.systems]
    (lead,) = found["claims"].where(claim="lead").rows
    assert lead["figure"].value == pytest.approx(people.min() - max(systems))


def judge(claim: str, data: PairwiseInput) -> Verdict:
    """By the beginning of the claim."""
    judged = study("qarla", data).judged
    (verdict,) = (verdict for each, verdict in judged if each.text.startswith(claim))
    return verdict


def made_of(*measures: str, apart: float = 2, **sizes: int) -> PairwiseInput:
    """The first measure tells references from outputs, the others are random."""
    return compared(topics=12, measures=measures, apart=apart, **sizes)


def agreeing(sign: int) -> PairwiseInput:
    """People say what the only measure says, or the reverse."""
    made = compared(topics=12, peers=5, measures=("rouge_l", "x"), apart=0)
    for topic in made.topics:
        topic.values.outputs[0] += 0.2 * sign * topic.human[0][:, None]
        topic.values.references[1] -= 2  # the other one accepts everything
    return made


def spoilt() -> PairwiseInput:
    """No text passes by both measures, of which the second is one of style."""
    made = made_of("rouge_l", "avls")
    for topic in made.similarities:
        for part in (topic.outputs, topic.references):
            part[1] = -part[0]
    return made


@pytest.mark.usefixtures("any_sample_size")
@each_case(
    ("claim", "first", "second"),
    [
        ("Content characterises", "rouge_l", "avls"),
        ("With stems", RECALL, PRECISION),
        ("Without stems", "rouge_s(part=precision)", "rouge_s(part=recall)"),
        ("Without", "rouge_l(inverted=true, part=precision)", "rouge_l(part=recall)"),
        ("TVM", "tvm(n=512)", "tvm(n=4)"),
        ("ROUGE-1 is the best", RECALL, "vectmodel"),
        ("Precision of ROUGE-W", "rouge_w(official=true, part=precision, stop=true)", "rouge_l"),
        ("Key concepts", "nicos", "rouge(n=1, part=recall)"),
    ],
)
def test_one_measure_is_ahead_of_another(claim, first, second):
    assert judge(claim, made_of(first, second)).word == HOLDS
    assert judge(claim, made_of(second, first)).word == DOES_NOT_HOLD
    assert judge(claim, made_of("x", "y")).word == CANNOT


@pytest.mark.usefixtures("any_sample_size")
@each_case(
    ("claim", "data", "words"),
    [
        ("Perplexity", made_of("perplexity", "x", apart=-2), HOLDS),
        ("Perplexity", made_of("perplexity", "x"), DOES_NOT_HOLD),
        ("Measures together", made_of("x"), CANNOT),
        ("People have the highest", made_of("x", "y"), HOLDS),
        ("People have the highest", made_of("x", apart=-2), DOES_NOT_HOLD),
        ("QUEEN by the best set", made_of("x", "rouge(n=2, part=recall)"), HOLDS),
        ("QUEEN by the best set", made_of("x", "y"), CANNOT),
        ("With more than ten", made_of("x", apart=-0.2, peers=14), HOLDS),
        ("With more than ten", made_of("x", peers=4), CANNOT),
        ("The ranking of systems", agreeing(1), HOLDS),
        ("The ranking of systems", agreeing(-1), DOES_NOT_HOLD),
        ("The ranking of systems", made_of("x", peers=2), CANNOT),
        ("The best set has no", made_of("x", "y"), CANNOT),
        ("The best set has no", spoilt(), HOLDS),
        ("Key concepts", made_of(RECALL, "rouge(n=1, part=recall)", "nicos"), DOES_NOT_HOLD),
        ("Key concepts", made_of(RECALL, "nicos", "rouge(n=1, part=recall)"), DOES_NOT_HOLD),
    ],
)
def test_verdicts(claim, data, words):
    assert judge(claim, data).word == words


def test_measures_are_known_by_family_and_parameters():
    names = "my column", "rouge(n=1)", "rouge(n=2, part=recall, stop=true)", "avls", "rouge_l", "x("
    assert measures_of_families("rouge")(names) == [1, 2]
    assert measures_of_families("rouge", n=2, stop=True)(names) == [2]
    assert measures_of_families("rouge", part="f", stem=False)(names) == [1]
    assert CONTRASTS["content"][1](names) == [3]
    content, _ = CONTRASTS["content"]
    assert content(names) == [1, 2, 4]  # columns of any name are neither content nor style


def test_a_testbed(tmp_path):
    made = run_study(tmp_path, "qarla", written(tmp_path / "tides.jsonl"), *MEASURES)
    assert made.out.startswith("Tides: 3 topics with 5 references and 4 outputs each, 3 measures.")
    assert "best of 7 tried" in made.out  # all sets of three measures
    assert "there are no others" in " ".join(made.out.split())
    assert re.search("too few to say +topics: 3; references: 15 ", made.out)
    assert "Texts are judged by the other references." in made.out
    assert "|triples:distinct|models:left-out|clusters:10|seed:0|weps:" in made.out
    assert set(made.data["measures"]) == {"rouge(n=1)", "rouge_l", "overlap"}
    assert made.data["sets"]["tried"] == 7
    assert (made.report / "index.html").stat().st_size > 10_000


def typed(found: PairwiseInput, *names: str) -> PairwiseInput:
    """Topics of these types in turn."""
    topics = [replace(each, type=names[at % len(names)]) for at, each in enumerate(found.topics)]
    return replace(found, topics=tuple(topics))


def verdict(found: StudyResult, beginning: str) -> Verdict:
    (own,) = (each for claim, each in found.judged if claim.text.startswith(beginning))
    return own


@pytest.mark.usefixtures("any_sample_size")
def test_measures_that_are_good_for_one_type_of_topics_are_not_for_another():
    made = typed(compared(topics=40, measures=tuple("abcdefgh")), "told", "listed")
    lifts = np.linspace(0, 0.6, 8)
    for opposed, word in ((False, DOES_NOT_HOLD), (True, HOLDS)):
        topics = []
        for each in made.topics:
            lift = lifts[::-1] if opposed and each.type == "told" else lifts
            models = each.values.references.copy()
            models[0] -= 0.5  # the first is no longer ahead
            values = replace(each.values, references=models + lift[:, None, None])
            topics.append(replace(each, values=values))
        found = study("qarla", replace(made, topics=tuple(topics)), clusters=2)
        own = verdict(found, "Measures that are good for one type")
        assert own.word == word, own
        assert own.figures.startswith("told and listed, 8 measures, 8 families: ")


@pytest.mark.usefixtures("any_sample_size")
def test_people_agree_more_and_systems_vary_less_in_one_task():
    made = typed(compared(topics=40, peers=6), "two", "five")
    topics = []
    for each in made.topics:
        own = each.values
        if each.type == "five":
            among = np.full_like(own.among_outputs, 2.0)  # nearer to one another than to people
            own = Similarities(own.outputs, own.references + 0.2, among)
        topics.append(replace(each, values=own))
    own = verdict(study("qarla", replace(made, topics=tuple(topics)), clusters=2), "In one task")
    assert own.word == HOLDS, own
    assert own.figures.startswith("KING, five − two: +")
    assert "; JACK, two − five: +" in own.figures


@pytest.mark.usefixtures("any_sample_size")
def test_outputs_of_one_strategy_are_less_reliable_than_all():
    made = compared(topics=30, peers=6)
    topics = []
    for each in made.topics:
        among = np.zeros_like(each.values.among_outputs)
        for kind in (slice(0, 3), slice(3, 6)):
            among[:, kind, kind] = 2  # of one strategy, as good as the same
        peers = each.values.outputs + 0.4
        topics.append(replace(each, values=Similarities(peers, each.values.references, among)))
    strategies = {f"s{at}": "first" if at < 3 else "best" for at in range(6)}
    known = replace(made, topics=tuple(topics), strategies=strategies)
    found = study("qarla", known, clusters=2)
    jack = {row["strategy"]: row["jack"].value for row in found.frames["strategies"].rows}
    assert jack["first"] == jack["best"] == 0 < jack["all"]
    assert jack["all"] == pytest.approx(found.frames["jack"].rows[0]["jack"].value)
    assert verdict(found, "JACK of all").word == HOLDS
    assert [table.key for table in found.tables()].count("strategies") == 1


def test_without_types_and_strategies_the_reason_is_told():
    found = study("qarla", compared(), clusters=2)
    for claim, field in (
        ("JACK of all outputs", "field strategies"),
        ("In one task", "field type"),
        ("Measures that are good for one type", "field type"),
    ):
        own = verdict(found, claim)
        assert own.word == CANNOT
        assert field in own.figures
