"""Would another valid analysis decide otherwise, or the same one without some dataset or some classifier?"""

from __future__ import annotations

__all__ = ["ADJUSTMENTS", "assess", "assess_two"]

import math
from collections.abc import Callable, Iterator
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from evalstats._types import BoolArray, FloatArray
from evalstats.comparison.advice.recommendation import which_test
from evalstats.comparison.registry import OMNIBUS_TESTS, PARAMETRIC, POSTHOC_TESTS, TESTS_OF_TWO, DeclaredTest
from evalstats.comparison.supplements import Analysis, PairRobustness, Robustness
from evalstats.comparison.validity import lacks_pvalue
from evalstats.tables.score_table import ScoreTable

# these control the probability of a single false rejection, as the tests of whole families do
ADJUSTMENTS = ("bonferroni", "holm", "hochberg", "hommel", "shaffer", "bergmann-hommel")
OF_PAIRS_ONLY = ("shaffer", "bergmann-hommel")
# beyond so many classifiers the procedure of Bergmann and Hommel takes long, unless p falls with the distance of ranks
MOST_CLASSIFIERS = 12
MOST_RANKED_CLASSIFIERS = 50


class Question(NamedTuple):
    """What is asked of a table: the family, the level, and what was chosen for the leading test."""

    table: ScoreTable
    control: int | None
    pairs: list[tuple[int, int]]
    alpha: float
    tie_tolerance: float
    leading: str
    of_leading: dict[str, Any]

    @property
    def common(self) -> dict[str, Any]:
        """Choices of every test."""
        return {"greater_is_better": self.table.greater_is_better, "tie_tolerance": self.tie_tolerance}

    def of_test(self, name: str, test: DeclaredTest) -> dict[str, Any]:
        """Choices of the leading test, as far as this one takes them.

        What is exact there need not be affordable here: ``'auto'`` is exact where it is.
        """
        taken = test.taken(self.of_leading)
        if name != self.leading and taken.get("method") == "exact":
            del taken["method"]
        return taken


class Choice(NamedTuple):
    """A way to answer it."""

    omnibus: str
    posthoc: str
    adjust: str


def assess(question: Question, primary: Choice) -> Robustness:
    """Answer the question in every valid way, and in the primary way without each dataset and each classifier."""
    choices, left_out = _choices(question, primary)
    led = {name: float(_led(question.table.scores, question, name)) for name in {c.omnibus for c in choices}}
    pvalues = [
        _pvalues(question.table.scores, question, choice, question.control, question.pairs) for choice in choices
    ]
    choices, pvalues, others = _with_pvalues(choices, [led[c.omnibus] for c in choices], pvalues)
    left_out = [*left_out, *others]
    analyses = _analyses(question, choices, [led[c.omnibus] for c in choices], pvalues)
    decided = np.array(analyses[0].different)

    def decide(scores: FloatArray, control: int | None, pairs: list[tuple[int, int]]) -> BoolArray:
        rejected = _led(scores, question, primary.omnibus) <= question.alpha
        own = _pvalues(scores, question, primary, control, pairs) <= question.alpha
        return POSTHOC_TESTS[primary.posthoc].different(np.asarray(own), np.asarray(rejected)[..., None])

    without_dataset = decide(_without_each_row(question.table.scores), question.control, question.pairs) != decided
    return _robustness(
        question, analyses, left_out, without_dataset, _without_each_classifier(question, decided, decide)
    )


def assess_two(question: Question) -> Robustness:
    """Do the same for two classifiers."""
    (first, second) = question.pairs[0]
    left_out = _against_normality(question)
    primary = question.leading
    names = [primary, *(name for name in TESTS_OF_TWO if name != primary and not (left_out and name in PARAMETRIC))]

    def pvalue(name: str, scores: FloatArray) -> FloatArray:
        test = TESTS_OF_TWO[name]
        x, y = scores[..., first], scores[..., second]
        return np.asarray(test.run(x, y, tie_tolerance=question.tie_tolerance, **question.of_test(name, test)).pvalue)

    pvalues = [pvalue(name, question.table.scores)[None] for name in names]
    choices = [Choice("", name, "none") for name in names]
    choices, pvalues, others = _with_pvalues(choices, [float(p[0]) for p in pvalues], pvalues)
    analyses = _analyses(question, choices, [float(p[0]) for p in pvalues], pvalues)
    rows = _without_each_row(question.table.scores)
    without = (pvalue(primary, rows) <= question.alpha)[:, None] != np.array(analyses[0].different)
    refused = [("paired-t", left_out[0][1])] if left_out else []
    return _robustness(question, analyses, [*refused, *others], without, [()])


def _with_pvalues(
    choices: list[Choice], omnibus: list[float], pvalues: list[FloatArray]
) -> tuple[list[Choice], list[FloatArray], list[tuple[str, str]]]:
    """Leave out the analyses that have no p-value somewhere, and name their tests: they decide nothing there."""
    kept = [
        i == 0 or not (lacks_pvalue(own) or math.isnan(led))
        for i, (led, own) in enumerate(zip(omnibus, pvalues, strict=True))
    ]
    names = dict.fromkeys(one.posthoc for one, is_kept in zip(choices, kept, strict=True) if not is_kept)
    left_out = [(name, "it has no p-value for these scores, whose differences have no variance") for name in names]
    return [*compress(choices, kept)], [*compress(pvalues, kept)], left_out


# --- which analyses ---------------------------------------------------------------------------------------------------


def _choices(question: Question, primary: Choice) -> tuple[list[Choice], list[tuple[str, str]]]:
    """Return the primary analysis and all others that are valid, and which tests are not, with the reason."""
    left_out = _against_normality(question) or _against_sphericity(question)
    refused = {name for name, _ in left_out}
    others = [c for c in _families(question) if not refused & {c.omnibus, c.posthoc} and c != primary]
    return [primary, *others], left_out


def _families(question: Question) -> Iterator[Choice]:
    k = len(question.table.classifiers)
    for name, test in POSTHOC_TESTS.items():
        # what simulates would take minutes without each dataset in turn
        if test.simulates or not (test.pairs if question.control is None else test.control):
            continue
        most = MOST_CLASSIFIERS if test.effect else MOST_RANKED_CLASSIFIERS
        for adjust in ADJUSTMENTS if test.adjusts else ("single-step",):
            if adjust in OF_PAIRS_ONLY and question.control is not None:
                continue
            if adjust != "bergmann-hommel" or k <= most:
                yield Choice(test.omnibus, name, adjust)


def _against_normality(question: Question) -> list[tuple[str, str]]:
    """Return the tests that take the differences for normal, if the data speak against it."""
    advice = which_test(question.table, parametric=True, alpha=question.alpha)
    against = [finding.sentence for finding in advice.warnings if finding.code == "not-normal"]
    return [("rm-anova", against[0])] if against else []


def _against_sphericity(question: Question) -> list[tuple[str, str]]:
    """Return the tests that pool the variance of all classifiers, if their differences vary unequally."""
    test = OMNIBUS_TESTS["rm-anova"]
    anova = test.run(question.table.scores, **question.common)
    if not anova.mauchly_pvalue <= question.alpha:
        return []
    name = "tukey" if question.control is None else "dunnett"
    unequal = f"the differences between classifiers vary unequally (Mauchly's test, p = {anova.mauchly_pvalue:.2g})"
    return [(name, f"{unequal}, which {POSTHOC_TESTS[name].function} assumes not to be so.")]


# --- decisions --------------------------------------------------------------------------------------------------------


def _led(scores: FloatArray, question: Question, omnibus: str) -> FloatArray:
    """Return the p-value of the leading test."""
    test = OMNIBUS_TESTS[omnibus]
    return np.asarray(test.run(scores, **question.of_test(omnibus, test), **question.common).pvalue)


def _pvalues(
    scores: FloatArray, question: Question, choice: Choice, control: int | None, pairs: list[tuple[int, int]]
) -> FloatArray:
    """Return the adjusted p-value of each pair, along the last axis."""
    result = POSTHOC_TESTS[choice.posthoc].run(scores, control=control, adjust=choice.adjust, **question.common)
    first, second = np.array(pairs).T
    return np.asarray(result.pvalue[..., first] if control is not None else result.pvalue[..., first, second])


def _without_each_row(scores: FloatArray) -> FloatArray:
    """All tables with one dataset left out: shape (n_datasets, n_datasets - 1, n_classifiers)."""
    n = len(scores)
    kept = np.array([[j for j in range(n) if j != i] for i in range(n)], dtype=np.intp).reshape(n, n - 1)
    return np.asarray(scores[kept])


def _without_each_classifier(
    question: Question,
    decided: BoolArray,
    decide: Callable[[FloatArray, int | None, list[tuple[int, int]]], BoolArray],
) -> list[tuple[str, ...]]:
    """For each pair, the other classifiers without which the decision on it changes."""
    names = question.table.classifiers
    changing: list[list[str]] = [[] for _ in question.pairs]
    for out, name in enumerate(names):
        if out == question.control or len(names) == 2:
            continue
        kept = [i for i in range(len(names)) if i != out]
        place = {old: new for new, old in enumerate(kept)}
        left = [i for i, pair in enumerate(question.pairs) if out not in pair]
        pairs = [(place[a], place[b]) for a, b in (question.pairs[i] for i in left)]
        control = None if question.control is None else place[question.control]
        changed = decide(question.table.scores[:, kept], control, pairs) != decided[left]
        for i in np.array(left)[changed].tolist():
            changing[i].append(name)
    return [tuple(found) for found in changing]


# --- records ----------------------------------------------------------------------------------------------------------


def _analyses(
    question: Question, choices: list[Choice], omnibus: list[float], pvalues: list[FloatArray]
) -> list[Analysis]:
    decisions = [
        POSTHOC_TESTS[choice.posthoc].different(own <= question.alpha, led <= question.alpha)
        if choice.omnibus
        else own <= question.alpha
        for choice, led, own in zip(choices, omnibus, pvalues, strict=True)
    ]
    return [
        Analysis(
            omnibus_test=choice.omnibus or None,
            posthoc_test=choice.posthoc,
            adjustment=choice.adjust,
            is_primary=i == 0,
            omnibus_pvalue=omnibus[i],
            significant=bool(omnibus[i] <= question.alpha),
            pvalues=tuple(pvalues[i].tolist()),
            different=tuple(decisions[i].tolist()),
            agreement=float((decisions[i] == decisions[0]).mean()),
        )
        for i, choice in enumerate(choices)
    ]


def _robustness(
    question: Question,
    analyses: list[Analysis],
    left_out: list[tuple[str, str]],
    without_dataset: BoolArray,
    without_classifier: list[tuple[str, ...]],
) -> Robustness:
    table = question.table
    pvalues = np.array([analysis.pvalues for analysis in analyses])
    different = np.array([analysis.different for analysis in analyses])
    # a test that does not apply to a pair has no p-value there
    smallest, largest = np.fmin.reduce(pvalues), np.fmax.reduce(pvalues)
    pairs = tuple(
        PairRobustness(
            first=table.classifiers[a],
            second=table.classifiers[b],
            different=bool(different[0, i]),
            n_different=int(different[:, i].sum()),
            min_attainable_pvalue=float(smallest[i]),
            largest_pvalue=float(largest[i]),
            deciding_datasets=tuple(table.datasets[j] for j in np.flatnonzero(without_dataset[:, i])),
            stability=float(1 - without_dataset[:, i].mean()),
            deciding_classifiers=without_classifier[i],
        )
        for i, (a, b) in enumerate(question.pairs)
    )
    return Robustness(
        analyses=tuple(analyses),
        left_out=tuple(left_out),
        pairs=pairs,
        agreement=float((different == different[0]).mean()),
    )
