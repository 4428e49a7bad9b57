"""Comparison of treatments by several readers, from the file to the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalstats import InvalidValueError, compare, report
from evalstats.comparison import compare_readers
from evalstats.multiple import obuchowski_rockette_test
from evalstats.tables.errors import TableError

RNG = np.random.default_rng(5)
Y = np.tile([0, 1], 30)
# treatments film and digital, readers r1 to r4
RATINGS = np.round(Y * np.array([1.0, 1.8])[:, None, None] + RNG.normal(size=(2, 4, 60)), 3)


def long_rows(ratings: Any = RATINGS) -> dict[str, list[Any]]:
    """Return a row for each rating, in random order."""
    t, r, n = ratings.shape
    rows = [(f"r{j + 1}", ("film", "digital", "mri")[i], f"c{k}", int(Y[k]), float(ratings[i, j, k]))
            for i in range(t) for j in range(r) for k in range(n)]  # fmt: skip
    order = np.random.default_rng(1).permutation(len(rows)).tolist()
    columns = zip(*(rows[at] for at in order), strict=True)
    return {
        name: list(column)
        for name, column in zip(("reader", "treatment", "case", "truth", "rating"), columns, strict=True)
    }


def written(path: Path, rows: dict[str, list[Any]]) -> Path:
    lines = [",".join(rows), *(",".join(map(str, row)) for row in zip(*rows.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def without(rows: dict[str, list[Any]], at: Any) -> dict[str, list[Any]]:
    kept = [i for i, row in enumerate(zip(*rows.values(), strict=True)) if not at(*row)]
    return {name: [column[i] for i in kept] for name, column in rows.items()}


@pytest.mark.parametrize("sampled", [None, "cases", "readers"])
def test_long_rows_give_the_test_of_the_arrays(tmp_path: Path, sampled: str | None) -> None:
    expected = obuchowski_rockette_test(Y, RATINGS[::-1], sampled=sampled or "both", method="adjusted")

    comparison = compare_readers(written(tmp_path / "ratings.csv", long_rows()), sampled=sampled)

    assert comparison.treatments == ("digital", "film")
    assert comparison.readers == ("r1", "r2", "r3", "r4")
    assert comparison.test.auc == pytest.approx(expected.auc)
    assert (comparison.test.statistic, comparison.test.pvalue) == pytest.approx((expected.statistic, expected.pvalue))
    these = obuchowski_rockette_test(Y, RATINGS, sampled="cases", method="adjusted")
    assert comparison.these_readers.pvalue == pytest.approx(these.pvalue)


def test_rows_of_imrmc_have_their_truth_in_a_reader() -> None:
    rows = long_rows()
    imrmc = {
        "readerID": [*rows["reader"], *["truth"] * 60],
        "caseID": [*rows["case"], *(f"c{k}" for k in range(60))],
        "modalityID": [*rows["treatment"], *["truth"] * 60],
        "score": [*rows["rating"], *Y.tolist()],
    }

    assert compare_readers(imrmc).test.pvalue == compare_readers(rows).test.pvalue


def test_seeds_are_readers_and_columns_may_be_named() -> None:
    rows = dict(zip(("seed", "model", "instance", "label", "probability"), long_rows().values(), strict=True))
    named = dict(zip(("who", "how", "what", "is", "said"), long_rows().values(), strict=True))
    names = {"reader": "who", "classifier": "how", "instance": "what", "y_true": "is", "score": "said"}

    expected = compare_readers(long_rows()).test.pvalue

    assert compare_readers(rows, y_true="label", score="probability").test.pvalue == expected
    assert compare_readers(named, **names).test.pvalue == expected


def test_reader_that_skipped_instances_is_named_and_may_be_left_out() -> None:
    rows = without(long_rows(), lambda who, how, what, *_: who == "r2" and how == "film" and what in ("c7", "c11"))

    missing = r"2 of 480 ratings are missing \(r2 with film: c7, r2 with film: c11\)"
    with pytest.raises(TableError, match=missing) as error:
        compare_readers(rows)
    assert "leave out a reader, a treatment or these instances with drop='r2'" in str(error.value)

    expected = obuchowski_rockette_test(Y, RATINGS[:, [0, 2, 3]], method="adjusted")
    assert compare_readers(rows, drop="r2").test.pvalue == pytest.approx(expected.pvalue)
    others = np.delete(np.arange(60), [7, 11])
    expected = obuchowski_rockette_test(Y[others], RATINGS[..., others], method="adjusted")
    assert compare_readers(rows, drop=["c7", "c11"]).test.pvalue == pytest.approx(expected.pvalue)


C_OF_ALL = tuple(f"c{5 * r + i}" for r in (1, 2, 3, 4) for i in (0, 1))


@pytest.mark.parametrize(
    ("skipped", "names"),
    [
        ({("r2", "c3"), ("r3", "c5")}, ("c3", "c5")),
        ({("r2", f"c{i}") for i in range(4)} | {("r3", f"c{i}") for i in range(9)}, ("r2", "r3")),
        (
            {(f"r{r}", f"c{5 * r + i}") for r in range(5) for i in range(2)},
            tuple(f"c{5 * r + i}" for r in (1, 2, 3, 4) for i in (0, 1)),
        ),
    ],
)
def test_fewest_names_that_complete_the_ratings_are_proposed(
    skipped: set[tuple[str, str]], names: tuple[str, ...]
) -> None:
    rows = without(long_rows(), lambda who, how, what, *_: (who, what) in skipped)

    with pytest.raises(TableError) as error:
        compare_readers(rows)

    assert error.value.value == names
    assert compare_readers(rows, drop=names).test.pvalue >= 0


def test_file_of_several_readers_is_not_guessed_to_be_something_else() -> None:
    with pytest.raises(TableError, match="holds the ratings of several readers, in the column 'reader'") as error:
        compare(long_rows())

    assert (error.value.argument, error.value.value) == ("reader", "reader")


def changed(name: str, value: Any) -> dict[str, list[Any]]:
    rows = long_rows()
    rows[name][3] = value
    return rows


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (changed("rating", "high"), {}, "the rating 'high' is not a finite number"),
        (changed("truth", 2), {}, "the true label of .* here and different elsewhere"),
        ({name: [*column, column[0]] for name, column in long_rows().items()}, {}, "rated .* twice with"),
        ({name: column for name, column in long_rows().items() if name != "truth"}, {}, "no column of the true labels"),
        (
            long_rows(),
            {"drop": ["film"]},
            "requires 2 or more treatments, but the table holds only 'digital'",
        ),
        (long_rows(), {"drop": ["film", "digital"]}, "holds no ratings"),
        (long_rows(), {"drop": "analog"}, "must name a reader, treatment or instance of the table, not 'analog'"),
        (long_rows(), {"reader": "who"}, "'who'"),
        (long_rows(), {"sampled": "patients"}, "sampled must be"),
        (long_rows(RATINGS[:, :1]), {"sampled": "both"}, "needs 2 or more readers, but there is 1"),
    ],
)
def test_fault_is_named(rows: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        compare_readers(rows, **options)


def test_single_reader_is_a_fixed_one() -> None:
    comparison = compare_readers(long_rows(RATINGS[:, :1]))

    assert comparison.test.sampled == "cases"
    assert report.sentence(comparison).count("For ") == 1


def test_verdict_tells_both_populations_apart() -> None:
    comparison = compare_readers(long_rows())
    said, test = report.sentence(comparison), comparison.test

    low, high = test.confidence_interval()
    assert f"the AUC of digital is {test.difference[0, 1]:.3f} larger than the AUC of film" in said
    assert f"(95 % interval {low[0, 1]:.3f} to {high[0, 1]:.3f})" in said
    assert "For new readers and new instances, a difference is shown" in said
    assert "For these 4 readers and new instances, a difference is shown" in said


def test_report_of_three_treatments_names_each_pair() -> None:
    third = np.concatenate([RATINGS, RATINGS[:1] + RNG.normal(size=(1, 4, 60))])

    shown = report.markdown(compare_readers(long_rows(third)))

    assert "digital has the largest AUC of 3 treatments" in shown
    for pair in (("digital", "film"), ("digital", "mri"), ("film", "mri")):
        assert f"| {pair[0]} | {pair[1]} |" in shown


def test_equal_ratings_have_a_reason_and_no_interval() -> None:
    comparison = compare_readers(long_rows(np.ones((2, 3, 60))))

    assert (comparison.test.pvalue, comparison.test.reason) == (1.0, comparison.test.reason)
    assert "no difference is shown" in report.sentence(comparison)


def test_ratings_of_the_other_label_are_asked_about():
    """'healthy' is after 'disease', but a high rating means a disease."""
    rng = np.random.default_rng(0)
    rows = [
        (reader, treatment, case, ["healthy", "disease"][case % 2], weight * (case % 2) + rng.random())
        for reader in "wxyz"
        for treatment, weight in (("ct", 0.9), ("mri", 0.4))
        for case in range(40)
    ]
    table = {
        k: list(v)
        for k, v in zip(("reader", "treatment", "case", "truth", "rating"), zip(*rows, strict=True), strict=True)
    }

    with pytest.raises(
        TableError, match="smaller for the positive label 'healthy' than for 'disease'; pass pos_label="
    ):
        compare_readers(table)
    areas = {label: compare_readers(table, pos_label=label).test.mean_auc for label in ("disease", "healthy")}
    assert areas["disease"] == pytest.approx(1 - areas["healthy"])
    assert (areas["disease"] > 0.5).all()
