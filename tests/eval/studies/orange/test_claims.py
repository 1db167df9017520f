import numpy as np
import pytest

from eval.report.claims import CANNOT, DOES_NOT_HOLD, HOLDS, UNDECIDED, judge_claims
from eval.studies.orange.claims import CLAIMS
from eval.studies.orange.findings import Findings
from tests.eval.studies.made_up import compared

(
    IMPLIES,
    NOT_REVERSE,
    NOT_ALWAYS,
    COMBINED,
    SYNTAX,
    TUNING,
    HIGH,
    LOWER,
    FEW,
) = CLAIMS


def judged_by(sign: float) -> Findings:
    """People say what the only measure says, or the reverse."""
    made = compared(topics=12, peers=6, measures=("x",), apart=0)
    for topic in made.topics:
        topic.values.peers[0] = 0.1 * topic.values.peers[0] + np.linspace(0, 1, 6)[:, None]
        topic.human[0] = sign * topic.values.peers[0].mean(axis=1)
    return Findings(made)


def test_likeness_that_implies_acceptability() -> None:
    assert IMPLIES.judge(judged_by(1)).word == HOLDS
    assert IMPLIES.judge(judged_by(-1)).word == DOES_NOT_HOLD
    told = NOT_REVERSE.judge(judged_by(1))
    assert told.word == DOES_NOT_HOLD
    assert told.figures.startswith("fluency (not behind references): ")


def test_neither_may_imply_the_other() -> None:
    assert IMPLIES.judge(judged_by(-1)).word == DOES_NOT_HOLD
    assert NOT_REVERSE.judge(judged_by(-1)).word == HOLDS


def test_agreement_by_systems_and_outputs() -> None:
    agreeing = judged_by(1)
    assert HIGH.judge(agreeing).word == HOLDS
    assert LOWER.judge(agreeing).word == UNDECIDED  # both are 1
    assert HIGH.judge(judged_by(-1)).word == DOES_NOT_HOLD
    noisy = compared(topics=30, peers=6, measures=("x",), apart=0)
    for topic in noisy.topics:
        topic.values.peers[0] += 0.2 * topic.human[0][:, None]
        topic.human[0] += 3 * np.random.default_rng(1).random(6)
    assert LOWER.judge(Findings(noisy)).word in (HOLDS, UNDECIDED)


def test_high_agreement_by_systems_is_that_of_the_best_measure() -> None:
    """The first tells references from outputs, the second says what people say of systems."""
    made = compared(topics=30, peers=6, measures=("x", "y"), apart=2)
    for topic in made.topics:
        noise = np.random.default_rng(len(topic.topic)).normal(size=topic.values.peers[1].shape)
        topic.values.peers[1] = topic.human[0][:, None] + noise
        topic.human[0] += np.random.default_rng(int(topic.topic[1:])).normal(0, 4, 6)
    findings = Findings(made)
    assert findings.order[0] == 0
    assert "0.9" in HIGH.judge(findings).figures
    assert LOWER.judge(findings).word == HOLDS


def test_measures_that_cannot_always_tell() -> None:
    assert NOT_ALWAYS.judge(Findings(compared(apart=0.2))).word == HOLDS
    assert NOT_ALWAYS.judge(Findings(compared(apart=9))).word == DOES_NOT_HOLD  # one always can


@pytest.mark.parametrize("claim", [IMPLIES, NOT_REVERSE, HIGH, LOWER])
def test_claims_about_people_need_people(claim) -> None:
    made = compared()
    for topic in made.topics:
        topic.human[:] = np.nan
    assert claim.judge(Findings(made)).word == CANNOT


@pytest.mark.parametrize("claim", [COMBINED, FEW])
def test_claims_about_king_need_references(claim) -> None:
    assert claim.judge(Findings(compared(models=3))).word == CANNOT
    assert claim.judge(Findings(compared(models=6))).word != CANNOT


@pytest.mark.parametrize("claim", [SYNTAX, TUNING])
def test_what_no_testbed_tells(claim) -> None:
    assert claim.judge(Findings(compared())).word == CANNOT


def test_every_claim_is_judged() -> None:
    found = judge_claims(CLAIMS, Findings(compared()))
    assert len(found) == len({each.text for each, _ in found})
    assert all(len(each.text) < 80 for each, _ in found)


def test_scores_of_systems_say_nothing_of_outputs() -> None:
    made = compared(models=6)
    for topic in made.topics:
        topic.human[:] = made.topics[0].human
    findings = Findings(made)
    assert [claim.judge(findings).word for claim in (IMPLIES, NOT_REVERSE, LOWER)] == [CANNOT] * 3
    assert HIGH.judge(findings).word != CANNOT
