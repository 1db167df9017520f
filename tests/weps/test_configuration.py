import contextlib
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from weps.clustering import LINKS
from weps.configuration import CONFIGURATIONS, STOPS, Configuration, configuration
from weps.coreference import CLASSIFIERS
from weps.errors import FeatureError
from weps.feature_sets import similarities_of
from weps.rules import RULES
from weps.training.classifiers import GROWERS
from weps.training.stops import LEARNERS

PAPER, DEFAULT = CONFIGURATIONS["paper"], CONFIGURATIONS["default"]
FEATURES = ["all", "linked + tokens", "ngram(n=2, local=true)+dice(content(n=1))"]
anything = st.builds(
    Configuration,
    features=st.sampled_from(FEATURES),
    classifier=st.sampled_from([*CLASSIFIERS]),
    link=st.sampled_from([*LINKS]),
    stop=st.sampled_from(STOPS),
    copies=st.integers(0, 100),
    rules=st.sampled_from([*RULES]),
)


def written(name: str, choices: dict[str, str | int]) -> str:
    return f"{name}:" + ",".join(f"{key}={value}" for key, value in choices.items())


def test_the_paper_s_system_is_the_paper_s() -> None:
    """EMNLP 2009, section 4.3: a decision tree, single link, one global threshold."""
    assert PAPER.as_data() == {
        "features": "non-linguistic",
        "classifier": "tree",
        "link": "single",
        "stop": "threshold",
        "copies": 0,
        "rules": "none",
    }


def test_what_can_be_chosen_can_be_learnt() -> None:
    assert set(STOPS) == set(LEARNERS)
    assert len(STOPS) == len(LEARNERS)
    assert set(CLASSIFIERS) == set(GROWERS)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_configuration_has_a_name_and_makes_choices_that_there_are(name: str) -> None:
    named = configuration(name)
    assert named == CONFIGURATIONS[name]
    assert named.classifier in CLASSIFIERS
    assert named.link in LINKS
    assert named.stop in STOPS
    assert named.rules in RULES
    assert similarities_of(named.features)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("paper:features=all", replace(PAPER, features="all")),
        ("paper:link=average,copies=7", replace(PAPER, copies=7, link="average")),
        ("paper: stop=expected-f , copies=2", replace(PAPER, stop="expected-f", copies=2)),
        ("default:link=single", replace(DEFAULT, link="single")),
        ("default:rules=none", replace(DEFAULT, rules="none")),
        ("default:copies=0", replace(DEFAULT, copies=0)),
        ("default:copies=100", replace(DEFAULT, copies=100)),
        (
            "paper:features=dice(ngram(n=2, local=true))+linked,link=complete",
            replace(PAPER, features="dice(ngram(n=2, local=true))+linked", link="complete"),
        ),
    ],
)
def test_a_variant_changes_what_it_says(text: str, expected: Configuration) -> None:
    assert configuration(text) == expected


@given(st.sampled_from([*CONFIGURATIONS]), anything)
@unhurried
def test_a_configuration_written_whole_reads_back(name: str, chosen: Configuration) -> None:
    assert configuration(written(name, chosen.as_data())) == chosen


@given(anything)
@unhurried
def test_its_data_are_its_choices(chosen: Configuration) -> None:
    assert Configuration(**json.loads(json.dumps(chosen.as_data()))) == chosen


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "paper, default"),
        ("papers", "paper, default"),
        ("Paper", "paper, default"),
        ("paper,link=average", "paper:link=average"),
        ("paper:average", "a key of features, classifier, link, stop, copies, rules"),
        ("paper:link", "key=value"),
        ("paper:links=average", "a key of features"),
        ("paper:link=", "single or average or complete"),
        ("paper:link=mean", "single or average or complete"),
        ("paper:classifier=woods", "tree or boosted or forest"),
        ("paper:stop=never", "threshold or threshold-by-origin or expected-f"),
        ("paper:rules=some", "none or identity"),
        ("paper:features=tokne", "did you mean token"),
        ("paper:features=", "there are: "),
        ("paper:features=dice(token,link=average", "write it like"),
        ("paper:copies=", "0 to 100"),
        ("paper:copies=-1", "0 to 100"),
        ("paper:copies=101", "0 to 100"),
        ("paper:copies=2.5", "0 to 100"),
        ("paper:copies=" + "9" * 5000, "0 to 100"),
        ("paper:link=average,link=single", "once"),
        ("paper:copies=2,copies=2", "once"),
    ],
)
def test_what_is_no_configuration_is_refused_with_a_hint(text: str, hint: str) -> None:
    with pytest.raises(FeatureError) as caught:
        configuration(text)
    assert hint in caught.value.remedy


@given(st.text(st.sampled_from("lik=,:()+9 single"), max_size=25))
@unhurried
def test_any_variant_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(FeatureError):
        assert isinstance(configuration(f"paper:{text}"), Configuration)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_choice_can_be_written(name):
    choices = CONFIGURATIONS[name].as_data()
    for other in CONFIGURATIONS:
        text = ",".join(f"{key}={value}" for key, value in choices.items())
        assert configuration(f"{other}:{text}") == CONFIGURATIONS[name]
