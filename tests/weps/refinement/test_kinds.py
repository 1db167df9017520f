import pytest

from tests.weps.builders import contents
from tests.weps.features.annotated import one_page
from weps.forms import Form
from weps.language import Layer
from weps.refinement.kinds import KINDS, Family, attribute_bags, kinds_of, layers_of

WORDS = {"tokens", "bigrams", "trigrams", "fourgrams", "fivegrams"}
ENTITIES = {"ner location", "ner organisation", "ner person"}


@pytest.mark.parametrize(
    ("form", "names"),
    [(Form.PAGES, WORDS | ENTITIES), (Form.TOKENS, WORDS), (Form.RESULTS, set())],
)
def test_kinds_of_a_form(form, names):
    assert {kind.name for kind in kinds_of(form)} == names


@pytest.mark.parametrize(
    ("form", "layers"),
    [(Form.PAGES, {Layer.ENTITIES}), (Form.TOKENS, set()), (Form.RESULTS, set())],
)
def test_layers_that_kinds_need(form, layers):
    assert layers_of(kinds_of(form)) == layers


def test_names_are_told_once():
    assert len({kind.name for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ner location", {"ohio"}),
        ("ner organisation", {"acme"}),
        ("ner person", {"ann lee"}),
        ("tokens", {"reads"}),
    ],
)
def test_every_kind_finds_its_own(name, expected):
    marks = [("Ohio", "location"), ("Acme Inc.", "organisation"), ("Dr. Ann Lee", "person")]
    (kind,) = (kind for kind in KINDS if kind.name == name)
    analysis = one_page(*marks, text="Thomas Baker reads")
    assert set(contents(kind.extract(analysis))[0]) == expected


def test_families_are_those_of_the_paper():
    assert {kind.family for kind in KINDS} == {Family.WORDS, Family.ENTITIES}
    assert list(map(str, Family)) == ["nl", "ner", "ae"]


def test_attributes_page_by_page():
    attributes = {
        1: {"work": ("Queen II", "QUEEN  II!", "Jazz"), "fax": ()},
        3: {"work": ("queen ii",), "phone": ("(254) 634-8600", "@@")},
        9: {"award": ("Edgar",)},
    }
    bags = attribute_bags([1, 2, 3], attributes)
    assert {name: contents(each) for name, each in bags.items()} == {
        "work": [{"queen ii": 2, "jazz": 1}, {}, {"queen ii": 1}],
        "fax": [{}, {}, {}],
        "phone": [{}, {}, {"254 634 8600": 1, "@@": 1}],
    }
