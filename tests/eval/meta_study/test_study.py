from eval.meta_study.study import picked, signature


def test_the_first_few_and_those_that_must_be_there():
    assert picked([4, 2, 0, 1, 3], 2, [1, 4]) == [4, 2, 1]
    assert picked([4, 2], 5) == [4, 2]


def test_a_signature_is_one_line():
    assert signature(source="x", seed=0) == "source:x|seed:0"
