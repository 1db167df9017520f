import pickle
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.cases import each_case
from tests.eval.cli.conftest import NAMES, listed, write_halves, write_weps2
from weps.errors import KeyFileError, SourceError
from weps.reading import PageForm
from weps.records import Clustering, Page
from weps.sources.base import Source
from weps.sources.corpora import clustering_xml
from weps.sources.opening import open_source
from weps_eval.benchmark.corpus import (
    _answer_files,
    _combine_sources,
    _name_replacer,
    attributes_of,
    check_origins,
    count_forms,
    duplicate_keys,
    mix_names,
    open_corpus,
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


def test_several_corpora_are_taken_as_one(tmp_path):
    first = write_weps2(tmp_path / "first", NAMES, NAMES[:3])
    second = write_weps2(tmp_path / "second", (), NAMES[3:])
    corpus = open_corpus([first, second], [NAMES[1], NAMES[3]])
    tokens, results = (PageForm.TOKENS,) * 2, (PageForm.RESULTS,) * 2
    expected = zip((NAMES[0], NAMES[2], *NAMES[4:6]), tokens + results, strict=True)
    assert corpus.forms == dict(expected)
    assert corpus.title == "WePS-2"
    assert corpus == open_corpus([second, first], [NAMES[3], NAMES[1]])
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


@pytest.mark.parametrize(
    ("with_words", "others", "fault"),
    [
        (NAMES, (), "of one origin"),
        (NAMES, NAMES, "of one origin"),
        (NAMES[1:], NAMES[:1], r"content words without case are of one origin \(search\)"),
    ],
)
def test_one_origin_has_no_other_to_learn_from(tmp_path, with_words, others, fault):
    """Pages of every form need two: results of all names may be of two, word lists of one."""
    with pytest.raises(SourceError, match=fault) as caught:
        check_origins(open_corpus(listed(write_weps2(tmp_path, with_words), others)))
    assert "--cv 5" in caught.value.remedy


def key(*groups):
    return Clustering(tuple(map(frozenset, groups)))


ONE = key({1, 2, 3}, {4, 5, 6, 7}, {8}, {9, 10})
ALMOST = key({1, 2, 3}, {4, 5, 6, 7}, {11}, {9, 12})
OTHER = key({1, 2, 4}, {3, 5, 6, 7}, {8}, {9, 10})


@each_case(
    ("keys", "expected"),
    [
        ({"Clinton": ONE, "Kennedy": ALMOST, "Baker": OTHER}, ["the keys of Clinton and Kennedy"]),
        ({"Kennedy": ONE, "Clinton": ONE}, ["the keys of Clinton and Kennedy"]),
        ({"Clinton": ONE, "Baker": OTHER}, []),
        ({"Clinton": key({1, 2, 3}), "Baker": key({1, 2, 3})}, []),  # one group may be chance
        ({"Clinton": key({1}, {2, 3}), "Baker": key({1}, {2, 3})}, []),
        ({"Clinton": ONE, "Baker": key(*ONE.groups, {20, 21, 22}, {23, 24, 25})}, []),
        ({}, []),
    ],
)
def test_keys_filed_under_two_names(keys, expected):
    told = list(duplicate_keys(SimpleNamespace(key=keys.get), keys))
    assert [each.partition(" are nearly")[0] for each in told] == expected


def test_one_key_of_weps_1_is_filed_twice(weps_data):
    source = open_source(weps_data / "corpora/weps-1/training")
    (told,) = duplicate_keys(source, source.names)
    assert told.startswith("the keys of George_Clinton and John_Kennedy are nearly the same")


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
def test_answers_are_found_under_either_suffix(tmp_path, suffix):
    (tmp_path / f"Ada{suffix}").write_text(clustering_xml(ANSWER), "utf-8")
    assert _answer_files(tmp_path) == {"Ada": tmp_path / f"Ada{suffix}"}


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
    assert with_mixed_names(corpus, [], 2, seed=0) == corpus
    assert with_mixed_names(corpus, [90], 2, seed=0) == corpus


RESULTS = '<corpus search_string="{name}">{docs}</corpus>'
KEYS = {
    "Ann_Lee": "<entity><doc rank='0'/><doc rank='2'/></entity><entity><doc rank='1'/></entity>"
    "<discarded><doc rank='3'/></discarded>",
    "Bob_Cox": "<entity><doc rank='0'/><doc rank='1'/></entity>",
    "Carl_Day": "<entity><doc rank='0'/></entity>",
}
PAGES = {"Ann_Lee": 5, "Bob_Cox": 2, "Carl_Day": 1}


@pytest.fixture
def corpus(plant):
    files = {}
    for identifier, pages in PAGES.items():
        name = identifier.replace("_", " ")
        docs = "".join(
            f'<doc rank="{rank}" url="http://x.example/{identifier.lower()}/{rank}"/>'
            for rank in range(pages)
        )
        files[f"description_files/{identifier}.xml"] = RESULTS.format(name=name, docs=docs)
        files[f"truth_files/{identifier}.clust.xml"] = f"<c>{KEYS[identifier]}</c>".replace(
            "c>", "clustering>"
        )
        for rank in range(pages):
            files[f"web_pages/{identifier}/raw/{rank:03d}.html"] = f"<p>{name} {rank}"
    return open_source(plant(files))


def test_every_name_gives_as_many_pages_as_the_others_or_all_it_has(corpus):
    def given(size):
        mixed = mix_names(corpus, corpus.names, size)
        owners = [owner for owner, _ in mixed.pages]
        assert len(set(mixed.pages)) == size
        return [owners.count(name) for name in corpus.names]

    assert [given(size) for size in (1, 3, 4, 5, 8)] == [
        [1, 0, 0],
        [1, 1, 1],
        [2, 1, 1],
        [2, 2, 1],
        [5, 2, 1],
    ]
    with pytest.raises(SourceError, match="9 pages cannot be made of 3 names that have 8"):
        given(9)


def test_the_key_is_the_union_of_the_keys(corpus):
    mixed = mix_names(corpus, corpus.names, 8)
    (name,) = mixed.names
    assert name.startswith(f"{mixed.invented.replace(' ', '_')}_8_")
    key, owner = mixed.key(name), dict(enumerate(mixed.pages, start=1))
    assert mixed.ranks(name) == tuple(owner)
    groups = {frozenset(owner[rank] for rank in group) for group in key.groups}
    assert groups == {
        frozenset({("Ann_Lee", 0), ("Ann_Lee", 2)}),
        frozenset({("Ann_Lee", 1)}),
        frozenset({("Bob_Cox", 0), ("Bob_Cox", 1)}),
        frozenset({("Carl_Day", 0)}),
    }
    assert [owner[rank] for rank in key.discarded] == [("Ann_Lee", 3)]
    assert mixed.warnings(name) == ()
    assert (mixed.layout, mixed.component_names(name)) == ("weps-1", frozenset(corpus.names))


def test_pages_carry_the_invented_name_at_their_new_rank(corpus):
    mixed = pickle.loads(pickle.dumps(mix_names(corpus, ["Ann_Lee", "Bob_Cox"], 7)))  # noqa: S301
    (name,), invented = mixed.names, mixed.invented
    search = mixed.search(name)
    assert search.name == invented
    assert [page.rank for page in search.pages] == list(mixed.ranks(name))
    for page, (_, rank) in zip(search.pages, mixed.pages, strict=True):
        assert page.read_content() == f"<p>{invented} {rank}".encode()
        assert page.url == f"http://x.example/{invented.lower().replace(' ', '_')}/{rank}"


@each_case(
    ("text", "renamed"),
    [
        ("Thomas Baker, THOMAS J. BAKER and baker", "Mary Smith, MARY J. SMITH and smith"),
        ("mailto:tbaker@a.org tjbaker@a.org", "mailto:msmith@a.org mjsmith@a.org"),
        ("http://thomasbakerbooks.com/Thomas_Baker1", "http://marysmithbooks.com/Mary_Smith1"),
        ("Baker's, the Bakers, Baker-Hill", "Smith's, the Smiths, Smith-Hill"),
        ("the bakery of Bakersfield, breadbaker", "the bakery of Bakersfield, breadbaker"),
        ("Thomasson, St. Thomass", "Thomasson, St. Thomass"),
    ],
)
def test_the_words_of_the_name_are_replaced_and_no_others(text, renamed):
    rename = _name_replacer("Thomas Baker", "Mary Smith")
    page = rename(Page(3, text, text, text, text=text, problem=text))
    assert page == Page(3, renamed, renamed, renamed, text=renamed, problem=text)
    raw = f"<p>é {text}\xff".encode("latin-1")
    assert rename(Page(3, content=raw)).read_content() == f"<p>é {renamed}\xff".encode("latin-1")
    assert rename(Page(3)) == Page(3)


KEY = '<clustering><entity><doc rank="{}"/></entity></clustering>'


@pytest.fixture
def parts(weps1: Path, tmp_path: Path) -> list[Source]:
    """Two WePS-1 corpora: Ann Example and Bob Case; Abe Other, whose key names a strange rank."""
    other = tmp_path / "other"
    for folder in ("description_files", "truth_files"):
        (other / folder).mkdir(parents=True)
    results = '<corpus search_string="Abe Other"><doc rank="4" url="http://a.example/"/></corpus>'
    (other / "description_files" / "Abe_Other.xml").write_text(results)
    (other / "truth_files" / "Abe_Other.clust.xml").write_text(KEY.format(9))
    return [open_source(weps1), open_source(other)]


def test_every_name_is_read_where_it_stands(parts):
    both = _combine_sources(parts)
    assert both.names == ("Abe_Other", "Ann_Example", "Bob_Case")
    assert both.layout == "weps-1"
    assert both.ranks("ann example") == (0, 1, 2)
    assert _combine_sources(parts[:1]) is parts[0]
    for part in parts:
        for name in part.names:
            assert both.search(name) == part.search(name)
            assert both.ranks(name) == part.ranks(name)
            assert both.key(name) == part.key(name)
            assert both.warnings(name) == part.warnings(name)
    assert both.warnings("Abe_Other") != both.warnings("Ann_Example") == ()


def test_an_unknown_name_is_sought_in_all_of_them(parts, tmp_path):
    with pytest.raises(SourceError, match=r"did you mean .Abe_Other..*Abe_Other, Ann_Ex") as caught:
        _combine_sources(parts).ranks("Abe Othr")
    assert caught.value.where == tmp_path


def test_the_digest_is_that_of_one_corpus_with_all_names(parts, weps1):
    digest = _combine_sources(parts).digest()
    assert digest == _combine_sources(parts[::-1]).digest()
    assert digest not in {part.digest() for part in parts}
    assert _combine_sources(parts).digest(["Ann_Example", "Bob_Case"]) == parts[0].digest()
    for part in ("description_files", "truth_files"):
        for file in (parts[1].root / part).iterdir():
            file.rename(weps1 / part / file.name)
    assert open_source(weps1).digest() == digest


@pytest.mark.parametrize("name", ["Ann_Example", "ann_example", "Ann Example"])
def test_a_name_stands_in_one_place(parts, name):
    root = parts[1].root
    (root / "description_files" / f"{name}.xml").write_text('<corpus><doc rank="0"/></corpus>')
    with pytest.raises(SourceError, match=f"names that are also in {parts[0].root}: {name}; ") as c:
        _combine_sources([parts[0], open_source(root)])
    assert c.value.where == root


def test_layouts_are_not_mixed(parts, tmp_path):
    page = tmp_path / "saved" / "Zoe Last" / "1.html"
    page.parent.mkdir(parents=True)
    page.touch()
    saved = open_source(tmp_path / "saved")
    with pytest.raises(SourceError, match=f"layout folder, but {parts[0].root} is of weps-1") as c:
        _combine_sources([*parts, saved])
    assert c.value.where == saved.root


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "attributes").mkdir()
    return tmp_path / "attributes" / "ANN_LEE.txt"


@each_case(
    ("data", "found"),
    [
        (b"", {}),
        (b"\n\r\n", {}),
        (b"2\taward\tEdgar\n2\taward\tBCA\n", {2: {"award": ("Edgar", "BCA")}}),
        (b"0\tOccupation\tDr.\tM.D.\t\r\n", {0: {"occupation": ("Dr.", "M.D.")}}),
        (b"1\tDate of birth\t1944\n1\tdateofbirth\t1944", {1: {"dateofbirth": ("1944",)}}),
        (b"7\tFAX\t1\n3\tBirthplace \tYork ", {3: {"birthplace": ("York",)}, 7: {"fax": ("1",)}}),
        (b"5\tOther name\n6\twork\t\n", {5: {}, 6: {}}),
        ("\ufeff1\twork\tÜber  uns".encode(), {1: {"work": ("Über uns",)}}),
        (b"1\twork\tcaf\xe9 \x93x\x94", {1: {"work": ("café “x”",)}}),
    ],
)
def test_lines_of_attributes(file, tmp_path, data, found):
    file.write_bytes(data)
    assert attributes_of(tmp_path, "ANN_LEE") == found


def test_attributes_of_a_corpus(file, tmp_path):
    file.write_text("1\twork\tTides")
    assert attributes_of(tmp_path, "ANN_LEE") == {1: {"work": ("Tides",)}}
    assert attributes_of(tmp_path, "BOB_RAY") is None
    faults = {
        "2\taward\tEdgar\n\nx\taward\tBCA": r"ANN_LEE\.txt, line 3: 'x' is not a rank; each line",
        "2 award Edgar": "line 1: '2 award Edgar' is not a rank",
        "2\t \tEdgar": "line 1: has no attribute; each line reads rank TAB attribute TAB value",
    }
    for text, message in faults.items():
        file.write_text(text)
        with pytest.raises(KeyFileError, match=message):
            attributes_of(tmp_path, "ANN_LEE")
