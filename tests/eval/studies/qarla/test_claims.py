"""Claims on data in which they are, or are not, true."""

from types import SimpleNamespace

import pytest

from tests.cases import each_case
from tests.eval.studies.made_up import compared
from tests.eval.studies.made_up_scores import certain
from weps_eval.report.claims import CANNOT, DOES_NOT_HOLD, HOLDS, Verdict
from weps_eval.studies.qarla.claims import CLAIMS, STYLE_FAMILIES, _content, _of
from weps_eval.studies.qarla.findings import Findings

pytestmark = pytest.mark.usefixtures("any_sample_size")

RECALL = "rouge(n=1, part=recall, stem=true, stop=true)"
PRECISION = "rouge(n=1, part=precision, stem=true, stop=true)"


def judge(claim: str, findings: Findings) -> Verdict:
    """By the beginning of the claim."""
    (found,) = (each for each in CLAIMS if each.text.startswith(claim))
    return found.judge(findings)


def study(*measures: str, apart: float = 2, **sizes: int) -> Findings:
    """The first measure tells references from outputs, the others are random."""
    return Findings(compared(topics=12, measures=measures, apart=apart, **sizes))


def agreeing(sign: int) -> Findings:
    """People say what the only measure says, or the reverse."""
    made = compared(topics=12, peers=5, measures=("rouge_l", "x"), apart=0)
    for topic in made.topics:
        topic.values.peers[0] += 0.2 * sign * topic.human[0][:, None]
        topic.values.models[1] -= 2  # the other one accepts everything
    return Findings(made)


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
    assert judge(claim, study(first, second)).word == HOLDS
    assert judge(claim, study(second, first)).word == DOES_NOT_HOLD
    assert judge(claim, study("x", "y")).word == CANNOT


def test_key_concepts_are_to_be_ahead_of_the_best_rouge_1():
    """Whichever way round the measures are named; concepts that were not given are substitutes."""
    best, worse = RECALL, "rouge(n=1, part=recall)"
    for names in ((best, worse, "nicos"), (best, "nicos", worse)):
        assert judge("Key concepts", study(*names)).word == DOES_NOT_HOLD
    figures = judge("Key concepts", study("nicos(concepts=references)", worse)).figures
    assert figures.endswith("(substitute concepts)")


def test_style_that_spoils_the_best_set():
    findings = study("rouge_l", "avls")
    for topic in findings.compared.similarities:
        for part in (topic.peers, topic.models):
            part[1] = -part[0]  # no text passes both
    assert judge("The best set has no", findings).word == HOLDS


@each_case(
    ("claim", "findings", "word"),
    [
        ("Perplexity", study("perplexity", "x", apart=-2), HOLDS),
        ("Perplexity", study("perplexity", "x"), DOES_NOT_HOLD),
        ("Measures together", study("x"), CANNOT),
        ("People have the highest", study("x", "y"), HOLDS),
        ("People have the highest", study("x", apart=-2), DOES_NOT_HOLD),
        ("QUEEN by the best set", study("x", "rouge(n=2, part=recall)"), HOLDS),
        ("QUEEN by the best set", study("x", "y"), CANNOT),
        ("With more than ten", study("x", apart=-0.2, peers=14), HOLDS),
        ("With more than ten", study("x", peers=4), CANNOT),
        ("The ranking of systems", agreeing(1), HOLDS),
        ("The ranking of systems", agreeing(-1), DOES_NOT_HOLD),
        ("The ranking of systems", study("x", peers=2), CANNOT),
        ("The best set has no", study("x", "y"), CANNOT),
    ],
)
def test_verdicts(claim, findings, word):
    assert judge(claim, findings).word == word


def test_what_does_not_hold_for_certain():
    assert judge("Measures together", study("x", "y")).word != HOLDS  # one is perfect
    assert judge("Perplexity", study("x", "perplexity")).word != HOLDS  # random: .5
    assert judge("QUEEN by the best", study("rouge(n=2, part=recall)", "x")).word != HOLDS
    for claim in ("The higher KING", "Sets of the highest KING"):
        assert "fluency: " in judge(claim, agreeing(1)).figures


def test_people_first_is_asked_of_queen_by_the_best_set():
    """Shares are of measures, of QUEEN by each, and of QUEEN by the best set."""
    shares = certain(0.5, 0.1, 0.9, 0.1, 0.2)
    made = SimpleNamespace(compared=SimpleNamespace(measures=(RECALL, "x")), first=shares)
    assert judge("QUEEN", made)[:2] == (DOES_NOT_HOLD, "−0.300 (−0.300 to −0.300)")


def test_measures_are_known_by_family_and_parameters():
    names = "my column", "rouge(n=1)", "rouge(n=2, part=recall, stop=true)", "avls", "rouge_l", "x("
    assert _of("rouge")(names) == [1, 2]
    assert _of("rouge", n=2, stop=True)(names) == [2]
    assert _of("rouge", part="f", stem=False)(names) == [1]
    assert _of(*STYLE_FAMILIES)(names) == [3]
    assert _content(names) == [1, 2, 4]  # columns of any name are neither content nor style
