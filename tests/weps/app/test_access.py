"""Who may use the app."""

import secrets

import pytest

from tests.cases import each_case
from tests.weps.app.conftest import ADDRESS, OURS

EVIL = "http://evil.example"


@pytest.mark.parametrize("host", ["127.0.0.1:8737", "localhost:8737"])
@pytest.mark.parametrize("site", ["none", "same-origin", "cross-site"])
def test_the_printed_address_lets_in_and_is_replaced_by_one_without_the_token(app, host, site):
    browser = app.flask.test_client()
    address, base = app.access.address(8737), f"http://{host}"
    headers = {"Sec-Fetch-Site": site}
    answer = browser.get(address.removeprefix(ADDRESS), base_url=base, headers=headers)
    if site == "cross-site":  # the cookie is sent with what the page asks for, not with a redirect
        assert (answer.status_code, 'content="0; url=/"' in answer.text) == (200, True)
    else:
        assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert app.access.token not in answer.text
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert cookie == f"weps-8737={app.access.token}; HttpOnly; Path=/; SameSite=Strict"
    assert browser.get("/", base_url=base, headers={"Host": host.upper()}).status_code == 200


PATHS = [
    "/",
    "/static/app.css",
    "/favicon.ico",
    "/names/Ann/",
    "/jobs/1",
    "/none",
    "/names/Ann/saved",
]


@each_case(
    "sent",
    ["", "weps-8737=", "weps-8737=x", "weps-1={}", "weps-8737={}x", "weps-8737=é", "weps-8737"],
)
def test_without_the_token_there_is_nothing_but_how_to_get_in(app, sent):
    other = app.flask.test_client()
    headers = {"Cookie": sent.format(app.access.token)} if sent else {}
    tried = f"?token={secrets.token_urlsafe(32)}" if not sent else "?token=%ff%00é"
    for address in (*PATHS, *(path + tried for path in PATHS)):
        answer = other.get(address, base_url=ADDRESS, headers=headers)
        assert (answer.status_code, answer.mimetype) == (403, "text/plain"), address
        assert "Open the complete address that `weps serve` printed" in answer.text, address
        assert "Set-Cookie" not in answer.headers, address
    for path in PATHS:
        answer = other.post(path, base_url=ADDRESS, headers=OURS | headers)
        assert (answer.status_code, "printed" in answer.json["error"]) == (403, True), path


def test_the_token_is_compared_in_constant_time_and_new_each_time(app, monkeypatch):
    compared = []
    monkeypatch.setattr(
        "weps.app.access.hmac.compare_digest", lambda *pair: compared.append(pair) or False
    )
    assert app.get("/").status_code == 403
    assert compared
    assert len({type(app.access)().token for _ in range(99)}) == 99
    assert app.access.token not in repr(app.access)


@each_case(
    "headers",
    [
        {"Host": "evil.example:8737"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:80"},
        {"Host": "127.0.0.1:8737.evil.example"},
        {"Host": "localhost:8737@evil.example"},
        {"Host": "[::1]:8737"},
        {"Host": ""},
        {"Origin": EVIL},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:8737"},
        {"Origin": "http://localhost:8737"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Host": "evil.example:8737", "Origin": "http://evil.example:8737"},
    ],
)
def test_nobody_else_may_ask(app, headers):
    for path in ("/", "/static/app.css", "/names/Ann/", "/jobs/1", "/none"):
        answer = app.client.get(path, base_url=ADDRESS, headers=headers)
        assert (answer.status_code, answer.mimetype) == (403, "text/plain"), path
        assert "<" not in answer.text, path


WRITING = [
    ("POST", "/names"),
    ("POST", "/demo"),
    ("POST", "/search/plan"),
    ("POST", "/search"),
    ("POST", "/names/Ann/corrections"),
    ("POST", "/names/Ann/delete"),
    ("POST", "/names/Ann/cluster"),
    ("DELETE", "/jobs/1"),
    ("PUT", "/names/Ann/"),
]


@pytest.mark.parametrize(
    "without",
    [
        {"X-Weps": None},
        {"X-Weps": "0"},
        {"Origin": EVIL},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Host": "evil.example:8737"},
    ],
)
def test_only_the_apps_own_pages_may_change_something(app, without):
    headers = {name: value for name, value in (OURS | without).items() if value is not None}
    for method, path in WRITING:
        answer = app.client.open(path, method=method, base_url=ADDRESS, headers=headers)
        assert answer.status_code == 403, path
        assert not app.folder.exists(), path
        assert not app.workspace.jobs.all(), path
