from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, document, documents, square, unhurried
from weps.errors import FeatureError
from weps.features import feature, features
from weps.language import Layer, Marks
from weps.profiles import profile
from weps.similarity import Similarity, by_dice, layers_of, pair_table, similarity

EVERY = tuple(
    Similarity(each, measure)
    for each in features()
    for measure in ([""] if each.flag else ["dice", "cosine", "overlap"])
)
PROFILES = tuple(replace(each, order=order) for order in (2, 3) for each in EVERY[::7])
COLUMNS = (
    *(by_dice(each) for each in features() if not each.linguistic),
    similarity("cosine(token)"),
    similarity("overlap(ngram(n=2))"),
    similarity("profile(dice(content(n=1)))"),
    similarity("profile(profile(same_domain))"),
)


@pytest.mark.parametrize("column", COLUMNS, ids=str)
@given(pages=st.lists(documents, min_size=2, max_size=4), data=st.data())
@settings(unhurried, max_examples=10)
def test_similarities_move_with_the_pages(column, pages, data):
    order = data.draw(st.permutations(range(len(pages))))
    before = pair_table(analysis_of(*pages), [column]).values[:, 0]
    after = pair_table(analysis_of(*[pages[row] for row in order]), [column]).values[:, 0]
    expected = square(before, len(pages))[np.ix_(order, order)]
    np.testing.assert_allclose(square(after, len(pages)), expected, rtol=1e-6)


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_a_pair_table_has_a_row_for_each_pair_and_a_column_for_each_similarity(count):
    plain = analysis_of(*["Thomas Baker sings"] * count)
    table = pair_table(replace(plain, marks={layer: Marks.of([]) for layer in Layer}), EVERY)
    assert table.values.shape == (count * (count - 1) // 2, len(EVERY))
    assert table.values.dtype == np.float32
    assert table.similarities == EVERY


def test_a_pair_table_of_real_pages():
    one = document("Thomas Baker teaches maths", url="http://a.york.com", emails=("tb@york.com",))
    two = document("Maths and tides", url="http://b.york.com", emails=("tb@york.com",))
    columns = ["dice(token)", "overlap(email)", "same_domain", "linked"]
    table = pair_table(analysis_of(one, two), list(map(similarity, columns)))
    assert table.values.tolist() == [[0.5, 1, 1, 0]]


def test_a_profile_is_made_of_what_is_beneath():
    assert similarity("profile(profile(linked))").beneath == similarity("profile(linked)")
    assert similarity("profile(dice(token))").beneath == similarity("dice(token)")


@pytest.mark.parametrize("beneath", ["dice(token)", "overlap(token)", "same_domain"])
@given(pages=st.lists(documents, max_size=5))
@settings(unhurried, max_examples=10)
def test_a_column_of_profiles_needs_no_column_beneath(beneath, pages):
    names = [f"profile(profile({beneath}))", beneath, f"profile({beneath})"]
    analysis = analysis_of(*pages)
    twice, plain, once = pair_table(analysis, list(map(similarity, names))).values.T
    np.testing.assert_allclose(once, profile(plain, len(pages)), atol=1e-6)
    np.testing.assert_allclose(twice, profile(once, len(pages)), atol=1e-6)
    alone = pair_table(analysis, [similarity(names[0])]).values[:, 0]
    np.testing.assert_array_equal(alone, twice)


def test_layers_are_those_that_features_need_profiles_or_not():
    plain = next(each for each in EVERY if Layer.LEMMAS in each.feature.needs)
    for each in (plain, replace(plain, order=3)):
        assert layers_of([each]) == each.feature.needs & set(Layer)
    assert layers_of([similarity("profile(dice(content(n=1)))"), similarity("linked")]) == set()


def test_bags_are_made_once_for_all_measures_and_kept():
    table = pair_table(
        analysis_of("maths"), [similarity("dice(token)"), similarity("cosine(token)")]
    )
    assert list(table.bags) == [feature("token")]
    assert table.bags_of(feature("token")) is table.bags[feature("token")]


def test_bags_that_were_not_compared_are_made_when_asked_for():
    table = pair_table(analysis_of(document(title="tides")), [])
    assert list(table.bags_of(feature("title")).strings) == ["tides"]


def test_a_flag_has_no_bags():
    with pytest.raises(FeatureError, match="linked is a flag"):
        pair_table(analysis_of("maths"), []).bags_of(feature("linked"))


@pytest.mark.parametrize("each", [*EVERY, *PROFILES], ids=str)
def test_a_similarity_parses_back(each):
    assert similarity(str(each)) == each


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" dice( token ) ", "dice(token)"),
        ("cosine(ngram(local=true, n=3))", "cosine(ngram(n=3, local=true))"),
        ("overlap(token(local=false))", "overlap(token)"),
        ("same_domain", "same_domain"),
        (" profile( dice(token(local=false)) )", "profile(dice(token))"),
        ("profile(profile(linked))", "profile(profile(linked))"),
    ],
)
def test_spelling_does_not_matter(text, name):
    assert str(similarity(text)) == name


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("token", "dice(token)"),
        ("dice", "dice(token)"),
        ("dice(token, title)", "dice(token)"),
        ("dice(token, local=true)", "dice(token)"),
        ("dice(linked)", "linked alone"),
        ("dice(tokne)", "token"),
        ("dice(", "write it like"),
        ("profile", "profile(dice(token))"),
        ("profile(token)", "dice(token)"),
        ("profile(dice(tokne))", "token"),
        ("profile(dice(token), linked)", "profile(dice(token))"),
        ("profile(dice(token), n=2)", "profile(dice(token))"),
        ("profile(profile(profile(linked)))", "nest 2 at most"),
        ("dice(profile(token))", "did you mean token"),
    ],
)
def test_what_is_no_similarity_is_refused_with_a_hint(text, hint):
    with pytest.raises(FeatureError) as caught:
        similarity(text)
    assert hint in caught.value.remedy


def test_a_flag_takes_no_feature():
    with pytest.raises(FeatureError):
        similarity("linked(token)")


def test_an_unknown_measure_is_called_one():
    with pytest.raises(FeatureError) as caught:
        similarity("jaccard(token)")
    assert "dice, cosine" in caught.value.remedy
    assert caught.value.remedy.endswith(", profile")


def test_bags_go_by_dice_and_flags_as_they_are():
    assert str(by_dice(feature("token(local=true)"))) == "dice(token(local=true))"
    assert str(by_dice(feature("linked"))) == "linked"
