from pathlib import Path

import pytest

from eval.benchmark.attributes import attributes_of, read_attributes
from weps.errors import KeyFileError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "attributes").mkdir()
    return tmp_path / "attributes" / "ANN_LEE.txt"


@pytest.mark.parametrize(
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
def test_lines_of_attributes(file, data, found):
    file.write_bytes(data)
    assert read_attributes(file) == found


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("2\taward\tEdgar\n\nx\taward\tBCA", r"ANN_LEE\.txt, line 3: 'x' is not a rank; each line"),
        ("2 award Edgar", "line 1: '2 award Edgar' is not a rank"),
        ("2\n", "line 1: has no attribute; each line reads rank TAB attribute TAB value"),
        ("2\t \tEdgar", "line 1: has no attribute"),
        ("\taward\tEdgar", "line 1: '' is not a rank"),
    ],
)
def test_a_faulty_line_is_named(file, data, message):
    file.write_text(data)
    with pytest.raises(KeyFileError, match=message):
        read_attributes(file)


def test_attributes_of_a_corpus(file, tmp_path):
    file.write_text("1\twork\tTides")
    assert attributes_of(tmp_path, "ANN_LEE") == {1: {"work": ("Tides",)}}
    assert attributes_of(tmp_path, "BOB_RAY") is None


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(KeyFileError, match="cannot be read"):
        read_attributes(tmp_path / "nothing.txt")


@pytest.mark.parametrize(("corpus", "names"), [("weps-1/training", 12), ("weps-2", 15)])
def test_official_files(weps_data, corpus, names):
    files = sorted((weps_data / "corpora" / corpus / "attributes").glob("*.txt"))
    assert len(files) == names
    assert all(read_attributes(file) for file in files)
