"""Pages that others in the browser send of themselves: consent, limits, and what they become."""

import json
import stat
import threading

from tests.cases import each_case
from tests.weps.app.conftest import ADDRESS
from weps.app.server import MAX_SENT_BYTES, SEND_PATH, Access, kept_key

SITE = "https://harbour.example"
PAGE = {
    "name": "Ada Lovell",
    "url": f"{SITE}/ada?a=1",
    "title": "../Ada <b>",
    "html": "<html><meta charset=latin-1><title>Ada</title><p>Ada Lovell is a baker in Zürich.",
}


def send(app, origin=SITE, key=None, method="POST", page=PAGE, **fields):
    key = app.access.key_of(SEND_PATH) if key is None else key
    headers = {"Origin": origin, "Sec-Fetch-Site": "cross-site", **fields}
    browser = app.flask.test_client()  # without the cookie, as other origins ask
    return browser.open(
        f"{SEND_PATH}?key={key}",
        method=method,
        base_url=ADDRESS,
        headers={name: value for name, value in headers.items() if value is not None},
        data=json.dumps(page),
    )


def decide(app, origin, allowed):
    return app.post("/origins", query_string={"origin": origin, "allowed": allowed})


def test_the_first_page_of_a_site_waits_for_consent_which_is_asked_for_once(app):
    answer = send(app)
    assert answer.headers["Access-Control-Allow-Origin"] == SITE
    assert f"whether {SITE} may send pages" in answer.json["message"]
    assert not app.folder.exists()
    page = app.get("/").text
    assert (f"<bdi>{SITE}</bdi>" in page, "Ada &lt;b&gt;" in page) == (True, True)
    assert app.ended(decide(app, SITE, 1)).error == ""
    assert decide(app, SITE, 1).status_code == 404
    assert (
        "adds this page to Ada Lovell"
        in send(app, page=PAGE | {"html": "Ada Lovell"}).json["message"]
    )
    for job in app.workspace.jobs.all():
        while not job.finished:
            threading.Event().wait(0.01)
    result = json.loads((app.folder / "Ada_Lovell.json").read_bytes())
    pages = [page for person in result["people"] for page in person["pages"]]
    pages += result.get("set_aside", [])
    assert {page["url"] for page in pages} == {PAGE["url"]}
    assert "in Zürich" in str(result)
    assert {path.parent for path in (app.folder / "pages").rglob("*.html")} == {
        app.folder / "pages" / "Ada_Lovell"
    }


def test_a_site_that_is_refused_sends_nothing_more(app):
    send(app)
    assert decide(app, SITE, 0).json == {"jobs": []}
    answer = send(app)
    assert (answer.status_code, "are refused" in answer.json["error"]) == (400, True)
    assert not app.folder.exists()
    for number in range(20):
        last = send(app, f"https://{number}.example")
    assert "too many pages wait" in last.json["error"]


@each_case(
    ("changed", "status"),
    [
        ({"key": ""}, 403),
        ({"key": "0" * 64}, 403),
        ({"Host": "evil.example:8737"}, 403),
        ({"origin": "null"}, 400),
        ({"origin": "https://a.example <b>"}, 400),
        ({"method": "GET"}, 405),
        ({"page": PAGE | {"url": "file:///etc/passwd"}}, 400),
        ({"page": PAGE | {"url": f"{SITE}/-->"}}, 400),
        ({"page": PAGE | {"name": "../.."}}, 400),
        ({"page": [PAGE]}, 400),
        ({"page": PAGE | {"html": "x" * MAX_SENT_BYTES}}, 400),
    ],
)
def test_what_is_no_page_of_a_site_is_refused(app, changed, status):
    answer = send(app, **changed)
    assert answer.status_code == status
    assert ("Access-Control-Allow-Origin" in answer.headers) == (status != 403)
    assert (app.workspace.sent, app.folder.exists()) == ({}, False)


def test_the_key_of_sending_lets_in_nowhere_else_and_only_sending_is_for_other_origins(app):
    browser, key = app.flask.test_client(), app.access.key_of(SEND_PATH)
    for path in ("/", "/jobs", "/names/Ada/", "/origins", "/search"):
        for method in ("GET", "POST", "OPTIONS"):
            answer = browser.open(
                f"{path}?key={key}", method=method, base_url=ADDRESS, headers={"Origin": SITE}
            )
            assert answer.status_code == 403, (path, method)
            assert "Access-Control-Allow-Origin" not in answer.headers
    asked = {"Access-Control-Request-Private-Network": "true"}
    answer = send(app, method="OPTIONS", **asked)
    assert answer.status_code == 204
    assert {name[15:]: value for name, value in answer.headers if name[:7] == "Access-"} == {
        "Allow-Origin": SITE,
        "Allow-Headers": "Content-Type",
        "Allow-Private-Network": "true",
    }
    assert send(app, key="0", method="OPTIONS", **asked).status_code == 403


def test_bookmarks_outlive_the_run_and_keys_that_are_none_do_not(tmp_path):
    key = kept_key(tmp_path)
    assert (len(key), kept_key(tmp_path), Access(send_key=key).key_of(SEND_PATH)) == (43, key, key)
    file = tmp_path / ".send-key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for damaged in (b"", b"x", b"\xff" * 43, b"\n" * 43, b"x" * 999):
        file.write_bytes(damaged)
        assert len({kept_key(tmp_path), kept_key(tmp_path), key}) == 3
    assert len(kept_key(tmp_path / "none" / "there")) == 43
