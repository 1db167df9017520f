"""The study as JSON knows it (docs/schema/meta-orange.schema.json)."""

from __future__ import annotations

from typing import Any

from eval.meta_study.figures_data import estimate_data
from eval.meta_study.orange.findings import Findings
from eval.meta_study.orange.standings import SHARES
from eval.meta_study.study import Study, as_data

__all__ = ["study_data"]


def study_data(study: Study[Findings]) -> dict[str, Any]:
    """Signature, figures of measures, likeness against acceptability, and verdicts."""
    findings = study.findings
    return as_data(
        study,
        topics=[each.topic for each in findings.compared.topics],
        listing=findings.settings.listing,
        ties=findings.settings.ties,
        measures=_measures(findings),
        orange_with_king=findings.with_king and estimate_data(findings.with_king),
        likeness=[
            {
                "likeness": way,
                "criterion": each.criterion,
                "highest": highest,
                "acceptable": estimate_data(each.acceptable.estimates[at]),
                "human_like": estimate_data(each.human_like.estimates[at]),
                "accepted": estimate_data(each.accepted.estimates[at]),
                "likened": estimate_data(each.likened.estimates[at]),
                "gap": estimate_data(each.gap(at)),
            }
            for way, some in findings.standings.items()
            for each in some
            for at, highest in enumerate(SHARES)
        ],
        stability=_stability(findings),
    )


def _measures(findings: Findings) -> dict[str, Any]:
    """Best first."""
    kings = findings.qarla.kings.estimates if findings.qarla else None
    names = findings.compared.measures
    return {
        names[each]: {
            "orange": estimate_data(findings.orange.estimates[each]),
            "average_rank": estimate_data(findings.ranks.estimates[each]),
            "rank_of_list": estimate_data(findings.ratios.estimates[each]),
            "king": kings and estimate_data(kings[each]),
            "people": {
                one.criterion: {
                    "systems": estimate_data(one.systems.estimates[each]),
                    "outputs": estimate_data(one.outputs.estimates[each]),
                }
                for one in findings.acceptances
            },
        }
        for each in findings.order
    }


def _stability(findings: Findings) -> list[dict[str, Any]]:
    found = findings.stability
    if found is None:
        return []
    pairs = zip(found.estimates(found.orange), found.estimates(found.king), strict=True)
    return [
        {"references": size, "orange": estimate_data(one), "king": estimate_data(other)}
        for size, (one, other) in zip(found.references, pairs, strict=True)
    ]
