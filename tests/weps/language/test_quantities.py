import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.language.quantities import find_quantities


@pytest.mark.parametrize(
    ("kind", "sentence", "found"),
    [
        ("date", "born on 3 May 1998 in York", "3 May 1998"),
        ("date", "on Monday, May 3rd, 1998, he", "Monday, May 3rd, 1998"),
        ("date", "the 3rd of May 1998", "3rd of May 1998"),
        ("date", "May the 3rd", "May the 3rd"),
        ("date", "MAY 3, 1998", "MAY 3, 1998"),
        ("date", "since Sept. 1998", "Sept. 1998"),
        ("date", "03-May-98", "03-May-98"),
        ("date", "1998-05-03", "1998-05-03"),
        ("date", "3/5/1998 or 03.05.1998", "3/5/1998|03.05.1998"),
        ("date", "3/5/98", "3/5/98"),
        ("dates", "3-5 May 1998", "3-5 May 1998"),
        ("dates", "June 2001 - May 2003", "June 2001 - May 2003"),
        ("dates", "from May 3, 1998 to present", "May 3, 1998 to present"),
        ("dates", "May 3-5, 1998", "May 3-5, 1998"),
        ("dates", "May-June 1998", "May-June 1998"),
        ("years", "from 1998 to 2003", "1998 to 2003"),
        ("years", "1998-2003, 1998–99", "1998-2003|1998–99"),
        ("years", "between 1998 and 2003", "1998 and 2003"),
        ("years", "2001 - present", "2001 - present"),
        ("year", "in 1998", "1998"),
        ("year", "In 1998 and 1999", "1998|1999"),
        ("year", "a tide (1998)", "1998"),
        ("year", "York, 1998.", "1998"),
        ("year", "1998", "1998"),
        ("year", "Spring 2003", "Spring 2003"),
        ("decade", "the 1990s and '80s", "1990s|80s"),
        ("century", "the 19th century", "19th century"),
        ("century", "in nineteenth-century York", "nineteenth-century"),
        ("weekday", "on Mondays", "Mondays"),
        ("clock", "at 3:30", "3:30"),
        ("clock", "3 pm, 3:30 P.M., 15:30", "3 pm|3:30 P.M.|15:30"),
        ("clock", "at noon", "noon"),
        ("duration", "three years, 10-12 weeks", "three years|10-12 weeks"),
        ("duration", "a two-week stay", "two-week"),
        ("age", "aged 42, a 7-year-old", "aged 42|7-year-old"),
        ("age", "he is 42 years old", "42 years old"),
        ("phone", "(555) 555-0100", "(555) 555-0100"),
        ("phone", "call 555-0100", "call 555-0100"),
        ("phone", "+44 (0)20 7946 0018", "+44 (0)20 7946 0018"),
        ("phone", "020 7946 0018", "020 7946 0018"),
        ("phone", "555.555.0100", "555.555.0100"),
        ("postal_code", "York YO10 5DD", "YO10 5DD"),
        ("postal_code", "Columbus, OH 43210", "43210"),
        ("postal_code", "43210-1234", "43210-1234"),
        ("postal_code", "Ottawa K1A 0B1", "K1A 0B1"),
        ("money", "$3.5 million", "$3.5 million"),
        ("money", "EUR 200, £40, 12 dollars", "EUR 200|£40|12 dollars"),
        ("money", "two million euros", "two million euros"),
        ("percent", "10%, ten per cent", "10%|ten per cent"),
        ("measure", "5 km, six feet, 1,200 square feet", "5 km|six feet|1,200 square feet"),
        ("measure", "a six-foot wall", "six-foot"),
        ("ordinal", "came 5th and 22nd", "5th|22nd"),
        ("count", "two sons and 1,200 students", "two sons|1,200 students"),
        ("count", "three children", "three children"),
    ],
)
def test_what_is_found(kind, sentence, found):
    assert find_quantities(sentence) == [(text, kind) for text in found.split("|")]


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "tides",
        "p. 23",
        "pp. 12-15",
        "Page 3 of 10",
        "pages 1998-2003",
        "Chapter 12",
        "I. 3",
        "vol. 3 no. 5",
        "version 2.0.1",
        "2.0.1",
        "192.168.0.1",
        "ISBN 0-19-853453-1",
        "0-19-853453-1",
        "978-0-19-853453-2",
        "John 3:16",
        "may 3 or march 4",
        "he may march",
        "one of two",
        "4711",
        "x1998y",
        "route 66",
        "12 comments and 3 replies",
        "12 as usual",
        "http://tides.example/1998/05/03",
        "/1998-05-03",
        "a-1998",
        "12.5",
        "1998 elections",
        "5th Avenue",
    ],
)
def test_what_is_none(sentence):
    assert find_quantities(sentence) == []


@pytest.mark.parametrize(
    "unit",
    "1|1 |(|+1(|1-|1.|1,000|May |3 May - |one |tel: 1(|1998 |$1|12:|Monday, |p. 1|\0|é1|1 to |555-"
    "|2,|two-|٣|\U0001f600".split("|"),
)
def test_hostile_text_is_read_in_bounded_pieces(unit):
    text = (unit * 100_000)[:100_000]
    assert all(len(found) < 150 for found, _ in find_quantities(text))


SOME = st.lists(
    st.sampled_from(
        "1 12 1998 555 0100 May Monday one - / . : , ( ) to and pm years $ % th".split()
    )
)


@given(SOME, st.sampled_from(["", " "]))
def test_quantities_stand_in_the_text_in_order_none_inside_another(parts, between):
    text = between.join(parts)
    position = 0
    for found, _ in find_quantities(text):
        position = text.index(found, position) + len(found)


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    assert all(kind and found in text for found, kind in find_quantities(text))
