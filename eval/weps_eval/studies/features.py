"""The study of features: which of them rank pairs of pages by whether these are one person.

Artiles, Amigó and Gonzalo, The role of named entities in Web People Search (EMNLP 2009). How each
measure ranks instances by itself (sections 4.1 and 4.2), and what measures reach together (4.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps._formatting import format_interval, format_percentage
from weps._options import cli_argument
from weps.features.registry import Feature, all_features
from weps.similarity.columns import PAPER_MEASURES, Similarity
from weps_eval.ranking.labelled import (
    Combination,
    bound_correlation,
    compute_bound,
    distinct_combinations,
    random_combinations,
    split_by_label,
)
from weps_eval.ranking.pwa import (
    auc_counts,
    average_precisions,
    best_subset,
    gain_counts,
    greedy_subsets,
    max_pwa_counts,
    precision_at,
    precision_recall,
    pwa_counts,
    redundancy,
    redundancy_counts,
)
from weps_eval.report import charts
from weps_eval.report.tables import (
    COUNT,
    ESTIMATE,
    PERCENT,
    PERCENT_ESTIMATE,
    SHARE,
    SIGNED_ESTIMATE,
    Kind,
    SampleSize,
    as_json,
    or_blank,
)
from weps_eval.stats import (
    BootstrapSamples,
    Estimate,
    PairCounts,
    estimate_share,
    resample_weights,
    resampled_shares,
)
from weps_eval.studies.feature_claims import CLAIMS, LITTLE, mean_ahead
from weps_eval.studies.frames import (
    Drawn,
    Frame,
    Frames,
    Intervals,
    Pairs,
    Part,
    Row,
    Scatter,
    TableOf,
)
from weps_eval.studies.instances import FeaturesSettings, StudiedInstances, read_source
from weps_eval.studies.running import Study
from weps_eval.tables import Instances

_RESAMPLES = 1_000
"""Resamples for average precision, which takes longer than pair counts."""
_STEPS = 10
"""Measures that greedy search adds."""
_RECALLS = tuple(np.linspace(0.1, 1, 10).round(1).tolist())
_SETS = {"all": "0.76", "non-linguistic": "0.75", "tokens": ""}
"""Combinations that the paper compares → share of the WePS-2 pairs that trees fitted on WePS-1
label right (section 4.3.1)."""
_TABLE_1 = (
    ("the paper's WePS-1", 61_290, 122_437, 183_727),
    ("the paper's WePS-2", 54_641, 55_546, 110_187),
    ("the paper's both", 115_931, 177_983, 293_914),
)
"""Coreferent pairs, others, all."""
_PANELS: dict[str, Callable[[Feature], bool]] = {
    "figure-1": lambda each: each.family in {"token", "lemma"},
    "figure-2": lambda each: each.function in {"ngram", "phrase"} and not each.parameters["local"],
    "figure-3": lambda each: each.function in {"entity", "capitalised"},
    "figure-4": lambda each: (
        each.function in {"fine_entity", "capitalised"} and not each.parameters["local"]
    ),
    "gazetteers-and-links": lambda each: (
        each.family in {"gazetteer", "link"} and not each.parameters.get("local")
    ),
}
"""Figure of curves → features whose curves stand in it, beside that of the base."""


def find_frames(data: StudiedInstances, settings: FeaturesSettings) -> Frames:
    """Rankings by each measure, searches for combinations, and trees over them.

    ``measures`` has every measure, the best first; ``combinations`` what combinations could reach,
    and what trees make of them; ``greedy``, ``best`` and ``gains`` what to choose; ``groups`` each
    group by itself; ``similarity`` the features of corpora under each of the paper's measures.
    """
    studied, tested = data.studied, data.tested
    measures, curves = _rank_measures(data, settings)
    order = np.lexsort((measures["measure"], -measures["average_precision"].value)).tolist()
    measures = measures.take(order)
    search = _search_subsets(tested, settings)
    combinations, groups, facts = _compare_combinations(data, settings, search["greedy"]["measure"])
    unit = "name" if data.corpora else "group"
    parts = ("measure", "non_redundant", "redundant", "non_informative", "family")
    others = [{part: row[part] for part in parts} for row in measures.rows]
    others.sort(key=lambda row: (-row["non_redundant"].value, row["measure"]))
    base_values, counts = studied.column(data.base), tested.counts
    sizes = [_sample_size(each, f"{unit}s") for each in (studied, tested)]
    frames = {
        "measures": measures,
        "redundancy": Frame.of_rows([row for row in others if row["measure"] != data.base]),
        "precision": Frame.of_rows(
            [
                {"measure": name}
                | dict(zip(map(str, _RECALLS), precision_at(curves[name], _RECALLS), strict=True))
                for name in measures["measure"]
            ]
        ),
        "combinations": combinations,
        "sets": Frame.of_rows(
            [
                {**row, "paper": _SETS[row["combination"]]}
                for name in _SETS
                for row in combinations.where(combination=name).rows
                if data.corpora
            ]
        ),
        "groups": Frame.of_rows(groups if data.corpora or len(groups) > 1 else []),
        **search,
        **_group_frames(data, settings),
        **_curve_frames(data, curves, measures["measure"]),
    }
    similarity = frames["similarity"]
    facts |= {
        "base": data.base,
        "unit": unit,
        "recognisers": data.recognisers,
        "ranked": format_percentage(redundancy(base_values, base_values).ranked),
        "most": format_percentage(max(counts.positive, counts.negative) / counts.total),
        "tested": sizes[1],
        "bounds": sizes[1]._replace(cases=len(combinations), case="combinations"),
        "dice": " ".join(
            f"Dice − {other}, mean over features: "
            f"{format_interval(mean_ahead(similarity, other), signed=True)}."
            for other in (PAPER_MEASURES[1:] if len(similarity) else ())
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
    for number, measure in enumerate(instances.measures, start=1):
        values = instances.column(measure)
        (positive,), (negative,), *groups = split_by_label(instances, [measure])
        pwa, auc = (count(positive, negative, *groups) for count in (pwa_counts, auc_counts))
        curve = precision_recall(values, instances.positive)
        curves[measure] = curve.above(0) if curve.threshold[-1] == 0 else curve
        precisions.append(resample_precision(instances, measure, seed))
        shares = redundancy_counts(instances.column(data.base), values, instances.group)
        redundant, non_redundant, non_informative = (
            estimate_share(each, seed=seed) for each in shares
        )
        rows.append(
            {
                "pwa": estimate_share(pwa, seed=seed),
                "pwa_by_group": estimate_share(pwa, per_group=True, seed=seed),
                "auc": estimate_share(auc, seed=seed),
                "auc_by_group": estimate_share(auc, per_group=True, seed=seed),
                "recall": float(next(reversed(curves[measure].recall), 0.0)),
                "non_redundant": non_redundant,
                "redundant": redundant,
                "non_informative": non_informative,
                "family": families.get(measure, ""),
            }
        )
        settings.progress("ranking by each measure", number, len(instances.measures))
    samples = BootstrapSamples(np.array(precisions))
    base = instances.measures.index(data.base)
    return Frame(
        {
            "measure": list(instances.measures),
            "average_precision": samples,
            "ahead_of_base": [samples.difference(base, at) for at in range(len(rows))],
            **Frame.of_rows(rows).columns,
        }
    ), curves


def resample_precision(instances: Instances, measure: str, seed: int = 0) -> NDArray[Any]:
    """Shape (1 + resamples,): average precision of the groups as they are, then of resamples.

    The resamples are the same for all measures; those of a single group are nan.
    """
    groups = len(instances.groups)
    weights = np.vstack([np.ones((1, groups)), resample_weights(groups, seed, _RESAMPLES)])
    values = instances.column(measure)
    precisions = average_precisions(values, instances.positive, instances.group, weights)
    if groups < 2:
        precisions[1:] = np.nan
    return precisions


def _search_subsets(instances: Instances, settings: FeaturesSettings) -> dict[str, Frame]:
    """Subsets with a high MaxPWA: by greedy search, of two or more by trying all, and of all."""
    measures, seed = instances.measures, settings.seed

    def bound(names: Sequence[str]) -> Estimate:
        return estimate_share(max_pwa_counts(*split_by_label(instances, names)), seed=seed)

    positives, negatives, *groups = split_by_label(instances, measures)
    most = min(settings.exhaustive, len(measures))
    settings.progress("searching subsets", 0, most + 1)
    steps = greedy_subsets(positives, negatives, min(_STEPS, len(measures)))
    added = [measures[step.measure] for step in steps]
    best: dict[int, Row] = {}
    for size in range(2, most + 1):
        settings.progress("searching subsets", size - 1, most + 1)
        names = tuple(measures[place] for place in best_subset(positives, negatives, size))
        best[size] = {"measures": names, "max_pwa": bound(names)}
    settings.progress("searching subsets", most, most + 1)
    lost = [estimate_share(each, seed=seed) for each in gain_counts(positives, negatives, *groups)]
    settings.progress("searching subsets", most + 1, most + 1)
    greedy = [
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
    order = sorted(range(len(lost)), key=lambda at: (-lost[at].value, measures[at]))
    return {
        "greedy": Frame.of_rows(greedy),
        "best": Frame.of_rows(list(best.values())),
        "gains": Frame({"measure": measures, "lost": lost}).take(order),
    }


def _compare_combinations(
    data: StudiedInstances, settings: FeaturesSettings, added: Sequence[str]
) -> tuple[Frame, list[Row], dict[str, Any]]:
    """MaxPWA and trees of every combination, the best first; groups; how the two correlate."""
    measures, seed = data.tested.measures, settings.seed
    combinations = distinct_combinations(
        [
            *data.combinations,
            Combination(data.base, "base", (data.base,)),
            Combination("all", "set", measures),
            *(
                Combination(f"best {size} by greedy search", "greedy", tuple(added[:size]))
                for size in range(2, len(added) + 1)
            ),
            *random_combinations(measures, settings.combinations, seed),
        ],
        measures,
    )
    bounds = []
    for number, combination in enumerate(combinations, start=1):
        bounds.append(compute_bound(combination, data.tested, data.trees, seed))
        settings.progress("fitting trees to combinations", number, len(combinations))
    alone, every = (
        next(each for each in bounds if each.combination.measures == some)
        for some in ((data.base,), measures)
    )
    better = [each for each in bounds if each.max_pwa.pooled >= alone.max_pwa.pooled]
    pearson, spearman = (bound_correlation(bounds, ranks=each, seed=seed) for each in (False, True))
    of_better, r = bound_correlation(better, seed=seed), format_interval(pearson)
    facts = {
        "pearson": pearson,
        "spearman": spearman,
        "better": of_better,
        "every": format_interval(estimate_share(every.max_pwa, seed=seed)),
        "r": f"Pearson's r = {r}",
        "correlations": f"Over {len(bounds)} combinations, MaxPWA and the PWA of trees correlate "
        f"with Pearson's r = {r}, Spearman's ρ = {format_interval(spearman)}; over those whose "
        f"MaxPWA is not below that of {data.base}, with r = {format_interval(of_better)}.",
    }
    by_group = {"max_pwa": every.max_pwa.by_group, "tree_auc": every.tree_auc.by_group}
    bounds.sort(key=lambda each: -each.max_pwa.pooled)

    def mean(counts: PairCounts) -> Estimate:
        return estimate_share(counts, per_group=True, seed=seed)

    def pooled(counts: Sequence[PairCounts]) -> BootstrapSamples:
        return BootstrapSamples(np.array([resampled_shares(each, seed=seed) for each in counts]))

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
            "max_pwa": pooled([each.max_pwa for each in bounds]),
            "tree_pwa": pooled([each.tree_pwa for each in bounds]),
            "tree_auc": pooled([each.tree_auc for each in bounds]),
        }
    )
    return found, _rank_groups(data, by_group), facts


def _rank_groups(data: StudiedInstances, by_group: dict[str, NDArray[Any]]) -> list[Row]:
    """Each group of the tested instances by itself, the hardest for the base first.

    Figures are nan where all instances are alike.
    """
    tested = data.tested
    members = np.bincount(tested.group, minlength=len(tested.groups))
    positive = np.bincount(tested.group[tested.positive], minlength=len(members)) / members
    (ours,), (theirs,), *units = split_by_label(tested, [data.base])
    base = auc_counts(ours, theirs, *units).by_group
    columns = {"instances": members, "positive": positive, "base_auc": base, **by_group}
    order = np.argsort(np.nan_to_num(base, nan=2), kind="stable").tolist()
    return Frame({"group": tested.groups, **columns}).take(order).rows


def _group_frames(data: StudiedInstances, settings: FeaturesSettings) -> dict[str, Frame]:
    """The instances counted, and the features of corpora under each of the paper's measures."""

    def counted(corpora: dict[str, Instances]) -> list[Row]:
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
        instances = Frame.of_rows(counted(every))
        return {"instances": instances, "pairs": Frame({}), "similarity": Frame({})}
    compared, bags = data.compared, [each for each in data.features if not each.flag]
    pairs = counted({**data.corpora, **(every if len(data.corpora) > 1 else {})})
    pairs += [dict(zip(pairs[0], (*row, ""), strict=True)) for row in _TABLE_1]
    columns = {
        measure: BootstrapSamples(
            np.array(
                [
                    resample_precision(compared, str(Similarity(each, measure)), settings.seed)
                    for each in bags
                ]
            )
        )
        for measure in (PAPER_MEASURES if bags else ())
    }
    similarity = Frame({"feature": list(map(str, bags)), **columns})
    return {"instances": Frame({}), "pairs": Frame.of_rows(pairs), "similarity": similarity}


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
        for key, shows in _PANELS.items()
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


def _sample_size(instances: Instances, groups: str) -> SampleSize:
    """Groups, and instances of the rarer label."""
    kinds = {f"{kind} pairs": getattr(instances.counts, kind) for kind in ("positive", "negative")}
    rarer = min(kinds, key=kinds.__getitem__)
    return SampleSize(len(instances.groups), kinds[rarer], groups, rarer)


def _draw_curves(frame: Frame, key: str, title: str, note: str) -> Iterator[charts.Figure]:
    lines = [
        charts.Series(
            row["measure"],
            np.array(row["recall"]),
            np.array(row["precision"]),
            reference=row["base"],
        )
        for row in frame.rows
    ]
    yield charts.draw_curves(key, title, lines, note)


def _draw_shares(frame: Frame, key: str, title: str, note: str) -> Iterator[charts.Figure]:
    """Bars of each measure below its family; those of corpora with the paper's limit."""
    families = frame.values("family")
    bars = [
        charts.ShareBar(
            row["measure"],
            (row["non_redundant"].value, row["redundant"].value, row["non_informative"].value),
            family,
        )
        for family in families
        for row in frame.where(family=family).rows
    ]
    yield charts.draw_shares(key, title, bars, LITTLE if any(families) else None, note)


_INTERVALS = "In brackets: 95 % interval, bootstrapped over {unit}s."
_SAME_TREE = "For trees, only instances are compared that the same tree has judged"
_panel = partial(Drawn, draw=_draw_curves)
PARTS = (
    Part(
        "The instances",
        TableOf(
            key="table-1",
            frame="pairs",
            title="Pairs of pages",
            columns={
                "": "",
                "positive": ("coreferent", COUNT),
                "negative": ("others", COUNT),
                "total": ("pairs", COUNT),
                "groups": ("names", or_blank(COUNT)),
            },
            only="report",
        ),
        TableOf(
            key="instances",
            title="Instances",
            columns={
                "": "",
                "positive": ("positive", COUNT),
                "negative": ("negative", COUNT),
                "total": ("instances", COUNT),
                "groups": ("groups", COUNT),
            },
            only="report",
        ),
    ),
    Part(
        "Each by itself",
        _panel(
            key="figure-1",
            title="Words: page, near the name, title, snippet, address",
            note="The paper (section 4.2.1, figure 1): parts of the page's words and lemmas do not "
            "outperform all its words. Only the words near the name and those of the snippet do "
            "slightly better, and only below recall 0.3.",
        ),
        _panel(
            key="figure-2",
            title="Word n-grams and noun phrases",
            note="The paper (section 4.2.1, figure 2): bigrams improve on words and are the best "
            "n-grams up to recall 0.7. Four-grams are slightly more precise but reach recall 0.3 "
            "only; trigrams are not more precise than bigrams. Noun phrases perform poorly.",
        ),
        _panel(
            key="figure-3",
            title="Named entities of three types, and capitalised runs",
            note="The paper (section 4.2.1, figure 3, Stanford recogniser): at best, persons and "
            "organisations match the words, at low recall only.",
        ),
        _panel(
            key="figure-4",
            title="Fine-grained entities and capitalised runs, whole page",
            note="The paper (section 4.2.1, figure 4, OAK recogniser): worse than words and than "
            "the baseline recogniser, perhaps because fine-grained types are sparse. The baseline "
            "does better than any single type, but it contains all types together.",
        ),
        _panel(
            key="gazetteers-and-links",
            title="Gazetteers, addresses and links",
            note="Not in the paper, which gives them no analysis of their own.",
        ),
        _panel(key="curves", title="Precision and recall"),
        TableOf(
            key="rankings",
            frame="measures",
            title="Each by itself",
            columns={
                "measure": "",
                "average_precision": "average precision",
                "ahead_of_base": ("ahead of the base", SIGNED_ESTIMATE),
                "pwa": "PWA",
                "pwa_by_group": "PWA by group",
                "auc": "AUC",
                "auc_by_group": "AUC by group",
                "recall": ("recall", SHARE),
            },
            note="The base is {base}. PWA and AUC compare every positive with every negative "
            "instance; by group, within each {unit} and averaged. A tie counts 0 in PWA and ½ in "
            "AUC. Recall: share of the positive instances whose value is above 0, the lowest. "
            + _INTERVALS,
        ),
        TableOf(
            key="precision-at-recall",
            frame="precision",
            title="Precision at levels of recall",
            columns={"measure": "recall", **{str(each): (str(each), SHARE) for each in _RECALLS}},
            note="The best precision at that recall or any higher; a dash where a ranking ends "
            "before that recall, because all other instances have the value 0.",
            only="report",
        ),
    ),
    Part(
        "Dice, cosine, overlap",
        TableOf(
            key="measures",
            frame="similarity",
            title="Average precision",
            columns={"feature": "", **{each: each for each in PAPER_MEASURES}},
            note="{dice} The paper (section 4.1): Dice gives the best results across types of "
            "features; its differences from cosine are consistent, though not especially large.",
            only="report",
        ),
    ),
    Part(
        "Redundancy",
        Drawn(
            key="redundancy-bars",
            frame="redundancy",
            title="Redundancy with {base}",
            note="As figure 5 of the paper (section 4.2.2), where words rank 99 % of the pairs, "
            "and the baseline recogniser contributes most that words do not, and adds information "
            "in less than 20 % of cases.",
            draw=_draw_shares,
        ),
        TableOf(
            key="redundancy",
            title="Pairs of instances that {base} ranks, ranked by the others",
            columns={
                "measure": "",
                "non_redundant": ("non-redundant", PERCENT_ESTIMATE),
                "redundant": ("redundant", PERCENT_ESTIMATE),
                "non_informative": ("non-informative", PERCENT_ESTIMATE),
            },
            note="{base} ranks {ranked} of all pairs of instances. Non-redundant: ranked the other "
            "way; redundant: the same way; non-informative: tied. Every pair of instances is "
            "counted. " + _INTERVALS,
            only="report",
        ),
    ),
    Part(
        "Together",
        Scatter(
            key="bound-and-trees",
            frame="combinations",
            title="MaxPWA and trees",
            label="combination",
            x="max_pwa",
            y="tree_pwa",
            axes=("MaxPWA", "PWA of decision trees"),
            marked="compared",
            family="kind",
            remark="{r}",
            alike=True,
            note="As figure 6 of the paper (section 4.3), which finds MaxPWA highly correlated "
            "with the PWA of trees, without a coefficient.",
        ),
        Pairs(
            key="figure-7",
            frame="sets",
            title="All, non-linguistic, tokens",
            note="The paper (section 4.3, figure 7): further features improve both bound and trees "
            "over words alone, but non-linguistic features do about as well as all.",
            label="combination",
            values=("max_pwa", "tree_pwa"),
            names=("MaxPWA", "decision tree"),
            axis="pairwise accuracy",
        ),
        TableOf(
            key="figure-7-figures",
            frame="sets",
            title="The combinations of figure 7",
            columns={
                "combination": "",
                "max_pwa": "MaxPWA",
                "tree_pwa": "PWA of trees",
                "accuracy": "accuracy of trees",
                "paper": "accuracy in the paper",
            },
            note="Accuracy: the share of pairs that the tree labels right. Labelling all pairs "
            "alike is right for {most} of those here, for 50.4 % of the paper's WePS-2.",
            only="report",
        ),
        TableOf(
            key="combinations",
            title="MaxPWA and trees of every combination",
            columns={
                "combination": "combination",
                "kind": "kind",
                "members": "members",
                "size": "size",
                "max_pwa": "MaxPWA",
                "max_pwa_by_group": "MaxPWA by group",
                "tree_pwa": "PWA of trees",
                "tree_pwa_by_group": "PWA of trees by group",
                "tree_auc": "AUC of trees",
                "accuracy": "accuracy of trees",
            },
            note=f"{{correlations}} {_SAME_TREE}. {_INTERVALS}",
            only="report",
        ),
    ),
    Part(
        "Which to choose",
        Intervals(
            key="search-steps",
            frame="greedy",
            title="Greedy search by MaxPWA",
            label="label",
            value="max_pwa",
            axis="MaxPWA",
            joined=True,
        ),
        TableOf(
            key="search",
            frame="greedy",
            title="The best combinations",
            columns={
                "size": "size",
                "measure": ("added", Kind(str, left=True)),
                "max_pwa": "MaxPWA",
                "gain": ("gain", SHARE),
                "best": "best of all subsets",
                "best_max_pwa": ("its MaxPWA", or_blank(ESTIMATE)),
            },
            note="Greedy search adds the one that raises MaxPWA most. For small sizes all subsets "
            "were searched.",
        ),
        TableOf(
            key="gains",
            title="What each adds to all others",
            columns={"measure": "", "lost": ("MaxPWA lost without it", PERCENT_ESTIMATE)},
            note="MaxPWA of all together is {every}.",
            only="report",
        ),
    ),
    Part(
        "Group by group",
        TableOf(
            key="by-group",
            frame="groups",
            title="Each {unit} by itself",
            columns={
                "group": "",
                "instances": ("instances", COUNT),
                "positive": ("positive", PERCENT),
                "base_auc": ("AUC of the base", SHARE),
                "max_pwa": ("MaxPWA of all", SHARE),
                "tree_auc": ("AUC of trees of all", SHARE),
            },
            note="The hardest for {base} first; a dash where all instances have the same label. "
            f"{_SAME_TREE} in each division.",
            only="report",
        ),
    ),
)


def json_fields(frames: Frames) -> dict[str, Any]:
    """Rankings, redundancy, combinations, searches and correlations in JSON form."""
    shares = ("non_redundant", "redundant", "non_informative", "family")
    return {
        "base": frames.facts["base"],
        "rankings": frames["measures"].nested("measure", leave=shares),
        "redundancy": frames["redundancy"].nested("measure", leave=("family",)),
        "combinations": frames["combinations"].nested(
            "combination", leave=("members", "size", "compared")
        ),
        "greedy_search": frames["greedy"].records(leave=("size", "label", "best", "best_max_pwa")),
        "best_subsets": frames["best"].records(),
        "pearson": as_json(frames.facts["pearson"]),
        "spearman": as_json(frames.facts["spearman"]),
    }


STUDY = Study(
    title="Features that distinguish people",
    settings=FeaturesSettings,
    source=cli_argument("names with pages and keys", None, metavar="CORPUS"),
    read=read_source,
    find=find_frames,
    claims=CLAIMS,
    shown=PARTS,
    data=json_fields,
    by_criterion=True,
    other_data=False,
    wide=True,
    opening=(
        "The feature study of Artiles, Amigó and Gonzalo, The role of named entities in Web "
        "People Search (EMNLP 2009). Instances are pairs of pages of a name, coreferent or not, or "
        "the rows of a table, positive or not. Every measure is judged by how it ranks positive "
        "instances above negative ones (PWA, MaxPWA and redundancy: section 4).",
    ),
)
Options, run_command = STUDY.options, STUDY.run
