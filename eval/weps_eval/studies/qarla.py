"""``weps meta qarla``: measures that distinguish people from systems, alone and together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

import numpy as np

from weps._formatting import format_interval, format_number
from weps._options import cli_argument, cli_option
from weps_eval.meta import correlation, orange, qarla
from weps_eval.report.tables import as_json
from weps_eval.stats import (
    BootstrapSamples,
    Estimate,
    Floats,
    bootstrap_means,
    joint_estimate,
    known_mean,
)
from weps_eval.studies import pairwise, qarla_report, running
from weps_eval.studies.frames import SYSTEMS_TOO, Frame, Frames, Row, short_name
from weps_eval.studies.measures import over_measures

_LABELLED = 3
"""Measures with labels."""
_DRAWN = 70
"""Rows of a figure."""
_SET_SIZES = ("one measure", "two measures", "three or more")
_JUDGES = {
    qarla.Judges.LEFT_OUT: "the other references",
    qarla.Judges.ALL: "all references, themselves too",
}


@dataclass(frozen=True, kw_only=True)
class QarlaSettings(pairwise.SimilaritySettings):
    """What the study can be told."""

    triples: qarla.Triples = cli_option(
        "the triples of references that an output is compared with: three different references "
        "(needs 4 per topic), two different ones and any third (needs 3), or any (needs 2)",
        qarla.Triples.DISTINCT,
    )
    models: qarla.Judges = cli_option(
        "for KING: the references that judge a reference and the outputs: all except that "
        "reference, or all including it, as in the formula of 2005",
        qarla.Judges.LEFT_OUT,
    )
    clusters: int = cli_option(
        "group the measures into K clusters, and try every set made of the best measures of "
        "clusters",
        10,
        metavar="K",
        least=1,
        most=qarla.MOST_CLUSTERS,
    )


def read_source(source: Any, settings: QarlaSettings) -> pairwise.PairwiseInput:
    """The similarities of the texts of topics with references enough for the triples."""
    triples = settings.triples
    looser = [
        f"{each} ({each.fewest + 1} references)"
        for each in qarla.Triples
        if each.fewest < triples.fewest
    ]
    remedy = "give topics with more references"
    if looser:
        remedy += f", or choose --triples {' or '.join(looser)}"
    return pairwise.read_similarities(source, settings, fewest=triples.fewest + 1, remedy=remedy)


def find_frames(compared: pairwise.PairwiseInput, settings: QarlaSettings) -> Frames:
    """KING of measures, the best first, and of sets; QUEEN of systems; JACK of the outputs.

    Frames are ``measures``, the ``choice`` of sets and what it gains (``crossed``), ``clusters``,
    ``systems`` and ``references``, ``agreement`` with people of the best set, of single measures
    (``people``) and of all ``sets``, ``jack`` with its ``curves`` and by ``strategies``, and
    ``first``: people taken for systems. ``claims`` has differences that claims are about.
    """
    seed, topics, names = settings.seed, compared.similarities, compared.measures
    size = len(names)
    conditions = qarla.Conditions.of(topics, settings.triples, judges=settings.models)
    search = qarla.search_sets(conditions, settings.clusters)
    kings = bootstrap_means(search.kings, seed=seed)
    order = np.argsort(-kings.value[:size].round(12), kind="stable").tolist()
    early = bootstrap_means(qarla.early_estimate(topics), seed=seed)
    crossed = qarla.cross_validate_sets(search, seed)
    first = _people_first(compared, conditions, search.best_set, seed)
    shares: Sequence[float | None] = first.value.tolist() if first else [None] * (2 * size + 1)
    best = " + ".join(names[measure] for measure in search.best_set)
    (best_single,) = search.sets[search.best_single]
    agreement, people, sets = _agreement(compared, conditions, search, kings, order, seed)
    lacking = ", ".join(
        each for each in compared.criteria if each not in agreement.values("criterion")
    )
    jack, curves = _jack(compared, search.best_set, settings.triples, seed)
    strategies, by_strategy = _jack_by_strategy(compared, search.best_set, settings)
    measures = Frame(
        {
            "measure": names,
            "king": kings.take(range(size)),
            "early": early,
            "people_first": shares[:size],
            "people_first_by_queen": shares[size:-1],
        }
    )
    estimates = kings.estimates
    ranking = [{"label": names[each], "king": estimates[each], "set": False} for each in order]
    if len(search.best_set) > 1:
        label = f"best set: {short_name(best)}"
        ranking.insert(0, {"label": label, "king": estimates[search.best], "set": True})
    systems, lead = _systems(compared, conditions, search.best_set, seed)
    return Frames(
        {
            "measures": measures.take(order),
            "baselines": measures.take(qarla_report.BASELINES(names)),
            "ranking": Frame.of_rows(ranking),
            "choice": _choice(search, kings, crossed, names),
            "crossed": Frame(
                {
                    "several": [crossed.estimates[0]] if crossed else [],
                    "single": [crossed.estimates[1]] if crossed else [],
                    "gain": [crossed.difference(1, 0)] if crossed else [],
                },
                "there is one topic, or no set of several measures",
            ),
            **_clusters(search, kings, names),
            **systems,
            "agreement": agreement,
            "people": people,
            "sets": sets,
            "jack": jack,
            "curves": curves,
            "strategies": strategies,
            "first": _first(first, order, names),
            "claims": Frame.of_rows(
                [
                    {"claim": "lead", "figure": lead, "size": compared.sample_size},
                    *qarla_report.find_contrasts(compared, search, kings, early, first),
                    *by_strategy,
                    *_compare_types(compared, search, settings),
                ]
            ),
        },
        {"": compared.sample_size},
        remarks=[
            *pairwise.input_remarks(compared),
            "Outputs are not compared with one another, so there is no JACK."
            if not compared.among_outputs
            else "",
            f"Too few systems were judged on common topics to be correlated: {lacking}."
            if lacking
            else "",
            "References or systems differ between topics, so no person is treated as a system."
            if not compared.is_uniform
            else "",
        ],
        signature={
            "topics": len(compared.topics),
            "measures": size,
            "triples": settings.triples,
            "models": settings.models,
            "clusters": settings.clusters,
            "types": len(compared.types) or None,
            "strategies": len(set(compared.strategies.values())) or None,
        },
        facts={
            "topics": [topic.topic for topic in compared.topics],
            "triples": settings.triples,
            "models": settings.models,
            "judges": _JUDGES[settings.models],
            "tried": search.tried,
            "sets": f"{len(search.sets):,}",
            "others": "there are no others"
            if len(search.sets) == 2**size - 1
            else "others may be better",
            "candidates": [names[each] for each in search.candidates],
            "clusters": len(search.candidates),
            "best": [names[each] for each in search.best_set],
            "best_single": names[best_single],
            "king": estimates[search.best],
            "people_first": shares[-1],
            "greedy": [
                {"measures": [names[each] for each in measures], "king": king}
                for measures, king in search.greedy.items()
            ],
            "alone": "The best set is the first measure alone."
            if len(search.best_set) == 1
            else "",
            "members": "In bold the measure with the highest KING of each cluster."
            if size <= _DRAWN
            else "The best measure of each cluster.",
        },
        resampled=SYSTEMS_TOO,
    )


def _people_first(
    compared: pairwise.PairwiseInput, conditions: qarla.Conditions, best: Sequence[int], seed: int
) -> BootstrapSamples | None:
    """People ranked first: by each measure, by its QUEEN, and by QUEEN of the best set.

    None if references or systems are not the same on all topics.
    """
    if not compared.is_uniform:
        return None
    sets = [*((measure,) for measure in range(conditions.measures)), best]
    queens = [qarla.queen_left_out(conditions, measures) for measures in sets]
    judged = [
        orange.LeftOut(
            np.concatenate([part.references for part in parts]),
            np.concatenate([part.outputs for part in parts]),
        )
        for parts in zip(map(orange.left_out, compared.similarities), *queens, strict=True)
    ]
    return qarla.people_first(judged, seed)


def _choice(
    search: qarla.SetSearch,
    kings: BootstrapSamples,
    crossed: BootstrapSamples | None,
    names: Sequence[str],
) -> Frame:
    """What a set is, its measures, and its KING, which is a difference in the last."""
    best = {
        "best single measure": search.best_single,
        f"best of {len(search.sets):,} tried": search.best,
    }
    rows = [
        (
            what,
            " + ".join(names[each] for each in search.sets[number]),
            format_interval(kings.estimates[number]),
        )
        for what, number in best.items()
    ]
    rows += [
        (f"greedy, {len(measures)}", f"… + {names[measures[-1]]}", format_number(king))
        for measures, king in search.greedy.items()
        if len(measures) > 1
    ]
    if crossed:
        several, single = map(format_interval, crossed.estimates)
        gain = format_interval(crossed.difference(1, 0), signed=True)
        rows += [
            ("on other topics", "best set of several", several),
            ("on other topics", "best single measure", single),
            ("on other topics", "several − single", gain),
        ]
    return Frame.of_rows([dict(zip(("what", "measures", "king"), r, strict=True)) for r in rows])


def _clusters(
    search: qarla.SetSearch, kings: BootstrapSamples, names: Sequence[str]
) -> dict[str, Frame]:
    """Measures that accept the same outputs, and these one by one, the best first."""
    estimates, most = kings.estimates, None if len(names) <= _DRAWN else 1
    rows = [
        {
            "cluster": number,
            "measures": [names[each] for each in cluster.measures],
            "best": names[cluster.best],
            "king": cluster.king,
            "others": ", ".join(names[each] for each in cluster.measures if each != cluster.best)
            or "–",
        }
        for number, cluster in enumerate(search.clusters, start=1)
    ]
    members = [
        {
            "cluster": cluster.best,
            "measure": names[each],
            "king": estimates[each],
            "best": each == cluster.best,
        }
        for cluster in sorted(search.clusters, key=lambda each: -each.king)
        for each in sorted(cluster.measures, key=lambda each: (-kings.value[each], each))[:most]
    ]
    return {"clusters": Frame.of_rows(rows), "members": Frame.of_rows(members)}


def _systems(
    compared: pairwise.PairwiseInput, conditions: qarla.Conditions, best: Sequence[int], seed: int
) -> tuple[dict[str, Frame], Estimate]:
    """QUEEN of every system and reference by the best set: means over the topics that have it.

    A reference is left out when it is judged itself; ``alike`` has the systems judged by the
    references but one, too, the mean over which one. Also how far the lowest reference is ahead of
    the highest system.
    """
    left = qarla.queen_left_out(conditions, best)

    def means(name: str, values: Sequence[Floats]) -> tuple[list[str], BootstrapSamples]:
        named = [getattr(each, name) for each in compared.topics]
        rows = {each: row for row, each in enumerate(dict.fromkeys(chain(*named)))}
        table = np.full((len(rows), len(named)), np.nan)
        for topic, (some, queens) in enumerate(zip(named, values, strict=True)):
            table[[rows[each] for each in some], topic] = queens
        return list(rows), bootstrap_means(table, seed=seed)

    systems, queens = means("systems", qarla.queen(conditions, best))
    references, of_references = means("references", [each.references[0] for each in left])
    _, against = means("systems", [each.outputs[0].mean(axis=0) for each in left])
    instances = compared.instances
    scores: list[tuple[str | None, Floats]] = [
        *zip(compared.criteria, instances.human, strict=True)
    ]
    standings = [
        {
            "system": systems[row],
            "queen": queens.estimates[row],
            "criterion": criterion,
            "human": known_mean(human[instances.system == row]),
        }
        for row in np.argsort(-queens.value, kind="stable").tolist()
        for criterion, human in scores or [(None, np.full(len(instances.topic), np.nan))]
    ]
    alike: list[Row] = []
    for labels, samples, people in ((references, of_references, True), (systems, against, False)):
        rows = sorted(zip(labels, samples.estimates, strict=True), key=lambda row: -row[1].value)
        alike += [
            {"label": f"reference {label}" if people else label, "queen": value, "people": people}
            for label, value in rows[: _DRAWN // 2]
        ]
    return {
        "systems": Frame({"system": systems, "queen": queens}),
        "references": Frame({"reference": references, "queen": of_references}),
        "standings": Frame.of_rows(standings),
        "alike": Frame.of_rows(alike),
    }, Estimate.from_row(of_references.rows.min(axis=0) - against.rows.max(axis=0))


def _agreement(  # noqa: PLR0913, PLR0917 - what was found before
    compared: pairwise.PairwiseInput,
    conditions: qarla.Conditions,
    search: qarla.SetSearch,
    kings: BootstrapSamples,
    order: Sequence[int],
    seed: int,
) -> tuple[Frame, Frame, Frame]:
    """Pearson's r of systems' means with people, by every criterion that has enough systems.

    Of the best set, of single measures, and of all sets. KING is that on the topics that people
    judged, of the same resamples of topics (2005, Figures 5 and 7).
    """
    agreement, people, sets = [], [], []
    names, rouges = (
        compared.measures,
        qarla_report.measures_of_families(*qarla_report.ROUGE_FAMILIES)(compared.measures),
    )
    (by_king,) = search.sets[search.best_single]
    queen_of = (
        qarla.queen_values(conditions, search.sets) if compared.criteria else np.empty((0, 0))
    )
    for number, criterion in enumerate(compared.criteria):
        queens = pairwise.correlate_criterion(compared, queen_of, number, seed=seed)
        plain = pairwise.correlate_criterion(
            compared, pairwise.mean_similarities(compared), number, seed=seed
        )
        if not (queens and plain):
            continue
        judged = np.unique(compared.instances.topic[~np.isnan(compared.instances.human[number])])
        on_judged = bootstrap_means(search.kings[:, judged], seed=seed)
        known = ~np.isnan(on_judged.value) & ~np.isnan(queens.value)
        size = compared.judged_size(criterion)
        over, told = over_measures(size, names, pairwise.mean_similarities(compared))
        rival = max(rouges, key=lambda each: np.nan_to_num(plain.value[each], nan=-2), default=None)
        ours, theirs, king_of = plain.estimates, queens.estimates, kings.estimates
        agreement.append(
            {
                "criterion": criterion,
                "queen": theirs[search.best],
                "by_king": ours[by_king],
                "by_hindsight": float(np.fmax.reduce(plain.value)),
                "king_with_people": joint_estimate(
                    correlation.correlation_over_measures, on_judged, queens
                ),
                "above_rouge": None
                if rival is None
                else plain.difference(rival, search.best, queens),
                "size": size,
                "sets": over._replace(cases=int(known.sum()), case="sets of measures"),
                "told": told,
            }
        )
        people += [
            {
                "measure": names[each],
                "king": king_of[each],
                "criterion": criterion,
                "mean": ours[each],
                "queen": theirs[each],
            }
            for each in order
        ]
        drawn = [
            {
                "criterion": criterion,
                "set": "best set"
                if at == search.best
                else " + ".join(names[each] for each in members),
                "king": float(on_judged.value[at]),
                "queen": float(queens.value[at]),
                "labelled": at in {*order[:_LABELLED], search.best},
                "size": _SET_SIZES[min(len(members), len(_SET_SIZES)) - 1],
            }
            for at, members in enumerate(search.sets)
            if not np.isnan(queens.value[at])
        ]
        sets += sorted(drawn, key=lambda row: (_SET_SIZES.index(row["size"]), row["labelled"]))
    absent = "people have not judged three systems on a common topic"
    return Frame.of_rows(agreement, absent), Frame.of_rows(people), Frame.of_rows(sets)


def _jack(
    compared: pairwise.PairwiseInput, best: Sequence[int], triples: qarla.Triples, seed: int
) -> tuple[Frame, Frame]:
    """JACK of the best set in both forms, and as outputs are added; a topic keeps its last value.

    ``slower`` is growth per output up to ten minus growth after; None of too few outputs. No rows
    if outputs were not compared with one another.
    """
    absent = "there are ten systems at most, or no similarities among outputs"
    if not compared.among_outputs:
        return Frame({}, absent), Frame({}, absent)
    rows, curves = [], {}
    size = compared.sample_size._replace(cases=len(compared.instances.topic), case="outputs")
    for form in qarla.JackForm:
        table = qarla.jack_by_peers(compared.similarities, best, form, triples, seed=seed)
        most, curve, slower = len(table), bootstrap_means(table, seed=seed), None
        if most > qarla_report.FEW_OUTPUTS:
            early = (curve.rows[qarla_report.FEW_OUTPUTS - 1] - curve.rows[0]) / (
                qarla_report.FEW_OUTPUTS - 1
            )
            late = (curve.rows[-1] - curve.rows[qarla_report.FEW_OUTPUTS - 1]) / (
                most - qarla_report.FEW_OUTPUTS
            )
            slower = Estimate.from_row(early - late)
        curves[form.value] = curve
        rows.append(
            {
                "form": form.value,
                "jack": curve.estimates[-1],
                "by_peers": curve.value.tolist(),
                **{
                    f"of_{number}": curve.value[number - 1]
                    for number in qarla_report.CURVE
                    if number < most
                },
                "slower": slower,
                "outputs": size,
            }
        )
    return Frame.of_rows(rows, absent), Frame({"peers": range(1, most + 1), **curves})


def _jack_by_strategy(
    compared: pairwise.PairwiseInput, best: Sequence[int], settings: QarlaSettings
) -> tuple[Frame, list[Row]]:
    """JACK of the outputs of each strategy and of all (ACL 2005, section 4.2, Figure 6).

    Strategies of two systems or more, as a couple of outputs is asked for; also how far JACK of all
    is above the highest.
    """
    systems: dict[str, list[str]] = {}
    for system, strategy in compared.strategies.items():
        systems.setdefault(strategy, []).append(system)
    parts = {"all": list(compared.systems)}
    parts |= {name: own for name, own in systems.items() if len(own) > 1}
    about: Row = {"claim": "strategies", "size": compared.sample_size, "figure": None}
    if len(parts) < 3 or not compared.among_outputs:
        return Frame({}), [{**about, "reason": qarla_report.NO_STRATEGIES}]
    rows = []
    for own in parts.values():
        jacks = np.zeros(len(compared.topics))
        for number, topic in enumerate(compared.topics):
            outputs = [at for at, name in enumerate(topic.systems) if name in own]
            if len(outputs) > 1:
                among = topic.values.among_outputs
                assert among is not None  # noqa: S101 - for the types
                part = orange.Similarities(
                    topic.values.outputs[:, outputs],
                    topic.values.references,
                    among[:, outputs][:, :, outputs],
                )
                (jacks[number],) = qarla.jack_by_peers([part], best, triples=settings.triples)[-1]
        rows.append(jacks)
    found = bootstrap_means(np.array(rows), seed=settings.seed)
    counts = [len(own) for own in parts.values()]
    figure = Estimate.from_row(found.rows[0] - found.rows[1:].max(axis=0))
    return Frame({"strategy": list(parts), "systems": counts, "jack": found}), [
        {**about, "figure": figure}
    ]


def _compare_types(
    compared: pairwise.PairwiseInput, search: qarla.SetSearch, settings: QarlaSettings
) -> Iterator[Row]:
    """How two types of topics, or two tasks, differ; rows for every two.

    ``types``: over measures, the correlation of early estimates (ACL 2004, Table 2); ``tasks``: how
    much higher KING, as a mean over measures, and how much lower JACK of the best set is in the one
    of higher KING (workshop 2005, sections 3.3 and 3.4).
    """
    usual: Row = {"size": compared.sample_size, "figure": None, "reason": qarla_report.NO_TYPES}
    if len(compared.types) < 2:
        yield from ({"claim": claim, "told": "", **usual} for claim in ("types", "tasks"))
        return
    means = pairwise.mean_similarities(compared)
    over, told = over_measures(compared.sample_size, compared.measures, means)
    early = qarla.early_estimate(compared.similarities)
    kings = search.kings[: len(compared.measures)]
    jack = np.full(len(compared.topics), np.nan)
    if compared.among_outputs:
        found = qarla.jack_by_peers(
            compared.similarities, search.best_set, triples=settings.triples, seed=settings.seed
        )
        jack = found[-1]
    for pair in combinations(compared.types, 2):
        topics = [[topic.type == each for topic in compared.topics] for each in pair]
        # Of seeds of their own, as equal numbers of topics would be drawn alike.
        of_early, of_king, of_jack = (
            [
                bootstrap_means(each[:, own], seed=settings.seed + number)
                for number, own in enumerate(topics)
            ]
            for each in (early, kings.mean(axis=0)[None], jack[None])
        )
        groups = min(map(sum, topics))
        one, other = pair if of_king[0].value[0] >= of_king[1].value[0] else pair[::-1]
        first, second = pair.index(one), pair.index(other)
        yield {
            "claim": "types",
            "told": f"{one} and {other}, {told}",
            "figure": joint_estimate(correlation.correlation_over_measures, *of_early),
            "size": min(over, over._replace(groups=groups, group="topics")),
        }
        for what, figure in {
            "KING": of_king[second].difference(0, 0, of_king[first]),
            "JACK": of_jack[first].difference(0, 0, of_jack[second]),
        }.items():
            yield {
                "claim": "tasks",
                "told": f"{what}, {one} − {other}"
                if what == "KING"
                else f"{what}, {other} − {one}",
                "figure": None if np.isnan(figure.value) else figure,
                "reason": "outputs were not compared with one another",
                "size": compared.sample_size._replace(groups=groups),
            }


def _first(first: BootstrapSamples | None, order: Sequence[int], names: Sequence[str]) -> Frame:
    """How often criteria rank people first (ACL 2005, Table 1), the best set before measures."""
    if not first:
        return Frame({})
    estimates, size = first.estimates, len(names)
    return Frame(
        {
            "criterion": ["best set", *(names[each] for each in order)],
            "mean": [None, *(estimates[each] for each in order)],
            "queen": [estimates[-1], *(estimates[size + each] for each in order)],
        }
    )


def json_fields(frames: Frames) -> dict[str, Any]:
    """Figures of measures, sets, clusters, systems and JACK, in JSON form."""
    facts, crossed = frames.facts, frames["crossed"].records()
    people = frames["people"].nested("measure", "criterion", leave=("king",))
    measures = frames["measures"].nested("measure")
    return {
        **{name: facts[name] for name in ("topics", "triples", "models")},
        "measures": {
            name: {**row, "people": people.get(name, {})} for name, row in measures.items()
        },
        "sets": {
            **{name: facts[name] for name in ("tried", "candidates", "best")},
            "king": as_json(facts["king"]),
            "people_first": as_json(facts["people_first"]),
            "people": {
                row["criterion"]: {name: row[name] for name in ("queen", "king_with_people")}
                for row in frames["agreement"].records()
            },
            "greedy": facts["greedy"],
            "on_other_topics": crossed[0] if crossed else None,
        },
        "clusters": frames["clusters"].records(leave=("cluster", "others")),
        "systems": frames["systems"].named("system", "queen"),
        "references": frames["references"].named("reference", "queen"),
        "jack": frames["jack"].records(
            leave=("slower", "outputs", *(f"of_{number}" for number in qarla_report.CURVE))
        ),
    }


STUDY = running.Study(
    title="QARLA",
    settings=QarlaSettings,
    source=cli_argument(pairwise.COMPARED),
    read=read_source,
    data_type=pairwise.PairwiseInput,
    find=find_frames,
    claims=qarla_report.CLAIMS,
    shown=qarla_report.PARTS,
    data=json_fields,
    opening=(
        "Amigó, Gonzalo, Peñas and Verdejo, An empirical study of information synthesis tasks "
        "(ACL 2004), QARLA: a framework for the evaluation of text summarization systems (ACL "
        "2005), and Evaluating DUC 2004 tasks with the QARLA framework (ACL workshop 2005).",
        "KING asks whether measures distinguish what people write (references) from what systems "
        "make (outputs); QUEEN, how well an output passes for a reference by all measures of a "
        "set; JACK, whether the outputs are varied and good enough for such a test. None needs "
        "human judgements; if there are any, they are compared.",
    ),
)
