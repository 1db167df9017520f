import pickle
from dataclasses import replace

import numpy as np
import pytest

from tests.cases import each_case
from tests.weps.builders import analysis_of
from weps.errors import FeatureError
from weps.features import registry
from weps.features.registry import Feature, FeatureKind, all_features, feature_by_name
from weps.language.analysis import Layer, Marks

NAMES = [str(each) for each in all_features()]


def test_features_parse_back_and_say_what_they_are():
    for each in all_features():
        assert feature_by_name(str(each)) is each
        assert "{" not in each.description, each
        assert all((each.description, each.source, each.family)), each


@each_case("count", [0, 1, 2])
def test_features_have_a_row_for_each_document(count):
    plain = analysis_of(*["Thomas Baker left York Minster"] * count)
    analysis = replace(plain, marks={layer: Marks.of([]) for layer in Layer})
    for each in all_features():
        made = each.extract(analysis)
        if each.kind is FeatureKind.BAGS:
            assert made.counts.shape == (count, len(made.strings)), each
        elif each.flag:
            assert made(np.arange(count), np.arange(count)).shape == (count,), each
        else:
            assert made.shape == (count, 8), each


def test_what_features_extract_pickles():
    texts = ["Dr Thomas Baker left York", "Thomas J. Baker left York in 1920 and 1922"]
    plain = analysis_of(*texts)
    analysis = replace(plain, marks={layer: Marks.of([]) for layer in Layer})
    for each in all_features():
        made = each.extract(analysis)
        back = pickle.loads(pickle.dumps(made))  # noqa: S301 - our own
        if each.kind is FeatureKind.BAGS:
            assert list(back.strings) == list(made.strings), each
        elif each.flag:
            pair = np.array([0]), np.array([1])
            assert back(*pair).tolist() == made(*pair).tolist(), each


def test_features_stand_family_by_family():
    families = [each.family for each in all_features()]
    assert list(dict.fromkeys(families)) == [f for f in registry.FAMILIES if f in families]
    assert families == sorted(families, key=registry.FAMILIES.index)


def test_names_and_descriptions_are_unique():
    assert len(set(NAMES)) == len(NAMES)
    assert len({(each.family, each.description) for each in all_features()}) == len(NAMES)


@each_case(
    ("text", "name"),
    [
        (" token ", "token"),
        ("token(local=false)", "token"),
        ("ngram(local=true,n=3)", "ngram(n=3, local=true)"),
        ("ngram(n=3, local=false)", "ngram(n=3)"),
    ],
)
def test_order_and_defaults_do_not_matter(text, name):
    assert str(feature_by_name(text)) == name


UNKNOWN = (
    "tokens|ngram|ngram(n=1)|ngram(n=6)|ngram(m=2)|token(local=true, n=2)|dice(token)|?|"
    "token(loca=false)|title(local=false)|email(n=false)|token(title)|linked(token)|"
    "ngram(token, n=2)"
)


@each_case(
    ("text", "hint"),
    [
        *((each, "") for each in UNKNOWN.split("|")),
        ("tokne", "did you mean 'token"),
        ("ngram(n=7)", "did you mean 'ngram(n="),
        ("zzz", "there are: "),
    ],
)
def test_an_unknown_feature_gets_a_hint(text, hint):
    with pytest.raises(FeatureError) as caught:
        feature_by_name(text)
    assert hint in caught.value.remedy


def test_one_declaration_stands_for_every_combination(monkeypatch):
    monkeypatch.setattr(registry, "_REGISTRY", {})

    @registry.register_feature(
        "f", "{size} of {where}", source="s", needs=["x"], size=(1, 2), local=(False, True)
    )
    def probe(_analysis, *, size, local=False):
        return size, local

    declared = {each.name: each for each in all_features()}
    names = ["probe(size=1)", "probe(size=1, local=true)"]
    assert list(declared) == [*names, *(name.replace("1", "2") for name in names)]
    last: Feature = declared["probe(size=2, local=true)"]
    assert last.description == "2 of sentences that mention the name"
    assert last.needs == {"x", "mentions"}
    assert declared["probe(size=2)"].needs == {"x"}
    assert last.extract(None) == (2, True)
    assert registry.feature_by_name("probe(size=1)") is declared["probe(size=1)"]


def test_a_feature_is_linguistic_if_it_needs_a_layer_or_says_so(monkeypatch):
    for needs, declared, linguistic in (
        (["text"], False, False),
        (["text", Layer.LEMMAS], False, True),
        (["text"], True, True),
    ):
        monkeypatch.setattr(registry, "_REGISTRY", {})
        register = registry.register_feature("f", "d", needs=needs, linguistic=declared)
        register(lambda _analysis: None)
        (made,) = all_features()
        assert (made.linguistic, made.needs) == (linguistic, set(needs))
