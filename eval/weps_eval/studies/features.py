"""The study of features: which of them rank pairs of pages by whether these are one person.

Artiles, Amigó and Gonzalo, The role of named entities in Web People Search (EMNLP 2009). How each
measure ranks instances by itself (sections 4.1 and 4.2), and what measures reach together (4.3).
Instances are pairs of pages of corpora, or rows of a table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps._expressions import split_items
from weps._formatting import count_of, format_interval, format_percentage
from weps._options import cli_argument, cli_option
from weps._parallel import report_work
from weps.cli.options import check_writable
from weps.errors import FeatureError, OutputError, SourceError, ValuesError
from weps.features.registry import FAMILIES, Feature, all_features, load_named_plugins
from weps.language import analysis, spacy_pipeline
from weps.reading import PageForm, Reader, available_similarities
from weps.similarity.columns import PAPER_MEASURES, Similarity, dice_similarity, required_layers
from weps.systems import FEATURE_SETS, similarities_of
from weps.training import Example
from weps_eval import stats, tables
from weps_eval.benchmark.corpus import FORM_TITLES, Corpus, CorpusOptions, load_corpus, open_corpus
from weps_eval.meta.correlation import Coefficient, correlation_over_measures
from weps_eval.ranking import labelled, pwa
from weps_eval.report.tables import SampleSize, as_json
from weps_eval.studies import feature_claims, running
from weps_eval.studies.frames import Frame, Frames, Row

_RESAMPLES = 1_000
"""Resamples for average precision, which takes longer than pair counts."""
_STEPS = 10
"""Measures that greedy search adds."""
_SETS = {"all": "0.76", "non-linguistic": "0.75", "tokens": ""}
"""Combinations that the paper compares → share of the WePS-2 pairs that trees fitted on WePS-1
label right (section 4.3.1)."""
_DECIMALS = 12
_MOST_GROUPS = 1_000
"""More are no groups but names of instances; a pair count has groups² cells."""
_OF_CORPORA = ("test", "features", "form", "instances", "exclude", "language_2")
"""Options that do not apply to a table."""
_BASE = "token"
_BOUND_REMARK = (
    "MaxPWA bounds the PWA of everything that rises with each of the measures; what may fall with "
    "one of them, as a tree may, can do better, but seldom does if high values speak for positives."
)
_CORPORA, _TABLE = "corpora", "your own data instead of a corpus"


@dataclass(frozen=True, kw_only=True)
class FeaturesSettings(CorpusOptions, running.StudySettings):
    """Settings of the study."""

    report: Path = cli_option(
        "folder of the document (default: weps-study)",
        Path("weps-study"),
        flag="--out",
        metavar="DIR",
    )
    base: str = cli_option(
        "feature that the others are compared with (default: token, or else the first)",
        "",
        metavar="FEATURE",
    )
    combinations: int = cli_option(
        "random combinations over which bounds and trees are compared", 40, least=0, metavar="N"
    )
    exhaustive: int = cli_option(
        "search all subsets of up to K for the best", 2, least=0, metavar="K"
    )
    test: Path | None = cli_option(
        "test trees on these names instead of cross-validating", metavar="CORPUS", group=_CORPORA
    )
    features: str = cli_option(
        "features to study, see `weps features` (default: all)", "", metavar="SET", group=_CORPORA
    )
    language_2: str = cli_option(
        "spaCy pipeline that recognises the entities of fine_entity, since the paper had two "
        "recognisers (default: another that is installed for the language, else that of "
        "--language)",
        "",
        metavar="NAME",
        group=_CORPORA,
    )
    form: PageForm | None = cli_option(
        "use only this much of the pages (default: the most that every corpus has)", group=_CORPORA
    )
    instances: Path | None = cli_option(
        "also write the pairs as a table (.csv)", metavar="FILE", group=_CORPORA
    )
    table: Path | None = cli_option(
        "table of instances × measures with a column of labels (.csv, .tsv, .parquet)",
        metavar="FILE",
        group=_TABLE,
    )
    label: str = cli_option("column of labels", "label", metavar="COLUMN", group=_TABLE)
    group: str = cli_option(
        "column of groups, such as topics, that are resampled and held out",
        "",
        metavar="COLUMN",
        group=_TABLE,
    )
    measures: str = cli_option(
        "columns of measures (default: all with numbers)", "", metavar="COLUMN,COLUMN", group=_TABLE
    )


@dataclass(frozen=True, eq=False)
class StudiedInstances:
    """Instances with their measures, and how trees are fitted to them."""

    title: str
    digest: str
    studied: tables.Instances
    tested: tables.Instances
    """Instances that trees are judged on."""
    trees: labelled.Trees
    base: str
    """Measure that the others are compared with."""
    remarks: Sequence[str]
    signature: Mapping[str, object] = field(default_factory=dict)
    """Name → value of what decides the figures besides the data and the settings of all sources."""
    combinations: Sequence[labelled.Combination] = ()
    """Named combinations of measures."""
    corpora: Mapping[str, tables.Instances] = field(default_factory=dict)
    """Title → pairs of pages of the corpus; empty for a table."""
    compared: tables.Instances | None = None
    """Pairs of pages under each of the paper's measures; None for a table."""
    features: Sequence[Feature] = ()
    recognisers: Sequence[str] = ()
    """Pipelines that recognised entities, no two alike: of ``entity``, of ``fine_entity``."""


def read_source(
    source: Path | tables.Instances | None, settings: FeaturesSettings
) -> StudiedInstances:
    """The pairs of pages of a corpus, or the rows of a table.

    Raises:
        SourceError: if neither or both are given, or they cannot be read or lack the features.
        FeatureError: if the base is not among the features asked for.
        ValuesError: if the table is faulty.
    """
    if isinstance(source, tables.Instances):
        return _study_rows(source, "instances", [], settings)
    if source is not None and settings.table is None:
        return _read_corpora(source, settings)
    if source is not None or settings.table is None:
        raise SourceError(
            "unclear what to study",
            remedy="use `study features CORPUS`, with or without `--test CORPUS`, "
            "or `study features --table FILE`",
        )
    if of_corpora := [name for name in _OF_CORPORA if getattr(settings, name)]:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in of_corpora)
        raise SourceError(
            f"{flags} has no meaning for a table", where=settings.table, remedy="leave it out"
        )
    measures = split_items(settings.measures) if settings.measures else None
    read, unread = tables.read_instances(
        settings.table, settings.label, settings.group or None, measures
    )
    left_out = [f"Left out, because they hold no numbers: {', '.join(unread)}."]
    return _study_rows(read, settings.table.name, left_out if unread else [], settings)


def _study_rows(
    rows: tables.Instances, title: str, left_out: Sequence[str], settings: FeaturesSettings
) -> StudiedInstances:
    instances = rows.without_empty_groups()
    counts, groups = instances.counts, len(instances.groups)
    if groups > _MOST_GROUPS:
        raise ValuesError(
            f"the column {settings.group!r} makes {groups:,} groups of {counts.total:,} instances",
            remedy=f"choose one that makes at most {_MOST_GROUPS:,}, or leave out --group",
        )
    base = settings.base or instances.measures[0]
    instances.column(base)  # or there is no such base
    # A leaf holds a hundredth of the instances, at most as many as in a system's tree.
    trees = labelled.TreeSettings(
        leaf=max(1, min(labelled.TreeSettings().leaf, counts.total // 100)), seed=settings.seed
    )
    ranked = labelled.comparable_by_trees(instances)
    digest = hashlib.sha256(repr((instances.measures, instances.groups)).encode())
    for array in (instances.values, instances.positive, instances.group):
        digest.update(array.tobytes())
    return StudiedInstances(
        title,
        f"table:sha256-{digest.hexdigest()[:8]}",
        instances,
        instances,
        lambda measures: labelled.cross_validate_trees(ranked.only(measures), trees),
        base,
        [
            f"{counts.total:,} instances, {counts.positive:,} of them positive; "
            f"{count_of(len(instances.measures), 'measure')}, compared with {base}.",
            *left_out,
            f"{groups} groups are resampled, and held out together from trees."
            if groups > 1
            else "Without groups there are no intervals; trees are judged on instances held out.",
            _BOUND_REMARK,
        ],
        {"base": base, "combinations": settings.combinations, "exhaustive": settings.exhaustive},
    )


def _read_corpora(source: Path, settings: FeaturesSettings) -> StudiedInstances:
    """Pairs of pages of one corpus, or of one and of another to judge trees on."""
    if settings.instances:
        check_writable(settings.instances)
        tables.ending_of(settings.instances, tables.WRITERS, OutputError)
    opened = [open_corpus(source, settings.exclude)]
    if settings.test:
        opened.append(open_corpus(settings.test))
        training, test = (each.forms.keys() for each in opened)
        if shared := sorted(training & test):
            raise SourceError(
                f"{len(shared)} names stand in both corpora, {shared[0]} is the first",
                where=opened[-1].source.root,
                remedy="leave them out of the first with --exclude, or study it without --test",
            )
    form = settings.form or max((each.richest_form for each in opened), key=list(PageForm).index)
    titles = [corpus.title for corpus in opened]
    if len(set(titles)) < len(titles):
        titles = [f"{titles[0]} ({end})" for end in ("training", "test")]
    asked = similarities_of(load_named_plugins(settings.features or "all"))
    wanted, features = (
        tuple(dict.fromkeys(each.feature for each in some))
        for some in (asked, available_similarities(asked, form))
    )
    names = tuple(map(str, features))
    base = settings.base or (_BASE if _BASE in names or not names else names[0])
    if base not in names:
        # The pages lack it, unless it was not asked for.
        kind = SourceError if not names or base in map(str, wanted) else FeatureError
        raise kind(
            f"{base!r} is not among the features studied",
            where=opened[0].source.root,
            remedy=f"choose from: {', '.join(names) or 'none, the pages lack them all'}",
        )
    corpora = {
        title: _restrict_corpus(each, form) for title, each in zip(titles, opened, strict=True)
    }
    remarks = list(_corpus_remarks(titles, opened, form, wanted, features))
    similarities = _similarities_by_paper(features)
    reader, pipelines = _with_recognisers(settings.reader(), features)
    jobs, progress = settings.jobs, settings.progress
    pairs = []
    for corpus in corpora.values():
        loaded = load_corpus(corpus, similarities, {form}, reader, jobs, progress, remarks.append)
        examples = {name: by_form[form] for name, by_form in loaded.items()}
        pairs.append(judged_instances(examples, similarities))
    compared = tables.join_instances(pairs)
    if settings.instances:
        tables.write_instances(compared, settings.instances)
    by_dice = [str(dice_similarity(each)) for each in features]
    ours = [replace(each.only(by_dice), measures=names) for each in pairs]
    if len(pipelines) > 1:
        first, second = pipelines.values()
        remarks.append(
            f"The entities of entity are recognised by {first}, those of fine_entity by {second}"
            + ("." if settings.language_2 else ", which is installed; --language-2 names another.")
        )
    return StudiedInstances(
        " and ".join(corpora),
        "|".join(
            f"corpus:sha256-{each.source.digest(sorted(each.forms))[:8]}"
            for each in corpora.values()
        ),
        tables.join_instances(ours),
        ours[-1],
        partial(_trees_of_pages, ours, labelled.TreeSettings(seed=settings.seed)),
        base,
        remarks,
        {
            "form": form,
            "features": settings.features or "all",
            "base": base,
            "combinations": settings.combinations,
            "exhaustive": settings.exhaustive,
            "seed": settings.seed,
            "language": " and ".join(pipelines) or None,
        },
        _feature_combinations(features, base),
        dict(zip(corpora, ours, strict=True)),
        compared,
        features,
        tuple(pipelines.values()),
    )


def _with_recognisers(reader: Reader, features: Sequence[Feature]) -> tuple[Reader, dict[str, str]]:
    """The reader, which recognises entities twice where that is compared and can be done.

    Returns:
        And version → name of the pipelines that it uses, no two alike.
    """
    functions = {each.function for each in features}
    if not reader.second_language and functions.issuperset(feature_claims.RECOGNISERS[1:]):
        reader = replace(reader, second_language=spacy_pipeline.other_recogniser(reader.language))
    layers = required_layers(_similarities_by_paper(features))
    used = [reader.language] if layers else []
    if analysis.Layer.ENTITIES in layers and reader.second_language:
        used.append(reader.second_language)
    return reader, {
        spacy_pipeline.pipeline_version(each): spacy_pipeline.pipeline_name(each) for each in used
    }


def _trees_of_pages(
    ours: Sequence[tables.Instances], settings: labelled.TreeSettings, measures: Sequence[str]
) -> Sequence[labelled.TreeConfidences]:
    """Confidences for the pairs of the last corpus, of trees fitted to the first or to others."""
    *training, tested = (each.only(measures) for each in ours)
    if training:
        return labelled.transfer_trees(training[0], tested, settings)
    return labelled.cross_validate_trees(tested, settings)


def _restrict_corpus(corpus: Corpus, form: PageForm) -> Corpus:
    """The corpus without the names whose pages are not available in that form."""
    names = corpus.names_with(form)
    if not names:
        raise SourceError(
            f"no name has its pages as {form}",
            where=corpus.source.root,
            remedy=f"use --form {corpus.richest_form}",
        )
    return replace(
        corpus, forms={name: corpus.forms[name] for name in corpus.forms if name in names}
    )


def _corpus_remarks(
    titles: Sequence[str],
    corpora: Sequence[Corpus],
    form: PageForm,
    wanted: Sequence[Feature],
    features: Sequence[Feature],
) -> Iterator[str]:
    """Remarks on how the study was made."""
    pages = FORM_TITLES[form]
    how = (
        f"fitted on {titles[0]} and judged on {titles[-1]}, where MaxPWA is computed too"
        if len(titles) > 1
        else "fitted on half of the names and judged on the other half, in "
        f"{labelled.TreeSettings().repeats} divisions"
    )
    yield f"What is studied of the pages: {pages}. Decision trees are {how}. {_BOUND_REMARK}"
    for title, corpus in zip(titles, corpora, strict=True):
        if lost := ", ".join(each for each in corpus.forms if each not in corpus.names_with(form)):
            yield f"Left out of {title}, because only less of their pages is available: {lost}."
    functions = {each.function for each in features}
    absent = dict.fromkeys(
        str(each) if each.function in functions else each.function
        for each in wanted
        if each not in features
    )
    if absent:
        yield f"Not studied, because {pages} do not have them: {', '.join(absent)}."
    for each in FEATURE_SETS.values():
        members = () if each.further else each.features()
        left = sum(member in features for member in members)
        if 0 < left < len(members):
            yield f"Of the feature set {each.name}, {left} of {len(members)} features are studied."


def _similarities_by_paper(features: Sequence[Feature]) -> tuple[Similarity, ...]:
    """The features under each of the paper's measures; flags as they are."""
    return tuple(
        Similarity(each, measure)
        for each in features
        for measure in ([""] if each.flag else PAPER_MEASURES)
    )


def judged_instances(
    examples: Mapping[str, Example], similarities: Sequence[Similarity]
) -> tables.Instances:
    """The judged pairs of pages; coreferent ones are positive, the names are the groups.

    Args:
        examples: name → example with the similarities as columns.
        similarities: the measures.

    Raises:
        SourceError: if the key judges no two pages, or all alike.
    """
    values, positive, group = [], [], []
    for number, example in enumerate(examples.values()):
        judged, coreferent = example.judged()
        values.append(example.values[judged].T)
        positive.append(coreferent[judged])
        group.append(np.full(int(judged.sum()), number, dtype=np.int32))
    instances = tables.Instances(
        tuple(map(str, similarities)),
        np.concatenate(values, axis=1),
        np.concatenate(positive),
        np.concatenate(group),
        tuple(examples),
    ).without_empty_groups()
    if 0 in instances.counts[:2]:
        raise SourceError(
            f"of {instances.counts.total:,} judged pairs of pages {instances.counts.positive:,} "
            "are coreferent",
            remedy="give names whose pages are about several people, some with several pages",
        )
    return instances


def _feature_combinations(
    features: Sequence[Feature], base: str
) -> tuple[labelled.Combination, ...]:
    """The feature sets, the families alone and beside the base, and the types of each recogniser.

    Only those that have members.
    """
    families = {
        family: [str(each) for each in features if each.family == family] for family in FAMILIES
    }
    named = (
        *(
            (each.name, "set", [str(f) for f in each.features() if f in features])
            for each in FEATURE_SETS.values()
            if not each.further
        ),
        *((family, "family", own) for family, own in families.items()),
        *(
            (f"{base} + {family}", "family and base", list(dict.fromkeys((base, *own))))
            for family, own in families.items()
            if own
        ),
        *(
            (f"all {name}", "recogniser", [str(each) for each in features if each.function == name])
            for name in feature_claims.RECOGNISERS
        ),
    )
    return tuple(labelled.Combination(name, kind, tuple(own)) for name, kind, own in named if own)


def find_frames(data: StudiedInstances, settings: FeaturesSettings) -> Frames:
    """Rankings by each measure, searches for combinations, and trees over them.

    ``measures`` has every measure, the best first; ``combinations`` what combinations could reach,
    and what trees make of them; ``greedy`` and ``best`` what to choose; ``similarity``
    the features of corpora under each of the paper's measures, and ``dice`` its lead over others;
    ``independent`` how often entities rank pairs the other way than the words do.
    """
    studied, tested = data.studied, data.tested
    measures, curves = _rank_measures(data, settings)
    measures = measures.take(
        np.lexsort((measures["measure"], -measures["average_precision"].value)).tolist()
    )
    search = _search_subsets(tested, settings)
    combinations, facts = _compare_combinations(data, settings, search["greedy"]["measure"])
    unit = "name" if data.corpora else "group"
    parts = ("measure", "non_redundant", "redundant", "non_informative", "family")
    others = [{part: row[part] for part in parts} for row in measures.rows]
    others.sort(key=lambda row: (-row["non_redundant"].value, row["measure"]))
    entities = {str(each) for each in all_features() if each.family == "entity"}
    independent = [row for row in others if row["measure"] in entities and data.base == "token"]
    base_values, counts = studied.column(data.base), tested.counts
    sizes = [_sample_size(each, f"{unit}s") for each in (studied, tested)]
    frames = {
        "measures": measures,
        "redundancy": Frame.of_rows([row for row in others if row["measure"] != data.base]),
        "independent": Frame.of_rows(independent),
        "combinations": combinations,
        "sets": Frame.of_rows(
            [
                {**row, "paper": _SETS[row["combination"]]}
                for name in _SETS
                for row in combinations.where(combination=name).rows
                if data.corpora
            ]
        ),
        **search,
        **_group_frames(data, settings),
        **_curve_frames(data, curves, measures["measure"]),
    }
    facts |= {
        "base": data.base,
        "unit": unit,
        "recognisers": data.recognisers,
        "ranked": format_percentage(pwa.redundancy(base_values, base_values).ranked),
        "most": format_percentage(max(counts.positive, counts.negative) / counts.total),
        "tested": sizes[1],
        "bounds": sizes[1]._replace(cases=len(combinations), case="combinations"),
        "dice": " ".join(
            f"Dice − {row['other']}, mean over features: "
            f"{format_interval(row['ahead'], signed=True)}."
            for row in frames["dice"].rows
        ),
    }
    return Frames(
        frames,
        {"": sizes[0]} if data.corpora else {},
        data.remarks,
        data.signature,
        facts,
        f"{unit}s",
    )


def _rank_measures(
    data: StudiedInstances, settings: FeaturesSettings
) -> tuple[Frame, dict[str, Any]]:
    """Rankings by each measure, and its curve before the instances with nothing in common enter."""
    instances, seed = data.studied, settings.seed
    families = {str(each): each.family for each in data.features}
    rows, precisions, curves = [], [], {}
    for measure in report_work(instances.measures, settings.progress, "ranking each measure"):
        values = instances.column(measure)
        (positive,), (negative,), *groups = labelled.split_by_label(instances, [measure])
        ahead, area = pwa.order_counts(positive, negative, *groups)
        curve = pwa.precision_recall(values, instances.positive)
        curves[measure] = curve.above(0) if curve.threshold[-1] == 0 else curve
        precisions.append(_resample_precision(instances, measure, seed))
        shares = pwa.redundancy_counts(instances.column(data.base), values, instances.group)
        redundant, non_redundant, non_informative = (
            stats.estimate_share(each, seed=seed) for each in shares
        )
        rows.append(
            {
                "pwa": stats.estimate_share(ahead, seed=seed),
                "pwa_by_group": stats.estimate_share(ahead, per_group=True, seed=seed),
                "auc": stats.estimate_share(area, seed=seed),
                "auc_by_group": stats.estimate_share(area, per_group=True, seed=seed),
                "recall": float(next(reversed(curves[measure].recall), 0.0)),
                "non_redundant": non_redundant,
                "redundant": redundant,
                "non_informative": non_informative,
                "family": families.get(measure, ""),
            }
        )
    samples = stats.BootstrapSamples(np.array(precisions))
    base = instances.measures.index(data.base)
    return Frame(
        {
            "measure": list(instances.measures),
            "average_precision": samples,
            "ahead_of_base": [samples.difference(base, at) for at in range(len(rows))],
            **Frame.of_rows(rows).columns,
        }
    ), curves


def _resample_precision(instances: tables.Instances, measure: str, seed: int = 0) -> NDArray[Any]:
    """Shape (1 + resamples,): average precision of the groups as they are, then of resamples.

    The resamples are the same for all measures; those of a single group are nan.
    """
    weights = stats.bootstrap_weights(len(instances.groups), _RESAMPLES, seed)
    return pwa.average_precisions(
        instances.column(measure), instances.positive, instances.group, weights
    )


def _search_subsets(instances: tables.Instances, settings: FeaturesSettings) -> dict[str, Frame]:
    """Subsets with a high MaxPWA: by greedy search, of two or more by trying all, and of all."""
    measures, seed = instances.measures, settings.seed

    def bound(names: Sequence[str]) -> stats.Estimate:
        return stats.estimate_share(labelled.bound_counts(instances, names), seed=seed)

    positives, negatives, *_ = labelled.split_by_label(instances, measures)
    most = min(settings.exhaustive, len(measures))
    settings.progress("searching subsets", 0, 0)
    steps = pwa.greedy_subsets(positives, negatives, min(_STEPS, len(measures)))
    added = [measures[step.measure] for step in steps]
    best: dict[int, Row] = {}
    for size in report_work(range(2, most + 1), settings.progress, "searching subsets"):
        names = tuple(measures[place] for place in pwa.best_subset(positives, negatives, size))
        best[size] = {"measures": names, "max_pwa": bound(names)}
    return {
        "greedy": Frame.of_rows(
            [
                {
                    "size": size,
                    "measure": name,
                    "label": "+ " * (size > 1) + name,
                    "max_pwa": bound(added[:size]),
                    "gain": step.gain,
                    "best": " + ".join(best[size]["measures"]) if size in best else "",
                    "best_max_pwa": best[size]["max_pwa"] if size in best else "",
                }
                for size, (name, step) in enumerate(zip(added, steps, strict=True), start=1)
            ]
        ),
        "best": Frame.of_rows(list(best.values())),
    }


def _compare_combinations(
    data: StudiedInstances, settings: FeaturesSettings, added: Sequence[str]
) -> tuple[Frame, dict[str, Any]]:
    """MaxPWA and trees of every combination, the best first; how the two correlate."""
    measures, seed = data.tested.measures, settings.seed
    combinations = labelled.distinct_combinations(
        [
            *data.combinations,
            labelled.Combination(data.base, "base", (data.base,)),
            labelled.Combination("all", "set", measures),
            *(
                labelled.Combination(f"best {size} by greedy search", "greedy", tuple(added[:size]))
                for size in range(2, len(added) + 1)
            ),
            *labelled.random_combinations(measures, settings.combinations, seed),
        ],
        measures,
    )
    bounds = [
        labelled.compute_bound(combination, data.tested, data.trees, seed)
        for combination in report_work(combinations, settings.progress, "fitting trees")
    ]
    alone = next(each for each in bounds if each.combination.measures == (data.base,))
    bounds.sort(key=lambda each: -each.max_pwa.pooled)

    def pooled(counts: Sequence[stats.PairCounts]) -> stats.BootstrapSamples:
        return stats.BootstrapSamples(
            np.array([stats.resampled_shares(each, seed=seed) for each in counts])
        )

    bound, tree = (
        pooled([each.max_pwa for each in bounds]),
        pooled([each.tree_pwa for each in bounds]),
    )
    pearson, spearman = (
        bound_correlation(bound, tree, kind) for kind in (Coefficient.PEARSON, Coefficient.SPEARMAN)
    )
    better = [at for at, each in enumerate(bounds) if each.max_pwa.pooled >= alone.max_pwa.pooled]
    some, others = (each.take(better) for each in (bound, tree))
    of_better, r = bound_correlation(some, others), format_interval(pearson)
    facts = {
        "pearson": pearson,
        "spearman": spearman,
        "better": of_better,
        "r": f"Pearson's r = {r}",
        "correlations": f"Over {len(bounds)} combinations, MaxPWA and the PWA of trees correlate "
        f"with Pearson's r = {r}, Spearman's ρ = {format_interval(spearman)}; over those whose "
        f"MaxPWA is not below that of {data.base}, with r = {format_interval(of_better)}.",
    }

    def mean(counts: stats.PairCounts) -> stats.Estimate:
        return stats.estimate_share(counts, per_group=True, seed=seed)

    rows = [
        {
            "combination": each.combination.name,
            "kind": each.combination.kind,
            "measures": each.combination.measures,
            "max_pwa": None,
            "max_pwa_by_group": mean(each.max_pwa),
            "tree_pwa": None,
            "tree_pwa_by_group": mean(each.tree_pwa),
            "tree_auc": None,
            "accuracy": each.accuracy,
            "members": " + ".join(each.combination.measures),
            "size": len(each.combination.measures),
            "compared": each.combination.name in _SETS,
        }
        for each in bounds
    ]
    found = Frame(
        {
            **Frame.of_rows(rows).columns,
            "max_pwa": bound,
            "tree_pwa": tree,
            "tree_auc": pooled([each.tree_auc for each in bounds]),
        }
    )
    return found, facts


def bound_correlation(
    bound: stats.BootstrapSamples,
    tree: stats.BootstrapSamples,
    kind: Coefficient = Coefficient.PEARSON,
) -> stats.Estimate:
    """Correlation of MaxPWA with the trees' PWA over combinations; nan for fewer than three."""
    # Shares that are equal but for rounding have equal ranks.
    rounded = (stats.BootstrapSamples(each.rows.round(_DECIMALS)) for each in (bound, tree))
    return stats.joint_estimate(partial(correlation_over_measures, kind=kind), *rounded)


def _group_frames(data: StudiedInstances, settings: FeaturesSettings) -> dict[str, Frame]:
    """Counts of instances, features of corpora under the paper's measures, and the lead of Dice."""

    def counted(corpora: dict[str, tables.Instances]) -> list[Row]:
        return [
            {
                "": title,
                **dict(zip(("positive", "negative", "total"), each.counts, strict=True)),
                "groups": len(each.groups),
            }
            for title, each in corpora.items()
        ]

    every = {"all": data.studied}
    if data.compared is None:
        return {
            "instances": Frame.of_rows(counted(every)),
            "pairs": Frame({}),
            "similarity": Frame({}),
            "dice": Frame({}),
        }
    compared, bags = data.compared, [each for each in data.features if not each.flag]
    pairs = counted({**data.corpora, **(every if len(data.corpora) > 1 else {})})
    pairs += [dict(zip(pairs[0], (*row, ""), strict=True)) for row in feature_claims.TABLE_1]
    columns = {
        measure: stats.BootstrapSamples(
            np.array(
                [
                    _resample_precision(compared, str(Similarity(each, measure)), settings.seed)
                    for each in bags
                ]
            )
        )
        for measure in (PAPER_MEASURES if bags else ())
    }
    dice: list[Row] = [
        {
            "other": other,
            "ahead": stats.Estimate.from_row(
                (columns["dice"].rows - columns[other].rows).mean(axis=0)
            ),
            "higher": int((columns["dice"].value > columns[other].value).sum()),
            "features": len(bags),
        }
        for other in (PAPER_MEASURES[1:] if bags else ())
    ]
    return {
        "instances": Frame({}),
        "pairs": Frame.of_rows(pairs),
        "similarity": Frame({"feature": list(map(str, bags)), **columns}),
        "dice": Frame.of_rows(dice),
    }


def _curve_frames(
    data: StudiedInstances, curves: dict[str, Any], ordered: Sequence[str]
) -> dict[str, Frame]:
    """Precision and recall of the measures whose curves are drawn together, by figure."""
    panels = {
        key: [
            str(each)
            for each in all_features()
            if data.corpora and str(each) in curves and (shows(each) or str(each) == data.base)
        ]
        for key, shows in feature_claims.PANELS.items()
    }
    others = [name for name in ordered if name != data.base][:8]
    chosen = {"curves": [] if data.corpora else [data.base, *others], **panels}
    least = 2 if data.corpora else 1
    return {
        key: Frame.of_rows(
            [
                {
                    "measure": name,
                    "recall": curves[name].recall.tolist(),
                    "precision": curves[name].precision.tolist(),
                    "base": name == data.base,
                }
                for name in names
                if len(names) >= least and len(curves[name].recall)
            ]
        )
        for key, names in chosen.items()
    }


def _sample_size(instances: tables.Instances, groups: str) -> SampleSize:
    """Groups, and instances of the rarer label."""
    kinds = {f"{kind} pairs": getattr(instances.counts, kind) for kind in ("positive", "negative")}
    rarer = min(kinds, key=kinds.__getitem__)
    return SampleSize(len(instances.groups), kinds[rarer], groups, rarer)


def json_fields(frames: Frames) -> dict[str, Any]:
    """Rankings, redundancy, combinations, searches and correlations in JSON form."""
    return {
        "base": frames.facts["base"],
        "rankings": frames["measures"].nested(
            "measure", leave=("non_redundant", "redundant", "non_informative", "family")
        ),
        "redundancy": frames["redundancy"].nested("measure", leave=("family",)),
        "combinations": frames["combinations"].nested(
            "combination", leave=("members", "size", "compared")
        ),
        "greedy_search": frames["greedy"].records(leave=("size", "label", "best", "best_max_pwa")),
        "best_subsets": frames["best"].records(),
        "pearson": as_json(frames.facts["pearson"]),
        "spearman": as_json(frames.facts["spearman"]),
    }


STUDY = running.Study(
    title="Features that distinguish people",
    settings=FeaturesSettings,
    source=cli_argument("names with pages and keys", None, metavar="CORPUS"),
    read=read_source,
    data_type=StudiedInstances,
    find=find_frames,
    claims=feature_claims.CLAIMS,
    shown=feature_claims.PARTS,
    data=json_fields,
    other_data=False,
    wide=True,
    opening=(
        "The feature study of Artiles, Amigó and Gonzalo, The role of named entities in Web "
        "People Search (EMNLP 2009). Instances are pairs of pages of a name, coreferent or not, or "
        "the rows of a table, positive or not. Every measure is judged by how it ranks positive "
        "instances above negative ones (PWA, MaxPWA and redundancy: section 4).",
    ),
)
