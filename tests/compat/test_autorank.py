"""The functions with the signatures of autorank return its fields, filled with results of evalstats."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import evalstats
from evalstats import InvalidTypeError, InvalidValueError
from evalstats.compat.autorank import RankResult, autorank, create_report, latex_table, plot_stats
from evalstats.effects import cliffs_delta, cohen_d

# autorank 1.3.0: the fields of its RankResult, and the columns of its table
FIELDS = {
    *("rankdf", "pvalue", "cd", "omnibus", "posthoc", "all_normal", "pvals_shapiro", "homoscedastic"),
    *("pval_homogeneity", "homogeneity_test", "alpha", "alpha_normality", "num_samples", "sample_matrix"),
    *("posterior_matrix", "decision_matrix", "rope", "rope_mode", "effect_size", "force_mode", "plot_order"),
}
SIZES = ["effect_size", "magnitude", "effect_size_above", "magnitude_above"]
SCORES = np.random.default_rng(3).normal(size=(15, 1)) + np.random.default_rng(4).normal(size=(15, 4)) * 0.4
DATA = pd.DataFrame(SCORES + np.array([0, 0.1, 0.5, 0.9]), columns=["A", "B_1", "C", "D"])
ROPE = {"approach": "bayesian", "rope": 0.05, "rope_mode": "absolute", "random_state": 1}


def test_fields_are_those_of_autorank() -> None:
    result = autorank(DATA)

    assert {*RankResult._fields} == {*FIELDS, "comparison"}
    assert list(result.rankdf.columns) == ["meanrank", "median", "mad", "ci_lower", "ci_upper", *SIZES]
    assert (result.omnibus, result.posthoc, result.num_samples, result.alpha) == ("friedman", "nemenyi", 15, 0.05)


def test_numbers_on_which_the_packages_agree() -> None:
    """The package autorank 1.3.0 has the same mean ranks, centers and deltas, and interpolates the CD."""
    result = autorank(DATA, effect_size="cliff_delta", force_mode="nonparametric")
    table = result.rankdf.loc[["A", "B_1", "C", "D"]]

    np.testing.assert_allclose(table["meanrank"], [3.33333333333, 3.0, 2.53333333333, 1.13333333333], rtol=1e-9)
    np.testing.assert_allclose(
        table["median"], [-0.478111167461, -0.383848882066, 0.0521998546325, 0.640379358799], rtol=1e-9
    )
    np.testing.assert_allclose(
        table["mad"], [0.948846496472, 0.471920332284, 0.389712810312, 0.545287258081], rtol=1e-9
    )
    assert result.cd == pytest.approx(1.21104557229, rel=1e-4)
    # its deltas compare with the worst
    assert cliffs_delta(DATA["A"], DATA["D"]).estimate == pytest.approx(-0.475555555556)
    assert table.loc["A", "effect_size"] == pytest.approx(0.475555555556)


def test_best_classifier_is_the_first_row_in_either_direction() -> None:
    """The package autorank 1.3.0 sorts the mean ranks in descending order, which puts the worst first."""
    up, down = autorank(DATA), autorank(DATA, order="ascending")

    assert up.rankdf.index[0] == "D"
    assert down.rankdf.index[0] == "A"
    np.testing.assert_allclose(up.rankdf["meanrank"], 5 - down.rankdf["meanrank"].to_numpy()[::-1], rtol=1e-12)
    assert up.rankdf["effect_size"].iloc[-1] > 0 > down.rankdf["effect_size"].iloc[-1]


def test_two_classifiers_are_compared_by_the_two_sided_test() -> None:
    """The package autorank 1.3.0 chooses the side from the data, so that its p-value is half of this one."""
    result = autorank(DATA[["A", "C"]], force_mode="nonparametric")

    assert (result.omnibus, result.posthoc, result.cd) == ("wilcoxon", None, None)
    assert result.pvalue == evalstats.wilcoxon_test(DATA["A"], DATA["C"]).pvalue
    assert result.pvalue == pytest.approx(2 * 0.0107727050781)


def test_parametric_mode_compares_paired_scores() -> None:
    result = autorank(DATA, force_mode="parametric")
    best, other = DATA["D"], DATA["A"]

    assert (result.omnibus, result.posthoc, result.cd, result.effect_size) == ("anova", "tukeyhsd", None, "cohen_d")
    assert result.pvalue == evalstats.compare(DATA, posthoc="tukey").omnibus.pvalue
    np.testing.assert_array_equal(result.comparison.posthoc.pvalue, evalstats.tukey_test(DATA.to_numpy()).pvalue)
    assert list(result.rankdf.columns) == ["meanrank", "mean", "std", "ci_lower", "ci_upper", *SIZES]
    assert result.rankdf.loc["A", "effect_size"] == pytest.approx(cohen_d(best, other).estimate)
    # of two classifiers, autorank 1.3.0 has this interval of a mean too, at level 1 - alpha / 4
    np.testing.assert_allclose(
        result.rankdf.loc["A", ["ci_lower", "ci_upper"]].astype(float), [-1.53161725468, 0.847379955347], rtol=1e-9
    )


def test_interval_of_the_median_is_made_of_order_statistics() -> None:
    """Of 15 values, the 3rd and the 13th: P(B <= 2) = 0.0037 <= 0.0125 / 2 < P(B <= 3) for B binomial (15, 1/2)."""
    low, high = autorank(DATA).rankdf.loc["A", ["ci_lower", "ci_upper"]]

    assert [low, high] == [np.sort(DATA["A"])[2], np.sort(DATA["A"])[12]]
    assert np.isnan(autorank(DATA[:6]).rankdf["ci_lower"]).all()


def test_posterior_probabilities_are_near_those_of_autorank() -> None:
    """The probabilities (smaller, equal, larger) of D and C of autorank 1.3.0, with 50,000 draws of baycomp."""
    result = autorank(DATA, **ROPE)
    found = result.posterior_matrix.loc["D", "C"]

    np.testing.assert_allclose(found, [1.0, 0.0, 0.0], atol=0.01)
    assert result.rankdf.loc["C", ["p_smaller", "p_equal"]].tolist() == list(found[:2])
    assert (result.pvalue, result.cd, result.omnibus, result.posthoc) == (None, None, "bayes", "bayes")
    assert result.decision_matrix.loc["D", "A"] == result.rankdf.loc["A", "decision"] == "smaller"
    assert result.decision_matrix.loc["A", "D"] == "larger"
    assert result.rankdf.loc["D", "decision"] == "NA"


def test_posterior_of_losses_keeps_the_meaning_of_smaller() -> None:
    result = autorank(DATA, order="ascending", **ROPE)

    assert result.rankdf.index[0] == "A"
    assert result.decision_matrix.loc["A", "D"] == "larger"


def test_nothing_is_printed_unless_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    quiet = autorank(DATA)
    silence = capsys.readouterr().out
    autorank(DATA, verbose=True)

    assert silence == ""
    assert capsys.readouterr().out == f"{quiet.comparison.verdict}\n"


def test_report_is_that_of_evalstats(capsys: pytest.CaptureFixture[str]) -> None:
    result = autorank(DATA)

    create_report(result)

    assert capsys.readouterr().out == evalstats.report.text(result.comparison)


def test_plot_is_the_critical_difference_diagram() -> None:
    axes = plot_stats(autorank(DATA), width=5)

    assert axes.figure.get_size_inches()[0] == 5
    assert {"A", "D"} <= {text.get_text().split()[0] for text in axes.texts if text.get_text().split()}


@pytest.mark.parametrize(
    ("relation", "heads"),
    [
        ("best", r" & MR & MED & MAD & CI & $\delta$ & Magnitude \\"),
        ("above", r" & MR & MED & MAD & CI & $\delta$ & Magnitude \\"),
        (
            "both",
            r" & MR & MED & MAD & CI & $\delta$ (best) & Magnitude (best) & $\delta$ (above) & Magnitude (above) \\",
        ),
    ],
)
def test_table_in_latex(relation: str, heads: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The heads are those of autorank 1.3.0; names are escaped, and digits are those asked for."""
    result = autorank(DATA, effect_size="cliff_delta")

    latex_table(result, decimal_places=2, label="tbl:mine", effect_size_relation=relation)

    lines = capsys.readouterr().out.splitlines()
    row = next(line for line in lines if line.startswith(r"B\_1"))
    numbers = result.rankdf.loc["B_1"]
    assert lines[4] == heads
    assert lines[-2] == r"\label{tbl:mine}"
    assert row.split(" & ")[1:3] == [f"{numbers['meanrank']:.2f}", f"{numbers['median']:.2f}"]
    assert row.split(" & ")[4] == f"[{numbers['ci_lower']:.2f}, {numbers['ci_upper']:.2f}]"
    sizes = {"best": ["effect_size"], "above": ["effect_size_above"], "both": ["effect_size", "effect_size_above"]}
    assert row.removesuffix(r" \\").split(" & ")[5::2] == [f"{numbers[name]:.2f}" for name in sizes[relation]]


def test_table_of_posteriors_in_latex(capsys: pytest.CaptureFixture[str]) -> None:
    latex_table(autorank(DATA, **ROPE))

    lines = capsys.readouterr().out.splitlines()
    assert lines[4].endswith(r"$P(\textit{equal})$ & $P(\textit{smaller})$ & Decision \\")
    assert lines[6].endswith(r"- & - & - \\")


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"approach": "bayesian"}, "rope_mode='effsize' is not supported"),
        ({"nsamples": 1000}, "nsamples must be 50000, not 1000"),
        ({"plot_order": ["A", "B_1", "C", "D"]}, "plot_order must be None"),
        ({"order": "best"}, "order must be 'descending' or 'ascending', not 'best'"),
        ({"force_mode": "robust"}, "force_mode must be"),
        ({"effect_size": "hedges_g"}, "effect_size must be"),
        ({"alpha": 1.5}, "alpha must lie between 0 and 1"),
    ],
)
def test_what_cannot_be_honored_is_one_sentence(choices, message: str) -> None:
    with pytest.raises(InvalidValueError) as error:
        autorank(DATA, **choices)

    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_other_input_is_refused() -> None:
    with pytest.raises(InvalidTypeError, match="data must be a data frame, not ndarray"):
        autorank(DATA.to_numpy())
    with pytest.raises(InvalidValueError, match="is nan"):
        autorank(DATA.mask(DATA.rank() == 1))
    with pytest.raises(InvalidValueError, match="requires three or more classifiers"):
        autorank(DATA[["A", "C"]], force_mode="parametric")
    with pytest.raises(InvalidValueError, match="decimal_places must be 3"):
        create_report(autorank(DATA), decimal_places=5)
    with pytest.raises(InvalidTypeError, match="result must be a RankResult of autorank, not tuple"):
        latex_table(())


def test_plot_of_no_significant_result_is_refused() -> None:
    result = autorank(DATA[["A", "B_1"]], alpha=0.0001)

    with pytest.raises(InvalidValueError, match="allow_insignificant=True plots it nevertheless"):
        plot_stats(result)
    assert plot_stats(result, allow_insignificant=True) is not None
    with pytest.raises(InvalidValueError, match="plot_stats requires approach='frequentist'"):
        plot_stats(autorank(DATA, **ROPE))
