"""Make the pictures of the documents again: ``python -m docs.images.take``.

Clusters the demo and photographs its report by headless Chromium and its driver, which have to be
installed, as selenium has (``weps[test]``). With ``WEPS_DATA`` it also draws the figure of the
feature study, which takes minutes.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import run_weps
from tests.browser.chrome import started
from weps._files import resource_path

FOLDER = Path(__file__).resolve().parent
WINDOW = (1400, 1000)
STUDY_FIGURE = "figure-2.png"


def photograph_report(work: Path) -> None:
    """``report.png``: the report of the demo, with a person chosen."""
    run_weps.main(["cluster", str(resource_path("demo")), "--out", str(work), "--quiet"])
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if None in programs:
        sys.exit("chromium and chromedriver are needed (Debian: chromium, chromium-driver)")
    with started(*map(str, programs), "", work) as browser, browser.emulating(WINDOW):
        browser.driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
        browser.driver.get(f"{(work / 'Robin_Averdale.html').as_uri()}#person-2")
        browser.ready()
        browser.driver.save_screenshot(str(FOLDER / "report.png"))


def draw_study(corpus: Path, work: Path) -> None:
    """``study.png``: precision and recall of word n-grams and noun phrases."""
    run_weps.main(
        ["study", "features", str(corpus), "--out", str(work / "study"), "--files", "--quiet"]
    )
    shutil.copy(work / "study" / STUDY_FIGURE, FOLDER / "study.png")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        photograph_report(Path(folder))
        if data := os.environ.get("WEPS_DATA"):
            draw_study(Path(data, "corpora/weps-1/training"), Path(folder))
