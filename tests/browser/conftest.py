"""A headless Chromium, driven by selenium; tests skip with the reason where either is not there."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
_LOGS = {"browser": "ALL", "performance": "ALL"}
_SECONDS = 30


@dataclass
class Browser:
    """The browser with one page at a time open."""

    driver: Any
    requests: list[str] = field(default_factory=list)
    """Addresses asked for since the page was opened."""
    complaints: list[str] = field(default_factory=list)
    """What the console said."""

    def open(self, path: Path, place: str = "", *, width: int = 1280, height: int = 860, dark: bool = False) -> None:
        """Open a page of its own, at a place in it."""
        self.size(width, height)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        self.driver.get("about:blank")
        self.forget()
        self.driver.get(path.resolve().as_uri() + place)
        self.wait("document.documentElement.dataset.ready === 'yes'")

    def size(self, width: int, height: int) -> None:
        """Set the size of the window's inside."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def run(self, script: str, *arguments: object) -> Any:
        """Run the body of a function in the page."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: str) -> None:
        """Wait until an expression of the page holds."""
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, _SECONDS, 0.05).until(lambda driver: driver.execute_script(f"return {condition}"))

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def text(self, selector: str) -> str:
        """The text of the first element that fits."""
        return str(self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def count(self, selector: str) -> int:
        """How many elements fit."""
        return int(self.run("return document.querySelectorAll(arguments[0]).length", selector))

    def set(self, selector: str, value: str) -> None:
        """Set a field of the form, as a hand would: the page hears of it."""
        script = (
            "const field=document.querySelector(arguments[0]);field.value=arguments[1];"
            "field.dispatchEvent(new Event('input',{bubbles:true}))"
        )
        self.run(script, selector, value)

    def forget(self) -> None:
        """Forget what was asked for and complained of so far."""
        self.read_logs()
        self.requests.clear()
        self.complaints.clear()

    def read_logs(self) -> None:
        """Read what was asked for and complained of since the last time."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
        self.complaints += [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture(scope="session")
def _browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium: pip install selenium")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("needs chromium and chromedriver on the path (Debian: chromium, chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", _LOGS)
    opened = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield Browser(opened)
    opened.quit()


@pytest.fixture
def browser(_browser: Browser) -> Iterator[Browser]:
    """The browser; whatever a test does, the page may ask for nothing but itself, and may not complain."""
    yield _browser
    _browser.read_logs()
    assert _browser.complaints == []
    assert {url.partition("#")[0] for url in _browser.requests} <= {_browser.driver.current_url.partition("#")[0]}


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Runs over the first questions of the demo, each made once."""
    from kgbench.run.plan import Given, make_plan
    from kgbench.run.runner import start
    from kgbench.seam.pseudonyms import MasterKey
    from kgbench.spec import RunSpec
    from kgbench.types import Scenario

    out, made = tmp_path_factory.mktemp("runs"), {}

    def make(method: str, scenario: str = "private") -> Path:
        if (method, scenario) not in made:
            spec = RunSpec(method=method, scenario=Scenario(scenario), limit=12, jobs=1, cache="off", out=str(out))
            made[(method, scenario)] = Path(start(make_plan(spec, Given(key=MasterKey(bytes(32))))).path)
        return made[(method, scenario)]

    return make


@pytest.fixture(scope="session")
def write(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Build a page and write it to a file."""
    from kgbench.report.page import build_page

    folder = tmp_path_factory.mktemp("pages")
    names = iter(range(1000))

    def make(*paths: Path, **options: Any) -> Path:
        path = folder / f"page-{next(names)}.html"
        path.write_text(build_page(paths, **options).html, encoding="utf-8")
        return path

    return make


@pytest.fixture(scope="session")
def page(runs: Callable[..., Path], write: Callable[..., Path]) -> Path:
    """A scrubbed page of arog."""
    return write(runs("arog"))
