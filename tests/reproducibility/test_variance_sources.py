from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from evalstats import InvalidTypeError, InvalidValueError, variance_components

SAMPLES = {"sample": ["question", "model"]}
NAMES = ["question", "model", "sample"]
SCORES = np.random.default_rng(3).normal(size=(4, 3, 2)) + np.arange(4.0)[:, None, None]


def test_nested_folds_by_hand() -> None:
    """Means 1 and 4 of two repeats, each with squares 2 within: 9 between, so (9 - 2) / 2 and 2."""
    result = variance_components([[0, 2], [3, 5]], factors=["repeat", "fold"], nested={"fold": ["repeat"]})

    assert result.terms == ("repeat", "repeat:fold")
    assert result.mean_square == pytest.approx([9, 2])
    assert result.df.tolist() == [1, 2]
    assert result.estimate == pytest.approx([3.5, 2])
    assert result.standard_error == pytest.approx([math.sqrt((2 * 81 / 3 + 2 * 4 / 4) / 4), math.sqrt(2 * 4 / 4)])
    assert result.share == pytest.approx([3.5 / 5.5, 2 / 5.5])


def test_dyestuff_of_davies() -> None:
    """Davies & Goldsmith (1972), table 6.1, six batches of five samples: 1764 between and 2451 within."""
    dyestuff = [
        [1545, 1440, 1440, 1520, 1580],
        [1540, 1555, 1490, 1560, 1495],
        [1595, 1550, 1605, 1510, 1560],
        [1445, 1440, 1595, 1465, 1545],
        [1595, 1630, 1515, 1635, 1625],
        [1520, 1455, 1450, 1480, 1445],
    ]

    result = variance_components(dyestuff, factors=["batch", "sample"], nested={"sample": ["batch"]})

    assert result.estimate == pytest.approx([1764.05, 2451.25], abs=0.01)


@pytest.mark.parametrize("nested", [None, SAMPLES, {"sample": ["model"]}, {"model": ["question"], "sample": ["model"]}])
def test_squares_are_those_of_statsmodels(nested) -> None:
    """The table of anova_lm, whose formula names the same terms."""
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    result = variance_components(SCORES, factors=NAMES, nested=nested)
    cells = pd.DataFrame(list(itertools.product(*map(range, SCORES.shape))), columns=NAMES).astype(str)
    cells["score"] = SCORES.ravel()

    formula = "score ~ " + " + ".join(f"C({')*C('.join(t.split(':'))})".replace("*", ":") for t in result.terms[:-1])
    table = anova_lm(ols(formula, cells).fit())

    assert result.sum_of_squares == pytest.approx(table["sum_sq"].to_numpy(), rel=1e-9)
    assert result.df.tolist() == table["df"].astype(int).tolist()


def test_estimates_are_unbiased() -> None:
    """2,000 simulated designs: the means of the estimates are the variances, within four standard errors."""
    generator = np.random.default_rng(1)
    truth, found = [4.0, 1.0, 0.25, 2.25], []
    for _ in range(2000):
        parts = [generator.normal(size=shape) for shape in ((6, 1, 1), (1, 4, 1), (6, 4, 1), (6, 4, 2))]
        scores = sum(math.sqrt(v) * part for v, part in zip(truth, parts, strict=True))
        found.append(variance_components(scores, factors=NAMES, nested=SAMPLES))
    estimates = np.array([one.estimate for one in found])
    variances = np.array([one.standard_error**2 for one in found])

    error = estimates.std(axis=0) / math.sqrt(2000)
    assert (np.abs(estimates.mean(axis=0) - truth) < 4 * error).all()
    assert variances.mean(axis=0) == pytest.approx(estimates.var(axis=0), rel=0.2)


def test_squares_add_up() -> None:
    for nested in (None, SAMPLES, {"sample": ["model"]}):
        result = variance_components(SCORES, factors=NAMES, nested=nested)

        assert result.sum_of_squares.sum() == pytest.approx(np.sum((SCORES - SCORES.mean()) ** 2), rel=1e-12)
        assert result.df.sum() == SCORES.size - 1


def test_order_of_the_axes_does_not_matter() -> None:
    here = variance_components(SCORES, factors=NAMES, nested=SAMPLES)
    there = variance_components(
        SCORES.transpose(2, 0, 1)[::-1, ::-1], factors=["sample", "question", "model"], nested=SAMPLES
    )

    of_there = {frozenset(term.split(":")): v for term, v in zip(there.terms, there.estimate, strict=True)}
    assert [of_there[frozenset(term.split(":"))] for term in here.terms] == pytest.approx(here.estimate, rel=1e-10)


@pytest.mark.parametrize(("factor", "offset"), [(1e-150, 0), (1e70, 0), (1, 1e5)])
def test_unit_and_origin(factor: float, offset: float) -> None:
    one = variance_components(SCORES, factors=NAMES)

    other = variance_components(SCORES * factor + offset, factors=NAMES)

    assert other.share == pytest.approx(one.share, abs=1e-7)


def test_mean_of_a_model_over_other_numbers_of_questions() -> None:
    """Questions and their interaction with the model shrink with the questions, samples with both; the model stays."""
    result = variance_components(SCORES, factors=NAMES, nested=SAMPLES)
    question, _, both, sample = np.maximum(result.estimate, 0)

    found = result.standard_error_of_mean({"question": 100, "sample": 5}, fixed=["model"])

    assert found == pytest.approx(math.sqrt((question + both) / 100 + sample / 500))
    assert result.standard_error_of_mean({"question": 100, "sample": 10}, fixed=["model"]) < found


def test_mean_of_everything_is_that_of_the_design() -> None:
    """One factor: the standard error of a mean."""
    values = [1.0, 2.0, 4.0, 7.0]

    result = variance_components(values, factors=["run"])

    assert result.estimate == pytest.approx([np.var(values, ddof=1)])
    assert result.standard_error_of_mean() == pytest.approx(np.std(values, ddof=1) / 2)


def test_estimates_below_zero_are_said_and_share_nothing() -> None:
    result = variance_components([[1, 2], [2, 1], [1, 2]], factors=["a", "b"])

    assert result.estimate[0] < 0
    assert result.share[0] == 0
    assert result.share.sum() == pytest.approx(1)
    assert "components are estimated below 0" in result.reason


@pytest.mark.parametrize("value", [0.0, 0.1, 1e6 + 0.1])
def test_without_variance_there_are_no_shares(value: float) -> None:
    result = variance_components(np.full((3, 7), value), factors=["a", "b"])

    assert result.estimate.tolist() == [0, 0, 0]
    assert np.isnan(result.share).all()
    assert result.reason.startswith("all scores are the same")


@pytest.mark.parametrize(
    ("scores", "choices", "message"),
    [
        (
            SCORES,
            {"factors": ["a", "b"]},
            r"factors must name the axes of scores, of shape \(4, 3, 2\), but there are 2",
        ),
        (SCORES[:1], {"factors": NAMES}, r"each factor must have 2 levels or more, but 'question' has 1"),
        (SCORES, {"factors": ["a", "a", "b"]}, r"factors must have different names without ':'"),
        (SCORES, {"factors": ["a", "b", "c:d"]}, r"factors must have different names without ':'"),
        (
            SCORES,
            {"factors": NAMES, "nested": {"fold": ["model"]}},
            r"nested must name factors \(question, model, sample",
        ),
        (
            SCORES,
            {"factors": NAMES, "nested": {"model": ["fold"]}},
            r"nested must name factors \(question, model, sample",
        ),
        (
            SCORES,
            {"factors": NAMES, "nested": {"model": ["sample"], "sample": ["model"]}},
            r"nested must not nest a factor in itself, as it does 'model'",
        ),
        ([[1, math.nan], [1, 2]], {"factors": ["a", "b"]}, r"scores must be finite, but scores\[0, 1\] is nan"),
    ],
)
def test_bad_input_is_refused(scores, choices, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        variance_components(scores, **choices)


def test_wrong_types_are_refused() -> None:
    with pytest.raises(InvalidTypeError, match=r"factors must be a sequence of names, not 'ab'"):
        variance_components([[1, 2], [3, 4]], factors="ab")
    with pytest.raises(InvalidTypeError, match=r"nested must be a dict of factors"):
        variance_components([[1, 2], [3, 4]], factors=["a", "b"], nested=["a"])
    with pytest.raises(InvalidValueError, match=r"sizes must name factors \(a, b\), not 'c'"):
        variance_components([[1, 2], [3, 5]], factors=["a", "b"]).standard_error_of_mean({"c": 3})
