"""ORANGE: properties of what it finds, verdicts, and the command."""

from dataclasses import replace

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up import compared, words, written
from tests.eval.studies.made_up_scores import run_study
from weps._formatting import format_interval
from weps_eval import study
from weps_eval.meta.orange import average_rank, left_out, orange_scores
from weps_eval.report.tables import CANNOT, DOES_NOT_HOLD, HOLDS, UNDECIDED
from weps_eval.studies.pairwise import PairwiseInput, mean_similarities

MEASURES = ("--measures", "rouge(n=1),rouge_l,overlap")


def judged_by(sign: float) -> PairwiseInput:
    """People say what the only measure says, or the reverse."""
    made = compared(topics=12, peers=6, measures=("x",), apart=0)
    for topic in made.topics:
        topic.values.outputs[0] = 0.1 * topic.values.outputs[0] + np.linspace(0, 1, 6)[:, None]
        topic.human[0] = sign * topic.values.outputs[0].mean(axis=1)
    return made


def unjudged() -> PairwiseInput:
    made = compared()
    topics = tuple(replace(each, human=np.full((1, 4), np.nan)) for each in made.topics)
    return replace(made, topics=topics)


def of_whole_systems() -> PairwiseInput:
    made = compared(models=6)
    return replace(
        made, topics=tuple(replace(each, human=made.topics[0].human) for each in made.topics)
    )


def test_both_forms_of_orange():
    made = compared(peers=5, apart=0.6)
    left = [left_out(each) for each in made.similarities]
    frame = study("orange", made).frames["measures"]
    rows = [made.measures.index(name) for name in frame["measure"]]
    rank, ratio = average_rank(left)
    assert frame["orange"].value == pytest.approx(orange_scores(left).mean(axis=1)[rows])
    assert frame["average_rank"].value == pytest.approx(rank.mean(axis=1)[rows])
    assert frame["rank_of_list"].value == pytest.approx(ratio.mean(axis=1)[rows])
    assert sorted(frame["orange"].value.tolist(), reverse=True) == frame["orange"].value.tolist()
    for topic in made.similarities:
        topic.outputs[1], topic.references[1] = 1, 1
    (row,) = study("orange", made, ties="half").frames["measures"].where(measure="poor").rows
    assert row["orange"].value == 0.5


def test_king_needs_references_enough():
    few = study("orange", compared(models=3)).frames
    assert few.facts["tau"] is None
    assert few["measures"].values("king") == [None]
    assert few["curves"].values("likeness") == [
        f"not behind references, {few['measures']['measure'][0]}"
    ]


def test_agreement_by_systems_and_by_outputs():
    made = compared(2, peers=5)
    made.topics[0].human[0, 1] = np.nan
    made.topics[1].values.outputs[2, 0, 0] = np.inf
    rows = {row["measure"]: row for row in study("orange", made).frames["agreement"].rows}
    known = ~np.isnan(made.instances.human[0])
    values, human = mean_similarities(made)[1], made.instances.human[0]
    wanted = np.corrcoef(values[known], human[known])[0, 1]
    assert rows["poor"]["outputs"].value == pytest.approx(wanted)
    lost = rows["poor"]["systems"].value - rows["poor"]["outputs"].value
    assert rows["poor"]["lost"].value == pytest.approx(lost)
    assert np.isnan(rows["third"]["systems"].value)  # infinite values have no mean


def test_what_is_left_out_where_people_did_not_judge():
    frames = study("orange", unjudged()).frames
    assert not len(frames["curves"])
    assert not len(frames["agreement"])
    assert not len(study("orange", compared(peers=2)).frames["agreement"])  # two systems are few


@pytest.mark.parametrize(("triples", "first"), [("distinct", 4), ("pairs", 3)])
def test_stability_begins_with_the_fewest_that_king_takes(triples, first):
    frame = study("orange", compared(models=6), triples=triples).frames["stability"]
    assert frame.values("references") == list(range(first, 6))
    ahead = frame["orange"].value[0] - frame["king"].value[0]
    assert frame.rows[0]["ahead"].value == pytest.approx(ahead)


@each_case("made", [compared(models=4), compared(models=6, measures=("x", "y"))])
def test_nothing_is_said_of_the_stability_of_too_little(made):
    assert not len(study("orange", made).frames["stability"])


@pytest.mark.usefixtures("any_sample_size")
@each_case(
    ("made", "verdicts"),
    [
        (  # r by systems and by outputs are both 1
            judged_by(1),
            {"Likeness": HOLDS, "Acceptab": DOES_NOT_HOLD, "By sy": HOLDS, "By si": UNDECIDED},
        ),
        (judged_by(-1), {"Likeness": DOES_NOT_HOLD, "Acceptab": HOLDS, "By syste": DOES_NOT_HOLD}),
        (compared(apart=0.2), {"Measures cannot": HOLDS}),
        (compared(apart=9), {"Measures cannot": DOES_NOT_HOLD}),  # one measure always can
        (unjudged(), dict.fromkeys(("Likeness", "Acceptab", "By syste", "By singl"), CANNOT)),
        (of_whole_systems(), dict.fromkeys(("Likeness", "Acceptab", "By singl"), CANNOT)),
        (compared(models=3), {"Measures combined": CANNOT, "ORANGE needs": CANNOT}),
    ],
)
def test_verdicts(made, verdicts):
    words = {claim.text: verdict.word for claim, verdict in study("orange", made).judged}
    for start, word in verdicts.items():
        assert {words[text] for text in words if text.startswith(start)} == {word}, start


@pytest.mark.usefixtures("any_sample_size")
def test_high_agreement_by_systems_is_that_of_the_best_measure():
    """The first tells references from outputs, the second says what people say of systems."""
    made = compared(topics=30, peers=6, measures=("x", "y"), apart=2)
    for topic in made.topics:
        noise = np.random.default_rng(len(topic.topic)).normal(size=topic.values.outputs[1].shape)
        topic.values.outputs[1] = topic.human[0][:, None] + noise
        topic.human[0] += np.random.default_rng(int(topic.topic[1:])).normal(0, 4, 6)
    result = study("orange", made)
    assert result.frames["measures"]["measure"][0] == "x"
    (best,) = result.frames["agreement"].where(measure="y").rows
    *_, high, lower, _ = result.judged
    assert format_interval(best["systems"]) in high[1].figures
    assert lower[1].word == HOLDS


def test_it_is_drawn_without_the_trend_of_a_constant_king():
    """Where an output is ahead of all references by every measure, KING is 0, and τ unknown."""
    pytest.importorskip("matplotlib")
    made = compared(models=7)
    for topic in made.topics:
        topic.values.outputs[:, 0] = 9
    figures = {each.key: each for each in study("orange", made).document().figures()}
    assert figures["stability-curve"].note.startswith("KING: no line, since τ is undefined")
    assert "KING" not in figures["stability-curve"].alt


def test_a_testbed_whose_similarities_are_kept_for_qarla(weps, tmp_path):
    testbed, kept = written(tmp_path / "t.jsonl"), tmp_path / "kept.csv"
    made = run_study(tmp_path, "orange", testbed, *MEASURES, "--keep", kept, report=False)
    assert "|ties:0.0|triples:distinct|seed:0|" in made.out
    assert [each["references"] for each in made.data["stability"]] == [4]
    again = study("orange", kept).data()
    assert again["measures"] == made.data["measures"]
    assert study("orange", words(), measures=MEASURES[1]).data()["measures"] == again["measures"]
    assert weps("meta", "qarla", kept)[0] == 0


@pytest.mark.usefixtures("any_sample_size")
@each_case(
    ("measures", "word"),
    [
        (("hwcm", "rouge_l", "dp_o"), HOLDS),
        (("rouge_l", "hwcm", "dp_o"), DOES_NOT_HOLD),
        (("rouge_l", "gramsim", "esk"), CANNOT),
        (("hwcm", "dp_o", "be"), CANNOT),
    ],
)
def test_measures_of_syntax_may_distinguish_people_better(measures, word):
    """References are closer to one another by the first measure alone."""
    found = study("orange", compared(topics=20, measures=measures, apart=0.9))
    (own,) = (each for claim, each in found.judged if claim.text.startswith("Measures of syntax"))
    assert own.word == word
    if word != CANNOT:
        values = {row["measure"]: row["orange"].value for row in found.frames["measures"].rows}
        (row,) = found.frames["syntax"].rows
        assert row["lead"].value == pytest.approx(values[row["ours"]] - values[row["theirs"]])
