import re
from importlib.resources import files

from weps.report.assets import frame, policy, script, style

FOLDER = files("weps.report").joinpath("page")


def test_every_file_of_the_page_is_used_once():
    whole = style() + script() + frame()
    for file in FOLDER.iterdir():
        assert whole.count(file.read_text("utf-8")) == 1, file.name


def test_the_script_never_makes_html_from_text():
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script())


def test_nothing_is_loaded():
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|@import|url\(|import\s*\(", script())
    assert not re.search(r"https?://|@import|url\(", style())


def test_the_policy_lets_the_page_talk_to_its_app_alone():
    assert "connect-src" not in policy(connected=False)
    assert "form-action 'none'" in policy(connected=False)
    assert policy(connected=True).endswith("form-action 'self'; connect-src 'self'")
    assert "default-src 'none'" in policy(connected=True)
