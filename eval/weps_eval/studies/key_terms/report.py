"""Tables, figures, sections and JSON of the study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import isnan, nan
from operator import attrgetter
from statistics import median
from typing import Any, TypeAlias

import numpy as np

from weps._formatting import format_count
from weps_eval.report.claims import CLAIM_COLUMNS, SIZES, VERDICT, JudgedClaim, claims_table
from weps_eval.report.document import Document, Figure, Quote, Section
from weps_eval.report.figures.intervals import IntervalPair
from weps_eval.report.figures.lines import GuideLine, Series
from weps_eval.report.tables import (
    COUNT,
    ESTIMATE,
    PERCENT,
    SHARE,
    SIGNED_ESTIMATE,
    Column,
    Kind,
    Table,
    as_json,
    by_name,
    row_records,
)
from weps_eval.stats.estimate import Estimate
from weps_eval.studies.base import Result, draw_pairs, draw_trends
from weps_eval.studies.key_terms.claims import CLAIMS
from weps_eval.studies.key_terms.findings import (
    DISTANCES,
    LENGTH,
    LENGTHS,
    PLACE_PAIRS,
    STUDIED,
    Findings,
    Topic,
    place_at,
)
from weps_eval.studies.key_terms.phrases import LENGTHS as PHRASE_LENGTHS

Collection: TypeAlias = tuple[Findings, Sequence[JudgedClaim]]
"""Topics of one kind, with the verdicts on them."""

_FEW, _MOST = 12, 60
"""Topics that a figure, and that a table, can show one by one."""
_BASE, _PAPER = "tf", ("tf", "likelihood_ratio", "okapi", "tfsyntax")
"""The frequency, and the weightings that the paper compares."""
_PLAIN = Kind(str)

_MISSING = (
    "The paper's own corpus (ISCORPUS: eight topics of Spanish news with 100 documents each, key "
    "concepts by nine people after they had summarised the topic) is not available. All texts "
    "here are English, and the topics differ from the paper's: see the table of the data."
)
_VERBS = Quote(
    "The probability rises toward the verb, falls abruptly after it and then grows again. For "
    "topic tracking it is 56 % above the average immediately before the verb (0.39 against 0.25), "
    "in each of the six topics; in the other two topics the tendency is the same.",
    "section 4.1, figure 1",
)
_SUBJECTS = Quote("Always higher in subjects of sentences.", "section 4.2, figure 2")
_HEADS = Quote(
    "Always higher in modifiers than in heads, except in one topic of eight, where they are equal.",
    "section 4.3, figure 3",
)
_CURVES = Quote(
    "All give similar results except TFSYNTAX, which does better for topic tracking, although it "
    "considers only 10 % of the vocabulary.",
    "section 5.2, figure 4",
)
_TOPICS = Quote(
    "With 50 terms TFSYNTAX is better for all topics except one of the two that are not topic "
    "tracking; likelihood ratio and Okapi are not better than frequency.",
    "section 5.2, figure 5",
)


def tables(collections: Sequence[Collection]) -> Iterator[Table]:
    """What the terminal shows, without notes."""
    yield replace(_data_table(collections), note="")
    for findings, _ in collections:
        positions = [_distance_table(findings, ""), _pairs_table(findings, "")] * findings.tagged
        phrases = [_phrase_table(findings, "")] * bool(findings.phrases)
        for table in (*positions, _recall_table(findings, ""), *phrases):
            yield replace(table, title=f"{findings.title}\n{table.title}", note="")
    yield replace(_overview_table(collections), note="")


def document(result: Result[Sequence[Collection]]) -> Document:
    """The study as a document."""
    return Document(
        "Where key concepts occur, and what finds them",
        [
            "Amigó, Gonzalo, Peinado, Peñas and Verdejo, Using syntactic information to extract "
            "relevant terms for multi-document summarization (COLING 2004), with the available "
            "documents. A topic is a set of documents for which people have named key concepts; "
            "every figure is a mean over topics.",
            _MISSING,
            *result.remarks,
        ],
        [
            Section("What holds here", tables=(_overview_table(result.findings),)),
            Section("The topics", tables=(_data_table(result.findings),)),
            *(
                section
                for number, collection in enumerate(result.findings, start=1)
                for section in _sections(*collection, number)
            ),
        ],
        result.signature,
        result.made,
    )


def data(result: Result[Sequence[Collection]]) -> dict[str, Any]:
    """Signature, and of each collection the figures, the verdicts and every topic."""
    return {
        "signature": result.signature,
        "made": result.made,
        "remarks": list(result.remarks),
        "collections": [_rounded(_collection_data(*each)) for each in result.findings],
    }


def _collection_data(findings: Findings, judged: Sequence[JudgedClaim]) -> dict[str, Any]:
    pairs = PLACE_PAIRS if findings.tagged else {}
    places = findings.topics[0].places if findings.tagged else ()
    claims = [each for each in CLAIM_COLUMNS if each.key != "source"]
    return {
        "title": findings.title,
        "kind": findings.kind,
        "probability": as_json({place: findings.probability(place) for place in places}),
        "differences": as_json({which: findings.ahead(*pair) for which, pair in pairs.items()}),
        "weightings": by_name(_recall_columns(findings), findings.weightings),
        "phrases": by_name(_phrase_columns(findings), list(findings.phrases)),
        "conclusions": row_records(claims, judged),
        "topics": row_records(_topic_columns(findings), findings.topics),
    }


def _rounded(value: Any) -> Any:
    """Six decimals for every number."""
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return round(value, 6) if isinstance(value, float) else value


def _sections(findings: Findings, judged: Sequence[JudgedClaim], number: int) -> Iterator[Section]:
    """Everything about one collection; keys end in its number."""
    title = findings.title
    claims = claims_table(judged, f"conclusions-{number}", "Conclusions with figures")
    yield Section(f"{title}: conclusions", tables=(claims,))
    if findings.tagged:
        yield Section(
            f"{title}: distance from the verb",
            figures=_distance_figures(findings, f"figure-1-{number}"),
            tables=(_distance_table(findings, f"distances-{number}"),),
            quotes=(_VERBS,),
        )
        yield Section(
            f"{title}: subjects, heads and modifiers",
            figures=list(_pair_figures(findings, number)),
            tables=(_pairs_table(findings, f"pairs-{number}"),),
            quotes=(_SUBJECTS, _HEADS),
        )
    shown = [_recall_table(findings, f"weightings-{number}")]
    if findings.phrases:
        shown.append(_phrase_table(findings, f"phrases-{number}"))
    if len(findings.topics) <= _MOST:
        by_topic = f"Recall with {LENGTH} terms, by topic"
        columns = _topic_columns(findings)
        shown.append(Table(f"topics-{number}", by_topic, columns, findings.topics))
    yield Section(
        f"{title}: weightings",
        figures=list(_recall_figures(findings, number)),
        tables=shown,
        quotes=(_CURVES, _TOPICS),
    )


def _overview_table(collections: Sequence[Collection]) -> Table:
    columns: list[Column[int]] = [Column("the paper concludes", lambda at: CLAIMS[at].text)]
    for findings, judged in collections:
        verdicts = [verdict for _, verdict in judged]
        columns += [
            Column(findings.title, [each.word for each in verdicts].__getitem__, VERDICT),
            Column("n", [each.size for each in verdicts].__getitem__),
        ]
    return Table(
        "overview",
        "The paper's conclusions",
        columns,
        range(len(CLAIMS)),
        "By 95 % intervals, bootstrapped over topics. Undecided: the interval allows both. "
        + SIZES,
    )


def _data_table(collections: Sequence[Collection]) -> Table:
    """What the topics are made of; the paper's own beside them."""
    rows = [
        [
            findings.title,
            format_count(len(findings.topics)),
            *(
                format_count(median(getattr(topic, part) for topic in findings.topics))
                for part in ("documents", "words", "concepts")
            ),
        ]
        for findings, _ in collections
    ]
    heading = ["", "topics", "documents", "distinct words", "key concepts"]
    theirs = ["the paper's (Spanish news)", "8", "100", "–", "at most 216"]
    return Table.of_text(
        "data",
        "The topics",
        [heading, *rows, theirs],
        "Documents, distinct content words and key concepts: medians over topics. The paper: nine "
        "lists of up to 24 concepts for each topic.",
    )


def _distance_table(findings: Findings, key: str) -> Table:
    columns: list[Column[str]] = [
        Column("distance", lambda place: place.replace("-", "−")),
        Column("probability", findings.probability, ESTIMATE),
        Column(
            "− any distance", lambda place: findings.ahead(place, "any distance"), SIGNED_ESTIMATE
        ),
    ]
    return Table(
        key,
        "Key concepts by distance from the verb",
        columns,
        [*map(place_at, DISTANCES), "any distance", "any word"],
        "Content words; those of verbs and of clauses without a verb count in the last row only.",
    )


def _pairs_table(findings: Findings, key: str) -> Table:
    columns: list[Column[tuple[str, str]]] = [
        Column("", " against ".join),
        Column("the former", lambda pair: findings.probability(pair[0]), ESTIMATE),
        Column("the latter", lambda pair: findings.probability(pair[1]), ESTIMATE),
        Column("difference", lambda pair: findings.ahead(*pair), SIGNED_ESTIMATE),
        Column("higher in topics", lambda pair: findings.count_higher(*pair), _PLAIN),
    ]
    return Table(
        key,
        "Subjects, heads and modifiers",
        columns,
        list(PLACE_PAIRS.values()),
        "Last nouns: last nouns or names, the heads of English subjects; other words: the rest.",
    )


def _recall_columns(findings: Findings) -> list[Column[str]]:
    """Of the name of a weighting."""
    short, long = LENGTHS

    def curve(name: str) -> dict[str, list[float]]:
        parts = zip(("noise", "recall"), findings.curve(name), strict=True)
        return {part: [round(each, 4) for each in values.tolist()] for part, values in parts}

    return [
        Column("", str),
        Column(
            f"R, {short} terms",
            lambda name: findings.recall(name, short),
            ESTIMATE,
            f"recall_at_{short}",
        ),
        Column(f"R, {long} terms", findings.recall, ESTIMATE, f"recall_at_{long}"),
        Column("", lambda name: findings.noise(name, short), key=f"noise_at_{short}", only="json"),
        Column(
            f"noise, {long} terms",
            findings.noise,
            Kind(lambda noise: f"{noise.value:.1f}"),
            f"noise_at_{long}",
        ),
        Column("R − tf", lambda name: findings.recall_ahead(name, _BASE), SIGNED_ESTIMATE),
        Column("candidates", findings.median_candidates, COUNT),
        Column("of the words", findings.considered, PERCENT, "considered"),
        Column("", curve, key="curve", only="json"),
    ]


def _recall_table(findings: Findings, key: str) -> Table:
    described = "; ".join(f"{each}: {STUDIED[each].description}" for each in findings.weightings)
    return Table(
        key,
        "Recall and noise of every weighting",
        _recall_columns(findings),
        findings.weightings,
        f"R − tf with {LENGTH} terms. Candidates: median over topics; a list with fewer terms is "
        f"used as it is. {described}.",
    )


def _phrase_columns(findings: Findings) -> list[Column[str]]:
    """Of the name of a method."""
    return [
        Column("", str),
        *(
            Column(
                f"F1, {length} phrases",
                partial(findings.phrase_f1, length=length),
                ESTIMATE,
                f"f1_at_{length}",
            )
            for length in PHRASE_LENGTHS
        ),
    ]


def _phrase_table(findings: Findings, key: str) -> Table:
    return Table(
        key,
        "Key phrases: exact matches after stemming",
        _phrase_columns(findings),
        list(findings.phrases),
        "Recall is over all phrases that people named, including those not in the document. TF-IDF "
        "uses these documents as its collection, the others only the document itself; key_phrases "
        "was fitted to Inspec and 500N-KPCrowd.",
    )


def _topic_columns(findings: Findings) -> list[Column[Topic]]:
    def recall(name: str, length: int) -> Column[Topic]:
        return Column(
            name,
            lambda topic: topic.curves[name].recall_at(length),
            SHARE,
            ("recall", name, str(length)),
            only="" if length == LENGTH else "json",
        )

    return [
        Column("", attrgetter("title"), key="title"),
        Column("documents", attrgetter("documents"), _PLAIN, "documents"),
        Column("concepts", attrgetter("concepts"), _PLAIN, "concepts"),
        Column("", attrgetter("words"), key="words", only="json"),
        Column("", attrgetter("places"), key="places", only="json"),
        *(recall(name, length) for name in findings.weightings for length in LENGTHS),
        Column("", attrgetter("candidates"), key="candidates", only="json"),
    ]


def _distance_figures(findings: Findings, key: str) -> list[Figure]:
    """Figure 1: the mean over topics, single topics if they are few; none without any word."""
    means = {distance: findings.probability(place_at(distance)) for distance in DISTANCES}
    means = {distance: mean for distance, mean in means.items() if not isnan(mean.value)}
    if not means:
        return []
    x = np.array(list(means), dtype=np.float64)
    value, low, high = np.array(list(means.values())).T
    single = (
        np.array([topic.probability(place_at(distance)) for distance in means])
        for topic in _few_topics(findings)
    )
    band = None if np.isnan(low).any() else (low, high)
    lines = [Series("", x, values) for values in single if not np.isnan(values).any()]
    lines.append(Series("mean of topics", x, value, band, reference=True))
    anywhere = GuideLine("any distance", findings.probability("any distance").value)
    return [
        draw_trends(
            key,
            "Key concepts by distance from the verb",
            lines,
            ("distance from the verb, content words", "probability of a key concept"),
            guides=[anywhere, GuideLine("verb", 0, vertical=True)],
        )
    ]


def _pair_figures(findings: Findings, number: int) -> Iterator[Figure]:
    """Figures 2 and 3: two places, topic by topic if they are few, and on average."""
    keys = {"subjects": "figure-2", "heads": "figure-3", "noun heads": "figure-3b"}
    for which, key in keys.items():
        first, second = PLACE_PAIRS[which]
        means = findings.probability(first), findings.probability(second)
        if not any(isnan(each.value) for each in means):
            rows = [
                _single_values(topic.title, *values)
                for topic in _few_topics(findings)
                if not any(map(isnan, values := [topic.probability(at) for at in (first, second)]))
            ]
            rows.append(IntervalPair(f"mean of {len(findings.topics)} topics", *means))
            title = f"Key concepts: {first} against {second}"
            yield draw_pairs(f"{key}-{number}", title, rows, (first, second), "probability")


def _recall_figures(findings: Findings, number: int) -> Iterator[Figure]:
    """Figure 4: recall and noise of the paper's weightings, and of all others beside the frequency.

    Then mean recall of all at two lengths, and figure 5: topic by topic, if there are few.
    """
    theirs = [name for name in _PAPER if name in findings.weightings]
    others = [_BASE, *(name for name in findings.weightings if name not in theirs)]
    key = f"figure-4-{number}"
    yield _curve_figure(findings, key, "Recall and noise of the paper's weightings", theirs)
    yield _curve_figure(findings, f"{key}b", "Recall and noise of further weightings", others)
    short, long = LENGTHS
    rows = [
        IntervalPair(name, findings.recall(name, short), findings.recall(name, long))
        for name in findings.weightings
    ]
    title = f"Recall with {short} and with {long} terms"
    yield draw_pairs(f"recall-{number}", title, rows, (f"{short} terms", f"{long} terms"), "recall")
    names = (_BASE, "tfsyntax")
    rows = [
        _single_values(topic.title, *(topic.curves[name].recall_at(LENGTH) for name in names))
        for topic in _few_topics(findings)
        if "tfsyntax" in findings.weightings
    ]
    if rows:
        title = f"Recall with {LENGTH} terms, by topic"
        yield draw_pairs(f"figure-5-{number}", title, rows, names, "recall")


def _curve_figure(findings: Findings, key: str, title: str, names: Sequence[str]) -> Figure:
    lines = [Series(name, *findings.curve(name), reference=name == _BASE) for name in names]
    note = "Each point is the mean over topics of lists of one length."
    return draw_trends(key, title, lines, ("noise (terms of no key concept)", "recall"), note)


def _single_values(label: str, first: float, second: float) -> IntervalPair:
    return IntervalPair(label, Estimate(first, nan, nan), Estimate(second, nan, nan))


def _few_topics(findings: Findings) -> Sequence[Topic]:
    return findings.topics if len(findings.topics) <= _FEW else ()
