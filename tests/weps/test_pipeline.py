from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from tests.cases import each_case
from tests.weps.builders import stump
from weps import pipeline, pretrained
from weps._cache import Cache, content_digest
from weps._files import resource_path
from weps._version import VERSION
from weps.clustering.confidence import PageConfidence
from weps.clustering.dendrogram import ExpectedF, Threshold
from weps.coreference.base import Calibration
from weps.corrections.model import Correction, Corrections, match_pages, page_identities
from weps.errors import SourceError, ValuesError
from weps.model import Model, ModelSet
from weps.people import answer, evidence
from weps.people.answer import Answer
from weps.people.context import ContextEntities
from weps.people.pages import SIGNS, SetAsideRule
from weps.pipeline import PreparedSearch, build_answer, prepare_search
from weps.reading import Origin, PageForm, Reader, available_similarities
from weps.records import Page, Search, page_fingerprint
from weps.report.view import Report, groups_of
from weps.results import files
from weps.results.files import write_report
from weps.results.stored import as_json, result_file
from weps.similarity import candidates
from weps.similarity.columns import parse_similarity
from weps.sources.opening import open_source
from weps.systems import similarities_of

TITLE = parse_similarity("dice(title)")


def cluster(search, models, threshold=None, *, corrections=None) -> Answer:
    return build_answer(prepare_search(search, models), threshold, corrections)


def by_title(form: PageForm, **parts: object) -> Model:
    """Pages that share much of their title are one person."""
    columns = available_similarities(similarities_of("non-linguistic"), form)
    usual = {"stopping": {Origin.SEARCH: Threshold(0.5), Origin.LISTED: Threshold(0.9)}}
    return stump(columns, TITLE, **(usual | parts))


@pytest.fixture(scope="module")
def models() -> ModelSet:
    return ModelSet({form: by_title(form) for form in PageForm}, digest="1a2b3c4d")


def results_model(**parts: object) -> ModelSet:
    return ModelSet({PageForm.RESULTS: by_title(PageForm.RESULTS, **parts)})


@pytest.fixture(scope="module")
def demo() -> Search:
    source = open_source(resource_path("demo"))
    return source.search(source.names[0])


def search_of(*texts: str) -> Search:
    pages = [Page(rank, content=text.encode()) for rank, text in enumerate(texts)]
    return Search("Thomas Baker", tuple(pages))


def titled(*titles: str) -> Search:
    """Search results that have titles only."""
    return Search("Thomas Baker", tuple(Page(rank, title=text) for rank, text in enumerate(titles)))


CHAIN = titled("Tides Reef", "Reef Harbour", "Harbour Quay")
"""The first and the second share a word of their titles, and the second and the third."""


def test_the_answer_does_not_depend_on_the_order_of_the_pages(demo, models):
    riffled = Search(demo.name, demo.pages[::-2] + demo.pages[-2::-2])
    assert set(riffled.pages) == set(demo.pages)
    assert cluster(riffled, models) == cluster(demo, models)


@each_case("link", ["single", "average", "complete"])
@each_case("stopping", [Threshold(0.5), ExpectedF(1.0, 0.0)])
@each_case(
    "texts",
    [(), ("",), ("Thomas Baker",), ("Thomas Baker", "sings"), ("<p>Thomas Baker", "", "\0\1")],
)
def test_however_little_there_is_to_read_every_page_is_of_one_person(texts, stopping, link):
    parts = {"linkage": link, "stopping": dict.fromkeys(Origin, stopping)}
    columns = {form: available_similarities(similarities_of("content"), form) for form in PageForm}
    models = ModelSet({form: stump(columns[form], TITLE, **parts) for form in PageForm})
    answer = cluster(search_of(*texts), models)
    ranks = [page.rank for person in answer.people for page in person.pages]
    assert sorted(ranks) == list(range(len(texts)))


@each_case(
    ("threshold", "people", "stop"),
    [(None, 2, "expected-f(1,-9,0.5)"), (0.75, 1, "threshold(0.75)"), (0.85, 2, "threshold(0.85)")],
)
def test_a_threshold_given_overrides_any_stopping_decision(threshold, people, stop):
    models = results_model(stopping=dict.fromkeys(Origin, ExpectedF(1.0, -9.0)))
    answer = cluster(titled("Tides", "Tides"), models, threshold)
    assert len(answer.people) == people
    assert f"stop:{stop}" in answer.signature.split("|")
    chosen = Corrections((Correction("threshold", (), threshold=0.85),))
    answer = cluster(titled("Tides", "Tides"), models, threshold, corrections=chosen)
    assert len(answer.people) == 2
    assert "stop:threshold(0.85)" in answer.signature.split("|")


@each_case("threshold", [float("nan"), float("inf"), -0.1, 1.1])
def test_a_threshold_is_a_probability(models, threshold):
    with pytest.raises(ValuesError, match="threshold: expected a probability from 0 to 1, got"):
        cluster(titled("Tides", "Tides"), models, threshold)


def test_no_two_pages_have_one_rank(models):
    search = Search("Ann Lee", (Page(3, text="a"), Page(1, text="b"), Page(3, text="c")))
    with pytest.raises(SourceError, match="Ann Lee: several pages have the rank 3; give each"):
        cluster(search, models)


def test_the_signature_says_how_the_answer_was_made(models):
    answer = cluster(search_of("Tides", "Reef"), models)
    assert answer.signature == (
        "form:pages|classifier:tree|link:single|stop:threshold(0.5)|model:1a2b3c4d|pages:2|"
        f"weps:{VERSION}"
    )
    assert answer.model == f"weps-{VERSION}/pages sha256:1a2b3c4d"


@each_case(
    ("page", "form"),
    [(Page(1, content=b"Tides"), "pages"), (Page(1, text="tide"), "tokens"), (Page(1), "results")],
)
def test_the_model_for_the_form_of_the_pages_answers(models, page, form):
    answer = cluster(Search("Thomas Baker", (page,)), models)
    assert f"form:{form}" in answer.signature.split("|")
    assert ("capitalised" in answer.missing_features) is (form != "pages")
    assert form in answer.model


@pytest.mark.parametrize(("title", "people"), [("Tides", 1), ("", 2)])
def test_the_stopping_decision_is_that_for_the_origin_of_the_pages(models, title, people):
    """Search results merge at .5, listed pages not before .9."""
    found = {"title": title, "url": "http://a.example", "content": b"<title>Tides</title>"}
    pages = [Page(rank, **found) for rank in (1, 2)]
    assert len(cluster(Search("Thomas Baker", tuple(pages)), models).people) == people


@each_case(
    ("link", "levels"), [("single", [0.8, 0.8]), ("average", [0.8, 0.5]), ("complete", [0.8, 0.2])]
)
def test_pages_are_linked_as_the_model_says(link, levels):
    models = results_model(linkage=link)
    answer = cluster(CHAIN, models, threshold=0.0)
    assert [merge.probability for merge in answer.merges] == levels
    assert len(cluster(CHAIN, models, threshold=0.6).people) == 3 - sum(p > 0.6 for p in levels)
    assert f"link:{link}" in answer.signature.split("|")


def test_of_pairs_as_probable_the_more_similar_shows_why(models):
    """All three pairs are judged alike, but only two titles are equal."""
    answer = cluster(titled("Tides Reef", "Tides Reef Harbour", "Tides Reef"), models)
    assert [merge.probability for merge in answer.merges] == [0.8, 0.8]
    assert answer.merges[0].pages == (0, 2)


def test_calibration_changes_what_readers_are_told_and_no_decision():
    """The odds of .8 are 4 to 1, half of their logarithm makes 2 to 1, and 5 less 1 to 74."""
    made = Calibration(), Calibration(0.5, -5.0)
    mean = PageConfidence(together=(0, 1, 0, 0))
    plain, calibrated = (
        cluster(CHAIN, results_model(calibration=each, page_confidence=mean)) for each in made
    )
    assert calibrated.clustering == plain.clustering
    assert [merge.probability for merge in plain.merges] == [0.8, 0.8]
    assert [merge.probability for merge in calibrated.merges] == [0.0133, 0.0133]
    assert [each.people[0].confidence for each in (plain, calibrated)] == [0.6, 0.6]
    shown = results_model(calibration=Calibration(2))  # .8 as .94, to which thresholds apply
    assert [len(cluster(CHAIN, shown, threshold).people) for threshold in (0.9, 0.95)] == [1, 3]


def test_the_score_of_a_page_is_the_model_s_belief():
    """Two pages tied by .8, and one alone that resembles both by .2."""
    search = titled("Tides", "Tides", "Quay")
    odds_squared, unlike_others = (0, 2, 0, 0), (0, -1)
    models = results_model(
        page_confidence=PageConfidence(together=odds_squared, alone=unlike_others)
    )
    scores = [[p.score for p in person.pages] for person in cluster(search, models).people]
    assert scores == [[0.9412, 0.9412], [0.8]]


def test_a_page_without_title_is_known_by_its_first_words(models):
    answer = cluster(search_of("Tides and", "tide " * 50), models)
    titles = {page.rank: page.title for person in answer.people for page in person.pages}
    assert titles == {0: "Tides and", 1: ("tide " * 50)[:80]}


def test_pages_in_any_order_have_excerpts_and_fingerprints_of_their_own():
    snippets = [f"Thomas Baker, number {page.rank}." for page in CHAIN.pages]
    pages = [replace(page, snippet=snippets[page.rank]) for page in CHAIN.pages]
    answer = cluster(Search(CHAIN.name, tuple(pages[::-1])), results_model())
    found = [page for person in answer.people for page in person.pages]
    assert [page.excerpt for page in found] == snippets
    assert [page.fingerprint for page in found] == list(map(page_fingerprint, pages))


@pytest.mark.parametrize(("threshold", "alone"), [(0.0, "merged"), (0.5, "near")])
def test_what_makes_merges_and_what_is_near_is_explained(threshold, alone):
    """All in one, nobody's closest page makes the last merge; in two, not all rivals make it."""
    search = titled("Tides", "Tides", "Quay", "Quay")
    answer = cluster(search, results_model(), threshold)
    merged = {tuple(sorted(merge.pages)) for merge in answer.merges}
    near = {
        tuple(sorted((page.rank, other.rank)))
        for person in answer.people
        for page in person.pages
        for other in (page.closest, page.rival)
        if other
    }
    assert {"merged": merged - near, "near": near - merged}[alone]
    assert list(answer.pairs) == sorted(merged | near)
    assert all(explained.pages == pair for pair, explained in answer.pairs.items())


def test_other_thresholds_start_from_what_the_classifier_says():
    answer = cluster(CHAIN, results_model(calibration=Calibration(0.5)))
    assert answer.alternatives
    assert answer.alternatives.probability.tolist() == [0.8, 0.2, 0.8]
    assert answer.alternatives.levels == pytest.approx((2 / 3, 2 / 3))


@pytest.mark.parametrize(
    ("correction", "pair", "decision", "probability"),
    [
        (("same", ((0, 2),)), (0, 2), "same", 1.0),
        (("different", ((0,), (1,))), (0, 1), "different", 0.0),
    ],
)
def test_corrections_of_users_are_kept_and_reported(correction, pair, decision, probability):
    corrections = Corrections((Correction(*correction),))
    answer = cluster(CHAIN, results_model(), 0.9, corrections=corrections)
    explained = answer.pairs[pair]
    assert (explained.said, explained.probability) == (decision, probability)
    assert {each.said for each in answer.pairs.values()} == {"", decision}
    assert answer.corrections == corrections
    assert "corrections:1" in answer.signature.split("|")
    together = any(set(pair) <= group for group in answer.clustering.groups)
    assert together == (decision == "same")


def test_an_answer_is_the_same_whatever_was_corrected_before(demo, monkeypatch):
    models = pretrained(embeddings="none")
    joined, parted = Correction("same", ((1, 2, 3),)), Correction("different", ((4,), (5,)))
    courses = [(), (joined,), (joined, parted), (parted,), ()]
    used = prepare_search(demo, models)

    def text(prepared, corrections):
        return as_json(
            result_file(Report(build_answer(prepared, corrections=Corrections(corrections))))
        )

    found = [text(used, each) for each in courses]
    assert found[3] == text(prepare_search(demo, models), courses[3])
    assert found[4] == found[0] != found[3]
    # What is known is neither described nor explained again.
    monkeypatch.setattr(answer, "labels_and_words", None)
    monkeypatch.setattr(evidence, "shared_evidence", None)
    assert [text(used, each) for each in courses] == found


def test_a_page_that_is_confirmed_scores_one_with_those_it_is_linked_to():
    corrections = Corrections((Correction("confirm", ((0,), (1,))),))
    doubts = results_model(page_confidence=PageConfidence(together=(-5, 0, 0, 0), alone=(-5, 0)))
    people = cluster(CHAIN, doubts, corrections=corrections).people
    scores = {page.rank: page.score for person in people for page in person.pages}
    assert scores == {0: 1.0, 1: 1.0, 2: 0.0067}
    assert [page.confirmed for page in people[0].pages] == [True, False, False]


NAMESAKES = titled("Tides Reef", "Tides Reef", "Jazz Piano", "Jazz Piano", "Quay")


@each_case(
    ("threshold", "lines", "parts"),
    [
        (None, [], []),  # nobody is probably several
        (0.0, [], [(0, 1), (2, 3)]),
        (0.0, [("same", ((0, 2),))], []),
        (0.0, [("same", ((0, 4),))], [(0, 1, 4), (2, 3)]),
        (0.0, [("different", ((0,), (1,))), ("different", ((2,), (3,)))], []),
        (0.0, [("confirm", ((0, 1, 2, 3, 4),))], []),
        (0.0, [("confirm", ((2, 3),))], [(0, 1), (2, 3)]),
    ],
)
def test_who_is_probably_several_people_has_these_as_parts(threshold, lines, parts):
    corrections = Corrections(tuple(Correction(*each) for each in lines))
    answer = cluster(NAMESAKES, results_model(), threshold, corrections=corrections)
    found = [part for person in answer.people for part in person.parts]
    assert [part.pages for part in found] == parts
    assert all(part.label and part.one_person >= 0.5 for part in found)


def test_the_same_person_has_the_same_parts_at_every_threshold_and_in_the_report(demo):
    prepared = prepare_search(demo, pretrained(embeddings="none"))
    parts_of: dict[tuple[int, ...], object] = {}
    for threshold in (0.0, 0.02, 0.1, 0.2, 0.4, None):
        answer = build_answer(prepared, threshold)
        groups = {group.person.id: group for group in groups_of(answer) if group.person}
        sizes = {group.node: group.size for group in groups_of(answer)}
        for person in answer.people:
            pages = tuple(page.rank for page in person.pages)
            assert parts_of.setdefault(pages, person.parts) == person.parts
            lengths = [len(part.pages) for part in person.parts]
            assert [sizes[node] for node in groups[person.id].parts] == lengths
    assert any(parts_of.values())


def test_why_nobody_was_looked_for_is_told_where_pages_could_have_names(models, monkeypatch):
    def none(analysis, *_):
        nothing = csr_array((len(analysis.documents), 0), dtype=np.int32)
        return ContextEntities((), (), nothing, "no names here")

    assert cluster(search_of("Thomas Baker met Ann Lee."), models).note == ""
    monkeypatch.setattr("weps.pipeline.context.find_context_entities", none)
    assert cluster(search_of("Tides"), models).note == "no names here"
    assert cluster(Search("Thomas Baker", (Page(1, text="tides"),)), models).note == ""


ASIDE = SetAsideRule(dict.fromkeys(SIGNS, 0.99))
OTHER = "other name"
MIXED = ("", "Thomas Baker on tides", "Tides and reefs", "Thomas Baker on tides", "Thomas Baker")


def setting_aside() -> ModelSet:
    return ModelSet({PageForm.PAGES: by_title(PageForm.PAGES, set_aside=ASIDE)})


@each_case(
    ("lines", "aside"),
    [
        ((), {0: "cannot tell", 2: OTHER}),
        ((Correction("keep", ((2,),)),), {0: "cannot tell"}),
        ((Correction("same", ((0, 1),)), Correction("keep", ((2,),))), {}),
        ((Correction("exclude", ((1,),)),), {0: "cannot tell", 1: OTHER, 2: OTHER}),
        ((Correction("unclear", ((1, 2),)),), dict.fromkeys((0, 1, 2), "cannot tell")),
        ((Correction("keep", ((2,),)), Correction("exclude", ((0, 2),))), {0: OTHER, 2: OTHER}),
        ((Correction("exclude", ((0, 2),)), Correction("keep", ((2,),))), {0: OTHER}),
        (
            (Correction("exclude", ((3,),)), Correction("different", ((2, 3), (1,)))),
            {0: "cannot tell", 3: OTHER},
        ),
    ],
)
def test_pages_set_aside_are_of_nobody_until_users_correct_them(lines, aside):
    search = search_of(*MIXED)
    answer = cluster(search, setting_aside(), corrections=Corrections(lines))
    assert {page.rank: page.pile for page in answer.set_aside} == aside
    assert answer.clustering.discarded == set(aside)
    assert answer.clustering.ranks == set(range(5)) - set(aside)
    assert len(answer.merges) == 4 - len(aside)
    assert ("set-aside:" in answer.signature) == bool(aside)
    near = {rank for pair in answer.pairs for rank in pair}
    assert near <= answer.clustering.ranks
    marks = {page.rank: page_fingerprint(page) for page in search.pages}
    assert all(page.fingerprint == marks[page.rank] for page in answer.set_aside)


def test_a_page_that_users_exclude_is_no_evidence_and_stays_so_among_new_pages():
    """The page in the middle resembles both others, which resemble each other less."""
    texts = ("Thomas Baker on tides", "Thomas Baker on tides and reefs", "Thomas Baker on reefs")
    line = Correction("exclude", ((1,),))
    search = search_of(*texts)
    marks = page_identities(search.pages)
    found = cluster(search, pretrained(), corrections=Corrections((line,), marks))
    assert [page.rank for page in found.set_aside] == [1]
    assert {rank for merge in found.merges for rank in merge.pages} == {0, 2}
    assert all(1 not in pair for pair in found.pairs)
    later = search_of("Thomas Baker, cook", *texts)  # the ranks are others now
    corrections, lost = match_pages(Corrections((line,), marks), page_identities(later.pages))
    again = cluster(later, pretrained(), corrections=corrections)
    assert ([page.rank for page in again.set_aside], lost) == ([2], ())
    assert "A user said" in again.set_aside[0].reason


def test_of_the_others_only_what_a_label_tells_apart_depends_on_pages_set_aside():
    kept = [text for text in MIXED if "Baker" in text]
    ranks = [rank for rank, text in enumerate(MIXED) if "Baker" in text]
    found = cluster(search_of(*MIXED), setting_aside())
    alone = cluster(search_of(*kept), setting_aside())
    groups = {frozenset(ranks[rank] for rank in group) for group in alone.clustering.groups}
    assert set(found.clustering.groups) == groups


ARTICLE = "<title>Tides</title><p>Thomas Baker " + " ".join(
    f"word{number}" for number in range(150)
)


@pytest.mark.parametrize("most_compared", [1000, 3], ids=["all pairs", "candidates"])
@pytest.mark.parametrize(
    ("lines", "copies"),
    [
        ((), {2: 0, 3: 0}),
        ((Correction("different", ((0,), (2,))), Correction("same", ((0, 3),))), {3: 0}),
        ((Correction("split", ((2, 3), (0,))),), {3: 2}),
    ],
)
def test_copies_of_a_page_are_marked_where_users_do_not_separate_them(
    lines, copies, most_compared, monkeypatch
):
    monkeypatch.setattr(pipeline, "MAX_COMPARED_PAGES", most_compared)
    search = search_of(ARTICLE, "Thomas Baker", ARTICLE, f"{ARTICLE} home", "Baker sings")
    answer = cluster(search, setting_aside(), corrections=Corrections(lines))
    marked = {page.rank: page.copy_of for person in answer.people for page in person.pages}
    assert {rank: of for rank, of in marked.items() if of is not None} == copies
    groups = answer.clustering.groups
    assert all(any({rank, of} <= group for group in groups) for rank, of in copies.items())


def test_all_pages_may_be_set_aside_or_kept():
    search = search_of("", " ")
    answer = cluster(search, setting_aside())
    assert (answer.people, len(answer.set_aside)) == ((), 2)
    answer = cluster(search, setting_aside().keeping_all_pages())
    assert (len(answer.people), answer.set_aside) == (2, ())


def test_a_name_with_too_many_pages_is_refused(monkeypatch):
    monkeypatch.setattr(pipeline, "MAX_PAGES", 2)
    search = Search("Ann Lee", tuple(Page(rank, text="tide") for rank in range(3)))
    with pytest.raises(SourceError, match="Ann Lee: there are 3 pages, and at most 2") as caught:
        prepare_search(search, pretrained())
    assert "divide the pages" in caught.value.remedy


def test_candidates_lead_to_the_answer_that_all_pairs_lead_to(demo, monkeypatch):
    models = pretrained(embeddings="none")
    whole = cluster(demo, models)
    monkeypatch.setattr(pipeline, "MAX_COMPARED_PAGES", 3)
    found = cluster(demo, models)
    assert found.clustering.groups == whole.clustering.groups
    pages = [page for answer in (whole, found) for person in answer.people for page in person.pages]
    scores = np.array([page.score for page in pages]).reshape(2, -1)
    np.testing.assert_allclose(*scores, atol=0.05)


def test_with_few_candidates_every_page_is_of_one_person_and_compared_pairs_are_explained(
    demo, monkeypatch, tmp_path
):
    monkeypatch.setattr(pipeline, "MAX_COMPARED_PAGES", 3)
    monkeypatch.setattr(candidates, "NEIGHBOURS", 1)
    monkeypatch.setattr(candidates, "_DRAWN_PAIRS", 10)
    prepared = prepare_search(demo, pretrained(embeddings="none"))
    listed = prepared.table.pairs
    assert len(listed) < len(demo.pages) * (len(demo.pages) - 1) // 4
    answer = build_answer(prepared)
    placed = [page.rank for person in answer.people for page in person.pages]
    assert sorted(placed + [page.rank for page in answer.set_aside]) == list(prepared.ranks)
    ranks = np.array(prepared.ranks)
    compared = set(zip(ranks[listed.first].tolist(), ranks[listed.second].tolist(), strict=True))
    assert answer.pairs
    assert set(answer.pairs) <= compared
    others = answer.alternatives
    assert others.probability.nnz <= len(listed)
    assert 0 < others.missing < others.probability.max()
    first, second = (int(each[0]) for each in others.probability.nonzero())
    assert others.probability_of(first, second) == others.probability[first, second]
    unknown = np.argwhere(np.triu(others.probability.toarray() == 0, k=1))[0]
    assert others.probability_of(*unknown.tolist()) == others.missing
    assert (tmp_path / "demo.html") in write_report(Report(answer), "demo", tmp_path)


@pytest.mark.parametrize("most", [3, pipeline.MAX_COMPARED_PAGES])
@pytest.mark.parametrize("system", ["small", "paper"])
def test_comparisons_and_descriptions_are_kept_from_one_run_to_the_next(
    tmp_path, demo, monkeypatch, most, system
):
    models, reader = pretrained(system), Reader(cache=Cache(tmp_path))
    monkeypatch.setattr(pipeline, "MAX_COMPARED_PAGES", most)
    monkeypatch.setattr(pipeline, "_BANDS_OF_ENTRY", 7)

    def prepared(search: Search, models: ModelSet = models) -> PreparedSearch:
        return prepare_search(search, models, reader)

    first = prepared(demo)
    assert (first.descriptions.known, first.compared.explanations) == ({}, {})
    answer = build_answer(first)
    assert answer == build_answer(prepare_search(demo, models))
    with monkeypatch.context() as kept:
        kept.setattr(pipeline, "pair_table", None)  # a call would fail
        kept.setattr(pipeline, "near_duplicates", None)
        second = prepared(demo)
        assert second.descriptions.known == first.descriptions.known != {}
        assert build_answer(second) == answer
    others = Corrections((Correction("different", ((1,), (3,))),))  # pairs that are explained anew
    assert build_answer(second, 0.9, others) == build_answer(first, 0.9, others)
    fewer = replace(demo, pages=demo.pages[1:])
    changed = [replace(page, content=page.read_content() + b"<p>Else.") for page in demo.pages[:1]]
    with monkeypatch.context() as read:
        read.setattr("weps.people.statements._PageReader", None)  # a call would fail
        anew = [prepared(fewer)]
    anew.append(prepared(replace(demo, pages=(*changed, *fewer.pages))))
    for each, pages in zip(anew, (fewer.pages, (*changed, *fewer.pages)), strict=True):
        assert each.descriptions.known == each.compared.explanations == {}
        assert build_answer(each) == build_answer(
            prepare_search(replace(demo, pages=pages), models)
        )
    assert prepared(demo, replace(models, digest="another")).compared.explanations == {}
    assert prepared(demo).compared.explanations
    assert reader.cache.forget([content_digest(first.key, "7")]) == (most == 3)
    assert (prepared(demo).compared.explanations == {}) == (most == 3)
    assert files.forget_mentions(demo.name, reader)
    assert prepared(demo).compared.explanations == {}
    assert reader.cache.forget([first.key, content_digest(first.key, "14")]) == 0
