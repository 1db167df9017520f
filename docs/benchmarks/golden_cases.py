"""The command lines that ``golden.py`` runs, and the small data that they read.

A line stands for what follows ``weps``; ``{out}`` is the folder whose files are digested, and
``{study}`` writes a study's JSON and report there. Cases may read what earlier ones have written,
``out/CASE/…``, and what ``prepare`` makes, ``in/…``.
"""

from __future__ import annotations

import random
import re
import shutil
import zipfile
from pathlib import Path

NEWS = "resources/testbed/news.jsonl"
MANY = (
    "usual,rouge,kernels,qarla,senses,summaries,translation,dice,cosine,perplexity,"
    "nicos(concepts=references)"
)
STUDIED = "usual,dice,cosine,rouge(n=3)"

FAST = {
    "cluster": "cluster resources/demo --out {out} --json {out}/printed.json",
    "cluster-warm": "cluster resources/demo --out {out} --jobs 1",
    "version": "--version",
    "features": "features",
    "features-markdown": "features",
    "features-json": "features --json {out}/features.json",
    "measures": "text measures",
    "measures-markdown": "text measures",
    "measures-json": "text measures --json {out}/measures.json",
    "score": f"text score {NEWS} --json {{out}}/scores.json --out {{out}}/matrix.csv",
    "qarla": f"meta qarla {NEWS} --measures 'usual,qarla' --keep {{out}}/s.csv {{study}}",
    "orange": "meta orange out/qarla/s.csv {study}",
    "hbr": "meta hbr in/matrix.csv --out {out}/hbr.csv {study}",
    "heterogeneity": "meta heterogeneity in/matrix.csv --sets 10 {study}",
    "improvements": "meta improvements in/matrix.csv --chosen s3 --scale 0 5 {study}",
    "correlation": "meta correlation in/matrix.csv {study}",
    "regression": "meta regression in/matrix.csv --variables 4 {study}",
}
FULL = {
    "cluster-paper": "cluster resources/demo --system paper --out {out}",
    "cluster-paper-all": "cluster resources/demo --system paper:features=all --out {out}",
    "cluster-threshold": "cluster resources/demo --threshold 0.7 --out {out} --no-cache --quiet",
    "cluster-corrections": "cluster resources/demo --corrections in/corrections.txt --out {out}",
    "cluster-old": "cluster in/old --name 'Robin Averdale' --out {out}",
    "cluster-old-corrected": "cluster in/old --name 'Robin Averdale' --corrections"
    " in/corrections.txt --out {out}",
    "update": "update out/cluster-old/Robin_Averdale.json resources/demo --name 'Robin Averdale'"
    " --out {out} --json {out}/changes.json",
    "update-corrected": "update out/cluster-old-corrected/Robin_Averdale.json in/new"
    " --out {out} --json {out}/changes.json",
    "score-many": f"text score {NEWS} --measures '{MANY}' --json {{out}}/scores.json",
    "score-senses": f"text score {NEWS} --measures 'esk,grouge(n=1),grouge(n=2, skip=4),"
    "meteor(synonyms=WordNet),rouge_w,bleu,ter' --out {out}/matrix.csv",
    "score-duc2004": f"text score {NEWS} --measures duc2004 --json {{out}}/scores.json",
    "qarla-options": f"meta qarla {NEWS} --measures '{STUDIED}' --triples all --clusters 3"
    " --seed 1 {study}",
    "orange-options": f"meta orange {NEWS} --measures '{STUDIED}' --ties half {{study}}",
    "heterogeneity-set": "meta heterogeneity in/matrix.csv --within all --samples 500 --most 40"
    " --sets 5 --human quality {study}",
    "hbr-testbed": f"meta hbr {NEWS} --measures '{STUDIED}' {{study}}",
    "hbr-instances": "meta hbr in/instances.csv --group topic --rivals 50 {study}",
    "heterogeneity-instances": "meta heterogeneity in/instances.csv --sets 5 --most 50 {study}",
    "improvements-options": "meta improvements in/matrix.csv --human fluency --test rank-sum"
    " --level 0.1 --ulc maximum {study}",
    "correlation-options": "meta correlation in/matrix.csv --human quality --ulc none {study}",
    "regression-options": "meta regression in/matrix.csv --human fluency --leave-out systems"
    " --folds 3 --variables 3 {study}",
    "study-table": "study features --table in/instances.csv --group topic --base overlap"
    " --combinations 10 --out {out} --files",
}
SMALL = "in/small-1"
DATA = {
    "weps1-cluster": f"cluster {SMALL} --out {{out}}",
    "weps1-cluster-paper": f"cluster {SMALL} --system paper --name Pam_Tetu --out {{out}}",
    "weps2-cluster": "cluster in/small-2 --out {out}",
    "results-cluster": "cluster data/corpora/weps-1/test --name Violet_Howard --out {out}",
    "weps1-evaluate": "evaluate data/corpora/weps-1/test --baselines --json {out}/scores.json",
    "weps2-evaluate": "evaluate data/corpora/weps-2 --baselines --json {out}/scores.json",
    "weps2-evaluate-weps1": "evaluate data/corpora/weps-2 --baselines --scorer weps1"
    " --name TOM_LINTON --name HAO_ZHANG --json {out}/scores.json",
    "weps2-answers": "evaluate in/small-2 out/weps2-cluster --json {out}/scores.json",
    "weps2-systems": "evaluate in/small-2 in/answers --baselines --json {out}/scores.json",
    "corrections-evaluate": "evaluate in/small-2 --corrections --json {out}/corrections.json",
    "weps1-train": f"train {SMALL} --system paper --out {{out}}/model.json",
    "weps1-train-default": f"train {SMALL} --seed 3 --exclude Pam_Tetu --out {{out}}/model.json",
    "weps1-trained": "cluster in/small-2 --model out/weps1-train/model.json --out {out}",
    "weps1-cv": f"benchmark --cv 2 {SMALL} --system paper --system paper:link=average"
    " --runs {out}/runs --report {out}/report --files --json {out}/scores.json",
    "weps2-cv": "benchmark --cv 3 in/small-2 --seed 1 --json {out}/scores.json",
    "transfer": f"benchmark --train {SMALL} --test in/small-2 --system paper"
    " --runs {out}/runs --json {out}/scores.json",
    "compare": "evaluate out/weps1-cv/runs --compare --json {out}/comparison.json",
    "study-features": f"study features {SMALL} --features non-linguistic --combinations 10"
    " --out {out} --files --instances {out}/instances.csv.gz",
    "study-transfer": f"study features {SMALL} --test in/small-2 --form tokens --features content"
    " --combinations 5 --out {out} --files --instances {out}/instances.csv",
    "study-key-terms": "study key-terms in/attributes --pages 2 {study}",
    "study-key-terms-documents": "study key-terms --keyphrases in/keyphrases.zip {study}",
    "study-key-terms-words": "study key-terms in/small-2 {study}",
    "study-refinements": "study refinements in/small-2 {study}",
    "study-refinements-pages": f"study refinements {SMALL} --pages grouped {{study}}",
    "convert-summeval": "text convert summeval data/text/summeval --out {out}/summeval.jsonl",
    "convert-wmt": "text convert wmt data/text/wmt21_deen --out {out}/wmt.jsonl",
    "convert-sts": "text convert sts data/text/sts2012/test --out {out}/sts.jsonl.gz",
    "convert-sts-scores": "text convert sts-scores data/text/sts2012 --table train"
    " --out {out}/scores.csv",
    "convert-duc": "text convert duc data/text/duc0102_scores"
    " --table 2001_sameLen_stop_words_remaining --out {out}/duc.csv",
    "duc-correlation": "meta correlation out/convert-duc/duc.csv {study}",
}
HELP = (
    "|cluster|update|serve|train|evaluate|benchmark|features|cache"
    "|text|text score|text measures|text convert|study|study features|study key-terms"
    "|study refinements|meta|meta qarla|meta orange|meta heterogeneity|meta hbr|meta improvements"
    "|meta correlation|meta regression"
).split("|")
BAD = (
    "nonsense",
    "cluster",
    "cluster nowhere",
    "cluster in/empty",
    "cluster resources/demo --system nonsense",
    "cluster resources/demo --system paper:link=nonsense",
    "cluster resources/demo --threshold 2",
    "cluster resources/demo --name Nobody",
    "cluster resources/demo --model in/broken.json --out {out}",
    "cluster resources/demo --corrections in/bad-corrections.txt --out {out}",
    "cluster resources/demo --corrections in/contradictory.txt --out {out}",
    "cluster resources/demo --language nonsense --out {out}",
    "cluster resources/demo --jobs zero",
    "update nowhere.json resources/demo",
    "update in/broken.json resources/demo",
    "train nowhere --out {out}/model.json",
    "train resources/demo --system paper:features=nonsense --out {out}/model.json",
    "evaluate nowhere",
    "evaluate resources/demo nowhere",
    "evaluate resources/demo in/bad-answers",
    "benchmark --cv 1 resources/demo",
    "benchmark --cv 5 resources/demo",
    "evaluate in/broken.json --compare",
    "benchmark",
    "study features",
    "study features --table in/matrix.csv",
    "study features --table in/instances.csv --label nonsense",
    "study features --table in/instances.csv --group nonsense",
    "study key-terms nowhere",
    "study refinements resources/demo --form tokens",
    "text score nowhere.jsonl",
    "text score in/broken.jsonl",
    f"text score {NEWS} --measures nonsense",
    f"text score {NEWS} --measures 'rouge(n=0)'",
    f"text score {NEWS} --measures 'rouge(part=recall'",
    f"text score {NEWS} --measures esk --wordnet nowhere",
    "text convert nonsense nowhere --out {out}/x.jsonl",
    "text convert summeval resources --out {out}/x.jsonl",
    f"meta improvements {NEWS}",
    "meta correlation in/instances.csv",
    "meta correlation in/broken.csv",
    "meta improvements in/matrix.csv --chosen nobody",
    "meta regression in/matrix.csv --human nonsense",
    "meta hbr in/matrix.csv --measures nonsense",
    "meta orange in/matrix.csv",
)
NAMES = {
    "small-1": (
        "corpora/weps-1/training",
        ("Celeste_Paquette", "Gillian_Symons", "Pam_Tetu", "Roy_Tamashiro", "Tim_Whisler"),
    ),
    "small-2": ("corpora/weps-2", ("BENJAMIN_SNYDER", "DAVID_WEIR", "HERB_RITTS", "TOM_LINTON")),
    "attributes": ("corpora/weps-1/training", ("Pam_Tetu", "Thomas_Baker")),
}
"""Folder below ``in`` → the corpus whose names are linked there, and which ones."""


def prepare(work: Path, data: Path | None) -> None:
    """Fill the folder that the commands run in, from the checkout that is the current folder.

    Args:
        work: an empty folder.
        data: the research data, if they are there.
    """
    (work / "resources").symlink_to(Path("resources").resolve())
    made = work / "in"
    for name in ("empty", "old", "new", "bad-answers"):
        (made / name).mkdir(parents=True)
    for page in Path("resources/demo/Robin_Averdale").iterdir():
        if page.stem.isdigit():
            shutil.copy(page, made / ("old" if int(page.stem) <= 20 else "new"))
    for name, text in _tables().items() | _faulty().items():
        (made / name).write_text(text, encoding="utf-8")
    (work / "site").mkdir()
    (work / "site" / "sitecustomize.py").write_text(_STOPPED_CLOCK, encoding="utf-8")
    if data:
        (work / "data").symlink_to(data.resolve())
        for folder, (corpus, names) in NAMES.items():
            _link_names(data / corpus, made / folder, names)
        _answers(data / "corpora/weps-2/gold_standard", made / "answers")
        _keyphrases(data / "text/keyterms/500N-KPCrowd-v1.1.zip", made / "keyphrases.zip")


_STOPPED_CLOCK = "import time\ntime.perf_counter = time.process_time = lambda: 0.0\n"
"""For ``sitecustomize.py``: what work takes is not to differ from run to run."""


def _link_names(corpus: Path, target: Path, names: tuple[str, ...]) -> None:
    """Make a corpus of a few names of another."""
    for part in corpus.iterdir():
        (target / part.name).mkdir(parents=True)
        for entry in part.iterdir():
            if entry.name.split(".")[0] in names:
                (target / part.name / entry.name).symlink_to(entry)


def _answers(keys: Path, target: Path) -> None:
    """Answers of two systems: the keys themselves, and keys that lack some pages."""
    for system in ("whole", "part"):
        (target / system).mkdir(parents=True)
    for name in NAMES["small-2"][1]:
        key = (keys / f"{name}.xml").read_text(encoding="utf-8")
        (target / "whole" / f"{name}.clust.xml").write_text(key, encoding="utf-8")
        part = re.sub(r'<doc rank="\d*[05]"[^>]*/>', "", key)
        (target / "part" / f"{name}.clust.xml").write_text(part, encoding="utf-8")


def _keyphrases(source: Path, target: Path) -> None:
    """Make a set of few documents of a large one."""
    with zipfile.ZipFile(source) as whole, zipfile.ZipFile(target, "w") as few:
        names = sorted(name for name in whole.namelist() if not name.endswith("/"))
        stems = sorted({Path(name).stem for name in names})
        chosen = {
            stem
            for kind in ("crime-", "tech-")
            for stem in [stem for stem in stems if stem.startswith(kind)][:15]
        }
        for name in names:
            if Path(name).stem in chosen:
                few.writestr(whole.getinfo(name), whole.read(name))


def _tables() -> dict[str, str]:
    """A measure matrix and labelled instances, invented."""
    draw = random.Random(19)  # noqa: S311 - invented data
    matrix = ["topic,system,human:quality,human:fluency,good,fair,poor,lengthy,double"]
    for topic in range(12):
        for system in range(6):
            quality, fluency = (min(5, max(0, system + draw.gauss(0, 1.5))) for _ in range(2))
            values = [quality + draw.gauss(0, spread) for spread in (0.5, 1.5, 4, 2)]
            row = (quality, fluency, *values, (values[0] + values[1]) / 2)
            matrix.append(f"t{topic},s{system}," + ",".join(f"{value:.4f}" for value in row))
    instances = ["label,topic,overlap,length,names,noise"]
    for number in range(240):
        label = draw.random() < 0.3
        values = [label * gain + draw.random() for gain in (0.8, 0.4, 0.5, 0)]
        row = ",".join(f"{value:.3f}" for value in values)
        instances.append(f"{int(label)},t{number % 8},{row}")
    return {
        "matrix.csv": "\n".join(matrix) + "\n",
        "instances.csv": "\n".join(instances) + "\n",
        "corrections.txt": "same 1 4 7\ndifferent 9 / 1\ncalled 1 The ecologist\nsplit 12 / 2 3\n",
    }


def _faulty() -> dict[str, str]:
    return {
        "bad-corrections.txt": "same one\nnonsense 3\n",
        "contradictory.txt": "same 1 2\nsame 2 3\ndifferent 3 / 1\n",
        "broken.json": '{"kind": "nonsense"}\n',
        "broken.jsonl": '{"kind": "weps testbed", "format": 1, "name": "x"}\n{"topic": 3}\n',
        "broken.csv": "topic,system,m\na,b,0.5\na,b,\n",
        "bad-answers/Robin_Averdale.clust.xml": "<clustering><entity></clustering>\n",
    }
