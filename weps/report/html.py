"""The answer as one self-contained HTML page.

The module beside this one chooses the content of the page; all HTML is in ``templates``. Text from
the web is cleaned, bounded and escaped wherever a template prints it, see
:mod:`weps.report.safe_text`; the script shows, hides, moves and copies what is written here, makes
the elements of large reports from data, and never makes HTML from text. The page's content security
policy allows the one style sheet and the one script it carries, by their hashes, and nothing from
any network.

The data of the script are blocks of the page, each deflated (RFC 1951) and in base64: ``numbers``,
``ties``, ``pairs``, and the ``texts`` that are searched. Text from the web in them is as clean and
bounded as in templates; the script makes text nodes of it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate, chain, dropwhile
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import escape

from weps._formatting import (
    count_of,
    cut_columns,
    format_probability,
    format_score,
    join_items,
    round_probability,
)
from weps.coreference.base import clipped_logit
from weps.corrections.edits import MAX_QUESTIONS, build_constraints
from weps.corrections.model import threshold_text
from weps.language.analysis import LANGUAGES
from weps.people.answer import Alternatives, Answer, RelatedPage, SetAsidePage, ShownPage
from weps.people.facts import ATTRIBUTES
from weps.people.pages import Pile
from weps.report import view
from weps.report.safe_text import CleanText, bounded_text, load_templates, safe_link

if TYPE_CHECKING:
    from jinja2 import Environment

STYLE_SHEET = tuple(
    f"{name}.css" for name in "base people pages pictures correcting keyboard index print".split()
)
"""Assets that make the style sheet."""
SCRIPT = tuple(
    f"{name}.js"
    for name in (
        "unpacking data portions cuts page_confidence ties about people pages tree slider finding"
        " sentences marks questions backends asking correcting keyboard start"
    ).split()
)
"""Assets that make the script, a module: what it declares is nobody else's."""
INDEX_SCRIPT = ("names.js", "keyboard.js")
"""The script of an index of several names."""
STATIC_PAGES = 500
"""Number of pages above which the script makes people, pages and pairs when they are looked at."""
APP_STATIC_PAGES = 150
"""Such a number in the app, which loads the report again after each correction, and where every
browser has JavaScript."""
PORTION = 200
"""Number of items that the script shows at first."""
_MAX_PAIRS = 8_000
"""Explained pairs of a report that is made on demand."""
_LONGEST_TEXT, _LONGEST_TEXTS = 8_000, 1_000_000
"""Characters of a page, and of all pages, that are searched."""
_THINNEST = 300
"""Part of the strip of all pages that is as wide as two gaps."""
_MAX_UNREAD = 200
"""Inputs listed for one reason that they could not be read."""
_DIRECTIVE = re.compile(rb"http-equiv", re.IGNORECASE)
_PILES = {Pile.OTHER_NAME: "Not this person’s name", Pile.CANNOT_TELL: "Cannot tell"}
"""The piles of pages that are set aside, and their headings."""
_CORRECTIONS = {
    ("same", 1): "Same person: {}",
    ("join", 1): "One person: those of pages {}",
    ("different", 2): "Not the same: {} and {}",
    ("split", 2): "Somebody else: {}, not with {}",
    ("move", 3): "Moved: {}, from {} to {}",
    ("confirm", 1): "Confirmed: {}",
    ("confirm", 2): "Confirmed: {}, with {}",
    ("called", 1): "Called {name}: the person of {}",
    ("keep", 1): "Put back: {}",
    ("exclude", 1): "Not this name: {}",
    ("unclear", 1): "Cannot tell: {}",
    ("apart", 2): "Not the same, only these pages: {} and {}",
    ("threshold", 0): "Merge threshold chosen: {percent:.4g}%",
    ("learn", 0): "Learnt from the corrections",
    ("note", 1): "Note on page {}: {name}",
    ("tag", 1): "Tag of page {}: {name}",
    ("checked", 1): "Checked: page {}",
    ("person-note", 1): "Note on the person of page {}: {name}",
    ("person-tag", 1): "Tag of the person of page {}: {name}",
    ("person-checked", 1): "Checked: the person of page {}",
}
"""Wording by kind and number of groups; the script says the same of what is new."""


@dataclass(frozen=True, slots=True)
class AppLinks:
    """What the local app adds to a report, beside whose address it takes requests from it."""

    exports: Mapping[str, str] = field(default_factory=dict)
    """Files that can be fetched, e.g. ``CSV``, and where."""
    version: str = ""
    """Version of the answer, which corrections of it are to state."""
    effect: tuple[str, ...] = ()
    """What learning from the corrections would change."""


PREVIEWS = "preview/"
"""Beside the report, where the app shows a page, whose rank is to follow."""


def as_html(report: view.Report, app: AppLinks | None = None) -> str:
    """A page to read: people on the left, pages on the right, why they are together.

    Args:
        report: the answer, and what else a reader should know.
        app: of the local app; None for a page that is opened from disk.
    """
    answer = report.answer
    groups = view.groups_of(answer)
    cards = view.cards_of(answer, groups)
    copies_url = PREVIEWS if app else ""
    rows = view.page_rows(answer, groups, copies_url)
    by_pile = (
        (heading, [page for page in answer.set_aside if page.pile is pile])
        for pile, heading in _PILES.items()
    )
    piles = [
        (heading, [(page, view.PageLinks.of(page, copies_url)) for page in pages])
        for heading, pages in by_pile
        if pages
    ]
    reduced = len(rows) > STATIC_PAGES
    on_demand = reduced or (app is not None and len(rows) > APP_STATIC_PAGES)
    dendrogram = None if reduced else _dendrogram_view(answer, groups)
    by_doubt = sorted(
        answer.pairs.values(), key=lambda pair: (abs(pair.probability - 0.5), pair.pages)
    )
    shown = by_doubt[:_MAX_PAIRS] if reduced else by_doubt  # where evidence matters most
    pairs = view.pair_views(answer, sorted(pair.pages for pair in shown))
    data = _script_data(answer, groups) | _card_data(chain.from_iterable(cards.values()))
    searched = min(_LONGEST_TEXT, _LONGEST_TEXTS // max(len(rows), 1))
    data["searched"] = searched if any(len(row.page.text) >= searched for row in rows) else 0
    data["about"] = [
        [
            bounded_text(row.page.dated, 10),
            row.page.kind,
            LANGUAGES.get(row.page.language, row.page.language),
        ]
        for row in rows
    ]
    if on_demand:
        data |= {"portion": PORTION, "pages": _page_data(rows)}
        data["aside"] = [_set_aside_data(pages) for _, pages in piles]
    return (
        report_environment()
        .get_template("report.html.j2")
        .render(
            policy=content_security_policy(connected=app is not None),
            style=read_assets(*STYLE_SHEET),
            script=read_assets(*SCRIPT),
            app=app,
            answer=answer,
            report=report,
            on_demand=on_demand,
            reduced=reduced,
            **_overview(report, groups),
            cards=cards,
            pages=view.pages_by_rank(answer),
            rows=rows,
            piles=piles,
            unread=[
                (reason, len(names), [(name, safe_link(name)) for name in names[:_MAX_UNREAD]])
                for reason, names in view.unread_by_reason(answer.unread).items()
            ],
            dendrogram=dendrogram,
            pairs=pairs,
            marks_of_pages=answer.corrections.marks("page"),
            marks_of_people=answer.corrections.marks("person"),
            corrections=[
                (
                    str(each),
                    _CORRECTIONS[each.kind, len(each.groups)].format(
                        *(", ".join(map(str, group)) for group in each.groups),
                        name=each.name,
                        percent=100 * (each.threshold or 0),
                    ),
                )
                for each in answer.corrections.entries
            ],
            blocks={
                "numbers": packed(data),
                "ties": packed(_pair_data(pairs) if on_demand else []),
                "texts": _packed_texts(tuple(row.page.text for row in rows), searched),
                "pairs": packed(_pair_codes(answer.alternatives) if answer.alternatives else b""),
            },
        )
    )


_MOST_IN_NOTEBOOK = 30
"""People of the table of a notebook."""


def as_notebook_html(answer: Answer) -> str:
    """The first people of an answer as a small table, for notebooks."""
    groups = [group for group in view.groups_of(answer) if group.person]
    return (
        report_environment()
        .get_template("notebook.html.j2")
        .render(
            answer=answer,
            pages=sum(group.size for group in groups),
            groups=groups[:_MOST_IN_NOTEBOOK],
            others=len(groups[_MOST_IN_NOTEBOOK:]),
        )
    )


@cache
def report_environment() -> Environment:
    """The templates of reports, with their filters."""
    environment = load_templates("weps.report")
    environment.filters |= {
        "certainty": view.certainty,
        "count_of": count_of,
        "format_score": format_score,
        "format_probability": format_probability,
        "people_words": view.people_words,
        "shown_title": view.shown_title,
        "measure_words": lambda name: view.MEASURES.get(name, name.replace("_", " ")),
        "number_list": lambda numbers: CleanText(" ".join(map(str, numbers))),
    }
    environment.globals |= {
        "longest_note": LONGEST_NOTE,
        "longest_effects": LONGEST_EFFECTS,
        "max_questions": MAX_QUESTIONS,
    }
    return environment


@cache
def read_assets(*names: str) -> str:
    """Style sheets or scripts of reports, one after another."""
    folder = files("weps.report").joinpath("assets")
    return "".join(folder.joinpath(name).read_text("utf-8") for name in names)


def content_security_policy(*, connected: bool, code: str = "") -> str:
    """The content security policy: the one style sheet, the one script, nothing from any network.

    Args:
        connected: whether the page may talk to the app that shows it.
        code: its script; that of a report if it is empty.
    """
    rules = [
        "default-src 'none'",
        f"style-src '{_hash(read_assets(*STYLE_SHEET))}'",
        f"script-src '{_hash(code or read_assets(*SCRIPT))}'",
        "base-uri 'none'",
        f"form-action '{'self' if connected else 'none'}'",
    ]
    return "; ".join([*rules, "connect-src 'self'"] if connected else rules)


def is_report(content: bytes) -> bool:
    """Whether a file runs and opens nothing by itself but the script of this version's reports.

    Under the policy in its head no other script runs, and there is no other element that leads
    elsewhere unasked: ``http-equiv=refresh`` is none that CSP knows.
    """
    policy = escape(content_security_policy(connected=False))
    own = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'.encode()
    before, _, behind = content.partition(own)
    # It begins in ASCII, so it has no mark of another encoding, in which words would hide.
    return before.startswith(b"<!doctype html>") and not _DIRECTIVE.search(before + behind)


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _overview(report: view.Report, groups: Sequence[view.Group]) -> dict[str, Any]:
    """The head of the report.

    ``figures``: key, number, singular and plural of each, and pages with a problem. ``strip``: a
    bar as long as all pages, with CSS class, begin and length of each person with several pages;
    parts that are thinner than the gaps between parts are ``thin``: they have no gaps. ``notes``:
    those of the report, and the problem of all pages, if they have one.
    """
    answer = report.answer
    pages = [page for person in answer.people for page in person.pages]
    problem = view.shared_problem(pages)
    people = [each for each in groups if each.person]
    several = [each for each in people if not each.is_singleton]
    begins = accumulate((each.size for each in several), initial=0)
    features = view.feature_list(answer.missing_features)
    remarks = {
        "Other spellings of the name": join_items(answer.also, most=10),
        "All pages": problem,
        "Not available for pages of this form": features,
    }
    return {
        "figures": {
            "counts": (
                ("pages", len(pages), "page", "pages"),
                ("people", len(people), "person", "people"),
                ("singles", len(people) - len(several), "single-page person", "single-page people"),
                ("unsure", len(answer.unsure), "unsure page", "unsure pages"),
            ),
            "set_aside": len(answer.set_aside),
            "unread": len(answer.unread),
            "problems": 0 if problem else sum(bool(page.note) for page in pages),
        },
        "strip": {
            "length": len(pages),
            "largest": people[0].size if people else 0,
            "parts": [
                (
                    each.tone + (" thin" if each.size * _THINNEST < len(pages) else ""),
                    begin,
                    each.size,
                )
                for each, begin in zip(several, begins, strict=False)
            ],
        },
        "notes": [
            *report.notes,
            *answer.cautions,
            *(f"{about}: {said}." for about, said in remarks.items() if said),
        ],
    }


_ROW, _TOP, _BOTTOM = 16, 30, 6
_LEFT, _RIGHT = 270, 780
"""Where pages are that are certainly one person, and certainly not."""
_LONGEST_TITLE = 38
"""Columns, of which wide characters take two."""
_LEVELS = (1, 0.75, 0.5, 0.25, 0)


def _dendrogram_view(answer: Answer, groups: Sequence[view.Group]) -> dict[str, Any] | None:
    """The picture, as its template takes it; None for an answer without alternatives, or one page.

    There is a line for each page and a bracket for each merge, in SVG units: ``width``,
    ``height``, ``axis_top``; ``ticks``: x and probability in per cent; ``leaf_x`` and ``leaves``:
    rank, shortened title, title and y of each page, from top to bottom; ``brackets``: number, CSS
    class and path of each merge; ``threshold_x``: between the last merge of the answer and the
    first that it leaves out.

    Args:
        answer: the answer.
        groups: of the answer, see :func:`~weps.report.view.groups_of`.
    """
    alternatives = answer.alternatives
    if alternatives is None or not alternatives.nodes:
        return None
    pages = list(view.pages_by_rank(answer).values())
    leaves = {row: [row] for row in range(len(pages))}
    for node, parts in enumerate(alternatives.nodes, start=len(pages)):
        # No two brackets cross; earlier pages come first.
        first, second = sorted(leaves.pop(part) for part in parts)
        leaves[node] = first + second
    (order,) = leaves.values()
    levels = (1.0, *alternatives.levels, 0.0)[alternatives.kept_merges :]
    return {
        "width": _RIGHT + 20,
        "height": _TOP + _ROW * len(order) + _BOTTOM,
        "axis_top": _TOP - 8,
        "ticks": [(_x(level), round(100 * level)) for level in _LEVELS],
        "leaf_x": _LEFT - 6,
        "leaves": [
            (pages[row].rank, cut_columns(title, _LONGEST_TITLE), title, _y(place) + 4)
            for place, row in enumerate(order)
            for title in [view.shown_title(pages[row])]
        ],
        "brackets": _brackets(alternatives, order, groups),
        "threshold_x": _x((levels[0] + levels[1]) / 2),
    }


def _x(level: float) -> int:
    return round(_RIGHT - (_RIGHT - _LEFT) * level)


def _y(place: int) -> int:
    return _TOP + _ROW * place + _ROW // 2


def _brackets(
    alternatives: Alternatives, order: Sequence[int], groups: Sequence[view.Group]
) -> list[tuple[int, str, str]]:
    """One path for each merge of two parts, from these to its level.

    It has the colour of its person, or none where the answer leaves it out.
    """
    at = {row: (_LEFT, float(_y(place))) for place, row in enumerate(order)}
    tone_of = {each.node: each.tone for each in groups if each.person}
    owners = alternatives.nodes_of_rows(alternatives.kept_merges)
    brackets, rows = [], list(range(len(owners)))
    for merge, parts in enumerate(alternatives.nodes):
        rows.append(rows[parts[0]])
        (x_first, y_first), (x_second, y_second) = (at[part] for part in parts)
        x = _x(alternatives.levels[merge])
        tone = tone_of[owners[rows[-1]]] if merge < alternatives.kept_merges else ""
        brackets.append((merge, tone, f"M{x_first} {y_first:g}H{x}V{y_second:g}H{x_second}"))
        at[len(owners) + merge] = (x, round((y_first + y_second) / 2, 1))
    return brackets


REACH = 12.0
"""Log odds of pairs are written from minus this to this."""
_MAX_CODE = 4095
"""Codes 0 and this one stand for certainty; what is between is log odds in equal steps."""
_MARK = "\n"
"""Clean text has none: it parts excerpts at the names, and begins what is no string."""
LONGEST_NOTE, LONGEST_EFFECTS = 200, 500
_LONGEST_NAME, _LONGEST_QUERY, _LONGEST_SENTENCE = 50, 200, 300
_MOST_NAMES, _MOST_FACTS, _MOST_SOURCES = 10, 40, 5
"""Of a person; all are in the JSON."""

Block = list[Any]


def _pair_codes(alternatives: Alternatives) -> bytes:
    """The pairs whose probability is known, row by row, each with a later row, in columns.

    If not all pairs are known, these are the number of pairs of each row and the distance of each
    pair's later row from that before it, at first from the row itself; then the codes of the
    probabilities. A column is the lower bytes of its numbers below 65536, then the higher ones,
    which deflate better than two bytes each.
    """
    known = alternatives.probability
    probability = known if isinstance(known, np.ndarray) else known.data
    odds = clipped_logit(probability, 1e-7).clip(-REACH, REACH)
    codes = np.rint((odds + REACH) / (2 * REACH) * (_MAX_CODE - 2)) + 1
    codes = np.where(probability <= 0, 0, np.where(probability >= 1, _MAX_CODE, codes))
    columns = [codes]
    if not isinstance(known, np.ndarray):
        counts = np.diff(known.indptr)
        before = np.concatenate([[0], known.indices[:-1]])
        before[known.indptr[:-1][counts > 0]] = np.flatnonzero(counts)
        columns = [counts, known.indices - before, codes]
    whole = [column.astype(np.uint16) for column in columns]
    planes = (plane for each in whole for plane in (each & 255, each >> 8))
    return b"".join(plane.astype(np.uint8).tobytes() for plane in planes)


def packed(data: object) -> str:
    """Bytes, or anything else as JSON, deflated, in base64."""
    strategy = zlib.Z_RLE if isinstance(data, bytes) else zlib.Z_DEFAULT_STRATEGY
    if not isinstance(data, bytes):
        data = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    # Codes hardly repeat: looking for what does takes ten times as long and gains nothing.
    deflater = zlib.compressobj(9, wbits=-zlib.MAX_WBITS, strategy=strategy)
    return base64.b64encode(deflater.compress(data) + deflater.flush()).decode()


@lru_cache(maxsize=2)
def _packed_texts(texts: tuple[str, ...], longest: int) -> str:
    """The texts of the rows, packed; the app needs the same for one correction after another."""
    return packed([bounded_text(text.replace("\n", " · "), longest) for text in texts])


def _script_data(answer: Answer, groups: Sequence[view.Group]) -> dict[str, Any]:
    """Numbers only; pages are identified by row, people by node.

    ``own``: the node of each row's person; ``assessed``: for each row score, nearest person,
    closest page and its probability, rival and its probability, -1 where there is none, and whether
    it is confirmed; ``people``: their nodes in order; ``copies``: rows of pages that are
    near-duplicates of an earlier one, each with the row of that. Other cuts are computed from the
    rest.
    """
    pages = view.pages_by_rank(answer)
    row_of = {rank: row for row, rank in enumerate(pages)}
    people = [(each.node, each.person) for each in groups if each.person]
    node_of = {person.id: node for node, person in people}
    own = {page.rank: node for node, person in people for page in person.pages}

    def near(each: RelatedPage | None) -> tuple[int, float]:
        return (row_of[each.rank], each.probability) if each else (-1, 0)

    data: dict[str, Any] = {
        "certainties": view.CERTAINTIES,
        "own": [own[rank] for rank in pages],
        "assessed": [
            [
                page.score,
                node_of.get(page.nearest or 0, -1),
                *near(page.closest),
                *near(page.rival),
                int(page.confirmed),
            ]
            for page in pages.values()
        ],
        "people": [node for node, _ in people],
        "copies": [
            (row, row_of[page.copy_of])
            for row, page in enumerate(pages.values())
            if page.copy_of is not None
        ],
    }
    if alternatives := answer.alternatives:
        least, most = alternatives.min_merges, alternatives.max_merges
        thresholds = [*map(alternatives.threshold_of, range(least, most + 1))]
        known, chosen = alternatives.probability, answer.corrections.threshold
        data |= {
            "nodes": alternatives.nodes,
            "levels": [round_probability(level) for level in alternatives.levels],
            "merges": [merge.pages for merge in answer.merges],
            "held": alternatives.kept_merges,
            "least": least,
            "most": most,
            "thresholds": ["" if each is None else threshold_text(each) for each in thresholds],
            "chosen": "" if chosen is None else threshold_text(chosen),
            "reach": REACH,
            "known": None if isinstance(known, np.ndarray) else known.nnz,
            "missing": alternatives.missing,
            "calibration": [alternatives.calibration.slope, alternatives.calibration.shift],
            **alternatives.page_confidence.to_data(),
            "unfamiliar": [row for row, page in enumerate(pages.values()) if page.caution],
        }
    if corrections := answer.corrections.obeyed:
        constraints = build_constraints(corrections, list(pages))
        data |= {
            "component": constraints.components.tolist(),
            "apart": np.argwhere(np.triu(constraints.conflicts)).tolist(),
            "right": np.flatnonzero(constraints.confirmed_pages).tolist(),
        }
    return data


def _card_data(cards: Iterable[view.Card]) -> dict[str, Block]:
    """``cards``, as the script shows them, and the ``names`` and ``sentences`` they refer to.

    A card has node, id of its person or 0, number of its colour, number of pages, label, words,
    places of its names, query, what it finds, years, places, facts; and, if they are not empty: how
    sure it is that the pages are one person, probability, nodes of its parts. A name has kind, text
    and the ranks of the pages of all these cards that have it. A fact has attribute, value, what it
    is to the person, certainty, whether it is contradicted, ranks of pages, and for each source
    its rank and the place of its sentence.
    """
    place_of: dict[tuple[str, str], int] = {}
    sentences: dict[str, int] = {}
    ranks, rows = defaultdict[int, set[int]](set), []
    for card in cards:
        group, places = card.group, []
        for name in group.description.names[:_MOST_NAMES]:
            key = name.kind, bounded_text(name.text, _LONGEST_NAME)
            places.append(place_of.setdefault(key, len(place_of)))
            ranks[places[-1]].update(name.pages)
        facts = [
            [
                ATTRIBUTES.get(fact.attribute, fact.attribute),
                *(bounded_text(fact.value), bounded_text(fact.detail)),
                *(fact.certainty, int(fact.contradicted), fact.pages),
                *(
                    number
                    for source in fact.sources[:_MOST_SOURCES]
                    for number in (
                        source.page,
                        sentences.setdefault(
                            bounded_text(source.sentence, _LONGEST_SENTENCE), len(sentences)
                        ),
                    )
                ),
            ]
            for fact in group.description.facts[:_MOST_FACTS]
        ]
        one = group.description.one_person
        words = view.people_words(one, group.description.expected_people, len(group.parts))
        sure = (words, format_probability(one), group.parts)
        rows.append(
            _without_end(
                group.node,
                group.person.id if group.person else 0,
                group.tone,
                group.size,
                group.label,
                card.words,
                places,
                bounded_text(card.query.query, _LONGEST_QUERY) if card.query else "",
                card.query.outcome if card.query else "",
                card.years,
                card.places,
                facts,
                *(() if group.is_singleton else sure),
            )
        )
    return {
        "cards": rows,
        "names": [[kind, text, sorted(ranks[at])] for (kind, text), at in place_of.items()],
        "sentences": list(sentences),
    }


def _page_data(rows: Iterable[view.PageRow]) -> Block:
    """As ``templates/pages.html.j2`` shows them, but for what the numbers say.

    A page has rank, fingerprint, title, address of the saved copy and of the page on the web, its
    domain and path, the day of the copy; then the excerpt, the caution and the problem.
    """
    return [
        _without_end(
            *_page_start(row.page, row.links, 60),
            _MARK.join(row.excerpt).removesuffix(_MARK),
            bounded_text(row.page.caution),
            bounded_text(row.problem, LONGEST_NOTE),
        )
        for row in rows
    ]


def _set_aside_data(pages: Iterable[tuple[SetAsidePage, view.PageLinks]]) -> Block:
    """As ``templates/people.html.j2`` shows them: as in :func:`_page_data`, then the reason."""
    return [
        [
            *_page_start(page, links, 30),
            bounded_text(page.reason)
            + (f" Problem: {bounded_text(page.note, LONGEST_NOTE)}." if page.note else ""),
        ]
        for page, links in pages
    ]


def _page_start(page: ShownPage, links: view.PageLinks, longest: int) -> Block:
    domain, path = bounded_text(links.domain, 60, keep_end=True), bounded_text(links.path, longest)
    titled = page.rank, page.fingerprint, view.shown_title(page)
    return [*titled, links.saved, links.live, domain, path, links.day]


def _pair_data(pairs: Iterable[view.PairView]) -> Block:
    """As ``templates/evidence.html.j2`` shows them.

    A pair has its two ranks and the probability; the lines of evidence: feature, whether it
    repeats, and its parts; then, if they are not empty: what a user said, and effects.
    """
    return [
        _without_end(
            *pair.explained.pages,
            format_probability(pair.explained.probability),
            [
                [
                    line.feature,
                    int(line.repeats),
                    *(
                        text
                        for where, strings in line.groups
                        for text in ([_MARK + where, *strings] if where else strings)
                    ),
                ]
                for line in pair.evidence
            ],
            pair.explained.said,
            bounded_text(pair.effects, LONGEST_EFFECTS),
        )
        for pair in pairs
    ]


def _without_end(*fields: object) -> Block:
    """The fields up to the last that is not empty."""
    return [*dropwhile(lambda field: not field, reversed(fields))][::-1]
