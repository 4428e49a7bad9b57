"""A live R and a browser for the tests that ask one, a small r_reference to try the machinery on, and Ctrl-C.

The browser is Debian's Chromium. Where it is missing the tests that ask for it are skipped and say so; where
EVALSTATS_REQUIRE_R is 1 they fail.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from repetitions import SAMPLED

from evalstats._result import ConfidenceInterval, Record
from evalstats.parity.live_r import R, RNotAvailableError, start

if TYPE_CHECKING:
    from selenium import webdriver

ADAPTER = """
spread <- function(x, wide = FALSE, level = 0.5) {
  if (any(x > 1000)) stop("x is too large")
  if (any(x > 100)) warning("x is large")
  print("noise on the console")
  message("noise on the other console")
  list(mean = mean(x), size = if (wide) "wide" else "narrow", interval = mean(x) + c(-level, level))
}
shift <- function(x, by = 1) list(value = x + by)
"""

CASES = """
[reference.spread]
r = "base::mean"
packages = ["stats"]
source = "implementation"

[spread.plain]
x = [1, 2, 4.5]

[spread.wide]
x = [101, 3]
wide = true
level = 0.25

[reference.shift]
r = "base::`+`"
packages = ["base", "stats"]
source = "implementation"
tolerance = 1e-10
reason = "an example of a reason"

[shift.matrix]
x = [[1, 2, 3], [4, 5, 6]]

[shift.one]
x = [1]
by = 2.5
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Spread(Record):
    mean: Any
    size: str

    def interval(self, level: float = 0.5) -> ConfidenceInterval:
        return ConfidenceInterval(
            low=self.mean - level, high=self.mean + level, confidence_level=level, attained_level=level
        )


def spread(x: Any, *, wide: bool = False) -> Spread:
    return Spread(mean=float(np.mean(x)), size="wide" if wide else "narrow")


def shift(x: Any, *, by: float = 1) -> Any:
    return np.asarray(x) + by


@pytest.fixture
def reference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay out an r_reference with one stem, and the module of the package that it belongs to."""
    module = types.ModuleType("evalstats.demo.subject")
    module.__dict__.update(spread=spread, shift=shift)
    monkeypatch.setitem(sys.modules, "evalstats.demo", types.ModuleType("evalstats.demo"))
    monkeypatch.setitem(sys.modules, "evalstats.demo.subject", module)
    folder = tmp_path / "r_reference"
    (folder / "demo").mkdir(parents=True)
    (folder / "demo" / "subject.R").write_text(ADAPTER)
    (folder / "demo" / "subject.toml").write_text(CASES)
    return folder


@pytest.fixture(scope="session")
def r() -> R:
    """Start R; where there is none, skip and say so, unless EVALSTATS_REQUIRE_R=1."""
    try:
        return start()
    except RNotAvailableError as error:
        if os.environ.get("EVALSTATS_REQUIRE_R") == "1":
            pytest.fail(f"EVALSTATS_REQUIRE_R is 1, but {error}")
        pytest.skip(f"NOT CHECKED AGAINST LIVE R: {error}")


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let programs listen to Ctrl-C and to the end of a terminal, also in the background, where both are ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler), signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, before[0])
    signal.signal(signal.SIGHUP, before[1])


@pytest.fixture(scope="session")
def hold_for_each(request: pytest.FixtureRequest) -> Callable[[Mapping[str, Any], Callable[..., None]], None]:
    """Hold a law against each of some cases, given by name with its arguments, and list all that break it."""
    is_sampled = not request.config.getoption("--long") and request.node.get_closest_marker("sampled") is not None

    def hold_for_each(cases: Mapping[str, Any], law: Callable[..., None]) -> None:
        broken = []
        cases = dict(itertools.islice(cases.items(), 0, None, SAMPLED if is_sampled else 1))
        for name, arguments in cases.items():
            try:
                law(*arguments)
            except (Exception, pytest.fail.Exception) as error:  # the other cases are still looked at
                broken.append(f"{name}: {type(error).__name__}: {error}")
        assert cases, "there is no instance"
        assert not broken, "\n\n".join([f"{len(broken)} of {len(cases)} instances:", *broken])

    return hold_for_each


FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
)


def _programs() -> tuple[str, str]:
    """Return the paths of the browser and its driver; without them there is nothing to test with."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or driver is None:
        problem = "chromium or chromedriver is missing: sudo apt-get install chromium chromium-driver"
        if os.environ.get("EVALSTATS_REQUIRE_R") == "1":
            pytest.fail(f"EVALSTATS_REQUIRE_R is 1, but {problem}")
        pytest.skip(f"THE PAGE IS NOT CHECKED IN A BROWSER: {problem}")
    return browser, driver


# axe-core of npm, version 4.10.3, under the MPL 2.0 beside it
AXE = Path(__file__).parent / "data" / "axe-core" / "axe.min.js"
SERIOUS = """
const done = arguments[arguments.length - 1];
for (const part of document.querySelectorAll("details")) part.open = true;
for (const part of document.querySelectorAll("article > section")) part.style.contentVisibility = "visible";
axe.run(document, {resultTypes: ["violations"]}).then(found => done(found.violations
  .filter(one => ["serious", "critical"].includes(one.impact))
  .map(one => one.id + ": " + one.nodes.map(node => node.target.join(" ")).join(", "))));
"""


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """Start the browser."""
    from selenium import webdriver

    browser, driver = _programs()
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chromium = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    chromium.set_script_timeout(120)
    yield chromium
    chromium.quit()


@pytest.fixture(scope="session")
def screen(chromium: webdriver.Chrome) -> Callable[[int, bool], None]:
    """Set the width of the window, and whether pages are to be dark."""

    def screen(width: int, dark: bool) -> None:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    return screen


@pytest.fixture(scope="session")
def serious(chromium: webdriver.Chrome) -> Callable[[], list[str]]:
    """Return what axe-core finds that keeps somebody from using a page as it is shown."""

    def serious() -> list[str]:
        chromium.execute_script(AXE.read_text(encoding="utf-8"))
        return list(chromium.execute_async_script(SERIOUS))

    return serious
