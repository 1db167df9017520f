import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tests.weps.builders import analysis_of, unhurried
from weps.key_terms.labels import person_labels
from weps.people.context import ContextEntities
from weps.people.description import ContextEntity, PersonDescription, describe_people
from weps.refinement.suggestion import suggest_refinements
from weps.similarity import PairTable, pair_table

WORDS = "Thomas Baker kelp Kelp tides York Minster producer records Elektra Records ibex".split()


def table_of(*texts: str) -> PairTable:
    return pair_table(analysis_of(*texts), [])


def around_of(*rows: str) -> ContextEntities:
    """Letters stand for people; for each page those on it."""
    letters = sorted(set("".join(rows)))
    present = np.array([[letter in row for letter in letters] for row in rows], dtype=np.int32)
    counts = sparse.csr_array(present.reshape(len(rows), len(letters)))
    return ContextEntities(tuple(letters), ("person",) * len(letters), counts)


def names(groups: list[list[int]], *rows: str) -> list[str]:
    """Who is told of each group, best first."""
    found = describe_people(groups, table_of(*["kelp"] * len(rows)), around_of(*rows))
    return ["".join(named.text for named in each.names) for each in found]


def test_those_on_most_pages_come_first_then_the_rarest():
    assert names([[0, 1]], "abc", "bc", "c", "c") == ["bca"]
    assert names([[0], [1, 2]], "ab", "b", "c") == ["ab", "cb"]


def test_ranks_are_those_of_the_group():
    (found,) = describe_people(
        [[2, 0]], table_of("kelp", "kelp", "kelp"), around_of("a", "a", "ab")
    )
    assert found.names == (ContextEntity("a", "person", (1, 3)), ContextEntity("b", "person", (3,)))


def test_fifteen_names():
    assert names([[0]], "abcdefghijklmnopq") == ["abcdefghijklmno"]


def test_nobody_is_told_where_nobody_was_looked_for():
    (found,) = describe_people([[0]], table_of("tides and kelp"), None)
    assert (found.names, found.terms) == ((), ("kelp", "tides"))


def test_further_words_are_no_part_of_the_label():
    text = "Elektra Records kelp dulse samphire ibex lynx moons records movie movies tides"
    (found,) = describe_people([[0]], table_of(text), None)
    assert "Elektra Records" in found.terms
    assert len(found.terms) == 5
    assert sorted(found.words) == sorted(
        {"kelp", "dulse", "samphire", "ibex", "lynx", "moons", "movie", "tides"} - {*found.terms}
    )


def test_ten_further_words():
    plants = "abe ace ado aga ale ant ape apt arm art ash awe awl axe aye bay bed bet".split()
    (found,) = describe_people([[0]], table_of(" ".join(f"x{each}" for each in plants)), None)
    assert (len(found.terms), len(found.words)) == (5, 10)


def test_shouting_is_not_repeated_in_further_words():
    shouted = "SAMPHIRE DULSES TIDEWAY HARBOUR ZEBRAS LYNXES"
    (found,) = describe_people([[0]], table_of(shouted), None)
    assert {*found.terms, *found.words} == set(shouted.title().split())


def test_no_groups():
    assert describe_people([], table_of("kelp"), around_of("a")) == []


texts = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join), min_size=1, max_size=5
)


@given(texts, st.data())
@unhurried
def test_a_portrait_depends_on_its_own_group_alone(pages, data):
    rows = st.sets(st.sampled_from(range(len(pages))), min_size=1).map(sorted)
    groups = data.draw(st.lists(rows, max_size=5))
    rank = [data.draw(st.text("abcd", max_size=4)) for _ in pages]
    table, around = table_of(*pages), around_of(*rank)
    found = describe_people(groups, table, around)
    assert found == [describe_people([rows], table, around)[0] for rows in groups]
    assert [each.terms for each in found] == person_labels(groups, table)
    assert [each.refinement for each in found] == suggest_refinements(groups, table)
    assert all(isinstance(each, PersonDescription) for each in found)
