"""Changing a report: the slider, corrections."""

from dataclasses import replace

import numpy as np
import pytest

from tests.browser.made import Made, made
from weps._formatting import format_probability
from weps.clustering.dendrogram import Threshold, calibrate_dendrogram
from weps.corrections import edits
from weps.corrections.model import Corrections, parse_corrections
from weps.report.view import groups_of
from weps.results.result import shown_people


@pytest.fixture(scope="module", params=["demo", "packed", "corrected", "real"])
def swept(request, open_report):
    """A report, and what it shows wherever the slider stands."""
    page = open_report(request.param)
    page.open_details(".row:nth-child(-n + 15) .why")
    return request.getfixturevalue(request.param), page.sweep()


def test_it_goes_from_all_apart_to_all_in_one_unless_that_is_settled(swept):
    made, views = swept
    least, most = (made.dendrogram.bounded_count(merges) for merges in (0, len(made.pages.ranks)))
    assert list(views) == list(range(least, most + 1))
    assert bool(made.answer.corrections) == (len(views) < len(made.pages.ranks))


def test_every_cut_is_that_of_the_dendrogram(swept):
    made, views = swept
    for held, view in views.items():
        assert view.partition == made.partition_after(held)
        assert sorted(view.cards) == sorted(view.people)


def test_every_score_is_that_of_the_beliefs(swept):
    made, views = swept
    for held, view in views.items():
        expected = made.scores_after(held)
        apart = {row.rank: abs(row.score - 100 * expected[row.rank]) for row in view.rows}
        assert max(apart.values()) <= 1, held


def test_every_neighbour_is_the_most_probable(swept):
    made, views = swept
    row_of = {rank: row for row, rank in enumerate(made.pages.ranks)}
    for held, view in views.items():
        for row in [row for row in view.rows if row.unfolded]:
            own = row_of[row.rank]
            mates = view.people[row.card] - {row.rank}
            others = row_of.keys() - view.people[row.card]
            for score, pages in ((row.closest, mates), (row.rival, others)):
                known = [
                    row_of[page]
                    for page in pages
                    if held == made.alternatives.kept_merges or made.known[own, row_of[page]]
                ]
                near = [100 * made.alike[own, other] for other in known]
                assert (score is None) == (not near)
                assert score is None or abs(score - max(near)) <= 1


def test_an_unsure_page_may_belong_to_the_person_that_is_most_probable_on_average(swept):
    made, views = swept
    row_of = {rank: row for row, rank in enumerate(made.pages.ranks)}
    unsure = [(view, row) for view in views.values() for row in view.rows if row.perhaps]
    assert unsure
    for view, row in unsure:
        near = {
            card: np.mean([made.alike[row_of[row.rank], row_of[page]] for page in pages])
            for card, pages in view.people.items()
            if card != row.card
        }
        assert near[row.perhaps] >= max(near.values()) - 0.001


def test_numbers_follow(swept):
    for view in swept[1].values():
        sizes = [len(person) for person in view.partition]
        assert view.figures == {
            "pages": len(view.rows),
            "people": len(sizes),
            "singles": sizes.count(1),
            "unsure": sum(row.unsure for row in view.rows),
        }
        assert view.slider_text.startswith(f"{len(sizes)} p")


def test_the_largest_come_first_and_the_unsure_last(swept):
    for view in swept[1].values():
        unsure = {
            card: all(row.unsure for row in view.rows if row.card == card) for card in view.cards
        }
        order = [(unsure[card], -len(view.people[card])) for card in view.cards]
        assert order == sorted(order)


@pytest.mark.parametrize("which", ["demo", "packed", "corrected", "real"])
def test_at_wepss_choice_it_shows_the_answer(open_report, request, which):
    made: Made = request.getfixturevalue(which)
    page = open_report(which)
    first = page.view()
    pages = {each.rank: each for person in made.answer.people for each in person.pages}
    scores = {row.rank: (row.score, row.unsure) for row in first.rows}
    shown = {rank: int(format_probability(page.score).rstrip("%")) for rank, page in pages.items()}
    assert scores == {rank: (shown[rank], page.unsure) for rank, page in pages.items()}
    page.slide(0)
    assert page.view() != first
    page.click("#home")
    page.settle()
    assert page.view() == first


def test_arrow_keys_move_it_and_it_tells_what_it_does(report):
    before = len(report.view().partition)
    report.press_right("#slider")
    assert len(report.view().partition) == before - 1
    shown_text = report.find("#slider").get_attribute("aria-valuetext")
    assert shown_text
    assert shown_text.startswith(f"{before - 1} people")


def test_the_next_steps_are_told_and_can_be_taken(report):
    before = report.view().partition
    for button, change in (("#join", -1), ("#part", 0), ("#part", 1)):
        report.click(button)
        report.settle()
        assert len(report.view().partition) == len(before) + change
        assert report.held == len(report.view().rows) - len(before) - change
    joined = report.texts("#join")[0]
    assert joined.startswith("One fewer (")


def test_a_chosen_person_who_is_no_more_gives_way_to_all_pages(report):
    largest = max(report.view().people.items(), key=lambda item: len(item[1]))[0]
    report.choose_person(largest)
    report.slide(0)
    assert len(report.view().shown) == len(report.view().rows)


FILE = "Robin_Averdale.corrections.txt"


def _saved(report):
    """What the file says that the page offers."""
    report.click("#save")
    text = report.browser.downloaded(FILE)
    assert text == report.find("#file").get_attribute("value")
    return parse_corrections(text)


def _card(report, rank):
    return next(row.card for row in report.view().rows if row.rank == rank)


def _made_by_weps(action, pages, demo):
    """The same edit by the functions that the app uses."""
    shown = shown_people(demo.answer)

    def typical(person):
        return max(sorted(person), key=shown.scores.get)

    if action == "same":
        action = "join"
        pages = [typical(person) for person in demo.people if set(person) <= set(pages)]
    to = typical(demo.people[1]) if action == "move" else None
    return edits.apply_edit(action, Corrections(), pages, shown, to=to)


@pytest.mark.parametrize("action", ["same", "different"])
def test_two_people_are_or_are_not_the_same(report, demo, action):
    first, second, *_ = demo.people
    report.pick_people(_card(report, first[0]), _card(report, second[0]))
    report.act(action)
    assert _saved(report).entries == _made_by_weps(action, first + second, demo).entries


@pytest.mark.parametrize(
    ("action", "person", "number"),
    [
        ("different", 0, 2),
        ("exclude", 0, 2),
        ("unclear", 0, 99),
        ("split", 0, 2),
        ("move", 0, 1),
        ("move", 0, 2),
        ("confirm", 0, 99),
        ("confirm", 0, 1),
        ("confirm", -1, 1),
    ],
)
def test_pages_are_corrected(report, demo, action, person, number):
    pages = demo.people[person][:number]
    report.pick(*pages)
    if action == "move":
        scores = {page.rank: page.score for each in demo.answer.people for page in each.pages}
        report.choose_entry("#to", str(max(sorted(demo.people[1]), key=scores.get)))
    report.act(action)
    assert _saved(report).entries == _made_by_weps(action, pages, demo).entries


def test_what_is_shown_as_one_page_is_corrected_as_one(open_url, demo, tmp_path):
    first, second, third, *_ = demo.people[0]
    rows = tuple(map(demo.pages.ranks.index, (first, second, third)))
    compared = replace(demo.pages.compared, near_duplicates=(rows,))
    folded = replace(demo.pages, compared=compared)
    report = open_url(made(folded, tmp_path).html.as_uri())
    report.pick(first)
    report.act("exclude")
    assert [each.groups for each in _saved(report).entries] == [((first, second, third),)]
    report.click("#undo")
    report.unfold(f"#page-{first} > .copies")
    report.pick(first)
    report.act("exclude")
    assert [each.groups for each in _saved(report).entries] == [((first,),)]


def test_a_person_is_called_something_else(report, demo):
    name = "The <b>harbour</b> master’s “son” / 7 # no comment"
    ranks = demo.people[1]
    report.pick_people(_card(report, ranks[0]))
    report.type("#called", f"  {name.replace(' ', '  ')} ")
    report.act("rename")
    assert (
        _saved(report).entries
        == edits.add_correction(Corrections(), "called", [ranks[0]], name=name).entries
    )
    assert not report.browser.run("return document.querySelectorAll('#said b').length")


@pytest.mark.parametrize("which", ["demo", "packed"])
def test_pages_and_people_are_marked_and_marks_taken_back(open_report, demo, which):
    text = "Says: <b>born</b> 1958, see page 7"
    report = open_report(which)
    first, second, *_ = demo.people[1]
    report.pick(first, second)
    report.type("#remark", f" {text}  ")
    report.act("note")
    report.pick(first)
    report.act("checked")
    card = _card(report, first)
    report.pick_people(card)
    report.type("#remark", "chemist")
    report.act("tag")
    saved = _saved(report)
    scores = shown_people(demo.answer).scores
    assert [*map(str, saved.entries)] == [
        f"note {first} {second}: {text}",
        f"checked {first}",
        f"person-tag {max(sorted(demo.people[1]), key=scores.get)}: chemist",
    ]
    assert set(saved.pages) == saved.ranks
    assert report.texts(f"#page-{first} .mark bdi") == [text, "Checked"]
    assert report.texts(f"#{card} .mark bdi") == ["chemist"]
    assert report.find(f"#{card} > .marks").size["height"] < 40
    assert report.browser.barriers() == []
    for words, found in (("1958, see page 7", {first, second}), ("chemist", {*demo.people[1]})):
        report.type("#find", words)
        report.settle()
        assert set(report.view().shown) == found
    report.browser.run(
        "arguments[0].value = ''; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
        report.find("#find"),
    )
    held = report.held
    for position in (report.most, held):
        report.slide(position)
    report.click(f"#page-{second} .mark button")
    report.click(f"#{card} .mark button")
    assert [*map(str, _saved(report).entries)] == [f"checked {first}"]
    report.click("#undo")
    assert report.texts(".mark") == []
    assert report.find("#file").get_attribute("value").count("\n") == 1


def test_the_file_tells_which_pages_were_meant(report, demo):
    report.pick(1, 2)
    report.act("same")
    marks = _saved(report).pages
    assert set(marks) == {1, 2}
    assert {rank: mark.fingerprint for rank, mark in marks.items()} == dict(
        zip((1, 2), (each.fingerprint for each in demo.pages.shown[:2]), strict=True)
    )


def test_corrections_of_another_cut_are_of_the_people_shown_there(report):
    report.slide(report.most)
    ranks = report.view().shown
    report.pick(1)
    report.act("split")
    (entry,) = _saved(report).entries
    assert entry.groups == ((1,), tuple(ranks[1:]))


@pytest.mark.parametrize("portion", [0, 200])
def test_a_part_is_looked_at_and_corrected_as_its_pages(demo, tmp_path, open_url, portion):
    low = edits.add_correction(Corrections(), "threshold", threshold=0.05)
    merged = made(demo.pages, tmp_path, low, portion=portion)
    report = open_url(merged.html.as_uri())
    whole = next(person for person in merged.answer.people if person.parts)
    anchor = {group.node: group.anchor for group in groups_of(merged.answer)}
    (nodes,) = (each.parts for each in groups_of(merged.answer) if each.person is whole)
    report.choose_person(f"person-{whole.id}")
    for node, part in zip(nodes, whole.parts, strict=True):
        report.choose_person(anchor[node])
        assert report.view().shown == list(part.pages)
    assert report.browser.barriers() == []
    report.pick_people(anchor[node])
    report.act("confirm")
    assert _saved(report).entries[-1].groups == (part.pages,)
    held = node - len(merged.alternatives.ranks) + 1
    report.slide(held)  # where the part is a person
    assert anchor[node] in report.view().cards
    report.click("#home")
    report.settle()
    assert len(report.texts(f"#person-{whole.id} > .parts > .card")) == len(whole.parts)


@pytest.mark.parametrize("change", [-3, 2])
def test_the_position_of_the_slider_is_a_correction(report, demo, change):
    assert not report.visible("#use")
    merges = demo.alternatives.kept_merges + change
    report.slide(merges)
    report.click("#use")
    (entry,) = _saved(report).entries
    kept = calibrate_dendrogram(demo.dendrogram, demo.pages.model.calibration)
    assert Threshold(entry.threshold).merges(kept) == merges


def test_a_chosen_position_is_shown_as_such(demo, tmp_path, open_url):
    chosen = edits.add_correction(Corrections(), "threshold", threshold=0.2)
    page = open_url(made(demo.pages, tmp_path, chosen).html.as_uri())
    assert page.texts("#kept-cut > span") == ["This is your choice: merge threshold 20%."]
    page.open_details("#more-or-fewer")
    assert page.visible("#kept-cut")
    page.click("#part")
    page.settle()
    assert page.texts("#home") == ["Back to your choice"]
    assert not page.visible("#kept-cut")


@pytest.mark.parametrize("which", ["demo", "packed"])
def test_it_proposes_what_is_most_in_doubt_and_answers_are_corrections(open_report, demo, which):
    page = open_report(which)
    levels, kept = demo.alternatives.levels, demo.alternatives.kept_merges
    split, merge = page.texts(".question > p:first-child")
    assert split.startswith("May be two people: ")
    assert merge.startswith(f"May be one person ({format_probability(levels[kept])}): ")
    sides = (
        demo.partition_after(kept - 1) - demo.partition,
        demo.partition - demo.partition_after(kept + 1),
    )
    for question, (one, other) in zip((split, merge), sides, strict=True):
        page.click(f"#{_id_of(page, question)} + p > button")
        assert page.browser.run("return document.activeElement.parentElement.id") == "proposals"
        (entry,) = _saved(page).entries
        assert page.texts(".question > p:first-child") == [merge if question == split else split]
        if question == split:
            assert {frozenset(side) for side in entry.different} == {one, other}
        else:
            assert [len(set(entry.same) & side) for side in (one, other)] == [1, 1]
        page.click("#undo")
    assert page.texts(".question > p:first-child") == [split, merge]
    page.slide(0)
    assert "May be two people" not in "".join(page.texts(".question"))


def _id_of(page, question):
    found = "[...document.querySelectorAll('.question > p')].find((p) => p.textContent === "
    return page.browser.run(f"return {found}arguments[0]).id", question)


def test_corrections_that_were_applied_are_shown_and_kept(open_report, corrected):
    page = open_report("corrected")
    corrections = corrected.answer.corrections
    assert len(page.texts("#said li")) == len(corrections.entries)
    assert any("Harbour <i>master</i>" in text for text in page.texts(".card .choose"))
    pages = [person[0] for person in corrected.people if len(person) > 1][:2]
    page.pick(*pages)
    page.act("same")
    assert _saved(page).entries == edits.add_correction(corrections, "same", pages).entries
