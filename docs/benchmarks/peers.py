"""What people would take otherwise, on the same names: ``python -m docs.benchmarks.peers``.

Names are those of WePS-1 training with whole pages (WEPS_DATA), and names mixed of them. Every
system gets the same clean text of each page, and what it learns, or the setting that is chosen for
it, is learnt from the names of the other folds alone: of our systems the models, of the others a
setting out of many that has the best mean F0.5, for mixed names that of other mixed names.

- *TF-IDF*: of scikit-learn, words without English stop words; average link by cosine.
- *MiniLM*: all-MiniLM-L6-v2 as weps installs it, of the first 256 tokens of a page, as
  sentence-transformers reads them; HDBSCAN of scikit-learn, whose noise is a page by itself, or
  average link.
- *Splink*: fields that weps extracts (organisations, people and places near the name; what pages
  state, such as occupations; telephone numbers, honorifics, addresses); u by random sampling, m by
  the training names' people, clusters as connected components. It is left out unless it is
  installed: ``pip install splink``.
- *terms*: like the clusters of Carrot2 (S. Osiński, J. Stefanowski, D. Weiss, "Lingo: search
  results clustering algorithm based on singular value decomposition", IIS 2004), not the
  program: singular vectors of the pages' words are labelled by the nearest of the frequent phrases,
  and every page goes to the label that it is nearest to, or stays by itself if it is near to none.

Times are seconds of the processor for the clusters of one name from its clean text, learning left
out. Precision, recall and F0.5 are B-Cubed, as means over names.
"""

from __future__ import annotations

import argparse
import logging
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import svds
from scipy.spatial.distance import squareform
from sklearn.cluster import HDBSCAN
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer, TfidfVectorizer
from threadpoolctl import threadpool_limits

from weps.features.registry import feature_by_name
from weps.language.analysis import Analysis, analyse_documents, page_text
from weps.language.annotation import mark_layers
from weps.language.sentence_encoder import SentenceEncoder, load_encoder
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps.people.context import find_context_entities
from weps.people.statements import page_statements
from weps.reading import PageForm, Reader, page_origin
from weps.records import Clustering
from weps.similarity.columns import pair_table, required_layers
from weps.training import Example, TrainingSettings, divide_examples, examples_without
from weps_eval.benchmark.corpus import Corpus, open_corpus, with_mixed_names
from weps_eval.benchmark.scoring import Systems, evaluate_parts
from weps_eval.clustering.measures import scorer_for
from weps_eval.report.charts import Point, draw_scatter

CORPUS, LEFT_OUT = "corpora/weps-1/training", "George_Clinton"
OURS, MINILM = ("small", "default"), "MiniLM"
SETTINGS = TrainingSettings()
MEASURES = ("bcubed_precision", "bcubed_recall", "bcubed_f05")
THRESHOLDS = np.linspace(0.02, 0.98, 49)
SHARES, LEAST = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95), np.linspace(0, 0.5, 11)
"""What is tried: the share of the pages that vectors stand for, and the least nearness."""

Labels = NDArray[np.integer]
"""Shape (pages,): the cluster of each page."""


class Name(NamedTuple):
    """A name to be divided into people, read and clean."""

    analysis: Analysis
    example: Example
    """The name as our systems see it; the others see its ranks alone."""
    texts: list[str]
    vectors: NDArray[np.float64]
    """Shape (pages, dimensions): MiniLM of each page, of length 1, or 0 of pages without text."""
    seconds: dict[str, float]
    """For the values of pairs of our systems, and for these vectors."""


class Answers(NamedTuple):
    """The clusters of a name by each setting of a system."""

    labels: list[Labels]
    seconds: float
    """With one setting."""


Answer = Callable[[Name], Answers]
System = Callable[[Sequence[Name], Sequence[Name]], list[Answers]]
"""From names to learn from, and names to answer, the answers for the latter."""


def read(name: str, corpus: Corpus, systems: Systems, encoder: SentenceEncoder) -> Name:
    """The clean pages of a name; what systems need of them is timed, nothing cached."""
    search, key = corpus.source.search(name), corpus.source.key(name)
    clean = Reader().read(search, PageForm.PAGES)
    seconds, values = {}, {}
    for title, columns in systems.used(PageForm.PAGES).items():
        began = time.process_time()
        plain = analyse_documents(search.name, clean.documents, also=search.also)
        analysis = replace(plain, encode=clean.encode, caution=clean.caution)
        analysis = mark_layers(analysis, required_layers(columns))
        table = pair_table(analysis, columns)
        seconds[title] = time.process_time() - began
        values |= dict(zip(columns, table.values.T, strict=True))
    components = corpus.source.component_names(name)
    example = Example(
        name,
        tuple(document.rank for document in clean.documents),
        systems.union,
        np.array([values[each] for each in systems.union]).T,
        key or Clustering(()),
        page_origin(search),
        components if len(components) > 1 else frozenset(),
    )
    texts, began = list(map(page_text, clean.documents)), time.process_time()
    vectors = np.array([encoder(text) for text in texts], np.float64)
    return Name(clean, example, texts, vectors, seconds | {MINILM: time.process_time() - began})


def of_each(answer: Answer) -> System:
    """A system that learns nothing but its setting, and answers for a name once."""
    known: dict[str, Answers] = {}

    def system(_: Sequence[Name], asked: Sequence[Name]) -> list[Answers]:
        for name in asked:
            if name.example.name not in known:
                known[name.example.name] = answer(name)
        return [known[name.example.name] for name in asked]

    return system


def timed(
    prepare: Callable[[Name], Any], cut: Callable[..., Labels], settings: list[Any], needs: str = ""
) -> Answer:
    """Answers from what is prepared once for all settings, beside what was made before."""

    def answer(name: Name) -> Answers:
        began = time.process_time()
        prepared = prepare(name)
        ready = time.process_time()
        labels = [cut(prepared, setting) for setting in settings]
        cutting = (time.process_time() - ready) / len(settings)
        return Answers(labels, name.seconds.get(needs, 0.0) + ready - began + cutting)

    return answer


def tf_idf(name: Name) -> NDArray[np.float64]:
    """Distances of pages by cosine."""
    vectors = TfidfVectorizer(stop_words="english", sublinear_tf=True).fit_transform(name.texts)
    return 1 - (vectors @ vectors.T).toarray()


def average_link(distance: NDArray[np.float64]) -> NDArray[np.float64]:
    """The tree of a square of distances."""
    distance = distance.clip(min=0)
    np.fill_diagonal(distance, 0)
    return linkage(squareform(distance, checks=False), "average")


def cut_tree(tree: NDArray[np.float64], threshold: float) -> Labels:
    """The clusters within a distance."""
    return fcluster(tree, threshold, "distance")


def whole_encoder() -> SentenceEncoder:
    """The encoder that weps installs, for texts of 256 tokens."""
    from tokenizers import Tokenizer  # noqa: PLC0415 - comes with the encoder

    loaded = load_encoder()
    tokenizer = Tokenizer.from_str(loaded.tokenizer.to_str())
    tokenizer.enable_truncation(256)
    return SentenceEncoder(loaded.session, tokenizer)


def density(vectors: NDArray[np.float64], setting: tuple[int, int, str]) -> Labels:
    """Clusters of HDBSCAN, noise apart."""
    least, samples, method = setting
    if len(vectors) <= max(least, samples):
        return np.arange(len(vectors))
    found = HDBSCAN(
        min_cluster_size=least,
        min_samples=samples,
        cluster_selection_method=method,
        copy=True,
    ).fit_predict(vectors)
    return alone(found)


def alone(labels: Labels) -> Labels:
    """The labels, with one of its own for each page that has −1."""
    return np.where(labels < 0, len(labels) + np.arange(len(labels)), labels)


class Terms(NamedTuple):
    """The singular vectors of a name's pages, and the phrases that label them."""

    strength: NDArray[np.float64]
    """Shape (vectors,): the share of the pages that the vectors so far stand for, as Frobenius
    norm."""
    nearness: NDArray[np.float64]
    """Shape (pages, vectors): cosine of each page and the label of each vector."""


def terms(name: Name) -> Terms:
    """Phrases of up to four words in two pages or more, and the vectors that they label."""
    stop = [*ENGLISH_STOP_WORDS, *name.analysis.name_words]
    try:
        words = TfidfVectorizer(stop_words=stop).fit(name.texts)
        counted = CountVectorizer(ngram_range=(1, 4), min_df=2, stop_words=stop).fit(name.texts)
    except ValueError:  # no two pages share a word
        return Terms(np.zeros(0), np.zeros((len(name.texts), 0)))
    pages, phrases = map(words.transform, (name.texts, counted.get_feature_names_out()))
    _, strength, vectors = svds(pages, min(60, min(pages.shape) - 1), random_state=0)
    order = np.argsort(-strength)
    labels = np.abs(phrases @ vectors[order].T).argmax(axis=0)
    share = np.sqrt((strength[order] ** 2).cumsum() / pages.power(2).sum())
    return Terms(share, (pages @ phrases[labels].T).toarray())


def nearest_label(found: Terms, setting: tuple[float, float]) -> Labels:
    """Each page at its nearest label, of as many vectors as stand for a share of the pages."""
    share, least = setting
    if not len(found.strength):
        return np.arange(len(found.nearness))
    used = found.nearness[:, : int((found.strength < share).sum()) + 1]
    return alone(np.where(used.max(axis=1) <= least, -1, used.argmax(axis=1)))


NEAR = ("organisation", "person", "location")
STATED = ("affiliation", "birth place", "date of birth", "occupation", "relative", "school", "work")
FOUND = ("birth_year", "email_domain", "home_page", "honorific", "phone")
"""Fields of a record: entities near the name, statements, and features."""
_KNOWN: dict[str, tuple[list[dict[str, Any]], float]] = {}


def records(name: Name) -> tuple[list[dict[str, Any]], float]:
    """A record of each page, and the seconds that all took; made once for all folds."""
    example = name.example
    if example.name in _KNOWN:
        return _KNOWN[example.name]
    began = time.process_time()
    analysis = analyse_documents(name.analysis.name.text, name.analysis.documents)
    context = find_context_entities(analysis, BUILTIN_PIPELINE, None)
    fields: dict[str, list[set[str]]] = {
        kind: [
            {context.texts[at] for at in row if context.kinds[at] == kind}
            for row in context.present.tolil().rows
        ]
        for kind in NEAR
    }
    stated = page_statements(analysis, context)
    fields |= {
        attribute.replace(" ", "_"): [
            {each.key for each in page if each.attribute == attribute} for page in stated
        ]
        for attribute in STATED
    }
    for feature in FOUND:
        bags = feature_by_name(feature).extract_bags(analysis)
        rows = np.split(bags.counts.indices, bags.counts.indptr[1:-1])
        fields[feature] = [{bags.strings[at] for at in row} for row in rows]
    person = {rank: at for at, group in enumerate(example.key.groups) for rank in group}
    made: list[dict[str, Any]] = [
        {
            "unique_id": f"{example.name}/{rank}",
            "name": example.name,
            "person": f"{example.name}/{person[rank]}" if rank in person else None,
            **{field: sorted(values[row]) for field, values in fields.items()},
        }
        for row, rank in enumerate(example.ranks)
    ]
    _KNOWN[example.name] = made, time.process_time() - began
    return _KNOWN[example.name]


def linked(learnt: Sequence[Name], asked: Sequence[Name]) -> list[Answers]:
    """The clusters of Splink, for match weights from −10 to 20."""
    import splink.comparison_library as compare  # noqa: PLC0415 - may not be installed
    from pandas import DataFrame  # noqa: PLC0415
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on  # noqa: PLC0415

    api, fields = DuckDBAPI(), [each.replace(" ", "_") for each in (*NEAR, *STATED, *FOUND)]

    def linker(names: Sequence[Name], settings: SettingsCreator | dict[str, Any]) -> Linker:
        table = DataFrame([row for name in names for row in records(name)[0]])
        return Linker(api.register(table), settings, log_level=logging.ERROR)

    judged = [name.example.judged() for name in learnt]
    teacher = linker(
        learnt,
        SettingsCreator(
            link_type="dedupe_only",
            comparisons=[compare.ArrayIntersectAtSizes(field, [3, 1]) for field in fields],
            blocking_rules_to_generate_predictions=[block_on("name")],
            probability_two_random_records_match=float(
                sum(same.sum() for _, same in judged) / sum(both.sum() for both, _ in judged)
            ),
            retain_matching_columns=False,
        ),
    )
    teacher.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=1)
    teacher.training.estimate_m_from_label_column("person")
    pupil = linker(asked, teacher.misc.save_model_to_json())
    began = time.process_time()
    found = pupil.inference.predict().as_pandas_dataframe()
    share = (time.process_time() - began) / len(found)
    answers = []
    for name in asked:
        ranks = {f"{name.example.name}/{rank}": row for row, rank in enumerate(name.example.ranks)}
        own = found[found.unique_id_l.isin(ranks)]
        pairs = np.array([own.unique_id_l.map(ranks), own.unique_id_r.map(ranks)])
        weight, size = own.match_weight.to_numpy(), len(ranks)
        labels = [
            connected_components(
                csr_array((np.ones(kept.sum()), pairs[:, kept]), (size, size)), directed=False
            )[1]
            for kept in (weight >= least for least in np.linspace(-10, 20, 61))
        ]
        answers.append(Answers(labels, records(name)[1] + share * len(own)))
    return answers


def peers() -> dict[str, System]:
    """Title → system, those that can be run here."""
    density_settings = [*product((2, 3, 5), (1, 2, 3, 5), ("eom", "leaf"))]
    made = {
        "each page by itself": timed(lambda name: len(name.texts), lambda n, _: np.arange(n), [0]),
        "all pages together": timed(
            lambda name: len(name.texts), lambda n, _: np.zeros(n, int), [0]
        ),
        "TF-IDF, average link": timed(
            lambda name: average_link(tf_idf(name)), cut_tree, [*THRESHOLDS]
        ),
        "MiniLM, HDBSCAN": timed(
            lambda name: name.vectors, density, density_settings, needs=MINILM
        ),
        "MiniLM, average link": timed(
            lambda name: average_link(1 - name.vectors @ name.vectors.T),
            cut_tree,
            [*THRESHOLDS],
            needs=MINILM,
        ),
        "terms, like Carrot2": timed(terms, nearest_label, [*product(SHARES, LEAST)]),
    }
    systems = {title: of_each(answer) for title, answer in made.items()}
    if find_spec("splink"):
        return systems | {"Splink, extracted fields": linked}
    print("without Splink: pip install splink")
    return systems


class Row(NamedTuple):
    """What a system reached on the names of one kind, as means over names."""

    scores: list[float]
    """Values of :data:`MEASURES`."""
    seconds: float


Given = Mapping[str, tuple[Clustering, float]]
"""Name → its clusters, and the seconds that they took."""


class Judge:
    """Scores by the key, each answer once."""

    def __init__(self, corpus: Corpus) -> None:
        self._source, self._scorer = corpus.source, scorer_for(corpus.source)
        self._known: dict[tuple[str, bytes], Mapping[str, float]] = {}

    def scores(self, example: Example, clusters: Clustering) -> Mapping[str, float]:
        """Measure → value."""
        return self._scorer.scores(clusters, example.key, example.ranks, dict.fromkeys(MEASURES))

    def f(self, example: Example, labels: Labels) -> float:
        """F0.5 of an answer."""
        key = example.name, np.unique(labels, return_inverse=True)[1].tobytes()
        if key not in self._known:
            self._known[key] = self.scores(example, clustering(example, labels))
        return self._known[key][MEASURES[-1]]

    def best(self, names: Iterable[tuple[Example, Answers]]) -> int:
        """The setting of the best mean."""
        rows = [[self.f(example, each) for each in found.labels] for example, found in names]
        return int(np.mean(rows, axis=0).argmax())

    def rows(self, names: Sequence[Name], given: Given) -> dict[bool, Row]:
        """Whether names are mixed → what was reached on them."""
        made = {}
        for mixed in (False, True):
            kind = [name.example for name in names if bool(name.example.components) is mixed]
            kind = [example for example in kind if example.name in given]
            if kind:
                every = [self.scores(each, given[each.name][0]) for each in kind]
                means = [float(np.mean([each[what] for each in every])) for what in MEASURES]
                seconds = float(np.mean([given[each.name][1] for each in kind]))
                made[mixed] = Row(means, seconds)
        return made


def clustering(example: Example, labels: Labels) -> Clustering:
    """The labels as groups of ranks."""
    ranks = np.array(example.ranks)
    return Clustering(tuple(frozenset(ranks[labels == each].tolist()) for each in set(labels)))


def given_by(system: System, names: Sequence[Name], parts: list[list[int]], judge: Judge) -> Given:
    """The answers of a peer, with the setting that is best for names of the other folds."""
    given = {}
    for held_out in parts:
        unseen = [names[at] for at in held_out]
        others = {each.name for each in examples_without([n.example for n in names], held_out)}
        learnt = [name for name in names if name.example.name in others]
        answers = system(learnt, [*learnt, *unseen])
        pairs = [*zip((name.example for name in learnt), answers, strict=False)]
        for example, found in zip(
            (name.example for name in unseen), answers[len(learnt) :], strict=True
        ):
            alike = [pair for pair in pairs if bool(pair[0].components) is bool(example.components)]
            best = judge.best(alike)
            given[example.name] = clustering(example, found.labels[best]), found.seconds
    return given


def given_by_ours(title: str, names: Sequence[Name], parts: list[list[int]]) -> Given:
    """The answers of one of our systems, cross-validated."""
    systems = Systems.parse([title])
    columns = systems.used(PageForm.PAGES)[title]
    examples = [name.example.with_similarities(columns) for name in names]
    configuration = systems.configurations[title].for_form(PageForm.PAGES)
    trial = evaluate_parts(examples, columns, parts, configuration, SETTINGS)
    each = trial.answering / len(trial.answers)
    seconds = {name.example.name: name.seconds[title] + each for name in names}
    return {name: (found.clustering, seconds[name]) for name, found in trial.answers.items()}


@threadpool_limits.wrap(limits=1, user_api="blas")  # as in `weps cluster`
def main() -> None:
    """Measure, print the table and draw the figure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mixed", type=int, nargs="*", default=[50, 100, 200], metavar="PAGES")
    parser.add_argument("--out", type=Path, help="the figure, an SVG file")
    options = parser.parse_args()
    corpus = open_corpus(Path(os.environ["WEPS_DATA"]) / CORPUS, [LEFT_OUT])
    corpus = with_mixed_names(corpus, options.mixed, SETTINGS.folds, SETTINGS.seed)
    systems = Systems.parse(OURS)
    chosen = [name for name in corpus.names if corpus.forms[name] is PageForm.PAGES]
    encoder = whole_encoder()
    names = [read(name, corpus, systems, encoder) for name in chosen]
    parts = divide_examples([name.example for name in names], SETTINGS.folds, SETTINGS.seed)
    judge = Judge(corpus)
    runs = {title: partial(given_by_ours, title) for title in OURS}
    runs |= {title: partial(given_by, system, judge=judge) for title, system in peers().items()}
    mixed = sum(bool(name.example.components) for name in names)
    print(f"{len(names) - mixed} names, then {mixed} mixed names")
    print(f"{'':26}" + 2 * f"{'P':>7}{'R':>7}{'F0.5':>7}{'s':>7}")
    points = []
    for title, run in runs.items():
        rows = judge.rows(names, run(names, parts))
        cells = (f"{p:7.3f}{r:7.3f}{f:7.3f}{spent:7.2f}" for (p, r, f), spent in rows.values())
        print(f"{title:26}" + "".join(cells), flush=True)
        if rows[False].seconds > 1e-3:
            family = "weps" if title in OURS else "others"
            place = float(np.log10(rows[False].seconds)), rows[False].scores[-1]
            points.append(Point(title, *place, marked=True, family=family))
    if options.out:
        axes = "log₁₀ of processor seconds for a name", "F0.5"
        title = f"Answers and their cost, {len(names) - mixed} unseen names"
        figure = draw_scatter("peers", title, points, axes)
        options.out.write_text(figure.svg)


if __name__ == "__main__":
    main()
