"""The answer as one self-contained HTML page.

The modules beside this one choose the content of the page; all HTML is in ``templates``. Text from
the web is cleaned, bounded and escaped wherever a template prints it, see
:mod:`weps.report.safe_text`; the script shows, hides, moves and copies what is written here, makes
the elements of large reports from the data of :mod:`weps.report.html`, and never makes HTML from
text. The page's content security policy allows the one style sheet and the one script it carries,
by their hashes, and nothing from any network.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from weps._formatting import count_of, cut_columns, format_probability, format_score
from weps.corrections.edits import MAX_QUESTIONS, build_constraints
from weps.corrections.model import Correction, threshold_text
from weps.people.answer import Alternatives, Answer, ExplainedMerge, SetAsidePage
from weps.people.pages import Pile
from weps.report.safe_text import CleanText, load_templates, safe_link
from weps.report.view import (
    Group,
    PageLinks,
    Report,
    cards_of,
    certainty,
    feature_list,
    groups_of,
    measure_words,
    page_rows,
    pages_by_rank,
    pair_views,
    people_words,
    shared_problem,
    shown_title,
    unread_by_reason,
)

if TYPE_CHECKING:
    from jinja2 import Environment
import json
import zlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logit

from weps._formatting import round_probability
from weps.people.answer import RelatedPage
from weps.report.safe_text import bounded_text
from weps.report.view import CERTAINTIES, Card, EvidenceLine, PageRow, PairView

_STYLES = ("base", "people", "pages", "pictures", "correcting", "keyboard", "index", "print")
_SCRIPTS = (
    "unpacking",
    "data",
    "portions",
    "cuts",
    "page_confidence",
    "ties",
    "people",
    "pages",
    "tree",
    "slider",
    "finding",
    "network",
    "sentences",
    "questions",
    "backends",
    "asking",
    "correcting",
    "keyboard",
    "start",
)
"""In the order in which they build on each other."""
STATIC_PAGES = 500
"""Number of pages above which the script makes people, pages and pairs when they are looked at."""
APP_STATIC_PAGES = 150
"""Such a number in the app, which loads the report again after each correction, and where every
browser has JavaScript."""
PORTION = 200
"""Number of items that the script shows at first."""
_MAX_PAIRS = 8_000
"""Explained pairs of a report that is made on demand."""
_THINNEST = 300
"""Part of the strip of all pages that is as wide as two gaps."""
_MAX_UNREAD = 200
"""Inputs listed for one reason that they could not be read."""
_PILES = {Pile.OTHER_NAME: "Not this person’s name", Pile.CANNOT_TELL: "Cannot tell"}
"""The piles of pages that are set aside, and their headings."""
_CORRECTIONS = {
    ("same", 1): "Same person: {}",
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
}
"""Wording by kind and number of groups; the script says the same of what is new."""


@dataclass(frozen=True, slots=True)
class AppLinks:
    """Where the local app takes requests from a report that it shows: paths within the app."""

    corrections_url: str
    """Takes corrections, as JSON by POST."""
    home_url: str
    """All results."""
    copies_url: str
    """Shows the saved copy of a page, whose rank is to follow."""
    exports: Mapping[str, str] = field(default_factory=dict)
    """Files that can be fetched, e.g. ``CSV``, and where."""
    delete_url: str = ""
    """Asks whether everything about the name is to be deleted; empty where that is not offered."""
    version: str = ""
    """Version of the answer, which corrections of it are to state."""
    questions_url: str = ""
    """Tells which two pages to ask about next; empty where that is not offered."""


def as_html(report: Report, app: AppLinks | None = None) -> str:
    """A page to read: people on the left, pages on the right, why they are together.

    Args:
        report: the answer, and what else a reader should know.
        app: where the local app takes corrections; None for a page that is opened from disk.
    """
    answer = report.answer
    groups = groups_of(answer)
    cards = cards_of(answer, groups)
    copies_url = app.copies_url if app else ""
    rows, piles = page_rows(answer, groups, copies_url), _piles(answer, copies_url)
    reduced = len(rows) > STATIC_PAGES
    on_demand = reduced or (app is not None and len(rows) > APP_STATIC_PAGES)
    dendrogram = dendrogram_view(answer, groups, reduced=reduced)
    pairs = pair_views(answer, _least_certain(answer) if reduced else sorted(answer.pairs))
    data = script_data(answer, groups) | card_data(
        (*cards.sure, *cards.unsure, *cards.others) if on_demand else cards.others
    )
    if on_demand:
        data |= {"portion": PORTION, "pages": page_data(rows)}
        data["aside"] = [set_aside_data(pages) for _, pages in piles]
    merges: Sequence[ExplainedMerge] = answer.merges
    if reduced and dendrogram:
        merges = [answer.merges[merge] for merge, _, _ in dendrogram["brackets"]]
    template = report_environment().get_template("report.html.j2")
    return template.render(
        policy=content_security_policy(connected=app is not None),
        style=style_sheet(),
        script=script(),
        app=app,
        answer=answer,
        report=report,
        on_demand=on_demand,
        reduced=reduced,
        figures=_figures(report),
        strip=_strip(groups),
        notes=_notes(report),
        cards=cards,
        rows=rows,
        piles=piles,
        unread=_unread(answer),
        dendrogram=dendrogram,
        merges=merges,
        pairs=pairs,
        corrections=[(str(each), _correction_words(each)) for each in answer.corrections.entries],
        blocks={
            "numbers": packed(data),
            "ties": packed(pair_data(pairs) if on_demand else []),
            "pairs": packed(
                PairGraph.of(answer.alternatives).to_bytes() if answer.alternatives else b""
            ),
        },
    )


_MOST_IN_NOTEBOOK = 30
"""People of the table of a notebook."""


def as_notebook_html(answer: Answer) -> str:
    """The first people of an answer as a small table, for notebooks."""
    groups = [group for group in groups_of(answer) if group.person]
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


def _least_certain(answer: Answer) -> list[tuple[int, int]]:
    """The pairs whose probability is nearest to one half, where evidence matters most, by rank."""
    by_doubt = sorted(
        answer.pairs.values(), key=lambda pair: (abs(pair.probability - 0.5), pair.pages)
    )
    return sorted(pair.pages for pair in by_doubt[:_MAX_PAIRS])


@cache
def report_environment() -> Environment:
    """The templates of reports, with their filters."""
    environment = load_templates("weps.report")
    for words in (
        certainty,
        count_of,
        format_score,
        measure_words,
        format_probability,
        people_words,
        shown_title,
    ):
        environment.filters[words.__name__] = words
    environment.filters["number_list"] = lambda numbers: CleanText(" ".join(map(str, numbers)))
    environment.globals |= {
        "longest_name": LONGEST_NAME,
        "longest_query": LONGEST_QUERY,
        "longest_note": LONGEST_NOTE,
        "longest_effects": LONGEST_EFFECTS,
        "max_questions": MAX_QUESTIONS,
    }
    return environment


@cache
def style_sheet() -> str:
    """The whole style sheet."""
    return "".join(read_asset(f"{name}.css") for name in _STYLES)


@cache
def script() -> str:
    """The whole script, a module: what it declares is nobody else's."""
    return "".join(read_asset(f"{name}.js") for name in _SCRIPTS)


@cache
def index_script() -> str:
    """The script of an index of several names."""
    return "".join(read_asset(f"{name}.js") for name in ("names", "keyboard"))


def read_asset(name: str) -> str:
    """A style sheet or a script of reports."""
    return files("weps.report").joinpath("assets", name).read_text("utf-8")


def content_security_policy(*, connected: bool, code: str = "") -> str:
    """The content security policy: the one style sheet, the one script, nothing from any network.

    Args:
        connected: whether the page may talk to the app that shows it.
        code: its script; that of a report if it is empty.
    """
    rules = [
        "default-src 'none'",
        f"style-src '{_hash(style_sheet())}'",
        f"script-src '{_hash(code or script())}'",
        "base-uri 'none'",
        f"form-action '{'self' if connected else 'none'}'",
    ]
    return "; ".join([*rules, "connect-src 'self'"] if connected else rules)


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _figures(report: Report) -> dict[str, Any]:
    """The numbers at the head: key, number, singular and plural; and pages with a problem."""
    answer = report.answer
    pages = [page for person in answer.people for page in person.pages]
    singletons = sum(len(person.pages) == 1 for person in answer.people)
    problems = 0 if shared_problem(pages) else sum(bool(page.note) for page in pages)
    return {
        "counts": (
            ("pages", len(pages), "page", "pages"),
            ("people", len(answer.people), "person", "people"),
            ("singles", singletons, "single-page person", "single-page people"),
            ("unsure", len(answer.unsure), "unsure page", "unsure pages"),
        ),
        "set_aside": len(answer.set_aside),
        "unread": len(answer.unread),
        "problems": problems,
    }


def _piles(
    answer: Answer, copies_url: str
) -> list[tuple[str, list[tuple[SetAsidePage, PageLinks]]]]:
    """Heading and pages of each pile."""
    piles: dict[Pile, list[tuple[SetAsidePage, PageLinks]]] = {pile: [] for pile in _PILES}
    for page in answer.set_aside:
        piles[page.pile].append((page, PageLinks.of(page, copies_url)))
    return [(_PILES[pile], pages) for pile, pages in piles.items() if pages]


def _unread(answer: Answer) -> list[tuple[str, int, list[tuple[str, CleanText]]]]:
    """Each reason why inputs could not be read: their number, and the first with safe addresses."""
    return [
        (reason, len(names), [(name, safe_link(name)) for name in names[:_MAX_UNREAD]])
        for reason, names in unread_by_reason(answer.unread).items()
    ]


def _strip(groups: Sequence[Group]) -> dict[str, Any]:
    """A bar as long as all pages: CSS class, begin and length of each person with several pages.

    Parts that are thinner than the gaps between parts are ``thin``: they have no gaps.
    """
    people = [each for each in groups if each.person]
    length = sum(each.size for each in people)
    parts, begin = [], 0
    for each in people:
        if not each.is_singleton:
            thin = " thin" if each.size * _THINNEST < length else ""
            parts.append((each.tone + thin, begin, each.size))
            begin += each.size
    return {"length": length, "largest": people[0].size if people else 0, "parts": parts}


def _notes(report: Report) -> list[str]:
    """Notes of the report, and the problem of all pages, if they have one."""
    answer = report.answer
    notes = [*report.notes, *answer.cautions]
    if problem := shared_problem([page for person in answer.people for page in person.pages]):
        notes.append(f"All pages: {problem}.")
    if answer.missing_features:
        features = feature_list(answer.missing_features)
        notes.append(f"Not available for pages of this form: {features}.")
    return notes


def _correction_words(correction: Correction) -> str:
    groups = (", ".join(map(str, group)) for group in correction.groups)
    form = _CORRECTIONS[correction.kind, len(correction.groups)]
    return form.format(*groups, name=correction.name, percent=100 * (correction.threshold or 0))


_ROW, _TOP, _BOTTOM = 16, 30, 6
_LEFT, _RIGHT = 270, 780
"""Where pages are that are certainly one person, and certainly not."""
_LONGEST_TITLE = 38
"""Columns, of which wide characters take two."""
_LEVELS = (1, 0.75, 0.5, 0.25, 0)
_MAX_LEAVES = 200
"""Largest number of leaves of a picture that does not have all pages."""


def dendrogram_view(
    answer: Answer, groups: Sequence[Group], *, reduced: bool
) -> dict[str, Any] | None:
    """The picture, as its template takes it; None for an answer without alternatives, or one page.

    There is a line for each page and a bracket for each merge, in SVG units: ``width``,
    ``height``, ``axis_top``; ``ticks``: x and probability in per cent; ``leaf_x`` and ``leaves``:
    rank, shortened title, title and y of each page, from top to bottom; ``brackets``: number, CSS
    class and path of each merge; ``threshold_x``: between the last merge of the answer and the
    first that it leaves out.

    Args:
        answer: the answer.
        groups: of the answer, see :func:`~weps.report.view.groups_of`.
        reduced: leave out all but the pages that explain the merges nearest to the threshold, 200
            pages at most, and the merges that join none of them.
    """
    alternatives = answer.alternatives
    if alternatives is None or not alternatives.nodes:
        return None
    pages = list(pages_by_rank(answer).values())
    drawn = _rows_near_threshold(answer, alternatives) if reduced else set(range(len(pages)))
    order = [row for row in _crossing_free_order(alternatives) if row in drawn]
    levels = (1.0, *alternatives.levels, 0.0)
    last, next_one = levels[alternatives.kept_merges], levels[alternatives.kept_merges + 1]
    return {
        "width": _RIGHT + 20,
        "height": _TOP + _ROW * len(order) + _BOTTOM,
        "axis_top": _TOP - 8,
        "ticks": [(_x(level), round(100 * level)) for level in _LEVELS],
        "leaf_x": _LEFT - 6,
        "leaves": [
            (pages[row].rank, cut_columns(title, _LONGEST_TITLE), title, _y(place) + 4)
            for place, row in enumerate(order)
            for title in [shown_title(pages[row])]
        ],
        "brackets": _brackets(alternatives, order, _tones(alternatives, groups)),
        "threshold_x": _x((last + next_one) / 2),
    }


def _rows_near_threshold(answer: Answer, alternatives: Alternatives) -> set[int]:
    row_of = {rank: row for row, rank in enumerate(alternatives.ranks)}
    middle = alternatives.kept_merges - 0.5
    rows: set[int] = set()
    for merge in sorted(range(len(answer.merges)), key=lambda merge: abs(merge - middle)):
        rows.update(row_of[rank] for rank in answer.merges[merge].pages)
        if len(rows) >= _MAX_LEAVES:
            break
    return rows


def _crossing_free_order(alternatives: Alternatives) -> list[int]:
    """The rows such that no two brackets cross, earlier pages first."""
    leaves = len(alternatives.ranks)
    first_row = list(range(leaves))
    for parts in alternatives.nodes:
        first_row.append(min(first_row[part] for part in parts))
    order, waiting = [], [len(first_row) - 1]
    while waiting:
        node = waiting.pop()
        if node < leaves:
            order.append(node)
        else:
            waiting += sorted(alternatives.nodes[node - leaves], key=lambda part: -first_row[part])
    return order


def _tones(alternatives: Alternatives, groups: Sequence[Group]) -> list[str]:
    """For each merge the colour of its person; empty where the answer leaves it out."""
    leaves = len(alternatives.ranks)
    tone_of = {each.node: each.tone for each in groups if each.person}
    tones = [""] * (leaves - 1)
    for merge in reversed(range(alternatives.kept_merges)):
        tones[merge] = tone_of[leaves + merge]
        tone_of.update(dict.fromkeys(alternatives.nodes[merge], tones[merge]))
    return tones


def _x(level: float) -> int:
    return round(_RIGHT - (_RIGHT - _LEFT) * level)


def _y(place: int) -> int:
    return _TOP + _ROW * place + _ROW // 2


def _brackets(
    alternatives: Alternatives, order: Sequence[int], tones: Sequence[str]
) -> list[tuple[int, str, str]]:
    """One path for each merge of two parts that both have rows drawn, from these to its level."""
    at = {row: (_LEFT, float(_y(place))) for place, row in enumerate(order)}
    brackets = []
    leaves = len(alternatives.ranks)
    merges = zip(alternatives.nodes, alternatives.levels, tones, strict=True)
    for merge, (parts, level, tone) in enumerate(merges):
        drawn = [at[part] for part in parts if part in at]
        if len(drawn) == 2:
            (x_first, y_first), (x_second, y_second) = drawn
            x = _x(level)
            path = f"M{x_first} {y_first:g}H{x}V{y_second:g}H{x_second}"
            brackets.append((merge, tone, path))
            at[leaves + merge] = (x, round((y_first + y_second) / 2, 1))
        elif drawn:
            at[leaves + merge] = drawn[0]
    return brackets


REACH = 12.0
"""Log odds of pairs are written from minus this to this."""
_MAX_CODE = 4095
"""Codes 0 and this one stand for certainty; what is between is log odds in equal steps."""
_MARK = "\n"
"""Clean text has none: it parts excerpts at the names, and begins what is no string."""
LONGEST_NAME, LONGEST_QUERY, LONGEST_NOTE, LONGEST_EFFECTS = 50, 200, 200, 500

Block = list[Any]


@dataclass(frozen=True, slots=True, eq=False)
class PairGraph:
    """The pairs of n pages whose probability is known, row by row, each with a later row."""

    others: NDArray[np.int64] | None
    """Shape (pairs,): the later row of each; None if all pairs are known."""
    counts: NDArray[np.int64]
    """Shape (n,): number of pairs of each row."""
    probability: NDArray[np.floating]
    """Shape (pairs,): that the pair is one person, not calibrated."""
    missing: float
    """Probability of all other pairs."""

    @classmethod
    def of(cls, alternatives: Alternatives) -> PairGraph:
        """The pairs of an answer: the only place that knows how it keeps them."""
        probability, size = alternatives.probability, len(alternatives.ranks)
        if not sparse.issparse(probability):
            return cls(None, np.arange(size)[::-1].copy(), probability, 0.0)
        upper = sparse.triu(probability, 1, "csr").sorted_indices()
        return cls(upper.indices, np.diff(upper.indptr), upper.data, alternatives.missing)

    def to_bytes(self) -> bytes:
        """The columns one after another, each as its lower bytes, then its higher bytes.

        They are, if not all pairs are known, the counts and the distance of each row from the one
        before in its list, and the codes of the probabilities.
        """
        with np.errstate(divide="ignore"):
            odds = np.clip(logit(self.probability), -REACH, REACH)
        codes = np.rint((odds + REACH) / (2 * REACH) * (_MAX_CODE - 2)) + 1
        codes = np.where(self.probability <= 0, 0, codes)
        codes = np.where(self.probability >= 1, _MAX_CODE, codes)
        if self.others is None:
            return _planes(codes)
        rows = np.repeat(np.arange(len(self.counts)), self.counts)
        starts = np.cumsum(self.counts) - self.counts
        before = np.concatenate([[0], self.others[:-1]])
        before[starts[self.counts > 0]] = rows[starts[self.counts > 0]]
        return b"".join(map(_planes, (self.counts, self.others - before, codes)))


def _planes(numbers: NDArray[Any]) -> bytes:
    """Numbers below 65536 as two planes of bytes, which deflate better than two bytes each."""
    whole = numbers.astype(np.uint16)
    return (whole & 255).astype(np.uint8).tobytes() + (whole >> 8).astype(np.uint8).tobytes()


def packed(data: object) -> str:
    """Bytes, or anything else as JSON, deflated, in base64."""
    strategy = zlib.Z_RLE if isinstance(data, bytes) else zlib.Z_DEFAULT_STRATEGY
    if not isinstance(data, bytes):
        data = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    # Codes hardly repeat: looking for what does takes ten times as long and gains nothing.
    deflater = zlib.compressobj(9, wbits=-zlib.MAX_WBITS, strategy=strategy)
    return base64.b64encode(deflater.compress(data) + deflater.flush()).decode()


def script_data(answer: Answer, groups: Sequence[Group]) -> dict[str, Any]:
    """Numbers only; pages are identified by row, people by node.

    ``own``: the node of each row's person; ``assessed``: for each row score, nearest person,
    closest page and its probability, rival and its probability, -1 where there is none, and whether
    it is confirmed; ``people``: their nodes in order; ``copies``: rows of pages that are
    near-duplicates of an earlier one, each with the row of that. Other cuts are computed from the
    rest.
    """
    return {
        "certainties": CERTAINTIES,
        **_answer_data(answer, groups),
        **_alternatives_data(answer.alternatives, answer),
        **_constraints_data(answer),
    }


def _answer_data(answer: Answer, groups: Sequence[Group]) -> dict[str, Any]:
    """The answer as it is."""
    pages = pages_by_rank(answer)
    row_of = {rank: row for row, rank in enumerate(pages)}
    people = [(each.node, each.person) for each in groups if each.person]
    node_of = {person.id: node for node, person in people}
    own = {page.rank: node for node, person in people for page in person.pages}

    def near(each: RelatedPage | None) -> tuple[int, float]:
        return (row_of[each.rank], each.probability) if each else (-1, 0)

    return {
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


def _alternatives_data(alternatives: Alternatives | None, answer: Answer) -> dict[str, Any]:
    if alternatives is None:
        return {}
    graph, page_confidence = PairGraph.of(alternatives), alternatives.page_confidence
    return {
        "nodes": alternatives.nodes,
        "levels": [round_probability(level) for level in alternatives.levels],
        "merges": [merge.pages for merge in answer.merges],
        "held": alternatives.kept_merges,
        "least": alternatives.min_merges,
        "most": alternatives.max_merges,
        "thresholds": [
            "" if threshold is None else threshold_text(threshold)
            for threshold in map(
                alternatives.threshold_of,
                range(alternatives.min_merges, alternatives.max_merges + 1),
            )
        ],
        "chosen": ""
        if (chosen := answer.corrections.threshold) is None
        else threshold_text(chosen),
        "reach": REACH,
        "known": None if graph.others is None else len(graph.others),
        "missing": graph.missing,
        "calibration": [alternatives.calibration.slope, alternatives.calibration.shift],
        **page_confidence.to_data(),
        "unfamiliar": [
            row for row, page in enumerate(pages_by_rank(answer).values()) if page.caution
        ],
    }


def _constraints_data(answer: Answer) -> dict[str, Any]:
    """The constraints that follow from corrections; empty without corrections."""
    if not answer.corrections:
        return {}
    constraints = build_constraints(answer.corrections, list(pages_by_rank(answer)))
    return {
        "component": constraints.components.tolist(),
        "apart": np.argwhere(np.triu(constraints.conflicts)).tolist(),
        "right": np.flatnonzero(constraints.confirmed_pages).tolist(),
    }


def card_data(cards: Iterable[Card]) -> dict[str, Block]:
    """``cards``, as ``templates/people.html.j2`` shows them, and the ``names`` they refer to.

    A card has node, id of its person or 0, number of its colour, number of pages, label, words,
    places of its names, and, if they are not empty: query, what it finds, how sure it is that the
    pages are one person, probability, expected number of people. A name has kind, text and the
    ranks of the pages of all these cards that have it.
    """
    cards = list(cards)
    ranks: dict[tuple[str, str], set[int]] = {}
    for name in (name for card in cards for _, names in card.context_entities for name in names):
        ranks.setdefault((name.kind, bounded_text(name.text, LONGEST_NAME)), set()).update(
            name.pages
        )
    place_of = {name: place for place, name in enumerate(ranks)}
    return {
        "cards": [_card(card, place_of) for card in cards],
        "names": [[kind, text, sorted(on)] for (kind, text), on in ranks.items()],
    }


def _card(card: Card, place_of: Mapping[tuple[str, str], int]) -> Block:
    group, description, several = card.group, card.group.description, not card.group.is_singleton
    one, expected = description.one_person, description.expected_people
    named = (name for _, names in card.context_entities for name in names)
    return _without_end(
        group.node,
        group.person.id if group.person else 0,
        group.tone,
        group.size,
        group.label,
        card.words,
        [place_of[each.kind, bounded_text(each.text, LONGEST_NAME)] for each in named],
        bounded_text(card.query.text, LONGEST_QUERY) if card.query else "",
        card.query.outcome if card.query else "",
        people_words(one, expected) if several else "",
        format_probability(one) if several else "",
        f"{expected:.1f}" if several else "",
    )


def page_data(rows: Iterable[PageRow]) -> Block:
    """As ``templates/pages.html.j2`` shows them, but for what the numbers say.

    A page has rank, fingerprint, title, address of the saved copy and of the page on the web, its
    domain and path, the day of the copy; then the excerpt, the caution and the problem.
    """
    return [
        _without_end(
            *_page_start(row.page.rank, row.page.fingerprint, row.title, row.links, 60),
            _excerpt(row.excerpt),
            bounded_text(row.page.caution),
            bounded_text(row.problem, LONGEST_NOTE),
        )
        for row in rows
    ]


def set_aside_data(pages: Iterable[tuple[SetAsidePage, PageLinks]]) -> Block:
    """As ``templates/people.html.j2`` shows them: as in :func:`page_data`, then the reason."""
    return [
        [*_page_start(page.rank, page.fingerprint, shown_title(page), links, 30), _reason(page)]
        for page, links in pages
    ]


def _reason(page: SetAsidePage) -> str:
    note = f" Problem: {bounded_text(page.note, LONGEST_NOTE)}." if page.note else ""
    return bounded_text(page.reason) + note


def _page_start(rank: int, fingerprint: str, title: str, links: PageLinks, longest: int) -> Block:
    domain, path = bounded_text(links.domain, 60, keep_end=True), bounded_text(links.path, longest)
    return [rank, fingerprint, title, links.saved, links.live, domain, path, links.day]


def _excerpt(parts: Iterable[tuple[str, bool]]) -> str:
    """Text and names by turns, beginning with text."""
    turns: list[str] = []
    for part, is_name in parts:
        if len(turns) % 2 != is_name:
            turns.append("")
        turns.append(part)
    return _MARK.join(turns)


def pair_data(pairs: Iterable[PairView]) -> Block:
    """As ``templates/evidence.html.j2`` shows them.

    A pair has its two ranks and the probability; the lines of evidence: feature, whether it
    repeats, and its parts; then, if they are not empty: what a user said, effects, steps.
    """
    return [
        _without_end(
            *pair.ranks,
            format_probability(pair.probability),
            list(map(_evidence_line, pair.evidence)),
            pair.correction,
            bounded_text(pair.effects, LONGEST_EFFECTS),
            [[bounded_text(words), format_probability(each)] for words, each in pair.steps],
        )
        for pair in pairs
    ]


def _evidence_line(line: EvidenceLine) -> Block:
    parts = (text if is_string else _MARK + text for text, is_string in line.parts)
    return [bounded_text(line.feature), int(line.repeats), *parts]


def _without_end(*fields: object) -> Block:
    """The fields up to the last that is not empty."""
    last = max((place for place, field in enumerate(fields) if field), default=-1)
    return list(fields[: last + 1])
