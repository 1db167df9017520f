"""The study as JSON knows it (docs/schema/meta-qarla.schema.json)."""

from __future__ import annotations

from typing import Any

from eval.meta_study.figures_data import by_measure, estimate_data, number
from eval.meta_study.qarla.findings import Findings
from eval.meta_study.study import Study, as_data

__all__ = ["study_data"]


def study_data(study: Study[Findings]) -> dict[str, Any]:
    """Signature, figures of measures, sets, clusters and systems, and verdicts."""
    findings = study.findings
    compared, standing = findings.compared, findings.standing
    return as_data(
        study,
        topics=[each.topic for each in compared.topics],
        triples=findings.settings.triples,
        measures=_measures(findings),
        sets=_sets(findings),
        clusters=[
            {
                "measures": [compared.measures[one] for one in each.measures],
                "best": compared.measures[each.best],
                "king": each.king,
            }
            for each in findings.clusters
        ],
        systems=by_measure(standing.systems, standing.queens),
        references=by_measure(standing.references, standing.of_references),
        jack=[
            {
                "form": each.form.value,
                "jack": estimate_data(each.jack),
                "by_peers": each.by_peers.value.tolist(),
            }
            for each in findings.reliability
        ],
    )


def _measures(findings: Findings) -> dict[str, Any]:
    """Best first."""
    names, first = findings.compared.measures, findings.first
    return {
        names[each]: {
            "king": estimate_data(findings.king(each)),
            "early": estimate_data(findings.early.estimates[each]),
            "people_first": first and number(float(first.value[each])),
            "people_first_by_queen": first and number(float(first.value[len(names) + each])),
            "people": {
                one.criterion: {
                    "mean": estimate_data(one.plain.estimates[each]),
                    "queen": estimate_data(one.queens.estimates[each]),
                }
                for one in findings.agreements
            },
        }
        for each in findings.order
    }


def _sets(findings: Findings) -> dict[str, Any]:
    names, search = findings.compared.measures, findings.search
    crossed, first = findings.crossed, findings.first
    return {
        "tried": search.tried,
        "candidates": [names[each] for each in search.candidates],
        "best": [names[each] for each in findings.best],
        "king": estimate_data(findings.kings.estimates[search.best]),
        "people_first": first and number(float(first.value[-1])),
        "people": {
            one.criterion: {
                "queen": estimate_data(one.queens.estimates[search.best]),
                "king_with_people": estimate_data(one.with_king()),
            }
            for one in findings.agreements
        },
        "greedy": [
            {"measures": [names[one] for one in each.measures], "king": each.king}
            for each in findings.greedy
        ],
        "on_other_topics": crossed
        and {
            "several": estimate_data(crossed.kings.estimates[0]),
            "single": estimate_data(crossed.kings.estimates[1]),
            "gain": estimate_data(crossed.kings.difference(1, 0)),
        },
    }
