from tests.eval.refinement_study.made_up import findings, person


def test_people_by_size():
    found = findings(*(person({}, pages) for pages in (1, 2, 3, 4)))
    assert {size: len(people) for size, people in found.by_size.items()} == {
        "1": 1,
        "2": 1,
        "≥3": 2,
    }


def test_kinds_that_were_studied():
    assert findings(person({"tokens": None}), person({"ae fax": 1.0})).kinds == {
        "tokens", "ae fax", "best-nl", "best-ae", "best-all"
    }  # fmt: skip


def test_share_of_people_with_a_high_f():
    people = [person({"tokens": f}) for f in (0.9, 0.89, None)]
    assert findings(*people).share_above("tokens", 0.9, people).value == 0.5


def test_who_is_covered():
    found = findings(person({"tokens": 0.5}), person({"tokens": None}), person({"ae fax": 1.0}))
    assert [value for _, value in found.covered("tokens", "≥3")] == [1, 0]
