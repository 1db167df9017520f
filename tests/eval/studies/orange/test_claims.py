import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up import compared
from weps._formatting import format_interval
from weps_eval.report.claims import CANNOT, DOES_NOT_HOLD, HOLDS, UNDECIDED
from weps_eval.studies.orange.claims import CLAIMS
from weps_eval.studies.orange.findings import Findings

pytestmark = pytest.mark.usefixtures("any_sample_size")

IMPLIES, NOT_REVERSE, NOT_ALWAYS, COMBINED, SYNTAX, TUNING, HIGH, LOWER, FEW = CLAIMS


def judged_by(sign: float) -> Findings:
    """People say what the only measure says, or the reverse."""
    made = compared(topics=12, peers=6, measures=("x",), apart=0)
    for topic in made.topics:
        topic.values.peers[0] = 0.1 * topic.values.peers[0] + np.linspace(0, 1, 6)[:, None]
        topic.human[0] = sign * topic.values.peers[0].mean(axis=1)
    return Findings(made)


def unjudged() -> Findings:
    made = compared()
    for topic in made.topics:
        topic.human[:] = np.nan
    return Findings(made)


def of_whole_systems() -> Findings:
    made = compared(models=6)
    for topic in made.topics:
        topic.human[:] = made.topics[0].human
    return Findings(made)


@each_case(
    ("findings", "words"),
    [
        (
            judged_by(1),  # r by systems and by outputs are both 1
            {IMPLIES: HOLDS, NOT_REVERSE: DOES_NOT_HOLD, HIGH: HOLDS, LOWER: UNDECIDED},
        ),
        (judged_by(-1), {IMPLIES: DOES_NOT_HOLD, NOT_REVERSE: HOLDS, HIGH: DOES_NOT_HOLD}),
        (Findings(compared(apart=0.2)), {NOT_ALWAYS: HOLDS}),
        (Findings(compared(apart=9)), {NOT_ALWAYS: DOES_NOT_HOLD}),  # one measure always can
        (unjudged(), dict.fromkeys((IMPLIES, NOT_REVERSE, HIGH, LOWER, SYNTAX, TUNING), CANNOT)),
        (of_whole_systems(), dict.fromkeys((IMPLIES, NOT_REVERSE, LOWER), CANNOT)),
        (Findings(compared(models=3)), {COMBINED: CANNOT, FEW: CANNOT}),
    ],
)
def test_verdicts(findings, words):
    assert {claim: claim.judge(findings).word for claim in words} == words


def test_what_can_be_tested():
    assert HIGH.judge(of_whole_systems()).word != CANNOT
    for claim in (COMBINED, FEW):
        assert claim.judge(Findings(compared(models=6))).word != CANNOT


def test_figures_are_named_by_criterion_and_definition_of_likeness():
    figures = NOT_REVERSE.judge(judged_by(1)).figures
    assert figures.startswith("fluency (not behind references): ")


def test_high_agreement_by_systems_is_that_of_the_best_measure():
    """The first tells references from outputs, the second says what people say of systems."""
    made = compared(topics=30, peers=6, measures=("x", "y"), apart=2)
    for topic in made.topics:
        noise = np.random.default_rng(len(topic.topic)).normal(size=topic.values.peers[1].shape)
        topic.values.peers[1] = topic.human[0][:, None] + noise
        topic.human[0] += np.random.default_rng(int(topic.topic[1:])).normal(0, 4, 6)
    findings = Findings(made)
    assert findings.order[0] == 0
    best = findings.human_agreements[0].systems.estimates[1]
    assert format_interval(best) in HIGH.judge(findings).figures
    assert LOWER.judge(findings).word == HOLDS
