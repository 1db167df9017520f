"""The conclusions of the three papers on QARLA, and what is shown of the study.

Claims that measures of one kind are better than others are rows of :data:`CONTRASTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import numpy as np

from weps._expressions import Value
from weps_eval.meta.qarla import JackForm, SetSearch
from weps_eval.report import charts, tables
from weps_eval.stats import BootstrapSamples
from weps_eval.studies import measures, pairwise
from weps_eval.studies.frames import (
    SYSTEM_INTERVALS,
    TOPIC_INTERVALS,
    Frames,
    Intervals,
    Part,
    Row,
    Rule,
    Scatter,
    TableOf,
    Trends,
    claimed,
    holds,
)

ROUGE_FAMILIES = ("rouge", "rouge_l", "rouge_w", "rouge_s", "rouge_su")
FEW_OUTPUTS = 10
"""Up to so many outputs JACK grows fast (ACL workshop 2005, section 3.4)."""
CURVE = (2, 5, 10, 20, 40)
"""Numbers of outputs in the table of JACK."""
_GOOD = 0.9
"""Correlation; the paper has .92 and .96."""
_ALIKE = 0.5
"""Correlation; that of Table 2 is .19."""
NO_TYPES = "this needs two types of topics, or tasks: the field type of topics of a testbed"
NO_STRATEGIES = (
    "this needs two strategies of several systems: the field strategies of a testbed, and "
    "similarities among outputs"
)

Selector: TypeAlias = Callable[[Sequence[str]], list[int]]
"""Names of measures → the numbers of some of them; columns of no known measure are left out."""


def measures_of_families(*families: str, **values: Value) -> Selector:
    """The measures of some families that have these values; of all families if none is named."""

    def select(names: Sequence[str]) -> list[int]:
        known = ((number, measures.measure_called(name)) for number, name in enumerate(names))
        return [
            number
            for number, measure in known
            if measure
            and (not families or measure.family.name in families)
            and values.items() <= dict(measure.values).items()
        ]

    return select


_of = measures_of_families
BASELINES = _of("perplexity", "docsim", "sentencesim")
_STYLE = _of("avls", "gramsim")
"""Measures that look at style, not at content (ACL workshop 2005, section 3.2)."""
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


def find_contrasts(
    compared: pairwise.PairwiseInput,
    search: SetSearch,
    kings: BootstrapSamples,
    early: BootstrapSamples,
    first: BootstrapSamples | None,
) -> Iterator[Row]:
    """Differences that claims are about, none of measures that are not there.

    KING of the best of some measures minus that of others; of the best set without style minus
    that of the best with it (``unstyled``); the early estimate of NICOS minus that of ROUGE-1
    (``concepts``); how often QUEEN by the best set ranks people first, minus how often ROUGE does
    (``people first``).
    """
    names, size = compared.measures, compared.sample_size

    def contrast(
        claim: str, samples: BootstrapSamples, ours: Sequence[int], theirs: Sequence[int]
    ) -> Iterator[Row]:
        """How far the best of ours is ahead of the best of theirs."""
        if ours and theirs:
            rounded = samples.value.round(12)
            own, other = (max(some, key=rounded.__getitem__) for some in (ours, theirs))
            sets = [" + ".join(names[one] for one in search.sets[at]) for at in (own, other)]
            told = {"first": sets[0], "second": sets[1], "size": size}
            yield {"claim": claim, **told, "figure": samples.difference(other, own)}

    for claim, selectors in CONTRASTS.items():
        yield from contrast(claim, kings, *(select(names) for select in selectors))
    style = set(_STYLE(names))
    with_style = [at for at, members in enumerate(search.sets) if style.intersection(members)]
    without = [at for at in range(len(search.sets)) if at not in with_style]
    yield from contrast("unstyled", kings, without, with_style)
    for row in contrast(
        "concepts", early, _of("nicos")(names), _of("rouge", n=1, part="recall")(names)
    ):
        given = _of("nicos", concepts="given")(names)
        yield {**row, "substitute": "" if given else " (substitute concepts)"}
    recall = [at for n in (1, 2, 3, 4) for at in _of("rouge", n=n, part="recall")(names)]
    reason = "references or systems are not the same on all topics"
    if first:
        reason = "ROUGE-1 to ROUGE-4 by recall are not among the measures"
    figure = None
    if first and recall:
        figure = first.difference(max(recall, key=first.value.__getitem__), 2 * len(names))
    people = size._replace(cases=len(compared.topics[0].references), case="people")
    yield {"claim": "people first", "figure": figure, "size": people, "reason": reason}


def _agrees(column: str, rule: str, *limit: float, needs: Selector | None = None) -> Rule:
    """The rule on agreement with people, unless no output passes by the best set."""
    kept = holds(f"agreement.{column}", rule, *limit, says="{criterion}: {figures}", size="size")

    def judge(frames: Frames) -> tables.Verdict:
        if needs and not needs(frames["measures"].values("measure")):
            return tables.cannot_judge("no ROUGE measure is among the measures")
        if any(np.isnan(row["queen"].value) for row in frames["agreement"].rows):
            return tables.cannot_judge("QUEEN of the best set is 0 for all outputs")
        return kept(frames)

    return judge


_contrast = partial(claimed, says="{first} − {second}: {figures}")
_ABSENT = "are not among the measures"


_BOTH_PARTS = "ROUGE by recall and by precision"
_HIGHER = "the whole interval is above 0"

CLAIMS: tuple[tables.Claim[Frames], ...] = (
    tables.Claim(
        "Measures together are better than the best single measure.",
        "ACL 2005, section 4.1; workshop 2005, section 3.3",
        "KING of the best of the sets tried, minus that of the best single measure, on topics not "
        f"used to choose them: {_HIGHER}",
        holds("crossed.gain", "above 0"),
    ),
    tables.Claim(
        "QUEEN by the best set ranks people first more often than ROUGE does.",
        "ACL 2005, section 5, Table 1",
        "how often it does minus how often the best of ROUGE-1 to ROUGE-4 by recall does; the set "
        f"was chosen on the same topics: {_HIGHER}",
        claimed("people first", "above 0"),
    ),
    tables.Claim(
        "The higher KING of a set, the more its ranking of systems agrees with people.",
        "ACL 2005, Figure 7; workshop 2005, Figure 5",
        "the correlation, over sets, of KING and Pearson's r with people: "
        f"{_HIGHER}, by every criterion",
        holds(
            "agreement.king_with_people",
            "above 0",
            says="{criterion}: {figures}; {told}",
            size="sets",
        ),
    ),
    tables.Claim(
        "The ranking of systems by QUEEN agrees well with people's.",
        "workshop 2005, section 4.2",
        f"Pearson's r of the best set is at least {_GOOD}, with its whole interval, by every "
        "criterion",
        _agrees("queen", "at least", _GOOD),
    ),
    tables.Claim(
        "Sets of the highest KING agree with people better than the best ROUGE does.",
        "workshop 2005, section 6",
        "Pearson's r of QUEEN by the best set, minus that of mean similarity by the ROUGE measure "
        f"that agrees best: {_HIGHER}, by every criterion",
        _agrees("above_rouge", "above 0", needs=_of(*ROUGE_FAMILIES)),
    ),
    tables.Claim(
        "People have the highest QUEEN, far ahead of systems.",
        "workshop 2005, section 4.1, Figure 4",
        f"QUEEN of the lowest reference minus that of the highest system: {_HIGHER}",
        claimed("lead", "above 0"),
    ),
    tables.Claim(
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
    tables.Claim(
        "JACK of all outputs is far above that of outputs of one strategy.",
        "ACL 2005, section 4.2, Figure 6",
        "JACK of the outputs of all systems minus the highest of those of one strategy, by the "
        f"best set: {_HIGHER}",
        claimed("strategies", "above 0"),
    ),
    tables.Claim(
        "Content characterises what people write better than style.",
        "workshop 2005, sections 3.3 and 6",
        f"KING of the best measure of content minus that of the best of style: {_HIGHER}",
        _contrast("content", "above 0", reason=f"measures of both kinds {_ABSENT}"),
    ),
    tables.Claim(
        "The best set has no measure of style.",
        "workshop 2005, sections 4.3 and 6",
        "KING of the best set without measures of style, minus that of the best set with one, both "
        f"chosen on the same topics: {_HIGHER}",
        claimed(
            "unstyled",
            "above 0",
            says="against {second}: {figures}",
            reason=f"measures of style {_ABSENT}",
        ),
    ),
    tables.Claim(
        "Precision of ROUGE-W without stop words has the highest KING.",
        "workshop 2005, section 3.3",
        f"KING of it, as ROUGE-1.5.5 computes it, minus that of the best other measure: {_HIGHER}",
        _contrast(
            "weighted",
            "above 0",
            reason="ROUGE-W precision without stop words with official=true, and others, "
            f"{_ABSENT}",
        ),
    ),
    tables.Claim(
        "With stems, ROUGE by recall has the higher KING.",
        "workshop 2005, section 3.2",
        f"KING of the best by recall minus that of the best by precision: {_HIGHER}",
        _contrast("stems", "above 0", reason=f"{_BOTH_PARTS} {_ABSENT}"),
    ),
    tables.Claim(
        "Without stems, ROUGE by precision has the higher KING.",
        "workshop 2005, section 3.2",
        f"KING of the best by precision minus that of the best by recall: {_HIGHER}",
        _contrast("no stems", "above 0", reason=f"{_BOTH_PARTS} {_ABSENT}"),
    ),
    tables.Claim(
        "TVM is better with more terms.",
        "workshop 2005, section 3.3",
        f"KING with 512 terms minus that with 4: {_HIGHER}",
        _contrast("terms", "above 0", reason=f"TVM with 4 and with 512 terms {_ABSENT}"),
    ),
    tables.Claim(
        "ROUGE-1 is the best of the single metrics.",
        "ACL 2005, section 4.1",
        f"KING of it minus that of the best other metric of that paper: {_HIGHER}",
        _contrast("rouge", "above 0", reason=f"ROUGE-1 and metrics of that paper {_ABSENT}"),
    ),
    tables.Claim(
        "In one task people agree more, and systems vary less, than in another.",
        "workshop 2005, sections 3.3, 3.4 and 4.3",
        "of every two types of topics, the one with the higher KING, as a mean over measures, has "
        f"the lower JACK: of both differences {_HIGHER}",
        claimed("tasks", "above 0", says="{told}: {figures}"),
    ),
    tables.Claim(
        "Key concepts distinguish people's texts from systems' better than ROUGE.",
        "ACL 2004, section 4, Table 2",
        f"early estimate of NICOS minus that of the best ROUGE-1 by recall: {_HIGHER}",
        claimed(
            "concepts",
            "above 0",
            says="{figures}{substitute}",
            reason=f"NICOS and ROUGE-1 {_ABSENT}",
        ),
    ),
    tables.Claim(
        "Perplexity and co-selection are below chance.",
        "ACL 2004, section 4, Table 2",
        "their early estimates are below .5, with the whole intervals",
        holds(
            "baselines.early",
            "at most",
            0.5,
            says="the most, {measure}: {figures}",
            reason="perplexity and co-selection are not among the measures",
            worst=True,
            percent=True,
        ),
    ),
    tables.Claim(
        "Measures that are good for one type of topics are not good for another.",
        "ACL 2004, section 4, Table 2",
        "over measures, the early estimates by two types of topics correlate by less than "
        f"{_ALIKE}, with the whole interval",
        claimed("types", "at most", _ALIKE, says="{told}: {figures}"),
    ),
)


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
                "measure": ("measure", tables.name_kind(48)),
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
                "measures": ("measures", tables.name_kind(52)),
                "king": ("KING", tables.Kind(str)),
            },
            note="{sets} sets were tried: single measures, sets of the best measures of {clusters} "
            "clusters, and the greedy ones; {others}. On other topics: chosen on four fifths of "
            "the topics and tested on the rest, five times; only this shows what the choice gains. "
            f"{TOPIC_INTERVALS}",
        ),
    ),
    Part(
        "Measures that agree",
        Intervals(
            key="clusters-dots",
            frame="members",
            title="Clusters of measures",
            note="{members}",
            value="king",
            axis="KING",
            marked="best",
            group="cluster",
        ),
        TableOf(
            key="clusters",
            title="Measures that accept the same outputs",
            columns={
                "cluster": "cluster",
                "best": "highest KING",
                "king": ("its KING", replace(tables.SHARE, left=True)),
                "others": "with it",
            },
            note="Two sets of measures are closer the more often both accept, or both reject, an "
            "output on a triple of references.",
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
            spread={"human": ("{}", tables.TWO)},
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
            title="Pearson's r of systems with people",
            columns={
                "criterion": "criterion",
                "queen": "QUEEN, best set",
                "by_king": "by KING",
                "by_hindsight": ("by hindsight", tables.TWO),
                "king_with_people": "KING and r",
            },
            note="By KING: mean similarity by the measure with the highest KING, {best_single}. By "
            "hindsight: by the measure that agrees best. KING and r: over all sets, whether QUEEN "
            f"by sets of higher KING agrees better with people. {SYSTEM_INTERVALS}",
        ),
        TableOf(
            key="people",
            title="Pearson's r of systems with people, by single measures",
            columns={"measure": "measure", "king": ("KING", tables.SHARE)},
            across="criterion",
            spread={
                "mean": ("{}, mean", tables.SIGNED_TWO),
                "queen": ("{}, QUEEN", tables.SIGNED_TWO),
            },
            note="Mean: of the similarities to the references. QUEEN: by that measure alone; a "
            "dash where it is 0 for all outputs.",
            only="report",
        ),
    ),
    Part(
        "Are the outputs sufficient",
        Trends(
            key="jack-curve",
            frame="curves",
            title="JACK by the number of outputs",
            note="Outputs come in random order, the mean over 100 orders; shaded: 95 % intervals.",
            x="peers",
            lines={form.value: form.value for form in JackForm},
            axes=("outputs", "JACK"),
            guides=(charts.GuideLine(f"{FEW_OUTPUTS} outputs", FEW_OUTPUTS, vertical=True),),
            fewest=1,
        ),
        TableOf(
            key="jack",
            title="JACK of the best set",
            columns={
                "form": "form",
                "jack": "all outputs",
                **{f"of_{number}": (f"{number} outputs", tables.SHARE) for number in CURVE},
            },
            note="The share of references for which there are two outputs that are no closer to "
            f"one another than to it. {TOPIC_INTERVALS}",
        ),
        TableOf(
            key="strategies",
            title="JACK of outputs of one strategy",
            columns={"strategy": "strategy", "systems": ("systems", tables.COUNT), "jack": "JACK"},
            note=f"As figure 6 of the paper of 2005, by the best set. {TOPIC_INTERVALS}",
        ),
    ),
    Part(
        "People treated as systems",
        TableOf(
            key="first",
            title="People taken for systems: how many of them are ranked first",
            columns={
                "criterion": ("criterion", tables.name_kind(48)),
                "mean": ("mean similarity", tables.PERCENT_ESTIMATE),
                "queen": ("QUEEN", tables.PERCENT_ESTIMATE),
            },
            most=5,
            note="Each reference in turn is judged by the others, next to all systems; people are "
            f"identified by the names of references. {TOPIC_INTERVALS}",
        ),
    ),
)
