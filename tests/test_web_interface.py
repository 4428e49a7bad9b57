"""The page in a real browser: from a paste to the report, mistakes, corrections, downloads, keyboard, narrow, dark."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from evalstats.serving import languages

Screen = Callable[[int, bool], None]
Serious = Callable[[], list[str]]
SCORES = "dataset,NB,SVM,tree\niris,0.93,0.95,0.90\nglass,0.71,0.50,0.60\nwine,0.8,0.9,0.7\nzoo,0.6,0.8,0.5\n"
LAST = "dataset,NB,SVM,tree\niris,0.93,0.95,0.90\nwine,0.8,0.9,\nzoo,0.6,0.8,0.5\n"


def started() -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "evalstats", "serve", "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def stopped(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.communicate(timeout=30)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    process, address = started()
    yield address
    stopped(process)


class Page:
    """The page as a person uses it."""

    def __init__(self, browser: webdriver.Chrome, address: str, screen: Screen) -> None:
        self.browser, self.address, self.screen = browser, address, screen

    def open(self, *, width: int = 1280, dark: bool = False) -> Page:
        self.screen(width, dark)
        self.browser.get("about:blank")
        self.browser.get(self.address)
        self.browser.execute_script("sessionStorage.clear()")
        self.browser.get_log("browser")
        self.browser.get(self.address)
        self.until(lambda: self.script("return document.body.dataset.ready"))
        return self

    def script(self, text: str, *arguments: Any) -> Any:
        return self.browser.execute_script(text, *arguments)

    def until(self, is_true: Callable[[], Any], seconds: float = 60) -> Any:
        end = time.monotonic() + seconds
        while not (found := self._tried(is_true)):
            assert time.monotonic() < end, f"waited {seconds} s for {is_true}; the page says {self.problem!r}"
            time.sleep(0.02)
        return found

    @staticmethod
    def _tried(is_true: Callable[[], Any]) -> Any:
        try:
            return is_true()
        except StaleElementReferenceException:  # the page has drawn it anew
            return None

    def all(self, selector: str) -> list[WebElement]:
        return [one for one in self.browser.find_elements(By.CSS_SELECTOR, selector) if one.is_displayed()]

    def one(self, selector: str) -> WebElement:
        return self.until(lambda: self.all(selector))[0]

    def button(self, words: str, within: str = ".view:not([hidden])") -> WebElement:
        buttons = self.until(lambda: [b for b in self.all(f"{within} button") if words in (b.text, b.accessible_name)])
        return buttons[0]

    def paste(self, text: str) -> None:
        area = self.one(".view:not([hidden]) textarea")
        self.script("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", area, text)

    def write(self, name: str, value: str) -> None:
        field = self.script(
            "return [...document.querySelectorAll('.view:not([hidden]) label')].find(one => one.querySelector('code')?."
            "textContent === arguments[0]).querySelector('input, select')",
            name,
        )
        self.script("arguments[0].closest('details')?.setAttribute('open', '')", field)
        field.send_keys(value)

    def compare(self) -> str:
        """Press the button, and return the verdict of the report that comes, not of one that was there before."""
        self.script("for (const h of document.querySelectorAll('article > :first-child')) h.dataset.old = 'yes'")
        self.press(self.one(".view:not([hidden]) button.main"))
        self.until(lambda: self.all("article > :first-child:not([data-old])"))
        self.script(
            "for (const s of document.querySelectorAll('article > section')) s.style.contentVisibility = 'visible'"
        )
        return str(self.until(lambda: self.one("article .verdict").text))

    def press(self, element: WebElement) -> None:
        self.script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def understood(self, words: str) -> None:
        self.until(lambda: any(words in one.text for one in self.all(".understood")))

    @property
    def problem(self) -> str:
        return " ".join(one.text for one in self.all(".problem"))

    @property
    def grid(self) -> list[list[str]]:
        rows = self.all(".grid tr")
        cells = [[cell.text.strip("× ") for cell in row.find_elements(By.CSS_SELECTOR, "th, td")] for row in rows]
        return [[cell.replace("×", "").strip() for cell in row] for row in cells]

    @property
    def logged(self) -> list[str]:
        return [entry["message"] for entry in self.browser.get_log("browser")]


@pytest.fixture
def page(chromium: webdriver.Chrome, address: str, screen: Screen) -> Page:
    return Page(chromium, address, screen).open()


def test_paste_leads_to_the_verdict(page: Page) -> None:
    page.paste(SCORES)
    page.understood("4 datasets × 3 classifiers")
    page.write("--metric", "accuracy")
    page.until(lambda: page.one(".told").text == "The metric determines which scores are better.")

    verdict = page.compare()

    assert "classifiers" in verdict
    assert page.one(".same code").text == "evalstats compare - --metric accuracy"
    assert page.script("return document.activeElement.className") == "result"
    assert "The report is ready" in page.one("#says").text
    assert page.logged == []


def test_german_page_compares(page: Page) -> None:
    """All words of the page are German; the report is as the command writes it."""
    page.browser.get(f"{page.address}&lang=de")
    page.until(lambda: page.script("return document.body.dataset.ready"))
    assert page.script("return document.documentElement.lang") == "de"
    assert page.one("h1").text == "Klassifikatoren vergleichen"
    assert page.browser.title == "evalstats: Klassifikatoren vergleichen"
    assert page.button("Zwei Klassifikatoren auf 18 Datensätzen (Raeder 2010)")
    labels = page.script(
        "return [...document.querySelectorAll('.fields > label:not(.tick), summary, h1, h2, nav a, .view button')]"
        ".map(one => one.firstChild.textContent.trim())"
    )
    assert len(labels) > 100
    assert set(labels) <= {text for text in languages.words("de").values() if isinstance(text, str)}

    page.paste(SCORES)
    page.understood("4 Datensätze × 3 Klassifikatoren")
    page.write("--metric", "accuracy")
    page.until(lambda: page.one(".told").text == "Die Metrik legt fest, welche Werte besser sind.")
    verdict = page.compare()

    assert "classifiers" in verdict
    assert page.one("article").get_attribute("lang") == "en"
    assert page.one("#says").text == "Der Bericht ist fertig."
    assert page.button("HTML herunterladen", ".downloads")
    assert page.logged == []


def test_usual_direction_of_scores_without_a_metric_is_chosen_and_said(page: Page) -> None:
    page.paste(SCORES)
    page.understood("4 datasets")

    assert (
        page.one(".told").text == "“score” is not the name of a known metric. Higher scores are assumed to be better."
    )
    assert page.script("return document.querySelector('.direction input:checked').value") == "higher_is_better"
    page.compare()
    assert page.one(".same code").text == "evalstats compare -"
    assert "score, higher is better" in page.one("article h1").text

    page.press(page.one(".direction input:checked"))
    page.until(lambda: page.one(".told").text == "You chose this direction.")
    page.compare()
    assert page.one(".same code").text == "evalstats compare - --higher-is-better"


def test_direction_is_asked_where_the_metric_does_not_tell(page: Page) -> None:
    page.paste(SCORES)
    page.understood("4 datasets")
    page.write("--metric", "speed")
    page.until(lambda: page.all(".direction.asked"))
    assert "Please choose" in page.one(".direction.asked").text
    assert page.all(".direction input:checked") == []

    page.press(page.one("#compare button.main"))
    assert page.script("return document.activeElement.value") == "higher_is_better"
    assert page.all("article .verdict") == []
    page.press(page.all(".direction input")[1])
    page.until(lambda: page.one(".told").text == "You chose this direction.")

    page.compare()
    assert page.one(".same code").text == "evalstats compare - --metric speed --lower-is-better"
    assert "lower is better" in page.one("article h1").text


def test_mistake_is_told_with_the_line_a_sample_and_the_way_out(page: Page) -> None:
    page.paste("dataset,a,b\nx,1\n")
    page.until(lambda: "line 2" in page.problem)
    assert "dataset,NB,SVM,tree" in page.problem

    page.paste(LAST)
    page.until(lambda: "leave out their datasets, 1 of 3, with --missing drop-datasets" in page.problem)
    page.press(page.button("Use --missing drop-datasets"))

    page.understood("2 datasets × 3 classifiers")
    assert page.problem == ""
    assert "wine: scores are missing" in page.one(".corrections .chips").text


def test_what_was_understood_is_corrected_by_clicks(page: Page) -> None:
    page.paste("dataset,NB,SVM,tree,Average\niris,1,2,3,2\nwine,3,4,5,4\nzoo,5,6,7,6\n")
    page.understood("3 datasets × 3 classifiers")

    page.press(page.button("Leave out SVM"))
    page.understood("3 datasets × 2 classifiers")
    page.press(page.button("Leave out wine"))
    page.understood("2 datasets × 2 classifiers")
    assert page.grid == [["dataset", "NB", "tree"], ["iris", "1", "3"], ["zoo", "5", "7"]]

    page.press(page.button("Put back: SVM: dropped"))
    page.understood("2 datasets × 3 classifiers")
    page.press(next(one for one in page.all(".corrections button") if one.accessible_name.startswith("Keep: Average")))
    page.understood("2 datasets × 4 classifiers")
    page.press(page.button("Swap rows and columns"))
    page.understood("4 datasets × 2 classifiers")
    page.press(page.button("Swap rows and columns"))
    page.understood("2 datasets × 4 classifiers")


def test_role_of_a_column_is_changed_by_a_click(page: Page) -> None:
    page.paste("data,model,first,second\nx,a,1,8\nx,b,2,7\ny,a,3,6\ny,b,4,5\n")
    page.until(lambda: "score" in page.problem)
    page.write("--score", "first\t")
    page.understood("2 datasets × 2 classifiers")
    assert page.grid[1:] == [["x", "1", "2"], ["y", "3", "4"]]

    page.until(lambda: page.one(".roles label:nth-of-type(4)").text.startswith("second"))
    page.until(lambda: page.one(".roles label:nth-of-type(4) option[value=score]").click() or True)

    page.until(lambda: page.grid[1:] == [["x", "8", "7"], ["y", "6", "5"]])


def test_every_sample_is_one_click_from_its_report(page: Page) -> None:
    names = [one.text for one in page.all("#compare .samples button")]
    assert len(names) >= 7
    for name in names:
        page.press(page.button(name))
        page.until(lambda: page.all("#compare .understood"))
        page.until(lambda: not page.all(".direction.asked"))

        assert page.compare()
        assert page.problem == ""
        page.press(page.button("Clear"))


@pytest.fixture
def downloaded(page: Page, tmp_path: Path) -> Callable[[str, str], bytes]:
    folder = tmp_path / "downloads"
    page.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})

    def downloaded(words: str, name: str) -> bytes:
        page.press(page.button(f"Download {words}"))
        path = folder / name
        page.until(lambda: path.is_file() and not list(folder.glob("*.crdownload")) and path.stat().st_size)
        content = path.read_bytes()
        path.unlink()
        return content

    return downloaded


def test_downloads_are_the_files_of_the_command(
    page: Page, tmp_path: Path, downloaded: Callable[[str, str], bytes]
) -> None:
    (tmp_path / "scores.csv").write_text(SCORES, encoding="utf-8")
    page.browser.find_element(By.CSS_SELECTOR, "#compare input[type=file]").send_keys(str(tmp_path / "scores.csv"))
    page.understood("4 datasets")
    page.press(page.all(".direction input")[0])
    page.until(lambda: page.one(".told").text == "You chose this direction.")
    page.compare()
    suffixes = {"HTML": "html", "Markdown": "md", "LaTeX": "tex", "JSON": "json", "R": "R", "Text": "txt"}
    suffixes |= {"SVG": "svg", "PDF": "pdf", "PNG": "png"}

    for words, suffix in suffixes.items():
        command = ["compare", "scores.csv", "--higher-is-better", "--output", f"report.{suffix}"]
        subprocess.run([sys.executable, "-m", "evalstats", *command], cwd=tmp_path, check=True, capture_output=True)

        made = downloaded(words, f"comparison.{suffix}")

        assert made == (tmp_path / f"report.{suffix}").read_bytes(), words


def test_part_of_a_report_is_downloaded(page: Page, downloaded: Callable[[str, str], bytes]) -> None:
    page.paste(SCORES)
    page.write("--metric", "AUC")
    page.compare()
    page.one(".downloads option[value=sentence]").click()

    assert b"<p>" in downloaded("HTML", "comparison.html")[:10]


def test_picture_is_shown(page: Page) -> None:
    page.paste(SCORES)
    page.write("--metric", "AUC")
    page.compare()
    page.one(".pictures option[value=win-matrix]").click()
    page.press(page.button("Show"))

    picture = page.one(".shown img")

    page.until(lambda: page.script("return arguments[0].naturalWidth", picture) > 300)
    assert picture.accessible_name == "Plot: win matrix"


def test_texts_are_copied(page: Page) -> None:
    origin = page.address.partition("/?")[0]
    granted = {"origin": origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    page.browser.execute_cdp_cmd("Browser.grantPermissions", granted)
    page.paste(SCORES)
    page.write("--metric", "AUC")
    verdict = page.compare()

    for words, start in (
        ("Sentence", verdict[:20]),
        ("LaTeX", "%"),
        ("BibTeX", "@"),
        ("R", "#"),
        ("Command line", "evalstats compare -"),
    ):
        page.press(page.button(words, ".copies"))
        page.until(lambda words=words: page.one("#says").text == f"{words}: copied.")
        text = page.browser.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
        assert text.startswith(start), words


def test_forms_answer(page: Page) -> None:
    for view, fields, words in (
        ("which-test", {"--classifiers": "3", "--datasets": "10"}, "friedman"),
        ("plan", {"--datasets": "12"}, "0.000488"),
    ):
        page.one(f"nav a[href='#{view}']").click()
        for name, value in fields.items():
            page.write(name, value)

        assert words in page.compare().lower()
        assert page.problem == ""


def test_plan_shows_the_fields_of_its_test(page: Page) -> None:
    page.one("nav a[href='#plan']").click()
    told = {}
    for test in ("sign", "mcnemar", "corrected-t", "friedman"):
        page.one(f"#plan option[value={test}]").click()
        told[test] = {one.text for one in page.all("#plan .fields label code")}
    assert told["mcnemar"] - told["sign"] == {
        "--instances",
        "--accuracy",
        "--difference",
        "--discordance",
        "--correlation",
    }
    assert told["corrected-t"] - told["friedman"] == {"--folds", "--repeats", "--train", "--test"}

    page.one("#plan option[value=mcnemar]").click()
    page.write("--instances", "500")

    assert page.compare()
    assert page.one("#plan .same code").text == "evalstats plan mcnemar --instances 500"


def test_what_was_said_of_a_table_is_forgotten_with_it(page: Page) -> None:
    page.paste(SCORES)
    page.understood("4 datasets")
    page.press(page.all(".direction input")[1])
    page.until(lambda: page.one(".told").text == "You chose this direction.")
    page.press(page.button("Leave out tree"))
    page.understood("4 datasets × 2 classifiers")

    page.paste(SCORES.replace("0.93", "0.94"))
    page.until(lambda: page.grid[1][1] == "0.94")
    assert page.one(".told").text == "You chose this direction."
    assert page.grid[0] == ["dataset", "NB", "SVM"]

    page.paste("dataset,tree,NB,new\na,1,2,3\nb,2,3,4\n")
    page.understood("2 datasets × 3 classifiers")
    assert "is not the name of a known metric" in page.one(".told").text


def test_published_ranks_are_audited(page: Page) -> None:
    page.one("nav a[href='#audit']").click()
    page.press(page.button("Mean ranks from a paper, to audit"))
    page.until(lambda: page.one("#audit textarea").get_property("value"))

    assert page.compare()
    assert "--datasets 14" in page.one("#audit .same code").text


def test_mean_ranks_that_cannot_be_compared_are_taken_to_the_audit(page: Page) -> None:
    page.paste("classifier,mean rank\n2-fold,2.95\n5-fold,1.90\n10-fold,1.05\n")
    page.press(page.button("Audit the table"))
    page.write("--datasets", "20")

    assert "1 error found" in page.compare()


def test_formats_are_shown_and_tried(page: Page) -> None:
    page.one("nav a[href='#formats']").click()
    summary = next(
        one for one in page.until(lambda: page.all("#formats summary")) if one.text.startswith("WEKA Experimenter, CSV")
    )
    page.press(summary)
    page.press(page.button("Try this example"))

    page.until(lambda: "written by weka-csv" in page.one(".understood").text)


def test_everything_is_done_with_the_keyboard(page: Page) -> None:
    def press(*keys: str) -> None:
        actions = webdriver.ActionChains(page.browser)
        actions.send_keys(*keys).perform()

    def focused() -> WebElement:
        return page.browser.switch_to.active_element

    def tab_to(is_there: Callable[[WebElement], bool]) -> None:
        for _ in range(60):
            press(Keys.TAB)
            element = focused()
            assert element.accessible_name or element.tag_name == "body", element.get_attribute("outerHTML")
            if element.tag_name != "body" and element.get_attribute("type") != "file":
                assert element.value_of_css_property("outline-style") != "none", element.get_attribute("outerHTML")
            if is_there(element):
                return
        pytest.fail("the keyboard does not lead there")

    page.script("document.activeElement.blur(); scrollTo(0, 0)")
    tab_to(lambda element: element.tag_name == "textarea")
    press(SCORES)
    page.understood("4 datasets")
    tab_to(lambda element: element.get_attribute("value") == "higher_is_better")
    press(Keys.ARROW_RIGHT)
    page.until(
        lambda: page.script("return document.querySelector('.direction input:checked').value") != "higher_is_better"
    )
    press(Keys.ARROW_LEFT)
    page.until(lambda: page.one(".told").text == "You chose this direction.")
    tab_to(lambda element: element.accessible_name == "Leave out tree")
    press(Keys.ENTER)
    page.understood("4 datasets × 2 classifiers")
    page.one("#compare textarea").send_keys(Keys.CONTROL, Keys.ENTER)
    page.one("article .verdict")
    tab_to(lambda element: element.accessible_name == "Download JSON")
    press(Keys.ENTER)
    page.until(lambda: "comparison.json" in page.one("#says").text)


def test_focus_stays_where_it_was_when_something_is_left_out(page: Page) -> None:
    page.paste(SCORES)
    page.understood("3 classifiers")
    page.button("Leave out tree").send_keys(Keys.ENTER)
    page.understood("2 classifiers")

    assert page.script("return document.activeElement.closest('.seen') !== null")


@pytest.mark.parametrize(("width", "dark"), [(400, False), (400, True), (800, False), (1280, True)])
def test_page_fits_and_can_be_read(page: Page, width: int, dark: bool) -> None:
    """Nothing is wider than the window, every text stands out from its ground, every control has a name."""
    page.open(width=width, dark=dark)
    faults = []
    for view in ("which-test", "plan", "audit", "formats", "compare"):
        page.one(f"nav a[href='#{view}']").click()
        page.until(lambda view=view: page.all(f"#{view} h1"))
        faults += _faults(page, view)
    page.paste(LAST)
    page.until(lambda: page.problem)
    faults += _faults(page, "mistake")
    page.paste(SCORES)
    page.understood("4 datasets")
    faults += _faults(page, "preview")
    page.write("--metric", "AUC")
    page.until(lambda: page.one(".told").text == "The metric determines which scores are better.")
    page.compare()
    for details in page.all("details"):
        page.script("arguments[0].open = true", details)
    faults += _faults(page, "report")

    assert faults == []


CONTRAST = """
const rgb = text => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const ground = element => {
  for (let at = element; at; at = at.parentElement) {
    const color = rgb(getComputedStyle(at).backgroundColor);
    if (color.length === 3 || color[3] === 1) return color;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches ? [20, 23, 26] : [255, 255, 255];
};
const faults = [];
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
  if (!own || !element.checkVisibility() || element.closest("svg, option, noscript") || element.disabled) continue;
  const [a, b] = [light(rgb(getComputedStyle(element).color)), light(ground(element))].sort((x, y) => y - x);
  const contrast = (a + 0.05) / (b + 0.05);
  if (contrast < 4.5) faults.push(`${element.outerHTML.slice(0, 80)} has a contrast of ${contrast.toFixed(1)}`);
}
return faults;
"""


def _faults(page: Page, where: str) -> list[str]:
    width, window = page.script("return [document.documentElement.scrollWidth, innerWidth]")
    faults = [f"{width} pixels wide"] if width > window else []
    faults += page.script(CONTRAST)
    named = "button, input, select, textarea, a[href], summary, [tabindex='0']:not(svg *), img, [role=region]"
    faults += [
        f"no name: {one.get_attribute('outerHTML')[:80]}" for one in page.all(named) if not one.accessible_name.strip()
    ]
    ids = page.script("return [...document.querySelectorAll('[id]')].map(one => one.id)")
    faults += [f"id {name} occurs twice" for name in sorted({name for name in ids if ids.count(name) > 1})]
    small = page.script(
        "return [...document.querySelectorAll('.view :is(button, select, summary, .button)')].filter(one => "
        "one.checkVisibility() && !one.closest('article, svg') && Math.min(one.offsetHeight, one.offsetWidth) < 20)"
        ".map(one => one.outerHTML.slice(0, 80))"
    )
    return [f"{where}: {fault}" for fault in faults + [f"small: {one}" for one in small]]


def test_hostile_names_do_nothing(page: Page) -> None:
    nasty = "<img src=x onerror=window.caught=1><script>window.caught=1</script>'&amp;${window.caught=1}"
    page.paste(f'dataset,"{nasty}",b,c\n"{nasty}",1,2,3\ny,3,4,1\nz,5,1,2\n')
    page.understood("3 datasets × 3 classifiers")
    page.write("--metric", f"accuracy {nasty}")
    page.until(lambda: page.one(".told").text == "The metric determines which scores are better.")
    page.compare()
    page.paste(f"{nasty}\n{nasty},{nasty}\n")
    page.until(lambda: page.problem)

    assert page.script("return window.caught") is None
    assert page.all("main img, main script") == []
    assert page.logged == []


def drop(page: Page, items: str, files: str) -> None:
    page.script(
        f"const event = new Event('drop', {{bubbles: true}}); event.dataTransfer = {{items: {items}, files: {files}, "
        "getData: () => ''}; document.body.dispatchEvent(event)"
    )


def test_dropped_file_is_read_and_dropped_folder_is_a_sentence(page: Page) -> None:
    drop(page, "[]", f"[new File([{SCORES!r}], 'scores.csv')]")
    page.understood("4 datasets")
    assert "scores.csv (94 B)" in page.one(".files").text

    drop(page, "[{webkitGetAsEntry: () => ({isDirectory: true, name: 'logs'})}]", "[]")
    page.until(lambda: page.problem == "logs is a folder: choose the files in it, or type evalstats compare logs")
    assert "scores.csv" in page.one(".files").text


def test_body_over_the_limit_is_a_sentence(page: Page) -> None:
    drop(page, "[]", "[new File([new Uint8Array(257 * 2 ** 20)], 'large.csv')]")

    page.until(lambda: "this is 257 MB, and the page accepts at most 256 MB at once" in page.problem)


def test_two_tabs_do_not_know_each_other(page: Page) -> None:
    page.paste(SCORES)
    page.understood("4 datasets")
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    page.browser.get(page.address)
    page.until(lambda: page.script("return document.body.dataset.ready"))
    assert page.one("#compare textarea").get_property("value") == ""
    page.paste(LAST.replace("0.9,", "0.9,0.8"))
    page.understood("3 datasets")
    page.browser.close()
    page.browser.switch_to.window(first)

    assert page.one("#compare textarea").get_property("value") == SCORES
    page.understood("4 datasets")


def test_nothing_is_asked_of_another_machine(page: Page) -> None:
    page.paste(SCORES)
    page.write("--metric", "AUC")
    page.compare()

    loaded = page.script("return performance.getEntriesByType('resource').map(one => one.name)")

    assert len(loaded) > 4
    assert [name for name in loaded if not name.startswith((page.address.partition("?")[0], "blob:", "data:"))] == []


def test_server_that_was_stopped_takes_nothing_from_the_page(chromium: webdriver.Chrome, screen: Screen) -> None:
    process, address = started()
    page = Page(chromium, address, screen).open()
    page.paste(SCORES)
    page.write("--metric", "AUC")
    verdict = page.compare()
    stopped(process)

    page.press(page.one("#compare button.main"))

    page.until(lambda: page.problem.startswith("evalstats serve does not answer: was it stopped"))
    assert page.one("#compare textarea").get_property("value") == SCORES
    assert page.one("article .verdict").text == verdict


def test_page_of_an_earlier_start_says_so(chromium: webdriver.Chrome, address: str, screen: Screen) -> None:
    chromium.get(address.partition("token=")[0] + "token=of-yesterday")
    page = Page(chromium, address, screen)

    page.until(lambda: "this page was opened by an earlier run" in page.problem)


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_nothing_keeps_anybody_from_using_the_page(page: Page, width: int, dark: bool, serious: Serious) -> None:
    page.open(width=width, dark=dark)
    page.paste(SCORES)
    page.understood("4 datasets")
    page.write("--metric", "accuracy")
    page.compare()

    assert serious() == []
    for view in ("which-test", "plan", "audit", "formats"):
        page.script("location.hash = arguments[0]", view)
        page.until(lambda shown=view: page.all(f"#{shown} h1"))
        assert serious() == [], view


def test_axe_finds_what_is_wrong(page: Page, serious: Serious) -> None:
    """The check can fail: a picture without words is a finding."""
    page.script("document.querySelector('main').append(Object.assign(new Image(), {src: 'data:,'}))")

    assert any(one.startswith("image-alt") for one in serious())


def test_report_keeps_nobody_from_reading_it(page: Page, tmp_path: Path, serious: Serious) -> None:
    from evalstats import compare, example_path, report

    path = tmp_path / "report.html"
    path.write_text(report.html(compare(example_path("japkowicz-accuracy"), metric="accuracy")), encoding="utf-8")
    page.browser.get(path.as_uri())

    assert serious() == []
