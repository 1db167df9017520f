import pickle
from pathlib import Path

import pytest

from weps.errors import SourceError
from weps.sources import Source, joined, open_source
from weps.sources.joined import Joined

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


def test_every_name_is_read_where_it_stands(parts: list[Source]) -> None:
    both = joined(parts)
    assert both.names == ("Abe_Other", "Ann_Example", "Bob_Case")
    assert both.layout == "weps-1"
    for part in parts:
        for name in part.names:
            assert both.search(name) == part.search(name)
            assert both.ranks(name) == part.ranks(name)
            assert both.key(name) == part.key(name)
            assert both.warnings(name) == part.warnings(name)
    assert both.warnings("Abe_Other") != both.warnings("Ann_Example") == ()


def test_names_are_found_as_people_write_them(parts: list[Source]) -> None:
    assert joined(parts).search("abe other").name == "Abe Other"
    assert joined(parts).ranks("ann example") == (0, 1, 2)


def test_an_unknown_name_is_sought_in_all_of_them(parts: list[Source], tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"did you mean Abe_Other.*Abe_Other, Ann_Ex") as caught:
        joined(parts).ranks("Abe Othr")
    assert caught.value.where == tmp_path


def test_the_digest_is_that_of_one_corpus_with_all_names(parts: list[Source], weps1: Path) -> None:
    digest = joined(parts).digest()
    assert digest == joined(parts[::-1]).digest()
    assert digest not in {part.digest() for part in parts}
    assert joined(parts).digest(["Ann_Example", "Bob_Case"]) == parts[0].digest()
    for part in ("description_files", "truth_files"):
        for file in (parts[1].root / part).iterdir():
            file.rename(weps1 / part / file.name)
    assert open_source(weps1).digest() == digest


def test_one_alone_stays_what_it_is(parts: list[Source]) -> None:
    assert joined(parts[:1]) is parts[0]


def test_it_travels_to_other_processes(parts: list[Source]) -> None:
    both = joined(parts)
    assert isinstance(both, Joined)
    assert pickle.loads(pickle.dumps(both)) == both  # noqa: S301  # joblib's own way


@pytest.mark.parametrize("name", ["Ann_Example", "ann_example", "Ann Example"])
def test_a_name_stands_in_one_place(parts: list[Source], name: str) -> None:
    root = parts[1].root
    (root / "description_files" / f"{name}.xml").write_text('<corpus><doc rank="0"/></corpus>')
    with pytest.raises(
        SourceError, match=f"names that stand in {parts[0].root} too: {name}; "
    ) as c:
        joined([parts[0], open_source(root)])
    assert c.value.where == root


def test_a_source_given_twice_is_refused_wherever_it_stands(parts: list[Source]) -> None:
    with pytest.raises(SourceError, match=": Ann_Example, Bob_Case; "):
        joined([parts[0], parts[1], parts[0]])


def test_layouts_are_not_mixed(parts: list[Source], tmp_path: Path) -> None:
    page = tmp_path / "saved" / "Zoe Last" / "1.html"
    page.parent.mkdir(parents=True)
    page.touch()
    saved = open_source(tmp_path / "saved")
    with pytest.raises(SourceError, match=f"layout folder, but {parts[0].root} is of weps-1") as c:
        joined([*parts, saved])
    assert c.value.where == saved.root


def test_messages_name_the_innermost_folder_around_all(parts: list[Source], tmp_path: Path) -> None:
    assert joined(parts).root == tmp_path
