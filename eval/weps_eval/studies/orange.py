"""``weps meta orange``: measures that rank references before outputs, and whether people agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any

import numpy as np

from weps._formatting import format_interval
from weps._options import cli_argument, cli_option
from weps_eval.meta import correlation, qarla
from weps_eval.meta.orange import (
    SHARES,
    acceptance_curve,
    average_rank,
    left_out,
    orange_scores,
    passing_for_references,
    rank_stability,
)
from weps_eval.report import tables
from weps_eval.stats import BootstrapSamples, Floats, bootstrap_means, joint_estimate
from weps_eval.studies import pairwise, qarla_report, running
from weps_eval.studies.frames import (
    SYSTEMS_TOO,
    TOPIC_INTERVALS,
    Frame,
    Frames,
    Intervals,
    Part,
    Scatter,
    TableOf,
    Trends,
    holds,
)
from weps_eval.studies.measures import over_measures

_TIES = {"0": 0.0, "half": 0.5, "1": 1.0}
_FEWEST = 3
"""Measures that can be correlated."""


@dataclass(frozen=True, kw_only=True)
class OrangeSettings(pairwise.SimilaritySettings):
    """What the study can be told."""

    ties: str = cli_option(
        "how a reference and an output of equal value count in ORANGE", "0", choices=tuple(_TIES)
    )
    triples: qarla.Triples = cli_option(
        "for KING: the triples of references that an output is compared with",
        qarla.Triples.DISTINCT,
    )


def read_source(source: Any, settings: OrangeSettings) -> pairwise.PairwiseInput:
    """The similarities of the texts; those among outputs only if they are kept."""
    return pairwise.read_similarities(source, settings, among_outputs=settings.keep is not None)


def find_frames(compared: pairwise.PairwiseInput, settings: OrangeSettings) -> Frames:
    """ORANGE and KING of measures, the best first, and how likeness and acceptability go together.

    Frames are ``measures``, ``agreement`` with people and the ``best`` of it by criterion,
    ``curves`` of likeness against acceptability, ``systems``, ``stability``, ``syntax`` and
    ``sets``.
    """
    seed, ties, size = settings.seed, _TIES[settings.ties], len(compared.measures)
    left = [left_out(topic) for topic in compared.similarities]
    orange = bootstrap_means(orange_scores(left, ties), seed=seed)
    order = np.argsort(-orange.value.round(12), kind="stable").tolist()
    rank, ratio = average_rank(left)
    conditions = search = kings = crossed = None
    if all(len(topic.references) > settings.triples.fewest for topic in compared.topics):
        conditions = qarla.Conditions.of(compared.similarities, settings.triples)
        search = qarla.search_sets(conditions)
        kings = bootstrap_means(search.kings[:size], seed=seed)
        crossed = qarla.cross_validate_sets(search, seed)
    kendall = partial(correlation.correlation_over_measures, kind=correlation.Coefficient.KENDALL)
    tau = joint_estimate(kendall, kings, orange) if kings and size >= _FEWEST else None
    own = f"not behind references, {compared.measures[order[0]]}"
    likeness = {own: passing_for_references(left, order[0])}
    if conditions and search:
        named = " + ".join(compared.measures[measure] for measure in search.best_set)
        (likeness[f"QUEEN, {named}"],) = qarla.queen_values(conditions, [search.best_set])
    measures = Frame(
        {
            "measure": compared.measures,
            "orange": orange,
            "average_rank": bootstrap_means(rank, seed=seed),
            "rank_of_list": bootstrap_means(ratio, seed=seed),
            "king": kings or [None] * size,
        }
    )
    stability = _stability(compared, settings)
    figure = format_interval(tau, signed=True) if tau else ""
    return Frames(
        {
            "measures": measures.take(order),
            "agreement": _agreement(compared, orange, order, seed),
            "curves": _curves(compared, likeness, seed),
            "systems": _systems(compared, likeness[own]),
            "stability": stability,
            "syntax": _syntax(compared.measures, orange),
            "sets": Frame(
                {"gain": [crossed.difference(1, 0)] if crossed else []},
                "too few references, topics or measures for KING of sets",
            ),
        },
        {"": compared.sample_size},
        remarks=[
            *pairwise.input_remarks(compared),
            f"Topics have fewer than {settings.triples.fewest + 1} references, so there is no KING."
            if search is None
            else "",
            "There are no human scores, so likeness is not compared with acceptability."
            if not compared.criteria
            else "",
            *(
                f"By {criterion} people judged whole systems, or nothing; not single outputs."
                for number, criterion in enumerate(compared.criteria)
                if not compared.instances.judged_singly(number)
            ),
        ],
        signature={
            "topics": len(compared.topics),
            "measures": size,
            "ties": ties,
            "triples": settings.triples,
        },
        facts={
            "topics": [topic.topic for topic in compared.topics],
            "ties": ties,
            "way": own,
            "tau": tau,
            "of_tau": f"Kendall's τ of ORANGE and KING: {figure}. " if tau else "",
            "remark": f"τ = {figure}" if tau else "",
            "undefined": _undefined(stability),
        },
        resampled=SYSTEMS_TOO,
    )


def _agreement(
    compared: pairwise.PairwiseInput, orange: BootstrapSamples, order: Sequence[int], seed: int
) -> Frame:
    """Pearson's r of each measure's mean similarity to references with people's scores.

    By every criterion by which three systems were judged on a common topic. Topics and systems are
    resampled, alike for both; ``lost`` is how much higher r is by systems than by outputs, which
    are NaN where people judged systems, and not single outputs.
    """
    values, rows = pairwise.mean_similarities(compared), []
    for number, criterion in enumerate(compared.criteria):
        systems = pairwise.correlate_criterion(compared, values, number, seed=seed)
        if systems is None:
            continue
        outputs = (
            pairwise.correlate_criterion(
                compared, values, number, correlation.Level.SEGMENT, seed=seed
            )
            if compared.instances.judged_singly(number)
            else None
        ) or BootstrapSamples(np.full_like(systems.rows, np.nan))
        best = int(np.nan_to_num(systems.value, nan=-2).argmax())
        every = Frame(
            {
                "criterion": [criterion] * len(values),
                "measure": compared.measures,
                "orange": orange,
                "systems": systems,
                "outputs": outputs,
                "lost": [outputs.difference(at, at, systems) for at in range(len(values))],
                "best": [at == best for at in range(len(values))],
                "size": [compared.judged_size(criterion)] * len(values),
            }
        )
        rows += every.take(order).rows
    return Frame.of_rows(rows, "people have not judged three systems")


def _syntax(names: Sequence[str], orange: BootstrapSamples) -> Frame:
    """How far the best measure of syntax is ahead of the best other one."""
    syntax = qarla_report.measures_of_families("hwcm", "dp_o", "cp_o", "cp_stm", "sp_o", "be")(
        names
    )
    rounded = orange.value.round(12)
    others = [at for at in range(len(names)) if at not in syntax]
    if not (syntax and others):
        return Frame({}, "measures of syntax, such as hwcm, or others are not among the measures")
    ours, theirs = (max(some, key=rounded.__getitem__) for some in (syntax, others))
    lead = orange.difference(theirs, ours)
    return Frame({"ours": [names[ours]], "theirs": [names[theirs]], "lead": [lead]})


def _curves(compared: pairwise.PairwiseInput, likeness: Mapping[str, Floats], seed: int) -> Frame:
    """Where the outputs that are highest by likeness stand by acceptability, and the reverse.

    By each definition of likeness, each criterion by which single outputs were judged, and share of
    the outputs; ``size`` is that of the highest tenth.
    """
    instances, rows = compared.instances, []
    for way, values in likeness.items():
        for number, criterion in enumerate(compared.criteria):
            if not instances.judged_singly(number):
                continue
            human = instances.human[number]
            acceptable, human_like, accepted, likened = acceptance_curve(
                values, human, instances.topic, seed
            )
            known = ~np.isnan(human)
            about = {
                "way": way.partition(",")[0],
                "size": tables.SampleSize(
                    len(np.unique(instances.topic[known])), ceil(round(SHARES[0] * known.sum(), 9))
                ),
            }
            shares = Frame(
                {
                    "highest": SHARES,
                    "acceptable": acceptable,
                    "human_like": human_like,
                    "accepted": accepted,
                    "likened": likened,
                    "gap": [likened.difference(at, at, accepted) for at in range(len(SHARES))],
                }
            )
            rows += [{"likeness": way, "criterion": criterion, **r, **about} for r in shares.rows]
    return Frame.of_rows(rows, "people have not judged single outputs")


def _systems(compared: pairwise.PairwiseInput, likeness: Floats) -> Frame:
    """Means of likeness and of human scores of each system's outputs that were judged.

    Few systems all have labels.
    """
    instances = compared.instances
    return Frame.of_rows(
        [
            {
                "criterion": criterion,
                "system": system,
                "likeness": likeness[judged].mean(),
                "human": human[judged].mean(),
                "labelled": len(compared.systems) <= 20,
            }
            for criterion, human in zip(compared.criteria, instances.human, strict=True)
            for number, system in enumerate(compared.systems)
            if (judged := ~np.isnan(human) & (instances.system == number)).any()
        ]
    )


def _stability(compared: pairwise.PairwiseInput, settings: OrangeSettings) -> Frame:
    """Kendall's τ of measures ranked by some references with the same by all of them.

    For every number of references from the fewest that KING needs; ``ahead`` is how far ORANGE is
    ahead of KING.
    """
    topics, triples, seed = compared.similarities, settings.triples, settings.seed
    sizes = {topic.references.shape[1] for topic in topics}
    numbers = range(triples.fewest + 1, max(sizes))
    if len(sizes) > 1 or not numbers or len(compared.measures) < _FEWEST:
        return Frame({}, "topics have too few references, or different numbers of them")
    orange, king = (
        rank_stability(topics, numbers, score, seed)
        for score in (
            lambda some: orange_scores([left_out(topic) for topic in some]),
            lambda some: qarla.king_by_measure(qarla.Conditions.of(some, triples)),
        )
    )
    means = pairwise.mean_similarities(compared)
    size, told = over_measures(compared.sample_size, compared.measures, means)
    return Frame(
        {
            "references": numbers,
            "orange": orange,
            "king": king,
            "ahead": [king.difference(row, row, orange) for row in range(len(numbers))],
            "size": [size] * len(numbers),
            "told": [told] * len(numbers),
        }
    )


def _undefined(stability: Frame) -> str:
    """The lines that a figure of stability lacks, and why."""
    unknown = [
        label
        for label, name in {"ORANGE": "orange", "KING": "king"}.items()
        if len(stability) and np.isnan(stability[name].value).all()
    ]
    why = "no line, since τ is undefined if all measures have the same value. "
    return f"{' and '.join(unknown)}: {why}" if unknown else ""


_PAPER = "COLING/ACL 2006"
_HIGHEST: dict[str, Any] = {
    "highest": SHARES[0],
    "says": "{criterion} ({way}): {figures}",
    "size": "size",
}
CLAIMS: tuple[tables.Claim[Frames], ...] = (
    tables.Claim(
        "Likeness to people implies acceptability to people.",
        f"{_PAPER}, abstract",
        "in the ranking by acceptability, the 10 % of outputs most like references are at least "
        "half of the way from the middle to the most acceptable 10 %, with the whole interval, by "
        "every criterion",
        holds("curves.accepted", "at least", 0.5, **_HIGHEST),
    ),
    tables.Claim(
        "Acceptability does not imply likeness.",
        f"{_PAPER}, abstract",
        "in the ranking by likeness, the most acceptable 10 % of outputs are less than half of "
        "the way from the middle to the 10 % most like references, with the whole interval, by "
        "every criterion",
        holds("curves.likened", "at most", 0.5, **_HIGHEST),
    ),
    tables.Claim(
        "Measures cannot always distinguish people's texts from systems'.",
        f"{_PAPER}, abstract, section 2",
        "ORANGE of every measure is below 1, with its whole interval",
        holds(
            "measures.orange",
            "at most",
            1.0,
            worst=True,
            percent=True,
            says="the most, {measure}: {figures}",
        ),
    ),
    tables.Claim(
        "Measures combined by QARLA distinguish them better.",
        f"{_PAPER}, abstract, section 3",
        "KING of the best set of several measures, minus that of the best single measure, is "
        "above 0 on topics not used to choose them, with its whole interval",
        holds("sets.gain", "above 0"),
    ),
    tables.Claim(
        "Measures of syntax distinguish them better.",
        f"{_PAPER}, abstract, section 3",
        "ORANGE of the best measure of syntax minus that of the best other one is above 0, with "
        "its whole interval",
        holds("syntax.lead", "above 0", says="{ours} − {theirs}: {figures}"),
    ),
    tables.Claim(
        "Measures of likeness are more reliable for tuning systems.",
        f"{_PAPER}, abstract",
        "–",
        lambda _: tables.cannot_judge("no system was tuned"),
    ),
    tables.Claim(
        "By systems, measures agree very well with people.",
        f"{_PAPER}, section 1, of other work",
        "the highest Pearson's r of any measure is at least 0.9, with its whole interval, by "
        "every criterion",
        holds(
            "agreement.systems",
            "at least",
            0.9,
            best=True,
            says="{criterion}: {figures}",
            size="size",
        ),
    ),
    tables.Claim(
        "By single outputs they agree much less.",
        f"{_PAPER}, section 1",
        "for the measure with the highest r by systems, r by systems minus r by outputs is above "
        "0, with its whole interval, by every criterion",
        holds(
            "agreement.lost",
            "above 0",
            best=True,
            known=True,
            reason="people have not judged single outputs",
            says="{criterion}: {figures}",
            size="size",
        ),
    ),
    tables.Claim(
        "ORANGE needs fewer references than KING to be stable.",
        "ACL 2005, section 6.2",
        "with the fewest references that KING needs, Kendall's τ with all references is higher for "
        "ORANGE than for KING, with the whole interval of the difference",
        holds(
            "stability.ahead",
            "above 0",
            first=True,
            says="{references} references: {figures}; {told}",
            size="size",
        ),
    ),
)


PARTS = (
    Part(
        "Measures that distinguish people from systems",
        Intervals(
            key="orange-dots",
            frame="measures",
            title="ORANGE of measures",
            value="orange",
            axis="ORANGE",
        ),
        Scatter(
            key="king",
            frame="measures",
            title="KING against ORANGE",
            x="orange",
            y="king",
            axes=("ORANGE", "KING"),
            labelled=4,
            note="Each point is a measure.",
            remark="{remark}",
        ),
        TableOf(
            key="orange",
            frame="measures",
            title="How measures rank references among outputs",
            columns={
                "measure": ("measure", tables.name_kind(48)),
                "orange": "ORANGE",
                "average_rank": ("average rank", tables.Kind(partial(format_interval, decimals=1))),
                "king": ("KING", tables.SHARE),
                "rank_of_list": ("rank of list", tables.SHARE, "terminal"),
            },
            most=12,
            note="ORANGE (2006): how often a reference is ahead of an output, both judged by the "
            "other references; higher is better. Average rank (2004): 1 is the first; "
            "lower is better. KING: how often a reference is ahead of all outputs. {of_tau}"
            + TOPIC_INTERVALS,
        ),
    ),
    Part(
        "Likeness and acceptability: measures",
        Scatter(
            key="acceptance",
            frame="agreement",
            by="criterion",
            title="ORANGE against agreement with people: {criterion}",
            x="orange",
            y="systems",
            axes=("ORANGE", "Pearson's r with people, systems"),
            labelled=4,
            note="Each point is a measure.",
        ),
        TableOf(
            key="acceptance",
            frame="agreement",
            title="Measures that distinguish references from outputs, and measures that agree "
            "with people",
            columns={"measure": "measure", "orange": ("ORANGE", tables.SHARE)},
            across="criterion",
            spread={
                "systems": ("{}, systems", tables.SIGNED_TWO),
                "outputs": ("{}, outputs", tables.SIGNED_TWO),
            },
            note="Pearson's r of the mean similarity to the references with people's scores, by "
            "systems and by outputs.",
            only="report",
        ),
    ),
    Part(
        "Likeness and acceptability: outputs",
        Scatter(
            key="likeness",
            frame="systems",
            by="criterion",
            title="Likeness of systems to people against acceptability: {criterion}",
            label="system",
            x="likeness",
            y="human",
            axes=("likeness", "{criterion}"),
            marked="labelled",
            note="Each point is a system. Likeness: {way}.",
        ),
        TableOf(
            key="standings",
            frame="curves",
            by="likeness",
            title="Likeness and acceptability of outputs",
            columns={
                "criterion": "criterion",
                "highest": ("highest", tables.Kind(lambda share: f"{100 * share:.0f} %")),
                "accepted": "likeness → accepted",
                "likened": "accepted → likeness",
                "gap": ("gap", tables.SIGNED_ESTIMATE),
            },
            first={"highest": SHARES[0]},
            note="Likeness: {likeness}. The place of the outputs that are highest by one criterion "
            "in the ranking by the other: 0 is the middle, 1 the place of those highest by the "
            "other itself. If likeness implies acceptability and not the reverse, the first is "
            f"near 1 and the gap above 0. {TOPIC_INTERVALS}",
        ),
    ),
    Part(
        "How many references it takes",
        Trends(
            key="stability-curve",
            frame="stability",
            title="Measures ranked by some references, and by all",
            x="references",
            lines={"ORANGE": "orange", "KING": "king"},
            axes=("references of each topic", "Kendall's τ with all"),
            note="{undefined}Shaded: 95 % intervals over topics.",
        ),
        TableOf(
            key="stability",
            title="How few references rank measures as all of them do: Kendall's τ",
            columns={
                "references": "references",
                "orange": "ORANGE",
                "king": "KING",
                "ahead": ("ORANGE − KING", tables.SIGNED_ESTIMATE),
            },
            note=f"References are drawn three times, for each topic separately. {TOPIC_INTERVALS}",
        ),
    ),
)


def json_fields(frames: Frames) -> dict[str, Any]:
    """Figures of measures, likeness against acceptability, and stability, in JSON form."""
    people = frames["agreement"].nested(
        "measure", "criterion", leave=("orange", "lost", "best", "size")
    )
    measures = frames["measures"].nested("measure")
    return {
        "topics": frames.facts["topics"],
        "ties": frames.facts["ties"],
        "measures": {
            name: {**row, "people": people.get(name, {})} for name, row in measures.items()
        },
        "orange_with_king": tables.as_json(frames.facts["tau"]),
        "likeness": frames["curves"].records(leave=("way", "size")),
        "stability": frames["stability"].records(leave=("ahead", "size", "told")),
    }


STUDY = running.Study(
    title="ORANGE",
    settings=OrangeSettings,
    source=cli_argument(pairwise.COMPARED),
    read=read_source,
    data_type=pairwise.PairwiseInput,
    find=find_frames,
    claims=CLAIMS,
    shown=PARTS,
    data=json_fields,
    opening=(
        "Lin and Och, ORANGE: a method for evaluating automatic evaluation metrics for machine "
        "translation (COLING 2004), and Amigó, Giménez, Gonzalo and Màrquez, MT evaluation: "
        "human-like vs. human acceptable (COLING/ACL 2006), of which only the opening is "
        "available.",
        "ORANGE asks whether a measure ranks what people wrote (references) above what systems "
        "made (outputs), all judged by the other references; KING asks whether a reference is "
        "ahead of all outputs. Likeness to people's texts is compared with acceptability to "
        "people.",
    ),
)
