"""What keys tell of answers besides scores: facts that are right, and the help needed.

*Corrections* are those of a simulated user, who knows the key. The pages of one person in one group
of the answer are a piece. From the largest piece to the smallest, a piece is correct in its group
unless another piece already is, or its person already has a group. The user moves the largest
incorrect piece to the group of its person, or makes it a group of its own if the person has none
yet: one correction, as the report states it, in terms of pages that the key judges, and without
errors. A piece that is the whole of its group is joined with the other group.

*Questions*: the user is asked whether two pages are about one person, and answers by the key; the
people of pages that are one person are joined. Questions are those of
:mod:`weps.corrections.edits`, or any two pages at random. Only pages that the key judges are asked
about.

All means are over names.

*Facts* of an answer are compared with the attributes that annotators found on the same pages. As in
WePS-2, each page is judged by itself: a fact of a person counts on every page that states it,
and is right there if annotators have one of its spellings for that attribute. A value of the
annotators is found if a fact of its page and attribute is right by it. Precision is the share of
facts that are right, recall the share of values that are found, F their harmonic mean, all over
pages and names together. Only pages count of which annotators have an attribute, and only
attributes that the campaigns asked for. Annotators wrote down what they saw: that a fact is not
theirs does not make it false, so precision is a lower bound.

*Strict* are values that are equal: words without case and punctuation; dates as year, month and
day, in either order where figures leave it open; digits of numbers; addresses without ``www``.
*Lenient* are besides dates of which one is less precise, numbers with the same last seven digits,
web sites of one host, and values of which one has all content words of the other or, unless they
are places, that share more than half of them (Dice). States, countries and some titles are there
what they are short for. Words of the name searched for tell no relative or other name apart.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations, product
from math import isnan, nan
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps import records, training
from weps._files import gazetteer_names
from weps._formatting import format_number, format_score
from weps._text import singular_form, split_words
from weps.cli.console import Console
from weps.clustering.dendrogram import Dendrogram, calibrate_dendrogram, linkage_by_name
from weps.corrections import edits, placement
from weps.corrections.model import Correction, Corrections
from weps.features.bags import stop_words
from weps.model import Model
from weps.name.person_name import PersonName
from weps.people.facts import ATTRIBUTES, Fact
from weps.similarity.columns import square_matrix
from weps_eval import stats
from weps_eval.benchmark.corpus import Attributes
from weps_eval.clustering.measures import Scorer

CORRECTING = {"anew": "clustered again", "alone": "corrected pages only"}
"""Way of correcting → title: the name is clustered again after each correction, with what all of
them teach; or a correction changes only what it states."""
ASKING = ("chosen", "at random")
"""Ways of choosing questions."""
GOOD_SCORE = 0.95
"""An F0.5 that is good enough for most purposes."""
CORRECTION_STEPS = (0, 1, 2, 3, 5, 10, 20)
"""Numbers of corrections after which the mean F0.5 is reported."""
QUESTION_STEPS = (0, 1, 3, 5)
"""Numbers of answers after which the mean F0.5 is reported."""
_MEASURE = "bcubed_f05"
_EQUAL = 1e-9

Pages = frozenset[int]
Groups = Sequence[Pages]
"""The groups of an answer: sets of ranks, none in two."""


def _next_correction(
    groups: Groups, persons: Mapping[int, int], most_typical: Callable[[Pages], int] = min
) -> Correction | None:
    """The user's next correction, see :mod:`weps.corrections.edits`; None if there is none.

    Of equally large pieces the one with the first page comes first.

    Args:
        groups: of the answer.
        persons: rank → number of the person that the page is about, of the pages of the key.
        most_typical: pages → the one that stands for them.
    """
    pieces: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for number, group in enumerate(groups):
        for rank in group & persons.keys():
            pieces[persons[rank], number].add(rank)
    home: dict[int, Pages] = {}
    taken: set[int] = set()
    wrong: list[tuple[int, int, Pages]] = []
    for (person, number), ranks in sorted(
        pieces.items(), key=lambda piece: (-len(piece[1]), min(piece[1]))
    ):
        if person in home or number in taken:
            wrong.append((person, number, frozenset(ranks)))
        else:
            home[person] = frozenset(ranks)
            taken.add(number)
    if not wrong:
        return None
    person, number, pages = wrong[0]
    others = (groups[number] & persons.keys()) - pages

    def typical(some: Pages) -> Pages:
        return frozenset([most_typical(some)])

    if person not in home:
        kind, told = "split", [pages, others]
    elif not others:
        kind, told = "join", [typical(pages) | typical(home[person])]
    else:
        kind, told = "move", [pages, typical(others), typical(home[person])]
    return Correction(kind, tuple(tuple(sorted(group)) for group in told))


def _most_typical(ranks: Sequence[int], square: NDArray[np.floating], pages: Pages) -> int:
    """The page with the highest probabilities to be about the same person as the others."""
    some = sorted(pages)
    rows = [ranks.index(rank) for rank in some]
    return some[int(square[np.ix_(rows, rows)].sum(axis=1).argmax())]


@dataclass(frozen=True, slots=True)
class Course:
    """B-Cubed F0.5 of one name while the user helps."""

    name: str
    pages: int
    """Number of pages that the key contains."""
    people: int
    answer: records.Clustering
    """The model's answer, before any help."""
    best: float
    """F0.5 with each page in one place: that of the largest of its people."""
    scores: Mapping[str, tuple[float, ...]]
    """One of :data:`CORRECTING` or :data:`ASKING` → F0.5 after 0, 1, 2, … corrections, until
    nothing is wrong, or after 0 to 5 answers."""

    def score_after(self, way: str, times: int) -> float:
        """F0.5 after so many corrections or answers; the last if no more are needed."""
        return self.scores[way][min(times, len(self.scores[way]) - 1)]

    def corrections_to(self, level: float, way: str) -> float:
        """Number of corrections after which F0.5 first reaches a level; NaN if it never does."""
        reached = (count for count, f in enumerate(self.scores[way]) if f >= level - _EQUAL)
        return next(reached, nan)


def simulate_user(example: training.Example, model: Model, scorer: Scorer) -> Course:
    """Correct the answer for a name until nothing is wrong, and ask five questions about it.

    Args:
        example: the name, with the columns of the model.
        model: what clusters its pages.
        scorer: whose rules define which pages count, and for what.
    """
    probability = model.classifier.predict(example.values)
    preference = example.values.mean(axis=1, dtype=float)
    linkage, stopping = linkage_by_name(model.linkage), model.stopping[example.origin]
    model_tree = linkage(probability, len(example.ranks), preference)
    model_kept, rows = stopping.merges(model_tree), np.arange(len(example.ranks))

    def cluster(made: Sequence[Correction], way: str) -> tuple[Dendrogram, int, Groups]:
        """The dendrogram under corrections, the merges kept, and the answer."""
        corrections, pairs = Corrections(tuple(made)), (probability, example.ranks, preference)
        if way == "anew":
            tree = edits.constrained_dendrogram(corrections, linkage, *pairs)
            kept = stopping.merges(tree)
        else:
            tree, kept = placement.place_corrected(
                model_tree, model_kept, rows, corrections, *pairs
            )
        return tree, kept, training.clustering_after(example, tree, kept).groups

    def score(groups: Groups) -> float:
        answer = records.Clustering(tuple(groups))
        return scorer.scores(answer, example.key, example.ranks, [_MEASURE])[_MEASURE]

    # Of several people of a page, it is about the one with most pages.
    persons = {
        rank: number
        for number, pages in sorted(
            enumerate(scorer.persons(example.key, example.ranks)),
            key=lambda person: (len(person[1]), -person[0]),
        )
        for rank in pages.intersection(example.ranks)
    }
    square = square_matrix(probability, len(example.ranks))
    most_typical = partial(_most_typical, example.ranks, square)
    corrected: dict[str, list[Groups]] = {}
    for way in CORRECTING:
        made: list[Correction] = []
        corrected[way] = [cluster(made, way)[2]]
        while correction := _next_correction(corrected[way][-1], persons, most_typical):
            made.append(correction)
            corrected[way].append(cluster(made, way)[2])
    answerable = frozenset(row for row, rank in enumerate(example.ranks) if rank in persons)
    random = np.random.default_rng([0, zlib.crc32(example.name.encode())])

    def ask(way: str) -> Iterator[float]:
        """F0.5 after each answer; where no question is left, that after the last."""
        corrections: list[Correction] = []
        asked: set[tuple[int, int]] = set()
        for _ in range(max(QUESTION_STEPS) + 1):
            tree, kept, groups = cluster(corrections, "alone")
            yield score(groups)
            if way == "chosen":
                shown = calibrate_dendrogram(tree, model.calibration)
                pairs = edits.choose_questions(shown, kept, 1, answerable, asked)
            else:
                left = [each for each in combinations(sorted(answerable), 2) if each not in asked]
                pairs = [left[random.integers(len(left))]] if left else []
            for pair in pairs:
                asked.add(pair)
                first, second = sorted(example.ranks[row] for row in pair)
                corrections.append(
                    Correction("join", ((first, second),))
                    if persons[first] == persons[second]
                    else Correction("different", ((first,), (second,)))
                )

    return Course(
        example.name,
        pages=len(persons),
        people=len(set(persons.values())),
        answer=records.Clustering(tuple(corrected["alone"][0])),
        best=score(corrected["alone"][-1]),
        scores={
            **{way: tuple(map(score, groups)) for way, groups in corrected.items()},
            **{way: tuple(ask(way)) for way in ASKING},
        },
    )


def simulation_data(courses: Sequence[Course]) -> dict[str, Any]:
    """Corrections and questions in JSON form (docs/output.md).

    Of each way of correcting, ``to_good`` is the mean number of corrections until F0.5 is
    :data:`GOOD_SCORE`, over the names where it can be, None if there are none; ``to_best`` the same
    until it is as good as it can be, over all names.
    """
    to_best = {
        way: np.nan_to_num([each.corrections_to(each.best, way) for each in courses]).tolist()
        for way in CORRECTING
    }
    saved = stats.compare(to_best["anew"], to_best["alone"])
    before, after_five = ([each.scores["chosen"][step] for each in courses] for step in (0, -1))

    def after(way: str, steps: Sequence[int]) -> dict[str, float]:
        return {str(n): fmean(each.score_after(way, n) for each in courses) for n in steps}

    def summary(way: str) -> dict[str, Any]:
        counts = (each.corrections_to(GOOD_SCORE, way) for each in courses)
        good = [count for count in counts if not isnan(count)]
        return {
            "after": after(way, CORRECTION_STEPS),
            "to_good": fmean(good) if good else None,
            "to_best": fmean(to_best[way]),
        }

    return {
        "corrections": {
            **{way: summary(way) for way in CORRECTING},
            "saved": stats.difference_data("corrections", saved),
            "names": {
                each.name: {
                    "pages": each.pages,
                    "people": each.people,
                    "best": each.best,
                    **{way: list(each.scores[way]) for way in CORRECTING},
                }
                for each in courses
            },
        },
        "questions": {
            "after": {way: after(way, QUESTION_STEPS) for way in ASKING},
            "gain": stats.difference_data("questions", stats.compare(before, after_five)),
            "names": {each.name: {w: list(each.scores[w]) for w in ASKING} for each in courses},
        },
    }


def show_simulation(courses: Sequence[Course], data: Mapping[str, Any], console: Console) -> None:
    """Print three tables.

    A row per name: its pages, and the corrections that it takes. Means over names of each way of
    correcting, and what reclustering saves. Means after answers and after as many corrections, and
    the gain.

    Args:
        courses: of the names.
        data: see :func:`simulation_data`.
        console: where to print them.
    """
    good = f"to {GOOD_SCORE:.2f}"
    names = [["name", "pages", "people", "F0.5", "best", good, "(alone)", "to best", "(alone)"]]
    for each in courses:
        scores = map(format_score, (each.score_after("anew", 0), each.best))
        counts = (
            format_number(each.corrections_to(level, way), 0)
            for level in (GOOD_SCORE, each.best)
            for way in CORRECTING
        )
        names.append([each.name, str(each.pages), str(each.people), *scores, *counts])
    ways = [["mean F0.5 after corrections", *map(str, CORRECTION_STEPS), good, "to best"]]
    for way, title in CORRECTING.items():
        means = data["corrections"][way]
        needed = (nan if means[to] is None else means[to] for to in ("to_good", "to_best"))
        after = map(format_score, means["after"].values())
        ways.append([title, *after, *(format_number(count, 1) for count in needed)])
    means = {f"answers to questions, {way}": data["questions"]["after"][way] for way in ASKING}
    means["corrections of the largest errors"] = data["corrections"]["anew"]["after"]
    steps = list(map(str, QUESTION_STEPS))
    answers = [["mean F0.5 after", *steps]]
    answers += [[title, *(format_score(at[step]) for step in steps)] for title, at in means.items()]
    saved, gain = data["corrections"]["saved"], data["questions"]["gain"]
    interval = " ({:+.1f} to {:+.1f})".format(*saved["interval"]) if saved["interval"] else ""
    saving = (
        f"clustering again saves {saved['difference']:.1f}{interval} corrections to the best; "
        f"fewer on {saved['better']}, more on {saved['worse']}, as many on {saved['equal']} names"
    )
    interval = " ({:+.3f} to {:+.3f})".format(*gain["interval"]) if gain["interval"] else ""
    gaining = (
        f"five answers add {gain['difference']:+.3f}{interval}; better on {gain['better']}, worse "
        f"on {gain['worse']}, equal on {gain['equal']} names"
    )
    for rows, line in ((names, ""), (ways, f"{saving}\n"), (answers, gaining)):
        console.write_table(rows)
        console.write(line)


_UNJUDGED = "date of death"
_ANNOTATED = {
    **{each.replace(" ", "").replace("-", ""): each for each in ATTRIBUTES if each != _UNJUDGED},
    "relatives": "relative",
    "education": "degree",
}
"""The annotators' attribute → ours."""
MAIN = ("occupation", "affiliation", "location", "date of birth", "relative", "e-mail")
"""Attributes that tell most about a person."""
GROUPS: dict[str, Sequence[str]] = {
    "these six": MAIN,
    "scored in WePS-2": [
        each for each in ATTRIBUTES if each not in {"work", "location", _UNJUDGED}
    ],
    "all": [each for each in ATTRIBUTES if each != _UNJUDGED],
}
"""Title → attributes that are counted together."""
_NUMBERS = frozenset({"phone", "fax"})
_ADDRESSES = frozenset({"e-mail", "web site"})
_PLACES = frozenset({"birth place", "location"})
_SHORT = {"gov": "governor", "mp": "member parliament", "prof": "professor", "sen": "senator"}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


Judged = dict[str, Any]
"""A fact, or a value of the annotators, on one page, as JSON has it (docs/schema/scores.py)."""


def judge_facts(
    name: str, stated_facts: Iterable[Fact], annotated: Attributes
) -> tuple[list[Judged], list[Judged], int]:
    """Compare the facts of the people of an answer with the attributes of their pages.

    Args:
        name: as searched for, or its identifier, ``Thomas_Baker``.
        stated_facts: of the people.
        annotated: the annotators' attributes.

    Returns:
        The facts and the values of the pages that annotators read, and the number of facts on
        other pages.
    """
    searched = frozenset(PersonName.parse(name.replace("_", " ")).tokens)
    stated: dict[tuple[int, str, str], str] = {}
    for fact in stated_facts:
        sentences = {source.page: source.sentence for source in fact.sources}
        for page in fact.pages if fact.attribute != _UNJUDGED else ():
            sentence = sentences.get(page, fact.sources[0].sentence)
            stated.setdefault((page, fact.attribute, fact.value), sentence)
    known: dict[int, defaultdict[str, dict[frozenset[str], str]]] = {}
    for page, attributes in annotated.items():
        known[page] = defaultdict(dict)
        for kind, values in attributes.items():
            if attribute := _ANNOTATED.get(kind):
                spellings = {_readings(attribute, each): each for each in reversed(values)}
                known[page][attribute] |= spellings
    facts: list[Judged] = []
    found: dict[tuple[int, str, str], bool] = {}
    for (page, attribute, value), sentence in sorted(stated.items()):
        alike = {
            (kind, other): kind == attribute and _equal(attribute, value, other)
            for kind, values in known.get(page, {}).items()
            for other in values.values()
            if _alike(kind, value, other, searched)
        }
        right = {other: strict for (kind, other), strict in alike.items() if kind == attribute}
        for other, strict in right.items():
            found[page, attribute, other] = strict or found.get((page, attribute, other), False)
        about = {"name": name, "page": page, "attribute": attribute, "value": value}
        judgement = {
            "sentence": sentence,
            "matched": max(right, key=right.__getitem__, default=""),
            "strict": any(right.values()),
            "elsewhere": "" if right else next(iter(alike), ("",))[0],
        }
        facts.extend([about | judgement] if page in known else [])
    annotations = [
        dict(zip(("page", "attribute", "value"), place, strict=True))
        | {"name": name, "found": place in found, "strict": found.get(place, False)}
        for page, attributes in sorted(known.items())
        for attribute, spellings in attributes.items()
        for value in reversed(spellings.values())
        for place in [(page, attribute, value)]
    ]
    return facts, annotations, sum(page not in known for page, *_ in stated)


def _readings(attribute: str, value: str) -> frozenset[str]:
    """What a value may say: equal values share a reading.

    Readings of dates are ``1921-05-03``, with zeros for what is not stated.
    """
    if attribute.startswith("date"):
        text = value[:100].lower()
        numbers = [int(number) for number in re.findall(r"\d{1,4}", text)]
        year = next((n if n > 99 else 1900 + n for n in numbers if n > 31), 0)
        first, second, *_ = *(number for number in numbers if 0 < number <= 31), 0, 0
        words = (word[:3] for word in re.findall(r"[a-z]{3,}", text))
        orders = {(first, second)} if numbers[:1] == [year] else {(first, second), (second, first)}
        if month := next((_MONTHS.index(word) + 1 for word in words if word in _MONTHS), 0):
            orders = {(month, first)}
        return frozenset(f"{year:04}-{month:02}-{day:02}" for month, day in orders)
    if attribute in _NUMBERS and (digits := re.sub(r"\D", "", value)):
        return frozenset({digits})
    if attribute in _ADDRESSES:
        return frozenset({re.sub(r"^(?:https?:/*)?(?:www\.)?|/$", "", value.lower())})
    return frozenset({" ".join(_words(value)) or value})


def _words(value: str) -> list[str]:
    return split_words(re.sub(r"\b(\w{1,2})\.", r"\1", value))  # Ph.D. is PhD


def _equal(attribute: str, one: str, other: str) -> bool:
    return not _readings(attribute, one).isdisjoint(_readings(attribute, other))


def _alike(attribute: str, one: str, other: str, searched: frozenset[str]) -> bool:
    """Whether two values of one attribute are equal or nearly so."""
    if _equal(attribute, one, other):
        return True
    pairs = product(_readings(attribute, one), _readings(attribute, other))
    if attribute.startswith("date"):
        parts = ([*zip(a.split("-"), b.split("-"), strict=True)] for a, b in pairs)
        return any(
            all(a == b or 0 in {int(a), int(b)} for a, b in each)
            and any(a == b != "0" * len(a) for a, b in each)
            for each in parts
        )
    if attribute in _NUMBERS:
        return any(len(a) > 6 < len(b) and a[-7:] == b[-7:] for a, b in pairs)
    if attribute in _ADDRESSES:
        return any("@" not in a and a.split("/")[0] == b.split("/")[0] for a, b in pairs)
    dropped = searched if attribute in {"relative", "other name"} else frozenset[str]()
    few, many = sorted((_content(attribute, each, dropped) for each in (one, other)), key=len)
    dice = 0.0 if attribute in _PLACES else 2 * len(few & many) / (len(few) + len(many) or 1)
    return bool(few) and (few <= many or dice > 0.5)


def _content(attribute: str, value: str, dropped: frozenset[str]) -> set[str]:
    """The content words of a value; all words if there are no others."""
    if attribute in _PLACES:
        known = gazetteer_names("states", "countries")
        parts = (re.sub(r"[\s\d-]+$", "", each) for each in value.split(", "))  # MA 02115
        value = ", ".join(known.get(each, known.get(f", {each}", each)) for each in parts)
    words = " ".join(_SHORT.get(word, word) for word in _words(value)).split()
    return {singular_form(word) for word in words if word not in dropped | stop_words()} or {*words}


def facts_data(judged: Iterable[tuple[list[Judged], list[Judged], int]]) -> dict[str, Any]:
    """Scores over names, see :func:`judge_facts`, in JSON form (docs/output.md)."""
    facts, values, unread = zip(*judged, strict=True)
    every = [*chain.from_iterable(facts)], [*chain.from_iterable(values)]
    counted = {each["attribute"] for each in chain(*every)}
    attributes = {each: [each] for each in ATTRIBUTES if each in counted}
    return {
        "attributes": {each: _scores(*every, of) for each, of in attributes.items()},
        "groups": {title: _scores(*every, of) for title, of in GROUPS.items()},
        "judged": every[0],
        "missed": [each for each in every[1] if not each["found"]],
        "unread": sum(unread),
    }


def _scores(
    judged: Iterable[Judged], annotated: Iterable[Judged], attributes: Collection[str]
) -> dict[str, Any]:
    """The scores over some attributes."""
    facts = [each for each in judged if each["attribute"] in attributes]
    values = [each for each in annotated if each["attribute"] in attributes]
    pages: dict[tuple[str, ...], bool] = {}
    for each in values:
        place = (each["name"], each["page"], each["attribute"])
        pages[place] = each["found"] or pages.get(place, False)

    def scores(right: str, of_value: str) -> dict[str, Any]:
        matched, found = sum(bool(e[right]) for e in facts), sum(e[of_value] for e in values)
        precision = matched / len(facts) if facts else None
        recall = found / len(values) if values else None
        both = 2 * precision * recall / (precision + recall) if precision and recall else 0.0
        f = None if precision is None or recall is None else both
        return {"right": matched, "found": found, "precision": precision, "recall": recall, "f": f}

    return {
        "facts": len(facts),
        "values": len(values),
        "lenient": scores("matched", "found"),
        "strict": scores("strict", "strict"),
        "pages": sum(pages.values()) / len(pages) if pages else None,
    }


def fact_rows(data: Mapping[str, Any]) -> list[list[str]]:
    """A table with a row for each attribute and for the groups of them; see :func:`facts_data`."""
    measures = ("precision", "recall", "f")
    heading = ["attribute", "facts", "values", "P", "R", "F", "(strict) P", "R", "F", "pages"]
    rows = [heading]
    for title, scores in (*data["attributes"].items(), *data["groups"].items()):
        figures = [scores[way][each] for way in ("lenient", "strict") for each in measures]
        shown = (nan if each is None else each for each in (*figures, scores["pages"]))
        rows.append([title, *(str(scores[k]) for k in heading[1:3]), *map(format_score, shown)])
    return rows
