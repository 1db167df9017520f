"""The pipeline: from the pages found for a name to people.

``prepare_search`` does what depends on the pages alone, ``build_answer`` what depends on a
threshold and on corrections, so that a corrected answer is computed fast.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from numbers import Real
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps._cache import Cache, content_digest, resource_digest, source_digest
from weps._formatting import join_items, round_probability
from weps._lazy import import_sparse_matrices
from weps._parallel import Progress, in_background, log_progress
from weps._version import VERSION
from weps.clustering.dendrogram import (
    Constraints,
    Cut,
    Dendrogram,
    Stopping,
    linkage_by_name,
)
from weps.coreference.classifiers import RuleCorrectedClassifier
from weps.corrections.edits import build_constraints, constrained_dendrogram
from weps.corrections.model import Corrections, excluded_pages
from weps.errors import InputValueError, LanguageError, SourceError, ValuesError, require_type
from weps.language.analysis import Analysis, Layer, page_languages
from weps.language.annotation import annotate_pages
from weps.language.sentence_encoder import encoder_identity
from weps.language.spacy_pipeline import BUILTIN_PIPELINE, pipeline_version
from weps.model import Model, ModelSet
from weps.name.typed import require_name
from weps.people import context
from weps.people.answer import (
    Answer,
    ExplainedMerge,
    KeptDescriptions,
    PageScore,
    SetAsidePage,
    ShownPage,
    add_parts,
    build_alternatives,
    build_people,
    cut_limits,
    node_rows,
    order_clusters,
    part_nodes,
    relate_pages,
)
from weps.people.evidence import ExplainedPair, explain_pairs
from weps.people.pages import (
    SIGNS,
    USER_SIGNS,
    Sign,
    answer_cautions,
    mostly_foreign,
    named_blocks,
    page_caution,
    page_digests,
    page_excerpt,
    page_kind,
    page_signs,
    searched_text,
)
from weps.reading import UNREADABLE, Origin, PageForm, Reader, page_origin, richest_form
from weps.records import Page, Search, UnreadInput, field_values, page_fingerprint
from weps.similarity.candidates import Candidates, choose_candidates, near_duplicates
from weps.similarity.columns import (
    Pairs,
    PairTable,
    Similarity,
    condensed_part,
    need_encoder,
    pair_position,
    pair_table,
    required_layers,
)

MAX_PAGES = 50_000
"""Pages of one name."""
MAX_COMPARED_PAGES = 1_000
"""Pages that are all compared with one another; of more, see
:mod:`weps.similarity.candidates`."""


_COMPARING = ("weps.coreference", "weps.features", "weps.model", "weps.pipeline", "weps.similarity")
"""Modules that, beside those that decide descriptions, decide what comparing gives."""
_TABLE_LOCK = Lock()
"""Held while similarities are computed, so that nobody does it beside."""
_BANDS_OF_ENTRY = 1 << 26
"""Bands of candidates in one entry of the cache."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedPages:
    """What comparing the pages of a name gives, kept from one run to the next.

    Comparing takes most of the time of a name whose pages have been read before.
    """

    near_duplicates: tuple[tuple[int, ...], ...]
    """Rows of each group of near-duplicates, none of them set aside by the model."""
    candidates: Candidates | None
    """Substitute for the pairs that were not compared; None if all were."""
    scores: tuple[NDArray[np.float64], NDArray[np.float64]]
    """Shapes (pairs,): of those that were, see :meth:`weps.model.Model.score_pairs`."""
    signs: tuple[str, ...]
    """Reason for each row why the model sets the page aside, see :mod:`weps.people.pages`;
    empty where it does not."""
    excerpts: tuple[str, ...]
    """Excerpt of each row's page, see :func:`weps.people.pages.page_excerpt`."""
    named: tuple[Sequence[int], ...]
    """Blocks of each row's page, see :func:`weps.people.pages.named_blocks`."""
    explanations: dict[tuple[int, int], ExplainedPair]
    """Explanations so far, by rows, see :func:`weps.people.evidence.explain_pairs`."""

    @classmethod
    def kept(cls, cache: Cache, key: str) -> ComparedPages | None:
        """What the cache keeps under a key; None if anything is missing."""
        head, _, packed = (cache.get(key) or b"").partition(b"\n")
        if not packed:
            return None
        _, copies, signs, excerpts, named, explained = json.loads(head)
        arrays, candidates = np.load(io.BytesIO(packed)), None
        if "original" in arrays:
            original, bands = arrays["original"], bytearray()
            size = len(original)
            for start in range(0, size * (size - 1) // 2, _BANDS_OF_ENTRY):
                bands += (cache.get(content_digest(key, str(start))) or b"").partition(b"\n")[2]
            if len(bands) != size * (size - 1) // 2:
                return None
            chosen = (arrays[each] for each in ("first", "second", "sample"))
            band = np.frombuffer(bands, np.uint8)
            candidates = Candidates(Pairs(size, *chosen), arrays["drawn"], band, original)
        return cls(
            tuple(map(tuple, copies)),
            candidates,
            (arrays["probability"], arrays["preference"]),
            tuple(signs),
            tuple(excerpts),
            tuple(named),
            {tuple(rows): ExplainedPair.of_data(each) for rows, each in explained},
        )

    def keep(self, cache: Cache, key: str, name: str) -> None:
        """Put it into the cache: JSON, with the name by which it can be forgotten, and arrays.

        Bands, of which there are as many as pairs of pages, have entries of their own.
        """
        arrays: dict[str, Any] = dict(zip(("probability", "preference"), self.scores, strict=True))
        if found := self.candidates:
            arrays |= {each: getattr(found.pairs, each) for each in ("first", "second", "sample")}
            arrays |= {each: getattr(found, each) for each in ("drawn", "original")}
            for start in range(0, len(found.band), _BANDS_OF_ENTRY):
                bands = found.band[start : start + _BANDS_OF_ENTRY].tobytes()
                cache.put(content_digest(key, str(start)), f"{json.dumps(name)}\n".encode() + bands)
        of_pages = self.near_duplicates, self.signs, self.excerpts, self.named
        kept = name, *of_pages, [*self.explanations.items()]
        whole = io.BytesIO(json.dumps(kept, default=field_values).encode() + b"\n")
        whole.seek(0, io.SEEK_END)
        np.savez(whole, **arrays)
        cache.put(key, whole.getvalue())


@dataclass(frozen=True, slots=True, eq=False)
class PreparedSearch:
    """The pages of a name, read and compared."""

    form: PageForm
    origin: Origin
    model: Model
    models: ModelSet
    read_with: Mapping[str, str]
    """``language`` pipeline and sentence ``encoder`` that read the pages, empty if the model needs
    none, and the reader of ``html``, empty for the fast one."""
    analysis: Analysis
    compared: ComparedPages
    key: str
    """The cache key of these; empty if they are not to be kept."""
    descriptions: KeptDescriptions
    pages: tuple[Page, ...]
    """Page of each row, as found, without its content."""
    unread: tuple[UnreadInput, ...]
    """Inputs that were found with them and could not be read."""
    missing_features: tuple[str, ...]
    """Features of the models that pages of this form cannot have."""
    shown: tuple[ShownPage, ...]
    """Page of each row, as the answer shows it."""
    cautions: tuple[str, ...]
    """Caution about each row's page, see :mod:`weps.people.pages`."""
    _tables: list[PairTable]
    """The similarities, once they are needed."""
    _cuts: dict[float | None, Cut] = field(default_factory=dict, repr=False)
    """Threshold → what corrections of a few places start from."""

    @property
    def ranks(self) -> tuple[int, ...]:
        """Rank of each row, ascending."""
        return tuple(document.rank for document in self.analysis.documents)

    @property
    def pairs(self) -> Pairs:
        """Which pairs of rows were compared."""
        candidates = self.compared.candidates
        return candidates.pairs if candidates else Pairs.of_all(len(self.analysis.documents))

    @property
    def table(self) -> PairTable:
        """The similarities of these pairs."""
        with _TABLE_LOCK:
            if not self._tables:
                self._tables.append(pair_table(self.analysis, self.model.similarities, self.pairs))
            return self._tables[0]

    def signs_under(self, corrections: Corrections) -> list[Sign | None]:
        """Reason for each row why a user, or else the model, sets it aside; None if neither does.

        The model does not set aside what a user corrected in another way.
        """
        excluded = excluded_pages(corrections.entries)
        corrected = corrections.obeyed.ranks
        return [
            USER_SIGNS[excluded[rank].kind]
            if rank in excluded
            else (SIGNS[sign] if sign and rank not in corrected else None)
            for rank, sign in zip(self.ranks, self.compared.signs, strict=True)
        ]

    def clustered_rows(self, corrections: Corrections) -> NDArray[np.int64]:
        """The rows that are clustered: those of the pages that are not set aside."""
        return np.flatnonzero([sign is None for sign in self.signs_under(corrections)])

    def cut(self, corrections: Corrections, threshold: float | None) -> Cut:
        """The dendrogram of the rows that are clustered, and where merging stops.

        A threshold among the corrections wins. Corrections change the places of the pages that they
        name or, where others are to follow, how all are clustered.
        """
        corrections = corrections.obeyed
        threshold = threshold if corrections.threshold is None else corrections.threshold
        learnt = corrections if corrections.learn else Corrections()
        rows, ranks = self.clustered_rows(learnt), np.array(self.ranks)
        cut = None if corrections.learn else self._cuts.get(threshold)
        if cut is None:
            probable, *preferred = self.probabilities(rows)
            linkage, own = linkage_by_name(self.model.linkage), ranks[rows].tolist()
            tree = constrained_dendrogram(learnt, linkage, probable, own, *preferred)
            cut = self.model.cut(tree, self.origin, threshold)
        if corrections.learn or not corrections.ranks:
            return cut
        self._cuts.clear()
        if not self.compared.candidates:  # of so many pages it would take too much memory
            self._cuts[threshold] = cut
        from weps.corrections.placement import place_corrected  # noqa: PLC0415 - few answers need it

        kinds = [each for each in corrections.entries if each.kind not in USER_SIGNS]
        placed = self.clustered_rows(replace(corrections, entries=tuple(kinds)))
        probable, *preferred = self.probabilities(placed)
        tree, kept = place_corrected(
            cut.dendrogram,
            cut.kept,
            np.searchsorted(placed, rows),
            corrections,
            probable,
            ranks[placed].tolist(),
            preference=preferred[0] if preferred else None,
            copies=[ranks[list(group)].tolist() for group in self.compared.near_duplicates],
        )
        return replace(cut, dendrogram=tree, kept=kept)

    def people(self, corrections: Corrections, threshold: float | None) -> list[frozenset[int]]:
        """The ranks of the pages of each person in the answer."""
        cut = self.cut(corrections, threshold)
        ranks = np.array(self.ranks)[self.clustered_rows(corrections)]
        return [frozenset(ranks[rows].tolist()) for rows in cut.dendrogram.clusters(cut.kept)]

    def probabilities(self, rows: NDArray[np.int64]) -> list[NDArray[Any]]:
        """The probabilities of the pairs of some rows, condensed, and the preferences if known."""
        candidates, scores = self.compared.candidates, self.compared.scores
        every: Sequence[NDArray[Any]] = [candidates.complete(scores[0])] if candidates else scores
        return [condensed_part(each, rows, len(self.ranks)) for each in every]


def prepare_search(
    search: Search,
    models: ModelSet,
    reader: Reader | None = None,
    progress: Progress = log_progress,
    further: Iterable[Similarity] = (),
) -> PreparedSearch:
    """Read the pages of a search and compare all pairs of them.

    Args:
        search: the name and its pages.
        models: the model to use for the form that the pages have.
        reader: how to read the pages; None uses the language pipeline that the model was trained
            with, and no cache.
        progress: called with the progress of the work.
        further: similarities, besides those of the model, that the pages are read for.

    Raises:
        SourceError: if two pages have the same rank, there are more than :data:`MAX_PAGES`, or the
            name is none.
        WepsError: if the pages cannot be read as the model requires.
    """
    require_name(search.name, *search.also)
    require_type(reader, Reader | None, "a weps.Reader", "reader")
    import_sparse_matrices()
    if len(search.pages) > MAX_PAGES:
        raise SourceError(
            f"there are {len(search.pages):,} pages, and at most {MAX_PAGES:,} can be compared",
            where=search.name,
            remedy="leave out the last results, or divide the pages among several folders",
        )
    if twice := [
        rank for rank, count in Counter(page.rank for page in search.pages).items() if count > 1
    ]:
        raise InputValueError(
            f"several pages have the rank {join_items(twice)}",
            where=search.name,
            remedy="give each page a rank of its own",
        )
    reader = reader or Reader(language=models.language or BUILTIN_PIPELINE)
    form = richest_form(search)
    model = models.for_form(form)
    layers = required_layers((*model.similarities, *further))
    trial = partial(annotate_pages, [["It works."]], [Layer.ENTITIES], reader.language)
    analysis = reader.read(search, form, layers, progress, trial)
    of_pages = content_digest(*page_digests(analysis)) if reader.cache else ""

    def read_around_names() -> KeptDescriptions:
        find = partial(
            context.find_context_entities, analysis, reader.language, reader.cache, reader.jobs
        )
        kept = KeptDescriptions.of(
            find, reader.cache, of_pages, part_identity(pipeline_version, reader.language)
        )
        if not kept.known:
            kept.read_statements(analysis)  # for the descriptions to come
        return kept

    # Beside comparing: most of the one is another process's, most of the other the encoder's.
    reading = in_background(read_around_names)
    progress("comparing pages", 0, 0)
    languages = page_languages(analysis)
    cautions = tuple(map(page_caution, analysis.documents, languages))
    foreign = mostly_foreign(cautions)
    if foreign:
        model = models.for_foreign_pages(form)
    read_with = {
        "language": pipeline_version(reader.language) if layers else "",
        "encoder": encoder_identity(reader.embeddings) if need_encoder(model.similarities) else "",
    }
    key = ""
    if of_pages and models.digest and not any(each.feature.origin for each in model.similarities):
        substitutes = resource_digest("models") if foreign else ""
        made_by = source_digest(*_COMPARING), models.digest, substitutes, *read_with.values()
        key = content_digest("comparison", of_pages, *made_by, repr(model.set_aside))
    tables, compared = list[PairTable](), None
    if reader.cache and key:
        compared = ComparedPages.kept(reader.cache, key)
    if compared is None:
        signs = model.set_aside.select(
            page_signs(analysis) if model.set_aside.shares else ("",) * len(analysis.documents)
        )
        copies = near_duplicates(
            analysis.tokens, len(signs), {row for row, sign in enumerate(signs) if not sign}
        )
        candidates = None
        if len(analysis.documents) > MAX_COMPARED_PAGES:
            candidates = choose_candidates(analysis, model.similarities, copies)
        table = pair_table(analysis, model.similarities, candidates.pairs if candidates else None)
        read = [*zip(analysis.documents, analysis.mentions, strict=True)]
        compared = ComparedPages(
            copies,
            candidates,
            model.score_pairs(table.values),
            signs,
            tuple(page_excerpt(each, analysis.name, found) for each, found in read),
            tuple(named_blocks(each, found) for each, found in read),
            {},
        )
        tables.append(table)
    pages = sorted(search.pages, key=lambda page: page.rank)
    shown = tuple(
        ShownPage(
            document.rank,
            document.url,
            document.title or "".join(document.blocks[:1])[:80],
            note=document.note,
            excerpt=excerpt,
            fingerprint=page_fingerprint(given),
            file=given.file,
            fetched=given.fetched,
            dated=document.dated,
            kind=page_kind(document, analysis.name),
            language=language,
            text=searched_text(document, near),
        )
        for document, excerpt, near, language, given in zip(
            analysis.documents, compared.excerpts, compared.named, languages, pages, strict=True
        )
    )
    progress("extracting names", 0, 0)
    return PreparedSearch(
        form=form,
        origin=page_origin(search),
        model=model,
        models=models,
        read_with=read_with,
        analysis=analysis,
        compared=compared,
        key=key,
        _tables=tables,
        descriptions=reading(),
        pages=tuple(replace(page, content=None, text=None) for page in pages),
        unread=(
            *search.unread,
            *(
                UnreadInput(Path(page.file).name or page.url or f"page {page.rank}", document.note)
                for page, document in zip(pages, analysis.documents, strict=True)
                if document.note.endswith(UNREADABLE)
            ),
        ),
        missing_features=models.missing_features(form),
        shown=shown,
        cautions=cautions,
    )


def part_identity(identify: Callable[[str], str], chosen: str) -> str:
    """The identity of a language pipeline or a sentence encoder, or why there is none."""
    try:
        return identify(chosen)
    except LanguageError as error:  # it is told where the part is needed
        return error.describe()


def build_answer(
    prepared: PreparedSearch,
    threshold: float | None = None,
    corrections: Corrections | None = None,
) -> Answer:
    """Cluster the pages by person, with explanations.

    Args:
        prepared: the pages.
        threshold: lowest probability at which clusters merge, instead of the model's stopping
            decision.
        corrections: by users, see :mod:`weps.corrections`. A threshold among them takes
            precedence.

    Raises:
        CorrectionsError: if they contradict one another.
        ValuesError: if the threshold is no probability.
    """
    if not (threshold is None or (isinstance(threshold, Real) and 0 <= threshold <= 1)):
        raise ValuesError(
            f"expected a probability from 0 to 1, got {threshold!r}",
            where="threshold",
            remedy="leave it out for the model's decision",
        )
    corrections = corrections or Corrections()
    rows, rank_of = prepared.clustered_rows(corrections).tolist(), prepared.ranks
    ranks = tuple(map(rank_of.__getitem__, rows))
    constraints = build_constraints(corrections, ranks)
    cut = prepared.cut(corrections, threshold)
    dendrogram, shown, kept = cut.dendrogram, cut.shown, cut.kept
    found = dendrogram.clusters(kept)
    confirmed = constraints.confirmed_in(found)
    confidence = prepared.model.page_confidence
    scores = confidence.scores_of(
        dendrogram, found, np.array([prepared.cautions[row] != "" for row in rows], dtype=bool)
    )
    scores = constraints.equalise(np.where(confirmed, 1.0, scores))
    clusters = order_clusters(found, scores)
    pages = [
        PageScore(
            **field_values(prepared.shown[row]),
            score=round_probability(score),
            caution=prepared.cautions[row],
            confirmed=sure,
        )
        for row, score, sure in zip(rows, scores.tolist(), confirmed.tolist(), strict=True)
    ]
    # Before the descriptions, because both need much memory.
    pages = relate_pages(
        clusters,
        shown,
        pages,
        [[rank_of[row] for row in group] for group in prepared.compared.near_duplicates],
    )
    row_of = {rank: row for row, rank in enumerate(rank_of)}
    explained = [(rows[merge.first], rows[merge.second]) for merge in shown.merges]
    near = ((page.rank, each.rank) for page in pages for each in (page.closest, page.rival) if each)
    explained += [(row_of[min(pair)], row_of[max(pair)]) for pair in near]
    pairs = _explained_pairs(prepared, rows, shown, explained, constraints)
    merges = shown.merges
    del shown
    probability, expected = prepared.model.person_confidence.of_nodes(dendrogram)
    one_person = list(map(round_probability, probability.tolist()))
    members = node_rows(dendrogram)
    least, most = cut_limits(dendrogram, kept)
    shown_nodes = dendrogram.nodes_of_cuts(least, most)
    nodes = sorted({*shown_nodes, *part_nodes(dendrogram, one_person, most)})
    described = prepared.descriptions.describe(
        [tuple(rows[at] for at in members[node]) for node in nodes], prepared.analysis
    )
    descriptions = {
        node: replace(
            description,
            one_person=one_person[node],
            expected_people=round(float(expected[node]), 2),
        )
        for node, description in zip(nodes, described, strict=True)
    }
    people = build_people(
        clusters,
        pages,
        scores,
        {members[node]: description for node, description in descriptions.items()},
        corrections.assigned_names,
    )
    parts = part_nodes(dendrogram, one_person, kept)
    by_rank = {tuple(ranks[at] for at in members[node]): descriptions[node] for node in parts}
    aside = tuple(
        SetAsidePage(**field_values(page), pile=sign.pile, reason=sign.reason)
        for sign, page in zip(prepared.signs_under(corrections), prepared.shown, strict=True)
        if sign
    )
    compared = None
    if prepared.compared.candidates:  # by places among the rows that are clustered
        place = np.full(len(rank_of), -1)
        place[rows] = np.arange(len(rows))
        first, second = place[prepared.pairs.first], place[prepared.pairs.second]
        both = (first >= 0) & (second >= 0)
        compared = first[both], second[both]
    return Answer(
        name=prepared.analysis.name.text,
        also=prepared.analysis.name.also,
        people=add_parts(people, by_rank),
        merges=tuple(
            ExplainedMerge(
                (ranks[merge.first], ranks[merge.second]),
                round_probability(merge.probability),
                number < kept,
            )
            for number, merge in enumerate(merges)
        ),
        model=f"weps-{VERSION}/{prepared.form} sha256:{prepared.models.digest}",
        signature=_answer_signature(prepared, cut.stopping, corrections, len(aside)),
        missing_features=prepared.missing_features,
        pairs=pairs,
        alternatives=build_alternatives(
            dendrogram,
            [merge.probability for merge in merges],
            ranks,
            descriptions,
            prepared.model.calibration,
            confidence,
            kept=kept,
            compared=compared,
        ),
        corrections=corrections,
        note="" if prepared.form is PageForm.TOKENS else prepared.descriptions.problem,
        set_aside=aside,
        cautions=(
            *filter(None, [prepared.analysis.caution, prepared.models.caution]),
            *answer_cautions(
                [prepared.cautions[row] for row in rows],
                clusters,
                encoder_left_out=need_encoder(prepared.models.for_form(prepared.form).similarities)
                and not prepared.read_with["encoder"],
            ),
        ),
        unread=prepared.unread,
    )


def explain_pages(
    prepared: PreparedSearch, first: int, second: int, corrections: Corrections
) -> ExplainedPair:
    """Why two pages are, or are not, together, whether the answer explains them or not.

    Args:
        prepared: the pages.
        first: the rank of a page that is clustered.
        second: that of another one.
        corrections: those of the answer.

    Raises:
        ValuesError: if there are no such pages, or they were not compared with each other.
    """
    clustered = prepared.clustered_rows(corrections).tolist()
    row_of = {prepared.ranks[row]: row for row in clustered}
    if first == second or not {first, second} <= row_of.keys():
        strange = [each for each in (first, second) if each not in prepared.ranks]
        remedy = "pages that are set aside are compared with no other"
        if strange or first == second:
            remedy = f"there is no page {join_items(strange)}" if strange else "give two"
        raise ValuesError(
            f"expected the ranks of two pages of people, got {first!r} and {second!r}",
            remedy=remedy,
        )
    shown = prepared.cut(corrections, None).shown
    wanted = [tuple(sorted((row_of[first], row_of[second])))]
    constraints = build_constraints(corrections, tuple(row_of))
    for pair in _explained_pairs(prepared, clustered, shown, wanted, constraints).values():
        return pair
    raise ValuesError(
        f"pages {first} and {second} were not compared: of so many pages, only candidates are",
        remedy=f"at most {MAX_COMPARED_PAGES:,} pages are all compared",
    )


def _explained_pairs(
    prepared: PreparedSearch,
    clustered: Sequence[int],
    shown: Dendrogram,
    wanted: Iterable[tuple[int, int]],
    constraints: Constraints,
) -> dict[tuple[int, int], ExplainedPair]:
    """Explanations of some pairs of rows, as far as they were compared, by ranks, ascending."""
    known, place = prepared.compared.explanations, {row: at for at, row in enumerate(clustered)}
    rows = np.array(sorted(set(wanted)), dtype=np.int64).reshape(-1, 2)
    pairs = list(map(tuple, rows[prepared.pairs.positions(*rows.T) >= 0].tolist()))
    places = [pair_position(place[one], place[two], shown.size) for one, two in pairs]
    same, different = constraints.must_link[places], constraints.cannot_link[places]
    decided: list[str] = np.where(same, "same", np.where(different, "different", "")).tolist()
    if new := [pair for pair in pairs if pair not in known]:
        is_first = not known
        explained = explain_pairs(
            new, prepared.table, prepared.model.classifier, prepared.model.calibration
        )
        known |= zip(new, explained, strict=True)
        if is_first and prepared.key and (cache := prepared.descriptions.cache):
            prepared.compared.keep(cache, prepared.key, prepared.analysis.name.text)
    shown_as = zip(pairs, shown.probability[places].tolist(), decided, strict=True)
    return {
        known[pair].pages: replace(known[pair], probability=round_probability(probable), said=said)
        for pair, probable, said in shown_as
    }


def _answer_signature(
    prepared: PreparedSearch, stopping: Stopping, corrections: Corrections, set_aside: int
) -> str:
    """The provenance of the answer, of whose pages so many are set aside."""
    numbers = ",".join(f"{value:.4g}" for value in stopping.to_data().values())
    classifier = prepared.model.classifier
    kind = classifier.kind
    if isinstance(classifier, RuleCorrectedClassifier):
        kind = f"{classifier.inner.kind}+rules"
    parts = {
        "form": prepared.form,
        "classifier": kind,
        "link": prepared.model.linkage,
        "stop": f"{stopping.kind}({numbers})",
        "model": prepared.models.digest,
        **prepared.read_with,
        "pages": len(prepared.ranks),
        "set-aside": set_aside,
        "corrections": len(corrections.obeyed),
        "others": "" if corrections.learn or not corrections.obeyed else "unmoved",
        "weps": VERSION,
    }
    return "|".join(
        f"{part}:{value}"
        for part, value in parts.items()
        if value or part not in {"language", "encoder", "set-aside", "corrections", "others"}
    )
