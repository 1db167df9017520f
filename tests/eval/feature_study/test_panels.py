import pytest

from eval.feature_study.panels import PANELS
from weps.feature_sets import FEATURE_SETS
from weps.features import feature, features

SHOWN = {panel.key: {str(each) for each in features() if panel.holds(each)} for panel in PANELS}


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("token", {"figure-1"}),
        ("token(local=true)", {"figure-1"}),
        ("title", {"figure-1"}),
        ("lemma", {"figure-1"}),
        ("ngram(n=2)", {"figure-2"}),
        ("ngram(n=2, local=true)", set()),
        ("phrase", {"figure-2"}),
        ("capitalised", {"figure-3", "figure-4"}),
        ("entity(type=person, local=true)", {"figure-3"}),
        ("fine_entity(type=time)", {"figure-4"}),
        ("fine_entity(type=time, local=true)", set()),
        ("linked", {"gazetteers-and-links"}),
        ("gazetteer(list=place)", {"gazetteers-and-links"}),
    ],
)
def test_panels_of_a_feature(name: str, keys: set[str]) -> None:
    assert {key for key, shown in SHOWN.items() if str(feature(name)) in shown} == keys


def test_no_panel_is_empty_and_no_two_are_called_alike() -> None:
    assert len(SHOWN) == len(PANELS)
    assert all(len(each) > 1 for each in SHOWN.values())


def test_every_feature_of_the_paper_and_the_whole_page_is_in_a_panel() -> None:
    of_paper = FEATURE_SETS["all"].features()
    whole_page = {str(each) for each in of_paper if not each.parameters.get("local")}
    assert whole_page <= set.union(*SHOWN.values())
