"""R code for the strengths of models in battles: the battles and the computation."""

from __future__ import annotations

__all__ = ["data_and_code"]

from collections.abc import Iterator

import numpy as np

from evalstats._types import FloatArray
from evalstats.comparison.battles import BattleComparison, numeric_outcomes
from evalstats.multiple.battles import BattleStrengths
from evalstats.report import r_code
from evalstats.tables.battles import Battles

# glm() stops when the deviance no longer changes, which gives half of the digits
_OF_GLM = "relative = 1e-6, slack = 1e-7"
MOST_CELLS = 10_000_000  # a larger matrix of battles and models needs too much memory in R
_DRAWN = "base R cannot reproduce these random vectors of strengths"


def data_and_code(comparison: BattleComparison) -> tuple[str, list[str]]:
    """Return the battles, and the code that fits the Bradley-Terry model and its robust covariance."""
    battles, strengths = comparison._battles, comparison.strengths
    n, k = strengths.n_battles, len(strengths.models)
    if n * k > MOST_CELLS:
        return "", [r_code.not_checked("the strengths", f"R would need a matrix of {n:,} battles and {k:,} models")]
    code = list(_strengths(comparison))
    if np.isfinite(strengths.estimate).all():
        code += _pairs(comparison)
    for i, one in enumerate(comparison.win_rates):
        code += _equal_length(comparison, battles, i) if one.reason is None else [_without_rate(one.model, one.reason)]
    return "\n".join(_data(battles, strengths)), code


def _data(battles: Battles, strengths: BattleStrengths) -> Iterator[str]:
    names = [str(name) for name in strengths.models]
    place = {name: i + 1 for i, name in enumerate(strengths.models)}
    yield "# each battle: its two models by their number, the outcome of the first, its weight, and its clusters"
    yield f"models <- {r_code.strings(names)}"
    yield f"model_a <- {r_code.whole_numbers([place[name] for name in battles.model_a])}"
    yield f"model_b <- {r_code.whole_numbers([place[name] for name in battles.model_b])}"
    yield f"outcome <- {r_code.numbers(numeric_outcomes(battles))}"
    yield f"weight <- {'rep(1, length(outcome))' if battles.weight is None else r_code.numbers(battles.weight)}"
    clusters = [np.unique(np.array(one, dtype=str), return_inverse=True)[1] for one in battles.clusters.values()]
    yield f"clusters <- list({', '.join(map(r_code.whole_numbers, clusters))})"
    if battles.covariates:
        columns = np.column_stack(list(battles.covariates.values()))
        yield r_code.matrix("covariates", columns, None, map(str, battles.covariates))
        yield "covariates <- t(t(covariates) / sqrt(colMeans(covariates^2)))"
    if battles.length_difference is not None:
        yield f"longer <- {r_code.numbers(battles.length_difference)}"


def _strengths(comparison: BattleComparison) -> Iterator[str]:
    """Yield the code for each fit to the battles: adjusted, unadjusted, and with the effect of the position."""
    own, battles = comparison.strengths, comparison._battles
    terms = [*["1"] * battles.position, *["covariates"] * bool(battles.covariates)]
    if comparison.unadjusted is not None:
        yield from _fitted(" (unadjusted)", comparison.unadjusted, [])
    if comparison.position is not None and not battles.position:
        yield from _fitted(" (with the position)", comparison.position, ["1"])
    yield from _fitted("", own, terms)


def _fitted(note: str, own: BattleStrengths, terms: list[str]) -> Iterator[str]:
    if not np.isfinite(own.estimate).all():
        yield r_code.not_checked(f"the strengths{note}", str(own.reason))
        return
    design = f"cbind({', '.join(['design_of_battles(model_a, model_b)', *terms])})"
    corrected = "TRUE" if own.covariance_method == "CR1" else "FALSE"
    yield f"fit <- robust_logistic({design}, outcome, weight, clusters, {corrected})"
    yield "found <- strengths_of(fit, length(models))"
    yield f'names <- c(paste("strength of", models), {r_code.strings(f"effect of {term}" for term in own.terms)})'
    yield r_code.agreements(_noted("names", note), [*own.estimate, *own.coefficients], "found$estimate", _OF_GLM)
    errors = [*own.standard_error, *own.coefficients_standard_error]
    if np.isnan(errors).any():
        yield r_code.not_checked(f"the standard errors{note}", str(own.reason))
        return
    names = _noted('paste("standard error,", names)', note)
    shown = r_code.agreements(names, errors, "sqrt(diag(found$covariance))", _OF_GLM)
    if own.covariance_method != "CR2":
        yield shown
        return
    yield 'if (requireNamespace("clubSandwich", quietly = TRUE)) {'
    yield "fit$covariance <- bias_reduced(fit, clusters[[1]])"
    yield "found <- strengths_of(fit, length(models))"
    yield shown
    yield f"}} else {r_code.not_checked(f'the standard errors{note}', r_code.not_installed('clubSandwich'))}"


def _noted(names: str, note: str) -> str:
    return f"paste0({names}, {r_code.string(note)})" if note else names


def _pairs(comparison: BattleComparison) -> Iterator[str]:
    """Yield the code for the differences of the pairs, and for the test of two models."""
    own = comparison.strengths
    pairs = comparison.pairs
    first, second = ([own.models.index(getattr(pair, name)) for pair in pairs] for name in ("first", "second"))
    yield f"first <- {r_code.whole_numbers([i + 1 for i in first])}"
    yield f"second <- {r_code.whole_numbers([i + 1 for i in second])}"
    yield 'of_pairs <- paste(models[first], "-", models[second])'
    yield "differences <- found$estimate[first] - found$estimate[second]"
    yield _of_pairs("difference", [pair.difference for pair in pairs], "differences")
    rates = [pair.win_rate for pair in pairs]
    yield _of_pairs("win rate", rates, "mapply(win_rate_of(model_a, model_b, outcome, weight), first, second)")
    is_known = not np.isnan(own.standard_error).any()
    if is_known and own.covariance_method != "CR2":
        yield "errors <- errors_of_pairs(found$covariance, first, second)"
        yield _of_pairs("standard error of", own.differences_standard_error[first, second], "errors")
    if not is_known or comparison.ranks is None:
        return
    if len(own.models) > 2 or own.covariance_method == "CR2":
        yield r_code.not_checked("the p-values and intervals of the pairs, and the sets of ranks", _DRAWN)
        return
    pair, df = pairs[0], r_code.number(max(own.df, 1))
    yield r_code.agreement(
        "its p", pair.pvalue, f"2 * pt(-abs(differences / errors), {df})", tolerance="relative = 1e-5"
    )
    reach = f"qt(1 - {comparison.alpha!r} / 2, {df}) * errors"
    yield r_code.agreement("its lower limit", pair.low, f"differences - {reach}", tolerance=_OF_GLM)
    yield r_code.agreement("its upper limit", pair.high, f"differences + {reach}", tolerance=_OF_GLM)


def _of_pairs(what: str, values: FloatArray | list[float], r: str) -> str:
    return r_code.agreements(f'paste("{what}", of_pairs)', values, r, _OF_GLM)


def _without_rate(model: str, reason: str) -> str:
    return r_code.not_checked(f"the win rate of {model} at equal length", reason)


def _equal_length(comparison: BattleComparison, battles: Battles, i: int) -> Iterator[str]:
    """Yield the code for the win rate of one model against the control at equal length."""
    one, names = comparison.win_rates[i], [str(name) for name in comparison.strengths.models]
    model, control = names.index(one.model) + 1, names.index(str(comparison.control)) + 1
    of = f"win rate of {one.model}"
    yield (
        f"found <- equal_length(model_a, model_b, outcome, longer, clusters, {model}, {control}, {comparison.alpha!r})"
    )
    yield r_code.agreements(
        r_code.strings([of, f"{of} at equal length", "its lower limit", "its upper limit"]),
        [one.win_rate, one.adjusted, one.low, one.high],
        "found",
        _OF_GLM,
    )
