"""Several sources as one; mixed names: which pages, whose key, no trace of the original names."""

import pickle
from pathlib import Path

import pytest

from tests.cases import each_case
from weps.errors import SourceError
from weps.records import Page
from weps.sources.base import Source
from weps.sources.opening import open_source
from weps_eval.benchmark.sources import (
    MixedSource,
    combine_sources,
    mix_names,
    name_replacer,
)

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


def test_the_recipe_depends_on_the_seed_and_not_on_the_order_of_names(corpus):
    recipes = [mix_names(corpus, corpus.names, 5, seed) for seed in (0, 0, 1)]
    assert recipes[0] == recipes[1] == mix_names(corpus, corpus.names[::-1], 5, 0)
    assert recipes[0].pages != recipes[2].pages
    assert recipes[0].name != recipes[2].name
    # The pages of a small mixed name are among those of a larger one.
    assert set(recipes[0].pages) < set(mix_names(corpus, corpus.names, 7, 0).pages)


def test_the_key_is_the_union_of_the_keys(corpus):
    source = MixedSource.of(corpus, [mix_names(corpus, corpus.names, 8)])
    (name,) = source.names
    (mixed,) = source.mixed
    assert name.startswith(f"{mixed.name.replace(' ', '_')}_8_")
    key, owner = source.key(name), dict(enumerate(mixed.pages, start=1))
    assert source.ranks(name) == tuple(owner)
    groups = {frozenset(owner[rank] for rank in group) for group in key.groups}
    assert groups == {
        frozenset({("Ann_Lee", 0), ("Ann_Lee", 2)}),
        frozenset({("Ann_Lee", 1)}),
        frozenset({("Bob_Cox", 0), ("Bob_Cox", 1)}),
        frozenset({("Carl_Day", 0)}),
    }
    assert [owner[rank] for rank in key.discarded] == [("Ann_Lee", 3)]
    assert source.warnings(name) == ()
    assert (source.layout, mixed.sources) == ("weps-1", frozenset(corpus.names))


def test_pages_carry_the_invented_name_at_their_new_rank(corpus):
    mixed = mix_names(corpus, ["Ann_Lee", "Bob_Cox"], 7)
    source = pickle.loads(pickle.dumps(MixedSource.of(corpus, [mixed])))  # noqa: S301
    search = source.search(mixed.identifier)
    assert search.name == mixed.name
    assert [page.rank for page in search.pages] == list(source.ranks(mixed.identifier))
    for page, (_, rank) in zip(search.pages, mixed.pages, strict=True):
        assert page.read_content() == f"<p>{mixed.name} {rank}".encode()
        assert page.url == f"http://x.example/{mixed.name.lower().replace(' ', '_')}/{rank}"


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
    rename = name_replacer("Thomas Baker", "Mary Smith")
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
    both = combine_sources(parts)
    assert both.names == ("Abe_Other", "Ann_Example", "Bob_Case")
    assert both.layout == "weps-1"
    assert both.ranks("ann example") == (0, 1, 2)
    assert combine_sources(parts[:1]) is parts[0]
    for part in parts:
        for name in part.names:
            assert both.search(name) == part.search(name)
            assert both.ranks(name) == part.ranks(name)
            assert both.key(name) == part.key(name)
            assert both.warnings(name) == part.warnings(name)
    assert both.warnings("Abe_Other") != both.warnings("Ann_Example") == ()


def test_an_unknown_name_is_sought_in_all_of_them(parts, tmp_path):
    with pytest.raises(SourceError, match=r"did you mean Abe_Other.*Abe_Other, Ann_Ex") as caught:
        combine_sources(parts).ranks("Abe Othr")
    assert caught.value.where == tmp_path


def test_the_digest_is_that_of_one_corpus_with_all_names(parts, weps1):
    digest = combine_sources(parts).digest()
    assert digest == combine_sources(parts[::-1]).digest()
    assert digest not in {part.digest() for part in parts}
    assert combine_sources(parts).digest(["Ann_Example", "Bob_Case"]) == parts[0].digest()
    for part in ("description_files", "truth_files"):
        for file in (parts[1].root / part).iterdir():
            file.rename(weps1 / part / file.name)
    assert open_source(weps1).digest() == digest


@pytest.mark.parametrize("name", ["Ann_Example", "ann_example", "Ann Example"])
def test_a_name_stands_in_one_place(parts, name):
    root = parts[1].root
    (root / "description_files" / f"{name}.xml").write_text('<corpus><doc rank="0"/></corpus>')
    with pytest.raises(SourceError, match=f"names that are also in {parts[0].root}: {name}; ") as c:
        combine_sources([parts[0], open_source(root)])
    assert c.value.where == root


def test_layouts_are_not_mixed(parts, tmp_path):
    page = tmp_path / "saved" / "Zoe Last" / "1.html"
    page.parent.mkdir(parents=True)
    page.touch()
    saved = open_source(tmp_path / "saved")
    with pytest.raises(SourceError, match=f"layout folder, but {parts[0].root} is of weps-1") as c:
        combine_sources([*parts, saved])
    assert c.value.where == saved.root
