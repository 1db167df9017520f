"""Tests for weps.name.person_name."""

import pytest

from tests.cases import each_case
from weps.name.person_name import PersonName


@each_case(
    ("typed", "given", "particles", "family"),
    [
        ("Thomas Baker", "Thomas", "", "Baker"),
        ("Baker, Thomas J.", "Thomas J", "", "Baker"),
        ("Dr. Thomas J. Baker, Jr.", "Thomas J", "", "Baker"),
        ("Averdale, Robin, PhD", "Robin", "", "Averdale"),
        ("Robin Averdale MD PhD", "Robin", "", "Averdale"),
        ("Jack Ma", "Jack", "", "Ma"),
        ("Anh Do, PhD", "Anh", "", "Do"),
        ("Prof. Dr. Ing. Hans Müller", "Hans", "", "Müller"),
        ("J.R. Averdale", "J R", "", "Averdale"),
        ("José María de la Fuente", "José María", "de la", "Fuente"),
        ("José Ortega y Gasset", "José Ortega", "y", "Gasset"),
        ("JOSÉ ORTEGA Y GASSET", "JOSÉ ORTEGA", "Y", "GASSET"),
        ("Thomas E. Baker", "Thomas E", "", "Baker"),
        ("thomas y park", "thomas y", "", "park"),
        ("Mary Ann E. Baker", "Mary Ann E", "", "Baker"),
        ("Van Gogh, Vincent", "Vincent", "Van", "Gogh"),
        ("Jean-Luc Moreau", "Jean-Luc", "", "Moreau"),
        ("Mary Smith-Jones", "Mary", "", "Smith-Jones"),
        ("王小明", "小明", "", "王"),
        ("欧阳娜娜", "娜娜", "", "欧阳"),
        ("田中 太郎", "太郎", "", "田中"),
        ("田中太郎", "太郎", "", "田中"),
        ("김민수", "민수", "", "김"),
        ("นายสมชาย วิชัย", "สมชาย", "", "วิชัย"),
        ("ดร.สมหญิง ใจดี", "สมหญิง", "", "ใจดี"),
        ("マイケル・ジャクソン", "マイケル", "", "ジャクソン"),
        ("Lady Gaga", "Lady", "", "Gaga"),
        ("Cher", "", "", "Cher"),
        ("Edwin Foxcombe –", "Edwin", "", "Foxcombe"),
        ("", "", "", ""),
        ("!!! 😀", "", "", ""),
    ],
)
def test_the_parts_of_a_name(typed, given, particles, family):
    name = PersonName.parse(typed)
    parts = " ".join(name.given), " ".join(name.particles), name.family
    assert parts == (given, particles, family)


@pytest.mark.parametrize("typed", ["x " * 500, "a" * 10_000, "A. " * 300 + "Baker"])
def test_a_name_without_end_is_cut(typed):
    name = PersonName.parse(typed)
    assert len(name.given) < 12
    assert len(name.family) <= 200


@each_case(
    ("typed", "words"),
    [
        ("Robin Averdale", "robin averdale"),
        ("José Núñez", "jose nunez"),
        ("Siobhan O’Brien", "siobhan o brien obrien"),
        ("Jean-Luc van der Berg", "jean luc jeanluc van der berg"),
        ("王小明", "xiaoming wang xiaomingwang wangxiaoming"),
        ("!!!", ""),
    ],
)
def test_the_words_of_a_name_in_addresses(typed, words):
    assert PersonName.parse(typed).latin_words == {*words.split()}
