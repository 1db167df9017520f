"""Labelled instances of the study of features: pairs of pages of corpora, or rows of a table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np

from weps._expressions import split_items
from weps._formatting import count_of
from weps._options import cli_option
from weps.cli.options import check_writable
from weps.errors import FeatureError, OutputError, SourceError, ValuesError
from weps.features.registry import FAMILIES, Feature, load_named_plugins
from weps.language.analysis import Layer
from weps.language.spacy_pipeline import pipeline_name, pipeline_version
from weps.reading import PageForm, available_similarities
from weps.similarity.columns import PAPER_MEASURES, Similarity, dice_similarity, required_layers
from weps.systems import FEATURE_SETS, similarities_of
from weps.training import Example
from weps_eval.benchmark.corpus import FORM_TITLES, Corpus, CorpusOptions, load_corpus, open_corpus
from weps_eval.ranking.labelled import (
    Combination,
    TreeConfidences,
    Trees,
    TreeSettings,
    comparable_by_trees,
    cross_validate_trees,
    transfer_trees,
)
from weps_eval.studies.running import StudySettings
from weps_eval.tables import (
    WRITERS,
    Instances,
    ending_of,
    join_instances,
    read_instances,
    write_instances,
)

RECOGNISERS = ("capitalised", "entity", "fine_entity")
"""Functions of the paper's baseline recogniser, of its first and of its second."""
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
class FeaturesSettings(CorpusOptions, StudySettings):
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
        "recognisers (default: that of --language)",
        "",
        metavar="NAME",
        group=_CORPORA,
    )
    form: PageForm | None = cli_option(
        "use only this much of the pages (default: the most that every corpus has)", group=_CORPORA
    )
    instances: Path | None = cli_option(
        "also write the pairs as a table (.npz, .csv)", metavar="FILE", group=_CORPORA
    )
    table: Path | None = cli_option(
        "table of instances × measures with a column of labels (.csv, .tsv, .parquet, .npz)",
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
        "columns of measures (default: all with numbers)",
        "",
        metavar="COLUMN,COLUMN",
        group=_TABLE,
    )


@dataclass(frozen=True, eq=False)
class StudiedInstances:
    """Instances with their measures, and how trees are fitted to them."""

    title: str
    digest: str
    studied: Instances
    tested: Instances
    """Instances that trees are judged on."""
    trees: Trees
    base: str
    """Measure that the others are compared with."""
    remarks: Sequence[str]
    signature: Mapping[str, object] = field(default_factory=dict)
    """Name → value of what decides the figures besides the data and the settings of all sources."""
    combinations: Sequence[Combination] = ()
    """Named combinations of measures."""
    corpora: Mapping[str, Instances] = field(default_factory=dict)
    """Title → pairs of pages of the corpus; empty for a table."""
    compared: Instances | None = None
    """Pairs of pages under each of the paper's measures; None for a table."""
    features: Sequence[Feature] = ()
    recognisers: Sequence[str] = ()
    """Pipelines that recognised entities, no two alike: of ``entity``, of ``fine_entity``."""


def read_source(
    source: Path | Instances | StudiedInstances | None, settings: FeaturesSettings
) -> StudiedInstances:
    """The pairs of pages of a corpus, or the rows of a table.

    Raises:
        SourceError: if neither or both are given, or they cannot be read.
        FeatureError: if no feature is left, or the base is not among them.
        ValuesError: if the table is faulty.
    """
    if isinstance(source, StudiedInstances):
        return source
    if isinstance(source, Instances):
        return _study_rows(source, "instances", [], settings)
    if (source is None) == (settings.table is None):
        raise SourceError(
            "unclear what to study",
            remedy="use `study features CORPUS`, with or without `--test CORPUS`, "
            "or `study features --table FILE`",
        )
    check_writable(settings.instances)
    if settings.instances:
        ending_of(settings.instances, WRITERS, OutputError)
    if source:
        return _read_corpora(source, settings)

    table = settings.table
    assert table is not None  # noqa: S101 - for the types
    of_corpora = [f"--{name.replace('_', '-')}" for name in _OF_CORPORA if getattr(settings, name)]
    if of_corpora:
        what = f"{', '.join(of_corpora)} has no meaning for a table"
        raise SourceError(what, where=table, remedy="leave it out")
    measures = split_items(settings.measures) if settings.measures else None
    instances, unread = read_instances(table, settings.label, settings.group or None, measures)
    left_out = [f"Left out, because they hold no numbers: {', '.join(unread)}."]
    return _study_rows(instances, table.name, left_out if unread else [], settings)


def _study_rows(
    rows: Instances, title: str, left_out: Sequence[str], settings: FeaturesSettings
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
    leaf = max(1, min(TreeSettings().leaf, counts.total // 100))
    trees = TreeSettings(leaf=leaf, seed=settings.seed)
    ranked = comparable_by_trees(instances)
    digest = hashlib.sha256(repr((instances.measures, instances.groups)).encode())
    for array in (instances.values, instances.positive, instances.group):
        digest.update(array.tobytes())
    return StudiedInstances(
        title,
        f"table:sha256-{digest.hexdigest()[:8]}",
        instances,
        instances,
        lambda measures: cross_validate_trees(ranked.only(measures), trees),
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
        {
            "base": base,
            "combinations": settings.combinations,
            "exhaustive": settings.exhaustive,
        },
    )


def _read_corpora(source: Path, settings: FeaturesSettings) -> StudiedInstances:
    """Pairs of pages of one corpus, or of one and of another to judge trees on."""
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
        ends = ("training", "test")
        titles = [f"{title} ({end})" for title, end in zip(titles, ends, strict=True)]
    asked = similarities_of(load_named_plugins(settings.features or "all"))
    wanted, features = (
        tuple(dict.fromkeys(each.feature for each in some))
        for some in (asked, available_similarities(asked, form))
    )
    names = tuple(map(str, features))
    base = settings.base or (_BASE if _BASE in names or not names else names[0])
    if base not in names:
        raise FeatureError(
            f"{base!r} is not among the features studied",
            remedy=f"choose from: {', '.join(names) or 'none, the pages lack them all'}",
        )
    corpora = {
        title: _restrict_corpus(each, form) for title, each in zip(titles, opened, strict=True)
    }
    remarks = list(_corpus_remarks(titles, opened, form, wanted, features))
    similarities = similarities_by_paper(features)
    pipelines = _pipelines(settings, similarities)
    pairs = []
    for corpus in corpora.values():
        loaded = load_corpus(
            corpus,
            similarities,
            {form},
            settings.reader(),
            settings.jobs,
            settings.progress,
            remarks.append,
        )
        examples = {name: by_form[form] for name, by_form in loaded.items()}
        pairs.append(judged_instances(examples, similarities))
    compared = join_instances(pairs)
    if settings.instances:
        write_instances(compared, settings.instances)
    by_dice = [str(dice_similarity(each)) for each in features]
    ours = [replace(each.only(by_dice), measures=names) for each in pairs]
    if len(pipelines) > 1:
        first, second = pipelines.values()
        remarks.append(
            f"The entities of entity are recognised by {first}, those of fine_entity by {second}."
        )
    digests = (each.source.digest(sorted(each.forms))[:8] for each in corpora.values())
    return StudiedInstances(
        " and ".join(corpora),
        "|".join(f"corpus:sha256-{digest}" for digest in digests),
        join_instances(ours),
        ours[-1],
        partial(_trees_of_pages, ours, TreeSettings(seed=settings.seed)),
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
            "html": settings.html,
        },
        feature_combinations(features, base),
        dict(zip(corpora, ours, strict=True)),
        compared,
        features,
        tuple(pipelines.values()),
    )


def _trees_of_pages(
    ours: Sequence[Instances], settings: TreeSettings, measures: Sequence[str]
) -> Sequence[TreeConfidences]:
    """Confidences for the pairs of the last corpus, of trees fitted to the first or to others."""
    *training, tested = (each.only(measures) for each in ours)
    if training:
        return transfer_trees(training[0], tested, settings)
    return cross_validate_trees(tested, settings)


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
        f"{TreeSettings().repeats} divisions"
    )
    yield f"What is studied of the pages: {pages}. Decision trees are {how}. {_BOUND_REMARK}"
    for title, corpus in zip(titles, corpora, strict=True):
        available = corpus.names_with(form)
        if names := [name for name in corpus.forms if name not in available]:
            listed = ", ".join(names)
            yield f"Left out of {title}, because only less of their pages is available: {listed}."
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


def similarities_by_paper(features: Sequence[Feature]) -> tuple[Similarity, ...]:
    """The features under each of the paper's measures; flags as they are."""
    return tuple(
        Similarity(each, measure)
        for each in features
        for measure in ([""] if each.flag else PAPER_MEASURES)
    )


def judged_instances(
    examples: Mapping[str, Example], similarities: Sequence[Similarity]
) -> Instances:
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
    instances = Instances(
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


def _pipelines(settings: FeaturesSettings, similarities: Sequence[Similarity]) -> dict[str, str]:
    """Version → name of the pipelines that make the layers, the second recogniser last.

    Raises:
        LanguageError: if one is missing.
    """
    reader, layers = settings.reader(), required_layers(similarities)
    used = [reader.language] if layers else []
    if Layer.ENTITIES in layers and reader.second_language:
        used.append(reader.second_language)
    return {pipeline_version(each): pipeline_name(each) for each in used}


def feature_combinations(features: Sequence[Feature], base: str) -> tuple[Combination, ...]:
    """The feature sets, the families alone and beside the base, and the types of each recogniser.

    Only those that have members.
    """
    combinations = [
        Combination(each.name, "set", tuple(str(f) for f in each.features() if f in features))
        for each in FEATURE_SETS.values()
        if not each.further
    ]
    families = {
        family: tuple(str(each) for each in features if each.family == family)
        for family in FAMILIES
    }
    combinations += [Combination(family, "family", members) for family, members in families.items()]
    combinations += [
        Combination(f"{base} + {family}", "family and base", tuple(dict.fromkeys((base, *members))))
        for family, members in families.items()
        if members
    ]
    combinations += [
        Combination(
            f"all {function}",
            "recogniser",
            tuple(str(each) for each in features if each.function == function),
        )
        for function in RECOGNISERS
    ]
    return tuple(each for each in combinations if each.measures)
