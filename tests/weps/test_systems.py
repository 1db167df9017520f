import contextlib
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps import systems
from weps.clustering.dendrogram import LINKAGES
from weps.coreference.classifiers import CLASSIFIERS
from weps.errors import FeatureError
from weps.features.registry import all_features
from weps.reading import PageForm
from weps.similarity.columns import parse_similarity
from weps.training import STOPPING_LEARNERS

PAPER, DEFAULT = systems.CONFIGURATIONS["paper"], systems.CONFIGURATIONS["default"]
PLAIN = replace(DEFAULT, by_form=())
FEATURES = ["all", "linked + tokens", "ngram(n=2, local=true)+dice(content(n=1))"]
anything = st.builds(
    systems.Configuration,
    features=st.sampled_from(FEATURES),
    classifier=st.sampled_from([*CLASSIFIERS]),
    link=st.sampled_from([*LINKAGES]),
    stop=st.sampled_from(sorted(systems.STOPPING_KINDS)),
    copies=st.integers(0, 100),
    rules=st.sampled_from([*systems.RULES]),
    mixed=st.sampled_from(["learn", "skip"]),
    by_form=st.dictionaries(
        st.sampled_from([f"{form}.link" for form in PageForm]), st.sampled_from([*LINKAGES])
    ).map(lambda own: tuple(sorted(own.items()))),
)


def test_the_paper_s_system_is_the_paper_s():
    """EMNLP 2009, section 4.3: a decision tree, single link, one global threshold."""
    assert PAPER.as_data() == {
        "features": "non-linguistic",
        "classifier": "tree",
        "link": "single",
        "stop": "threshold",
        "copies": 0,
        "rules": "none",
        "mixed": "learn",
    }


def test_what_can_be_chosen_can_be_learnt():
    assert sorted(systems.STOPPING_KINDS) == sorted(STOPPING_LEARNERS)


@each_case(
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
def test_a_variant_changes_what_it_says(text, expected):
    assert systems.parse_configuration(text) == expected


def test_a_form_of_pages_may_have_parts_of_its_own(monkeypatch):
    own = (("results.features", "title"), ("results.link", "single"))
    monkeypatch.setitem(systems.CONFIGURATIONS, "own", replace(PLAIN, by_form=own))
    chosen = systems.parse_configuration("own:results.link=complete,tokens.copies=7")
    assert chosen.by_form == (own[0], ("results.link", "complete"), ("tokens.copies", 7))
    assert chosen.for_form(PageForm.PAGES) == PLAIN
    assert chosen.for_form(PageForm.TOKENS) == replace(PLAIN, copies=7)
    expected = replace(PLAIN, features="title", link="complete")
    assert chosen.for_form(PageForm.RESULTS) == expected
    assert chosen.as_data() == {**PLAIN.as_data(), **dict(chosen.by_form)}


def test_a_part_without_a_form_is_that_of_all_forms(monkeypatch):
    monkeypatch.setitem(
        systems.CONFIGURATIONS, "own", systems.parse_configuration("paper:results.link=average")
    )
    assert systems.parse_configuration("own:link=complete") == replace(PAPER, link="complete")
    both = systems.parse_configuration("own:link=complete,tokens.link=single")
    assert both == replace(PAPER, link="complete", by_form=(("tokens.link", "single"),))


@given(st.sampled_from([*systems.CONFIGURATIONS]), anything)
def test_a_configuration_written_whole_reads_back(name, chosen):
    choices = json.loads(json.dumps(chosen.as_data()))
    text = ",".join(f"{key}={value}" for key, value in choices.items())
    assert systems.parse_configuration(f"{name}:{text}") == chosen


REFUSED = {
    "paper, small, default": ["", "papers", "Paper"],
    "paper:link=average": ["paper,link=average"],
    "a key of features, classifier, link, stop, copies, rules, mixed": [
        "paper:average",
        "paper:links=x",
    ],
    "key=value": ["paper:link", "paper:results.link"],
    "put pages., tokens., results. before it": [
        *("paper:result.link=average", "paper:.link=average", "paper:results.=average"),
        *("paper:results.links=average", "paper:tokens.results.link=average"),
    ],
    "single or average or complete": ["paper:link=", "paper:link=mean", "paper:results.link="],
    "tree or boosted or logistic": ["paper:classifier=woods"],
    "threshold or expected-f or expected-f-by-name": ["paper:stop=never"],
    "none or identity": ["paper:rules=some"],
    "did you mean 'token": ["paper:features=tokne"],
    "there are: ": ["paper:features="],
    "write it like": ["paper:features=dice(token,link=average"],
    "0 to 100": [f"paper:copies={number}" for number in ("", "-1", "101", "2.5", "9" * 5000)],
    "once": [
        *("paper:link=average,link=single", "paper:copies=2,copies=2"),
        "paper:results.link=single,results.link=average",
    ],
}
"""Hint → configurations that cannot be read."""


@each_case(("hint", "text"), [(hint, text) for hint, texts in REFUSED.items() for text in texts])
def test_what_is_no_configuration_is_refused_with_a_hint(hint, text):
    with pytest.raises(FeatureError) as caught:
        systems.parse_configuration(text)
    assert hint in caught.value.remedy


def names(text: str) -> list[str]:
    return [str(each) for each in systems.similarities_of(text)]


@each_case(
    ("text", "expected"),
    [
        ("tokens", ["dice(token)"]),
        ("token", ["dice(token)", "dice(token(local=true))"]),
        ("token(local=false)", ["dice(token)"]),
        ("token(local=true)", ["dice(token(local=true))"]),
        ("linked", ["linked"]),
        ("cosine(token)", ["cosine(token)"]),
        ("ngram(local=true, n=2)", ["dice(ngram(n=2, local=true))"]),
        (" tokens  +  linked ", ["linked", "dice(token)"]),
        ("tokens+dice(token)+token(local=false)", ["dice(token)"]),
        ("overlap(url)+url+cosine(url)", ["dice(url)", "cosine(url)", "overlap(url)"]),
        ("profile(linked)", ["linked", "profile(linked)"]),
        (
            "url+profile(profile(cosine(url)))",
            ["dice(url)", "cosine(url)", "profile(cosine(url))", "profile(profile(cosine(url)))"],
        ),
        (
            "relative(profile(linked))+url",
            ["linked", "dice(url)", "profile(linked)", "relative(profile(linked))"],
        ),
    ],
)
def test_what_an_item_stands_for(text, expected):
    assert names(text) == expected


def test_sets_and_functions_stand_for_all_their_features():
    assert names("ngram") == [f"dice({e})" for e in all_features() if e.function == "ngram"]
    both = systems.similarities_of("linguistic+non-linguistic")
    assert systems.similarities_of("all") == both
    assert {each.feature for each in both} == {each for each in all_features() if each.in_paper}
    assert {each.order for each in both} == {1}


@each_case(
    ("text", "hint"),
    [
        ("non-linguistc", "did you mean 'non-linguistic"),
        ("nonlinguistic", "did you mean 'non-linguistic"),
        ("tokne", "did you mean 'token"),
        ("dice(ngram)", "ngram(n="),
        ("relative(token)", "dice(token)"),
        ("profile(relative(linked))", "relative once"),
        ("relative(relative(linked))", "relative once"),
        ("", "there are: 'tokens"),
        ("tokens+", "there are: 'tokens"),
        ("all - tokens", "did you mean 'tokens"),
        ("token(", "write it like"),
        ("\x00", "there are: 'tokens"),
    ],
)
def test_an_unknown_item_is_refused_with_a_hint(text, hint):
    with pytest.raises(FeatureError) as caught:
        systems.similarities_of(text)
    assert hint in caught.value.remedy


@given(st.text(max_size=30), st.text(st.sampled_from("lik=,:()+9 single"), max_size=25))
def test_any_text_is_read_or_refused(text, variant):
    with contextlib.suppress(FeatureError):
        assert 0 < len(systems.similarities_of(text)) <= 9 * len(all_features())
    with contextlib.suppress(FeatureError):
        assert isinstance(systems.parse_configuration(f"paper:{variant}"), systems.Configuration)


COLUMNS = tuple(
    map(parse_similarity, ("dice(token)", "agree(phone)", "linked", "agree(home_page)"))
)


@each_case(("name", "written"), [(n, w) for n, r in systems.RULES.items() for w in r])
def test_rules_are_about_identity(name, written):
    about = parse_similarity(written)
    assert str(about) == written
    assert about.feature.family in {"identity", "name"}
    assert (systems.RULES[name][written] > 0) is ("agree" in written)


def test_every_evidence_of_identity_has_a_rule():
    ruled = {parse_similarity(written).feature for written in systems.RULES["identity"]}
    assert ruled >= {each for each in all_features() if each.family == "identity"}


def test_columns_are_divided_between_classifier_and_rules():
    rules = {"agree(home_page)": 3.0, "agree(phone)": 2.0, "contradict(phone)": -9.0}
    seen, ruled, weights = systems.split_columns(COLUMNS, rules)
    assert (seen.tolist(), ruled.tolist(), weights.tolist()) == ([0, 2], [1, 3], [2.0, 3.0])
    assert [str(array.dtype) for array in (seen, ruled, weights)] == ["int32", "int32", "float64"]
    parts = [part.tolist() for part in systems.split_columns(COLUMNS, systems.RULES["none"])]
    assert parts == [[0, 1, 2, 3], [], []]


def test_trees_see_profiles_as_they_are_and_sums_see_them_relative_to_the_name():
    columns = systems.similarities_of("relative(profile(linked))+profile(dice(url))+few_pages")
    names, parts = [str(each) for each in columns], systems.divide_columns(columns)
    trees, sums = ([names[at] for at in parts[f"{part}_columns"]] for part in ("tree", "linear"))
    assert trees == [each for each in names if "relative" not in each and each != "few_pages"]
    assert sums == [each for each in names if each != "profile(linked)"]
    assert names[parts["size_column"]] == "few_pages"
    assert systems.divide_columns(columns[:1])["size_column"] == -1


def test_a_reading_of_the_paper_has_its_69_features():
    similarities = list(systems.FEATURE_SETS["paper69"].similarities())
    assert (len({each.feature for each in similarities}), len(set(similarities))) == (23, 69)
    assert {each.feature for each in similarities} < {*systems.FEATURE_SETS["all"].features()}
