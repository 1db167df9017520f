"""What ``weps search`` costs and gives, with Debian's searx, all on this machine.

    python -m docs.benchmarks.searching

The demo's thirty pages are served, each on a loopback address of its own, behind an index that
searx asks beside three engines that fail. The same command is then given again, and at last an
update by another name finds the page on which the name does not stand.
"""

import json
import tempfile
from pathlib import Path

import run_weps
from tests.weps.web.demo_web import demo_web, searx
from weps._files import resource_path
from weps.records import Clustering
from weps.sources.opening import open_source
from weps_eval.clustering.scorers import scorer_for

DEMO = resource_path("demo")
NAME = "Robin_Averdale"


def main() -> None:
    """Search, search again, update, and compare the answer with the key of the demo."""
    with (
        tempfile.TemporaryDirectory() as scratch,
        demo_web(DEMO / NAME) as web,
        searx(web, Path(scratch)) as url,
    ):
        more = ["--url", url, "--yes", "--allow-private"]
        folders = ["--folder", f"{scratch}/pages", "--out", f"{scratch}/out"]
        for words in (
            ["search", "Robin Averdale", *folders],
            ["search", "Robin Averdale", *folders, "--quiet"],
            ["update", f"{scratch}/out", "--search", "--also", "robinaverdale", "--quiet"],
        ):
            print(f"\n$ weps {' '.join(words)}", flush=True)
            run_weps.main([*words, *more])
            print(_scores(Path(scratch, "out", f"{NAME}.json")), flush=True)
        print(f"\nrequests for pages and robots.txt that the hosts saw: {len(web.asked)}")


def _scores(answer: Path) -> str:
    """The official scores; pages are recognised by their file names."""
    people = json.loads(answer.read_text("utf-8"))["people"]
    groups = [frozenset(int(Path(page["url"]).stem) for page in who["pages"]) for who in people]
    source = open_source(DEMO)
    key = source.key(NAME)
    assert key is not None  # noqa: S101 - the demo has one
    scores = scorer_for(source).scores(Clustering(tuple(groups)), key, source.ranks(NAME))
    shown = ("bcubed_precision", "bcubed_recall", "bcubed_f05")
    return ", ".join(f"{measure} {scores[measure]:.2f}" for measure in shown)


if __name__ == "__main__":
    main()
