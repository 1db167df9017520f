"""Claims of the study of features, the rules that judge them, and what is shown of the study.

Artiles, Amigó and Gonzalo, EMNLP 2009.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np

from weps._formatting import format_interval
from weps.features.registry import Feature, all_features
from weps.similarity.columns import PAPER_MEASURES
from weps_eval.report import charts, tables
from weps_eval.stats import Estimate
from weps_eval.studies.frames import (
    FigureOf,
    Frame,
    Frames,
    Intervals,
    Pairs,
    Part,
    Scatter,
    TableOf,
    holds,
)

RECOGNISERS = ("capitalised", "entity", "fine_entity")
"""Functions of the paper's baseline recogniser, of its first and of its second."""
TABLE_1 = (
    ("the paper's WePS-1", 61_290, 122_437, 183_727),
    ("the paper's WePS-2", 54_641, 55_546, 110_187),
    ("the paper's both", 115_931, 177_983, 293_914),
)
"""Coreferent pairs, others, all."""
PANELS: dict[str, Callable[[Feature], bool]] = {
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
LITTLE = 0.2
"""The paper: even the most independent recogniser adds information in less than 20 % of cases."""
_HIGH = 0.7
"""A correlation that may be called high."""
_SIMILAR = 0.02
"""The paper's two classifiers differ by .01 in accuracy and are called similar."""
_SHARED_TYPES = ("person", "location", "organisation")
"""Types of entity that both recognisers of the paper have."""


def _judge_ahead(best: str, others: Iterable[str], frames: Frames) -> tables.Verdict:
    """Whether a measure has a higher average precision than each of the others.

    The figures are those of the one that decides.
    """
    wanted = [other for other in others if other != best]
    ahead = {
        other: lead
        for other in wanted
        if (lead := frames["measures"].lead("average_precision", "measure", best, other))
    }
    if not ahead:
        return tables.Verdict(tables.NOT_STUDIED)
    verdicts = {other: tables.judge_above_zero(lead) for other, lead in ahead.items()}
    least = min(
        ahead, key=lambda other: (tables.SEVERITY[verdicts[other].word], ahead[other].value)
    )
    figures = f"average precision of {best} − {least}: {verdicts[least].figures}"
    missing = [other for other in wanted if other not in ahead]
    remark = f"; not studied: {', '.join(missing)}" if missing else ""
    return tables.Verdict(verdicts[least].word, figures + remark)


def _ahead(best: str, rival: Callable[[Feature], bool]) -> Callable[[Frames], tables.Verdict]:
    return lambda frames: _judge_ahead(
        best, (str(each) for each in all_features() if rival(each)), frames
    )


def _judge_correlation(frames: Frames) -> tables.Verdict:
    facts = frames.facts
    every, better = (tables.judge_at_least(facts[each], _HIGH) for each in ("pearson", "better"))
    return tables.worst_verdict(
        (
            tables.Verdict(every.word, f"all combinations: r = {every.figures}"),
            tables.Verdict(
                better.word, f"those no worse than {facts['base']}: r = {better.figures}"
            ),
        )
    )


def _with_two(
    rule: Callable[[Frames], tables.Verdict], *functions: str
) -> Callable[[Frames], tables.Verdict]:
    """The rule for studies of both recognisers' features, which two pipelines must have made."""

    def judge(frames: Frames) -> tables.Verdict:
        studied = {measure.partition("(")[0] for measure in frames["measures"]["measure"]}
        if not studied.issuperset(functions):
            return tables.Verdict(tables.NOT_STUDIED)
        if len(frames.facts["recognisers"]) < 2:
            return tables.cannot_judge(
                "entity and fine_entity use the same recogniser, the only one that is installed "
                "for the language; choose another with --language-2, or install one: "
                "python -m spacy download en_core_web_sm"
            )
        return rule(frames)

    return judge


def _judge_recognisers(frames: Frames) -> tables.Verdict:
    """How far each type ranks otherwise by one recogniser than by the other."""
    parts = []
    for each in _SHARED_TYPES:
        pair = [f"{name}(type={each})" for name in RECOGNISERS[1:]]
        if apart := frames["measures"].lead("average_precision", "measure", *pair):
            same = tables.judge_similar(apart, _SIMILAR)
            parts.append(tables.Verdict(same.word, f"{each} {same.figures}"))
    if not parts:
        return tables.Verdict(tables.NOT_STUDIED)
    alike = tables.worst_verdict(parts)
    word = {tables.HOLDS: tables.DOES_NOT_HOLD, tables.DOES_NOT_HOLD: tables.HOLDS}.get(
        alike.word, alike.word
    )
    pipelines = " − ".join(frames.facts["recognisers"])
    return tables.Verdict(word, f"average precision by {pipelines}: {alike.figures}")


def _judge_trees(
    first: str, second: str, rule: Callable[[Estimate], tables.Verdict], frames: Frames
) -> tables.Verdict:
    """The rule's verdict on the AUC of trees from one combination minus that from another.

    Not of PWA, in which ties are failures: how often a tree ties depends on how many leaves it has.
    """
    area, pwa = (
        frames["combinations"].lead(column, "combination", first, second)
        for column in ("tree_auc", "tree_pwa")
    )
    if area is None or pwa is None:
        return tables.Verdict(tables.NOT_STUDIED)
    verdict, strict = rule(area), format_interval(pwa, signed=True)
    return tables.Verdict(verdict.word, f"{first} − {second}: AUC {verdict.figures}, PWA {strict}")


def _judge_without_linguistic(frames: Frames) -> tables.Verdict:
    """The rule for studies in which linguistic features are among all."""
    linguistic = {str(each) for each in all_features() if each.linguistic}
    every = frames["combinations"].where(combination="all").rows
    if not every or linguistic.isdisjoint(every[0]["measures"]):
        return tables.Verdict(tables.NOT_STUDIED)
    return _judge_trees(
        "all", "non-linguistic", partial(tables.judge_similar, most=_SIMILAR), frames
    )


_HIGHER = "the whole interval of the difference in average precision is above 0"

CLAIMS: tuple[tables.Claim[Frames], ...] = (
    tables.Claim(
        "Neither parts of a page's words nor its lemmas rank better than all words.",
        "section 4.2.1, figure 1",
        f"{_HIGHER}, for each of these",
        _ahead("token", lambda each: each.family in {"token", "lemma"}),
    ),
    tables.Claim(
        "Bigrams rank better than words.",
        "section 4.2.1, figure 2",
        _HIGHER,
        _ahead("ngram(n=2)", lambda each: str(each) == "token"),
    ),
    tables.Claim(
        "Bigrams rank better than longer n-grams.",
        "section 4.2.1, figure 2",
        f"{_HIGHER}, for n = 3, 4 and 5",
        _ahead(
            "ngram(n=2)", lambda each: each.function == "ngram" and not each.parameters["local"]
        ),
    ),
    tables.Claim(
        "Noun phrases do not rank better than words.",
        "section 4.2.1, figure 2",
        _HIGHER,
        _ahead("token", lambda each: str(each) == "phrase"),
    ),
    tables.Claim(
        "No single type of entity ranks better than words.",
        "section 4.2.1, figures 3 and 4",
        f"{_HIGHER}, for each type",
        _ahead("token", lambda each: each.function in RECOGNISERS[1:]),
    ),
    tables.Claim(
        "The baseline recogniser, all types together, ranks better than each type by itself.",
        "section 4.2.1",
        f"{_HIGHER}, for each type on the whole page",
        _ahead(
            "capitalised",
            lambda each: each.function in RECOGNISERS[1:] and not each.parameters["local"],
        ),
    ),
    tables.Claim(
        "Entities add little to words: under 20 % of pairs are ranked the other way.",
        "section 4.2.2, figure 5",
        "the share is below 20 % for every type, with its whole interval",
        holds(
            "independent.non_redundant",
            "at most",
            LITTLE,
            says="the most, {measure}: {figures}",
            worst=True,
            percent=True,
        ),
    ),
    tables.Claim(
        "Of all kinds of entities, those of the baseline recogniser add most to words.",
        "section 4.2.2, figure 5",
        "its share of pairs ranked the other way is the largest, and its interval does not "
        "overlap the others",
        lambda frames: tables.judge_largest(
            {row["measure"]: row["non_redundant"] for row in frames["independent"].rows},
            "capitalised",
        ),
    ),
    tables.Claim(
        "Results depend on the recogniser: those of another rank pairs differently.",
        "sections 4.2.1 and 5",
        "the average precision of persons, locations or organisations differs between two "
        f"recognisers by more than {_SIMILAR}, with the whole interval; it does not hold if all "
        "three differ by less",
        _with_two(_judge_recognisers, *RECOGNISERS[1:]),
    ),
    tables.Claim(
        "The many types of one recogniser train better trees than the few of another.",
        "section 5",
        "the AUC of trees from all fine_entity features minus that from all entity features, and "
        "minus that from the baseline's, is above 0, with the whole interval",
        _with_two(
            lambda frames: tables.worst_verdict(
                _judge_trees("all fine_entity", f"all {each}", tables.judge_above_zero, frames)
                for each in RECOGNISERS[:2]
            ),
            *RECOGNISERS,
        ),
        lambda frames: frames.facts["tested"],
    ),
    tables.Claim(
        "MaxPWA of a combination is highly correlated with the quality of its trees.",
        "section 4.3, figure 6",
        f"Pearson's r is at least {_HIGH}, with its whole interval, both over all combinations and "
        "over those whose MaxPWA is not below that of words",
        _judge_correlation,
        lambda frames: frames.facts["bounds"],
    ),
    tables.Claim(
        "Adding features to words improves the trees.",
        "section 4.3, figure 7",
        "the whole interval of the difference in the trees' AUC is above 0",
        partial(_judge_trees, "non-linguistic", "tokens", tables.judge_above_zero),
        lambda frames: frames.facts["tested"],
    ),
    tables.Claim(
        "Without linguistic features the trees are about as good as with them.",
        "section 4.3, figure 7",
        f"the trees' AUC differs by at most {_SIMILAR}, with the whole interval",
        _judge_without_linguistic,
        lambda frames: frames.facts["tested"],
    ),
    tables.Claim(
        "Dice ranks better than cosine and overlap.",
        "section 4.1",
        f"{_HIGHER}, as a mean over features",
        holds(
            "dice.ahead",
            "above 0",
            says="average precision, dice − {other}, mean over features: {figures}; "
            "dice is better for {higher} of {features}",
            worst=True,
        ),
    ),
)


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
    parts = ("non_redundant", "redundant", "non_informative")
    bars = {
        family: {
            row["measure"]: tuple(row[part].value for part in parts)
            for row in frame.where(family=family).rows
        }
        for family in families
    }
    yield charts.draw_shares(key, title, bars, LITTLE if any(families) else None, note)


_INTERVALS = "In brackets: 95 % interval, bootstrapped over {unit}s."
_panel = partial(FigureOf, draw=_draw_curves)
PARTS = (
    Part(
        "The instances",
        TableOf(
            key="table-1",
            frame="pairs",
            title="Pairs of pages",
            columns={
                "": "",
                "positive": ("coreferent", tables.COUNT),
                "negative": ("others", tables.COUNT),
                "total": ("pairs", tables.COUNT),
                "groups": ("names", tables.or_blank(tables.COUNT)),
            },
            only="report",
        ),
        TableOf(
            key="instances",
            title="Instances",
            columns={
                "": "",
                "positive": ("positive", tables.COUNT),
                "negative": ("negative", tables.COUNT),
                "total": ("instances", tables.COUNT),
                "groups": ("groups", tables.COUNT),
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
                "ahead_of_base": ("ahead of the base", tables.SIGNED_ESTIMATE),
                "pwa": "PWA",
                "pwa_by_group": "PWA by group",
                "auc": "AUC",
                "auc_by_group": "AUC by group",
                "recall": ("recall", tables.SHARE),
            },
            note="The base is {base}. PWA and AUC compare every positive with every negative "
            "instance; by group, within each {unit} and averaged. A tie counts 0 in PWA and ½ in "
            "AUC. Recall: share of the positive instances whose value is above 0, the lowest. "
            + _INTERVALS,
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
        FigureOf(
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
                "non_redundant": ("non-redundant", tables.PERCENT_ESTIMATE),
                "redundant": ("redundant", tables.PERCENT_ESTIMATE),
                "non_informative": ("non-informative", tables.PERCENT_ESTIMATE),
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
            note="{correlations} For trees, only instances are compared that the same tree has "
            f"judged. {_INTERVALS}",
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
                "measure": ("added", tables.Kind(str, left=True)),
                "max_pwa": "MaxPWA",
                "gain": ("gain", tables.SHARE),
                "best": "best of all subsets",
                "best_max_pwa": ("its MaxPWA", tables.or_blank(tables.ESTIMATE)),
            },
            note="Greedy search adds the one that raises MaxPWA most. For small sizes all subsets "
            "were searched.",
        ),
    ),
)
