import pytest

from weps.errors import SourceError
from weps.records import Page
from weps.sources.listings import read_result_list, read_tokens, with_title_and_snippet_swapped


@pytest.fixture
def results_of(tmp_path):
    def write(text: str):
        path = tmp_path / "results.xml"
        path.write_text(text, encoding="utf-8")
        return read_result_list(path)

    return write


@pytest.mark.parametrize(
    ("attribute", "name"),
    [
        ('search_string="Thomas Baker"', "Thomas Baker"),
        ('searchString="&quot;AMANDA LENTZ&quot;"', "AMANDA LENTZ"),
        ('searchString="&#8220;Cheng Niu&#8221;"', "Cheng Niu"),
        ("", ""),
    ],
)
def test_the_name_is_written_without_quotes_in_the_case_given(results_of, attribute, name):
    assert results_of(f"<corpus {attribute}/>").name == name


@pytest.mark.parametrize(
    ("stored", "plain"),
    [
        ("A &amp;amp; B", "A & B"),
        ("A &amp; B", "A & B"),
        ("Ann&amp;#39;s &amp;quot;page&amp;quot;", 'Ann\'s "page"'),
        ("a &amp;gt; b", "a > b"),
        ("Q&amp;copy R", "Q&copy R"),
        ("site.example/&lt;b&gt;ann&lt;/b&gt;.html", "site.example/ann.html"),
        ("site.example/&amp;lt;B&amp;gt;ann&amp;lt;/B&amp;gt;.html", "site.example/ann.html"),
        ("one&lt;br&gt;two", "one two"),
        ("Ann &lt;ann@host.example&gt;", "Ann <ann@host.example>"),
        (" two\n\t lines ", "two lines"),
        ("x &amp;unknown; y", "x &unknown; y"),
    ],
)
def test_titles_and_snippets_are_plain_text(results_of, stored, plain):
    (page,) = results_of(
        f'<corpus><doc rank="0" title="{stored}"><snippet>{stored}</snippet></doc></corpus>'
    ).pages
    assert (page.title, page.snippet) == (plain, plain)


@pytest.mark.parametrize(
    ("stored", "url"),
    [
        ("http://x.example/?a=1&amp;copy=2", "http://x.example/?a=1&copy=2"),
        ("http://x.example/?a=1&amp;amp;lt=2", "http://x.example/?a=1&lt=2"),
        ("http://x.example/?a=1&copy=2", "http://x.example/?a=1&copy=2"),
        (" http://x.example/%26amp ", "http://x.example/%26amp"),
    ],
)
def test_only_the_ampersand_is_undone_in_urls(results_of, stored, url):
    (page,) = results_of(f'<corpus><doc rank="0" url="{stored}"/></corpus>').pages
    assert page.url == url


def test_results_ascend_and_those_outside_the_corpus_are_left_out(results_of):
    results = results_of(
        '<corpus><doc rank="10"/><doc rank="2" inWepsCorpus="yes"/>'
        '<doc rank="3" inWepsCorpus="no"/><doc rank="0"/></corpus>'
    )
    assert [page.rank for page in results.pages] == [0, 2, 10]


def test_of_several_results_with_one_rank_the_first_counts(results_of):
    results = results_of(
        '<corpus><doc rank="1" title="a"/><doc rank="1" title="b"/><doc rank="2"/></corpus>'
    )
    assert [page.title for page in results.pages] == ["a", ""]
    assert results.repeated == (1,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<corpus>\n<doc rank="x"/></corpus>', r"results\.xml, line 2: 'x' is not a rank; every"),
        ("<corpus><doc/></corpus>", "line 1: '' is not a rank"),
        ("<clustering/>", "<clustering>, <corpus> is expected"),
        ("<corpus><doc", r"results\.xml, line 1: the XML breaks off"),
    ],
)
def test_malformed_lists(results_of, text, message):
    with pytest.raises(SourceError, match=message):
        results_of(text)


def test_swapping_twice_changes_nothing():
    page = Page(1, url="u", title="t", snippet="s")
    swapped = with_title_and_snippet_swapped(page)
    assert swapped == Page(1, url="u", title="s", snippet="t")
    assert with_title_and_snippet_swapped(swapped) == page


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
