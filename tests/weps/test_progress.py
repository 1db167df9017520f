from weps.progress import part_of


def test_a_part_is_told_as_a_part_of_the_whole() -> None:
    told = []
    progress = part_of(lambda *each: told.append(each), "all", 2, 4)
    progress("one", 0, 10)
    progress("one", 10, 10)
    assert told == [("all", 20, 40), ("all", 30, 40)]
