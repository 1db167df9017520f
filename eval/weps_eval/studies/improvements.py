"""``weps meta improvements``: improvements of systems that measures see, and trust in their scores.

Amigó, Giménez, Gonzalo and Verdejo, ACL 2009, section 5. Improvements by people are tested, or read
from WMT's published table of tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from weps._formatting import format_number, join_items
from weps._options import cli_argument, cli_option
from weps.errors import ValuesError
from weps_eval import stats
from weps_eval.meta import correlation, improvements
from weps_eval.report import tables
from weps_eval.studies import measures, running
from weps_eval.studies.frames import (
    TOPIC_INTERVALS,
    Frame,
    Frames,
    Heading,
    Intervals,
    Part,
    Row,
    Scatter,
    TableOf,
    claimed,
    interval_note,
)
from weps_eval.tables import file_digest
from weps_eval.text.convert import OfficialImprovements, read_official

_GOOD = 0.8
"""SIP and SIR of the paper's n-gram measures are .8 to .9."""
_ALIKE = 0.05
"""Largest difference of SIP, of SIR or of shares of wrong scores that counts as none."""
_NO_BETTER = 0.01
"""Share of high scores that is not worth mentioning."""
_WRONG = 0.2
"""Share of low scores of even the paper's best measure that is wrong."""
_BOUNDS = ("by chance", "the worst", "the best")
_NO_WORDS = "fewer than three measures look at words only"


@dataclass(frozen=True, kw_only=True)
class ImprovementsSettings(measures.CriterionSettings):
    """Settings of the study."""

    official: Path | None = cli_option(
        "table of significant improvements by human scores, as published by WMT "
        "(ad-DA-diff-wilcoxon-rs-….csv), instead of tests computed from the scores",
        metavar="TABLE",
    )
    stars: int = cli_option(
        "with --official: minimum stars of an improvement (1: p < .05, 2: .01, 3: .001; "
        "default: 1)",
        1,
        choices=(1, 2, 3),
    )
    test: improvements.Test = cli_option(
        "Wilcoxon's test: paired by topic, or unpaired", improvements.Test.SIGNED_RANK
    )
    level: float = cli_option(
        "maximum one-sided p of an improvement",
        improvements.SIGNIFICANCE_LEVEL,
        least=0,
        most=1,
        metavar="P",
    )
    chosen: str = cli_option(
        "the system that others are compared with to find losses of quality that a measure "
        "does not see; in the paper the human-aided one",
        "",
        metavar="SYSTEM",
    )
    scale: tuple[float, float] | None = cli_option(
        "lowest and highest score that people can give (default: those that they gave)",
        metavar=("LOW", "HIGH"),
    )
    ulc: improvements.Scale = cli_option(
        "how measures are scaled for a second ULC beside the paper's, which is the plain mean; "
        "none: no second ULC",
        improvements.Scale.DEVIATION,
    )

    def __post_init__(self) -> None:
        """Check the scale."""
        if self.scale is not None and not -math.inf < self.scale[0] < self.scale[1] < math.inf:
            raise ValuesError(
                "a scale cannot go from {:g} to {:g}".format(*self.scale),
                where="--scale",
                remedy="give two numbers, the lower first",
            )


def find_frames(scored: measures.StudyInput, settings: ImprovementsSettings) -> Frames:
    """Figures of all measures, ULC among them, and the comparisons that claims are about.

    ``measures`` has every measure, the best first; ``improvements`` (SIP and SIR), ``extremes``,
    ``decrease`` and ``oracle`` have those of one question, none where the data lack what it needs.
    ``claims`` has the estimates that claims are about, by part.
    """
    judged = _read_outputs(scored, settings).with_combined(settings.ulc)
    official = None
    if settings.official:
        official = read_official(settings.official, judged.systems, settings.stars)
    figures, facts = _detect_improvements(judged, settings, official)
    scale = settings.scale or (float(judged.human.min()), float(judged.human.max()))
    facts["limits"] = improvements.PAPER_THRESHOLDS.on_scale(*scale)
    if not judged.is_by_system:
        settings.progress("examining scores", 0, 0)
        figures |= _examine_scores(judged, settings, facts)
    facts |= {
        "criterion": judged.criterion or None,
        "of_criterion": f": {judged.criterion}" if judged.criterion else "",
        "names": judged.measures,
        "settings": settings,
        "explained": _explain_columns(figures, facts, settings.chosen),
    }
    return Frames(
        {
            **_measure_frames(judged, figures, facts),
            "claims": Frame.of_rows(
                [
                    *find_claims(judged, figures, facts),
                    *_compare_failures(scored, judged, figures, settings),
                ]
            ),
        },
        {"": judged.sample_size()},
        remarks=[
            judged.description,
            *scored.remarks,
            "People judged whole systems, not single outputs: low and high scores, decreases and "
            "the oracle system are not studied."
            if judged.is_by_system
            else "",
            *(_official_remarks(judged, official, settings) if official else ()),
            f"In the paper the chosen system is human-aided; {settings.chosen} is used instead "
            "here."
            if "decrease" in figures
            else "",
        ],
        signature={
            "measures": len(scored.matrix.measures),
            "human": judged.criterion or "–",
            "official": f"{file_digest(settings.official)}, {settings.stars}"
            if settings.official
            else "–",
            "chosen": settings.chosen or "–",
            "scale": "{:g} to {:g}".format(*settings.scale) if settings.scale else "–",
            "test": settings.test,
            "level": settings.level,
            "ulc": settings.ulc,
        },
        facts=facts,
        resampled="topics (SIP and SIR: systems)",
    )


def _read_outputs(
    scored: measures.StudyInput, settings: ImprovementsSettings
) -> measures.JudgedOutputs:
    """The judged outputs; with published improvements they need no scores."""
    if settings.official and not scored.matrix.criteria:
        return measures.judged_outputs(scored, "")
    outputs = measures.judged_outputs(scored, measures.criteria_of(scored)[0])
    if outputs.is_by_system and not settings.official:
        raise ValuesError(
            f"people judged whole systems by {outputs.criterion}, not single outputs",
            where=scored.title,
            remedy="give scores of single outputs, or tests of systems with --official",
        )
    return outputs


def _official_remarks(
    judged: measures.JudgedOutputs, official: OfficialImprovements, settings: ImprovementsSettings
) -> Iterator[str]:
    table = settings.official.name if settings.official else ""
    stars = f"{settings.stars} star{'s' * (settings.stars > 1)}"
    yield f"Improvements by people are those of {table}, {stars} or more."
    if official.unknown:
        yield f"Systems of that table that are not available: {join_items(official.unknown)}."
    if missing := [name for name in judged.systems if name not in official.systems]:
        yield f"Systems that are not in that table: {join_items(missing)}."


def _detect_improvements(
    judged: measures.JudgedOutputs,
    settings: ImprovementsSettings,
    official: OfficialImprovements | None,
) -> tuple[dict[str, stats.BootstrapSamples], dict[str, Any]]:
    """SIP and SIR of all measures, systems resampled, and what is known of the improvements.

    Where there are none to be found, the first is empty, and the fact ``absent`` is the reason.
    """
    if len(judged.systems) < 2:
        return {}, {"absent": "there is one system only"}
    if official is None and judged.is_by_system:
        why = "people judged whole systems, and their improvements are not given (--official)"
        return {}, {"absent": why}
    names = official.systems if official else judged.systems
    places = [judged.systems.index(name) for name in names]
    real, *seen = improvements.significant_improvements(
        np.vstack([judged.human, judged.values]),
        judged.topic,
        judged.system,
        level=settings.level,
        test=settings.test,
        progress=settings.progress,
    )[:, places][:, :, places]
    if official:
        real = official.improves
    resample = partial(stats.resampled_shares, seed=settings.seed, resamples=stats.RESAMPLES)
    sip, sir = (
        stats.BootstrapSamples(np.array([resample(share) for share in shares]))
        for shares in zip(*(improvements.sip_and_sir(each, real) for each in seen), strict=True)
    )
    return {"sip": sip, "sir": sir}, {
        "systems": list(names),
        "real": [[names[row], names[column]] for row, column in np.argwhere(real)],
        "improved": int(real.sum()),
        "finds": np.array(seen).sum(axis=(1, 2)),
        "improved_size": tables.SampleSize.of_fewer(
            {"systems": len(names), "topics": len(judged.topics)}, int(real.sum()), "improvements"
        ),
        "size": len(names),
        "pairs": len(names) * (len(names) - 1) // 2,
        "official": official is not None,
        "whose": "as published" if official else f"by the {settings.test} test",
        "absent": "" if real.any() else "people see no significant improvement",
    }


def _examine_scores(
    judged: measures.JudgedOutputs, settings: ImprovementsSettings, facts: dict[str, Any]
) -> dict[str, stats.BootstrapSamples]:
    """Wrong low and high scores, the oracle system, and losses of quality; topics are resampled."""
    seed, limits = settings.seed, facts["limits"]
    values, human, topic = judged.values, judged.human, judged.topic
    low, high = improvements.counter_samples(values, human, topic, limits, seed)
    bounds = np.array([np.zeros(len(human)), -human, human])
    facts["bounds"] = stats.bootstrap_means(
        improvements.oracle_scores(bounds, human, topic), seed=seed
    )
    for name, rows in (("low", human <= limits.low), ("high", human >= limits.high)):
        groups = len(np.unique(topic[rows]))
        facts[f"{name}_size"] = tables.SampleSize(groups, int(rows.sum()), case=f"{name} scores")
    oracle = stats.bootstrap_means(improvements.oracle_scores(values, human, topic), seed=seed)
    figures = {"low": low, "high": high, "oracle": oracle}
    if settings.chosen:
        measures.check_known(settings.chosen, judged.systems, "system")
        chosen = judged.systems.index(settings.chosen)
        lost = improvements.quality_decreases(values, human, topic, judged.system, chosen)
        figures["decrease"] = stats.bootstrap_means(lost, seed=seed)
    return figures


def _measure_frames(
    judged: measures.JudgedOutputs,
    figures: Mapping[str, stats.BootstrapSamples],
    facts: Mapping[str, Any],
) -> dict[str, Frame]:
    """Figures of all measures, together and by question.

    The best come first: by the harmonic mean of SIP and SIR, else by the oracle system.
    """
    size = len(judged.measures)
    quality = np.zeros(size)
    if "sip" in figures and not facts["absent"]:
        sip, sir = figures["sip"].value, figures["sir"].value
        quality = np.nan_to_num(stats.safe_divide(2 * sip * sir, sip + sir))
    elif "oracle" in figures:
        quality = figures["oracle"].value
    order: list[int] = np.argsort(-quality, kind="stable").tolist()
    extremes = [figures[name] for name in ("low", "high") if name in figures]
    labelled = {
        "best": order[:2],
        "least_wrong": [
            row for samples in extremes for row in measures.known_measures(samples)[-1:]
        ],
    }
    every = Frame(
        {
            "measure": judged.measures,
            "looks_at": list(map(measures.measure_kind_of, judged.measures)),
            "combined": [row in judged.combinations for row in range(size)],
            **{
                name: [row in {*rows, *judged.combinations} for row in range(size)]
                for name, rows in labelled.items()
            },
            **({"finds": facts["finds"]} if "sip" in figures else {}),
            **figures,
        }
    )
    ranked, rows = every.take(order), list[Row]()
    lost = measures.known_measures(figures["decrease"])[::-1] if "decrease" in figures else []
    if "oracle" in figures:
        bounds = zip(_BOUNDS, facts["bounds"].estimates, strict=True)
        rows = [{"measure": name, "looks_at": "", "oracle": each} for name, each in bounds]
        rows += every.take(measures.known_measures(figures["oracle"])).rows
        rows.sort(key=lambda row: -row["oracle"].value)
    columns = ("measure", "looks_at", "oracle", "combined")
    return {
        "measures": ranked,
        "improvements": ranked if "sip" in figures else Frame({}),
        "extremes": ranked if "low" in figures else Frame({}),
        "decrease": every.take(lost),
        "oracle": Frame.of_rows([{name: row.get(name) for name in columns} for row in rows]),
    }


def _explain_columns(
    figures: Mapping[str, stats.BootstrapSamples], facts: Mapping[str, Any], chosen: str
) -> str:
    """Meaning of the columns on the terminal."""
    explained = {
        "sip": "SIP: share of a measure's improvements that people find too; SIR: share of "
        "people's improvements that the measure finds.",
        "low": "low wrong: low scores of outputs that are not bad; high wrong: the reverse.",
        "decrease": f"decrease: loss of quality against {chosen} that the measure does not see.",
    }
    if "oracle" in figures:
        values = zip(_BOUNDS, facts["bounds"].value.tolist(), strict=True)
        ends = ", ".join(f"{name} {format_number(value, 2)}" for name, value in values)
        explained["oracle"] = (
            f"oracle: quality of the output that a measure scores highest on each topic ({ends})."
        )
    return " ".join(text for name, text in explained.items() if name in figures)


def find_claims(
    judged: measures.JudgedOutputs,
    figures: Mapping[str, stats.BootstrapSamples],
    facts: Mapping[str, Any],
) -> list[Row]:
    """Estimates that claims are about, a row for each part; one with the reason if not known."""
    found: list[Row] = []
    words = measures.measures_of_kind(judged.measures, measures.MeasureKind.WORDS)

    def add(
        claim: str, size: tables.SampleSize, reason: str, parts: Mapping[str, stats.Estimate | None]
    ) -> None:
        is_known = None not in parts.values()
        about = {"claim": claim, "size": size, "reason": reason}
        for part, figure in parts.items():
            found.append({**about, "part": part, "figure": figure if is_known else None})

    def over(
        figure: Callable[..., stats.Floats],
        samples: stats.BootstrapSamples | None,
        rows: Sequence[int],
    ) -> stats.Estimate | None:
        return stats.joint_estimate(figure, samples.take(rows)) if samples and rows else None

    def ahead_of_words(samples: stats.BootstrapSamples | None) -> stats.Estimate | None:
        return measures.linguistic_ahead(judged.measures, samples) if samples else None

    def of_combined(
        best: Callable[[stats.Floats], stats.Floats],
    ) -> Callable[[stats.Floats], stats.Floats]:
        """The last measure, the plain ULC, less the best one of the others."""
        return lambda values: values[-1] - best(values[:-1])

    size, why = facts.get("improved_size", judged.sample_size()), facts["absent"]
    both = {part: None if why else figures[part.lower()] for part in ("SIP", "SIR")}
    beside = [*words, judged.combinations[0]] if words else []
    middle = of_combined(measures.median_over_measures)
    for claim, reason, figure in (
        ("reliable", _NO_WORDS, partial(over, measures.median_over_measures, rows=words)),
        ("restrictive", measures.TOO_FEW_KINDS, ahead_of_words),
        ("preserved", _NO_WORDS, partial(over, middle, rows=beside)),
    ):
        add(claim, size, why or reason, {part: figure(each) for part, each in both.items()})
    if judged.is_by_system:
        for claim in _OF_OUTPUTS:
            add(claim, size, "people judged whole systems, not single outputs", {"": None})
        return found

    low, high = (figures[name].take(judged.of_paper) for name in ("low", "high"))
    either = min(facts["low_size"], facts["high_size"])
    reason = "no output has such a low or high score"
    gap = stats.joint_estimate(lambda ours, theirs: (ours - theirs).mean(axis=0), low, high)
    more = f"{(low.value > high.value).sum()} of {len(judged.of_paper)} measures"
    add("low_scores", either, reason, {more: _known(gap)})
    add("best_low", facts["low_size"], reason, {"": _known(stats.joint_estimate(_lowest, low))})
    ahead = ahead_of_words(figures["high"])
    add("wrong_high", facts["high_size"], measures.TOO_FEW_KINDS, {"": ahead})
    lowest, highest = of_combined(_lowest), of_combined(lambda values: values.max(axis=0))
    behind = {name: _known(over(lowest, figures[name], beside)) for name in ("low", "high")}
    add("combined_extremes", either, reason if words else _NO_WORDS, behind)

    topics, lost = len(judged.topics), figures.get("decrease")
    size, why = (
        tables.SampleSize(topics, topics, case="chosen outputs"),
        "no system is chosen (--chosen)",
    )
    add("cheated", size, why, {"": over(_lowest, lost, judged.of_paper)})
    add("resistant", size, measures.TOO_FEW_KINDS if lost else why, {"": ahead_of_words(lost)})
    add("combined_resistant", size, why, {"": over(lowest, lost, judged.of_paper)})

    oracle = figures["oracle"].take(judged.of_paper)
    best = oracle.take(measures.known_measures(oracle)[:1])
    chance, most = (facts["bounds"].take([row]) for row in (0, 2))
    farther = stats.joint_estimate(lambda a, b, c: ((c - a) - (a - b))[0], best, chance, most)
    add("nearer_to_chance", size, "", {"": farther})
    add("combined_best", size, "", {"": over(highest, oracle, range(len(judged.of_paper)))})
    return found


def _compare_failures(
    scored: measures.StudyInput,
    judged: measures.JudgedOutputs,
    figures: Mapping[str, stats.BootstrapSamples],
    settings: ImprovementsSettings,
) -> Iterator[Row]:
    """How far the same measures fail in the first and in each other test bed (section 5.2).

    Topics of either are resampled. Without ``--scale`` each has the scale of its own scores.
    """
    names = [judged.measures[at] for at in judged.single]
    others = list(measures.other_beds(scored, judged.criterion, names)) if "low" in figures else []
    about: Row = {"claim": "elsewhere", "size": judged.sample_size(), "part": "", "figure": None}
    if not others:
        yield {**about, "reason": "this needs several test beds whose outputs people judged"}
    for number, (title, bed) in enumerate(others, start=1):
        size, told = measures.over_measures(
            min(bed.sample_size(), judged.sample_size()), bed.measures, bed.values
        )
        scale = settings.scale or (float(bed.human.min()), float(bed.human.max()))
        limits = improvements.PAPER_THRESHOLDS.on_scale(*scale)
        found = improvements.counter_samples(
            bed.values, bed.human, bed.topic, limits, settings.seed + number
        )
        rows = [judged.measures.index(name) for name in bed.measures]
        for extreme, theirs in zip(("low", "high"), found, strict=True):
            ours = figures[extreme].take(rows)
            yield {
                **about,
                "size": size,
                "part": f"{scored.title} and {title}, {extreme} scores of {told}",
                "figure": _known(
                    stats.joint_estimate(correlation.correlation_over_measures, ours, theirs)
                ),
                "reason": "fewer than three measures have scores of both beds that can be wrong",
            }


_OF_OUTPUTS = (
    *("low_scores", "best_low", "wrong_high", "combined_extremes", "cheated", "resistant"),
    *("combined_resistant", "nearer_to_chance", "combined_best"),
)
"""Claims about single outputs."""


_lowest = partial(np.min, axis=0)


def _known(figure: stats.Estimate | None) -> stats.Estimate | None:
    return figure if figure and not np.isnan(figure.value) else None


_PART = "{part}: {figures}"


def _judge_restrictive(frames: Frames) -> tables.Verdict:
    """SIP is above 0, and SIR below."""
    higher = claimed("restrictive", "above 0", says=_PART, part="SIP")(frames)
    lower = claimed("restrictive", "at most", 0, says=_PART, part="SIR")(frames)
    return higher if higher.word == tables.CANNOT else tables.worst_verdict([higher, lower])


def _judge_cheated(frames: Frames) -> tables.Verdict:
    """The smallest decrease is above 0, and it does not hold if it is 0."""
    verdict = claimed("cheated", "above 0")(frames)
    (row,) = frames["claims"].where(claim="cheated").rows
    is_none = row["figure"] and row["figure"].high == 0
    return verdict._replace(word=tables.DOES_NOT_HOLD) if is_none else verdict


_FIGURE_3, _FIGURE_4 = "ACL 2009, section 5.1, figure 3", "ACL 2009, section 5.2, figure 4"
_FIGURE_5, _TABLE_4 = "ACL 2009, section 5.3, figure 5", "ACL 2009, section 5.4, table 4"
CLAIMS: tuple[tables.Claim[Frames], ...] = (
    tables.Claim(
        "Measures of words are reasonably reliable in finding improvements.",
        _FIGURE_3,
        f"the medians of SIP and of SIR over these measures are at least {_GOOD}, with their whole "
        "intervals over systems; in the paper all are .8 to .9",
        claimed("reliable", "at least", _GOOD, says=_PART),
    ),
    tables.Claim(
        "Linguistic measures have a higher SIP and a lower SIR.",
        _FIGURE_3,
        "the median of the measures of parts of speech, syntax and entities minus that of the "
        "measures of words is above 0 for SIP and below 0 for SIR, with the whole intervals over "
        "systems",
        _judge_restrictive,
    ),
    tables.Claim(
        "All measures combined (ULC) find improvements as well as measures of words do.",
        _FIGURE_3,
        "SIP and SIR of ULC, the plain mean, differ from the medians of the measures of words by "
        f"at most {_ALIKE}, with the whole intervals over systems",
        claimed("preserved", "similar", _ALIKE, says=_PART),
    ),
    tables.Claim(
        "Measures are less reliable where they score low.",
        _FIGURE_4,
        "the mean over measures of the share of low scores that are wrong, minus that of high "
        "scores, is above 0, with its whole interval",
        claimed("low_scores", "above 0", says="{figures}; {part}"),
    ),
    tables.Claim(
        "Even of the best measure's low scores more than 20 % are wrong.",
        _FIGURE_4,
        f"the lowest share of all measures is at least {_WRONG}, with its whole interval",
        claimed("best_low", "at least", _WRONG),
    ),
    tables.Claim(
        "Linguistic measures are no better at finding bad outputs.",
        _FIGURE_4,
        "the median share of wrong high scores of the linguistic measures, minus that of the "
        f"measures of words, is at least −{_NO_BETTER}, with its whole interval",
        claimed("wrong_high", "at least", -_NO_BETTER),
    ),
    tables.Claim(
        "All measures combined (ULC) are as reliable as the best measure of words.",
        _FIGURE_4,
        "the shares of wrong low and of wrong high scores of ULC, the plain mean, exceed the "
        f"lowest of the measures of words by less than {_ALIKE}, with the whole intervals",
        claimed("combined_extremes", "at most", _ALIKE, says=_PART),
    ),
    tables.Claim(
        "All measures can be cheated.",
        _FIGURE_5,
        "the smallest decrease of quality is above 0, with its whole interval; it does not hold if "
        "the decrease is 0",
        _judge_cheated,
    ),
    tables.Claim(
        "Linguistic measures are more resistant to being cheated.",
        _FIGURE_5,
        "the median decrease of quality of the linguistic measures, minus that of the measures of "
        "words, is below 0, with its whole interval",
        claimed("resistant", "at most", 0),
    ),
    tables.Claim(
        "All measures combined (ULC) are the most resistant.",
        _FIGURE_5,
        "the decrease of ULC, the plain mean, minus the smallest of any single measure, is below "
        "0, with its whole interval",
        claimed("combined_resistant", "at most", 0),
    ),
    tables.Claim(
        "Outputs chosen by measures are nearer to chance than to the best choice.",
        _TABLE_4,
        "for the measure that chooses best, the distance to the best choice minus that to chance "
        "is above 0, with its whole interval",
        claimed("nearer_to_chance", "above 0"),
    ),
    tables.Claim(
        "All measures combined (ULC) choose better than any single one.",
        _TABLE_4,
        "the oracle score of ULC, the plain mean, minus that of the best single measure is above "
        "0, with its whole interval",
        claimed("combined_best", "above 0"),
    ),
    tables.Claim(
        "The same measures fail in different test beds.",
        "ACL 2009, section 5.2",
        "Pearson's coefficient over measures between their shares of wrong scores in two test beds "
        "is above 0, with its whole interval, for low and for high scores; in the paper .67 to .88",
        claimed("elsewhere", "above 0", says="{part}: {figures}"),
    ),
)


_NAME: dict[str, Heading] = {"measure": ("measure", tables.name_kind())}
_ABOUT: dict[str, Heading] = {
    **_NAME,
    "looks_at": ("looks at", tables.Kind(str, left=True), "terminal"),
}
_SHORT = replace(tables.ESTIMATE, brief=tables.TWO.cell)
"""An estimate; the interval is for the report."""
_POINTS: dict[str, Any] = {"family": "looks_at", "alike": True}
_KINDS: dict[str, Any] = {
    "marked": "combined",
    "group": "looks_at",
    "groups": tuple(measures.MeasureKind),
    "most": 12,
}
"""The first few measures of each kind."""
PARTS = (
    Part(
        "Do measures find improvements?",
        Scatter(
            key="sip-sir",
            frame="improvements",
            title="Precision of significant improvements against recall",
            x="sir",
            y="sip",
            axes=("SIR", "SIP"),
            marked="best",
            note="As figure 3 of the paper. Up and right is better.",
            **_POINTS,
        ),
        TableOf(
            key="improvements",
            title="Significant improvements that measures find",
            columns={**_ABOUT, "sip": "SIP", "sir": "SIR", "finds": "finds"},
            only="report",
            note="Of {pairs} pairs of {size} systems people find {improved} significant "
            "improvements ({whose}). Measures: {settings.test} test, p at most {settings.level}, "
            f"one-sided. {interval_note('systems')} Topics are those of the tests.",
        ),
    ),
    Part(
        "Can low and high scores be trusted?",
        Scatter(
            key="low-high",
            frame="extremes",
            title="Wrong low scores against wrong high scores",
            x="high",
            y="low",
            axes=("share of high scores that is wrong", "share of low scores that is wrong"),
            marked="least_wrong",
            note="As figure 4 of the paper. Down and left is better.",
            **_POINTS,
        ),
        TableOf(
            key="extremes",
            title="Low and high scores that people contradict",
            columns={
                **_ABOUT,
                "low": ("low, but not bad", tables.PERCENT_ESTIMATE),
                "high": ("high, but not good", tables.PERCENT_ESTIMATE),
            },
            only="report",
            note="A measure's score is low where the human score at the same rank is "
            "{limits.low:g} or less, and wrong if people give {limits.not_low:g} or more; high "
            "from {limits.high:g} on, and wrong if people give {limits.not_high:g} or less: "
            "{low_size.cases:,} outputs are low, {high_size.cases:,} high. The limits are the "
            f"paper's, on the present scale. A dash: there is no such score. {TOPIC_INTERVALS}",
        ),
    ),
    Part(
        "Can they be cheated?",
        Intervals(
            key="decreases",
            frame="decrease",
            title="Loss of quality against {settings.chosen} that measures do not see",
            note="As figure 5 of the paper, with 95 % intervals over topics; the lowest of each "
            "kind. Left is better.",
            value="decrease",
            axis="decrease of quality, on the scale of people",
            **_KINDS,
        ),
        TableOf(
            key="decrease",
            title="Loss of quality against {settings.chosen} that measures do not see",
            columns={**_ABOUT, "decrease": "decrease"},
            only="report",
            note="The largest loss of a topic's outputs that the measure scores no lower, on the "
            f"scale of human scores, as a mean over topics. {TOPIC_INTERVALS}",
        ),
    ),
    Part(
        "How good are the outputs chosen by measures?",
        Intervals(
            key="oracle-systems",
            frame="oracle",
            title="Quality of what measures score highest",
            note="As table 4 of the paper, with 95 % intervals over topics; the highest of each "
            "kind. Right is better.",
            value="oracle",
            axis="score by people",
            **_KINDS,
        ),
        TableOf(
            key="oracle",
            title="The oracle system test",
            columns={"measure": "chosen by", "looks_at": "looks at", "oracle": "quality"},
            only="report",
            note="The mean human score of the output that a measure scores highest on each topic; "
            f"if several tie, their mean counts. {TOPIC_INTERVALS}",
        ),
    ),
    Part(
        "All questions",
        TableOf(
            key="brief",
            frame="measures",
            title="Improvements that measures find, and whether their scores can be trusted"
            "{of_criterion}",
            columns={
                **_NAME,
                "sip": ("SIP", _SHORT),
                "sir": ("SIR", _SHORT),
                "low": ("low wrong", tables.PERCENT),
                "high": ("high wrong", tables.PERCENT),
                "decrease": ("decrease", _SHORT),
                "oracle": ("oracle", tables.TWO),
            },
            always="combined",
            most=10,
            only="terminal",
            note="{explained}",
        ),
    ),
)


def json_fields(frames: Frames) -> dict[str, Any]:
    """Improvements, extremes, decreases and the oracle system; null where the data lack them."""
    facts, rows = frames.facts, {row["measure"]: row for row in frames["measures"].rows}
    settings = facts["settings"]

    def by_measure(column: str) -> dict[str, Any]:
        return {name: tables.as_json(rows[name][column]) for name in facts["names"]}

    found: dict[str, Any] = dict.fromkeys(("improvements", "extremes", "decrease", "oracle"))
    if len(frames["improvements"]):
        found["improvements"] = {
            "official": facts["official"],
            "test": str(settings.test),
            "level": settings.level,
            "systems": facts["systems"],
            "real": facts["real"],
            "sip": by_measure("sip"),
            "sir": by_measure("sir"),
        }
    if len(frames["extremes"]):
        found["extremes"] = {
            "thresholds": facts["limits"]._asdict(),
            "low": by_measure("low"),
            "high": by_measure("high"),
        }
    if len(frames["decrease"]):
        found["decrease"] = {"chosen": settings.chosen, "measures": by_measure("decrease")}
    if len(frames["oracle"]):
        bounds = zip(("random", "least", "most"), facts["bounds"].estimates, strict=True)
        found["oracle"] = {**tables.as_json(dict(bounds)), "measures": by_measure("oracle")}
    return {"criterion": facts["criterion"], **found}


STUDY = running.Study(
    title="Improvements that measures find",
    settings=ImprovementsSettings,
    source=cli_argument(
        "a testbed or a measure matrix, with human scores; of several the first is studied, and "
        "its wrong scores compared with those of the others"
    ),
    several=True,
    read=measures.read_scores,
    find=find_frames,
    claims=CLAIMS,
    shown=PARTS,
    data=json_fields,
    opening=(
        "Do measures find significant improvements of one system over another (SIP, SIR), can "
        "their low and high scores be trusted, can they be cheated, and how good are the "
        "outputs chosen by them? After Amigó, Giménez, Gonzalo and Verdejo (ACL 2009, section "
        "5). ULC is the plain mean of all measures, as in the paper; conclusions are judged by "
        "it. With --ulc, the mean of scaled measures is shown as well.",
    ),
)
