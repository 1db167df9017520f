import pytest

from weps import resources
from weps.errors import SourceError
from weps.resources import gazetteer, resource, word_list


@pytest.fixture
def lists(tmp_path, monkeypatch):
    (tmp_path / "one.txt").write_text("# words\nof \n\nthe\n", "utf-8")
    (tmp_path / "two.txt").write_text("the\nhttp\nmüßig\n", "utf-8")
    monkeypatch.setattr(resources, "_PLACES", (tmp_path / "nowhere", tmp_path))
    word_list.cache_clear()
    yield tmp_path
    word_list.cache_clear()


def test_a_resource_is_found_in_any_of_its_places(lists):
    assert resource("one.txt") == lists / "one.txt"


def test_a_word_list_has_no_comments_and_no_empty_words(lists):  # noqa: ARG001
    assert word_list("one.txt") == {"of", "the"}


def test_word_lists_are_joined(lists):  # noqa: ARG001
    assert word_list("one.txt", "two.txt") == {"of", "the", "http", "müßig"}


def test_a_missing_resource_is_named_with_place_and_remedy():
    with pytest.raises(SourceError, match=r"'no/such\.txt' is missing") as caught:
        resource("no/such.txt")
    assert caught.value.where
    assert caught.value.remedy


LISTS = ("countries", "states", "cities", "occupations")


def lines(name: str) -> list[str]:
    text = resource(f"gazetteer/{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_every_name_counts_as_the_first_of_its_line():
    names = gazetteer("countries", "cities")
    assert names["Holland"] == names["Netherlands"] == "Netherlands"
    assert names["München"] == "Munich"


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_sorted_and_says_everything_once(name):
    found = lines(name)
    assert found == sorted(found, key=str.lower)
    said = [each for line in found for each in line.split(" = ")]
    assert len(said) == len(set(said)) > 100
    assert all(each == " ".join(each.split()) for each in said)


@pytest.mark.parametrize("name", ["occupations"])
def test_words_that_are_no_names_are_in_lower_case(name):
    assert all(line.islower() for line in lines(name))


def test_places_are_listed_once():
    assert len(word_list(*(f"gazetteer/{each}.txt" for each in LISTS[:3]))) == sum(
        len(lines(each)) for each in LISTS[:3]
    )
