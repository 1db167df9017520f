import pytest

from weps import resources
from weps.errors import SourceError
from weps.resources import resource, word_list


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
