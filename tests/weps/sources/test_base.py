import os
import pickle
from unittest.mock import Mock

import pytest

from tests.cases import each_case
from weps.errors import SourceError
from weps.records import Page
from weps.sources import base
from weps.sources.base import (
    SavedContent,
    as_identifier,
    as_name,
    load_page,
    select_names,
)
from weps.sources.opening import open_source


def test_the_digest_ignores_pages_and_the_order_of_entities(plant, weps1):
    before = open_source(weps1).digest()
    assert len(before) == 12
    assert open_source(weps1).digest(["bob case", "Ann_Example"]) == before
    assert open_source(weps1).digest(["Bob_Case"]) != before
    plant(
        {
            "web_pages/Ann_Example/raw/000/index.html": "another page",
            "truth_files/Ann_Example.clust.xml": '<clustering><entity><doc rank="1"/></entity>'
            '<entity><doc rank="0"/></entity><discarded><doc rank="2"/></discarded></clustering>',
        }
    )
    assert open_source(weps1).digest() == before


KEYS = [
    f"<clustering>{part}</clustering>"
    for part in ("", '<entity><doc rank="1"/></entity>', '<discarded><doc rank="1"/></discarded>')
]


def test_the_digest_changes_with_the_key_and_with_the_results(plant, weps1):
    digests = {open_source(weps1).digest()}
    plant({"description_files/Bob_Case.xml": '<corpus><doc rank="1"/></corpus>'})
    digests.add(open_source(weps1).digest())
    for key in KEYS:
        plant({"truth_files/Bob_Case.clust.xml": key})
        digests.add(open_source(weps1).digest())
    assert len(digests) == 2 + len(KEYS)


def test_a_source_travels_to_other_processes(weps1, weps2):
    for root in (weps1, weps2):
        source = open_source(root)
        assert pickle.loads(pickle.dumps(source)) == source  # noqa: S301  # joblib's own way


def test_the_first_place_that_exists_is_read(tmp_path):
    (tmp_path / "b").write_bytes(b"B")
    (tmp_path / "c").write_bytes(b"C")
    page = load_page(Page(3, url="u"), [tmp_path / letter for letter in "abc"], tmp_path)
    content = SavedContent(tmp_path / "b", tmp_path)
    assert page == Page(3, url="u", content=content, file=str(tmp_path / "b"))
    assert page.read_content() == b"B"
    (tmp_path / "b").unlink()
    (tmp_path / "b").symlink_to("/etc/hostname")
    with pytest.raises(OSError, match="link"):
        page.read_content()
    assert load_page(Page(3), [tmp_path / "no"], tmp_path) == Page(3)


def test_what_is_read_is_bounded_and_no_pipe(tmp_path):
    with (tmp_path / "a").open("wb") as file:
        file.truncate(base.MAX_PAGE_BYTES + 1)
    page = load_page(Page(0), [tmp_path / "a"], tmp_path)
    assert len(page.read_content() or b"") == base.MAX_PAGE_BYTES
    os.mkfifo(tmp_path / "pipe")
    problem = load_page(Page(0), [tmp_path / "pipe"], tmp_path).problem
    assert problem == f"{tmp_path / 'pipe'}: cannot be read (a pipe or a device, not a file)"


def test_a_page_without_permission(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(b"secret")
    refuse = Mock(side_effect=PermissionError(13, "Permission denied"))
    monkeypatch.setattr(base, "open_file", refuse)
    page = load_page(Page(0), [tmp_path / "a"], tmp_path)
    assert page == Page(0, problem=f"{tmp_path / 'a'}: cannot be read (Permission denied)")


@pytest.fixture
def source(plant):
    return open_source(
        plant({f"{name}/1.html": "x" for name in ("Thomas_Baker", "AMANDA_LENTZ", "José Núñez")})
    )


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        (["Thomas Baker"], ("Thomas_Baker",)),
        (["thomas_baker", "Thomas_Baker", "THOMAS  BAKER"], ("Thomas_Baker",)),
        (['"Amanda Lentz"', "Thomas Baker"], ("AMANDA_LENTZ", "Thomas_Baker")),
        (["jose\u0301 nu\u0301n\u0303ez"], ("José_Núñez",)),
        ([], ("AMANDA_LENTZ", "José_Núñez", "Thomas_Baker")),
    ],
)
def test_names_are_found_however_they_are_typed(source, typed, found):
    assert select_names(source, typed) == found


def test_names_that_differ_in_case_alone_are_told_apart_or_not_taken(plant):
    source = open_source(plant({f"{name}/1.html": "x" for name in ("Tom_Linton", "TOM_LINTON")}))
    assert select_names(source, ["Tom Linton", "TOM LINTON"]) == ("Tom_Linton", "TOM_LINTON")
    with pytest.raises(SourceError, match="may be any of TOM_LINTON, Tom_Linton; give"):
        select_names(source, ["tom linton"])


def test_all_unknown_names_stand_in_one_error(source):
    with pytest.raises(SourceError) as caught:
        select_names(source, ["tomas baker", "Thomas Baker", "Zzz"])
    assert str(caught.value) == (
        f"{source.root}: no results for 'tomas baker' (did you mean 'Thomas_Baker'?); 'Zzz'; "
        "the names here are AMANDA_LENTZ, José_Núñez, Thomas_Baker"
    )


@pytest.mark.parametrize("method", ["search", "ranks", "key", "warnings"])
def test_every_method_refuses_an_unknown_name(source, method):
    with pytest.raises(SourceError, match="no results for"):
        getattr(source, method)("../../etc")


@each_case(
    ("name", "identifier", "written"),
    [
        ("Thomas Baker", "Thomas_Baker", "Thomas Baker"),
        ("Thomas_Baker", "Thomas_Baker", "Thomas Baker"),
        (" Ann  O'Neill ", "Ann_O'Neill", "Ann O'Neill"),
        ('"AMANDA LENTZ"', "AMANDA_LENTZ", "AMANDA LENTZ"),
        ("../a/b:c", "a_b_c", "../a/b:c"),
        ("J. R. Smith, Jr.", "J._R._Smith,_Jr", "J. R. Smith, Jr."),
        ("__", "", ""),
    ],
)
def test_identifiers_and_names(name, identifier, written):
    assert as_identifier(name) == identifier
    assert as_name(name) == written
