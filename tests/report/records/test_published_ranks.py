"""What the audit of published mean ranks found, and the numbers behind it."""

from __future__ import annotations

import numpy as np

from evalstats import report
from evalstats.multiple import check_published_ranks


def test_clean_table_has_its_numbers_and_no_finding() -> None:
    shown = report.document(check_published_ranks([2.5, 1.6, 1.9], 20, decimals=2))

    assert report.sentence(check_published_ranks([2.5, 1.6, 1.9], 20, decimals=2)).endswith(
        "do not contradict a claim: nothing found."
    )
    assert [section.heading for section in shown.sections] == ["Quantities that follow from the mean ranks"]


def test_table_of_raeder_hoens_and_chawla() -> None:
    """Table I, 5-nearest-neighbour: 12 n / (k (k + 1)) times the squared deviations is 36.3."""
    audit = check_published_ranks([2.95, 1.90, 1.05], 20, control=2, claims={"cd": 0.709})
    text = report.text(audit)

    assert "- error: the mean ranks add up to 5.90, not to 6;" in text
    assert "contradict each other or a claim: 1 error found." in text
    assert any(line.split() == ["Friedman's", "χ²", "36.300"] for line in text.splitlines())


def test_findings_of_several_tables_name_theirs() -> None:
    text = report.text(check_published_ranks([[2.5, 1.6, 1.9], [2.5, 1.6, 1.8]], 20, decimals=2))

    assert "in 1 of 2 tables: 1 error found." in " ".join(text.split())
    assert "- table 2: error: the mean ranks add up to 5.90, not to 6;" in text


def test_f_of_one_dataset_is_left_out() -> None:
    shown = report.text(check_published_ranks([1, 2, 3], 1))

    assert "F of Iman" not in shown


def test_impossible_mean_ranks_have_no_limits_of_the_statistic() -> None:
    """Mean ranks too far from their mean: no rounding gives a statistic, so no interval from 63 to 36 is shown."""
    audit = check_published_ranks([2.0, 2.875, 3.5, 5.208], 12)

    assert np.isnan([audit.chi2_low, audit.chi2_high, audit.chi2_tied]).all()
    assert "by rounding" not in report.text(audit)
    assert "by rounding" in report.text(check_published_ranks([2.0, 2.875, 2.917, 2.208], 12))
