"""From a correction in the app to its new answer on the screen.

``python -m docs.benchmarks.correcting 100 400``: for each number of pages a mixed name is made of
the WePS-1 training names (WEPS_DATA), clustered, and opened in ``weps serve`` and Chromium.
Corrections of one page each of two of its largest people follow one another, *same* twice as often
as *different*. Printed are medians of seconds: from the request until the new report can be used,
of which for the answer and its files but the HTML, for the report, and for the browser; and the CPU
seconds of the app until then. ``--before CHECKOUT`` does the same by turns with another checkout,
the ratio to which is printed. Needs selenium, Debian's chromium and chromium-driver.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from selenium.webdriver import Chrome
from selenium.webdriver.support.ui import WebDriverWait

from docs.benchmarks.many_pages import mixed_name
from docs.benchmarks.reports import browser

LARGEST = 12
"""People whose pages are corrected."""
PATIENCE = 120
NAME = "Mixed_Name"
_ENTRY = re.compile(r"http://127\.0\.0\.1:\d+/\?token=[\w-]+")
_CORRECT = """
const [action, pages, done] = arguments;
const seen = document.querySelector("meta[name=weps-version]").content;
const body = JSON.stringify({action, pages, to: null, name: "", seen});
const headers = {"Content-Type": "application/json", "X-Weps": "1"};
const began = Date.now();
fetch("corrections", {method: "POST", headers, body}).then((answer) => {
  if (answer.ok) setTimeout(() => location.reload());
  done(answer.ok ? began : 0);
});
"""
_READY = """
const ready = document.documentElement.dataset.ready && performance.timeOrigin > arguments[0];
return ready && performance.now();
"""
_TIMES = """
const {responseEnd} = performance.getEntriesByType("navigation")[0];
return [performance.timeOrigin, responseEnd];
"""


@dataclass
class App:
    """``weps serve`` of a checkout, with the report of the name open in a window of its own."""

    chrome: Chrome
    process: subprocess.Popen[str]
    window: str
    results: Path
    costs: list[Mapping[str, float]] = field(default_factory=list)

    def correct(self, action: str, places: tuple[float, ...]) -> bool:
        """Correct two pages, and note what it took; False if earlier corrections contradict it."""
        self.chrome.switch_to.window(self.window)
        html = self.results / f"{NAME}.html"  # written last, when the answer is on the screen
        while html.stat().st_mtime < html.with_suffix(".json").stat().st_mtime:
            time.sleep(0.1)
        people = json.loads((self.results / f"{NAME}.json").read_bytes())["people"]
        ranks = [[page["rank"] for page in person["pages"]] for person in people]
        largest = sorted(ranks, key=len, reverse=True)[:LARGEST]
        one, other = (largest.pop(int(place * len(largest))) for place in places[:2])
        pages = [one[int(places[2] * len(one))], other[int(places[3] * len(other))]]
        before = self.cpu()
        began = self.chrome.execute_async_script(_CORRECT, action, pages)
        if not began:
            return False
        ready = self.wait(began)
        origin, response = self.chrome.execute_script(_TIMES)
        seconds = {
            "total": origin - began + ready,
            "answer": origin - began,
            "report": response,
            "browser": ready - response,
        }
        self.costs.append(
            {key: value / 1000 for key, value in seconds.items()} | {"CPU": self.cpu() - before}
        )
        return True

    def wait(self, began: float = 0) -> float:
        """The milliseconds after which the report could be used."""
        waiting = WebDriverWait(self.chrome, PATIENCE, 0.01)
        return float(waiting.until(lambda chrome: chrome.execute_script(_READY, began)))

    def cpu(self) -> float:
        """The CPU seconds of the app so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def started(checkout: Path, pages: Path, results: Path, chrome: Chrome) -> Iterator[App]:
    """The app of a checkout, on results that it has made itself."""
    program = [sys.executable, str(checkout / "run_weps.py")]
    path = os.pathsep.join([str(checkout), str(checkout / "eval")])
    environment = os.environ | {"PYTHONPATH": path, "WEPS_CACHE": str(results / "cache")}
    making = [*program, "cluster", str(pages), "--out", str(results), "--quiet"]
    subprocess.run(making, env=environment, check=True)  # noqa: S603 - this project's program
    serving = [*program, "serve", str(results), "--port", "0"]
    with subprocess.Popen(  # noqa: S603 - the same
        serving, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            found = _ENTRY.search(process.stdout.readline() if process.stdout else "")
            if not found:
                sys.exit(f"{checkout}: weps serve does not start")
            chrome.switch_to.new_window("tab")
            chrome.get(found[0])
            chrome.get(f"{found[0].partition('?')[0]}names/{NAME}/")
            app = App(chrome, process, chrome.current_window_handle, results)
            waiting = WebDriverWait(chrome, PATIENCE, 0.1)
            waiting.until(
                lambda _: chrome.execute_script("return document.querySelector('#view-pages')")
            )
            app.wait()
            yield app
        finally:
            process.terminate()


def measured(size: int, checkouts: list[Path], rounds: int) -> list[App]:
    """The apps of all checkouts after so many corrections of each, by turns."""
    generator = random.Random(size)  # noqa: S311 - no secret
    with tempfile.TemporaryDirectory() as folder, browser() as chrome, ExitStack() as stack:
        pages = Path(folder) / "pages" / NAME
        pages.mkdir(parents=True)
        for page in mixed_name(size, 0)[0].pages:
            (pages / f"{page.rank:04}.html").write_bytes(page.read_content() or b"")
        apps = [
            stack.enter_context(started(checkout, pages, Path(folder) / f"results{at}", chrome))
            for at, checkout in enumerate(checkouts)
        ]
        for number in range(rounds):
            for app in apps if number % 2 else apps[::-1]:
                state, corrected = generator.getstate(), False
                while not corrected:
                    places = tuple(generator.random() for _ in range(4))
                    corrected = app.correct("different" if number % 3 == 2 else "same", places)
                following = generator.getstate()
                generator.setstate(state)
            generator.setstate(following)
        return apps


def row(size: int, title: str, app: App) -> tuple[str, dict[str, Any]]:
    """A line of the table, and its medians."""
    found = {key: median(cost[key] for cost in app.costs) for key in app.costs[0]}
    cells = "".join(f"{value:>9.2f}" for value in found.values())
    slowest = max(cost["total"] for cost in app.costs)
    return f"{size:>6}  {title:<8}{cells}{slowest:>9.2f}", found


def main() -> None:
    """Print a line for each size and checkout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", type=int, nargs="+", metavar="PAGES")
    parser.add_argument("--before", type=Path, metavar="CHECKOUT")
    parser.add_argument("--rounds", type=int, default=9, help="corrections of each name")
    options = parser.parse_args()
    here = Path(__file__).resolve().parents[2]
    checkouts = [*([options.before.resolve()] if options.before else []), here]
    print(
        f"{datetime.now(UTC):%Y-%m-%d}  {platform.machine()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}  Python {platform.python_version()}; seconds, medians of "
        f"{options.rounds}\n"
        f" pages          "
        + "".join(
            f"{each:>9}" for each in ("total", "answer", "report", "browser", "CPU", "slowest")
        )
    )
    for size in options.sizes:
        found = []
        for app, title in zip(
            measured(size, checkouts, options.rounds),
            ("before", "now")[-len(checkouts) :],
            strict=True,
        ):
            line, medians = row(size, title, app)
            print(line, flush=True)
            found.append(medians)
        if len(found) > 1:
            before, now = found
            print(
                f"{'':<16}"
                + "".join(f"{now[key] / max(before[key], 1e-3):>9.2f}" for key in now)
                + "  ratio",
                flush=True,
            )


if __name__ == "__main__":
    main()
