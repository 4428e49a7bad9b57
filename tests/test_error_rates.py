"""The rates on the page are those of the data, and no public test, adjustment or interval is forgotten."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from public_names import functions_by_name

import evalstats
import evalstats.metrics.delong
from evalstats._result import Record
from evalstats.adjustment.pairwise import PAIRWISE_ONLY
from evalstats.adjustment.pvalues import ADJUSTMENTS

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "simulate_error_rates.py"
PAGE = (ROOT / "docs" / "error-rates" / "all-methods.md").read_text(encoding="utf-8")
# functions that test or estimate nothing of their own: advice, pictures of what is counted here, calls by name
ABOUT = {"which_test", "difference_intervals", "margin_intervals", "pairwise_test", "score_intervals"}


@pytest.fixture(scope="module")
def script() -> dict:
    return runpy.run_path(str(SCRIPT))


@pytest.fixture(scope="module")
def figure() -> dict:
    return runpy.run_path(str(ROOT / "docs" / "figures" / "error_rates.py"))


def section(heading: str) -> str:
    return PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def with_intervals() -> set[str]:
    """Return the names of the result classes that have a confidence interval, the last of each line."""
    for found in pkgutil.walk_packages(evalstats.__path__, "evalstats."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    found = classes_below(Record)
    return {c.__name__ for c in found if hasattr(c, "confidence_interval") and not c.__subclasses__()}


def classes_below(base: type) -> set[type]:
    """Return all classes that inherit from a class."""
    return {found for one in base.__subclasses__() for found in {one, *classes_below(one)}}


def class_of(name: str) -> str:
    """Return the class whose interval is counted: it is named, or the function that returns it."""
    function = functions_by_name().get(name) or getattr(evalstats.metrics.delong, name, None)
    return name if function is None else str(inspect.signature(function).return_annotation)


def test_page_is_that_of_the_data(figure: dict) -> None:
    assert figure["page"](PAGE, figure["read"]()) == PAGE


def test_every_public_test_is_here_or_excused(script: dict) -> None:
    """Also those that only a subpackage shows, and functions that return an interval and no result with one."""
    names = {
        name
        for name, function in functions_by_name().items()
        if re.search("test|posthoc|interval", name) or "Interval" in str(inspect.signature(function).return_annotation)
    } - ABOUT
    tried = {setting.subject.removesuffix(".confidence_interval") for setting in script["settings"]()}
    excused = set(re.findall(r"`(\w+)`", section("Excluded methods")))

    assert names - tried - excused == set()
    assert tried & excused == set()


def test_every_interval_is_here_or_excused(script: dict) -> None:
    counted = (s.subject.removesuffix(".confidence_interval") for s in script["settings"]() if "." in s.subject)
    tried = {class_of(name) for name in counted}
    excused = set(re.findall(r"`(\w+)`", section("Excluded methods")))

    assert with_intervals() - tried - excused == set()
    assert tried & excused == set()


def test_every_adjustment_is_here(script: dict) -> None:
    tried = {(setting.subject, setting.variant) for setting in script["settings"]()}

    assert {("adjust_pvalues", method) for method in ADJUSTMENTS} <= tried
    assert {("adjust_pairwise", method) for method in (*ADJUSTMENTS, *PAIRWISE_ONLY)} <= tried


def test_every_setting_has_its_rates(script: dict, figure: dict) -> None:
    wanted = {(s.subject, s.variant, s.data, str(s.n), str(s.k), f"{s.lead:g}") for s in script["settings"]()}
    names = ("subject", "variant", "data", "n", "k", "lead")

    rows = [row for row in figure["read"]() if not figure["is_exact"](row)]
    assert {tuple(row[name] for name in names) for row in rows} == wanted


def test_exact_rates_are_enumerated(figure: dict) -> None:
    """Two of the rates by hand: of 6 signs all agree, and of 3! ** 4 tables of 5 datasets some order is extreme."""
    exact = {
        (row["subject"], row["variant"], row["n"], row["k"]): row for row in figure["read"]() if figure["is_exact"](row)
    }

    assert float(exact["sign_test", "", "6", "2"]["rate"]) == 2 / 2**6
    assert float(exact["wilcoxon_test", "auto", "6", "2"]["rate"]) == 2 / 2**6
    assert float(exact["friedman_test", "auto", "5", "3"]["rate"]) == pytest.approx(0.03935, abs=5e-6)


def test_rank_tables_have_the_probability_of_one(figure: dict) -> None:
    exact = runpy.run_path(str(ROOT / "scripts" / "exact_error_rates.py"))

    tables, probability = exact["rank_tables"](4, 3)

    assert probability.sum() == pytest.approx(1, abs=1e-14)
    assert np.array_equal(np.sort(tables, axis=-1), np.broadcast_to([1.0, 2, 3], tables.shape))
    assert len(np.unique(tables.sum(axis=1), axis=0)) == len(tables)


@pytest.mark.parametrize("n", [100, 2_300, 20_700])
def test_smallest_excess_is_found_nine_times_in_ten(figure: dict, n: int) -> None:
    experiments = runpy.run_path(str(ROOT / "scripts" / "experiments.py"))
    rate = 0.05 + experiments["smallest_excess"](n)
    counts = np.random.default_rng(1).binomial(n, rate, 4000)

    low = np.asarray(evalstats.metrics.proportion_interval(counts, n, confidence_level=0.999).low)

    assert (low > 0.05).mean() == pytest.approx(0.9, abs=0.02)


def test_methods_far_above_their_level_say_so(figure: dict) -> None:
    """The docstring of a function gives an error rate, or a coverage, at least as bad as the worst setting here."""
    silent = set()
    for row in filter(figure["is_known"], filter(figure["is_far"], figure["read"]())):
        told = [float(x) for x in re.findall(r"(?<![\d.])(\d+(?:\.\d+)?)%", documentation(row["subject"]))]
        rate = 100 * float(row["rate"])
        if row["what"] == "coverage":
            is_told = any(50 <= x <= rate + 0.5 for x in told)
        else:
            is_told = any(rate - 0.5 <= x < 50 for x in told)
        if not is_told:
            silent.add((row["subject"], row["what"], round(rate, 1)))

    assert silent == set()


def documentation(subject: str) -> str:
    """Return the docstring of a function, or of a result, with the docstring of its interval."""
    name, _, method = subject.partition(".")
    result = class_of(name)
    classes = {one.__name__: one for one in classes_below(Record)}
    shown = [functions_by_name().get(name), *([getattr(classes[result], method, None)] if method else [])]
    return "\n".join(inspect.getdoc(one) or "" for one in shown if one is not None)


def test_defaults_are_not_far_above_their_level(figure: dict, script: dict) -> None:
    defaults = script["DEFAULTS"]
    rows = [row for row in figure["read"]() if (row["subject"], row["variant"]) in defaults and figure["promises"](row)]

    assert {(row["subject"], row["variant"]) for row in rows} == defaults
    assert not [row for row in rows if figure["is_far"](row)]


def choices_and_defaults(subject: str) -> tuple[set[str], set[str]]:
    """Return the choices that a function and its interval document, and the defaults of their signatures."""
    name, _, method = re.sub(r",.*?(?=\.|$)", "", subject).partition(".")
    classes = {one.__name__: one for one in classes_below(Record)}
    called = [functions_by_name().get(name), getattr(classes.get(class_of(name)), method, None) if method else None]
    choices, defaults = set(), set()
    for one in filter(None, called):
        for parameter, told in re.findall(r"^(\w+) : .*?\{(.*?)\}", inspect.getdoc(one) or "", re.MULTILINE):
            if parameter in inspect.signature(one).parameters:
                choices |= set(re.findall(r"'(.*?)'", told))
                defaults.add(str(inspect.signature(one).parameters[parameter].default))
    return choices, defaults


def is_default(row: dict[str, str]) -> bool:
    """Return whether a row takes the default of every choice: no word of its variant is another choice."""
    choices, defaults = choices_and_defaults(row["subject"])
    return not set(row["variant"].split(", ")) & (choices - defaults)


def test_defaults_are_those_of_the_signatures() -> None:
    asked = {
        ("friedman_test", "auto"): True,
        ("friedman_test", "chi2"): False,
        ("pairwise_wilcoxon_test", "control, holm"): True,
        ("bootstrap_interval", "f1, bca"): True,
        ("bootstrap_interval", "f1, percentile"): False,
        ("RecalibrationTestResult.slope_interval", "profile"): False,
        ("krippendorff_alpha.confidence_interval", ""): True,
    }

    assert {key: is_default(dict(zip(("subject", "variant"), key, strict=True))) for key in asked} == asked


def test_every_rate_of_a_default_is_known(figure: dict) -> None:
    unknown = [row for row in figure["read"]() if figure["promises"](row) and not figure["is_known"](row)]

    assert [(row["subject"], row["variant"], row["data"], row["n"]) for row in unknown if is_default(row)] == []


def test_what_is_far_off_its_level_is_named(figure: dict) -> None:
    """With the reason."""
    off = {row["subject"].removesuffix(".confidence_interval") for row in figure["read"]() if figure["is_far"](row)}

    assert {subject for subject in off if f"`{subject}`" not in section("Results")} == set()


@pytest.mark.long
def test_chunks_can_be_made_again(script: dict, figure: dict) -> None:
    """The random numbers of a chunk depend on nothing but the seed, the setting and its number."""
    quick = next(one for one in script["settings"]() if one.subject == "paired_ttest")

    first, again = (script["chunk"](quick, 3, 1) for _ in range(2))

    assert first == again
    assert first != script["chunk"](quick, 4, 1) | {"chunk": 3}


@pytest.mark.long
def test_run_goes_on_where_it_was(tmp_path: Path) -> None:
    out, table = tmp_path / "run.jsonl", tmp_path / "table.csv"

    def go_on(minutes: float, *more: str) -> list[str]:
        command = [
            sys.executable,
            str(SCRIPT),
            "--out",
            str(out),
            "--minutes",
            str(minutes),
            "--only",
            "cohen_dz",
            *more,
        ]
        subprocess.run(command, check=True, capture_output=True)
        return out.read_text(encoding="utf-8").splitlines()

    begun = go_on(0.005)
    out.write_text("\n".join([*begun, begun[-1][:20]]), encoding="utf-8")  # killed while it wrote
    longer = go_on(0.005, "--table", str(table))

    assert longer[: len(begun)] == begun
    keys = [(line["setting"], line["chunk"]) for line in map(json.loads, longer[1:])]
    assert len(set(keys)) == len(keys) > len(begun) - 1
    assert "cohen_dz.confidence_interval" in table.read_text(encoding="utf-8")


def test_rates_of_settings_that_a_run_has_not_stay_as_they_are(script: dict, figure: dict) -> None:
    before = figure["read"]()
    quick = next(one for one in script["settings"]() if one.subject == "cohen_dz.confidence_interval")

    before = [row for row in before if not figure["is_exact"](row)]
    known = script["Counted"]()
    for number in range(2):
        known.add(script["chunk"](quick, number, 1) | {"n": 10**6, "seconds": 1.0})
    few = script["Counted"]()
    few.add(script["chunk"](quick, 0, 1) | {"seconds": 1.0})

    rows = script["table"]({quick.key: known}, 1, before)

    new = [i for i, (row, old) in enumerate(zip(rows, before, strict=True)) if row != old]
    assert [(rows[i]["subject"], rows[i]["n"], rows[i]["seed"]) for i in new] == [(quick.subject, quick.n, 1)]
    assert script["table"]({quick.key: few}, 1, before) == before


def test_run_stops_where_the_rate_is_known(script: dict) -> None:
    """Rates of .05 need 20,600 experiments for an interval of .01, and 2,300 of .03 if they are slow."""
    for seconds, enough in ((1e-5, 20_700), (1e-2, 2_350)):
        for n, is_known in ((enough, True), (enough - 300, False)):
            counted = script["Counted"]()
            sums = {"type-I error": [0.05 * n, 0.05 * n]}
            counted.add({"chunk": 0, "n": n, "seconds": seconds * n, "sums": sums})

            assert (counted.work == 0) is is_known


def test_scores_with_ties_have_the_probabilities_of_the_model(script: dict) -> None:
    """Of three, of which the best is first alone with probability e / (e + 1 + 1 / e + half the roots of products)."""
    drawn = script["ranked_with_ties"](np.random.default_rng(1), 4000, 3)
    worth = np.exp([1, 0, -1])

    alone = (drawn[:, 0] > drawn[:, 1:].max(axis=1)).mean()

    roots = sum(np.sqrt(worth[i] * worth[j]) for i, j in ((0, 1), (0, 2), (1, 2)))
    assert alone == pytest.approx(worth[0] / (worth.sum() + roots / 2), abs=0.025)


def test_file_of_another_run_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    out.write_text('{"seed": 1}\n', encoding="utf-8")
    command = [sys.executable, str(SCRIPT), "--out", str(out), "--minutes", "0"]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "give another file to --out" in done.stderr


@pytest.mark.parametrize("shares", [[0.8, 0.8], [0.75, 0.85]])
def test_answers_have_the_shares_and_the_correlation_that_the_page_tells(script: dict, shares: list[float]) -> None:
    drawn = script["right"](np.random.default_rng(1), (400, 500, 2), shares)

    assert drawn.mean(axis=(0, 1)) == pytest.approx(shares, abs=0.005)
    assert np.corrcoef(drawn.reshape(-1, 2).T)[0, 1] == pytest.approx(0.3, abs=0.06)


@pytest.mark.long
def test_ranked_cases_have_the_areas_that_are_asked_for(script: dict) -> None:
    y_true, drawn = script["ranked"](np.random.default_rng(1), 400, 200, [0.75, 0.85])

    areas = [evalstats.metrics.roc_auc_score(np.broadcast_to(y_true, (400, 200)), drawn[..., i]).mean() for i in (0, 1)]

    assert areas == pytest.approx([0.75, 0.85], abs=0.005)
