"""What stands in the report of a comparison on one dataset, and what follows from it?"""

from __future__ import annotations

__all__ = ["methods", "scores_table", "sections"]


from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import TESTS_ON_ONE_DATASET
from evalstats.report.blocks import (
    Block,
    Cite,
    Column,
    Figure,
    Inline,
    Section,
    Sentences,
    Table,
    listing,
    paragraph,
    section,
)
from evalstats.report.comparisons import reproducibility
from evalstats.report.comparisons.input_summary import dataset_words
from evalstats.report.comparisons.methods import beside_the_test, made_words
from evalstats.report.comparisons.notes import note
from evalstats.report.comparisons.pairs import each_tested_words, pairs_table
from evalstats.report.comparisons.shared_blocks import (
    advised,
    decision,
    groups_and_loose_pairs,
)
from evalstats.report.describe import (
    metric_words,
)
from evalstats.report.interval_list import difference_list
from evalstats.report.numbers import column, count, decimal, pvalue_bound
from evalstats.report.sentences import sentence
from evalstats.wording import (
    adjustment_words,
    metric_name,
    pair_test_words,
    written_list,
)

# findings that the notes tell already, or that the choice of the test has settled
TOLD = ("cannot-reach-alpha", "folds-are-not-independent")


# --- Sections ---------------------------------------------------------------------------------------------------------


def sections(comparison: Comparison, most_pairs: int) -> tuple[Section, ...]:
    """Return the scores, the tests and what the design can show."""
    which = "Which classifiers differ?" if comparison.control is None else f"Which differ from {comparison.control}?"
    if comparison.n_pairs == 1:
        which = "Do the two classifiers differ?"
    tested: list[Block] = [paragraph(each_tested_words(comparison)), *pairs_table(comparison, most_pairs)]
    groups: list[Block] = []
    if comparison.n_classifiers > 2:
        groups = groups_and_loose_pairs(comparison, (written_list(group, at_most=8) for group in comparison.groups))
    found = [section("scores", "Scores", scores_table(comparison), *groups)]
    if comparison.omnibus is not None:
        words = f"{sentence(comparison.omnibus)} {decision(comparison)}"
        found.append(section("omnibus", "Do the classifiers differ?", paragraph(words)))
    if comparison.n_pairs == 1:
        pair = comparison.pairs[0]
        tested[0] = paragraph(sentence(comparison.tests[0], names=(pair.first, pair.second)))
    found.append(section("pairs", which, *tested, Figure(diagram=difference_list(comparison))))
    if comparison.robustness is not None:
        from evalstats.report.comparisons import robustness

        found += robustness.sections(comparison, comparison.robustness, most_pairs)
    found += reproducibility.sections(comparison, most_pairs)
    found.append(section("design", "What the design can show", paragraph(_design(comparison))))
    items = [note(code, comparison) for code in comparison.notes] + advised(comparison, TOLD)
    found.append(section("notes", "What to keep in mind", listing(items)))
    return tuple(found)


def scores_table(comparison: Comparison) -> Table:
    """List the classifiers with their scores, the best first."""
    table = comparison.table
    direction = "higher" if table.greater_is_better else "lower"
    computed = (
        f" How it was computed: {table.computation}."
        if table.computation not in ("", metric_name(table.metric))
        else ""
    )
    written = column([comparison.score(name) for name in comparison.ranking], digits=4)
    control = "" if comparison.control is None else f" The control is {comparison.control}."
    return Table(
        name="scores",
        caption=f"{metric_words(table)} on {dataset_words(comparison)}, {direction} is better.{computed}{control}",
        columns=(Column(head="Classifier"), Column(head=metric_name(table.metric), numeric=True)),
        rows=tuple(zip(comparison.ranking, written, strict=True)),
    )


def _design(comparison: Comparison) -> str:
    classifiers = count(comparison.n_classifiers, "classifier")
    if comparison.design == "instances":
        can = ""
        if comparison.min_attainable_pvalue is not None:
            leading = "Cochran's Q test" if comparison.omnibus is not None else f"the {pair_test_words(comparison)}"
            smallest = pvalue_bound(comparison.min_attainable_pvalue, comparison.alpha)
            can = f" The smallest p-value that {leading} can reach with these discordant cases is {smallest}."
        return (
            f"{classifiers}, one test set of {count(int(comparison.n_test), 'case')}, α = {comparison.alpha:g}.{can} "
            "The cases must be independent of each other; several rows of one item are not."
        )
    if comparison.pair_test == "ftest_5x2cv":
        repeats = f"{classifiers}, 5 repeats of 2 folds, α = {comparison.alpha:g}."
        return f"{repeats} The training sets of the two folds of a repeat do not overlap; those of two repeats do."
    assert comparison.n_repeats is not None
    assert comparison.n_folds is not None
    assert comparison.n_train is not None
    n = comparison.n_repeats * comparison.n_folds
    correlation = comparison.n_test / (comparison.n_test + comparison.n_train)
    return (
        f"{classifiers}, {count(comparison.n_repeats, 'repeat')} of {count(comparison.n_folds, 'fold')}, α = "
        f"{comparison.alpha:g}. The training sets of the folds overlap: the test takes the correlation of two folds' "
        f"differences to be {decimal(correlation, 3)}, so that {n} scores count like "
        f"{n / (1 + n * comparison.n_test / comparison.n_train):.1f} independent ones. More repeats of the same data "
        "can hardly add to that; other datasets can."
    )


def _said(*parts: Inline) -> Sentences:
    return parts


# --- Methods ----------------------------------------------------------------------------------------------------------


def methods(comparison: Comparison) -> Sentences:
    """Write the methods paragraph."""
    table, test = comparison.table, TESTS_ON_ONE_DATASET[comparison.pair_test]
    direction = "higher is better" if table.greater_is_better else "lower is better"
    classifiers = count(comparison.n_classifiers, "classifier")
    what = f"{classifiers} were compared on {dataset_words(comparison)} ({metric_name(table.metric)}, {direction}) "
    tested = "by their ", *_HOW_TESTED[comparison.pair_test](comparison, test.words), Cite(test.cited)
    choices = f", two-sided at α = {comparison.alpha:g}"
    if comparison.n_pairs > 1:
        how = adjustment_words(str(comparison.adjustment))
        choices += f", with p-values {'not adjusted' if comparison.adjustment == 'none' else f'adjusted by {how}'}"
    return what, *tested, f"{choices}.", *beside_the_test(comparison), made_words()


def _folds_tested(comparison: Comparison, name: str) -> Sentences:
    ratio = f"{comparison.n_test:g}/{comparison.n_train:g}"
    return _said(
        f"scores in {comparison.n_repeats} × {comparison.n_folds} folds. Differences of two classifiers were tested "
        f"by the {name}, whose variance allows for the overlap of the training sets by the ratio {ratio} of test to "
        "training cases "
    )


def _five_by_two_tested(comparison: Comparison, name: str) -> Sentences:
    assert comparison.n_folds == 2
    return _said(f"scores in five repeats of two folds. The difference was tested by the {name} ")


def _cases_tested(comparison: Comparison, name: str) -> Sentences:
    answers = f"answers to the {int(comparison.n_test)} cases of one test set. "
    if comparison.omnibus is None:
        return _said(f"{answers}They were compared by the {name} ")
    omnibus = f"{answers}Whether their accuracies differ at all was tested by Cochran's Q test "
    return _said(omnibus, Cite(("cochran1950",)), f"; pairs were tested by the {name} ")


_HOW_TESTED = {
    "corrected_ttest": _folds_tested,
    "delong_test": _cases_tested,
    "ftest_5x2cv": _five_by_two_tested,
    "mcnemar_test": _cases_tested,
    "metric_permutation_test": _cases_tested,
}
