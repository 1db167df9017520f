"""The local app, from dropping pages to deleting them."""

import json
import socket

import pytest

from tests.browser.programs import package, serving
from weps._files import resource_path
from weps.corrections.model import CORRECTIONS_SUFFIX, read_corrections

NAME = "Robin_Averdale"
PATIENCE = 30.0
"""Seconds until pages are clustered."""
WATCH = """
sessionStorage.setItem("progress", "");
const jobs = document.getElementById("jobs");
new MutationObserver(() => {
    const text = jobs.querySelector(".job .what")?.textContent ?? "";
    sessionStorage.setItem("progress", sessionStorage.getItem("progress") + text + "\\n");
}).observe(jobs, {subtree: true, childList: true, characterData: true});
"""


@pytest.fixture(scope="module")
def app(browser, tmp_path_factory):
    package("flask")
    package("waitress")
    with serving(tmp_path_factory.mktemp("app")) as running:
        browser.open(running.address)
        assert "printed in its terminal" in browser.run("return document.body.textContent")
        browser.open(running.entry)
        assert browser.run("return location.href") == running.address
        yield running


@pytest.fixture(scope="module")
def at(app, open_url):
    """Opens a page of the app."""
    return lambda path: open_url(app.address + path)


@pytest.fixture(scope="module")
def progress(at):
    """The demo's pages dropped and clustered, and the progress shown meanwhile."""
    page = at("")
    page.browser.run(WATCH)
    page.find("#folder").send_keys(str(resource_path("demo") / NAME))
    page.browser.until("document.getElementById('name').value === 'Robin Averdale'")
    page.click("#drop button[type=submit]")
    page.browser.until(f"location.pathname === '/names/{NAME}/'", seconds=PATIENCE)
    page.browser.ready()
    assert page.browser.complaints() == []
    words: str = page.browser.run("return sessionStorage.getItem('progress')")
    return set(words.split("\n")) - {""}


def _report(at):
    """The report, if need be after its pages were read again."""
    page = at(f"names/{NAME}/")
    page.browser.until("document.querySelector('.row')", seconds=PATIENCE)
    page.browser.ready()
    return page


def _partition_on_disk(app):
    answer = json.loads((app.folder / f"{NAME}.json").read_bytes())
    return {frozenset(page["rank"] for page in person["pages"]) for person in answer["people"]}


def test_a_newcomer_sees_what_to_do(at):
    page = at("")
    assert page.visible("#drop")
    assert "Try the demo" in page.texts("button")
    page.click("#drop button[type=submit]")
    assert page.browser.run("return document.activeElement.id") in {"alert", "name"}


def test_dropped_pages_are_clustered_while_one_watches(app, progress):
    assert len(progress - {"Waiting", "Done"}) > 0
    assert {f"{NAME}{ending}" for ending in (".json", ".html", ".csv", ".clust.xml")} <= app.files(
        NAME
    )


@pytest.mark.usefixtures("progress")
def test_the_report_is_that_on_disk(app, at):
    page = _report(at)
    assert page.view().partition == _partition_on_disk(app)
    assert page.browser.complaints() == []
    assert {address.startswith(app.address) for address in page.browser.requests()} == {True}


@pytest.mark.usefixtures("progress")
def test_a_correction_is_kept_and_obeyed_at_once(app, at):
    page = _report(at)
    assert page.visible("#proposals")
    before = page.view()
    first, second, *_ = sorted(before.people.items(), key=lambda item: -len(item[1]))
    page.pick(min(first[1]), min(second[1]))
    _correct(page, "same")
    assert "because of your correction of pages" in page.texts("#followed")[0]
    (entry,) = read_corrections(app.folder / f"{NAME}{CORRECTIONS_SUFFIX}").entries
    assert entry.same == tuple(sorted((min(first[1]), min(second[1]))))
    after = page.view()
    assert any({min(first[1]), min(second[1])} <= group for group in after.partition)
    assert after.partition == _partition_on_disk(app)
    page.pick(min(first[1]), min(second[1]))
    page.act("different")
    page.browser.until("document.getElementById('alert').checkVisibility()")
    assert "same" in page.texts("#alert")[0]
    _correct(page, "", "#undo")
    assert page.view().partition == before.partition
    assert read_corrections(app.folder / f"{NAME}{CORRECTIONS_SUFFIX}").entries == ()


@pytest.mark.usefixtures("progress")
def test_a_note_is_kept_and_taken_back_while_the_answer_stays(app, at):
    page = _report(at)
    file = app.folder / f"{NAME}{CORRECTIONS_SUFFIX}"
    before = page.view(), file.read_bytes()
    page.pick(2)
    page.type("#remark", "His son?")
    _correct(page, "note")
    assert [*map(str, read_corrections(file).entries)] == ["note 2: His son?"]
    assert page.texts("#page-2 .mark bdi") == ["His son?"]
    assert page.view() == before[0]
    _correct(page, "", "#page-2 .mark button")
    assert (page.texts(".mark"), file.read_bytes()) == ([], before[1])


@pytest.mark.usefixtures("progress")
def test_a_page_that_is_set_aside_is_marked_like_others(app, at):
    page = _report(at)
    file = app.folder / f"{NAME}{CORRECTIONS_SUFFIX}"
    before = page.view()
    page.pick(29)
    _correct(page, "exclude")
    page.click("#set-aside summary")
    page.click("#page-29 > .pick")
    page.type("#remark", "A <b>list</b>")
    enabled = "[data-act]:not(:disabled)"
    assert page.texts(enabled) == ["Note", "Tag", "Checked"]
    assert page.texts("#selection") == ["1 page set aside selected"]
    page.pick(2)
    assert page.texts(enabled) == ["Note", "Tag", "Checked"]
    assert page.texts("#selection") == ["1 page of 1 person and 1 page set aside selected"]
    assert page.browser.barriers() == []
    _correct(page, "note")
    assert page.visible("#page-29")
    for rank in (2, 29):
        assert page.texts(f"#page-{rank} .mark bdi") == ["A <b>list</b>"]
    assert [*map(str, read_corrections(file).entries)][1:] == ["note 2 29: A <b>list</b>"]
    page.click("#page-29 > .pick")
    page.pick_people(page.find(".card").get_attribute("id"))
    assert page.texts(enabled) == []
    _correct(page, "", "#page-29 .mark button")
    _correct(page, "", "#page-29 > button")
    _correct(page, "", "#undo")
    _correct(page, "", "#undo")
    assert (page.view(), read_corrections(file).entries) == (before, ())


def _correct(page, action, button=""):
    """Click, and wait for the page to come again."""
    page.browser.run("window.old = true")
    page.click(button or f"[data-act={action}]")
    page.browser.until(
        "!window.old && document.documentElement.dataset.ready === 'true'", seconds=PATIENCE
    )


@pytest.mark.usefixtures("progress")
def test_corrections_are_of_the_position_of_the_slider_which_stays(app, at):
    page = _report(at)
    before = page.view()
    page.slide(page.held + 3)
    shown = page.view()
    page.pick(1)
    _correct(page, "split")
    others = next(group for group in shown.partition if 1 in group) - {1}
    (entry,) = read_corrections(app.folder / f"{NAME}{CORRECTIONS_SUFFIX}").entries
    assert entry.different == ((1,), tuple(sorted(others)))
    assert page.view().partition == shown.partition - {others | {1}} | {others, frozenset({1})}
    assert page.visible("#use")
    assert page.browser.run("return document.activeElement.id") == "undo"
    chosen = page.view().partition
    _correct(page, "", "#use")
    assert page.view().partition == _partition_on_disk(app) == chosen
    assert page.visible("#kept-cut")
    _correct(page, "", "#release")
    _correct(page, "", "#undo")
    assert page.view().partition == before.partition


@pytest.mark.usefixtures("progress")
def test_questions_are_asked_one_at_a_time_and_answers_are_corrections(app, at):
    page = _report(at)
    before = page.view()
    page.click("#ask")
    page.browser.until("document.getElementById('asking').open", seconds=PATIENCE)
    assert page.browser.barriers() == []
    asked = []
    for reply in ("join", "unknown", "different", "undo", "different"):
        asked.append([int(text) for text in page.texts(".asked .rank")])
        if reply == "unknown":
            page.browser.driver.switch_to.active_element.send_keys("c")
        else:
            page.click(f"[data-reply={reply}]")
        page.browser.until("!document.querySelector('#asking[aria-busy]')", seconds=PATIENCE)
        page.settle()
        assert page.browser.run("return document.activeElement.dataset.reply")
        assert not page.visible("#asking .alert")
    assert asked[2] == asked[4] != asked[3]
    assert page.texts("#asking-status") == ["Question 4 of 5. 2 answers saved."]
    page.browser.run("window.old = true")
    page.press_escape()
    page.browser.until(
        "!window.old && document.documentElement.dataset.ready === 'true'", seconds=PATIENCE
    )
    corrections = read_corrections(app.folder / f"{NAME}{CORRECTIONS_SUFFIX}").entries
    (one, other), (first, second) = asked[0], asked[2]
    lines = [f"join {one} {other}", f"different {first} / {second}"]
    assert [str(each) for each in corrections] == lines
    assert page.view().partition == _partition_on_disk(app)
    for _ in lines:
        _correct(page, "", "#undo")
    assert page.view().partition == before.partition


@pytest.mark.usefixtures("progress")
def test_exports_are_the_files_on_disk(app, at):
    page = _report(at)
    links = page.browser.run("return [...document.querySelectorAll('a[download]')].map(a=>a.href)")
    files = sorted(app.folder.glob(f"{NAME}.*"))
    assert len(links) > len(files) >= 4  # others are made when they are asked for
    for place in range(len(links)):
        page.click(f".app a[download]:nth-of-type({place + 1})")
    for file in files:
        assert page.browser.downloaded(file.name) == file.read_text("utf-8")


@pytest.mark.usefixtures("progress")
@pytest.mark.parametrize("path", ["", f"names/{NAME}/", f"names/{NAME}/delete", "names/Nobody/"])
def test_axe_finds_no_barrier(at, path):
    page = at(path)
    page.browser.until("document.title && document.readyState === 'complete'")
    assert page.browser.barriers() == []
    with page.browser.emulating(scheme="dark"):
        assert page.browser.barriers("color-contrast") == []
    with page.browser.emulating((390, 844)):
        assert page.browser.run("return document.documentElement.scrollWidth") <= 390


@pytest.mark.usefixtures("progress")
def test_other_pages_in_the_browser_get_nothing(app, browser, tmp_path):
    before = app.files(NAME)
    elsewhere = tmp_path / "elsewhere.html"
    elsewhere.write_text("<!doctype html><title>elsewhere</title>")
    browser.open(elsewhere.as_uri())
    for mode, method, path in (
        ("cors", "GET", f"names/{NAME}/export/json"),
        ("no-cors", "POST", f"names/{NAME}/delete"),
        ("cors", "POST", f"names/{NAME}/delete"),
    ):
        answer = browser.driver.execute_async_script(
            "const [url, mode, method, done] = arguments;"
            "fetch(url, {mode, method, headers: mode === 'cors' ? {'X-Weps': '1'} : {}})"
            ".then((got) => got.text()).then(done, () => done('refused'))",
            app.address + path,
            mode,
            method,
        )
        assert answer in {"refused", ""}
    assert app.files(NAME) == before


@pytest.mark.usefixtures("progress")
def test_a_report_from_elsewhere_gets_nothing_either(app, browser):
    before = app.files(NAME)
    report = (app.folder / f"{NAME}.html").read_text("utf-8")
    (app.folder / "Eve.json").write_text("{}")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        there = "http://{}:{}/".format(*listener.getsockname())
        leave = f"<script>document.title = 'run'; location = '{there}'</script>"
        refresh = f"<meta http-equiv=refresh content='0;url={there}'>"
        listener.settimeout(1)
        for forged in (
            f"<!doctype html><title>Eve</title>{refresh}{leave}",
            *(report.replace("<title>", f"{each}<title>", 1) for each in (leave, refresh)),
        ):
            (app.folder / "Eve.html").write_text(forged, "utf-8")
            browser.open(f"{app.address}names/Eve/saved")
            assert browser.run("return document.title") in {"Eve", "Robin Averdale – who is who"}
            with pytest.raises(TimeoutError):
                listener.accept()
    browser.complaints()
    assert app.files(NAME) == before
    for file in app.folder.glob("Eve.*"):
        file.unlink()


@pytest.mark.usefixtures("progress")
def test_a_hostile_copy_connects_to_nobody(app, browser, tmp_path, weps):
    (pages := tmp_path / "Eve_Lee").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        there = "http://{}:{}/".format(*listener.getsockname())
        elements = (
            f"<LINK rel=preconnect href={there}><lin\0k rel=preload as=image href={there}>"
            f"<link rel=stylesheet href={there}><script>document.title = 'run'</script>"
            f"<meta http-equiv=refresh content='0;url={there}'><img src={there}>"
            f"<iframe src={there}></iframe><p style='background: url({there})'>Eve Lee bakes."
        )
        for charset in ("utf-8", "utf-16"):
            (pages / f"{charset}.html").write_text(f"<title>Eve</title>{elements}", charset)
        beside = app.folder.with_name("beside")  # the app has the lock of its own folder
        assert weps("cluster", pages, "--out", beside, "--no-cache")[0] == 0
        for file in beside.glob("Eve_Lee.*"):
            file.rename(app.folder / file.name)
        listener.settimeout(1)
        for rank in (1, 2):
            browser.open(f"{app.address}names/Eve_Lee/pages/{rank}")
            assert browser.run("return document.title") == "Eve"
            assert "Eve Lee bakes." in browser.run("return document.body.textContent")
            with pytest.raises(TimeoutError):
                listener.accept()
    for file in app.folder.glob("Eve_Lee.*"):
        file.unlink()


@pytest.mark.usefixtures("progress")
def test_a_page_opens_as_text_where_the_name_is(app, at, browser, tmp_path, weps):
    page = _report(at)
    page.click("#page-2 .title")
    browser.until("document.querySelector('.preview')")
    assert browser.run("return location.pathname") == f"/names/{NAME}/preview/2"
    assert "Averdale" in browser.run("return document.activeElement.textContent")
    assert browser.complaints() == []
    assert browser.barriers() == []
    page = _report(at)
    person = browser.run("return document.querySelector('#page-2 .chip').hash")
    page.click(f".choose[href='{person}']")
    sentence, *_ = page.texts(".stated .source")
    page.click(".stated .source a")
    browser.until("document.querySelector('.preview')")
    browser.until("scrollY > 0")
    assert "(born 11 February 1958) is" in sentence
    shown = (
        "[...document.querySelectorAll('.preview p')].find((p) => p.textContent.includes('58) is'))"
    )
    top = browser.run(f"return {shown}.getBoundingClientRect().top")
    assert 0 < top < browser.run("return innerHeight")
    (pages := tmp_path / "Eve_Lee").mkdir()
    before = "<p>Nothing here. " * 300
    hostile = "<p>Eve &lt;script>document.title = 'run'&lt;/script> \u202eEve Lee &lt;img src=x>"
    (pages / "1.html").write_text(f"<title>&lt;/title>&lt;b></title>{before}{hostile}", "utf-8")
    beside = app.folder.with_name("previewed")
    assert weps("cluster", pages, "--out", beside, "--no-cache")[0] == 0
    for file in beside.glob("Eve_Lee.*"):
        file.rename(app.folder / file.name)
    browser.open(f"{app.address}names/Eve_Lee/preview/1")
    assert browser.run("return document.title") == "</title><b> – weps"
    assert browser.run("return document.querySelectorAll('article :not(p, mark)').length") == 0
    assert browser.run("return document.activeElement.textContent") == "Eve Lee"
    top = browser.run("return document.activeElement.getBoundingClientRect().top")
    assert 0 < top < browser.run("return innerHeight")
    with browser.emulating((390, 844), scheme="dark"):
        assert browser.barriers("color-contrast") == []
        assert browser.run("return document.documentElement.scrollWidth") <= 390
    for file in app.folder.glob("Eve_Lee.*"):
        file.unlink()


@pytest.mark.usefixtures("progress")
def test_the_saved_report_can_be_read(at):
    page = at(f"names/{NAME}/saved")
    page.browser.ready()
    page.click("#part")
    assert page.visible(".row")
    assert page.browser.complaints() == []
    page.click(".row a.title")
    page.browser.until("location.pathname.includes('/pages/')")
    assert "Averdale" in page.browser.run("return document.body.textContent")
    assert "weps serve" not in page.browser.run("return document.body.textContent")


@pytest.mark.usefixtures("progress")
def test_what_another_window_did_is_told(app, at):
    page = _report(at)
    page.pick(1)
    page.type("#called", "Ann")
    _correct(page, "rename")
    page.browser.driver.execute_async_script(
        "const done = arguments[0]; const headers = {'Content-Type': 'application/json', "
        "'X-Weps': '1'}; const body = JSON.stringify({action: 'undo'});"
        "fetch(location.pathname + 'corrections', {method: 'POST', headers, body}).then(done)"
    )
    for button in ("#undo", "#said button"):
        page.browser.run("document.querySelector(arguments[0]).click()", button)
        page.browser.until("document.getElementById('alert').checkVisibility()")
        assert "another window or program changed the result" in page.texts("#alert")[0]
        page.browser.run("document.getElementById('alert').hidden = true")
    file = app.folder / f"{NAME}{CORRECTIONS_SUFFIX}"
    assert read_corrections(file).entries == ()
    file.write_text("same 3 4\n")  # another program, e.g. an editor
    page.pick(1, 2)
    page.type("#called", "Bea")
    page.act("same")
    page.browser.until("document.getElementById('alert').checkVisibility()")
    assert "the answer has changed since" in page.texts("#alert")[0]
    assert file.read_text() == "same 3 4\n"
    _correct(page, "", "#alert button")
    assert "corrections added: Same person: 3, 4" in page.texts("#followed")[0]
    assert "2 pages of" in page.texts("#selection")[0]  # which is kept
    assert page.find("#called").get_attribute("value") == "Bea"
    assert page.browser.barriers() == []
    _correct(page, "same")
    assert [str(each) for each in read_corrections(file).entries] == ["same 3 4", "same 1 2"]
    _correct(page, "", "#undo")
    _correct(page, "", "#undo")


def test_another_name_for_this_machine_is_refused(app, browser):
    browser.open(f"http://rebound.example:{app.port}/")
    assert "other host names are rejected" in browser.run("return document.body.textContent")


def test_deletion_leaves_nothing(app, at, tmp_path):
    page = at("")
    for number, trade in enumerate(("baker", "baker", "sailor"), start=1):
        text = f"<title>Ada Lovell</title><p>Ada Lovell is a {trade} in Port Merrow."
        (tmp_path / f"{number:03}.html").write_text(text)
    page.find("#files").send_keys("\n".join(map(str, sorted(tmp_path.glob("*.html")))))
    page.type("#name", "Ada Lovell")
    page.click("#drop button[type=submit]")
    page.browser.until("location.pathname === '/names/Ada_Lovell/'", seconds=PATIENCE)
    page.browser.ready()
    page.pick(1, 3)
    _correct(page, "same")
    assert len(app.files("Ada_Lovell")) == 8
    page.click(".app a[href$=delete]")
    page.browser.ready()
    page.click("button.danger")
    page.browser.until("document.getElementById('removed').checkVisibility()")
    assert app.files("Ada_Lovell") == set()
    assert not (app.folder / "pages" / "Ada_Lovell").exists()
    assert len(list(tmp_path.glob("*.html"))) == 3
