"""What downloads cost, from hosts on this machine: ``python -m docs.benchmarks.downloading``.

Time of 200 results on 60 hosts, by a clock that jumps to the next moment for which anybody waits,
against the least that the busiest host allows; memory for answers that inflate to 1 GiB; requests
repeated when a download is killed at random moments and resumed; and, where WEPS_DATA names the
research data, the pages there that are taken for walls and pages of error.
"""

import gzip
import os
import tempfile
from collections import Counter
from itertools import count
from pathlib import Path

import numpy as np

from tests.weps.web.bombs import BOMBS, measure_bomb
from tests.weps.web.loopback import page, reply, results, serving
from tests.weps.web.test_downloading import ends_within
from weps.sources.base import MANIFEST, PageStatus, read_manifest
from weps.web.downloading import download_pages, inspect_page

RESULTS, HOSTS = 200, 60
ASKING = {3: 4.0, 5: 2.0}
"""Hosts with a Crawl-delay, in seconds; the others are given one second."""
MEGABYTES = 1024
KILLS = 50
CHILD_PAGES, CHILD_HOSTS = 60, 12


def main() -> None:
    """Print the three measurements."""
    show_time()
    show_memory()
    show_kills()
    if folder := os.environ.get("WEPS_DATA"):
        show_blocked(Path(folder))


def show_blocked(data: Path) -> None:
    """What is taken for something else than a page, among pages that were saved as such."""
    for place, pattern in (("corpora/weps-1/training", "*.htm*"), ("html", "*.html.gz")):
        reasons: Counter[str] = Counter()
        for file in sorted((data / place).rglob(pattern)):
            raw = file.read_bytes()
            body = gzip.decompress(raw) if file.suffix == ".gz" else raw
            reasons[inspect_page("", "", body, "")[1]] += 1
        print(f"{place}: {reasons.total():,} pages, {dict(reasons)} (without a reason: pages)")


def show_time() -> None:
    """Time by the clock, and the least distance between requests as the hosts saw them."""
    for seed in range(3):
        draw = np.random.default_rng(seed)
        more = (int(HOSTS * draw.random() ** 3) for _ in range(RESULTS - HOSTS))
        hosts = [*range(HOSTS), *more]
        asked = [f"h{host}.example/{number}" for number, host in enumerate(hosts)]
        with serving() as web, tempfile.TemporaryDirectory() as folder:
            web.replies = {each: page(each) for each in asked}
            for host, delay in ASKING.items():
                rules = f"User-agent: *\nCrawl-delay: {delay}"
                web.replies[f"h{host}.example/robots.txt"] = reply(rules, Content_Type="text/plain")
            summary = download_pages(results(*asked), Path(folder), web.options)
            busiest = max(hosts, key=lambda host: hosts.count(host) * ASKING.get(host, 1.0))
            least = hosts.count(busiest) * ASKING.get(busiest, 1.0)
            ratios = [
                web.least_distance(f"h{host}.example") / ASKING.get(host, 1.0)
                for host in set(hosts)
            ]
            print(
                f"{RESULTS} results, {HOSTS} hosts, seed {seed}: {summary.seconds:.1f} s, at least "
                f"{least:.1f} s for {hosts.count(busiest)} pages of one host; distance over delay "
                f"{min(ratios):.2f} or more; at most {web.most_under_way} requests at once; "
                f"{summary.counts[PageStatus.OK]} saved, {summary.requests} requests"
            )


def show_memory() -> None:
    """Peak memory above that of an ordinary download, by encoding."""
    for encoding, make in BOMBS.items():
        with serving() as web, tempfile.TemporaryDirectory() as folder:
            bomb = make(MEGABYTES)
            web.replies = {"first.example/": page("first"), "bomb.example/": bomb}
            above, status, length, note = measure_bomb(web.port, Path(folder))
            print(f"{encoding}: {len(bomb):,} bytes, +{above:.1f} MB, {status}, {length:,}, {note}")


def show_kills() -> None:
    """How often a page was asked for that the folder had, and how often one under way."""
    names = [f"h{number % CHILD_HOSTS}.example/{number}" for number in range(CHILD_PAGES)]
    draw = np.random.default_rng(1)
    kills = again = repeated = lost = 0
    with serving() as web, tempfile.TemporaryDirectory() as scratch:
        web.replies = {each: page(each) for each in names}
        for trial in count():
            if kills >= KILLS:
                break
            folder = Path(scratch, str(trial))
            web.requests.clear()
            known: set[str] = set()
            ended = False
            while not ended:
                before = len(web.asked)
                ended = ends_within(draw.uniform(0.0, 0.6), web.port, folder)
                again += len(known.intersection(web.asked[before:]))
                has_manifest = (folder / MANIFEST).exists()
                saved = read_manifest(folder).pages.values() if has_manifest else ()
                known = {each.url.removeprefix("http://") for each in saved if each.file}
                kills += not ended
            lost += CHILD_PAGES - len(known)
            repeated += sum(Counter(web.asked).values()) - CHILD_PAGES
    print(
        f"{kills} kills: {again} pages asked for that the folder had, {lost} lost, "
        f"{repeated} requests repeated that were under way"
    )


if __name__ == "__main__":
    main()
