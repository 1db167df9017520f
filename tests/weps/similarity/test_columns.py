from dataclasses import replace

import pytest

from tests.cases import each_case
from weps.errors import FeatureError
from weps.features.registry import all_features, feature_by_name
from weps.language.analysis import Layer
from weps.similarity.columns import Similarity, dice_similarity, parse_similarity, required_layers
from weps.similarity.measures import (
    measures_of,
)

EVERY = tuple(
    Similarity(each, measure) for each in all_features() for measure in (measures_of(each) or [""])
)
PROFILES = tuple(replace(each, order=order) for order in (2, 3) for each in EVERY[::7])


def test_layers_are_those_that_features_need_profiles_or_not():
    plain = next(each for each in EVERY if Layer.LEMMAS in each.feature.needs)
    for each in (plain, replace(plain, order=3)):
        assert required_layers([each]) == each.feature.needs & set(Layer)
    without = map(parse_similarity, ["profile(dice(content(n=1)))", "linked"])
    assert required_layers(without) == set()


def test_similarities_parse_back():
    assert [each for each in EVERY + PROFILES if parse_similarity(str(each)) != each] == []


def test_spelling_does_not_matter():
    assert str(parse_similarity(" cosine( ngram(local=true, n=3) ) ")) == (
        "cosine(ngram(n=3, local=true))"
    )
    assert str(parse_similarity(" profile( dice(token(local=false)) )")) == "profile(dice(token))"


@each_case(
    ("text", "hint"),
    [
        ("token", "dice(token)"),
        ("dice", "dice(token)"),
        ("dice(token, title)", "dice(token)"),
        ("dice(token, local=true)", "dice(token)"),
        ("dice(linked)", "linked alone"),
        ("embedding", "cosine(embedding), centred_cosine(embedding)"),
        ("dice(embedding)", "cosine, centred_cosine"),
        ("centred_cosine(token)", "dice, cosine"),
        ("dice(tokne)", "token"),
        ("dice(", "write it like"),
        ("profile", "profile(dice(token))"),
        ("profile(token)", "dice(token)"),
        ("profile(dice(tokne))", "token"),
        ("profile(dice(token), linked)", "profile(dice(token))"),
        ("profile(dice(token), n=2)", "profile(dice(token))"),
        ("profile(profile(profile(linked)))", "nest 2 at most"),
        ("dice(profile(token))", "did you mean 'token"),
        ("linked(token)", "choose from dice, cosine"),
        ("jaccard(token)", ", profile"),
    ],
)
def test_what_is_no_similarity_is_refused_with_a_hint(text, hint):
    with pytest.raises(FeatureError) as caught:
        parse_similarity(text)
    assert hint in caught.value.remedy


def test_bags_go_by_dice_and_flags_as_they_are():
    assert str(dice_similarity(feature_by_name("token(local=true)"))) == "dice(token(local=true))"
    assert str(dice_similarity(feature_by_name("linked"))) == "linked"
