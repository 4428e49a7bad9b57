"""`evalstats serve`: from the command to the page, and in Chromium from a click to the painted report."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.timing import Race

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
# until the browser has drawn the report: two frames after it stands on the page
PAINTED = """
const done = arguments[arguments.length - 1], view = document.querySelector("#compare");
const article = view.querySelector("article"), before = article.firstElementChild;
new MutationObserver((_, seen) => {
  if (!article.firstElementChild || article.firstElementChild === before) return;
  seen.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => done(article.querySelector(".verdict").textContent)));
}).observe(article, {childList: true});
view.querySelector("button.main").click();
"""
LEVEL = """
const labels = [...document.querySelectorAll("#compare .fields label")];
const alpha = labels.find(one => one.querySelector("code")?.textContent === "--alpha");
alpha.querySelector("input").value = arguments[0];
"""


PASTE = """
const area = document.querySelector("#compare textarea");
area.value = arguments[0];
area.dispatchEvent(new Event("input"));
"""


class Browser:
    """A browser that has opened the page, with a table pasted or, where it is large, its file chosen."""

    def __init__(self, path: Path, *, pasted: bool = False) -> None:
        from selenium import webdriver

        self._server, address = served()
        options = webdriver.ChromeOptions()
        for flag in (*FLAGS, f"--user-data-dir={tempfile.mkdtemp()}"):
            options.add_argument(flag)
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(120)
        self.driver.get(address)
        self._until("return document.body.dataset.ready")
        if pasted:
            self.driver.execute_script(PASTE, path.read_text(encoding="utf-8"))
        else:
            self.driver.find_element("css selector", "#compare input[type=file]").send_keys(str(path))
        self._until("return document.querySelector('#compare .seen').checkVisibility()")
        self._n = 0

    def _until(self, script: str) -> None:
        while not self.driver.execute_script(script):
            time.sleep(0.01)

    def report(self) -> str:
        """Compare at another level than before, so that nothing is answered from what was kept."""
        self._n += 1
        self.driver.execute_script(LEVEL, f"{0.05 + self._n / 1e7:.7f}")
        return str(self.driver.execute_async_script(PAINTED))

    def close(self) -> None:
        self.driver.quit()
        ended(self._server)


def served() -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "evalstats", "serve", "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().strip()


def ended(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.communicate()


def first_page() -> bool:
    process, address = served()
    with urllib.request.urlopen(address) as page:
        found = page.status == 200
    ended(process)
    return found


def first_page_of_python() -> bool:
    command = [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    with urllib.request.urlopen(re.search(r"http://[\d.:]+", process.stdout.readline())[0]) as page:
        found = page.status == 200
    ended(process)
    return found


def scores(folder: Path, n: int = 100, k: int = 30) -> Path:
    rng = np.random.default_rng(1)
    values = rng.normal(0.8, 0.05, (n, 1)) + rng.normal(0, 0.01, (n, k)) + np.linspace(0, 0.02, k)
    lines = [",".join(["dataset", *(f"classifier {j}" for j in range(k))])]
    lines += [",".join([f"dataset {i}", *(f"{x:.4f}" for x in row)]) for i, row in enumerate(values)]
    path = folder / "AUC.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def predictions(folder: Path, n_instances: int = 500_000) -> Path:
    rng = np.random.default_rng(2)
    true = rng.integers(0, 3, n_instances)
    path = folder / "predictions.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write("model,case,y_true,y_pred\n")
        for model, accuracy in (("first", 0.8), ("second", 0.802)):
            predicted = (true + (rng.random(n_instances) > accuracy)) % 3
            file.writelines(f"{model},{i},{t},{p}\n" for i, (t, p) in enumerate(zip(true, predicted, strict=True)))
    return path


def agree(ours: str | bool, peer: str | bool, _: str) -> None:
    """Hold the page to what the command says; only their levels differ, by less than they round to."""
    said, told = (re.sub(r"α = [\d.]+", "α", " ".join(str(one).replace("\u2060", "").split())) for one in (ours, peer))
    assert said == told, (said, told)


def races() -> Iterator[Race]:
    """Yield the start against that of Python's own server, and the reports against those of the command."""
    yield Race(
        job="from the command evalstats serve to its first page",
        ours=first_page,
        peers={"python -m http.server": first_page_of_python},
        agree=agree,
        goal={},
    )
    with tempfile.TemporaryDirectory() as folder:
        for job, path, direction in (
            (
                "report of 100 x 30 pasted, from the click until painted",
                scores(Path(folder)),
                ["--metric", "AUC"],
            ),
            ("report of 1,000,000 predictions, from the click until painted", predictions(Path(folder)), []),
        ):
            browser = Browser(path, pasted=bool(direction))
            if direction:
                browser.driver.find_element("css selector", "#compare .fields input").send_keys("AUC")
            command = [sys.executable, "-m", "evalstats", "compare", str(path), *direction, "--part", "sentence"]

            def printed(command: list[str] = command) -> str:
                return subprocess.run(command, capture_output=True, text=True, check=True).stdout

            yield Race(
                job=job, ours=browser.report, peers={"evalstats compare --part sentence": printed}, agree=agree, goal={}
            )
            browser.close()
