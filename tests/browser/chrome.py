"""Headless Chromium as the tests use it: no network, everything that it complains of kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.expected_conditions import alert_is_present
from selenium.webdriver.support.wait import WebDriverWait

__all__ = ["DESKTOP", "PATIENCE", "PHONE", "Browser", "started"]

PATIENCE = 5.0
"""Seconds until a page must be interactive: generous, the machine may be busy."""
DESKTOP, PHONE = (1400, 900), (390, 844)
_ARGUMENTS = (
    "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-sync "
    "--no-first-run --disable-background-networking --disable-component-update "
    "--force-prefers-reduced-motion "
    "--host-resolver-rules=MAP rebound.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
)
_KEPT = {"browser": "ALL", "performance": "ALL"}
_AXE = """
const done = arguments[arguments.length - 1];
const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const rules = arguments[0].length ? arguments[0] : standards;
const many = (kind) => [`${kind}:nth-of-type(n + 5)`];
const context = {exclude: [".row", ".card", ".ties > .tie", ".leaf"].map(many)};
axe.run(context, {runOnly: rules, resultTypes: ["violations"]}).then(
  ({violations}) => done(violations.flatMap(({id, help, nodes}) => nodes.map((node) =>
    `${id}: ${help}: ${node.target.join(" ")}: ${node.any.map((each) => each.message).join(" ")}`
  ))),
  (error) => done([String(error)]),
);
"""


class Browser:
    """A window of Chromium."""

    def __init__(self, driver: Chrome, downloads: Path, axe: str) -> None:
        self.driver = driver
        self._downloads = downloads
        self._axe = axe

    def open(self, address: str) -> None:
        """Go to a page, with everything forgotten that the last one asked for or complained of."""
        self.driver.get("about:blank")
        self.complaints()
        self.requests()
        self.driver.get(address)

    def ready(self) -> None:
        """Wait until the page says that it can be used."""
        self.until("document.documentElement.dataset.ready === 'true'")

    def run(self, script: str, *arguments: object) -> Any:
        """What the body of a function returns in the page."""
        return self.driver.execute_script(script, *arguments)

    def until(self, script: str, *arguments: object, seconds: float = PATIENCE) -> Any:
        """What an expression gives as soon as it is true."""
        return WebDriverWait(self.driver, seconds, poll_frequency=0.02).until(
            lambda _: self.run(f"return {script}", *arguments), f"never true: {script}"
        )

    def alerted(self) -> str:
        """What the page says in a box, which is closed."""
        box = WebDriverWait(self.driver, PATIENCE).until(alert_is_present())
        text: str = box.text
        box.accept()
        return text

    def complaints(self) -> list[str]:
        """Errors and warnings in the console since the last call: of scripts, of the policy."""
        return [
            entry["message"]
            for entry in self.driver.get_log("browser")  # type: ignore[no-untyped-call]
            if entry["level"] in {"SEVERE", "WARNING"}
        ]

    def requests(self) -> list[str]:
        """Addresses asked for since the last call, but for what the page made itself."""
        entries = self.driver.get_log("performance")  # type: ignore[no-untyped-call]
        messages = (json.loads(entry["message"])["message"] for entry in entries)
        addresses = (
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        )
        return [each for each in addresses if not each.startswith(("data:", "blob:", "about:"))]

    def downloaded(self, name: str) -> str:
        """The text of a file that the page has offered, taken away from where it was put."""
        path = self._downloads / name
        wait = WebDriverWait(self.driver, PATIENCE, poll_frequency=0.02)
        # While it comes, an empty file keeps its place.
        wait.until(lambda _: path.is_file() and path.stat().st_size, f"never downloaded: {name}")
        text = path.read_text("utf-8")
        path.unlink()
        return text

    def barriers(self, *rules: str) -> list[str]:
        """What axe-core finds that keeps people out: WCAG 2.2 A and AA, and best practice.

        Of things of a kind it looks at the first four. Without rules it asks for all of them.
        """
        # The driver's scripts are not subject to the page's policy, script elements would be.
        self.run(self._axe)
        found: list[str] = self.driver.execute_async_script(_AXE, rules)
        return found

    @contextmanager
    def emulating(
        self,
        size: tuple[int, int] = DESKTOP,
        *,
        scheme: str = "light",
        media: str = "",
        script: bool = True,
    ) -> Iterator[None]:
        """Another window, colour scheme or medium, or pages without their scripts, for a while."""
        self._emulate(size, scheme, media, script)
        try:
            yield
        finally:
            self._emulate(DESKTOP, "light", "", script=True)

    def _emulate(self, size: tuple[int, int], scheme: str, media: str, script: bool) -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        window = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        for command, values in (
            ("setEmulatedMedia", {"media": media, "features": features}),
            ("setDeviceMetricsOverride", window),
            ("setScriptExecutionDisabled", {"value": not script}),
        ):
            self.driver.execute_cdp_cmd(f"Emulation.{command}", values)


@contextmanager
def started(chromium: str, chromedriver: str, axe: str, downloads: Path) -> Iterator[Browser]:
    """A browser, ended afterwards.

    Args:
        chromium: path of the browser.
        chromedriver: path of its driver, so that none is looked for on the network.
        axe: the source of axe-core.
        downloads: folder for what pages offer.
    """
    options = ChromeOptions()
    options.binary_location = chromium
    for argument in _ARGUMENTS.split(" --"):
        options.add_argument("--" + argument.removeprefix("--"))
    options.add_argument("--window-size={},{}".format(*DESKTOP))
    options.set_capability("goog:loggingPrefs", _KEPT)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    driver = Chrome(options, Service(chromedriver))
    driver.set_script_timeout(120)  # a sweep draws a hundred views, on a machine that may be busy
    try:
        yield Browser(driver, downloads, axe)
    finally:
        driver.quit()
