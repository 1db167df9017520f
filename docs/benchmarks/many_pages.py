"""Cost and quality of names with many pages: ``python -m docs.benchmarks.many_pages 100 1000``.

For each number of pages a mixed name is made of the WePS-1 training names (WEPS_DATA), and answered
twice in processes of its own: without a cache, and with what the first run left in it. Where the
names have too few pages, copies of them are added, each without two fifths of its longer pieces of
text, as pages of the same person. Printed are the processor seconds of each stage and
the peak of memory; with ``--both`` also how good the answer is when all pairs of pages are compared
and when candidates are, by B-Cubed F0.5 (``--seeds N`` names of each size). With ``--update 10``
the commands are measured that cluster a name, add so many pages to the result, and cluster all of
them anew with what the first has left in the cache, again, and without a cache.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from math import log
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from weps import pipeline
from weps._cache import Cache
from weps.model import pretrained
from weps.reading import Reader
from weps.records import Clustering, Page, Search
from weps.report.view import Report
from weps.results.files import write_report
from weps.similarity.columns import pair_position
from weps.sources.opening import open_source
from weps_eval.benchmark.corpus import mix_names
from weps_eval.clustering.measures import MEASURES, Comparison

CORPUS = "corpora/weps-1/training"
LEFT_OUT = "George_Clinton"
"""Its pages are not all there."""
LIKELY = 0.5
"""Probability of pairs that should be candidates; not calibrated."""
PIECE, KEPT_SHARE = re.compile(rb">[^<>]{40,}(?=<)"), 0.6
"""Text between two tags; without mark-up, scripts would be text."""


def mixed_name(size: int, seed: int, folder: Path | None = None) -> tuple[Search, Clustering]:
    """A name of so many pages, and who they are about; pages are in memory or in the folder."""
    source = open_source(Path(os.environ["WEPS_DATA"]) / CORPUS)
    names = [name for name in source.names if name != LEFT_OUT and source.key(name)]
    available = sum(len(source.ranks(name)) for name in names)
    mixed = mix_names(source, names, min(size, available), seed)
    (name,) = mixed.names
    search, key = mixed.search(name), mixed.key(name)
    pages = [saved(page, page.read_content(), folder) for page in search.pages]
    group_of = {rank: at for at, group in enumerate(key.groups if key else ()) for rank in group}
    generator = np.random.default_rng(seed)
    while len(pages) < size:
        copied = search.pages[generator.integers(len(search.pages))]
        page = replace(copied, rank=len(pages) + 1)
        pages.append(saved(page, thinned(copied, generator), folder))
        if copied.rank in group_of:
            group_of[page.rank] = group_of[copied.rank]
    people = defaultdict(set)
    for rank, group in group_of.items():
        people[group].add(rank)
    return Search(search.name, tuple(pages)), Clustering(tuple(map(frozenset, people.values())))


def saved(page: Page, content: bytes | None, folder: Path | None) -> Page:
    """The page with this content, which is read when it is needed from a file of the folder."""
    if content is None or folder is None:
        return replace(page, content=content)
    file = folder / f"{page.rank}.html"
    file.write_bytes(content)
    return replace(page, content=file.read_bytes)


def thinned(page: Page, generator: np.random.Generator) -> bytes:
    """The content of a page without some of its longer pieces of text."""

    def kept(piece: re.Match[bytes]) -> bytes:
        return piece[0] if generator.random() < KEPT_SHARE else b">"

    return PIECE.sub(kept, page.read_content() or b"")


def seconds() -> float:
    """Processor time of this process and those that it waited for."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


@threadpool_limits.wrap(limits=1, user_api="blas")  # as in `weps cluster`
def answer_one(size: int, seed: int, compared: int, cache: str, folder: Path) -> None:
    """Answer for one name, and print stages, memory and quality as JSON."""
    pipeline.MAX_COMPARED_PAGES = compared or pipeline.MAX_COMPARED_PAGES
    search, key = mixed_name(size, seed, folder)
    models = pretrained(embeddings="none")
    reader = Reader(embeddings="none", cache=Cache(Path(cache)) if cache else None)
    stages, began = defaultdict(float), [seconds(), "reading pages"]

    def note(what: str) -> None:
        now = seconds()
        stages[began[1]] += now - began[0]
        began[:] = now, what

    prepared = pipeline.prepare_search(search, models, reader, lambda what, *_: note(what))
    note("building the answer")
    answer = pipeline.build_answer(prepared)
    note("writing the report")
    written = write_report(Report(answer), "name", folder)
    sizes = {each.suffix: each.stat().st_size for each in written}
    note("")
    stages.pop("", None)
    quality = Comparison(answer.clustering.groups, key.groups)
    likely = np.flatnonzero(prepared.compared.scores[0] > LIKELY) if compared else np.empty(0)
    if compared and (candidates := prepared.compared.candidates) is not None:
        first, second = np.triu_indices(len(search.pages), 1)
        of_copies = candidates.original[first], candidates.original[second]
        same = of_copies[0] == of_copies[1]
        positions = pair_position(np.minimum(*of_copies), np.maximum(*of_copies), len(search.pages))
        likely = np.flatnonzero(same | np.isin(positions, candidates.positions))
    print(
        json.dumps(
            {
                "stages": stages,
                "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
                "people": len(answer.people),
                "pairs": len(prepared.table.values),
                "sizes": sizes,
                "f": MEASURES["bcubed_f05"].value(quality),
                "likely": likely.tolist(),
            }
        )
    )


def measured(size: int, seed: int = 0, compared: int = 0, cache: str = "") -> dict:
    """What a process of its own finds."""
    words = [f"{size}", "--one", f"{seed}", f"{compared}", cache]
    run = subprocess.run(  # noqa: S603 - this very interpreter
        [sys.executable, "-m", "docs.benchmarks.many_pages", *words],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout)


def rows(sizes: list[int]) -> Iterator[str]:
    """A line for each size, cold and warm, and how fast each stage grows."""
    before: dict[str, tuple[int, dict]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as cache:
            for kind in ("cold", "warm"):
                found = measured(size, cache=cache)
                stages = found["stages"]
                texts = [f"{name} {spent:.1f}" for name, spent in stages.items()]
                if kind in before:
                    less, known = before[kind]
                    texts = [
                        f"{text} (^{log(stages[name] / known[name]) / log(size / less):.1f})"
                        if known.get(name) and stages[name]
                        else text
                        for name, text in zip(stages, texts, strict=True)
                    ]
                before[kind] = size, stages
                yield (
                    f"{size:>6} {kind}: {sum(stages.values()):6.1f} s, {found['megabytes']} MB, "
                    f"{found['pairs']:,} pairs, HTML {found['sizes']['.html'] / 1e6:.1f} MB, "
                    f"JSON {found['sizes']['.json'] / 1e6:.1f} MB; " + ", ".join(texts)
                )


def both(sizes: list[int], seeds: int) -> Iterator[str]:
    """A line for each name: F0.5 of all pairs and of candidates, and how many likely are these."""
    for size in sizes:
        differences = []
        for seed in range(seeds):
            whole, part = (measured(size, seed, compared) for compared in (10**6, size - 1))
            differences.append(part["f"] - whole["f"])
            likely = set(whole["likely"])
            yield (
                f"{size:>6} seed {seed}: F0.5 {whole['f']:.3f} of all {whole['pairs']:,} pairs, "
                f"{part['f']:.3f} of {part['pairs']:,}; {differences[-1]:+.3f}; of {len(likely):,} "
                f"likely pairs {len(likely & set(part['likely'])) / len(likely):.4f} are candidates"
            )
        yield f"{size:>6} mean difference {sum(differences) / len(differences):+.3f}"


def updates(sizes: list[int], added: int) -> Iterator[str]:
    """A line for each size: processor seconds of each command, start-up included."""
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for part in ("all", "first", "new"):
                (root / part).mkdir()
            search, _ = mixed_name(size + added, 0, root / "all")
            for file in (root / "all").iterdir():
                part = "first" if int(file.stem) <= size else "new"
                shutil.copy(file, root / part)
            usual = ["--embeddings", "none", "--quiet", "--cache"]
            anew = ["cluster", f"{root}/all", "--name", search.name, "--again", *usual]

            def spent(*words: str) -> float:
                began = seconds()
                command = [sys.executable, "-m", "weps", *words]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
                return seconds() - began

            first = ["cluster", f"{root}/first", "--name", search.name, *usual, f"{root}/cache"]
            found = {f"{size} pages": spent(*first, "--out", f"{root}/first-out")}
            shutil.copytree(root / "cache", root / "cache-anew")
            update = ["update", f"{root}/first-out", f"{root}/new", *usual, f"{root}/cache"]
            found["update"] = spent(*update, "--out", f"{root}/updated")
            for kind, cache in (("anew", "-anew"), ("anew again", "-anew"), ("no cache", "-empty")):
                words = [*anew, f"{root}/cache{cache}", "--out", f"{root}/out{cache}"]
                found[kind] = spent(*words)
            people = [people_of(root / each) for each in ("updated", "out-anew", "out-empty")]
            same = "same people" if people[0] == people[1] == people[2] else "other people"
            yield ", ".join([*(f"{kind} {each:.1f}" for kind, each in found.items()), same])


def people_of(folder: Path) -> set[frozenset[str]]:
    """The files of the pages of each person of the only result in a folder."""
    data = json.loads(next(folder.glob("*.json")).read_bytes())
    pages = ([Path(page["file"]).name for page in each["pages"]] for each in data["people"])
    return set(map(frozenset, pages))


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", type=int, nargs="+", metavar="PAGES")
    parser.add_argument("--both", action="store_true", help="compare the answers, not the costs")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--update", type=int, metavar="PAGES", help="add so many to a result")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        seed, compared, cache = options.one
        with tempfile.TemporaryDirectory() as folder:
            answer_one(options.sizes[0], int(seed), int(compared), cache, Path(folder))
        return
    print(f"processor seconds; load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores", flush=True)
    lines = both(options.sizes, options.seeds) if options.both else rows(options.sizes)
    lines = updates(options.sizes, options.update) if options.update else lines
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
