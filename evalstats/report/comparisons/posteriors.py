"""Posterior probabilities that a classifier is better, practically equivalent or worse, as sentences and as a table."""

from __future__ import annotations

__all__ = ["posterior_method", "posterior_section", "posterior_words"]

from typing import TYPE_CHECKING

from evalstats.comparison.registry import POSTERIOR_TESTS
from evalstats.comparison.supplements import OUTCOMES, PosteriorPair, Posteriors
from evalstats.report.blocks import Block, Cite, Column, Section, Sentences, Table, paragraph, section
from evalstats.report.describe import metric_words
from evalstats.report.numbers import count, probability, pvalue_cell
from evalstats.wording import written_list

if TYPE_CHECKING:
    from evalstats.comparison.record import Comparison

# maximum number of names in a sentence; the others are counted
_LISTED = 4

_SOURCES = {
    "accuracy": ("gelman2013",),
    "correlated-t": ("corani2015", "benavoli2017"),
    "sign": ("benavoli2017",),
    "signed-rank": ("benavoli2014", "benavoli2017"),
}


def posterior_words(comparison: Comparison) -> str:
    """State the posterior probabilities in one sentence of the verdict, or '' without a rope."""
    posteriors = comparison.posteriors
    if posteriors is None:
        return ""
    pairs, test = posteriors.pairs, POSTERIOR_TESTS[posteriors.test]
    if len(pairs) == 1:
        (pair,) = pairs
        sides = [(pair.first, pair.p_better), (pair.second, pair.p_worse)]
        (one, p_one), (other, p_other) = sorted(sides, key=lambda side: -side[1])
        alike = "practically equivalent" if posteriors.rope else "equal"
        return (
            f" With a rope of {posteriors.rope:g}, {one} is better than {other} with probability "
            f"{_written(p_one, posteriors)}, {other} than {one} with {_written(p_other, posteriors)}, and both are "
            f"{alike} with {_written(pair.p_equivalent, posteriors)} ({test})."
        )
    needed = f"an answer needs a probability above {posteriors.threshold:g}"
    told = _by_outcome(pairs)
    if comparison.control is None:
        counted = written_list([_counted(outcome, len(of)) for outcome, of in told.items()])
        return f" Of {count(len(pairs), 'pair')}, {counted} ({test} with a rope of {posteriors.rope:g}; {needed})."
    clauses = [_against(outcome, [pair.first for pair in of], comparison.control) for outcome, of in told.items()]
    return f" With a rope of {posteriors.rope:g}, {written_list(clauses)} ({test}; {needed})."


def posterior_section(comparison: Comparison, most_pairs: int) -> Section:
    """Return the section with the posterior probabilities of the pairs and their explanation."""
    posteriors = comparison.posteriors
    assert posteriors is not None
    pairs = posteriors.pairs[:most_pairs]
    blocks: list[Block] = [paragraph(*_method(posteriors))]
    if len(pairs) < posteriors.n_pairs:
        smallest = " with the smallest p-values" if len(posteriors.pairs) < posteriors.n_pairs else ""
        blocks.append(paragraph(f"The table shows {len(pairs)} of {posteriors.n_pairs} pairs{smallest}."))
    return section("posteriors", "Posterior probabilities", *blocks, _table(comparison, posteriors, pairs))


def _table(comparison: Comparison, posteriors: Posteriors, pairs: tuple[PosteriorPair, ...]) -> Table:
    tested = comparison.pairs_with_smallest_pvalues(len(posteriors.pairs))
    pvalues = {(pair.first, pair.second): pair.pvalue for pair in tested}
    are_all = comparison.control is None
    heads = ("p", "P better", "P equivalent", "P worse")
    who = "the first of both" if are_all else f"the {comparison.words.classifier}"
    other = "the second" if are_all else comparison.control
    return Table(
        name="posteriors",
        caption=(
            f"Posterior probabilities that {who} is better in {metric_words(comparison.table)}, that both are "
            f"practically equivalent, and that {other} is better; p is the p-value of the comparison. An answer is "
            f"given if its probability is above {posteriors.threshold:g}."
        ),
        columns=(
            *(
                Column(head=head)
                for head in (("First", "Second") if are_all else (comparison.words.classifier.capitalize(),))
            ),
            *(Column(head=head, numeric=True) for head in heads),
            Column(head="Answer", whole=True),
        ),
        rows=tuple(
            (
                *((pair.first, pair.second) if are_all else (pair.first,)),
                pvalue_cell(pvalues[pair.first, pair.second], comparison.alpha),
                *(_written(p, posteriors) for p in (pair.p_better, pair.p_equivalent, pair.p_worse)),
                pair.outcome,
            )
            for pair in pairs
        ),
        marked=tuple(pair.outcome != "undecided" for pair in pairs),
    )


def posterior_method(posteriors: Posteriors) -> Sentences:
    """Define practical equivalence, and name the Bayesian test with its number of draws."""
    drawn = ""
    if posteriors.n_simulations is not None:
        seed = f", seed {posteriors.seed}" if posteriors.seed is not None else ""
        drawn = f", from {posteriors.n_simulations:,} draws{seed}"
    what = "Two classifiers are " + ("equal" if posteriors.rope == 0 else "practically equivalent")
    within = " if their scores are " + (f"within {posteriors.rope:g} of each other" if posteriors.rope else "equal")
    how = f" gives the probability of each answer, given the data and the prior{drawn}."
    return f"{what}{within}. The {POSTERIOR_TESTS[posteriors.test]} ", Cite(_SOURCES[posteriors.test]), how


def _method(posteriors: Posteriors) -> Sentences:
    reasons = dict.fromkeys(pair.reason for pair in posteriors.pairs if pair.reason is not None)
    degenerate = "".join(f" For some pairs: {reason.replace('x and y', 'both')}." for reason in reasons)
    rest = (
        " These probabilities are not p-values and are not adjusted for the number of pairs; neither p nor 1 − p is "
        f"such a probability. Undecided means that no probability is above the threshold.{degenerate}"
    )
    return *posterior_method(posteriors), rest


def _written(p: float, posteriors: Posteriors) -> str:
    """Format a probability. Simulated probabilities are never written as 0 or 1."""
    least = 0.0 if posteriors.n_simulations is None else 0.5 / posteriors.n_simulations
    return probability(min(max(p, least), 1 - least))


def _by_outcome(pairs: tuple[PosteriorPair, ...]) -> dict[str, list[PosteriorPair]]:
    found = {outcome: [pair for pair in pairs if pair.outcome == outcome] for outcome in OUTCOMES}
    return {outcome: of for outcome, of in found.items() if of}


def _counted(outcome: str, n: int) -> str:
    is_are = "is" if n == 1 else "are"
    return {
        "better": f"in {n} the higher-ranked classifier is better",
        "equivalent": f"{n} {is_are} practically equivalent",
        "worse": f"in {n} the lower-ranked classifier is better",
        "undecided": f"{n} {is_are} undecided",
    }[outcome]


def _against(outcome: str, names: list[str], control: str) -> str:
    is_are = "is" if len(names) == 1 else "are"
    who = written_list(names, at_most=_LISTED)
    return {
        "better": f"{who} {is_are} better than {control}",
        "equivalent": f"{who} {is_are} practically equivalent to {control}",
        "worse": f"{who} {is_are} worse than {control}",
        "undecided": f"{who} {is_are} undecided",
    }[outcome]
