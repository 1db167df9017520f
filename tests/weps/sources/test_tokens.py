import pytest

from weps.errors import SourceError
from weps.sources.tokens import read_tokens


@pytest.fixture
def tokens_of(tmp_path):
    def write(data: bytes) -> dict[int, str]:
        path = tmp_path / "tokens.txt"
        path.write_bytes(data)
        return read_tokens(path)

    return write


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        (b"", {}),
        (b"\n", {}),
        (b"001\t0\ta b\n004\t1\t\n", {1: "a b", 4: ""}),
        (b"001\t0\ta b\r\n004\t1\tc\r\n", {1: "a b", 4: "c"}),
        ("\ufeff001\t0\té\x85\u2028ü".encode(), {1: "é\x85\u2028ü"}),
        (b"001\t0\ta\xff", {1: "a\ufffd"}),
    ],
)
def test_lines_of_tokens(tokens_of, data, texts):
    assert tokens_of(data) == texts


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"001\t0\ta\n\n002\t0\tb", r"tokens\.txt, line 2: has 1 of 3 columns; each line reads"),
        (b"001\ta", "line 1: has 2 of 3 columns"),
        (b"001\t0\ta\tb", "line 1: has 4 of 3 columns"),
        (b"001\t0\ta\nx\t0\tb", "line 2: 'x' is not a rank"),
        (b"001\t0\ta\n1\t0\tb", "line 2: rank 1 for the second time"),
    ],
)
def test_malformed_lines(tokens_of, data, message):
    with pytest.raises(SourceError, match=message):
        tokens_of(data)
