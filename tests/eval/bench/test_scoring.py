import json
from dataclasses import replace

import pytest

from eval.bench.outcome import Outcome, judged_pairs
from eval.bench.scoring import score, scored_data
from tests.eval.bench.conftest import FIRST, SECOND


def test_answers_are_scored_beside_the_baselines(outcome: Outcome) -> None:
    scored = score(outcome)
    systems = scored.results.systems
    assert list(systems) == [FIRST, SECOND, "all_in_one", "one_in_one", "combined"]
    assert systems[SECOND]["Ada"]["bcubed_f05"] == 1
    assert systems[FIRST] == systems["all_in_one"]
    assert list(scored.differences) == [SECOND]
    assert (scored.differences[SECOND].better, scored.differences[SECOND].equal) == (1, 1)
    assert {*scored.trust} == {FIRST, SECOND}


@pytest.mark.parametrize(
    ("changed", "end"),
    [
        ({}, "|cv:2|seed:3"),
        ({"language": "weps_en-1"}, "|cv:2|seed:3|language:weps_en-1"),
    ],
)
def test_the_signature_says_how_the_answers_came_about(
    outcome: Outcome, changed: dict[str, str], end: str
) -> None:
    signature = score(replace(outcome, **changed)).results.signature
    assert "|scorer:weps2|" in signature
    assert signature.endswith(end)


def test_common_features_are_signed(outcome: Outcome) -> None:
    common = replace(outcome, systems=replace(outcome.systems, common=True))
    assert score(common).results.signature.endswith("|cv:2|seed:3|features:common")


def test_another_scorer_can_be_asked_for(outcome: Outcome) -> None:
    assert "|scorer:weps1|" in score(outcome, "weps1").results.signature


def test_the_json_tells_what_each_system_is_and_no_seconds(outcome: Outcome) -> None:
    text = json.dumps(scored_data(score(outcome)), allow_nan=False)
    data = json.loads(text)
    assert data["systems"][SECOND]["configuration"]["link"] == "average"
    assert data["systems"][SECOND]["similarities"] == {"pages": ["dice(title)"]}
    assert data["systems"][SECOND]["absent"] == {"pages": []}
    assert data["systems"][FIRST]["calibration"]["pages"]["forecasts"] == 8
    assert data["forms"] == {"Ada": "pages", "Bea": "pages"}
    assert "learning" not in text
    trials = {name: replace(each, learning=9.0) for name, each in outcome.trials.items()}
    assert json.dumps(scored_data(score(replace(outcome, trials=trials)))) == text


def test_pairs_are_judged_if_both_pages_stand_in_the_key(outcome: Outcome) -> None:
    assert judged_pairs(outcome.examples.values()) == 2 * 6
