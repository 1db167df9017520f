from pathlib import Path

import pytest

from tests.cases import each_case
from tests.eval.cli.conftest import NAMES, listed, write_halves, write_weps2
from weps.errors import SourceError
from weps.page_forms import PageForm
from weps.records import Clustering
from weps.sources.corpora import clustering_xml
from weps.sources.opening import open_source
from weps_eval.benchmark.corpus import (
    check_origins,
    count_forms,
    duplicate_keys,
    open_corpus,
    read_answer,
    systems_in,
    with_mixed_names,
)


def test_names_with_keys_and_what_their_pages_offer(tmp_path):
    corpus = open_corpus(write_weps2(tmp_path, NAMES[1:]), [NAMES[5]])
    assert corpus.names == list(NAMES[:5])
    assert corpus.forms == dict.fromkeys(NAMES[1:5], PageForm.TOKENS) | {NAMES[0]: PageForm.RESULTS}
    counts = count_forms(corpus.forms.values())  # richest first
    assert list(counts.items()) == [(PageForm.TOKENS, 4), (PageForm.RESULTS, 1)]
    assert corpus.title == "WePS-2"
    assert corpus.digest == corpus.source.digest(NAMES[:5]) != corpus.source.digest(NAMES)


def test_several_corpora_are_taken_as_one(tmp_path):
    first = write_weps2(tmp_path / "first", NAMES, NAMES[:3])
    second = write_weps2(tmp_path / "second", (), NAMES[3:])
    corpus = open_corpus([first, second], [NAMES[1], NAMES[3]])
    tokens, results = (PageForm.TOKENS,) * 2, (PageForm.RESULTS,) * 2
    expected = zip((NAMES[0], NAMES[2], *NAMES[4:6]), tokens + results, strict=True)
    assert corpus.forms == dict(expected)
    assert corpus.title == "WePS-2"
    assert corpus.digest == open_corpus([second, first], [NAMES[3], NAMES[1]]).digest
    assert open_corpus([first]) == open_corpus(first)


def test_the_names_of_several_corpora_are_counted_together(tmp_path):
    first, second = write_halves(tmp_path)
    assert open_corpus([first, second], [*NAMES[1:3], *NAMES[4:]]).names == [NAMES[0], NAMES[3]]
    with pytest.raises(SourceError, match="1 of the names have a key, 2 are needed") as caught:
        open_corpus([first, second], NAMES[1:])
    assert caught.value.where == f"{first} and {second}"


@pytest.mark.parametrize("others", [NAMES[:1], NAMES[2:]])
def test_two_origins_teach_each_other(tmp_path, others):
    check_origins(open_corpus(listed(write_weps2(tmp_path, NAMES), others)))


@pytest.mark.parametrize("names", [(), NAMES])
def test_one_origin_has_no_other_to_learn_from(tmp_path, names):
    with pytest.raises(SourceError, match="of one origin") as caught:
        check_origins(open_corpus(listed(write_weps2(tmp_path, NAMES), names)))
    assert "--cv 5" in caught.value.remedy


def test_pages_of_every_form_need_two_origins(tmp_path):
    # Results of all names are of two origins, but their word lists are of one.
    corpus = open_corpus(listed(write_weps2(tmp_path, NAMES[1:]), NAMES[:1]))
    with pytest.raises(SourceError, match=r"content words without case are .* \(search\)"):
        check_origins(corpus)


def key(*groups):
    return Clustering(tuple(map(frozenset, groups)))


ONE = key({1, 2, 3}, {4, 5, 6, 7}, {8}, {9, 10})
ALMOST = key({1, 2, 3}, {4, 5, 6, 7}, {11}, {9, 12})
OTHER = key({1, 2, 4}, {3, 5, 6, 7}, {8}, {9, 10})


@each_case(
    ("keys", "expected"),
    [
        ({"Clinton": ONE, "Kennedy": ALMOST, "Baker": OTHER}, [("Clinton", "Kennedy")]),
        ({"Kennedy": ONE, "Clinton": ONE}, [("Clinton", "Kennedy")]),
        ({"Clinton": ONE, "Baker": OTHER}, []),
        ({"Clinton": key({1, 2, 3}), "Baker": key({1, 2, 3})}, []),  # one group may be chance
        ({"Clinton": key({1}, {2, 3}), "Baker": key({1}, {2, 3})}, []),
        ({"Clinton": ONE, "Baker": key(*ONE.groups, {20, 21, 22}, {23, 24, 25})}, []),
        ({}, []),
    ],
)
def test_keys_filed_under_two_names(keys, expected):
    assert list(duplicate_keys(keys)) == expected


def test_one_key_of_weps_1_is_filed_twice(weps_data):
    source = open_source(weps_data / "corpora/weps-1/training")
    keys = {name: found for name in source.names if (found := source.key(name))}
    assert list(duplicate_keys(keys)) == [("George_Clinton", "John_Kennedy")]


ANSWER = Clustering((frozenset({1, 2}), frozenset({3})))


def folder_of_answers(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True)
    for name in names:
        (folder / f"{name}.clust.xml").write_text(clustering_xml(ANSWER), "utf-8")
    return folder


def test_a_folder_of_answers_is_a_system_and_so_are_its_subfolders(tmp_path, monkeypatch):
    folder = folder_of_answers(tmp_path / "mine", "Ada")
    assert systems_in(folder) == {"mine": folder}
    monkeypatch.chdir(folder)
    assert list(systems_in(Path())) == ["mine"]
    for system in ("b", "a"):
        folder_of_answers(tmp_path / "runs" / system, "Ada")
    (tmp_path / "runs" / "notes").mkdir()
    assert list(systems_in(tmp_path / "runs")) == ["a", "b"]


@pytest.mark.parametrize("folder", ["empty", "missing"])
def test_no_answers_is_an_error_that_states_what_to_give(tmp_path, folder):
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match=r"NAME\.clust\.xml"):
        systems_in(tmp_path / folder)


@pytest.mark.parametrize("suffix", [".clust.xml", ".xml"])
def test_answers_are_read_under_either_suffix(tmp_path, suffix):
    (tmp_path / f"Ada{suffix}").write_text(clustering_xml(ANSWER), "utf-8")
    assert read_answer(tmp_path, "Ada") == ANSWER
    assert read_answer(tmp_path, "Bea") is None


def test_mixed_names_join_a_corpus(tmp_path):
    corpus = open_corpus(write_weps2(tmp_path, NAMES[2:]))
    both = with_mixed_names(corpus, [6, 20, 90], 2, seed=0)
    sizes = both.mixed_sizes
    # Two groups of two names with text, two groups of one name without; 24 pages have text.
    assert list(sizes.values()) == [6, 6, 6, 20]
    assert both.names == sorted([*NAMES, *sizes])
    assert {both.forms[name] for name, size in sizes.items() if size == 20} == {PageForm.TOKENS}
    assert list(both.forms.values()).count(PageForm.RESULTS) == 3
    for name in sizes:
        names = both.source.component_names(name)
        assert names <= set(NAMES)
        assert both.source.component_names(min(names)) == {min(names)}
        assert both.source.key(name).ranks == set(both.source.ranks(name))
    assert with_mixed_names(corpus, [], 2, seed=0) is corpus
    assert with_mixed_names(corpus, [90], 2, seed=0) is corpus
