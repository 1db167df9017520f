"""What the other tests rely on: that the browser tells of what must not be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.browser.chrome import Browser

_PAGE = """<!doctype html><html lang="en"><title>t</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<main><h1>t</h1>{}</main>"""


@pytest.fixture
def opened(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Browser:
    page = tmp_path / "page.html"
    page.write_text(_PAGE.format(request.param))
    browser.open(page.as_uri())
    return browser


@pytest.mark.parametrize("opened", ["<p>Nothing</p>"], indirect=True)
def test_a_sound_page_is_silent(opened: Browser) -> None:
    assert opened.complaints() == []
    assert [address.rpartition("/")[2] for address in opened.requests()] == ["page.html"]
    assert opened.barriers() == []


@pytest.mark.parametrize(
    "opened", ["<script>1</script>", "<img alt=x src=http://127.0.0.1/>"], indirect=True
)
def test_what_the_policy_forbids_is_told(opened: Browser) -> None:
    assert any("Content Security Policy" in complaint for complaint in opened.complaints())


@pytest.mark.parametrize(
    "opened",
    ["<img src=data:,>", "<p style='color:#999'>pale</p>", "<input>", "<h4>too deep</h4>"],
    indirect=True,
)
def test_a_barrier_is_told(opened: Browser) -> None:
    assert len(opened.barriers()) == 1


@pytest.mark.parametrize(
    "opened", ["<style>@media (prefers-color-scheme:dark){p{color:#333}body{background:#000}}"
               "</style><p>dark</p>"], indirect=True
)  # fmt: skip
def test_colours_are_judged_as_the_scheme_has_them(opened: Browser) -> None:
    assert opened.barriers() == []
    with opened.emulating(scheme="dark"):
        assert "color-contrast" in opened.barriers()[0]
