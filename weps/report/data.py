"""The data of a report's script: other thresholds, and what is made only when it is looked at.

Blocks of the page, each deflated (RFC 1951) and in base64: ``numbers``, ``ties`` and ``pairs``.
Text from the web in them is as clean and bounded as in templates; the script makes text nodes of
it, never HTML.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logit

from weps._formatting import format_probability, round_probability
from weps.corrections.model import threshold_text
from weps.people.answer import Alternatives, Answer, RelatedPage, SetAsidePage
from weps.report.safe_text import bounded_text
from weps.report.view import Card, Group, PageLinks, PageRow, pages_by_rank, shown_title
from weps.report.wording import CERTAINTIES, EvidenceLine, PairView, people_words

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
    constraints = answer.corrections.constraints(list(pages_by_rank(answer)))
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
            name.ranks
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
