from dataclasses import replace
from pathlib import Path

from eval.report.claims import judge_claims
from eval.report.render import write_document
from eval.studies.base import Result
from eval.studies.grouped import GroupedInstances
from eval.studies.hbr.claims import CLAIMS
from eval.studies.hbr.findings import Findings, Plan, compute_findings
from eval.studies.hbr.report import (
    agreement_table,
    brief_agreement_table,
    build_document,
    predicted_table,
    systems_table,
)
from tests.eval.studies.made_up_groups import grouped, labelled

MANY = tuple(f"m{each}" for each in range(14))


def found(source: GroupedInstances | None = None) -> Findings:
    return compute_findings(source or grouped(MANY), Plan(samples=200, trees=True))


def written(findings: Findings, folder: Path) -> set[str]:
    study = Result(
        "made up", findings, judge_claims(CLAIMS, findings), ["Known."], "signature", "weps"
    )
    return {path.name for path in write_document(build_document(study), folder)}


def test_it_has_the_papers_plots(tmp_path: Path) -> None:
    names = written(found(), tmp_path)
    assert {"people-1-auc.svg", "people-1-worst.png", "people-1-predicted.svg"} <= names
    assert {"people-1.csv", "predicted.csv", "systems.csv", "conclusions.csv"} <= names


def test_without_people_there_are_predictions(tmp_path: Path) -> None:
    names = written(found(replace(grouped(), quality={})), tmp_path)
    assert {"predicted.csv", "systems.csv"} <= names
    assert not [name for name in names if name.startswith("people")]


def test_hbr_and_the_worst_are_never_left_out() -> None:
    findings = found()
    (against,) = findings.human_agreement
    rows = [row[0] for row in brief_agreement_table(against, ("topic", "topics")).rows[1:]]
    assert "HBR" in rows
    assert len(rows) <= 10
    every = [row[0] for row in agreement_table(against, "all", ("topic", "topics")).rows[1:]]
    assert sorted(every) == sorted([*MANY, "HBR"])
    assert rows[-1] == every[-1]


def test_labelled_instances_have_pwa_and_trees_have_no_rank() -> None:
    (against,) = found(labelled(groups=4, size=30)).human_agreement
    table = agreement_table(against, "all", ("name", "names"))
    heading = table.rows[0]
    (trees,) = (row for row in table.rows if row[0] == "boosted trees")
    assert heading[2] == "PWA"
    assert trees[heading.index("rank in the worst 10 %")] == "–"


def test_what_is_left_out_is_told() -> None:
    findings = found()
    assert predicted_table(findings, 3).title.endswith("the best 3 of 14")
    assert len(predicted_table(findings, None).rows) == 15
    assert systems_table(findings, 2).title.endswith("the best 2 of 8")
