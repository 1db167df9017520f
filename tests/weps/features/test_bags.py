"""Features of bags, sequences and quantities."""

from collections import Counter
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tests.cases import each_case
from tests.weps.builders import contents
from tests.weps.features.annotated import FAR, NEAR, annotated, bags_of, pages
from weps._text import split_words
from weps.errors import ValuesError
from weps.features.bags import (
    Bags,
    LazyStrings,
    bags_from_marks,
    membership_matrix,
    occurrences_of_sets,
    sets_of_like_size,
    sums_of_sets,
)
from weps.features.entities import quantity_form
from weps.features.registry import all_features
from weps.language.analysis import Layer
from weps.language.annotation import find_quantities

BAGS = st.lists(st.lists(st.sampled_from("abcde"), max_size=6), max_size=5)


def test_frequency_counts_documents_not_occurrences():
    assert Bags.of(["aab", "a", "", "ac"]).frequency.tolist() == [3, 1, 1]
    assert Bags.of([]).frequency.tolist() == []
    assert [Bags.of([[]] * rows).counts.shape for rows in (0, 2)] == [(0, 0), (2, 0)]


@given(BAGS)
def test_bags_give_back_what_went_in(given_bags):
    bags = Bags.of(given_bags)
    assert contents(bags) == list(map(Counter, given_bags))
    assert bags.counts.dtype == np.int32
    assert list(bags.strings) == list(dict.fromkeys(chain(*given_bags)))


def test_a_string_is_spelled_only_when_read():
    spelled = []

    def spell(at: int) -> str:
        spelled.append(at)
        return str(at)

    strings = LazyStrings(np.array([4, 5, 6]), spell)
    assert (len(strings), spelled) == (3, [])
    assert (strings[1], strings[-1], spelled) == ("5", "6", [5, 6])
    assert list(strings) == ["4", "5", "6"]


LINGUISTIC = [each for each in all_features() if each.linguistic]
WHOLE = [each.name for each in LINGUISTIC if not each.parameters["local"]]
TWO = annotated(
    [(NEAR, [("tide", ""), ("moon", "")]), (FAR, [("tide", "")])], [], [(FAR, [("moon", "")])]
)
LEMMAS = TWO.layer(Layer.LEMMAS)


def local(name: str) -> str:
    return f"{name[:-1]}, local=true)" if name.endswith(")") else f"{name}(local=true)"


@each_case(
    ("strings", "expected"),
    [
        (["TIDE", "MOON"], [{"TIDE": 2, "MOON": 1}, {}, {"MOON": 1}]),
        (["x", "x"], [{"x": 3}, {}, {"x": 1}]),
        (["", "x"], [{"x": 1}, {}, {"x": 1}]),
        (["", ""], [{}, {}, {}]),
    ],
)
def test_marks_are_counted_page_by_page(strings, expected):
    assert contents(bags_from_marks(TWO, LEMMAS, strings)) == list(map(Counter, expected))


@each_case("name", WHOLE)
@given(pages=pages)
def test_features_of_marks_keep_to_the_page_and_leave_out_the_name(name, pages):
    whole, near = bags_of(name, pages), bags_of(local(name), pages)
    assert all(Counter(few) <= Counter(many) for few, many in zip(near, whole, strict=True))
    assert bags_of(name, pages[::-1]) == whole[::-1]
    found = {string for bag in whole for string in bag}
    assert not [string for string in found if {"thomas", "baker"}.issuperset(split_words(string))]


def forms(text: str) -> list[str]:
    return [quantity_form(*each) for each in find_quantities(text)]


@each_case(
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


# Sets of documents


@each_case(
    ("sets", "documents", "expected"),
    [
        ([[2, 0], [], [1]], 4, [[1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0]]),
        ([[1, 1], [1]], 2, [[0, 1], [0, 1]]),
        ([], 3, []),
    ],
)
def test_a_row_for_each_set_a_column_for_each_document(sets, documents, expected):
    found = membership_matrix(sets, documents)
    assert (found.dtype, found.shape) == (np.int32, (len(sets), documents))
    assert found.toarray().tolist() == expected
    counts = np.arange(documents * 2).reshape(documents, 2)
    sums = sums_of_sets(sets, sparse.csr_array(counts)).toarray()
    assert sums.tolist() == (found.toarray() @ counts).tolist()


@given(BAGS.filter(bool), st.data())
def test_few_strings_are_summed_to_the_bit_as_many_are(bags, draw):
    sets = draw.draw(st.lists(st.lists(st.sampled_from(range(len(bags)))), max_size=4))
    few = [Bags.of(bags).counts]
    few.append(few[0] * draw.draw(st.floats(0.1, 9)))
    few += [sums_of_sets(sets, each) for each in few]
    few += occurrences_of_sets(sets, few[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("weps.features.bags._FEW_ENTRIES", -1)
        many = [Bags.of(bags).counts, few[1]]
        many += [sums_of_sets(sets, each) for each in many]
        many += occurrences_of_sets(sets, many[0])
    every = np.array([[row in rows for row in range(len(bags))] for rows in sets], int)
    for counts, summed in zip((many[0], many[0].sign()), many[-2:], strict=True):
        assert summed.toarray().tolist() == (every.reshape(-1, len(bags)) @ counts).tolist()
    for one, other in zip(few, many, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert one.indices.tolist() == other.indices.tolist()
        assert one.indptr.tolist() == other.indptr.tolist()
        assert one.data.tobytes() == other.data.tobytes()


@pytest.mark.parametrize(("rows", "missing"), [([3], "3"), ([0, -1], "-1")])
def test_a_missing_document_is_refused(rows, missing):
    with pytest.raises(ValuesError, match=f"no document {missing}") as caught:
        membership_matrix([rows], 3)
    assert "0 to 2" in caught.value.remedy


def test_sets_that_are_worked_on_together_are_of_like_size():
    assert list(sets_of_like_size([[1] * 7, [], [2], [3] * 5, [4] * 3, [5]])) == [
        [1],
        [2, 5],
        [4],
        [3, 0],
    ]
    assert list(map(len, sets_of_like_size([[0]] * 100))) == [64, 36]
