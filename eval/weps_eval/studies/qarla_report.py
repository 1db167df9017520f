"""The conclusions of the three papers on QARLA, and what is shown of the study.

Claims that measures of one kind are better than others are rows of :data:`CONTRASTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

import numpy as np

from weps._expressions import Value
from weps_eval.meta.qarla import SetSearch
from weps_eval.report.charts import (
    Figure,
    GuideLine,
    IntervalRow,
    Series,
    draw_intervals,
    draw_trends,
)
from weps_eval.report.tables import (
    PERCENT_ESTIMATE,
    SHARE,
    SIGNED_TWO,
    TWO,
    Claim,
    Kind,
    Verdict,
    cannot_judge,
    judge_below,
    name_kind,
)
from weps_eval.stats import BootstrapSamples
from weps_eval.studies.frames import Frame, Frames, holds
from weps_eval.studies.measures import measure_called
from weps_eval.studies.pairwise import PairwiseInput
from weps_eval.studies.showing import (
    SYSTEM_INTERVALS,
    TOPIC_INTERVALS,
    Drawn,
    Intervals,
    Part,
    Scatter,
    TableOf,
    interval_band,
    short_name,
)

STYLE_FAMILIES = ("avls", "gramsim")
"""Families that look at style, not at content (ACL workshop 2005, section 3.2)."""
ROUGE_FAMILIES = ("rouge", "rouge_l", "rouge_w", "rouge_s", "rouge_su")
FEW_PEERS = 10
"""Up to so many peers JACK grows fast (ACL workshop 2005, section 3.4)."""
CURVE = (2, 5, 10, 20, 40)
"""Numbers of peers in the table of JACK."""
_GOOD = 0.9
"""Correlation; the paper has .92 and .96."""
_CHANCE = 0.5

Selector: TypeAlias = Callable[[Sequence[str]], list[int]]
"""Names of measures → the numbers of some of them; columns of no known measure are left out."""


def measures_of_families(*families: str, **values: Value) -> Selector:
    """The measures of some families that have these values; of all families if none is named."""

    def select(names: Sequence[str]) -> list[int]:
        known = ((number, measure_called(name)) for number, name in enumerate(names))
        return [
            number
            for number, measure in known
            if measure
            and (not families or measure.family.name in families)
            and values.items() <= dict(measure.values).items()
        ]

    return select


_of = measures_of_families
_STYLE = _of(*STYLE_FAMILIES)
_WEIGHTED = _of("rouge_w", part="precision", stop=True, stem=False, official=True)


CONTRASTS: dict[str, tuple[Selector, Selector]] = {
    "content": (  # of measures whose families are known
        lambda names: [each for each in _of()(names) if each not in _STYLE(names)],
        _STYLE,
    ),
    "weighted": (
        _WEIGHTED,
        lambda names: sorted({*range(len(names))}.difference(_WEIGHTED(names))),
    ),
    "stems": (
        _of(*ROUGE_FAMILIES, part="recall", stem=True),
        _of(*ROUGE_FAMILIES, part="precision", stem=True),
    ),
    "no stems": (
        _of(*ROUGE_FAMILIES, part="precision", stem=False),
        _of(*ROUGE_FAMILIES, part="recall", stem=False),
    ),
    "terms": (_of("tvm", n=512), _of("tvm", n=4)),
    "rouge": (
        _of("rouge", n=1, part="recall", stop=True, stem=True),
        _of("sentencesim", "docsim", "vectmodel", "tvm", "nicos"),
    ),
}
"""Claim → measures of which the best is to have the higher KING than the best of others."""


def contrast_frames(
    compared: PairwiseInput,
    search: SetSearch,
    kings: BootstrapSamples,
    early: BootstrapSamples,
    first: BootstrapSamples | None,
) -> dict[str, Frame]:
    """Differences that claims are about.

    Frames are ``contrasts`` (KING of the best of some measures minus that of others), ``unstyled``
    (KING of the best set without style minus that of the best with it), ``concepts`` (early
    estimate of NICOS minus that of ROUGE-1), and ``ahead`` (how often QUEEN by the best set ranks
    people first, minus how often ROUGE does).
    """
    names, contrasts = compared.measures, []
    singles = kings.value[: len(names)].round(12)
    for claim, selectors in CONTRASTS.items():
        ours, theirs = (select(names) for select in selectors)
        if ours and theirs:
            own, other = (max(some, key=singles.__getitem__) for some in (ours, theirs))
            contrasts.append(
                {
                    "claim": claim,
                    "first": names[own],
                    "second": names[other],
                    "ahead": kings.difference(other, own),
                }
            )
    style = set(_STYLE(names))
    with_style = [at for at, members in enumerate(search.sets) if style.intersection(members)]
    without = [at for at in range(len(search.sets)) if at not in with_style]
    unstyled = []
    if with_style and without:
        own, other = (max(some, key=kings.value.__getitem__) for some in (without, with_style))
        against = " + ".join(names[each] for each in search.sets[other])
        unstyled.append({"against": against, "ahead": kings.difference(other, own)})
    concepts, rouges = _of("nicos")(names), _of("rouge", n=1, part="recall")(names)
    of_concepts = []
    if concepts and rouges:
        own, other = (max(some, key=early.value.__getitem__) for some in (concepts, rouges))
        given = _of("nicos", concepts="given")(names)
        substitute = "" if given else " (substitute concepts)"
        of_concepts.append({"ahead": early.difference(other, own), "substitute": substitute})
    ahead, absent = [], "references or systems are not the same on all topics"
    if first:
        absent = "ROUGE-1 to ROUGE-4 by recall are not among the measures"
        recall = [at for n in (1, 2, 3, 4) for at in _of("rouge", n=n, part="recall")(names)]
        if recall:
            rival = max(recall, key=first.value.__getitem__)
            people = len(compared.topics[0].references)
            size = compared.sample_size._replace(cases=people, case="people")
            ahead.append({"ahead": first.difference(rival, 2 * len(names)), "size": size})
    return {
        "contrasts": Frame.of_rows(contrasts),
        "unstyled": Frame.of_rows(unstyled, "measures of style are not among the measures"),
        "concepts": Frame.of_rows(of_concepts, "NICOS and ROUGE-1 are not among the measures"),
        "ahead": Frame.of_rows(ahead, absent),
    }


def _judge_baselines(frames: Frames) -> Verdict:
    rows = frames["measures"].rows
    early = {row["measure"]: row["early"] for row in rows}
    names = list(early)
    baselines = [names[at] for at in _of("perplexity", "docsim", "sentencesim")(names)]
    if not baselines:
        return cannot_judge("perplexity and co-selection are not among the measures")
    return judge_below({name: early[name] for name in baselines}, _CHANCE)


def _where_outputs_pass(rule: Callable[[Frames], Verdict]) -> Callable[[Frames], Verdict]:
    """The rule, unless no output passes by the best set, by some criterion."""

    def judge(frames: Frames) -> Verdict:
        if any(np.isnan(row["queen"].value) for row in frames["agreement"].rows):
            return cannot_judge("QUEEN of the best set is 0 for all outputs")
        return rule(frames)

    return judge


_above_rouge = _where_outputs_pass(
    holds("agreement.above_rouge", "above 0", says="{criterion}: {figures}", size="size")
)


def _judge_above_rouge(frames: Frames) -> Verdict:
    if not _of(*ROUGE_FAMILIES)(frames["measures"].values("measure")):
        return cannot_judge("no ROUGE measure is among the measures")
    return _above_rouge(frames)


def _contrast(claim: str, needed: str) -> Callable[[Frames], Verdict]:
    return holds(
        "contrasts.ahead",
        "above 0",
        claim=claim,
        says="{first} − {second}: {figures}",
        reason=f"{needed} are not among the measures",
    )


_BOTH_PARTS = "ROUGE by recall and by precision"
_HIGHER = "the whole interval is above 0"

CLAIMS: tuple[Claim[Frames], ...] = (
    Claim(
        "Measures together are better than the best single measure.",
        "ACL 2005, section 4.1; workshop 2005, section 3.3",
        "KING of the best of the sets tried, minus that of the best single measure, on topics not "
        f"used to choose them: {_HIGHER}",
        holds("crossed.gain", "above 0"),
    ),
    Claim(
        "QUEEN by the best set ranks people first more often than ROUGE does.",
        "ACL 2005, section 5, Table 1",
        "how often it does minus how often the best of ROUGE-1 to ROUGE-4 by recall does; the set "
        f"was chosen on the same topics: {_HIGHER}",
        holds("ahead.ahead", "above 0", size="size"),
    ),
    Claim(
        "The higher KING of a set, the more its ranking of systems agrees with people.",
        "ACL 2005, Figure 7; workshop 2005, Figure 5",
        "the correlation, over sets, of KING and Pearson's r with people: "
        f"{_HIGHER}, by every criterion",
        holds("agreement.king_with_people", "above 0", says="{criterion}: {figures}", size="sets"),
    ),
    Claim(
        "The ranking of systems by QUEEN agrees well with people's.",
        "workshop 2005, section 4.2",
        f"Pearson's r of the best set is at least {_GOOD}, with its whole interval, by every "
        "criterion",
        _where_outputs_pass(
            holds("agreement.queen", "at least", _GOOD, says="{criterion}: {figures}", size="size")
        ),
    ),
    Claim(
        "Sets of the highest KING agree with people better than the best ROUGE does.",
        "workshop 2005, section 6",
        "Pearson's r of QUEEN by the best set, minus that of mean similarity by the ROUGE measure "
        f"that agrees best: {_HIGHER}, by every criterion",
        _judge_above_rouge,
    ),
    Claim(
        "People have the highest QUEEN, far ahead of systems.",
        "workshop 2005, section 4.1, Figure 4",
        f"QUEEN of the lowest reference minus that of the highest system: {_HIGHER}",
        holds("lead.ahead", "above 0"),
    ),
    Claim(
        "With more than ten systems JACK grows more slowly.",
        "workshop 2005, section 3.4, Figure 3",
        f"growth per system up to ten, minus growth after that: {_HIGHER}, in both forms",
        holds(
            "jack.slower",
            "above 0",
            known=True,
            says="{form}: {figures}",
            size="outputs",
            reason="there are ten systems at most, or no similarities among outputs",
        ),
    ),
    Claim.untestable(
        "JACK of all peers is far above that of peers of one strategy.",
        "ACL 2005, section 4.2, Figure 6",
        "which systems follow the same strategy is unknown",
    ),
    Claim(
        "Content characterises what people write better than style.",
        "workshop 2005, sections 3.3 and 6",
        f"KING of the best measure of content minus that of the best of style: {_HIGHER}",
        _contrast("content", "measures of both kinds"),
    ),
    Claim(
        "The best set has no measure of style.",
        "workshop 2005, sections 4.3 and 6",
        "KING of the best set without measures of style, minus that of the best set with one, both "
        f"chosen on the same topics: {_HIGHER}",
        holds("unstyled.ahead", "above 0", says="against {against}: {figures}"),
    ),
    Claim(
        "Precision of ROUGE-W without stop words has the highest KING.",
        "workshop 2005, section 3.3",
        f"KING of it, as ROUGE-1.5.5 computes it, minus that of the best other measure: {_HIGHER}",
        _contrast(
            "weighted", "ROUGE-W precision without stop words with official=true, and others,"
        ),
    ),
    Claim(
        "With stems, ROUGE by recall has the higher KING.",
        "workshop 2005, section 3.2",
        f"KING of the best by recall minus that of the best by precision: {_HIGHER}",
        _contrast("stems", _BOTH_PARTS),
    ),
    Claim(
        "Without stems, ROUGE by precision has the higher KING.",
        "workshop 2005, section 3.2",
        f"KING of the best by precision minus that of the best by recall: {_HIGHER}",
        _contrast("no stems", _BOTH_PARTS),
    ),
    Claim(
        "TVM is better with more terms.",
        "workshop 2005, section 3.3",
        f"KING with 512 terms minus that with 4: {_HIGHER}",
        _contrast("terms", "TVM with 4 and with 512 terms"),
    ),
    Claim(
        "ROUGE-1 is the best of the single metrics.",
        "ACL 2005, section 4.1",
        f"KING of it minus that of the best other metric of that paper: {_HIGHER}",
        _contrast("rouge", "ROUGE-1 and metrics of that paper"),
    ),
    Claim.untestable(
        "In one task people agree more, and systems vary less, than in another.",
        "workshop 2005, sections 3.3, 3.4 and 4.3",
        "there is one task",
    ),
    Claim(
        "Key concepts distinguish people's texts from systems' better than ROUGE.",
        "ACL 2004, section 4, Table 2",
        f"early estimate of NICOS minus that of the best ROUGE-1 by recall: {_HIGHER}",
        holds("concepts.ahead", "above 0", says="{figures}{substitute}"),
    ),
    Claim(
        "Perplexity and co-selection are below chance.",
        "ACL 2004, section 4, Table 2",
        "their early estimates are below .5, with the whole intervals",
        _judge_baselines,
    ),
    Claim.untestable(
        "Measures that are good for one type of topics are not good for another.",
        "ACL 2004, section 4",
        "there is only one type of topics",
    ),
)


def _draw_clusters(frame: Frame, key: str, title: str, note: str) -> Iterator[Figure]:
    groups = [
        [IntervalRow(short_name(row["measure"]), row["king"], row["best"]) for row in rows]
        for _, rows in groupby(frame.rows, key=itemgetter("cluster"))
    ]
    yield draw_intervals(key, title, groups, "KING", note)


def _draw_curves(frame: Frame, key: str, title: str, note: str) -> Iterator[Figure]:
    """Figure 3 of 2005: JACK as peers are added."""
    peers = np.array(frame["peers"], np.float64)
    lines = [
        Series(form, peers, curve.value, interval_band(curve))
        for form, curve in frame.columns.items()
        if form != "peers"
    ]
    guide = GuideLine(f"{FEW_PEERS} peers", FEW_PEERS, vertical=True)
    guides = [guide] if len(frame) > FEW_PEERS else []
    yield draw_trends(key, title, lines, ("peers", "JACK"), note, guides)


PARTS = (
    Part(
        "Which measures are reliable",
        Intervals(
            key="king-dots",
            frame="ranking",
            title="KING of measures, and of the best set",
            label="label",
            value="king",
            axis="KING",
            marked="set",
            note="{alone}",
        ),
        TableOf(
            key="king",
            frame="measures",
            title="KING of single measures: how often a reference is ahead of all outputs",
            columns={
                "measure": ("measure", name_kind(48)),
                "king": "KING",
                "early": "early estimate",
            },
            most=12,
            note="Texts are judged by {judges}. Early estimate: how often a reference is closer to "
            f"another than an output is. {TOPIC_INTERVALS}",
        ),
        TableOf(
            key="sets",
            frame="choice",
            title="KING of sets of measures",
            columns={
                "what": "",
                "measures": ("measures", name_kind(52)),
                "king": ("KING", Kind(str)),
            },
            note="{sets} sets were tried: single measures, sets of the best measures of {clusters} "
            "clusters, and the greedy ones; {others}. On other topics: chosen on four fifths of "
            "the topics and tested on the rest, five times; only this shows what the choice gains. "
            f"{TOPIC_INTERVALS}",
        ),
    ),
    Part(
        "Measures that agree",
        Drawn(
            key="clusters-dots",
            frame="members",
            title="Clusters of measures",
            note="{members}",
            draw=_draw_clusters,
        ),
        TableOf(
            key="clusters",
            frame="clusters",
            title="Measures that accept the same outputs",
            columns={
                "cluster": "cluster",
                "best": "highest KING",
                "king": ("its KING", replace(SHARE, left=True)),
                "others": "with it",
            },
            note="Two sets of measures are closer the more often both accept, or both reject, an "
            "output on a triple of references. Linkage: {linkage}.",
            only="report",
        ),
    ),
    Part(
        "Which systems are better",
        Intervals(
            key="systems-dots",
            frame="alike",
            title="Systems and references by QUEEN of the best set",
            label="label",
            value="queen",
            axis="QUEEN",
            marked="people",
            note="References in bold. All are judged by the references but one, so that a "
            "reference does not judge itself.",
        ),
        TableOf(
            key="systems",
            frame="standings",
            title="Systems by QUEEN of the best set",
            columns={"system": "system", "queen": "QUEEN"},
            across="criterion",
            spread={"human": ("{}", TWO)},
            note="How likely an output passes for a reference, mean over topics. "
            + TOPIC_INTERVALS,
            only="report",
        ),
    ),
    Part(
        "Agreement with people",
        Scatter(
            key="people",
            frame="sets",
            by="criterion",
            title="KING against agreement with people: {criterion}",
            label="set",
            x="king",
            y="queen",
            axes=("KING", "Pearson's r of QUEEN with people, systems"),
            marked="labelled",
            family="size",
            note="Each point is a set of measures; sets by which no output passes are left out.",
        ),
        TableOf(
            key="agreement",
            frame="agreement",
            title="Pearson's r of systems with people",
            columns={
                "criterion": "criterion",
                "queen": "QUEEN, best set",
                "by_king": "by KING",
                "by_hindsight": ("by hindsight", TWO),
                "king_with_people": "KING and r",
            },
            note="By KING: mean similarity by the measure with the highest KING, {best_single}. By "
            "hindsight: by the measure that agrees best. KING and r: over all sets, whether QUEEN "
            f"by sets of higher KING agrees better with people. {SYSTEM_INTERVALS}",
        ),
        TableOf(
            key="people",
            frame="people",
            title="Pearson's r of systems with people, by single measures",
            columns={"measure": "measure", "king": ("KING", SHARE)},
            across="criterion",
            spread={"mean": ("{}, mean", SIGNED_TWO), "queen": ("{}, QUEEN", SIGNED_TWO)},
            note="Mean: of the similarities to the references. QUEEN: by that measure alone; a "
            "dash where it is 0 for all outputs.",
            only="report",
        ),
    ),
    Part(
        "Are the outputs sufficient",
        Drawn(
            key="jack-curve",
            frame="curves",
            title="JACK by the number of peers",
            note="Peers come in random order, the mean over 100 orders; shaded: 95 % intervals.",
            draw=_draw_curves,
        ),
        TableOf(
            key="jack",
            frame="jack",
            title="JACK of the best set",
            columns={
                "form": "form",
                "jack": "all peers",
                **{f"of_{number}": (f"{number} peers", SHARE) for number in CURVE},
            },
            note="The share of references for which there are two outputs that are no closer to "
            f"one another than to it. {TOPIC_INTERVALS}",
        ),
    ),
    Part(
        "People treated as systems",
        TableOf(
            key="first",
            frame="first",
            title="People taken for systems: how many of them are ranked first",
            columns={
                "criterion": ("criterion", name_kind(48)),
                "mean": ("mean similarity", PERCENT_ESTIMATE),
                "queen": ("QUEEN", PERCENT_ESTIMATE),
            },
            most=5,
            note="Each reference in turn is judged by the others, next to all systems; people are "
            f"identified by the names of references. {TOPIC_INTERVALS}",
        ),
    ),
)
