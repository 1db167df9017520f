import numpy as np
import pytest

from docs.benchmarks import census_names
from tests.cases import each_case
from tests.weps.builders import analysis_of
from weps._text import PersonName
from weps.features.name.frequency import expected_namesakes
from weps.page_forms import PageForm, available_similarities
from weps.similarity.columns import parse_similarity
from weps.similarity.table import pair_table

MILLIONS = 280


@each_case(
    ("name", "first", "last"),
    [
        ("Thomas Baker", (1.380 + 0.003) / 2, 0.171),  # men and women of the first name
        ("BAKER, Thomas", 0.6915, 0.171),
        ("Thomas J. Baker", 0.6915, 0.171),
        ("Sean O’Brien", (0.197 + 0.002) / 2, 0.039),
        ("José Núñez", 0.308, 0.026),
        ("Thomas Quarfolk", 0.6915, 0.0003),
        ("王 伟", 0.0003, 0.0003),
        ("Madonna", 0.003, 100),
        ("Baker", 100, 0.171),
        ("王伟", 0.0003, 100),
        ("?", 0.0003, 100),
        ("", 0.0003, 100),
    ],
)
def test_namesakes_by_the_shares_of_the_census_in_per_cent(name, first, last):
    expected = MILLIONS * 1e6 * first / 100 * last / 100
    assert expected_namesakes(PersonName.parse(name)) == pytest.approx(expected, rel=1e-3)


@each_case("form", PageForm)
@each_case(("feature", "expected"), [("name_frequency", 3.52), ("few_pages", 1 / 3)])
def test_all_pairs_of_a_name_have_its_frequency_whatever_their_form(form, feature, expected):
    (column,) = available_similarities([parse_similarity(feature)], form)
    values = pair_table(analysis_of("Baker", "x", ""), [column]).values
    assert np.unique(values).tolist() == [pytest.approx(expected, abs=0.005)]


def test_lists_are_made_from_the_tables_of_the_bureau(tmp_path):
    tables = {
        "all.last": "SMITH 1.006 1.006 1\nAALUND 0.000 90.483 88798\n",
        "female.first": "MARY 2.629 2.629 1\nLEE 0.2 2.829 2\n",
        "male.first": "JAMES 3.318 3.318 1\nMARY 0.009 3.327 2\nROY 0.2 3.527 3\n",
    }
    for name, text in tables.items():
        (tmp_path / f"dist.{name}").write_text(text)
    census_names.main(str(tmp_path), str(tmp_path))
    first, last = (
        (tmp_path / f"{each}.txt").read_text().splitlines() for each in ("first", "last")
    )
    assert first[1:] == ["1.659 james", "1.319 mary", "0.1 lee roy"]
    assert last[1:] == ["1.006 smith"]
