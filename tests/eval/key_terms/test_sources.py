from __future__ import annotations

import zipfile
from statistics import mean

import pytest

from tests.eval.cli.conftest import write_weps2
from weps._text import split_words
from weps.errors import SourceError
from weps.language.analysis import Layer
from weps.reading import PageForm, Reader
from weps.records import Clustering, Page, Search
from weps.sources.opening import open_source
from weps_eval.key_terms import sources
from weps_eval.key_terms.concepts import study_topics
from weps_eval.text.phrases import key_phrases
from weps_eval.text.topic import porter_stem

TEXTS = {
    "sea-1": ("The harbour closed.\nShips waited.", "harbour\nships\n"),
    "sea-2": ("The harbour opened again.", "  the harbour\nnets\n\n"),
    "bread-7": ("The oven burned.", "oven\n"),
}


def archive(path, texts, broken=()):
    with zipfile.ZipFile(path, "w") as file:
        for name, (text, keys) in texts.items():
            file.writestr(f"set/docsutf8/{name}.txt", text)
            if name not in broken:
                file.writestr(f"set/keys/{name}.key", keys)
    return path


def test_documents_with_their_phrases(tmp_path):
    articles = sources._articles_of(archive(tmp_path / "a.zip", TEXTS, broken=["bread-7"]))
    assert [each.name for each in articles] == ["sea-1", "sea-2"]
    assert articles[1].phrases == ("the harbour", "nets")


def test_sections_are_read_together_and_loose_documents_in_parts(tmp_path):
    loose = {str(number): ("A text.", "text") for number in range(205)}
    articles = sources._articles_of(archive(tmp_path / "a.zip", TEXTS | loose))
    found = [(name, len(each)) for name, each in sources._sections_of(articles)]
    assert found == [("bread", 1), ("sea", 2), ("", 100), ("", 100), ("", 5)]


def test_a_section_is_a_topic_whose_concepts_are_shared(tmp_path):
    articles = sources._articles_of(archive(tmp_path / "a.zip", TEXTS))
    batch = sources._read_section(sources._sections_of(articles)[1], Reader())
    topics = {each.title: each for each in study_topics([batch])}
    assert sorted(topics) == ["sea", "sea-1", "sea-2"]
    sea = topics["sea"]
    assert (sea.kind, len(sea.rows), len(sea.concepts)) == ("sections", 2, 1)
    assert sea.curves["tf"].recall_at(1) == 1
    assert len(topics["sea-1"].concepts) == 2
    assert topics["sea-1"].places["-1"].hits == 2


def test_what_is_no_archive_of_key_phrases(tmp_path, monkeypatch):
    (tmp_path / "b.zip").write_text("no zip")
    for path, what in (
        (tmp_path / "b.zip", "cannot be read"),
        (tmp_path / "missing.zip", "cannot be read"),
        (archive(tmp_path / "c.zip", {}), "no document"),
    ):
        with pytest.raises(SourceError, match=what):
            sources._articles_of(path)
    monkeypatch.setattr("weps_eval.key_terms.sources._MAX_BYTES", 10)
    with pytest.raises(SourceError, match="more than 10 bytes"):
        sources._articles_of(archive(tmp_path / "a.zip", TEXTS))


@pytest.mark.parametrize(
    "compression",
    [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA],
)
def test_a_damaged_archive(tmp_path, compression):
    """Its index is whole, with other bytes where its first file should be."""
    path, name = tmp_path / "a.zip", "docsutf8/sea-1.txt"
    with zipfile.ZipFile(path, "w", compression) as file:
        file.writestr(name, "The harbour closed. Ships waited. " * 9)
        file.writestr("keys/sea-1.key", "harbour\n")
    data, begin = path.read_bytes(), 30 + len(name)
    path.write_bytes(data[:begin] + b"\xff" * 30 + data[begin + 30 :])
    with pytest.raises(SourceError, match="cannot be read"):
        sources._articles_of(path)


@pytest.mark.parametrize(
    ("local", "central", "value"),
    [pytest.param(6, 8, 1, id="encrypted"), pytest.param(8, 10, 99, id="unknown compression")],
)
def test_an_archive_that_python_cannot_unpack(tmp_path, local, central, value):
    path = archive(tmp_path / "a.zip", TEXTS)
    data = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", local), (b"PK\x01\x02", central)):
        data[data.index(mark) + place] = value
    path.write_bytes(data)
    with pytest.raises(SourceError, match="cannot be read"):
        sources._articles_of(path)


KEY = Clustering((frozenset({1, 3, 5}), frozenset({2, 4})), labels=("BAKER IN LOVELL", ""))


def read(root, fewest, monkeypatch):
    source = open_source(write_weps2(root, ("ADA_LOVELL",), ("ADA_LOVELL",)))
    (root / "attributes").mkdir()
    (root / "attributes" / "ADA_LOVELL.txt").write_text(
        "1\tOccupation\tBaker\tMaster baker\n2\tSchool\tBread School of Lovell\n"
        "3\tPhone\tcall me\n6\tWork\tElsewhere\n"
    )
    monkeypatch.setattr(type(source), "key", lambda *_: KEY)
    reading = {"form": PageForm.TOKENS, "reader": Reader(), "fewest": fewest}
    _, topics = sources.people_of("ADA_LOVELL", source=source, **reading)
    return topics


def test_attributes_and_labels_are_key_concepts(tmp_path, monkeypatch):
    topics = {(each.kind, each.title[-1]): each for each in read(tmp_path, 2, monkeypatch)}
    assert {key: set(map(frozenset, each.concepts)) for key, each in topics.items()} == {
        ("labels", "1"): {frozenset({"baker"})},
        ("attributes", "1"): {frozenset({"baker"}), frozenset({"master", "baker"})},
        ("attributes", "2"): {frozenset({"bread", "school"})},
    }
    assert topics["labels", "1"].rows == (0, 2, 4)


def test_who_has_too_few_pages_is_no_topic(tmp_path, monkeypatch):
    assert {each.title for each in read(tmp_path, 3, monkeypatch)} == {"ADA LOVELL 1"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("archive", "least"), [("Inspec.zip", 0.25), ("500N-KPCrowd-v1.1.zip", 0.15)]
)
def test_key_phrases_are_as_good_as_the_study_of_key_terms_says(weps_data, archive, least):
    """F1 of the first ten of sixty documents, the same after stemming."""
    articles = sources._articles_of(weps_data / "text" / "keyterms" / archive)
    sample = articles[:: len(articles) // 60][:60]
    pages = tuple(Page(rank, text=each.text) for rank, each in enumerate(sample, start=1))
    analysis = Reader().read(Search("", pages), PageForm.PAGES, {Layer.TAGS})
    scores = []
    for row, each in enumerate(sample):
        found, named = (
            {tuple(map(porter_stem, split_words(phrase))) for phrase in phrases}
            for phrases in (dict(key_phrases(analysis, [row], most=10)), each.phrases)
        )
        scores.append(2 * len(named & found) / (len(found) + len(named)))
    assert mean(scores) > least
