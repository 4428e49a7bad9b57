"""Report of simulated error rates, as sentences and a table."""

from __future__ import annotations

__all__ = ["document", "verdict"]

from collections.abc import Iterator

from evalstats.comparison.registry import OMNIBUS_TESTS, POSTHOC_TESTS, TESTS_OF_DIFFERENCES
from evalstats.comparison.simulation.error_rates import ErrorRate, ErrorRateSimulation
from evalstats.comparison.words import WORDS
from evalstats.report.blocks import Block, Column, Document, Extent, Table, heads, paragraph, sections
from evalstats.report.describe import count, percent
from evalstats.wording import adjusted_words


def verdict(simulation: ErrorRateSimulation) -> str:
    """State the simulated rejection rates under the null hypothesis, and whether the rates exceed the level."""
    return " ".join(_sentences(simulation))


def document(simulation: ErrorRateSimulation, extent: Extent) -> Document:
    """Return the document: the rates with their intervals, the simulation of the tables, and the pairs."""
    blocks: dict[str, Block | None] = {
        "How often": _rates(simulation),
        "Simulation of the tables": paragraph(" ".join(_made(simulation))),
        "Pairs": _pairs(simulation, extent.max_rows) if len(simulation.pairs) > 1 else None,
    }
    return Document(title=_title(simulation), verdict=paragraph(verdict(simulation)), sections=sections(blocks))


def _title(simulation: ErrorRateSimulation) -> str:
    like = "" if simulation.source is None else f" of tables like {simulation.source}"
    size = f"{len(simulation.classifiers)} classifiers, {count(simulation.n, WORDS[simulation.design].unit)}"
    return f"Simulated error rates{like}: {size}"


def _sentences(simulation: ErrorRateSimulation) -> Iterator[str]:
    alpha, any_wrong = simulation.alpha, simulation.family_wise
    whats = f"With tables like this one, {_analysis(simulation)} at level {alpha:g} "
    if simulation.shift is not None:
        found = simulation.any_found
        assert found is not None
        better = f"in {_percent(found)} of the tables in which it is better by {simulation.shift:g}{_range(found)}"
        yield f"{whats}finds a difference of {simulation.shifted_classifier} {better}."
        if any_wrong is not None:
            yield (
                f"It reports a difference between two other classifiers in {_percent(any_wrong)} of "
                f"them{_range(any_wrong)}."
            )
    else:
        assert any_wrong is not None
        yield (
            f"{whats}reports a difference in {_percent(any_wrong)} of the tables without a true "
            f"difference{_range(any_wrong)}. {_kept(simulation, any_wrong)}"
        )
    if simulation.min_attainable_pvalue is not None and simulation.min_attainable_pvalue > alpha:
        yield (
            f"It cannot reject: the minimum attainable p-value is {simulation.min_attainable_pvalue:.3g}, and more "
            "data are needed."
        )
    if not simulation.complete:
        yield f"The simulation ended early, after {simulation.n_tables} of {simulation.n_requested} tables."


def _kept(simulation: ErrorRateSimulation, found: ErrorRate) -> str:
    """State whether the rate exceeds the significance level by more than the simulation error."""
    alpha = simulation.alpha
    if found.low > alpha:
        none = simulation.adjustment == "none" and len(simulation.pairs) > 1
        why = ": the p-values of its pairs are not adjusted" if none else " by more than the simulation error"
        return f"This rate exceeds the significance level{why}."
    if found.high < alpha:
        return "This rate is below the significance level: the analysis is conservative and loses power."
    return "With this number of tables, no deviation from the significance level is detected."


def _analysis(simulation: ErrorRateSimulation) -> str:
    """Name the tests of the analysis, such as 'the Friedman test followed by the Nemenyi test'."""
    pair = simulation.pair_test
    words = POSTHOC_TESTS[pair].words if simulation.design == "datasets" else TESTS_OF_DIFFERENCES[pair].words
    named = f"the {adjusted_words(words, simulation.adjustment)}"
    is_led = simulation.omnibus_test is not None
    if is_led and simulation.design == "datasets" and not POSTHOC_TESTS[pair].is_gated:
        return named  # the omnibus test does not affect the decision on any pair
    return f"{_leading(simulation)} followed by {named}" if is_led else named


def _leading(simulation: ErrorRateSimulation) -> str:
    name = simulation.omnibus_test or ""
    return f"the {OMNIBUS_TESTS[name].words}" if name in OMNIBUS_TESTS else "Cochran's Q test"


def _rates(simulation: ErrorRateSimulation) -> Table:
    is_null = simulation.shift is None
    leading = simulation.leading
    names = {
        "omnibus test rejects": leading if simulation.omnibus_test else None,
        "any equal pair is rejected": simulation.family_wise,
        "any equal pair, without omnibus test": simulation.pairs_alone,
        "one equal pair is rejected": simulation.per_pair,
        "false discovery rate": simulation.false_discovery,
        "any true difference is detected": simulation.any_found,
        "one true difference is detected": simulation.each_found,
    }
    usual = {
        "omnibus test rejects": "type-I error" if is_null else "power",
        "any equal pair is rejected": "family-wise error",
        "any equal pair, without omnibus test": "family-wise error",
        "one equal pair is rejected": "per-pair error",
        "false discovery rate": "false discovery rate",
        "any true difference is detected": "power",
        "one true difference is detected": "power",
    }
    rows = tuple((what, usual[what], *_cells(rate)) for what, rate in names.items() if rate is not None)
    return Table(
        name="rates",
        caption=f"Rates in {simulation.n_tables} simulated tables, with the 95 % interval of the simulation.",
        columns=heads(["event", "name"], ["rate", "from", "to"]),
        rows=rows,
    )


def _made(simulation: ErrorRateSimulation) -> Iterator[str]:
    """Describe how the tables were simulated, and which properties of the original table the simulation preserves."""
    if simulation.null == "permutation":
        what = (
            "The answers to each instance were"
            if simulation.design == "instances"
            else "The scores of each dataset were"
        )
        yield (
            f"{what} assigned to the classifiers in random order: all classifiers perform equally, and ties remain "
            "ties."
        )
    else:
        of_what = WORDS[simulation.design].unit
        yield (
            f"The differences within a {of_what} were drawn from the normal distribution, with the covariances that "
            "the classifiers have in the table."
        )
    if simulation.design == "folds" and simulation.pair_test == "corrected_ttest":
        yield (
            "The differences of two folds have the correlation that the corrected test assumes; a table of folds "
            "cannot show whether real classifiers have it."
        )
    elif simulation.decimals is not None:
        yield f"Scores have {count(simulation.decimals, 'decimal')}, as in the table."
    if simulation.n_missing:
        yield f"The simulated tables lack the {count(simulation.n_missing, 'score')} that the table lacks."
    if simulation.shift is not None:
        yield f"In every simulated table, {simulation.shifted_classifier} was improved by {simulation.shift:g}."
    if simulation.seed is not None:
        yield f"The seed is {simulation.seed}."


def _pairs(simulation: ErrorRateSimulation, max_rows: int) -> Table:
    shifted_classifier = simulation.shift is not None
    shown = simulation.pairs
    more = ""
    if len(shown) > max_rows:
        shown = tuple(sorted(shown, key=lambda pair: -pair.rate)[:max_rows])
        more = f" The table shows the {max_rows} of {len(simulation.pairs)} pairs with the highest rates."
    return Table(
        name="pairs",
        caption=f"Proportion of the tables in which each pair is rejected.{more}",
        columns=(
            *(Column(head=head) for head in ("first", "second", *(["truth"] if shifted_classifier else []))),
            *(Column(head=head, numeric=True) for head in ("rate", "from", "to")),
        ),
        rows=tuple(
            (
                pair.first,
                pair.second,
                *(["differ" if pair.is_different else "equal"] if shifted_classifier else []),
                *_cells(pair),
            )
            for pair in shown
        ),
    )


def _cells(rate: ErrorRate) -> tuple[str, str, str]:
    return f"{rate.rate:.4f}", f"{rate.low:.4f}", f"{rate.high:.4f}"


def _percent(rate: ErrorRate) -> str:
    return percent(round(rate.rate, 3))


def _range(rate: ErrorRate) -> str:
    return f" (95 % interval {100 * rate.low:.1f} to {100 * rate.high:.1f} %)"
