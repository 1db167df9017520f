"""Corrections, contradictions among them, their file, and their pages at other ranks."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.corrections.cases import consistent, corrections_of, described
from weps.corrections.model import (
    Correction,
    Corrections,
    FaultyLineError,
    Marked,
    PageIdentity,
    check_consistency,
    corrections_text,
    match_pages,
    page_identities,
    parse_corrections,
    parse_line,
    person_numbers,
    read_corrections,
    write_corrections,
)
from weps.errors import CorrectionsError
from weps.records import Page


def parsed(*lines: str) -> list[Correction]:
    return [parse_line(line) for line in lines]


def contradictions(corrections: list[Correction]) -> list[str]:
    try:
        check_consistency(corrections)
    except CorrectionsError as error:
        return error.what.split("; ")
    return []


@each_case(
    ("lines", "expected"),
    [
        ("same 1 2; different 3 / 4", []),
        ("same 1 4 7; different 7 / 9 1", ["7 and 1: same 1 4 7: different 7 / 1 9"]),
        (
            "different 1 / 3; same 1 2; confirm 2 / 3",
            ["1 and 3: same 1 2 + confirm 2 / 3: different 1 / 3"],
        ),
        (
            "same 1 2; same 2 3; same 3 4; same 1 9 4; different 1 / 4",
            ["1 and 4: same 1 4 9: different 1 / 4"],
        ),
        (
            "same 1 5; same 5 4; same 1 2; same 2 3; same 3 4; different 1 / 4",
            ["1 and 4: same 1 5 + same 4 5: different 1 / 4"],
        ),
        (
            "same 1 2; same 3 4; different 1 3 / 2 4",
            ["1 and 2: same 1 2: different 1 3 / 2 4", "3 and 4: same 3 4: different 1 3 / 2 4"],
        ),
        (
            "same 3 1000 2000; different 1000 3 / 2000",
            ["3 and 2000: same 3 1000 2000: different 3 1000 / 2000"],
        ),
        ("split 1 2 / 3; move 3 / 4 / 2", ["2 and 3: move 3 / 4 / 2: split 1 2 / 3"]),
    ],
)
def test_contradictions_are_listed_with_the_shortest_chain(lines, expected):
    """Expected: the pages, the chain and the line that separates them."""
    sentences = []
    for pages, chain, line in (each.split(": ") for each in expected):
        by = " and ".join(f"“{each}”" for each in chain.split(" + "))
        sentences.append(f"pages {pages} are one person by {by}, but two by “{line}”")
    assert contradictions(parsed(*lines.split("; "))) == sentences


def test_a_page_on_both_sides():
    line = Correction("different", ((4,), (4, 5)), line=3)
    assert contradictions([line]) == ["page 4 is on both sides of “different 4 / 4 5” (line 3)"]


@pytest.mark.parametrize(("found", "end"), [(20, "20”"), (21, "; and 1 more")])
def test_very_many_are_cut_short(found, end):
    lines = [f"different {rank} / {rank + 1}" for rank in range(found)]
    with pytest.raises(CorrectionsError) as caught:
        check_consistency(parsed("same " + " ".join(map(str, range(found + 1))), *lines))
    assert caught.value.what.endswith(end)


@given(consistent())
def test_persons_are_those_that_chains_of_same_make(corrections):
    person = person_numbers(corrections.entries)
    assert person.keys() == corrections.ranks
    reach = {rank: {rank} for rank in corrections.ranks}
    for _ in corrections.entries:
        for ours in corrections.same:
            whole = set().union(*(reach[rank] for rank in ours))
            for rank in whole:
                reach[rank] = whole | reach[rank]
    for one, other in combinations(sorted(corrections.ranks), 2):
        assert (person[one] == person[other]) == (other in reach[one])


@each_case(
    ("line", "same", "different"),
    [
        ("same 4 1 7", ((1, 4, 7),), ()),
        ("different 9 / 4 1", (), (((9,), (1, 4)),)),
        ("apart 9 / 4 1", (), (((9,), (1, 4)),)),
        ("threshold 0.4", (), ()),
        ("split 7 8 / 1 2", ((7, 8),), (((7, 8), (1, 2)),)),
        ("split 7 / 1", ((7,),), (((7,), (1,)),)),
        ("move 7 / 1 2 / 4 5", ((4, 5, 7),), (((7,), (1, 2)),)),
        ("confirm 1 2", ((1, 2),), ()),
        ("confirm 7 / 1 2", ((1, 2, 7),), ()),
        ("called 3 The harbour master", (), ()),
        ("join 4 1 7", ((1, 4, 7),), ()),
        ("learn", (), ()),
    ],
)
def test_what_each_kind_says(line, same, different):
    corrections = corrections_of(line)
    assert (corrections.same, corrections.different) == (same, different)


HARBOUR = """\
# Corrections for Robin Averdale. One per line; numbers are ranks of pages. \
weps writes and reads this file.
# by phone
same 1 4 7
different 1 4 / 9
called 4 The harbour master
# the end
page 1 3f2a9c1e0b77 http://harbour.example/robin
"""


def test_a_file_is_written_as_it_was_read():
    corrections = parse_corrections(HARBOUR)
    lines = ["same 1 4 7", "different 1 4 / 9", "called 4 The harbour master"]
    assert described(corrections) == lines
    assert [each.line for each in corrections.entries] == [3, 4, 5]
    assert corrections_text(corrections, "Robin Averdale") == HARBOUR


@each_case(
    "text", ["", "\n\n", "# Corrections for nobody", "\ufeff# Corrections for", "\r\n \t\r\n"]
)
def test_files_without_corrections(text):
    assert not parse_corrections(text)


def test_files_of_other_editors():
    text = "\ufeff# mine\r\n\r\n  same\t1   2  \r\n#end"
    written = corrections_text(parse_corrections(text)).splitlines()
    assert written[1:] == ["# mine", "same 1 2", "# end"]


def test_only_the_first_line_is_the_heading_of_weps():
    text = "same 1 2\n# Corrections for Ann\nsame 3 4\n# Corrections for Bob"
    assert corrections_text(parse_corrections(text)).splitlines() == [
        corrections_text(Corrections()).strip(),
        *text.split("\n"),
    ]
    assert corrections_text(Corrections()).startswith("# Corrections for a name. One per line")


def test_a_file_is_there_whole(tmp_path):
    path = tmp_path / "Robin.corrections.txt"
    write_corrections(parse_corrections(HARBOUR), path, "Robin Averdale")
    assert path.read_bytes() == HARBOUR.encode()
    assert read_corrections(path) == parse_corrections(HARBOUR)


def test_marks_are_of_pages_or_of_their_people_and_are_not_obeyed():
    lines = ["note 3 7: b", "same 1 2", "note 3: a", "tag 3: x", "note 7: b", "person-note 7: c"]
    corrections = corrections_of(*lines, "person-checked 1")
    of_pages, of_people = corrections.marks("page"), corrections.marks("person")
    assert of_pages([3]) == Marked(notes=("b", "a"), tags=("x",))
    assert of_pages([7]) == of_pages([1, 7]) == Marked(notes=("b",))
    assert of_people([1, 3, 7]) == Marked(notes=("c",), checked=True)
    assert of_people([3]) == Marked()
    assert described(corrections.obeyed) == ["same 1 2"]
    assert not corrections_of(*lines[:1]).learning().learn


def test_every_faulty_line_is_listed_at_once():
    with pytest.raises(CorrectionsError) as caught:
        parse_corrections("same 1\nsame 1 2\npage 2\ndifferent 1 / 2", "mine.txt")
    assert str(caught.value) == (
        "mine.txt: line 1: at least two pages are needed; "
        "line 3: it should read “page RANK FINGERPRINT URL”, with 12 hex digits; "
        "correct the lines, or begin them with “#” to ignore them"
    )


def test_contradictions_are_listed_with_their_lines():
    with pytest.raises(CorrectionsError) as caught:
        parse_corrections("\nsame 1 2\n# no\ndifferent 1 / 2", "mine.txt")
    assert str(caught.value) == (
        "mine.txt: pages 1 and 2 are one person by “same 1 2” (line 2), "
        "but two by “different 1 / 2” (line 4); "
        "remove one of the corrections of each contradiction"
    )


def test_very_many_faults_are_cut_short():
    with pytest.raises(CorrectionsError, match=r"line 20: .*; and 1 more; correct"):
        parse_corrections("same\n" * 21)
    with pytest.raises(CorrectionsError, match=r"line 20: [^;]*; correct"):
        parse_corrections("same\n" * 20)


def test_a_file_may_have_a_megabyte(tmp_path):
    (path := tmp_path / "x.txt").write_bytes(b"#" * (1 << 20))
    assert read_corrections(path).entries == ()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"same 1 2\n\xff\nsame 3 4\n", "line 2: this is not UTF-8 text; save it as UTF-8"),
        (b"#" * ((1 << 20) + 1), "is over 1 MB; choose the file that weps wrote"),
        (b"pages 1 2", "line 1: 'pages' is not a correction"),
        (b"\x00PK", r"line 1: '\x00PK' is not a correction"),
    ],
)
def test_files_that_are_no_corrections(tmp_path, content, message):
    (path := tmp_path / "x.txt").write_bytes(content)
    with pytest.raises(CorrectionsError) as caught:
        read_corrections(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize("name", ["none.txt", "."])
def test_files_that_cannot_be_read(tmp_path, name):
    with pytest.raises(CorrectionsError, match=r"cannot be read .*choose the file"):
        read_corrections(tmp_path / name)


@each_case(
    ("line", "written"),
    [
        ("same 4 1 4", "same 1 4"),
        ("same 1, 2,3", "same 1 2 3"),
        ("different 1/2", "different 1 / 2"),
        ("move 1 / 2 / 3 # said by phone", "move 1 / 2 / 3"),
        ("called 007 Agent #9", "called 7 Agent #9"),
        ("same 1 123456789", "same 1 123456789"),
        ("called 7 " + "a" * 200, "called 7 " + "a" * 200),
        ("threshold .50  # looser", "threshold 0.5"),
        ("threshold 0.00001", "threshold 0.00001"),
        ("threshold 1.00", "threshold 1"),
        ("note 9, 3 :  His son: see #4 / 5 ", "note 3 9: His son: see #4 / 5"),
        ("person-tag 07:chemist", "person-tag 7: chemist"),
        ("checked 3 # by phone", "checked 3"),
    ],
)
def test_lines_may_be_written_by_hand(line, written):
    assert str(parse_line(line)) == written


@each_case(
    ("line", "what"),
    [
        ("unite 1 2", "'unite' is not a correction: a line begins with same, join, different, "),
        ("\x1b[31m 1", r"'\x1b[31m' is not a correction"),
        ("same 1", "at least two pages are needed"),
        ("same 1 / 2", "it should read “same PAGES”"),
        ("same", "it should read “same PAGES”"),
        ("same 1 -2", "'-2' is not a rank of a page"),
        ("same 1 ٣", "'٣' is not a rank of a page"),
        ("same 1 1234567890", "'1234567890' is not a rank of a page"),
        ("same 1 " + "9" * 50, f"'{'9' * 50}' is not a rank of a page"),
        ("different 1 2", "it should read “different PAGES / OTHERS”"),
        ("different 1 /", "it should read “different PAGES / OTHERS”"),
        ("split 1 2 / 2 3", "page 2 is on two sides of “/”"),
        ("move 1 / 2", "it should read “move PAGES / OTHERS / TARGET”"),
        ("confirm 1", "at least two pages are needed"),
        ("called 4", "it should read “called PAGE NAME”, with the number of one page"),
        ("called Harbour master", "'Harbour' is not a rank of a page"),
        ("called 4 \u2060\u200b", "the name has no letter and no digit"),
        ("called 4 a\x07b", "the name has control characters or needless white space"),
        ("called 4 " + "a" * 201, "the name is longer than 200 characters"),
        ("note 3 He sails", "'He' is not a rank of a page"),
        ("note 3:", "it should read “note PAGES: TEXT”, with a text"),
        ("note 3 / 4: a", "it should read “note PAGES: TEXT”"),
        ("tag 3: " + "a" * 61, "the text is longer than 60 characters"),
        ("checked", "it should read “checked PAGES”"),
        ("threshold", "it should read “threshold PROBABILITY”, with a number from 0 to 1"),
        ("threshold 1.01", "it should read “threshold PROBABILITY”"),
        ("threshold 62%", "it should read “threshold PROBABILITY”"),
        ("threshold 1e-2", "it should read “threshold PROBABILITY”"),
    ],
)
def test_what_is_wrong_with_a_line(line, what):
    with pytest.raises(FaultyLineError) as caught:
        parse_line(line)
    assert str(caught.value).startswith(what)


@each_case("line", ["page 1", "page x 0123456789ab", "page 1 0123456789AB", "page 1 0123456789a"])
def test_lines_that_identify_no_page(line):
    with pytest.raises(CorrectionsError, match=r"line 1: .* “page RANK FINGERPRINT URL”"):
        parse_corrections(line)


def test_an_address_writes_no_line_of_its_own():
    mark = PageIdentity("0123456789ab", "http://a\nsame 1 2")
    assert len(corrections_text(Corrections(pages={1: mark})).splitlines()) == 2


PAGES = {rank: PageIdentity(f"{rank:012x}", f"http://{rank}.example") for rank in range(1, 10)}


def test_identities_of_pages():
    page = Page(3, "http://a.example/\n" + "x" * 900, text="text")
    (mark,) = page_identities([page]).values()
    assert mark.url.startswith("http://a.example/ xx")
    assert len(mark.url) == 500
    assert page_identities([replace(page, rank=4)]) == {4: mark}
    (cut,) = page_identities([replace(page, url="x" * 499 + " y")]).values()
    assert cut.url == "x" * 499  # as it is read from a file


def test_pages_mentioned_and_no_others_have_marks():
    lines = ("same 1 4 99", "called 5 A", f"page 7 {7:012x}")
    found, lost = match_pages(corrections_of(*lines), PAGES)
    assert found.pages == {rank: PAGES[rank] for rank in (1, 4, 5)}
    assert described(found) == ["same 1 4 99", "called 5 A"]
    assert [each[:37] for each in lost] == ["line 1: page 99 is not among the page"]


@each_case(
    ("now", "expected"),
    [
        ({1: PAGES[4], 2: PAGES[1], 3: PAGES[2]}, "same 1 2"),
        ({1: PAGES[2], 2: PAGES[4], 4: PAGES[1]}, "same 2 4"),
        # An address tells a page whose content has changed.
        ({1: replace(PAGES[1], fingerprint="f" * 12), 5: PAGES[4]}, "same 1 5"),
        ({7: replace(PAGES[1], fingerprint="f" * 12), 5: PAGES[4]}, "same 5 7"),
        # The content counts more than the address and the rank.
        ({1: replace(PAGES[1], fingerprint="f" * 12), 5: PAGES[4], 6: PAGES[1]}, "same 5 6"),
    ],
)
def test_pages_are_found_at_other_ranks(now, expected):
    before, _ = match_pages(corrections_of("same 1 4"), PAGES)
    found, lost = match_pages(before, now)
    assert (described(found), lost) == ([expected], ())
    assert found.pages == {rank: now[rank] for rank in found.ranks}


def test_equal_pages_keep_their_order():
    twin = PageIdentity("a" * 12)
    before, _ = match_pages(corrections_of("different 1 / 2"), {1: twin, 2: twin})
    assert described(match_pages(before, {1: twin, 2: twin})[0]) == ["different 1 / 2"]
    assert described(match_pages(before, {2: twin, 5: twin})[0]) == ["different 5 / 2"]
    found, lost = match_pages(before, {9: twin})
    assert described(found) == ["different 9 / 2"]
    assert len(lost) == 1


def test_an_address_of_several_pages_identifies_none():
    before, _ = match_pages(corrections_of("same 1 2"), {1: PAGES[1], 2: PAGES[2]})
    other = replace(PAGES[1], fingerprint="f" * 12)
    now = {2: PAGES[2], 3: other, 4: replace(other, fingerprint="e" * 12)}
    assert [sentence[:14] for sentence in match_pages(before, now)[1]] == ["line 1: page 1"]


def test_a_page_that_is_gone_waits():
    before, _ = match_pages(corrections_of("", "same 1 4", "called 4 A"), PAGES)
    now = {1: PAGES[1], 4: PAGES[5]}
    found, lost = match_pages(before, now)
    assert lost == (
        "line 2: page 4 (http://4.example) is not among the pages; "
        "the correction is kept but has no effect: bring the page back, or remove the line",
    )
    assert described(found) == ["same 1 5", "called 5 A"]  # another page is fourth now
    assert found.pages == {1: PAGES[1], 5: PAGES[4]}
    again, lost = match_pages(parse_corrections(corrections_text(found)), PAGES)
    assert (described(again), lost) == (["same 1 4", "called 4 A"], ())


def test_of_several_pages_that_are_gone_each_waits_under_a_rank_of_its_own():
    before = corrections_of("same 1 5", f"page 1 {'f' * 12}")
    found, lost = match_pages(before, {rank: PAGES[rank] for rank in (1, 2, 3, 4)})
    assert (described(found), len(lost)) == (["same 5 6"], 2)


@each_case("line", ["same 1 3", "different 3 / 1", "move 1 / 2 / 3"])
def test_an_old_rank_and_a_new_one_of_the_same_page(line):
    # The page that was first is third now, and whoever wrote the line says 3 of it as well.
    before = corrections_of("", line, f"page 1 {1:012x}")
    with pytest.raises(CorrectionsError) as caught:
        match_pages(before, {1: PAGES[2], 2: PAGES[3], 3: PAGES[1]}, "mine.txt")
    assert str(caught.value) == (
        "mine.txt: line 2: ranks 3 and 1 mean the same page, which was 1 before; "
        "remove one of them from the line"
    )


@given(consistent(), st.permutations(range(15)))
def test_ranks_may_change_and_change_back(corrections, order):
    pages = {rank: PageIdentity(f"{rank:012x}") for rank in range(15)}
    there, lost = match_pages(replace(corrections, pages={}), pages)
    assert lost == ()
    assert there.entries == corrections.entries
    moved = {order[rank]: mark for rank, mark in pages.items()}
    away, _ = match_pages(there, moved)
    assert away.ranks == {order[rank] for rank in there.ranks}
    assert match_pages(away, pages)[0] == there
    assert match_pages(away, moved)[0] == away


@given(consistent(), st.sets(st.integers(0, 12)))
def test_nothing_is_lost_while_pages_are_gone(corrections, gone):
    pages = {rank: PageIdentity(f"{rank:012x}") for rank in range(13)}
    there, _ = match_pages(replace(corrections, pages={}), pages)
    away, lost = match_pages(
        there, {rank: mark for rank, mark in pages.items() if rank not in gone}
    )
    assert len(lost) == len(gone & there.ranks)
    assert match_pages(away, pages) == (there, ())
