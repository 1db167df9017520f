"""An HTML report as somebody in front of it sees and uses it."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select

from tests.browser.chrome import Browser

__all__ = ["ReportPage", "Row", "View"]

_SNAPSHOT = """
const perCent = (element) => element ? parseInt(element.textContent, 10) : null;
const view = () => ({
  rows: [...document.querySelectorAll(".row")].map((row) => ({
    rank: Number(row.dataset.rank),
    card: row.querySelector(".place > .chip").hash.slice(1),
    score: perCent(row.querySelector(".score > span")),
    unsure: !row.querySelector(".doubt").hidden,
    perhaps: row.querySelector(".doubt:not([hidden]) .else a")?.hash.slice(1) ?? "",
    unfolded: row.querySelector(".why").open,
    closest: perCent(row.querySelector(".why[open] .closest:not([hidden]) b")),
    rival: perCent(row.querySelector(".why[open] .rival:not([hidden]) b")),
    shown: row.checkVisibility(),
  })),
  cards: [...document.querySelectorAll(".card")]
    .filter((card) => card.checkVisibility() && !card.closest(".parts")).map((card) => card.id),
  sliderText: document.getElementById("cut-text").textContent,
  figures: Object.fromEntries([...document.querySelectorAll(".figures [data-figure]")].map(
    (item) => [item.dataset.figure, Number(item.querySelector("b").textContent.replace(",", ""))],
  )),
});
"""
_SHOW = """
const [element] = arguments;
const folded = element.closest("details:not([open])");
if (folded && !element.closest("summary")) folded.open = true;
element.scrollIntoView({block: "center"});
"""
_SWEEP = """
const done = arguments[arguments.length - 1];
const frame = () => new Promise(requestAnimationFrame);
const slider = document.getElementById("slider");
(async () => {
  const views = [];
  for (let held = Number(slider.min); held <= Number(slider.max); held += 1) {
    slider.value = held;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await frame();
    await frame();
    views.push([held, view()]);
  }
  done(views);
})();
"""


class Row(NamedTuple):
    """A page in the list on the right; scores are per cent."""

    rank: int
    card: str
    """Of its person."""
    score: int
    unsure: bool
    perhaps: str
    """Card of the person that an unsure page may belong to."""
    unfolded: bool
    closest: int | None
    """Of the closest page of the same person; None if the reasons are not unfolded."""
    rival: int | None
    shown: bool


class View(NamedTuple):
    """What a report shows."""

    rows: tuple[Row, ...]
    cards: tuple[str, ...]
    """Ids of those shown, in order."""
    slider_text: str
    figures: dict[str, int]

    @property
    def people(self) -> dict[str, frozenset[int]]:
        """Card → ranks of its pages."""
        pages = defaultdict(set)
        for row in self.rows:
            pages[row.card].add(row.rank)
        return {card: frozenset(ranks) for card, ranks in pages.items()}

    @property
    def partition(self) -> set[frozenset[int]]:
        return set(self.people.values())

    @property
    def shown(self) -> list[int]:
        """Ranks of the pages that are to be seen."""
        return [row.rank for row in self.rows if row.shown]


class ReportPage:
    """A report that is open in the browser."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address

    def load(self, anchor: str = "") -> None:
        """Open it anew, and wait until it can be used."""
        self.browser.open(self.address + anchor)
        self.browser.ready()

    def view(self) -> View:
        return _view(self.browser.run(_SNAPSHOT + "return view();"))

    def sweep(self) -> dict[int, View]:
        """The view at every place of the slider, by merges held."""
        driver = self.browser.driver
        seen = driver.execute_async_script(_SNAPSHOT + _SWEEP)
        return {held: _view(view) for held, view in seen}

    def slide(self, held: int) -> None:
        """Put the slider where so many merges are held."""
        self.browser.run(
            "arguments[0].value = arguments[1];"
            "arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
            self.find("#slider"),
            held,
        )
        self.settle()

    @property
    def most(self) -> int:
        """The merges held at the end of the slider."""
        return int(self.find("#slider").get_attribute("max"))

    @property
    def held(self) -> int:
        """The merges held where the slider stands."""
        return int(self.find("#slider").get_property("value"))

    def settle(self) -> None:
        """Wait until what was asked for is drawn."""
        script = "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"
        self.browser.driver.execute_async_script(script)

    def look(self, view: str) -> None:
        self.click(f"[data-view={view}]")

    def open_details(self, which: str = "details") -> None:
        self.browser.run(
            "document.querySelectorAll(arguments[0]).forEach((d) => { d.open = true; })", which
        )
        self.settle()

    def pick(self, *ranks: int) -> None:
        for rank in ranks:
            self.click(f"#page-{rank} > .pick")

    def pick_people(self, *cards: str) -> None:
        for card in cards:
            self.click(f"#{card} > .pick")

    def unfold(self, details: str) -> None:
        """Click on what can be unfolded; the page hears of it a little later."""
        self.click(f"{details} > summary")
        self.settle()

    def choose_person(self, card: str) -> None:
        """Look at a person, or at everybody again."""
        self.click(f"#{card} .choose")
        self.settle()

    def act(self, action: str) -> None:
        self.click(f"[data-act={action}]")

    def tab_to(self, selector: str, most: int = 150) -> bool:
        """Press Tab until the focus is there, and to be seen; False if it never gets there."""
        script = "const e = document.activeElement, s = getComputedStyle(e);" + (
            "return [e.matches(arguments[0]), s.outlineStyle !== 'none' || s.boxShadow !== 'none']"
        )
        for _ in range(most):
            self.browser.driver.switch_to.active_element.send_keys(Keys.TAB)
            there, seen = self.browser.run(script, selector)
            if there:
                return bool(seen)
        return False

    def find(self, selector: str) -> WebElement:
        return self.browser.driver.find_element(By.CSS_SELECTOR, selector)

    def click(self, selector: str) -> None:
        """Click as a reader does: what is folded is unfolded; what is covered cannot be clicked."""
        element = self.find(selector)
        self.browser.run(_SHOW, element)
        element.click()

    def type(self, selector: str, text: str) -> None:
        field = self.find(selector)
        field.clear()
        field.send_keys(text)

    def press_right(self, selector: str) -> None:
        """Press the arrow key in a field, which may be folded."""
        field = self.find(selector)
        self.browser.run(_SHOW, field)
        field.send_keys(Keys.ARROW_RIGHT)
        self.settle()

    def press_escape(self) -> None:
        self.browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)

    def choose_entry(self, selector: str, value: str) -> None:
        """An entry of a list, by the arrow keys as the driver's own way tells the page less."""
        field = self.find(selector)
        values = [option.get_attribute("value") for option in Select(field).options]
        field.send_keys(Keys.ARROW_DOWN * values.index(value))

    def texts(self, selector: str) -> list[str]:
        script = "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)"
        found: list[str] = self.browser.run(script, selector)
        return found

    def visible(self, selector: str) -> bool:
        """Whether anything of the kind is to be seen."""
        script = "return [...document.querySelectorAll(arguments[0])]"
        return bool(self.browser.run(f"{script}.some((e) => e.checkVisibility())", selector))


def _view(seen: dict[str, Any]) -> View:
    rows = tuple(Row(**row) for row in seen["rows"])
    return View(rows, tuple(seen["cards"]), seen["sliderText"], seen["figures"])
