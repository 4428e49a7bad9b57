"""Format of names, numbers and tests in sentences."""

from __future__ import annotations

__all__ = [
    "LONGEST_NAME",
    "Measure",
    "adjusted_words",
    "adjustment_words",
    "condition_words",
    "counted_words",
    "kept_words",
    "level_words",
    "listed_pairs",
    "metric_name",
    "omnibus_words",
    "pair_matrix_sentences",
    "pair_test_words",
    "pair_tests_words",
    "plain_number",
    "promise_words",
    "pvalue_sentences",
    "shorten",
    "tested_words",
    "unbroken",
    "untested_note",
    "wrap",
    "wrap_names",
    "written_list",
]

import bisect
import itertools
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from evalstats.adjustment.pairwise import PAIRWISE_ONLY
from evalstats.comparison.record import Comparison, PairMatrix
from evalstats.comparison.registry import OMNIBUS_TESTS, POSTHOC_TESTS, TESTS_OF_DIFFERENCES
from evalstats.comparison.validity import UntestedPair, Validity

Measure = Callable[[str], float]
# maximum width of a line of a name in every plot, in font sizes; a longer name has two lines
LONGEST_NAME = 12.0
# maximum number of pairs in a sentence; the others are counted
_LISTED = 4

# ways to adjust p-values
ADJUSTMENTS: dict[str, str] = {
    "bergmann-hommel": "Bergmann and Hommel's procedure",
    "bh": "Benjamini and Hochberg's method",
    "bonferroni": "Bonferroni's method",
    "by": "Benjamini and Yekutieli's method",
    "e-bh": "e-BH",
    "e-holm": "e-Holm",
    "finner": "Finner's method",
    "hochberg": "Hochberg's method",
    "holland": "Holland's method",
    "holm": "Holm's method",
    "holm-sidak": "Holm's method with Šidák's bound",
    "hommel": "Hommel's method",
    "li": "Li's method",
    "none": "no method",
    "rom": "Rom's method",
    "shaffer": "Shaffer's static procedure",
    "shaffer-dynamic": "Shaffer's dynamic procedure",
    "sidak": "Šidák's method",
    "single-step": "the distribution of the whole family",
}
# no-break spaces: around signs of equality, in percentages, in 'F(3, 39)' and in '1 − p'
_SAMPLE = 50  # letters whose mean width is that of a string
_BOUND = re.compile(
    r" (?=[=<>] )|(?<= [=<>]) |(?<=\d) (?=%)|(?<=\(\d,) (?=\d+\))|(?<=\(\d\d,) (?=\d+\))"
    r"|(?<=\b1) (?=− p\b)|(?<=\b1 −) (?=p\b)"
)
_FALSE_DISCOVERY = ("bh", "by", "e-bh")
_POSITIVE = " if pairs are independent or positively dependent"
# conditions for the control of an error rate: the inequalities of Simes and Šidák require positive dependence
_ONLY_IF = {
    "bh": _POSITIVE,
    "finner": " while no pair differs",
    "hochberg": _POSITIVE,
    "holland": _POSITIVE,
    "holm-sidak": _POSITIVE,
    "hommel": _POSITIVE,
    "li": " if pairs are independent",
    "rom": " if pairs are independent",
    "sidak": _POSITIVE,
}
# hypotheses of pairs without logical implications, which the procedures for pairs assume
_NOT_TRANSITIVE = ("wilcoxon", "sign")


def shorten(names: Sequence[str], measure: Measure, limit: float) -> list[str]:
    """Remove the middle part, which is often common to all names, from names that are wider than the limit.

    Names that would become equal keep the part in which they differ.

    Examples
    --------
    >>> from evalstats.wording import shorten
    >>> shorten(["svm", "resnet50-imagenet-lr-0.01"], len, 12)
    ['svm', 'resnet…-0.01']
    """
    short = {name: _shortened(name, measure, limit) for name in names}
    for group in _clashes(short):
        parts = enumerate(zip(*group, strict=False))
        common = next((i for i, letters in parts if len(set(letters)) > 1), min(map(len, group)))
        while common and group[0][common - 1].isdigit():
            common -= 1
        short |= {name: _shortened("…" + name[common:], measure, limit) for name in group}
    still = [name for group in _clashes(short) for name in group]
    room = limit - measure(f" ({len(still)})")
    if room >= measure("…"):
        short |= {name: f"{_shortened(name, measure, room)} ({i})" for i, name in enumerate(still, start=1)}
    return [short[name] for name in names]


def _clashes(short: dict[str, str]) -> list[list[str]]:
    """Return the groups of names whose short forms are equal."""
    groups = defaultdict(list)
    for name, text in short.items():
        groups[text].append(name)
    return [group for group in groups.values() if len(group) > 1]


def wrap_names(names: Sequence[str], measure: Measure, limit: float) -> list[str]:
    r"""Break the names that are wider than the limit into two lines. Shorten names that are wider than two lines.

    A line ends after a space, ``_``, ``-`` or ``/``, before a capital letter, or between letters of Chinese, Japanese
    or Korean. If no such place gives two lines that fit, it ends after any letter.

    Examples
    --------
    >>> from evalstats.wording import wrap_names
    >>> wrap_names(["svm", "resnet50-imagenet"], len, 12)
    ['svm', 'resnet50-\nimagenet']
    """
    wrapped = [_two_lines(name, measure, limit) for name in shorten(names, measure, 2 * limit - measure("W"))]
    seen = Counter(wrapped)
    if len(seen) == len(set(names)):
        return wrapped
    return [two if seen[two] == 1 else one for two, one in zip(wrapped, shorten(names, measure, limit), strict=True)]


def _two_lines(name: str, measure: Measure, limit: float) -> str:
    """Return a name in two lines of similar width, if it is wider than the limit."""
    if measure(name) <= limit:
        return name

    def lines(at: int) -> tuple[str, str]:
        return name[:at].rstrip(), name[at:].lstrip()

    def width(at: int) -> float:
        return max(map(measure, lines(at)))

    places = [at for at in range(1, len(name)) if not unicodedata.combining(name[at])]
    for allowed in ([at for at in places if _may_end(name[at - 1], name[at])], places):
        best = min(allowed, key=width, default=None)
        if best is not None and width(best) <= limit:
            return "\n".join(lines(best))
    return _shortened(name, measure, limit)


def _may_end(last: str, following: str) -> bool:
    """Whether a line may end between two letters of a name."""
    if last in " _-/…":
        return True
    is_camel = following.isupper() and (last.islower() or last.isdigit())
    return is_camel or any(unicodedata.east_asian_width(one) in ("W", "F") for one in (last, following))


def wrap(text: str, measure: Measure, limit: float, *, whole_words: bool = True) -> list[str]:
    """Break a string at its spaces into lines that are no wider than the limit; only a single word may be wider.

    With ``whole_words=False``, such a word is broken as well.
    """
    words = text.split(" ")
    if not whole_words:
        words = [part for word in words for part in _parts(word, measure, limit)]
    # a guess from the width of a letter, because measuring every longer line takes most of the time of a diagram
    ends = list(itertools.accumulate(len(word) + 1 for word in words))
    sample = text[:_SAMPLE]
    in_line = limit * len(sample) / (measure(sample) or 1.0)
    lines, start = [], 0
    while start < len(words):
        end = max(bisect.bisect_right(ends, ends[start] - len(words[start]) + in_line), start + 1)
        while end > start + 1 and measure(_joined(words[start:end])) > limit:
            end -= 1
        while end < len(words) and not (
            (line := _joined(words[start:end])) and measure(f"{line} {words[end]}") > limit
        ):
            end += 1
        lines.append(_joined(words[start:end]))
        start = end
    return lines


def _joined(words: Sequence[str]) -> str:
    return " ".join(words).lstrip()


def _parts(word: str, measure: Measure, limit: float) -> Iterator[str]:
    """Yield the parts of a word that each fill a line, and the remainder."""
    while len(word) > 1 and measure(word) > limit:
        at = max(bisect.bisect_right(range(len(word)), limit, key=lambda end: measure(word[:end])) - 1, 1)
        yield word[:at]
        word = word[at:]
    yield word


def unbroken(text: str) -> str:
    """Insert no-break spaces into expressions that must stay on one line, such as 'p = 0.05', '95 %' and 'F(3, 39)'."""
    return _BOUND.sub("\u00a0", text)


def plain_number(value: float) -> str:
    """Format a mean rank or a critical difference with two decimals."""
    return f"{value:.2f}"


def written_list(names: Iterable[str], *, at_most: int | None = None) -> str:
    """Write names as an English list; beyond `at_most` names, write only the number of the remaining names.

    Examples
    --------
    >>> from evalstats.wording import written_list
    >>> written_list(["A", "B", "C"])
    'A, B and C'
    >>> written_list(["A", "B", "C", "D"], at_most=2)
    'A, B and 2 others'
    """
    items = list(names)
    if at_most is not None and len(items) > at_most + 1:
        items = [*items[:at_most], f"{len(items) - at_most} others"]
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def metric_name(metric: str) -> str:
    """Return the name that a sentence uses for a metric. A metric that is not in the package keeps its name.

    Examples
    --------
    >>> from evalstats.wording import metric_name
    >>> metric_name("roc_auc"), metric_name("f1_macro"), metric_name("error_rate"), metric_name("my_score")
    ('AUC', 'macro F1', 'error rate', 'my_score')
    """
    from evalstats.metrics.catalogue import METRICS
    from evalstats.tables.prediction_scores import AVERAGES, NAMES

    base, _, average = metric.rpartition("_")
    if metric not in METRICS and average in AVERAGES and base in METRICS:
        return f"{average} {metric_name(base)}"
    return NAMES.get(metric, metric.replace("_", " ")) if metric in METRICS else metric


def omnibus_words(comparison: Comparison) -> str:
    """Name the omnibus test."""
    leading = comparison.omnibus_test
    return "Wilcoxon signed-rank test" if leading is None else OMNIBUS_TESTS[leading].words


def pair_test_words(comparison: Comparison) -> str:
    """Name the post-hoc test."""
    if comparison.design == "datasets":
        posthoc = comparison.posthoc_test
        return omnibus_words(comparison) if posthoc is None else POSTHOC_TESTS[posthoc].words
    return TESTS_OF_DIFFERENCES[comparison.pair_test].words


def tested_words(comparison: Comparison) -> str:
    """Name the post-hoc test, the adjustment of the p-values, and the controlled error rate."""
    return f"{adjusted_words(pair_test_words(comparison), comparison.adjustment)}, {kept_words(comparison)}"


def pair_tests_words(comparison: Comparison) -> str:
    """Name the tests of individual pairs, the adjustment of their p-values, and the controlled error rate."""
    return f"{adjusted_words(f'{pair_test_words(comparison)}s', comparison.adjustment)}, {kept_words(comparison)}"


def kept_words(comparison: Comparison) -> str:
    """State the family to which the level of a comparison over datasets applies, and the condition for the level."""
    return level_words(comparison.adjustment, comparison.alpha, comparison.n_pairs, only=condition_words(comparison))


def condition_words(comparison: Comparison) -> str:
    """State the condition on the classifiers for the family-wise level of a comparison over datasets."""
    if comparison.design != "datasets":
        return ""
    if comparison.is_gated:
        return "if all classifiers perform equally"
    if comparison.adjustment in PAIRWISE_ONLY and comparison.posthoc_test in _NOT_TRANSITIVE:
        return "if two classifiers that do not differ from a third do not differ from each other"
    return ""


def listed_pairs(pairs: Sequence[UntestedPair]) -> str:
    """Write the first pairs as a list, and the number of the remaining pairs."""
    told = "; ".join(f"{pair.first} and {pair.second}" for pair in pairs[:_LISTED])
    return told + (f"; and {len(pairs) - _LISTED} more" if len(pairs) > _LISTED else "")


def untested_note(validity: Validity) -> str:
    """State which pairs are not tested, because a bar, a letter or a mark may join them in a table or a plot."""
    lacking = validity.untested
    return f"Not tested, so no conclusion is possible: {listed_pairs(lacking)}." if lacking else ""


def pvalue_sentences(comparison: Comparison) -> tuple[str, ...]:
    """Name the test and the adjustment for the p-values of the pairs, and state whether a conclusion is possible."""
    together = "all pairs" if comparison.control is None else "all comparisons with the control"
    how = {"none": ", not adjusted", "single-step": f", adjusted for {together}", None: ""}.get(comparison.adjustment)
    if how is None:
        how = f", adjusted by {adjustment_words(str(comparison.adjustment))}"
    if condition := condition_words(comparison):
        how = f"{how}, {condition}"
    is_conclusive = comparison.omnibus is None or comparison.is_conclusive
    nothing = f"The omnibus test does not reject at α = {comparison.alpha:g}, so no conclusion is possible."
    told = [untested_note(comparison.validity)] if comparison.validity.untested else []
    return (f"p-values of the {pair_test_words(comparison)}{how}.", *([] if is_conclusive else [nothing]), *told)


def counted_words(comparison: Comparison) -> str:
    """Name the units in which wins, ties and losses are counted."""
    return comparison.words.units + " that only one of the two predicts correctly" * (comparison.design == "instances")


def pair_matrix_sentences(found: PairMatrix, comparison: Comparison, *, mark: str) -> Iterator[str]:
    """State the content of a cell of the multi-comparison matrix, and the values that depend on other classifiers."""
    classifiers = comparison.words.classifiers
    if found.n_left_out:
        n = len(found.rows)
        yield f"The matrix shows the {n} of {n + found.n_left_out} {classifiers} with the best mean scores."
    counts = f"wins/ties/losses of the row in {counted_words(comparison)}; " if found.counts is not None else ""
    yield (
        f"Cell: difference in mean {metric_name(comparison.table.metric)}, row minus column; {counts}p-value; {mark}: "
        f"significantly different at α = {comparison.alpha:g}."
    )
    yield from pvalue_sentences(comparison)
    posthoc = POSTHOC_TESTS.get(comparison.posthoc_test or "")
    if comparison.adjustment not in (None, "none") or (posthoc is not None and posthoc.depends_on_the_pool):
        yield f"The p-values depend on the other {classifiers}; the differences and the counts do not."
    else:
        yield f"No cell depends on the other {classifiers}."


def adjustment_words(adjustment: str) -> str:
    """Name a method that adjusts p-values, such as "Holm's method"."""
    return ADJUSTMENTS[adjustment]


def adjusted_words(test: str, adjustment: str | None) -> str:
    """Name a test with the adjustment of its p-values, if there is one.

    Examples
    --------
    >>> from evalstats.wording import adjusted_words
    >>> adjusted_words("sign test", "holm"), adjusted_words("Nemenyi test", "single-step")
    ("sign test with Holm's method", 'Nemenyi test')
    """
    return test if adjustment in (None, "none", "single-step") else f"{test} with {adjustment_words(str(adjustment))}"


def level_words(adjustment: str | None, alpha: float, n_pairs: int, *, only: str = "") -> str:
    """State which error the significance level limits: for each pair, in the family, or the false discovery rate.

    `only` is a condition under which the level holds.

    Examples
    --------
    >>> from evalstats.wording import level_words
    >>> level_words("holm", 0.05, 6), level_words("none", 0.05, 6), level_words("by", 0.05, 6)
    ('family-wise α = 0.05', 'α = 0.05 for each of 6 pairs, not adjusted', 'false discovery rate 0.05')
    >>> level_words("single-step", 0.05, 6, only="if all classifiers perform equally")
    'family-wise α = 0.05 if all classifiers perform equally'
    """
    if n_pairs == 1 or adjustment is None:
        return f"α = {alpha:g}"
    only = _only_if(adjustment, only)
    if adjustment == "none":
        return f"α = {alpha:g} for each of {n_pairs} pairs{only}, not adjusted"
    if adjustment in _FALSE_DISCOVERY:
        return f"false discovery rate {alpha:g}{only}"
    return f"family-wise α = {alpha:g}{only}"


def _only_if(adjustment: str, only: str) -> str:
    """Join the condition of a level with the condition of the adjustment."""
    given = _ONLY_IF.get(adjustment, "")
    if not only or not given:
        return f" {only}" if only else given
    return f" {only} and {given.removeprefix(' if ')}" if given.startswith(" if ") else f" {only}"


def promise_words(
    adjustment: str | None, alpha: float, n_pairs: int, *, found: str = "shown to differ", only: str = ""
) -> str:
    """State in a clause the adjustment of the p-values of pairs, and the error rate of `found` pairs.

    `only` is a condition under which the level holds.

    Examples
    --------
    >>> from evalstats.wording import promise_words
    >>> promise_words("holm", 0.05, 6).partition(": ")[2]
    'the probability that any pair is falsely shown to differ is at most 0.05'
    """
    if n_pairs == 1 or adjustment is None:
        return "there is one pair, and nothing to adjust"
    if adjustment == "none":
        only = _only_if(adjustment, only)
        return (
            f"the p-values are not adjusted: each of {n_pairs} pairs is falsely {found} with a probability of "
            f"{alpha:g}{only}, and at least one of them with a much larger probability"
        )
    how = f"the p-values are adjusted by {adjustment_words(adjustment)}"
    if adjustment == "single-step":
        how = "the p-values are adjusted for the whole family"
    only = _only_if(adjustment, only)
    if adjustment in _FALSE_DISCOVERY:
        return f"{how}: of the pairs {found}, a proportion of at most {alpha:g} is expected to be wrong{only}"
    return f"{how}: the probability that any pair is falsely {found} is at most {alpha:g}{only}"


def _shortened(name: str, measure: Measure, limit: float) -> str:
    """Return the longest 'head…tail' within the limit, or the name itself if it fits."""
    if measure(name) <= limit:
        return name

    def cut(kept: int) -> str:
        return f"{name[: (kept + 1) // 2]}…{name[len(name) - kept // 2 :]}"

    # a longer part has a larger width
    return cut(max(bisect.bisect_right(range(len(name)), limit, key=lambda kept: measure(cut(kept))) - 1, 0))
