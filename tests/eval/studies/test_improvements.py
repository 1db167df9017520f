"""Improvements: properties of what is found, verdicts, and the command."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up_scores import NAMES, certain, judged, matrix
from tests.eval.studies.made_up_scores import scored as inputs
from weps.errors import ValuesError
from weps_eval import study
from weps_eval.meta.improvements import PAPER_THRESHOLDS, Scale
from weps_eval.report.tables import CANNOT, DOES_NOT_HOLD, HOLDS, SampleSize, Verdict
from weps_eval.stats import BootstrapSamples
from weps_eval.studies.frames import Frame, Frames
from weps_eval.studies.improvements import CLAIMS, find_claims
from weps_eval.studies.measures import StudyInput
from weps_eval.text.testbed import MeasureMatrix

OFFICIAL = "s6.1 HUMAN.0 s0.2\ns6.1 - 0.1 0.3***\nHUMAN.0 -0.1 - 0.1\ns0.2 -0.3 -0.2 -\n"
WHOLE = judged(topics=12).with_combined(Scale.DEVIATION)


@pytest.fixture(scope="module")
def source() -> StudyInput:
    return inputs(matrix(topics=12))


@pytest.fixture(scope="module")
def frames(source) -> Frames:
    return study("improvements", source).frames


@pytest.fixture
def official(tmp_path) -> Path:
    path = tmp_path / "official.csv"
    path.write_text(OFFICIAL)
    return path


def of_whole_systems() -> StudyInput:
    made = matrix(topics=12)
    return inputs(replace(made, human=np.array([[float(name[1:]) for name in made.system]])))


def test_published_improvements_take_their_place(official, source):
    found = study("improvements", source, official=official, stars=3)
    assert found.frames.facts["real"] == [["s6", "s0"]]
    assert found.frames["improvements"].where(measure=NAMES[0])["sir"].value[0] == 1
    remarks = " ".join(found.frames.remarks)
    assert "Improvements by people are those of official.csv, 3 stars or more." in remarks
    assert "Systems of that table that are not available: HUMAN." in remarks
    assert "Systems that are not in that table: s1" in remarks


def test_of_whole_systems_only_published_improvements_are_seen(official):
    with pytest.raises(ValuesError, match="people judged whole systems by quality"):
        study("improvements", of_whole_systems())
    found = study("improvements", of_whole_systems(), official=official)
    assert {name for name, frame in found.frames.items() if len(frame)} >= {"improvements"}
    assert not any(len(found.frames[name]) for name in ("extremes", "decrease", "oracle"))
    assert [verdict.word for _, verdict in found.judged[3:]] == [CANNOT] * 10


def test_published_improvements_need_no_scores(official):
    made = matrix(topics=12)
    unjudged = inputs(replace(made, criteria=(), human=np.empty((0, len(made.topic)))))
    data = study("improvements", unjudged, official=official).data()
    assert (data["criterion"], data["oracle"]) == (None, None)


def test_test_and_scale_may_be_chosen(frames, source):
    apart = study("improvements", source, test="rank-sum", scale=(2, 10)).frames
    assert frames.facts["improved"] != apart.facts["improved"]
    assert frames.facts["limits"] == PAPER_THRESHOLDS.on_scale(1, 5)
    assert apart.facts["limits"] == PAPER_THRESHOLDS


GROUPS = (4, 3, 1, 1)
"""Measures of words, of language, and ULC, plain and standardised."""
SIZE = SampleSize(20, 50)


def drawn(*values: float) -> BootstrapSamples:
    """A value for each kind; the standardised ULC, which is not the paper's, has 0 or the last."""
    return certain(*np.repeat([*values, 0.0][:4], GROUPS))


def verdicts(**figures: BootstrapSamples) -> Mapping[str, Verdict]:
    """Start of a claim → its verdict; figures that are not given are 0.5 of every measure."""
    names = ("sip", "sir", "low", "high", "decrease", "oracle")
    usual = {name: drawn(0.5, 0.5, 0.5) for name in names}
    usual |= {"high": drawn(0.3, 0.3, 0.3), "oracle": drawn(3.5, 3.5, 3.5)}
    bounds = certain(3.0, 1.0, 5.0)
    sizes = {f"{name}_size": SIZE for name in ("improved", "low", "high")}
    facts = {"absent": "", "bounds": bounds, **sizes}
    found = Frames(
        {"claims": Frame.of_rows(find_claims(WHOLE, usual | figures, facts))}, {"": SIZE}
    )
    return {claim.text: claim.judge(found) for claim in CLAIMS}


@pytest.mark.usefixtures("any_sample_size")
@each_case(
    ("figures", "claim", "word"),
    [
        ({"sip": (0.9, 0, 0), "sir": (0.8, 0, 0)}, "Measures of words", HOLDS),
        ({"sip": (0.9, 0, 0), "sir": (0.7, 1, 1)}, "Measures of words", DOES_NOT_HOLD),
        ({"sip": (0.8, 0.9, 0), "sir": (0.8, 0.7, 0)}, "Linguistic measures have", HOLDS),
        ({"sip": (0.8, 0.9, 0), "sir": (0.8, 0.9, 0)}, "Linguistic measures have", DOES_NOT_HOLD),
        ({"sip": (0.8, 0, 0.83), "sir": (0.7, 0, 0.66)}, "All measures combined (ULC) fi", HOLDS),
        (
            {"sip": (0.8, 0, 0.83), "sir": (0.7, 0, 0.9)},
            "All measures combined (ULC) fi",
            DOES_NOT_HOLD,
        ),
        ({"low": (0.4, 0.5, 0.5)}, "Measures are less", HOLDS),
        ({"low": (0.1, 0.1, 0.1)}, "Measures are less", DOES_NOT_HOLD),
        ({"low": (0.4, 0.5, 0.21)}, "Even of", HOLDS),
        ({"low": (0.4, 0.5, 0.1)}, "Even of", DOES_NOT_HOLD),
        ({"low": (np.nan, np.nan, np.nan)}, "Even of", CANNOT),
        ({"high": (0.05, 0.045, 0)}, "Linguistic measures are no", HOLDS),
        ({"high": (0.05, 0.03, 0)}, "Linguistic measures are no", DOES_NOT_HOLD),
        (
            {"low": (0.4, 0.1, 0.44), "high": (0.2, 0.1, 0.24)},
            "All measures combined (ULC) are as",
            HOLDS,
        ),
        ({"low": (0.4, 0.4, 0.5)}, "All measures combined (ULC) are as", DOES_NOT_HOLD),
        ({"high": (0.2, 0.1, 0.26)}, "All measures combined (ULC) are as", DOES_NOT_HOLD),
        ({"low": (np.nan, np.nan, np.nan)}, "All measures combined (ULC) are as", CANNOT),
        ({"decrease": (0.1, 0.1, 0.1)}, "All measures can", HOLDS),
        ({"decrease": (0.1, 0.0, 0.1)}, "All measures can", DOES_NOT_HOLD),
        ({"decrease": (0.2, 0.1, 0)}, "Linguistic measures are more", HOLDS),
        ({"decrease": (0.1, 0.1, 0)}, "Linguistic measures are more", DOES_NOT_HOLD),
        ({"decrease": (0.2, 0.3, 0.1)}, "All measures combined (ULC) are the", HOLDS),
        ({"decrease": (0.2, 0.1, 0.1)}, "All measures combined (ULC) are the", DOES_NOT_HOLD),
        ({"oracle": (3.9, 3.5, 3.5)}, "Outputs chosen", HOLDS),
        ({"oracle": (3.5, 3.5, 4.5)}, "Outputs chosen", DOES_NOT_HOLD),
        ({"oracle": (3.9, 3.5, 3.5, 4.9)}, "Outputs chosen", HOLDS),
        ({"oracle": (3.5, 3.5, 3.6)}, "All measures combined (ULC) ch", HOLDS),
        ({"oracle": (3.5, 3.7, 3.6)}, "All measures combined (ULC) ch", DOES_NOT_HOLD),
        ({"oracle": (3.5, 3.7, 3.6, 4.9)}, "All measures combined (ULC) ch", DOES_NOT_HOLD),
    ],
)
def test_verdicts(figures, claim, word):
    found = verdicts(**{name: drawn(*values) for name, values in figures.items()})
    assert {verdict.word for text, verdict in found.items() if text.startswith(claim)} == {word}


@each_case(
    ("made", "numbers", "reason"),
    [
        ("all", (7, 8, 9), "no system is chosen"),
        ("two", (0, 1, 2), "people see no significant improvement"),
        ("one", (0, 1, 2), "there is one system only"),
    ],
)
def test_the_reason_is_given_where_nothing_can_be_said(made, numbers, reason):
    sources = {"all": matrix(topics=12), "two": matrix(topics=12, systems=2), "one": one_system()}
    result = study("improvements", inputs(sources[made]), level=1e-9)
    assert all(reason in result.judged[number][1].figures for number in numbers)
    assert {table.key for table in result.document().tables()} >= {"conclusions", "oracle"}


def one_system() -> MeasureMatrix:
    made = matrix(topics=12, systems=7)
    parts = {name: getattr(made, name)[:, 3::7] for name in ("values", "human")}
    return replace(made, topic=made.topic[3::7], system=made.system[3::7], **parts)


@each_case(
    ("settings", "message"),
    [
        ({"scale": (5, 1)}, "a scale cannot go from 5 to 1"),
        ({"chosen": "s9"}, "there is no system 's9'"),
        ({"official": Path("nowhere.csv")}, r"nowhere\.csv"),
        ({"human": "quality,fluency"}, "2 criteria are too many"),
    ],
)
def test_what_cannot_be_done_is_an_error(source, settings, message):
    with pytest.raises(Exception, match=message):
        study("improvements", source, **settings)


@pytest.mark.usefixtures("any_sample_size")
@each_case(
    ("order", "word"), [(range(len(NAMES)), HOLDS), (range(len(NAMES) - 1, -1, -1), DOES_NOT_HOLD)]
)
def test_the_same_measures_fail_in_another_test_bed_or_others_do(order, word):
    beds = [matrix(topics=60, noise=0.3, seed=seed) for seed in (0, 1)]
    beds[1] = replace(beds[1], values=beds[1].values[list(order)])
    found = study("improvements", tuple(map(inputs, beds)))
    failing = [
        study("improvements", inputs(each)).frames["measures"].where(combined=False)
        for each in beds
    ]
    shares = [
        [row["low"].value for row in sorted(frame.rows, key=lambda row: row["measure"])]
        for frame in failing
    ]
    low, high = found.frames["claims"].where(claim="elsewhere").rows
    assert low["figure"].value == pytest.approx(np.corrcoef(shares)[0, 1])
    assert high["part"].endswith("high scores of 7 measures, 6 families")
    assert found.judged[-1][1].word == word
    assert study("improvements", inputs(beds[0])).judged[-1][1].word == CANNOT
