import pytest

from weps.corrections import PageMark
from weps.corrections.lines import FaultyLineError, page_line, parse, parse_page


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("same 4 1 4", "same 1 4"),
        ("same 1, 2,3", "same 1 2 3"),
        ("different 1/2", "different 1 / 2"),
        ("move 1 / 2 / 3 # said by phone", "move 1 / 2 / 3"),
        ("called 007 Agent #9", "called 7 Agent #9"),
        ("same 1 123456789", "same 1 123456789"),
        ("called 7 " + "a" * 200, "called 7 " + "a" * 200),
    ],
)
def test_lines_may_be_written_by_hand(line, written):
    assert str(parse(line)) == written


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("join 1 2", "“join” is no correction: a line begins with same, different, split, move, "),
        ("\x1b[31m 1", "“?[31m” is no correction"),
        ("same 1", "it takes two pages at least to be one person"),
        ("same 1 1", "it takes two pages at least to be one person"),
        ("same 1 / 2", "it should read “same PAGES”"),
        ("same", "it should read “same PAGES”"),
        ("same 1 -2", "“-2” is no rank of a page"),
        ("same 1 2.0", "“2.0” is no rank of a page"),
        ("same 1 ٣", "“٣” is no rank of a page"),
        ("same 1 1234567890", "“1234567890” is no rank of a page"),
        ("pages 1 2", "“pages” is no correction"),
        ("same 1 " + "9" * 50, f"“{'9' * 40}…” is no rank of a page"),
        ("different 1 2", "it should read “different PAGES / OTHERS”"),
        ("different 1 /", "it should read “different PAGES / OTHERS”"),
        ("split 1 2 / 2 3", "page 2 stands on two sides of “/”"),
        ("move 1 / 2", "it should read “move PAGES / OTHERS / TARGET”"),
        ("confirm 1", "it takes two pages at least to be one person"),
        ("called 4", "it should read “called PAGE NAME”, with the number of one page"),
        ("called Harbour master", "“Harbour” is no rank of a page"),
        ("called 4 \u2060\u200b", "the name has no letter and no digit"),
        ("called 4 ???", "the name has no letter and no digit"),
        ("called 4 a\x07b", "the name has control characters or needless white space"),
        ("called 4 " + "a" * 201, "the name is longer than 200 characters"),
    ],
)
def test_what_is_wrong_with_a_line(line, what):
    with pytest.raises(FaultyLineError) as caught:
        parse(line)
    assert str(caught.value).startswith(what)


@pytest.mark.parametrize("url", ["", "http://a.example/x#y", "http://a.example/a b"])
def test_a_page_is_read_as_it_was_written(url):
    mark = PageMark("0123456789ab", url)
    assert parse_page(page_line(7, mark)) == (7, mark)


@pytest.mark.parametrize(
    "line", ["page", "page 1", "page x 0123456789ab", "page 1 0123456789AB", "page 1 0123456789a"]
)
def test_no_page(line):
    with pytest.raises(FaultyLineError, match="page RANK FINGERPRINT URL"):
        parse_page(line)


def test_an_address_writes_no_line_of_its_own():
    assert "\n" not in page_line(1, PageMark("0123456789ab", "http://a\nsame 1 2"))
