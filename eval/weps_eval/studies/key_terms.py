"""``weps study key-terms``: where key concepts occur, and which weightings find them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np

from weps._formatting import format_number
from weps._options import cli_argument, cli_option
from weps.errors import SourceError
from weps.language.spacy_pipeline import pipeline_version
from weps_eval.benchmark.corpus import CorpusOptions
from weps_eval.key_terms.concepts import (
    ANYWHERE,
    BASE,
    DISTANCES,
    LENGTH,
    LENGTHS,
    PLACE_PAIRS,
    STUDIED,
    TFSYNTAX,
    THEIRS,
    Row,
    collection_rows,
    study_topics,
)
from weps_eval.key_terms.sources import KeyTermData, read_archive, read_corpus
from weps_eval.report import charts, tables
from weps_eval.stats import Estimate
from weps_eval.studies.frames import FigureOf, Frame, Frames, Pairs, Part, TableOf, add_rows, holds
from weps_eval.studies.running import Study, StudySettings

_FEWEST = 2
"""Topics without which there are no intervals."""
_LITTLE = 0.02
"""A recall that is higher by no more is not called better."""
_CONSIDERED, _NEARLY = 0.1, 0.05
"""Share of the vocabulary that TFSYNTAX considers (section 5.2), give or take."""


@dataclass(frozen=True, kw_only=True)
class KeyTermSettings(StudySettings, CorpusOptions):
    """Settings of the study."""

    keyphrases: tuple[Path, ...] = cli_option(
        "archives of documents with key phrases (docsutf8/NAME.txt, keys/NAME.key); topics are the "
        "single documents, and the sections of documents called SECTION-NUMBER",
        (),
        metavar="ZIP",
    )
    pages: int = cli_option("minimum number of pages of a person", 3, least=1)


def read_source(source: Path | None, settings: KeyTermSettings) -> KeyTermData:
    """Topics of a corpus, of archives, or of both."""
    if source is None and not settings.keyphrases:
        raise SourceError("no topics to study", remedy="give CORPUS or --keyphrases ZIP")
    reader, jobs, progress = settings.reader(), settings.jobs, settings.progress
    archives = [read_archive(path, reader, jobs, progress) for path in settings.keyphrases]
    if source is None:
        return KeyTermData(archives, None)
    corpus = read_corpus(source, settings.exclude, reader, settings.pages, jobs, progress)
    return KeyTermData([corpus, *archives], settings.pages)


def find_frames(data: KeyTermData, settings: KeyTermSettings) -> Frames:
    """Where key concepts stand, and what finds them, by collection of topics.

    A collection, called ``criterion``, has the topics of a source that are of one kind. Frames are
    ``topics``, ``collections``, ``places``, ``distances``, ``differences`` and ``pairs`` of places
    (each pair also topic by topic, by its name in :data:`PLACE_PAIRS`),
    ``weightings``, ``leads`` of one weighting over another, ``recalls`` by topic, and ``verdicts``.
    """
    rows: dict[str, list[Row]] = {}
    sizes = {}
    for each in data.sources:
        topics = list(study_topics(each.batches, settings.progress))
        for kind in dict.fromkeys(topic.kind for topic in topics):
            chosen = [topic for topic in topics if topic.kind == kind]
            if len(chosen) >= _FEWEST:
                title = f"{each.title}: {kind}"
                concepts = sum(len(topic.concepts) for topic in chosen)
                sizes[title] = tables.SampleSize(len(chosen), concepts, case="concepts")
                add_rows(
                    rows, collection_rows(kind, chosen, settings.seed).items(), criterion=title
                )
    if not sizes:
        raise SourceError(
            f"no kind of key concepts has {_FEWEST} topics",
            where=" and ".join(str(each.root) for each in data.sources),
            remedy="give a corpus with attributes or labels and people of several pages, or "
            "--keyphrases ZIP",
        )
    frames = Frames(
        {name: Frame.of_rows(some) for name, some in rows.items()},
        sizes,
        remarks=[
            *(remark for each in data.sources for remark in each.remarks),
            "A term and a word of a concept are the same if they are, in lower case and plurals "
            "undone by their ending; stop words and numbers are part of no concept. The reference "
            "collection is all other documents of the same data; where (English) stands, the one "
            "of English Web pages that comes with weps.",
        ],
        signature={
            "pages": data.pages,
            "seed": settings.seed,
            "language": pipeline_version(settings.reader().language)
            if any(each.tagged for each in data.sources)
            else None,
        },
    )
    verdicts = Frame.of_rows(
        [
            {
                "criterion": title,
                "claim": claim.text,
                "verdict": verdict.word,
                "n": verdict.size,
                "figures": verdict.figures,
                "rule": claim.rule,
                "source": claim.source,
            }
            for title, size in sizes.items()
            for claim, verdict in tables.judge_claims(CLAIMS, frames.of(title), size)
        ]
    )
    return replace(frames, frames={**frames.frames, "verdicts": verdicts})


def _judge_vocabulary(frames: Frames) -> tables.Verdict:
    for row in frames["weightings"].where(weighting=TFSYNTAX).rows:
        apart = Estimate(*(end - _CONSIDERED for end in row["considered"]))
        value, low, high = map(format_number, row["considered"])
        return tables.Verdict(
            tables.judge_similar(apart, _NEARLY).word, f"{value} ({low} to {high})"
        )
    return tables.Verdict(tables.NOT_STUDIED)


_difference = partial(holds, "differences.ahead", "above 0", size="size")


_TFSYNTAX: dict[str, Any] = {"weighting": TFSYNTAX, "says": "− {over}: {figures}"}


_WHOLE = "the whole interval is above 0"
_BOTH = "{values}: {figures}; higher in {higher} topics"
CLAIMS: tuple[tables.Claim[Frames], ...] = (
    tables.Claim(
        "Words immediately before a verb belong to key concepts more than on average.",
        "section 4.1, figure 1 (0.39 − 0.25, +56 %, topic tracking)",
        f"probability there minus that at any distance: {_WHOLE}",
        _difference(which="before", says="{values}: {figures}, {more}"),
    ),
    tables.Claim(
        "The probability is highest immediately before the verb.",
        "section 4.1, figure 1",
        "probability there minus that at each other distance up to "
        f"{max(DISTANCES.values())}: {_WHOLE}",
        _difference(which="peak", says="−1 against {second}: {figures}", known=True, worst=True),
    ),
    tables.Claim(
        "It falls after the verb.",
        "section 4.1, figure 1",
        f"probability immediately before minus that immediately after: {_WHOLE}",
        _difference(which="after"),
    ),
    tables.Claim(
        "Immediately after the verb it is below the average.",
        "section 4.1, figure 1",
        f"probability at any distance minus that immediately after: {_WHOLE}",
        _difference(which="below"),
    ),
    tables.Claim(
        "Key concepts stand in subjects rather than in other noun phrases.",
        "section 4.2, figure 2",
        f"probability in subjects minus that in other phrases: {_WHOLE}",
        _difference(which="subjects", says=_BOTH),
    ),
    tables.Claim(
        "They stand in the modifiers of subjects rather than in the heads.",
        "section 4.3, figure 3 ([Mod]* versus [N])",
        f"probability in modifiers minus that in heads: {_WHOLE}",
        _difference(which="heads", says=_BOTH),
    ),
    tables.Claim(
        "So they do if what stands before an English noun modifies it, too.",
        "section 4.3, read for English",
        f"probability in modifiers minus that in last nouns and names: {_WHOLE}",
        _difference(which="noun heads", says=_BOTH),
    ),
    tables.Claim(
        f"With {LENGTH} terms TFSYNTAX finds more than TF, likelihood ratio and Okapi.",
        "section 5.2, figure 5",
        f"difference of recall at {LENGTH} terms: {_WHOLE}, for each of the three",
        holds("leads.ahead", "above 0", length=LENGTH, **_TFSYNTAX),
    ),
    tables.Claim(
        "TFSYNTAX finds more concepts with as many terms as it selects.",
        "not in the paper, where all lists are long",
        f"difference of recall at the length of its list, at most {LENGTH} terms: {_WHOLE}, for "
        "each of the three",
        holds("leads.ahead", "above 0", length=0, **_TFSYNTAX),
    ),
    tables.Claim(
        "Likelihood ratio and Okapi are no better than TF.",
        "section 5.2",
        f"recall at {LENGTH} terms is at most {_LITTLE} higher, with the whole interval, for both",
        holds("leads.ahead", "at most", _LITTLE, plain=True, says="{weighting} − tf: {figures}"),
    ),
    tables.Claim(
        "TFSYNTAX considers a tenth of the vocabulary.",
        "section 5.2",
        f"share of a topic's distinct content words: {_CONSIDERED} ± {_NEARLY}, with its interval",
        _judge_vocabulary,
    ),
)


def _draw_distances(frame: Frame, key: str, title: str, note: str) -> Iterator[charts.Figure]:
    """Figure 1: the mean over topics, single topics if they are few; none without any word."""
    rows = {row["place"]: row for row in frame.rows}
    means = {
        distance: rows[place]
        for place, distance in DISTANCES.items()
        if not isnan(rows[place]["probability"].value)
    }
    if not means:
        return
    x = np.array(list(means), dtype=np.float64)
    value, low, high = np.array([row["probability"] for row in means.values()]).T
    single = np.array([row["single"] for row in means.values()]).T
    lines = [charts.Series("", x, values) for values in single if not np.isnan(values).any()]
    band = None if np.isnan(low).any() else (low, high)
    lines.append(charts.Series("mean of topics", x, value, band, reference=True))
    guides = [
        charts.GuideLine(ANYWHERE, rows[ANYWHERE]["probability"].value),
        charts.GuideLine("verb", 0, vertical=True),
    ]
    yield charts.draw_trends(
        key,
        title,
        lines,
        ("distance from the verb, content words", "probability of a key concept"),
        note,
        guides,
    )


def _draw_curves(
    frame: Frame, key: str, title: str, note: str, chosen: Callable[[str], bool]
) -> Iterator[charts.Figure]:
    """Mean noise and recall of lists of 0, 1, … terms."""
    lines = [
        charts.Series(name, noise, recall, reference=name == BASE)
        for name, (noise, recall) in zip(frame["weighting"], frame["curve"], strict=True)
        if chosen(name)
    ]
    yield charts.draw_trends(key, title, lines, ("noise (terms of no key concept)", "recall"), note)


def _draw_topics(frame: Frame, key: str, title: str, note: str) -> Iterator[charts.Figure]:
    """Figure 5: the frequency and TFSYNTAX, topic by topic, if there are few."""
    names = (BASE, TFSYNTAX)
    recalls = [frame.where(weighting=name, few=True).rows for name in names]
    rows = [
        (one["title"], *(Estimate(each["recall"], nan, nan) for each in (one, other)))
        for one, other in zip(*recalls, strict=False)
    ]
    if rows:
        yield charts.draw_pairs(key, title, rows, names, "recall", note)


PARTS = (
    Part(
        "The topics",
        TableOf(
            key="data",
            frame="collections",
            title="The topics",
            columns={
                "criterion": "",
                "topics": ("topics", tables.Kind(str)),
                "documents": ("documents", tables.Kind(str)),
                "words": ("distinct words", tables.Kind(str)),
                "concepts": ("key concepts", tables.Kind(str)),
            },
            note="Documents, distinct content words and key concepts: medians over topics. The "
            "paper: eight topics with 100 documents each, and nine lists of up to 24 concepts.",
        ),
    ),
    Part(
        "Conclusions by topics",
        TableOf(
            key="conclusions",
            frame="verdicts",
            by="criterion",
            title="Conclusions with figures: {criterion}",
            columns={
                "claim": "the paper concludes",
                "verdict": ("here", tables.VERDICT),
                "n": ("n", tables.Kind(str, left=True)),
                "figures": "our figures",
                "rule": "holds if",
                "source": "where",
            },
            only="report",
        ),
    ),
    Part(
        "Distance from the verb",
        FigureOf(
            key="figure-1",
            frame="places",
            by="criterion",
            title="Key concepts by distance from the verb",
            draw=_draw_distances,
        ),
        TableOf(
            key="distances",
            by="criterion",
            title="Key concepts by distance from the verb: {criterion}",
            columns={
                "place": "distance",
                "probability": "probability",
                "ahead": ("− any distance", tables.SIGNED_ESTIMATE),
            },
            note="Content words; those of verbs and of clauses without a verb count in the last "
            "row only.",
        ),
        paragraphs=(
            "The paper: The probability rises toward the verb, falls abruptly after it and then "
            "grows again. For topic tracking it is 56 % above the average immediately before the "
            "verb (0.39 against 0.25), in each of the six topics; in the other two topics the "
            "tendency is the same (section 4.1, figure 1).",
        ),
    ),
    Part(
        "Subjects, heads and modifiers",
        *(
            Pairs(
                key=key,
                frame=which,
                by="criterion",
                title=f"Key concepts: {' against '.join(places)}",
                label="title",
                values=("former", "latter"),
                names=places,
                axis="probability",
            )
            for key, (which, places) in zip(
                ("figure-2", "figure-3", "figure-3b"), PLACE_PAIRS.items(), strict=True
            )
        ),
        TableOf(
            key="pairs",
            by="criterion",
            title="Subjects, heads and modifiers: {criterion}",
            columns={
                "pair": "",
                "former": "the former",
                "latter": "the latter",
                "ahead": ("difference", tables.SIGNED_ESTIMATE),
                "higher": ("higher in topics", tables.Kind(str)),
            },
            note="Last nouns: last nouns or names, the heads of English subjects; other words: the "
            "rest.",
        ),
        paragraphs=(
            "The paper: Always higher in subjects of sentences (section 4.2, figure 2). Always "
            "higher in modifiers than in heads, except in one topic of eight, where they are equal "
            "(section 4.3, figure 3).",
        ),
    ),
    Part(
        "Weightings",
        *(
            FigureOf(
                key=key,
                frame="weightings",
                by="criterion",
                title=f"Recall and noise of {which} weightings",
                note="Each point is the mean over topics of lists of one length.",
                draw=partial(_draw_curves, chosen=chosen),
            )
            for key, which, chosen in (
                ("figure-4", "the paper's", lambda name: name in THEIRS),
                ("figure-4b", "further", lambda name: name == BASE or name not in THEIRS),
            )
        ),
        FigureOf(
            key="figure-5",
            frame="recalls",
            by="criterion",
            title=f"Recall with {LENGTH} terms, by topic",
            draw=_draw_topics,
        ),
        TableOf(
            key="weightings",
            by="criterion",
            title="Recall and noise of every weighting: {criterion}",
            columns={
                "weighting": "",
                **{f"recall_at_{length}": f"R, {length} terms" for length in LENGTHS},
                f"noise_at_{LENGTH}": (
                    f"noise, {LENGTH} terms",
                    tables.Kind(lambda noise: f"{noise.value:.1f}"),
                ),
                "ahead": ("R − tf", tables.SIGNED_ESTIMATE),
                "candidates": ("candidates", tables.COUNT),
                "considered": ("of the words", tables.PERCENT),
            },
            note=f"R − tf with {LENGTH} terms. Candidates: median over topics; a list with fewer "
            "terms is used as it is.",
        ),
        paragraphs=(
            f"{'; '.join(f'{name}: {each.description}' for name, each in STUDIED.items())}.",
            "The paper: All give similar results except TFSYNTAX, which does better for topic "
            "tracking, although it considers only 10 % of the vocabulary (section 5.2, figure 4). "
            "With 50 terms TFSYNTAX is better for all topics except one of the two that are not "
            "topic tracking; likelihood ratio and Okapi are not better than frequency (section "
            "5.2, figure 5).",
        ),
    ),
)


def json_fields(frames: Frames) -> dict[str, Any]:
    """Figures, verdicts and topics of each collection, in JSON form."""
    collections = []
    for title in frames.sizes:
        own = frames.of(title)
        weightings = own["weightings"].nested(
            "weighting", leave=("criterion", "ahead", "candidates")
        )
        for row in weightings.values():
            row["curve"] = dict(zip(("noise", "recall"), row["curve"], strict=True))
        collections.append(
            {
                "title": title,
                "kind": own["collections"].rows[0]["kind"],
                "probability": {row["place"]: row["probability"] for row in own["places"].rows},
                "differences": {row["which"]: row["ahead"] for row in own["pairs"].rows},
                "weightings": weightings,
                "conclusions": [
                    {
                        "claim": row["claim"],
                        "verdict": row["verdict"],
                        "n": row["n"] and row["n"]._asdict(),
                        "figures": row["figures"],
                    }
                    for row in own["verdicts"].rows
                ],
                "topics": own["topics"].records(leave=("criterion",)),
            }
        )
    return {"collections": tables.as_json(collections)}


STUDY = Study(
    title="Where key concepts occur, and what finds them",
    settings=KeyTermSettings,
    source=cli_argument(
        "names with pages and keys; people are topics, and their key concepts are the attributes "
        "that annotators wrote down, the labels in the key, or both",
        None,
        metavar="CORPUS",
    ),
    read=read_source,
    data_type=KeyTermData,
    find=find_frames,
    claims=CLAIMS,
    shown=PARTS,
    data=json_fields,
    other_data=False,
    opening=(
        "Amigó, Gonzalo, Peinado, Peñas and Verdejo, Using syntactic information to extract "
        "relevant terms for multi-document summarization (COLING 2004), with the available "
        "documents. A topic is a set of documents for which people have named key concepts; every "
        "figure is a mean over topics.",
        "The paper's own corpus (ISCORPUS: eight topics of Spanish news with 100 documents each, "
        "key concepts by nine people after they had summarised the topic) is not available. All "
        "texts here are English, and the topics differ from the paper's: see the table of the "
        "data.",
    ),
)
