import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.features.quantities import quantity_form
from weps.language.quantities import find_quantities


def forms(text: str) -> list[str]:
    return [quantity_form(*each) for each in find_quantities(text)]


@pytest.mark.parametrize(
    ("form", "texts"),
    [
        (
            "1998-05-03",
            "3 May 1998|May 3, 1998|MAY 3rd, 1998|3rd of May 1998|1998-05-03|Sunday, 3 May 1998"
            "|03-May-1998",
        ),
        ("1998-12-25", "25/12/1998|12/25/1998|25.12.1998|Dec. 25, 1998"),
        ("1998-05-05", "5/5/1998|5 May 1998"),
        ("3/5/1998", "3/5/1998"),
        ("3/5/98", "3/5/98"),
        ("98-05-03", "03-May-98"),
        ("1998-05", "May 1998|May, 1998|May of 1998"),
        ("--05-03", "May 3|3 May"),
        ("1998-09", "Sept. 1998|September 1998"),
        ("1981 1982", "1981-82|1981-1982|1981/82"),
        ("1998 2003", "1998-2003|1998–2003|1998 to 2003|between 1998 and 2003"),
        ("1998 present", "1998 - present|1998 to now"),
        ("3 5 may 1998", "3-5 May 1998"),
        ("15:30", "3:30 pm|3:30 P.M.|15:30"),
        ("15:00", "3 pm|3pm|3:00 p.m."),
        ("00:00", "12 am|midnight"),
        ("12:00", "12 pm|noon"),
        ("3:30", "at 3:30"),
        ("1990s", "1990s|1990's"),
        ("19th century", "19th century|19th-century"),
        ("spring 1998", "Spring 1998|spring of 1998"),
        ("monday", "Monday|Mondays"),
        ("2 week", "two weeks|2-week|two-week"),
        ("age 42 year", "aged 42|42 years old|42-year-old|Age: 42"),
        ("age 6 month", "six months old"),
        ("5555550100", "(555) 555-0100|555-555-0100|555.555.0100|1-555-555-0100|Tel. 555 555 0100"),
        ("2079460018", "020 7946 0018|+44 20 7946 0018|+44 (0)20 7946 0018"),
        ("3.5 dollar million", "$3.5 million|US$3.5m|3.5 million dollars"),
        ("1000 dollar", "$1,000|$1,000.00|1000 dollars|USD 1000"),
        ("40 pound", "£40|GBP 40|40 pounds sterling"),
        ("40 lb", "40 pounds|40 lbs|40 lb"),
        ("22 year", "twenty-two years|22 years"),
        ("50 percent", "50%|fifty percent"),
        ("8 church", "eight churches|8 churches"),
        ("800 company", "800 companies"),
        ("5 inch", "5 inches|5-inch"),
        ("10 percent", "10%|10 %|ten per cent|10 percent"),
        ("6 foot", "6 feet|six-foot|6 ft"),
        ("5 km", "5 km|5km|five kilometres"),
        ("2 son", "two sons|2 sons"),
        ("5th", "5th"),
        ("YO10 5DD", "at YO10 5DD"),
    ],
)
def test_texts_that_say_the_same_have_one_form(form, texts):
    assert {text: forms(text) for text in texts.split("|")} == {
        text: [form] for text in texts.split("|")
    }


def test_a_month_beyond_the_twelfth_is_none():
    assert forms("13/14/1998") == ["13/14/1998"]


@given(st.lists(st.sampled_from("1 3 12 1998 May Monday - / . : , to pm $ % aged".split())))
def test_every_quantity_has_a_form(parts):
    for text in (" ".join(parts), "".join(parts)):
        assert all(forms(text))
