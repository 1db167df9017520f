"""Terms that tell the people of a name apart: weights of words, labels, refinements of the query.

Words are weighed by how often they occur in a set of documents, in the other documents of the name,
and in a reference collection, whose frequencies lower the weight of common words. The best are
extended to the phrases that hold them (COLING 2004, section 5.1, phrase browsing): *Haiti* is the
key term, *president of Haiti* is what a person wants to read.

A refinement of the query finds one person's pages (ACL-IJCNLP 2009, sections 2.2 and 3). A
candidate is a word or a name on at least one of a person's pages; its result is the pages that
contain it. The best one has the highest F of precision and recall. The paper finds that the best
refinement is hard to think of, so what is suggested is, among nearly equal ones, the most
distinctive.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import chain, islice, pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray

from weps._files import gazetteer_names, resource_text
from weps._text import singular_form, split_words
from weps.features.bags import (
    SETS_AT_ONCE,
    Bags,
    LazyStrings,
    membership_matrix,
    occurrences_of_sets,
    safe_divide,
    sets_of_like_size,
    stop_words,
    sums_of_sets,
)
from weps.features.words import content_word_bags, token
from weps.key_terms.candidates import (
    Floats,
    Integers,
    PageWords,
    candidate_strings,
    count_near,
    page_words,
    usual_spelling,
)
from weps.language.analysis import Analysis, cached_for_name


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """Word counts of a collection of documents."""

    words: Mapping[str, Sequence[int]]
    """Word in lower case → how often it occurs, and in how many documents; at least once each."""
    size: int
    """Content words of the whole collection, those that ``words`` leaves out among them."""
    documents: int
    made_from: Mapping[str, Any] = field(default_factory=dict)
    """Description of the collection, for readers of the file."""

    def counts_of(self, words: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Shapes (k,): how often each of k words occurs, and in how many documents."""
        found = (self.words.get(word, (0, 0)) for word in words)
        numbers = np.fromiter(chain.from_iterable(found), np.float64, 2 * len(words))
        counts, documents = numbers.reshape(-1, 2).T
        return counts, documents

    @classmethod
    def of(cls, words: Bags) -> Reference:
        """The counts of the words of some documents."""
        totals = np.asarray(words.counts.sum(axis=0)).tolist()
        entries = zip(words.strings, totals, words.frequency.tolist(), strict=True)
        counted = {word: (times, holders) for word, times, holders in entries if times}
        return cls(counted, int(sum(totals)), words.counts.shape[0])

    @classmethod
    def combine(cls, collections: Iterable[Reference], fewest: int = 1) -> Reference:
        """Collections that share no document, taken as one.

        Args:
            collections: any number of them, none is an empty collection.
            fewest: a word is kept if it occurs in at least so many of the collections; those left
                out still count in the size.
        """
        parts = list(collections)
        entries: defaultdict[str, list[Sequence[int]]] = defaultdict(list)
        for word, counts in chain.from_iterable(part.words.items() for part in parts):
            entries[word].append(counts)
        words = {
            word: (sum(times for times, _ in counts), sum(documents for _, documents in counts))
            for word, counts in sorted(entries.items())
            if len(counts) >= fewest
        }
        return cls(words, sum(part.size for part in parts), sum(part.documents for part in parts))

    @classmethod
    @cache
    def builtin(cls) -> Reference:
        """The words of English Web pages, included in weps; read once."""
        return cls(**json.loads(resource_text("reference/english.json")))


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How often k words occur in a set of documents and in a reference collection.

    Every field has shape (k,), or is one number for all k.
    """

    inside: Floats
    """How often the word occurs in the set."""
    size: Floats | float
    """Words of the set."""
    outside: Floats
    """How often it occurs in the reference collection."""
    reference_size: Floats | float
    """Words of the collection."""
    frequency: Floats
    """In how many documents of the collection it occurs."""
    documents: Floats | float
    """Documents of the collection."""
    share: Floats | float = 1.0
    """Share of the documents of the set in which it occurs."""


def likelihood_ratio(counts: Counts) -> Floats:
    """The log-likelihood ratio of two frequency profiles (Rayson and Garside 2000, section 3).

    For a word that occurs a times in the set of c words and b times in the reference collection
    of d words, E1 = c(a + b)/(c + d) and E2 = d(a + b)/(c + d) occurrences are expected:

        LL = 2 (a ln(a/E1) + b ln(b/E2)),    0 ln 0 = 0

    LL is 0 if the word is as frequent in both, a/c = b/d, or occurs in neither, and positive
    otherwise; here a word that is rarer in the set has -LL, so that it ranks below all that are
    more frequent. Against an empty collection all words have 0.
    """
    a, c, b, d = counts.inside, counts.size, counts.outside, counts.reference_size
    per_word = safe_divide(a + b, np.add(c, d))
    # Not scipy.special.xlogy, for which a large package would be imported.
    excess = [
        seen * np.log(np.where(seen > 0, safe_divide(seen, size * per_word, empty=1), 1))
        for seen, size in ((a, c), (b, d))
    ]
    ratio = 2 * (excess[0] + excess[1])
    return np.asarray(np.sign(a * d - b * c) * ratio.clip(min=0))


def spread_likelihood(counts: Counts) -> Floats:
    """The log-likelihood ratio times the share of the documents of the set with the word."""
    return likelihood_ratio(counts) * counts.share


def content_word_counts(analysis: Analysis) -> Bags:
    """The content words of each page, sorted; of a page without text those of title and snippet."""
    text = token(analysis)
    shown = content_word_bags(
        analysis,
        (
            "" if size else f"{page.title} {page.snippet}"
            for page, size in zip(analysis.documents, np.diff(text.counts.indptr), strict=True)
        ),
    )
    strings = np.array([*text.strings, *shown.strings], dtype=object)
    words, column = np.unique(strings, return_inverse=True)
    both = scipy.sparse.hstack([text.counts, shown.counts]).tocoo()
    places, shape = (both.coords[0], column[both.coords[1]]), (both.shape[0], len(words))
    return Bags(scipy.sparse.coo_array((both.data, places), shape=shape).tocsr(), words.tolist())


Weigh: TypeAlias = Callable[[Counts], Floats]
"""A statistic of words, greater for more characteristic ones."""
RankedWords = tuple[NDArray[np.int64], Floats]
"""Shapes (k,): columns of words, and their weights, best first."""


def rank_words(
    words: Bags,
    sets: Sequence[Sequence[int]],
    weigh: Weigh,
    reference: Reference,
    most: int | None = None,
) -> list[RankedWords]:
    """The words of sets of documents with their weights, best first.

    Args:
        words: those of all documents of a name.
        sets: the documents of each set; sets may overlap.
        weigh: how words are weighed.
        reference: what their frequency is compared with, together with the other documents.
        most: number of words of each set, by default all.

    Returns:
        For each set its words; of equal weight in the order of columns.

    Raises:
        ValuesError: if there is no such document.
    """
    times, holders = _counts_everywhere(words, reference)
    lengths = words.counts.sum(axis=1, dtype=np.int64)
    ranked: dict[int, RankedWords] = {}
    for places in sets_of_like_size(sets):
        alike = [sets[at] for at in places]
        inside, present = occurrences_of_sets(alike, words.counts)
        of_set, word = inside.tocoo().coords
        member = membership_matrix(alike, len(lengths)).astype(np.float64)
        size, pages = (member @ lengths)[of_set], member.sum(axis=1)[of_set]
        weights = weigh(
            Counts(
                inside=inside.data.astype(np.float64),
                size=size,
                outside=times[word] - inside.data,
                reference_size=reference.size + (lengths.sum() - size),
                frequency=holders[word] - present.data,
                documents=reference.documents + (len(lengths) - pages),
                share=present.data / pages,
            )
        )
        for place, (begin, end) in zip(places, pairwise(inside.indptr.tolist()), strict=True):
            columns, own = word[begin:end], weights[begin:end]
            if most is not None and most < len(own):  # sorting all takes longer
                enough = np.flatnonzero(own >= np.partition(own, -most)[-most])
                columns, own = columns[enough], own[enough]
            order = np.argsort(-own, kind="stable")[:most]
            ranked[place] = columns[order], own[order]
    return [ranked[at] for at in range(len(sets))]


@cached_for_name
def _counts_everywhere(words: Bags, reference: Reference) -> tuple[Floats, Floats]:
    """How often the words occur in documents and the reference, and in how many of both."""
    times, holders = reference.counts_of(words.strings)
    return times + words.counts.sum(axis=0), holders + words.frequency


_NEAR_WEIGHT = 2.0
"""Factor of a word that is near the name on all pages of the person."""
_MAX_TIMES = 5
"""Times that a word counts on one page: in tables, CITY or STATE is in every row."""
_OCCUPATION_WEIGHT = 5.0
"""Factor of a word that an occupation ends with."""
_MAX_RANKED, _MAX_KEPT = 300, 30
"""Number of terms of each person that are reweighted, and of those that are kept."""
_MAX_ABBREVIATION = 5
"""Letters; longer words in capitals are spelled as others."""
_BOUND_SHARE = 0.8
"""Share of a term's occurrences within a phrase from which the phrase replaces it."""

WeighedWords: TypeAlias = Sequence[tuple[int, float]]
"""Numbers of words and their weights, best first."""


@dataclass(frozen=True, eq=False)
class PhraseBrowser:
    """The w words and the p phrases of the same documents, and which words the phrases hold.

    Words are numbered from 0, phrases from w.
    """

    words: Bags
    """In lower case, sorted."""
    phrases: Bags
    words_of_phrases: Sequence[Sequence[int]]
    """For each phrase its words, ascending."""

    @cached_property
    def counts(self) -> scipy.sparse.csr_array:
        """Shape (documents, w + p), int32: how often the word or phrase occurs."""
        return scipy.sparse.hstack([self.words.counts, self.phrases.counts], "csr")

    @cached_property
    def phrases_of_words(self) -> Sequence[Integers]:
        """For each word the phrases that hold it, counted from 0."""
        holders = membership_matrix(self.words_of_phrases, len(self.words.strings)).T.tocsr()
        return np.split(holders.indices, holders.indptr[1:-1])

    def singulars(self, phrase: int) -> set[str]:
        """The words that a phrase holds, plurals undone."""
        return {
            singular_form(self.words.strings[number]) for number in self.words_of_phrases[phrase]
        }


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The w candidate words of labels, and the phrases that contain them."""

    browser: PhraseBrowser
    """The words, :data:`_MAX_TIMES` at most on a page, and p phrases."""
    near: scipy.sparse.csr_array
    """Shape (documents, w), int32: 1 where the word stands near the name, 0 where elsewhere."""
    base_weights: Floats
    """Shape (w,): the root of how well a word names anything, more for occupations."""
    form: Integers
    """Shape (w,): their places among the forms of the pages."""
    phrases: Sequence[str]
    """p phrases as they are mostly written."""
    pages: PageWords

    @classmethod
    def of(cls, analysis: Analysis) -> Vocabulary:
        """The words of text, title and snippet of every page."""
        pages, candidates = page_words(analysis), candidate_strings(analysis)
        parts = candidates.parts
        lengths = (parts >= 0).sum(axis=1)
        single = np.flatnonzero(lengths == 1)
        text = np.array(pages.forms, dtype=object)
        single = single[np.argsort(text[parts[single, 0]])]
        form = parts[single, 0]
        word_of = np.full(len(pages.forms) + 1, -1, dtype=np.int32)  # the last for no form
        word_of[form] = np.arange(len(form))
        column = word_of[pages.form]
        chosen = np.flatnonzero((column >= 0) & ~pages.address & ~pages.foreign_stop)
        shape = pages.documents, len(form)
        counts, near = count_near(pages.document[chosen], column[chosen], pages.near[chosen], shape)
        occupations = frozenset(name.lower().split()[-1] for name in gazetteer_names("occupations"))
        factors = np.where(pages.flags(occupations)[form], 1 + _OCCUPATION_WEIGHT, 1.0)
        phrases = np.flatnonzero((lengths > 1) & (candidates.name_scores > 0))
        lower = LazyStrings(
            phrases, lambda number: " ".join(text[parts[number][parts[number] >= 0]])
        )
        return cls(
            PhraseBrowser(
                Bags(counts.minimum(_MAX_TIMES), text[form].tolist()),
                Bags(candidates.bags.counts[:, phrases], lower),
                [sorted({*row} - {-1}) for row in word_of[parts[phrases]].tolist()],
            ),
            near,
            np.sqrt(candidates.name_scores[single]) * factors,
            form,
            LazyStrings(phrases, candidates.bags.strings.__getitem__),
            pages,
        )

    def terms(self, people: Sequence[Sequence[int]], weigh: Weigh) -> list[WeighedWords]:
        """For each person the best words of positive weight; equals in alphabetical order.

        Weights are multiplied by those of the words, and by how often they are near the name.
        """
        ranked = rank_words(self.browser.words, people, weigh, Reference.builtin(), _MAX_RANKED)
        words = np.unique(np.concatenate([np.zeros(0, np.int64), *(word for word, _ in ranked)]))
        near = sums_of_sets(people, self.near, words)
        terms: list[WeighedWords] = []
        for number, (rows, (word, own)) in enumerate(zip(people, ranked, strict=True)):
            times = _dense_row(near, number)[np.searchsorted(words, word)]
            nearness = 1 + _NEAR_WEIGHT * times / max(len(rows), 1)
            weights = own * (self.base_weights[word] * nearness)
            order = np.lexsort((word, -weights))[:_MAX_KEPT]
            order = order[weights[order] > 0]
            terms.append(list(zip(word[order].tolist(), weights[order].tolist(), strict=True)))
        return terms

    def spellings(self, terms: Iterable[WeighedWords]) -> Callable[[int], str]:
        """How the words of terms, and phrases, are mostly written, by number in the browser.

        Words are spelled as they are outside of addresses; of those in capitals short ones alone,
        which are abbreviations, stay so.
        """
        pages = self.pages
        wanted = np.zeros(len(pages.forms), dtype=bool)
        wanted[self.form[[word for of_person in terms for word, _ in of_person]]] = True
        starts = np.flatnonzero(wanted[pages.form] & ~pages.address)
        starts = starts[np.argsort(pages.form[starts], kind="stable")]
        bounds = np.searchsorted(pages.form[starts], np.arange(len(wanted) + 1))

        @cache
        def spelling(number: int) -> str:
            if number < len(self.form):
                begin, end = bounds[self.form[number] + np.arange(2)]
                text = usual_spelling(pages, starts[begin:end], 1)
            else:
                text = self.phrases[number - len(self.form)]
            return " ".join(
                word.capitalize() if word.isupper() and len(word) > _MAX_ABBREVIATION else word
                for word in text.split()
            )

        return spelling


_vocabulary_of = cached_for_name(Vocabulary.of)


def _dense_row(matrix: scipy.sparse.csr_array, row: int) -> NDArray[np.integer]:
    """Shape (columns,): a row of a sparse matrix with its zeros."""
    begin, end = matrix.indptr[row : row + 2]
    dense: NDArray[np.integer] = np.zeros(matrix.shape[1], dtype=matrix.dtype)
    dense[matrix.indices[begin:end]] = matrix.data[begin:end]
    return dense


def extend_all_to_phrases(
    terms: Sequence[WeighedWords], browser: PhraseBrowser, sets: Sequence[Sequence[int]]
) -> Iterator[Iterator[int]]:
    """The terms of sets of documents, each extended to its best phrase, if any; on demand.

    The gain of a phrase over a term that it holds is

        documents with the phrase / documents with the term · Σ weights of its words / weight

    so that half the documents are enough for a phrase whose words weigh twice as much. A term grows
    to the phrase of greatest gain, of equals to the shortest, if that gain is above 1 or if the
    term hardly ever stands outside the phrase (*New York*); the phrase must occur twice in the set
    if the term does. No two of what is returned share a word, singular or plural, and terms
    without positive weight are left out.

    Args:
        terms: those of each set.
        browser: the words and phrases of all documents of the name or topic.
        sets: the documents of each set; sets may overlap.

    Yields:
        For each set the numbers of its terms and phrases, best first.
    """
    for begin in range(0, len(sets), SETS_AT_ONCE):
        part = slice(begin, begin + SETS_AT_ONCE)
        summed = occurrences_of_sets(sets[part], browser.counts)
        for number, of_set in enumerate(terms[part]):
            weights = {word: weight for word, weight in of_set if weight > 0}
            yield _extended_terms(browser, weights, *(_dense_row(each, number) for each in summed))


def _extended_terms(
    browser: PhraseBrowser,
    weights: Mapping[int, float],
    times: NDArray[np.integer],
    documents: NDArray[np.integer],
) -> Iterator[int]:
    """Terms and phrases of a set, best first.

    Args:
        browser: the words and phrases of all documents.
        weights: words with positive weights, best first.
        times: shape (w + p,): occurrences of each word and each phrase in the set.
        documents: shape (w + p,): documents there with each.
    """
    size, spelled = len(browser.words.strings), browser.phrases.strings
    phrase_weights = np.zeros(len(spelled))
    for word in sorted(weights):
        phrase_weights[browser.phrases_of_words[word]] += weights[word]
    covered: set[str] = set()
    for word, weight in weights.items():
        own = singular_form(browser.words.strings[word])
        if own in covered:
            continue
        phrases = browser.phrases_of_words[word]
        gains = documents[size + phrases] / documents[word] * phrase_weights[phrases] / weight
        fit = (gains > 1) | (times[size + phrases] >= _BOUND_SHARE * times[word])
        fit &= times[size + phrases] >= min(2, int(times[word]))
        free = [
            (-gain, len(spelled[phrase]), spelled[phrase], phrase)
            for gain, phrase in zip(gains[fit].tolist(), phrases[fit].tolist(), strict=True)
            if browser.singulars(phrase).isdisjoint(covered)
        ]
        best = min(free)[-1] if free else None
        covered |= {own} if best is None else browser.singulars(best)
        yield word if best is None else size + best


_MAX_TERM_LENGTH = 40
"""Characters; longer phrases are headlines, no labels."""


class Label(NamedTuple):
    """Terms that distinguish a person from the namesakes, best first."""

    terms: tuple[str, ...]
    """Up to five words and names."""
    words: tuple[str, ...]
    """Up to ten further words, of which none is part of a term."""


def labels_and_words(
    people: Sequence[Sequence[int]], analysis: Analysis, weigh: Weigh = spread_likelihood
) -> Iterator[Label]:
    """The labels of people, who may share pages, and the best words that are left.

    Terms are spelled as they are mostly written. None holds a word of the name searched for, and no
    two share a word, singular or plural. Where pages have no text, titles and snippets are all
    there is; without these a label is empty.

    Args:
        people: for each person the rows of their pages; all others are the namesakes'.
        analysis: the pages, of any form.
        weigh: how words are weighed.
    """
    vocabulary = _vocabulary_of(analysis)
    best = vocabulary.terms(people, weigh)
    spell = vocabulary.spellings(best)
    for extended, words in zip(
        extend_all_to_phrases(best, vocabulary.browser, people), best, strict=True
    ):
        terms = tuple(islice(_distinct_terms(map(spell, extended)), 5))
        further = _distinct_terms((spell(word) for word, _ in words), " ".join(terms))
        yield Label(terms, tuple(islice(further, 10)))


def _distinct_terms(terms: Iterable[str], known: str = "") -> Iterator[str]:
    """The terms none of which is too long or repeats a word of another, or a known one.

    Extended terms repeat none but for *movies*, the singular of which is taken for *movy*.
    """
    covered = word_forms(known)
    for term in terms:
        if len(term) <= _MAX_TERM_LENGTH and covered.isdisjoint(word_forms(term)):
            yield term
            covered |= word_forms(term)


@lru_cache(maxsize=1 << 14)
def word_forms(text: str) -> frozenset[str]:
    """The words of a text, without a final s, by which terms repeat one another."""
    return frozenset(word.removesuffix("s") for word in split_words(text))


MIN_TITLE_WORDS = 2
"""Content words of a title or passage that tells something."""
_UNTELLING = frozenset(
    "document list main microsoft new result table content word www com forwarded message".split()
)
"""Words of titles that tell nothing, besides stop words."""


@lru_cache(maxsize=1 << 14)
def title_words(title: str) -> frozenset[str]:
    """The forms of the content words of a title."""
    words = set(split_words(title)) - stop_words()
    told = (each for each in words if len(each) > 2 or not each.isascii())
    return frozenset(word_forms(" ".join(told))) - _UNTELLING


_NEAR_BEST = 0.9
"""Refinements are nearly equal to the best one whose F is at least so much of its F."""
_F_POWER = 3
"""Among nearly equal ones, distinctiveness is weighted by this power of F."""


@dataclass(frozen=True, slots=True)
class Refinement:
    """A refinement of the query."""

    text: str
    """A word or a name as written on the pages; no word of the name searched for."""
    precision: float
    """Share of the collected pages that contain it that are the person's."""
    recall: float
    """Share of the person's collected pages that contain it."""
    f: float
    """F0.5, the harmonic mean of both."""


def suggest_refinements(
    clusters: Sequence[Sequence[int]], analysis: Analysis
) -> list[Refinement | None]:
    """For each person the refinement to show.

    A page contains what stands in its text, its title or its snippet, in whatever case.

    Args:
        clusters: for each person the rows of their pages.
        analysis: the pages, of any form.

    Returns:
        One for each person; None where nothing that could be thought of does better than the name
        alone, which returns all pages.
    """
    candidates = candidate_strings(analysis)
    pages, frequency = len(analysis.documents), candidates.bags.frequency.astype(np.int64)
    suggested: dict[int, Refinement | None] = {}
    for places in sets_of_like_size(clusters):
        alike = [clusters[at] for at in places]
        # What k of all N pages have finds n pages with an F of 2k / (k + n) at most, and the name
        # alone with one of 2n / (N + n), which is less only if k is above n² / N.
        enough = frequency * pages > min(map(len, alike)) ** 2
        useful = np.flatnonzero(enough & (candidates.name_scores > 0))
        # Both have the same candidates in the same places.
        _, hits = occurrences_of_sets(alike, candidates.bags.counts, useful)
        about = sums_of_sets(alike, candidates.weights, useful)
        for at, (begin, end) in zip(places, pairwise(hits.indptr.tolist()), strict=True):
            choice, found = useful[hits.indices[begin:end]], hits.data[begin:end]
            wanted = len(clusters[at])
            f = 2 * found / (frequency[choice] + wanted)
            eligible = f >= _NEAR_BEST * f.max(initial=0.0)
            eligible &= f > 2 * wanted / (pages + wanted)
            suggested[at] = None
            if eligible.any():
                value = about.data[begin:end] * candidates.name_scores[choice] * f**_F_POWER
                best = _most_distinctive(
                    candidates.parts[choice[eligible]], f[eligible], value[eligible]
                )
                place = np.flatnonzero(eligible)[best]
                text = candidates.bags.strings[int(choice[place])]
                returned, own = int(frequency[choice[place]]), int(found[place])
                suggested[at] = Refinement(text, own / returned, own / wanted, float(f[place]))
    return [suggested[at] for at in range(len(clusters))]


def _most_distinctive(parts: Integers, f: Floats, value: Floats) -> int:
    """The candidate of greatest value, of equal ones the first.

    Instead of a word the phrase that it is part of, if that is no worse: *San Diego*.

    Args:
        parts: shape (k, longest), the forms of each candidate, then −1.
        f: shape (k,).
        value: shape (k,), distinctiveness weighted by F.
    """
    best = int(value.argmax())
    words = (parts >= 0).sum(axis=1)
    fit = (words > 1) & (parts == parts[best, 0]).any(axis=1) & (f >= f[best])
    if words[best] > 1 or not fit.any():
        return best
    fit &= words == words[fit].min()
    return int(np.where(fit, value, 0.0).argmax())
