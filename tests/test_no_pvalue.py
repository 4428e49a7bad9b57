"""No p-value is not "no difference": whatever the design, a report says so, or a valid test answers."""

from __future__ import annotations

import html
import math
import re
import warnings
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalstats
from evalstats import Comparison, EvalstatsError, EvalstatsWarning, plot, report
from evalstats.comparison.registry import POSTHOC_TESTS

NAMES = ("NB", "SVM", "tree", "kNN")
FORMATS = (report.text, report.markdown, report.html, report.latex, report.json)
# what a report says of a pair that no test can tell apart or not
SAID = ("cannot be tested by", "does not apply")
NOT_SHOWN = re.compile(r"not shown to differ|does not show that|no difference between", re.IGNORECASE)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Any, dict[str, Any]]:
    """Draw scores that differ by constants, in part or everywhere, over datasets: the source, and the choices."""
    k, n = draw(st.integers(2, 4)), draw(st.integers(2, 8))
    base = np.array(draw(st.lists(st.integers(0, 50), min_size=n, max_size=n))) / 100
    steps = draw(st.lists(st.sampled_from([0.0, 0.0, 0.1, 0.25]), min_size=k, max_size=k))
    noise = draw(st.sampled_from([[False] * k, draw(st.lists(st.booleans(), min_size=k, max_size=k))]))
    of_noise = np.random.default_rng(draw(st.integers(0, 99))).integers(0, 20, (n, k)) / 100
    scores = base[:, None] + np.array(steps) + of_noise * np.array(noise)
    choices: dict[str, Any] = {}
    if k > 2:
        of_variance = ["paired-t", "tukey", "dunnett", "conover", "romano-wolf"]
        posthoc = draw(st.one_of(st.sampled_from(of_variance), st.sampled_from(list(POSTHOC_TESTS))))
        choices = {"posthoc": posthoc, "n_resamples": 99}
        if not POSTHOC_TESTS[posthoc].pairs or (POSTHOC_TESTS[posthoc].control and draw(st.booleans())):
            choices["control"] = NAMES[0]
        if draw(st.sampled_from([False, False, True])):
            lost = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, k - 1)), min_size=1, max_size=n))
            scores[tuple(zip(*lost, strict=True))] = np.nan
            choices = {"missing": "skillings-mack"}
    return pd.DataFrame(scores, columns=NAMES[:k]), choices


@st.composite
def folds(draw: st.DrawFn) -> tuple[Any, dict[str, Any]]:
    """Draw scores of the folds of one dataset, some of which differ by the same amount in each."""
    k, n = draw(st.integers(2, 4)), draw(st.sampled_from([2, 5, 10]))
    repeats = 5 if n == 2 else 1
    base = np.array(draw(st.lists(st.integers(0, 50), min_size=n * repeats, max_size=n * repeats))) / 100
    steps = draw(st.lists(st.sampled_from([0.0, 0.1, 0.25]), min_size=k, max_size=k))
    noise = draw(st.lists(st.booleans(), min_size=k, max_size=k))
    of_noise = np.random.default_rng(draw(st.integers(0, 99))).integers(0, 20, (k, n * repeats)) / 100
    rows = [
        ("d", name, i // n, i % n, round(base[i] + steps[j] + noise[j] * of_noise[j, i], 3))
        for j, name in enumerate(NAMES[:k])
        for i in range(n * repeats)
    ]
    return pd.DataFrame(rows, columns=["dataset", "classifier", "repeat", "fold", "score"]), {}


@st.composite
def predictions(draw: st.DrawFn) -> tuple[Any, dict[str, Any]]:
    """Draw labels or scores of cases, from all right to all wrong."""
    k, n = draw(st.integers(2, 3)), draw(st.integers(4, 14))
    truth = np.resize([0, 1], n)
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    of_scores = draw(st.booleans())
    rows = []
    for name in NAMES[:k]:
        right = rng.random(n) < draw(st.sampled_from([0.0, 0.0, 0.5, 1.0, 1.0]))
        score = np.where(right, 2 * truth - 1, 1 - 2 * truth) * (rng.integers(1, 5, n) / 4)
        said = score if of_scores else np.where(right, truth, 1 - truth)
        rows += [(name, i, t, s) for i, (t, s) in enumerate(zip(truth.tolist(), said.tolist(), strict=True))]
    column = "y_score" if of_scores else "y_pred"
    return pd.DataFrame(rows, columns=["classifier", "row", "y_true", column]), {"n_resamples": 99}


@st.composite
def questions(draw: st.DrawFn) -> tuple[Any, dict[str, Any]]:
    """Draw answers to questions of one or several benchmarks, in clusters or not, which may not vary at all."""
    k, n, n_strata = draw(st.integers(2, 3)), draw(st.integers(2, 30)), draw(st.integers(1, 3))
    n_samples, size = draw(st.integers(1, 2)), draw(st.sampled_from([1, 1, 2, 30]))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    grades = draw(st.sampled_from([(0.0, 1.0), (0.0, 0.5, 1.0)]))
    rows = []
    for name in NAMES[:k]:
        share = draw(st.sampled_from([0.0, 0.5, 1.0]))
        for b, i, s in np.ndindex(n_strata, n, n_samples):
            score = (rng.choice(grades)) if share == 0.5 else share
            rows.append((name, f"b{b}", f"b{b} q{i}", f"b{b} c{i // size}", s, score))
    frame = pd.DataFrame(rows, columns=["model", "benchmark", "question_id", "passage", "sample", "score"])
    gone = [name for name, n in (("benchmark", n_strata), ("sample", n_samples), ("passage", size)) if n == 1]
    choices = {"n_resamples": 99, **({"margin": 0.1} if draw(st.booleans()) else {})}
    return frame.drop(columns=gone), choices


def compared(source: Any, choices: dict[str, Any]) -> Any:
    """Return the comparison; None where there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", EvalstatsWarning)
            return evalstats.compare(source, **choices)
    except EvalstatsError:
        return None


@pytest.mark.sampled
@pytest.mark.parametrize("design", [tables, folds, predictions, questions])
@given(data=st.data())
def test_report_says_where_there_is_no_pvalue(design: Any, data: st.DataObject) -> None:
    comparison = compared(*data.draw(design()))
    if comparison is None:
        return
    omnibus = getattr(comparison, "omnibus", None)
    assert omnibus is None or not math.isnan(omnibus.pvalue)
    lacking = {frozenset((pair.first, pair.second)) for pair in comparison.pairs if math.isnan(pair.pvalue)}
    assert lacking == {frozenset((pair.first, pair.second)) for pair in comparison.validity.untested}
    shown = [write(comparison) for write in FORMATS]
    if comparison.validity.replacements:
        for one in comparison.validity.replacements:
            assert all(one.test in html.unescape(text) for text in shown[:3])
            assert all(one.by in html.unescape(text) for text in shown[:3])
    for text in shown:
        plain = html.unescape(re.sub(r"\s+", " ", text))
        assert "no p-value)" not in plain
        assert "no p-value," not in plain
        assert not lacking or any(words in plain for words in SAID), text
    for sentence in re.split(r"(?<=[.;]) ", comparison.verdict):
        if NOT_SHOWN.search(sentence) and "cannot be tested" not in sentence:
            assert not any(_says(sentence, comparison, pair) for pair in lacking), sentence


def _says(sentence: str, comparison: Any, pair: frozenset[str]) -> bool:
    """Tell whether a sentence about what is not shown is about a pair without a p-value."""
    if sentence.lower().startswith(("no difference between any", "of ")):
        return False
    named = {name for name in pair if name in sentence}
    best = comparison.ranking[0] if comparison.control is None else comparison.control
    return named == pair or (best in pair and bool(named - {best}))


@pytest.mark.parametrize("posthoc", ["paired-t", "tukey", "conover", "romano-wolf"])
def test_constant_differences_over_datasets_are_found(posthoc: str) -> None:
    base = np.linspace(0.3, 0.7, 10)

    comparison = evalstats.compare(np.c_[base, base + 0.1, base + 0.2], posthoc=posthoc)

    assert comparison.n_different == 3
    assert comparison.posthoc_test == "wilcoxon"
    assert "cannot test every pair, because" in " ".join(report.text(comparison).split())


@pytest.mark.parametrize("beside", [{}, {"passage": 6}, {"sample": 3}, {"benchmark": 3}])
def test_one_that_is_always_right_is_better_than_one_that_never_is(beside: dict[str, int]) -> None:
    rows = [(f"q{j}", c, int(c == "A")) for j in range(120) for c in "AB"]
    frame = pd.DataFrame(rows, columns=["question", "model", "correct"])
    for name, n in beside.items():
        parts = [frame.assign(**{name: f"{name}{i}"}) for i in range(n)]
        frame = pd.concat(parts) if name != "passage" else frame.assign(passage=np.arange(240) // (2 * n))

    comparison = evalstats.compare(frame)

    assert "A is better than B" in comparison.verdict
    assert comparison.pairs[0].pvalue < 1e-4


@pytest.mark.parametrize(("n", "test"), [(20, "delong_test"), (500, "metric_permutation_test")])
def test_area_of_1_against_0_is_tested(n: int, test: str) -> None:
    """The adjusted variance for few instances is positive; without it, the permutation test decides."""
    truth, right = np.repeat([1, 0], n), np.r_[np.linspace(1, 2, n), np.linspace(-2, -1, n)]
    rows = {"y_true": truth, "good": right, "bad": -right}

    comparison = evalstats.compare(rows)

    assert comparison.pair_test == test
    assert comparison.pairs[0].different
    assert [one.test for one in comparison.validity.replacements] == ["DeLong test"] * (n == 500)


def test_folds_that_differ_by_a_constant_are_not_alike() -> None:
    """Nothing is known to hold its level there: the pair is named as one that cannot be tested."""
    rng = np.random.default_rng(0)
    base = rng.random(10).round(3)
    scores = {"alpha": base, "beta": base + 0.1, "gamma": base + rng.random(10).round(2)}
    rows = [("d", name, i, score) for name, own in scores.items() for i, score in enumerate(own.tolist())]

    comparison = evalstats.compare(pd.DataFrame(rows, columns=["dataset", "classifier", "fold", "score"]))

    assert [(pair.first, pair.second) for pair in comparison.validity.untested] == [("beta", "alpha")]
    assert "1 of 3 pairs cannot be tested by the corrected resampled t-test (beta and alpha)" in comparison.verdict


def test_pictures_name_the_pairs_that_were_not_tested() -> None:
    """A bar, a letter and a mark join such pairs too."""
    frame = pd.DataFrame(
        {"alpha": [0.9, 0.8, 0.7, 0.9] * 3 + [np.nan] * 6, "beta": [0.5, 0.4, 0.6, 0.3] * 4 + [0.2, 0.1]}
    )
    frame["gamma"] = [np.nan] * 12 + [0.9] * 6
    comparison = evalstats.compare(frame, missing="skillings-mack")
    assert isinstance(comparison, Comparison)

    axes = plot.critical_difference_diagram(comparison)

    drawn = " ".join(text.get_text() for text in axes.texts + axes.figure.texts).replace("\n", " ")
    assert "Not tested, so no conclusion is possible: alpha and gamma" in drawn.replace(
        "gamma and alpha", "alpha and gamma"
    )
    plt.close("all")
