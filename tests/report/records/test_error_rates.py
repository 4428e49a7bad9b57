"""What a calibration says in words and tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evalstats import example_table, report, simulate_error_rates
from evalstats.comparison.simulation.error_rates import ErrorRate

FOUND = simulate_error_rates(example_table("demsar-2006"), n_simulations=200)
SHIFTED = simulate_error_rates(
    example_table("demsar-2006"), n_simulations=100, shift=0.04, shifted_classifier="C4.5", posthoc="conover"
)


def rate(low: float, value: float, high: float) -> ErrorRate:
    return ErrorRate(rate=value, low=low, high=high)


def test_verdict_names_the_analysis_the_rate_and_its_interval() -> None:
    made = replace(FOUND, family_wise=rate(0.041, 0.048, 0.056))

    assert report.sentence(made) == (
        "With tables like this one, the Wilcoxon signed-rank test with Holm's method at level 0.05 reports a "
        "difference in 4.8 % of the tables without a true difference (95 % interval 4.1 to 5.6 %). With this number "
        "of tables, no deviation from the significance level is detected."
    )


@pytest.mark.parametrize(
    ("family_wise", "words"),
    [
        (rate(0.06, 0.07, 0.08), "exceeds the significance level by more than the simulation error"),
        (rate(0.01, 0.02, 0.03), "below the significance level: the analysis is conservative and loses power"),
    ],
)
def test_verdict_says_whether_the_level_is_kept(family_wise: ErrorRate, words: str) -> None:
    assert words in report.sentence(replace(FOUND, family_wise=family_wise))


def test_unadjusted_pairs_are_named_as_the_cause() -> None:
    made = replace(FOUND, family_wise=rate(0.2, 0.22, 0.24), adjustment="none", pair_test="wilcoxon")

    assert "exceeds the significance level: the p-values of its pairs are not adjusted." in report.sentence(made)


def test_power_is_told_with_what_is_called_different_wrongly() -> None:
    made = replace(SHIFTED, any_found=rate(0.7, 0.75, 0.8), family_wise=rate(0.0, 0.01, 0.02))

    assert (
        "finds a difference of C4.5 in 75 % of the tables in which it is better by 0.04 (95 % interval 70.0 to 80.0 "
        "%). It reports a difference between two other classifiers "
        "in 1 % of them (95 % interval 0.0 to 2.0 %)." in report.sentence(made)
    )


def test_report_shows_every_rate_and_every_pair() -> None:
    shown = report.document(SHIFTED)

    rates, made, pairs = (section.blocks[0] for section in shown.sections)
    fields = ("leading", "family_wise", "pairs_alone", "per_pair", "false_discovery", "any_found", "each_found")
    assert [row[2] for row in rates.rows] == [f"{getattr(SHIFTED, name).rate:.4f}" for name in fields]
    assert "The scores of each dataset were assigned to the classifiers in random order" in made.content[0]
    assert [row[2] for row in pairs.rows] == ["differ" if pair.is_different else "equal" for pair in SHIFTED.pairs]


def test_long_tables_of_pairs_are_cut_and_say_so() -> None:
    table = report.document(FOUND, max_rows=2).sections[-1].blocks[0]

    assert len(table.rows) == 2
    assert table.caption.endswith("The table shows the 2 of 6 pairs with the highest rates.")


@pytest.mark.parametrize("ascii_only", [False, True])
def test_text_fits_a_terminal(ascii_only: bool) -> None:
    text = report.text(SHIFTED, width=80, ascii=ascii_only)

    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text


def test_missing_scores_are_told() -> None:
    table = example_table("demsar-2006").to_frame()
    table.iloc[0, 0] = np.nan
    made = simulate_error_rates(table, missing="skillings-mack", method="chi2", null="normal", n_simulations=3)

    assert "The simulated tables lack the 1 score that the table lacks." in report.text(made, width=500)
    assert "drawn from the normal distribution" in report.text(made, width=500)
