from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from weps.errors import FeatureError
from weps.feature_sets import FEATURE_SETS, similarities_of
from weps.features import features

ITEMS = [
    *FEATURE_SETS,
    *(str(each) for each in features()),
    *("ngram", "token", "cosine(token)", "overlap(ngram(n=2))"),
    *("profile(linked)", "profile(profile(cosine(token)))"),
]
NON_LINGUISTIC = """
    dice(capitalised)|dice(capitalised(local=true))|dice(email)|dice(link)|linked|same_domain|
    dice(ngram(n=2))|dice(ngram(n=2, local=true))|dice(ngram(n=3))|dice(ngram(n=3, local=true))|
    dice(ngram(n=4))|dice(ngram(n=4, local=true))|dice(ngram(n=5))|dice(ngram(n=5, local=true))|
    dice(token)|dice(token(local=true))|dice(title)|dice(snippet)|dice(url)
"""

PROFILED = """
    cosine(title)|cosine(snippet)|dice(url)|dice(content(n=1))|cosine(content(n=1))|
    dice(content(n=2))|cosine(content(n=2))|dice(content(n=3))|
    dice(result(n=1))|cosine(result(n=1))
"""
CONTENT = """
    dice(email)|dice(link)|linked|same_domain|dice(title)|cosine(title)|dice(snippet)|
    cosine(snippet)|dice(url)|cosine(url)|dice(content(n=1))|cosine(content(n=1))|
    dice(content(n=2))|cosine(content(n=2))|dice(content(n=3))|cosine(content(n=3))|
    dice(content(n=4))|cosine(content(n=4))|dice(content(n=5))|cosine(content(n=5))|
    dice(result(n=1))|cosine(result(n=1))|dice(result(n=2))|cosine(result(n=2))
"""


def names(text: str) -> list[str]:
    return [str(each) for each in similarities_of(text)]


def listed(text: str) -> list[str]:
    return [each.strip() for each in text.split("|")]


def test_non_linguistic_has_the_columns_that_models_know() -> None:
    assert names("non-linguistic") == listed(NON_LINGUISTIC)


def test_content_and_profiles_have_the_columns_that_models_know() -> None:
    profiles = [f"profile({each})" for each in listed(PROFILED)]
    of_profiles = [f"profile({each})" for each in profiles]
    assert names("content") == listed(CONTENT)
    assert names("content+profiles") == [*listed(CONTENT), *profiles, *of_profiles]
    assert names("profiles") == [*listed(PROFILED), *profiles, *of_profiles]


@pytest.mark.parametrize(
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
    ],
)
def test_what_an_item_stands_for(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_a_function_stands_for_all_its_features() -> None:
    of_ngram = [f"dice({each})" for each in features() if each.function == "ngram"]
    assert len(of_ngram) == 8
    assert names("ngram") == of_ngram


def test_all_is_the_linguistic_and_the_others() -> None:
    both = {*similarities_of("linguistic"), *similarities_of("non-linguistic")}
    assert set(similarities_of("all")) == both
    ours = {"content", "identity"}
    assert {each.feature for each in both} == {e for e in features() if e.family not in ours}
    assert {each.order for each in both} == {1}
    assert similarities_of("linguistic+non-linguistic") == similarities_of("all")


def test_every_set_says_what_it_is() -> None:
    assert all(each.name == name and each.description for name, each in FEATURE_SETS.items())


@given(st.lists(st.sampled_from(ITEMS), min_size=1, max_size=3))
@unhurried
def test_order_and_repetition_do_not_matter(items: list[str]) -> None:
    first = similarities_of("+".join(items))
    assert len(set(first)) == len(first)
    for order in permutations([*items, items[0]]):
        assert similarities_of(" + ".join(order)) == first


@given(st.lists(st.sampled_from(ITEMS), min_size=1, max_size=3))
@unhurried
def test_columns_stand_in_the_order_of_the_registry_profiles_last(items: list[str]) -> None:
    order = {each: number for number, each in enumerate(features())}
    places = [(each.order, order[each.feature]) for each in similarities_of("+".join(items))]
    assert places == sorted(places)


@given(st.lists(st.sampled_from(ITEMS), min_size=1, max_size=3))
@unhurried
def test_profiles_never_stand_without_what_they_are_made_of(items: list[str]) -> None:
    found = similarities_of("+".join(items))
    assert all(each.beneath in found for each in found if each.order > 1)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("non-linguistc", "did you mean non-linguistic"),
        ("nonlinguistic", "did you mean non-linguistic"),
        ("tokne", "did you mean token"),
        ("ngram(n=7)", "did you mean ngram(n="),
        ("dice(linked)", "linked alone"),
        ("dice(ngram)", "ngram(n="),
        ("jaccard(token)", "dice"),
        ("profile(token)", "dice(token)"),
        ("", "there are: tokens"),
        ("tokens+", "there are: tokens"),
        ("all - tokens", "did you mean tokens"),
        ("token(", "write it like"),
        ("\x00", "there are: tokens"),
    ],
)
def test_an_unknown_item_is_refused_with_a_hint(text: str, hint: str) -> None:
    with pytest.raises(FeatureError) as caught:
        similarities_of(text)
    assert hint in caught.value.remedy


def test_all_unknown_items_are_told_at_once() -> None:
    with pytest.raises(FeatureError) as caught:
        similarities_of("tokne + all + titel + dice(linked)")
    told = caught.value.describe()
    assert all(each in told for each in ("'tokne'", "token", "'titel'", "title", "linked alone"))
    assert "'all'" not in told


@given(st.text(max_size=30))
@unhurried
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = similarities_of(text)
    except FeatureError:
        return
    assert 0 < len(found) <= 9 * len(features())
