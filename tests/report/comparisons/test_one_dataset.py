"""The report of a comparison on one dataset, in every format and on every branch."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from functools import cache
from html import unescape

import numpy as np
import pytest

from evalstats import Comparison, compare, report
from evalstats.comparison.notes import ON_ONE_DATASET, Note
from evalstats.report import document
from evalstats.report.blocks import Cite
from evalstats.report.comparisons.comparison import TOLD
from evalstats.report.comparisons.methods import methods
from evalstats.report.comparisons.notes import NOTES
from evalstats.report.comparisons.verdict import verdict

NASTY = ("<b>&", "a | b_c", "森 林%")


def folds(
    shift: tuple[float, ...], names: tuple[str, ...] = ("A", "B", "C"), shape: tuple[int, int] = (5, 4), **sizes: int
) -> dict[str, list[object]]:
    rng = np.random.default_rng(1)
    scores = (rng.normal(0.8, 0.02, (1, *shape)) + rng.normal(0, 0.004, (len(shift), *shape))).round(4)
    at = list(itertools.product(*map(range, scores.shape)))
    rows: dict[str, list[object]] = {"dataset": ["crx"] * len(at), "classifier": [names[c] for c, _, _ in at]}
    rows |= {"repeat": [r for _, r, _ in at], "fold": [f for _, _, f in at]}
    rows["accuracy"] = [scores[i] + shift[i[0]] for i in at]
    return {**rows, **{name: [size] * len(at) for name, size in sizes.items()}}


def test_reason_names_the_classifiers_and_not_the_arguments() -> None:
    correct = [0, 1, 1, 1] * 5

    told = report.text(compare({"y_true": [0, 1] * 10, "old": correct, "new": correct})).replace("\n", " ")

    assert "The data are degenerate: new and old are correct on the same instances" in told


def runs(shift: tuple[float, ...]) -> dict[str, list[object]]:
    rows = folds(shift, shape=(5, 1))
    return {"seed" if name == "repeat" else name: values for name, values in rows.items() if name != "fold"}


def answers(*accuracies: float, n: int = 300) -> dict[str, list[object]]:
    k = len(accuracies)
    right = np.random.default_rng(2).random((n, k)) < accuracies
    rows: dict[str, list[object]] = {"dataset": ["crx"] * n * k, "classifier": list("ABC"[:k]) * n}
    rows |= {"case": np.repeat(np.arange(n), k).tolist(), "y_true": [1] * n * k}
    y_true = (np.arange(n * k) // k % 3 > 0).astype(int)
    rows["y_true"] = y_true.tolist()
    return {**rows, "y_pred": np.where(right.ravel(), y_true, 1 - y_true).tolist()}


def counted(both: int, only_a: int, only_b: int, neither: int) -> dict[str, list[object]]:
    right = [(1, 1)] * both + [(1, 0)] * only_a + [(0, 1)] * only_b + [(0, 0)] * neither
    n = len(right)
    rows: dict[str, list[object]] = {"dataset": ["crx"] * 2 * n, "classifier": list("AB") * n}
    rows |= {"case": np.repeat(np.arange(n), 2).tolist(), "y_true": np.repeat(np.arange(n) % 2, 2).tolist()}
    return {**rows, "y_pred": [i % 2 if own else 1 - i % 2 for i, pair in enumerate(right) for own in pair]}


def rankings(*shifts: float, n: int = 100) -> dict[str, list[object]]:
    k, rng = len(shifts), np.random.default_rng(3)
    y_true = np.arange(n) % 2
    scores = rng.normal(size=(n, k)) + y_true[:, None] * np.array(shifts)
    rows: dict[str, list[object]] = {"dataset": ["crx"] * n * k, "classifier": list("ABC"[:k]) * n}
    rows |= {"case": np.repeat(np.arange(n), k).tolist(), "y_true": np.repeat(y_true, k).tolist()}
    return {**rows, "y_score": scores.ravel().tolist()}


def faultless(n: int = 30) -> dict[str, list[object]]:
    """Return scores of a classifier that ranks all cases rightly, and of one that ranks all wrongly."""
    rows = rankings(0.0, 0.0, n=n)
    signs = {"A": 1, "B": -1}
    rows["y_score"] = [
        signs[str(name)] * int(str(y)) for y, name in zip(rows["y_true"], rows["classifier"], strict=True)
    ]
    return rows


CASES: dict[str, Callable[[], Comparison]] = {
    "folds, two: differ": lambda: compare(folds((0, 0.05))),
    "folds, two: not shown": lambda: compare(folds((0, 0.0001))),
    "folds, two: constant difference": lambda: compare(folds((0, 0)) | {"accuracy": [0.5] * 20 + [0.6] * 20}),
    "rankings, two: one without a fault, one always wrong": lambda: compare(faultless()),
    "rankings, two: test replaced": lambda: compare(faultless(1000)),
    "folds, two: sizes told": lambda: compare(folds((0, 0.05), n_train=90, n_test=10)),
    "folds, three: best beats all": lambda: compare(folds((0, 0.002, 0.05))),
    "folds, three: none": lambda: compare(folds((0, 0, 0))),
    "folds, three: best shared": lambda: compare(folds((0, 0.05, 0.05))),
    "folds, three: control": lambda: compare(folds((0, 0.03, 0.05)), control="B"),
    "folds, three: control, none": lambda: compare(folds((0, 0, 0)), control="B"),
    "folds, three: one pair constant": lambda: compare(
        folds((0, 0, 0)) | {"accuracy": [0.5] * 20 + [0.6] * 20 + np.linspace(0.4, 0.7, 20).tolist()}
    ),
    "folds, three: not adjusted": lambda: compare(folds((0, 0.02, 0.05)), adjust="none"),
    "folds, three: few": lambda: compare(folds((0, 0.02, 0.05), shape=(1, 5))),
    "folds, three: many folds": lambda: compare(folds((0, 0.02, 0.05), shape=(1, 30))),
    "folds, three: nasty names": lambda: compare(folds((0, 0.02, 0.05), NASTY)),
    "instances, two: differ": lambda: compare(answers(0.5, 0.9)),
    "instances, two: not shown": lambda: compare(answers(0.7, 0.7)),
    "instances, two: cannot reach": lambda: compare(answers(1.0, 0.99, n=200)),
    "instances, two: interval says otherwise": lambda: compare(counted(59, 6, 16, 80)),
    "instances, three: differ": lambda: compare(answers(0.5, 0.7, 0.9)),
    "instances, two: analyses disagree": lambda: compare(counted(59, 6, 16, 80), robustness=True),
    "instances, three: robustness": lambda: compare(answers(0.5, 0.7, 0.9), robustness=True),
    "folds, two: robustness": lambda: compare(folds((0, 0.05)), robustness=True),
    "folds, three: robustness": lambda: compare(folds((0, 0.002, 0.05)), robustness=True),
    "instances, three: not rejected": lambda: compare(answers(0.7, 0.7, 0.7)),
    "instances, three: all alike": lambda: compare(answers(1.0, 1.0, 1.0)),
    "instances, three: omnibus only": lambda: compare(answers(0.6, 0.7, 0.75, n=100), alpha=0.06, adjust="bonferroni"),
    "instances, three: pairs only": lambda: compare(answers(0.6, 0.7, 0.75, n=60), alpha=0.2, adjust="bh", control="A"),
    "instances, two: delong": lambda: compare(rankings(1.0, 2.0)),
    "instances, three: delong": lambda: compare(rankings(0.0, 0.5, 2.0)),
    "instances, two: exact permutations": lambda: compare(answers(0.5, 0.9, n=40), metric="f1"),
    "instances, three: permutations": lambda: compare(answers(0.5, 0.7, 0.9), metric="f1", n_resamples=199, rng=0),
    "instances, three: permutations, control": lambda: compare(
        answers(0.5, 0.7, 0.9), metric="f1", n_resamples=199, rng=0, control="C"
    ),
    "folds, two: 5x2": lambda: compare(folds((0, 0.05), shape=(5, 2))),
    "runs, two": lambda: compare(runs((0, 0.05))),
    "runs, three: robustness": lambda: compare(runs((0, 0.002, 0.05)), robustness=True),
    "instances, two: huge": lambda: compare(answers(0.7, 0.7, n=100_000)),
}


@cache
def case(name: str) -> Comparison:
    return CASES[name]()


each = pytest.mark.parametrize("name", CASES)


@pytest.mark.sampled
@each
def test_every_format_holds_the_verdict(name: str) -> None:
    comparison = case(name)
    told, said = verdict(comparison), " ".join(report.text(comparison, width=200).split())

    assert " ".join(told.split()) in said
    page = re.sub(r"</?(?:span[^>]*|wbr)>", "", report.html(comparison))
    assert told in unescape(page).replace("\u00a0", " ")
    assert json.loads(report.json(comparison))["verdict"] == told
    assert report.markdown(comparison)
    assert report.latex(comparison)


@each
def test_verdict_names_what_is_different(name: str) -> None:
    comparison = case(name)

    said = verdict(comparison)

    nothing = any(words in said for words in (" is shown (", "No classifier is shown", "does not apply"))
    assert nothing != comparison.different.any()


@each
def test_notes_are_said(name: str) -> None:
    comparison = case(name)
    sections = {section.name: section for section in document(comparison).sections}

    warnings = [w for w in comparison.advice.warnings if w.code not in TOLD[0]]
    assert len(sections["notes"].blocks[0].items) == len(comparison.notes) + len(warnings)


def test_every_note_is_reached() -> None:
    assert {code for name in CASES for code in case(name).notes} == set(ON_ONE_DATASET)


def test_verdict_names_the_test_that_decided() -> None:
    """Where Cochran's Q does not reject, the tests of the pairs have no say, whatever their p-values."""
    right = {"a": [1] * 30, "b": [1] * 22 + [0] * 8, "c": [1] * 26 + [0] * 4}
    rows = {"classifier": [name for name in right for _ in range(30)], "row": [*range(30)] * 3, "y_true": [1] * 90}
    answers = [y for name in right for y in right[name]]
    none, some = (compare(rows | {"y_pred": answers}, alpha=alpha, pos_label=1) for alpha in (1e-4, 0.05))

    assert none.verdict.startswith(
        "No difference between any two of the 3 classifiers is shown (Cochran's Q test, p = "
    )
    assert "McNemar" not in none.verdict
    assert "McNemar" in some.verdict


def test_interval_that_contradicts_the_exact_pvalue_is_told() -> None:
    """Of 161 cases only A is right in 6 and only B in 16: p = .0525 exactly, and Tango's interval leaves out 0."""
    comparison = case("instances, two: interval says otherwise")
    (pair,) = comparison.pairs

    assert comparison.tests[0].pvalue == pytest.approx(0.0525, abs=5e-5)
    assert not comparison.significant
    assert pair.low > 0
    assert (
        "For B and A (p = 0.0525 alone), the interval and the p-value disagree about a difference of 0 at α = 0.05. "
        "The interval is from Tango's score test, an approximation. The p-value is from the exact test"
    ) in " ".join(report.text(comparison).split())


def test_robustness_speaks_of_what_there_is() -> None:
    one, three, folds_of_two = (
        " ".join(report.text(case(name)).split())
        for name in ("instances, two: analyses disagree", "instances, three: robustness", "folds, two: robustness")
    )

    assert "of the 3 other valid analyses, some decide differently, on 1 of 1 pair" in one
    assert "Other valid analyses decide differently on 1 pair: the verdict depends on the choice of the test" in one
    assert "(posthoc=)" not in one
    assert "Cochran's Q" in three
    assert "; other classifiers whose removal" in three
    assert "no other valid analysis was made" in folds_of_two
    assert "; folds and other classifiers whose removal" in folds_of_two


def test_delong_tests_that_do_not_apply_are_replaced() -> None:
    """One ranks without a fault, one gives the same score to all, and neither area of many instances has a variance."""
    rows = rankings(0.0, 0.0, 1.0, n=1000)
    rows["y_score"] = [
        float(str(y)) if name == "A" else 0.5 if name == "B" else score
        for y, name, score in zip(rows["y_true"], rows["classifier"], rows["y_score"], strict=True)
    ]
    comparison = compare(rows)
    note = "".join(map(str, NOTES[Note.TEST_REPLACED](comparison)))

    assert Note.SOME_PAIRS_DEGENERATE not in comparison.notes
    assert note.startswith("The DeLong test cannot test every pair, because")
    assert note.endswith("The permutation test decides instead; it does not require a variance.")


def test_names_are_escaped() -> None:
    page = report.html(case("folds, three: nasty names"))

    assert "<b>&" not in page
    assert "&lt;b&gt;&amp;" in page


def test_design_speaks_of_the_leading_test() -> None:
    said = " ".join(report.text(case("instances, three: differ")).split())

    assert "The smallest p-value that Cochran's Q test can reach" in said


def test_methods_cite_the_tests() -> None:
    parts = methods(case("instances, three: differ"))

    assert [part.keys for part in parts if isinstance(part, Cite)] == [("cochran1950",), ("mcnemar1947",)]


def test_text_is_what_a_reader_expects() -> None:
    lines = report.text(case("folds, two: differ")).splitlines()

    assert lines[0] == "Comparison of 2 classifiers on crx: accuracy, higher is better"
    assert lines[3].startswith("B is better than A (corrected resampled t-test, p = 2.04e-11).")


def test_classifiers_that_share_the_best_score_are_all_named() -> None:
    data = answers(0.95, 0.5, 0.95)
    data["y_pred"][2::3] = data["y_pred"][::3]

    assert "A has, like C, the best accuracy (" in compare(data).verdict
