from dataclasses import replace

import numpy as np
import pytest

from eval.meta.left_out import left_out
from eval.meta.orange import Listing, average_rank, orange
from eval.meta_study.orange.findings import Findings, Settings
from tests.eval.meta_study.compared.made_up import compared


@pytest.fixture(scope="module")
def findings() -> Findings:
    return Findings(compared(peers=5, apart=0.6))


def test_both_forms_of_orange(findings: Findings) -> None:
    left = [left_out(each) for each in findings.compared.similarities]
    assert findings.orange.value == pytest.approx(orange(left).mean(axis=1))
    for listing in Listing:
        ranked = Findings(findings.compared, Settings(listing))
        wanted = average_rank(left, listing)
        assert ranked.ranks.value == pytest.approx(wanted.rank.mean(axis=1))
        assert ranked.ratios.value == pytest.approx(wanted.ratio.mean(axis=1))
    assert findings.order[0] == 0


def test_what_ties_count_can_be_chosen() -> None:
    made = compared()
    for topic in made.similarities:
        topic.peers[1], topic.models[1] = 1, 1
    shares = [Findings(made, Settings(ties=ties)).orange.value[1] for ties in (0, 0.5, 1)]
    assert shares == [0, 0.5, 1]


def test_king_stands_beside_if_there_are_references_enough(findings: Findings) -> None:
    assert findings.qarla is not None
    assert findings.with_king is not None
    assert -1 <= findings.with_king.value <= 1
    few = Findings(compared(models=3))
    assert few.qarla is None
    assert few.with_king is None
    assert list(few.likenesses) == [f"not behind references, {few.compared.measures[few.order[0]]}"]


def test_two_ways_to_say_likeness(findings: Findings) -> None:
    own, queen = findings.likenesses
    assert own == "not behind references, good"
    assert queen.startswith("QUEEN, ")
    assert {len(each) for each in findings.likenesses.values()} == {30}
    assert [[one.criterion for one in each] for each in findings.standings.values()] == [
        ["fluency"],
        ["fluency"],
    ]


def test_a_criterion_by_which_nobody_judged_is_left_out() -> None:
    made = compared()
    topics = tuple(replace(each, human=np.full((1, 4), np.nan)) for each in made.topics)
    found = Findings(replace(made, topics=topics))
    assert set(found.standings.values()) == {()}
    assert found.acceptances == ()
