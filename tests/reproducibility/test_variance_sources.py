from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from evalstats import InvalidTypeError, InvalidValueError
from evalstats.reproducibility import variance_components
from evalstats.reproducibility.variance_sources import understand_levels

SAMPLES = {"sample": ["question", "model"]}
NAMES = ["question", "model", "sample"]
SCORES = np.random.default_rng(3).normal(size=(4, 3, 2)) + np.arange(4.0)[:, None, None]
NESTED = {"sample": ["question"]}


def test_nested_folds_by_hand() -> None:
    """Means 1 and 4 of two repeats, each with squares 2 within: 9 between, so (9 - 2) / 2 and 2."""
    result = variance_components([[0, 2], [3, 5]], factors=["repeat", "fold"], nested={"fold": ["repeat"]})

    assert result.terms == ("repeat", "repeat:fold")
    assert result.mean_square == pytest.approx([9, 2])
    assert result.df.tolist() == [1, 2]
    assert result.estimate == pytest.approx([3.5, 2])
    assert result.standard_error == pytest.approx([math.sqrt((2 * 81 / 3 + 2 * 4 / 4) / 4), math.sqrt(2 * 4 / 4)])
    assert result.proportion == pytest.approx([3.5 / 5.5, 2 / 5.5])


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

    assert other.proportion == pytest.approx(one.proportion, abs=1e-7)


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
    assert result.proportion[0] == 0
    assert result.proportion.sum() == pytest.approx(1)
    assert "components are estimated below 0" in result.reason


@pytest.mark.parametrize("value", [0.0, 0.1, 1e6 + 0.1])
def test_without_variance_there_are_no_shares(value: float) -> None:
    result = variance_components(np.full((3, 7), value), factors=["a", "b"])

    assert result.estimate.tolist() == [0, 0, 0]
    assert np.isnan(result.proportion).all()
    assert result.reason.startswith("all scores are the same")


def _listed(array, missing=()):
    """Return scores one by one with the levels of each, without those at some places."""
    kept = np.delete(np.arange(array.size), missing)
    levels = np.unravel_index(kept, array.shape)
    return array.ravel()[kept], dict(zip(NAMES, levels, strict=True))


@pytest.mark.parametrize("nested", [None, SAMPLES, {"sample": ["model"]}])
def test_complete_scores_one_by_one_are_the_array(nested) -> None:
    array = variance_components(SCORES, factors=NAMES, nested=nested)
    order = np.random.default_rng(1).permutation(SCORES.size)
    scores, levels = _listed(SCORES)

    listed = variance_components(
        scores[order], factors={name: level[order] for name, level in levels.items()}, nested=nested
    )

    by_name = dict(zip(listed.terms, listed.estimate, strict=True))
    assert listed.method == array.method == "anova"
    assert [by_name[term] for term in array.terms] == pytest.approx(array.estimate, rel=1e-9)
    assert listed.sizes == array.sizes


def test_both_methods_agree_where_nothing_is_below_zero() -> None:
    """REML is the analysis of variance in complete designs (Searle et al. 1992, section 6.7)."""
    dyestuff = np.random.default_rng(2).normal(size=(12, 6)) + np.random.default_rng(3).normal(size=(12, 1))
    choices = {"factors": ["batch", "sample"], "nested": {"sample": ["batch"]}}

    reml, anova = (variance_components(dyestuff, **choices, method=method) for method in ("reml", "anova"))

    assert reml.method == "reml"
    assert reml.estimate == pytest.approx(anova.estimate, rel=1e-8)
    # 2 MS^2 / df and 2 MS^2 / (df + 2): the information, and what is unbiased
    assert reml.standard_error == pytest.approx(anova.standard_error, rel=0.12)
    assert np.isnan(reml.df).all()
    assert math.isnan(anova.log_likelihood)


def test_uneven_samples_are_those_of_statsmodels() -> None:
    """Nested designs with one random intercept are what MixedLM finds to some digits."""
    from statsmodels.regression.mixed_linear_model import MixedLM

    generator = np.random.default_rng(8)
    question = np.repeat(np.arange(20), generator.integers(1, 6, 20))
    scores = generator.normal(size=question.size) + generator.normal(size=20)[question]
    sample = np.arange(question.size)

    result = variance_components(
        scores, factors={"question": question, "sample": sample}, nested={"sample": ["question"]}
    )
    theirs = MixedLM(scores, np.ones((scores.size, 1)), question).fit(reml=True)

    assert result.method == "reml"
    assert result.estimate == pytest.approx([theirs.cov_re.item(), theirs.scale], rel=1e-4)
    assert result.log_likelihood == pytest.approx(theirs.llf, abs=1e-6)


@pytest.mark.long
def test_uneven_designs_are_estimated_nearly_without_bias() -> None:
    """100 simulated designs with other numbers of samples: means within four standard errors."""
    generator = np.random.default_rng(4)
    truth, found = np.array([4.0, 1.0, 2.25]), []
    for _ in range(100):
        question = np.repeat(np.arange(25), generator.integers(1, 4, 25) * 2)
        model = np.arange(question.size) % 2
        answers = np.unique(question * 2 + model, return_inverse=True)[1]
        parts = [
            generator.normal(size=25)[question],
            generator.normal(size=50)[answers],
            generator.normal(size=question.size),
        ]
        scores = sum(math.sqrt(v) * part for v, part in zip(truth, parts, strict=True))
        levels = {"question": question, "answer": answers, "sample": np.arange(question.size)}
        nested = {"answer": ["question"], "sample": ["answer"]}
        found.append(variance_components(scores, factors=levels, nested=nested))
    estimates = np.array([one.estimate for one in found])

    error = estimates.std(axis=0) / math.sqrt(100)
    assert {one.method for one in found} == {"reml"}
    assert (np.abs(estimates.mean(axis=0) - truth) < 4 * error).all()
    variances = np.array([one.standard_error**2 for one in found])[(estimates > 0).all(axis=1)]
    assert np.median(variances, axis=0) == pytest.approx(estimates.var(axis=0), rel=0.5)


def test_missing_combinations_do_not_move_a_unit() -> None:
    scores, levels = _listed(SCORES, missing=[0, 5])
    one = variance_components(scores, factors=levels, nested=SAMPLES)

    other = variance_components(scores * 1e-70 + 1e-69, factors=levels, nested=SAMPLES)

    assert other.estimate == pytest.approx(one.estimate * 1e-140, rel=1e-6)
    assert other.log_likelihood == pytest.approx(one.log_likelihood + (scores.size - 1) * 70 * math.log(10), rel=1e-9)


def test_mean_of_uneven_samples_has_the_error_of_its_answers() -> None:
    """Means of 1 and 3 samples: half the sum of their variances, as that of 1.5 samples each."""
    scores, questions, samples = [0.1, 0.9, 0.4, 0.5, 0.2, 0.8], [1, 2, 2, 2, 3, 3], [1, 1, 2, 3, 1, 2]

    result = variance_components(
        scores, factors={"question": questions, "sample": samples}, nested={"sample": ["question"]}
    )

    question, sample = result.estimate
    expected = question / 3 + sample * (1 + 1 / 3 + 1 / 2) / 9
    assert result.standard_error_of_mean() == pytest.approx(math.sqrt(expected))


def test_samples_that_never_differ() -> None:
    """Right or wrong each time: nothing varies within answers, and questions are what is left."""
    right = np.array([1.0, 0, 1, 1, 0])
    question = np.array([0, 0, 1, 2, 2, 2, 3, 4, 4])

    result = variance_components(
        right[question], factors={"question": question, "sample": np.arange(9)}, nested={"sample": ["question"]}
    )

    assert result.estimate == pytest.approx([np.var(right, ddof=1), 0])
    assert result.proportion.tolist() == [1, 0]
    assert result.reason == "scores of the same question do not differ: the variances within a question are 0"


def test_a_variance_of_zero_is_said() -> None:
    result = variance_components([[1, 2], [2, 1], [1, 2]], factors=["a", "b"], nested={"b": ["a"]}, method="reml")

    assert result.estimate[0] == 0
    assert np.isnan(result.standard_error[0])
    assert result.reason.startswith("1 of 2 components are estimated as 0")


@pytest.mark.parametrize("value", [0.0, 0.1, -3.0])
def test_uneven_scores_that_are_all_the_same(value: float) -> None:
    result = variance_components([value] * 3, factors={"a": [1, 1, 2], "b": [1, 2, 1]}, nested={"b": ["a"]})

    assert result.estimate.tolist() == [0, 0]
    assert result.reason.startswith("all scores are the same")


def test_an_exact_sum_of_effects_has_no_likelihood() -> None:
    question, model = (a.ravel() for a in np.indices((4, 3)))
    keep = np.arange(12) != 5
    scores = np.array([0.1, 0.5, 0.7, 0.2])[question] + np.array([0.0, 0.3, 0.5])[model]

    result = variance_components(scores[keep], factors={"question": question[keep], "model": model[keep]})

    assert np.isnan(result.estimate).all()
    assert "explain the scores completely" in result.reason


@pytest.mark.parametrize(
    ("factors", "choices", "message"),
    [
        (
            {"a": [1, 1, 2, 2, 3], "b": [1, 2, 1, 2, 1]},
            {"method": "anova"},
            r"method='anova' needs a balanced design .* use method='reml'",
        ),
        ({"a": [1, 1, 2, 2, 3], "b": [1, 2, 1, 2, 1]}, {"method": "ml"}, r"method must be 'auto' or 'anova' or 'reml'"),
        (
            {"a": [1, 1, 2, 2, 3], "b": [1, 2, 3, 4, 5], "c": [1, 1, 2, 2, 1]},
            {},
            r"the design must separate b and single scores, but none of its levels has two scores",
        ),
        (
            {"a": [1, 1, 2, 2, 3], "b": [1, 1, 2, 2, 3], "c": [1, 2, 1, 2, 1]},
            {"nested": {"c": ["a", "b"]}},
            r"the design must separate its terms \(a, b, a:b, a:b:c\), but the levels of one follow from",
        ),
    ],
)
def test_uneven_designs_that_are_refused(factors, choices, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        variance_components([1, 2, 3, 4, 6], factors=factors, **choices)


@pytest.mark.parametrize(
    ("scores", "choices", "message"),
    [
        (
            SCORES,
            {"factors": ["a", "b"]},
            r"factors must name the axes of scores, of shape \(4, 3, 2\), but there are 2 names",
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
            r"nested must not nest a factor in itself, as it does for 'model'",
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


def test_array_and_list_are_the_same_design() -> None:
    array = np.arange(6.0).reshape(3, 2)
    columns = {"question": [1, 1, 2, 2, 3, 3], "sample": list("ababab")}

    one, other = (
        understand_levels(s, f, NESTED) for s, f in [(array, ["question", "sample"]), (array.ravel(), columns)]
    )

    assert other.complete.tolist() == one.complete.tolist() == array.tolist()
    assert one.sizes == other.sizes == {"question": 3, "sample": 2}
    assert list(map(one.name_of, one.terms)) == ["question", "question:sample"]
    assert one.level_of(one.terms[0]).tolist() == other.level_of(other.terms[0]).tolist() == [0, 0, 1, 1, 2, 2]


def test_names_of_nested_levels_count_within_theirs() -> None:
    """Samples that are numbered throughout are the same samples as those that begin anew."""
    anew = understand_levels([1, 2, 3, 4.0], {"question": [1, 1, 2, 2], "sample": [1, 2, 1, 2]}, NESTED)
    throughout = understand_levels([1, 2, 3, 4.0], {"question": [1, 1, 2, 2], "sample": [7, 3, 9, 4]}, NESTED)

    assert throughout.sizes == anew.sizes == {"question": 2, "sample": 2}
    assert throughout.complete.shape == (2, 2)


def test_size_of_an_uneven_factor_is_the_harmonic_mean() -> None:
    """The variance of a mean of answers that are means of 3 and 1 samples is that of 1.5 samples each."""
    design = understand_levels([1, 2, 3, 4.0], {"question": [1, 1, 1, 2], "sample": [1, 2, 3, 1]}, NESTED)

    assert design.sizes == {"question": 2, "sample": pytest.approx(1.5)}
    assert design.complete is None


def test_a_data_frame_names_the_levels() -> None:
    frame = pd.DataFrame({"run": [1, 1, 2], "fold": [1, 2, 1], "score": [0.5, 0.6, 0.7]})

    design = understand_levels(frame["score"], frame[["run", "fold"]], None)

    assert design.names == ("run", "fold")
    assert design.scores.tolist() == [0.5, 0.6, 0.7]


@pytest.mark.parametrize(
    ("scores", "factors", "message"),
    [
        (
            [1, 2, 3],
            {"a": [1, 1, 2], "b": [1, 1, 1]},
            r"must have one score, but a 1, b 1 has 2; add a factor that numbers",
        ),
        ([1, 2], {"a": [1, 2], "b": [1, 1]}, r"each factor must have 2 levels or more, but 'b' has 1"),
        ([[1, 2]], {"a": [1, 2]}, r"scores must be one list if factors contains the level of each score, .* \(1, 2\)"),
        ([], {"a": []}, r"scores must be one list"),
        ([1, 2], {"a": [1, 2, 3]}, r"factors\['a'\] must name one level for each of the 2 instances"),
        ([1, 2], {"a": [1, None]}, r"factors\['a'\]"),
        ([1, float("nan")], {"a": [1, 2]}, r"scores must be finite, but scores\[1\] is nan"),
        ([1, 2], {}, r"there must be 1 to 6 factors, not 0"),
        ([1, 2], {"a:b": [1, 2]}, r"factors must have different names without ':'"),
    ],
)
def test_what_does_not_fit_is_refused(scores, factors, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        understand_levels(scores, factors, None)


def test_labels_of_another_order_are_refused() -> None:
    scores = pd.Series([1.0, 2.0], index=["x", "y"])

    with pytest.raises(InvalidValueError, match="must have equal indexes"):
        understand_levels(scores, {"a": pd.Series([1, 2], index=["y", "x"])}, None)
