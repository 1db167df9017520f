import json
import re
from pathlib import Path

import pytest
from hypothesis import given

from tests.weps.builders import unhurried
from tests.weps.key_terms.builders import documents, occurrences
from weps.errors import OutputError, SourceError, ValuesError
from weps.key_terms import Reference
from weps.resources import resource

TWO = occurrences("haiti troops haiti", "the troops", "tide")


def told(reference):
    return dict(reference.words), reference.size, reference.documents


def test_words_are_counted_over_documents():
    assert told(Reference.of(TWO)) == ({"haiti": (2, 1), "tide": (1, 1), "troops": (2, 2)}, 5, 3)


@pytest.mark.parametrize("rows", [[1, 2], [2, 1], (1, 2, 2)])
def test_some_documents_are_counted_without_the_words_of_others(rows):
    assert told(Reference.of(TWO, rows)) == ({"tide": (1, 1), "troops": (1, 1)}, 2, 2)


def test_words_are_looked_up_in_the_order_asked_for():
    counts, files = Reference.of(TWO).of_words(("troops", "absent", "haiti"))
    assert (counts.tolist(), files.tolist()) == ([2, 0, 2], [2, 0, 1])
    assert [each.shape for each in Reference.of(TWO).of_words(())] == [(0,), (0,)]


@unhurried
@given(documents)
def test_what_is_added_can_be_taken_away(texts):
    found = occurrences(*texts)
    first, rest = Reference.of(found, [0]), Reference.of(found, range(1, len(texts)))
    assert told(first + rest) == told(rest + first) == told(Reference.of(found))
    assert told(Reference.of(found) - first) == told(rest)
    assert told(Reference.of(found) - Reference.of(found)) == ({}, 0, 0)


def test_nothing_is_taken_away_that_was_not_there():
    with pytest.raises(ValuesError, match="'tide' occurs more often in a part"):
        Reference.of(TWO, [0, 1]) - Reference.of(TWO)
    with pytest.raises(ValuesError, match="'tide' occurs more often in a part"):
        Reference({"tide": (5, 1)}, 5, 1) - Reference({"tide": (4, 2)}, 4, 2)


def test_words_of_few_collections_are_left_out_but_counted():
    parts = [Reference.of(occurrences(text)) for text in ("sea tide tide", "sea", "tide gale")]
    joined = Reference.joined(parts, fewest=2)
    assert told(joined) == ({"sea": (2, 2), "tide": (3, 2)}, 6, 3)
    assert told(Reference.joined([])) == ({}, 0, 0)


def test_a_collection_is_read_as_it_was_written(tmp_path):
    kept = Reference({"láminas": (3, 2)}, 10, 4, {"layout": "folder"})
    kept.write(tmp_path / "words.json")
    again = Reference.read(tmp_path / "words.json")
    assert (told(again), again.made_from) == (told(kept), {"layout": "folder"})


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"words": {"a": 1}}', '{"words": {"a": [1, "b"]}, "size": 1}']
)
def test_another_file_is_no_collection(tmp_path, text):
    (tmp_path / "words.json").write_text(text)
    with pytest.raises(SourceError, match="no reference collection"):
        Reference.read(tmp_path / "words.json")


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(OutputError, match="cannot be written"):
        Reference.of(TWO).write(tmp_path / "absent" / "words.json")


def test_the_packaged_collection_holds_what_its_words_allow():
    packaged = Reference.packaged()
    assert Reference.packaged() is packaged
    counts, files = packaged.of_words(tuple(packaged.words))
    assert (files >= packaged.made_from["fewest_names"]).all()
    assert (counts >= files).all()
    assert counts.sum() < packaged.size
    assert files.max() <= packaged.documents
    assert all(word == word.lower() for word in packaged.words)


def test_the_packaged_collection_is_small_and_as_described():
    path = resource("reference/english.json")
    assert path.stat().st_size < 1_000_000
    packaged = json.loads(path.read_text("utf-8"))
    described = (
        Path(resource("README.md"))
        .read_text("utf-8")
        .partition("## reference/")[2]
        .partition("\n## ")[0]
    )
    numbers = {number.replace(",", "") for number in re.findall(r"\d[\d,]*", described)}
    parts = len(packaged["words"]), packaged["documents"], packaged["size"]
    assert {*map(str, parts), str(packaged["made_from"]["names"])} <= numbers
