"""The wheel carries everything: installed elsewhere, it does the main job."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*command, str(ROOT)], check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_does_the_main_job_away_from_the_checkout(wheel, tmp_path):
    installed = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(installed)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    demo = installed / "weps" / "resources" / "demo"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "run_weps", "cluster", str(demo)],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "report: weps-out" in done.stdout
    assert (elsewhere / "weps-out" / "Robin_Averdale.html").is_file()


def test_the_wheel_holds_code_and_resources_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"weps", "weps_eval", "run_weps.py"}
    models = {name for name in names if name.startswith("weps/resources/models/")}
    assert {Path(name).stem for name in models} == {*("default", "small", "paper", "paper-all")}
    assert "weps/resources/language/weps_en/config.cfg" in names
    assert "weps/resources/wordnet/wordnet-3.0.npz" in names
    assert "weps/resources/rarity/english.txt" in names
    licences = {name.partition("licenses/resources/")[2] for name in names}
    assert {"wordnet/LICENSE", "rarity/LICENSE.md", "language/LICENSE.md"} <= licences
    assert "weps/py.typed" in names
