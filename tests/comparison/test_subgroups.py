"""`compare(subgroup=)`: differences in subgroups of predictions and of questions, and their sentence."""

from __future__ import annotations

import json

import numpy as np
import pytest

from evalstats import compare, read_predictions, report, verify_report
from evalstats._errors import InvalidValueError
from evalstats.io import read_table
from evalstats.paired import delong_test, subgroup_test_from_estimates
from evalstats.tables.errors import TableError

# of each subgroup: the instances that only A, that only B, and that both predict correctly
WORKED = {"g1": (10, 2, 28), "g2": (6, 5, 19), "g3": (1, 6, 13)}
SITE = [name for name, counts in WORKED.items() for _ in range(sum(counts))]
RIGHT = {
    "A": [one for a, b, both in WORKED.values() for one in [1] * a + [0] * b + [1] * both],
    "B": [one for a, b, both in WORKED.values() for one in [0] * a + [1] * b + [1] * both],
}
ROWS = list(range(len(SITE)))


def long(**further: list) -> dict[str, list]:
    """Return a row for each answer of both classifiers."""
    return {
        "question_id": ROWS * 2,
        "model": ["A"] * len(ROWS) + ["B"] * len(ROWS),
        "correct": RIGHT["A"] + RIGHT["B"],
        **{name: values * 2 for name, values in further.items()},
    }


SOURCES = {
    "answers in one benchmark": (long(site=SITE), {}),
    "answers in a column for each model": ({"question_id": ROWS, "site": SITE, **RIGHT}, {}),
    "answers in benchmarks": (long(site=SITE, benchmark=["x", "y"] * 45), {"average": "micro"}),
    "answers in columns and benchmarks": (
        {"question_id": ROWS, "benchmark": ["x", "y"] * 45, "site": SITE, **RIGHT},
        {"average": "micro"},
    ),
    "predictions": (
        {
            "instance": ROWS * 2,
            "classifier": ["A"] * len(ROWS) + ["B"] * len(ROWS),
            "y_true": ["yes", "no"] * len(ROWS),
            "y_pred": [
                (("yes", "no") if is_right else ("no", "yes"))[i % 2]
                for i, is_right in enumerate(RIGHT["A"] + RIGHT["B"])
            ],
            "site": SITE * 2,
        },
        {},
    ),
}


@pytest.mark.parametrize("name", SOURCES)
def test_worked_example_is_the_same_in_each_layout(name) -> None:
    """Q of metafor, statsmodels and lm with HC0; the exact test of R's fisher.test; the crossover by its own sum."""
    source, options = SOURCES[name]
    found = compare(source, subgroup="site", **options).subgroups
    (pair,) = found.pairs

    assert (found.column, found.subgroups, found.n_instances) == ("site", ("g1", "g2", "g3"), (40, 30, 20))
    assert pair.test.difference == pytest.approx([0.2, 1 / 30, -0.25])
    assert pair.test.statistic == pytest.approx(9.74289689, abs=1e-8)
    assert pair.test.exact_pvalue == pytest.approx(0.0129212587, abs=1e-9)
    assert pair.crossover_pvalue == pytest.approx(0.0469610, abs=1e-6)


def test_columns_of_predictions_in_wide_layout_have_the_subgroups_of_their_rows() -> None:
    """The order of the rows has no effect."""
    rng = np.random.default_rng(1)
    wide = {"id": np.array(ROWS), "y_true": np.array(["yes", "no"] * 45), "site": np.array(SITE)}
    for name, right in RIGHT.items():
        wide[name] = np.where(np.array(right) == 1, wide["y_true"], np.where(wide["y_true"] == "yes", "no", "yes"))
    order = rng.permutation(len(ROWS))
    mixed = {name: values[order] for name, values in wide.items()}

    for source in (wide, mixed):
        (pair,) = compare(source, subgroup="site").subgroups.pairs
        assert pair.test.statistic == pytest.approx(9.74289689, abs=1e-8)


def three(n: int = 240) -> dict[str, np.ndarray]:
    """Return probabilities of three classifiers; C is worse in a, and better in b."""
    rng = np.random.default_rng(7)
    y, site = rng.integers(0, 2, n), np.array(["a", "b"] * (n // 2))
    strength = {"A": (1.0, 1.0), "B": (0.9, 1.0), "C": (0.1, 2.5)}
    shown = {name: y * np.where(site == "a", own[0], own[1]) + rng.normal(0, 0.7, n) for name, own in strength.items()}
    scores = {name: 1 / (1 + np.exp(-(values - 0.6))) for name, values in shown.items()}
    return {"id": np.arange(n), "site": site, "y_true": y, **scores}


def test_areas_under_curves_are_those_of_delong_in_each_subgroup() -> None:
    """The estimates and their test, at the level that Bonferroni's inequality gives each of three pairs."""
    data = three()
    found = compare(data, subgroup="site").subgroups
    pair = next(one for one in found.pairs if {one.first, one.second} == {"B", "C"})
    areas = [
        delong_test(*(data[name][data["site"] == site] for name in ("y_true", pair.first, pair.second)))
        for site in ("a", "b")
    ]
    expected = subgroup_test_from_estimates(
        [one.difference for one in areas], [one.standard_error for one in areas], confidence_level=1 - 0.05 / 3
    )

    assert pair.test.difference == pytest.approx(expected.difference)
    assert pair.test.lower == pytest.approx(expected.lower)
    assert pair.test.pvalue == pytest.approx(expected.pvalue)
    assert pair.pvalue >= pair.test.pvalue


def test_losses_are_better_if_lower() -> None:
    """The error rate gives the result of the accuracy."""
    accuracy, error = (
        compare(SOURCES["predictions"][0], metric=metric, subgroup="site").subgroups.pairs[0]
        for metric in ("accuracy", "error_rate")
    )

    assert (accuracy.first, accuracy.second) == (error.first, error.second)
    assert error.test.difference == pytest.approx(accuracy.test.difference)


def test_brier_score_in_subgroups_is_better_for_the_first() -> None:
    """A metric without a formula has bootstrap standard errors; its sign is that of the scores."""
    data = three()
    found = compare(data, subgroup="site", metric="brier", n_resamples=200).subgroups
    pair = found.pairs[0]
    means = {
        name: [float(((data[name] - data["y_true"])[data["site"] == site] ** 2).mean()) for site in ("a", "b")]
        for name in (pair.first, pair.second)
    }

    assert pair.test.difference == pytest.approx(np.subtract(means[pair.second], means[pair.first]))


def test_sentence_names_the_pairs_the_subgroups_and_the_limit() -> None:
    """One pair has its sentence, several pairs have theirs."""
    of_two = str(compare(SOURCES["predictions"][0], subgroup="site"))
    of_three = str(compare(three(), subgroup="site"))

    assert "is not the same in all subgroups of site (p = 0.0145), and its sign changes (p = 0.0470)" in of_two
    assert "A is shown to be better in g1." in of_two
    assert "the accuracy of A may be worse than the accuracy of B by up to 0.536" in of_two
    assert "The difference is shown to vary between the subgroups of site for 2 of 3 pairs" in of_three
    assert "C than A in a" in of_three


@pytest.mark.parametrize("render", [report.text, report.markdown, report.latex, report.html, report.json])
def test_section_is_in_each_format(render) -> None:
    """Text, Markdown, LaTeX, HTML and JSON contain the subgroups with their differences."""
    written = render(compare(SOURCES["predictions"][0], subgroup="site"))

    assert "g3" in written
    assert "subgroups of site" in written or json.loads(written)["comparison"]["subgroups"]["column"] == "site"


def test_report_of_questions_is_recomputed_with_its_subgroups(tmp_path) -> None:
    """The saved report contains the subgroup of each question."""
    saved = tmp_path / "report.json"
    saved.write_text(report.json(compare(SOURCES["answers in benchmarks"][0], subgroup="site", average="micro")))

    assert verify_report(saved).ok


def test_source_that_is_already_read_keeps_its_subgroups() -> None:
    """Predictions and tables that were read with the column can be compared in subgroups, also by fewer classifiers."""
    source = SOURCES["predictions"][0]
    predictions = read_predictions(source, columns={"subgroup": "site"})
    table = read_table(source, columns={"subgroup": "site"})

    for one in (predictions, predictions.select(["dataset"], ["B", "A"]), table):
        assert compare(one, subgroup="site").subgroups.pairs[0].test.statistic == pytest.approx(9.74289689, abs=1e-8)


def test_empty_names_are_a_subgroup() -> None:
    """An instance without a name is in the subgroup 'not given'."""
    site = [None if name == "g2" else name for name in SITE]
    found = compare(long(site=site), subgroup="site").subgroups

    assert found.subgroups == ("g1", "g3", "not given")
    assert found.n_instances == (40, 20, 30)


def test_subgroup_of_one_instance_is_shown_but_not_tested() -> None:
    """The report contains its difference and says that it is not tested."""
    comparison = compare(long(site=["solo", *SITE[1:]]), subgroup="site")
    (pair,) = comparison.subgroups.pairs
    at = pair.test.subgroups.index("solo")

    assert np.isnan(pair.test.lower[at])
    assert np.isnan(pair.subgroup_pvalue[at])
    assert "Subgroups of fewer than 5 instances or clusters are not tested: 'solo'." in report.text(comparison)


def test_classifiers_without_a_difference_are_not_tested() -> None:
    """Two equal columns of probabilities have no test, and the other pairs have one."""
    data = three()
    comparison = compare({**data, "copy": data["A"]}, subgroup="site")
    pair = next(one for one in comparison.subgroups.pairs if {one.first, one.second} == {"A", "copy"})

    assert np.isnan([pair.pvalue, pair.crossover_pvalue, pair.test.worst_lower, *pair.subgroup_pvalue]).all()
    assert pair.test.difference.tolist() == [0, 0]
    assert f"{pair.first} and {pair.second}: no test of the interaction." in report.text(comparison)
    assert sum(one.pvalue >= 0 for one in comparison.subgroups.pairs) == 5


def test_small_subgroup_has_an_area_but_no_limits() -> None:
    """A subgroup of four instances is shown."""
    data = three()
    site = data["site"].astype(object)
    site[[*np.flatnonzero(data["y_true"] == 1)[:2], *np.flatnonzero(data["y_true"] == 0)[:2]]] = "few"
    test = compare({**data, "site": site}, subgroup="site").subgroups.pairs[0].test
    at = test.subgroups.index("few")

    assert test.n_instances[at] == 4
    assert np.isnan(test.lower[at])
    assert np.isfinite(test.difference[at])
    assert "fewer than 5 instances or clusters are not tested: 'few'" in test.reason


def test_subgroup_with_one_class_has_no_area() -> None:
    """It is left out with its reason, and the others are compared."""
    data = three()
    site = data["site"].astype(object)
    site[data["y_true"] == 1] = np.where(site[data["y_true"] == 1] == "a", "a", "b")
    site[np.flatnonzero(data["y_true"] == 1)[:9]] = "ones"
    comparison = compare({**data, "site": site}, subgroup="site")

    assert comparison.subgroups.left_out == {"ones": "all of its instances have the same true label"}
    assert "ones is left out: all of its instances have the same true label." in report.text(comparison)


@pytest.mark.parametrize(
    ("source", "options", "words"),
    [
        (long(site=SITE), {"subgroup": "lab"}, "subgroup must name a column of"),
        (long(site=["g"] * 90), {"subgroup": "site"}, "a column of two or more subgroups, but 'site' holds one"),
        (long(site=SITE), {"subgroup": "site", "metric": ["accuracy", "error_rate"]}, "subgroup is for one metric"),
        ({"dataset": ["a", "b", "c"], "A": [0.1, 0.2, 0.3], "B": [0.2, 0.1, 0.5]}, {"subgroup": "dataset"}, "scores"),
        (
            read_table(long(site=SITE)),
            {"subgroup": "site"},
            "but the source was read without",
        ),
        (
            {**long(), "site": [*SITE, "other", *SITE[1:]]},
            {"subgroup": "site"},
            "in the subgroup 'other' here and in 'g1' elsewhere, but a question is in one subgroup",
        ),
        (
            {**SOURCES["predictions"][0], "site": [*SITE, "other", *SITE[1:]]},
            {"subgroup": "site"},
            "each instance must be in one subgroup, but an instance is in 'g1', 'other'",
        ),
    ],
)
def test_messages_name_the_column_and_the_fix(source, options, words) -> None:
    """One sentence for each column that holds no subgroups."""
    with pytest.raises((InvalidValueError, TableError), match=words):
        compare(source, **options)


def test_saved_subgroups_must_belong_to_the_questions() -> None:
    """A report whose numbers of subgroups are not those of names is rejected."""
    from evalstats.tables.categorical import subgroups_of

    told = {"column": "site", "names": ["a", "b"], "code": [0, 1, 1]}

    assert subgroups_of(told, 3).labels == ["a", "b", "b"]
    for wrong in ({**told, "code": [0, 1]}, {**told, "code": [0, 1, 2]}):
        with pytest.raises(InvalidValueError, match="each of its questions must have one of the named subgroups"):
            subgroups_of(wrong, 3)


AGE = [("young", "old")[i % 2] for i in ROWS]


@pytest.mark.parametrize("layout", ["long", "wide", "predictions"])
@pytest.mark.parametrize("asked", [["site", "age"], "site,age", "site, age"])
def test_subgroups_of_several_columns_are_the_combinations(layout, asked) -> None:
    """They are the subgroups of a column with both names; other columns have no effect."""
    both = [f"{site}, {age}" for site, age in zip(SITE, AGE, strict=True)]
    if layout == "wide":
        source = {"question_id": ROWS, "site": SITE, "age": AGE, **RIGHT}
        expected = compare({"question_id": ROWS, "both": both, **RIGHT}, subgroup="both").subgroups
    else:
        source = long() if layout == "long" else dict(SOURCES["predictions"][0])
        source.pop("site", None)
        expected = compare(source | {"both": both * 2}, subgroup="both").subgroups
        source |= {"site": SITE * 2, "age": AGE * 2}
    found = compare(source, subgroup=asked).subgroups

    assert found.column == "site, age"
    assert found.subgroups == expected.subgroups
    assert found.subgroups[:2] == ("g1, old", "g1, young")
    assert found.n_instances == expected.n_instances
    for name in ("difference", "lower", "upper", "pvalue"):
        np.testing.assert_array_equal(getattr(found.pairs[0].test, name), getattr(expected.pairs[0].test, name))


def test_combinations_of_numbers_in_a_wide_table_are_no_classifiers() -> None:
    """A column of subgroups with 0 and 1 is not a model."""
    source = {"question_id": ROWS, "site": SITE, "adult": [i % 2 for i in ROWS], **RIGHT}
    assert set(compare(source, subgroup="site,adult").table.classifiers) == {"A", "B"}


def test_odd_combinations() -> None:
    """Missing names, one instance, a column with a comma in its name, and faulty columns."""
    age = ["", *AGE[1:]]
    found = compare(long(site=SITE, age=age), subgroup=["site", "age"]).subgroups
    assert found.subgroups[0] == "g1, not given"
    assert found.n_instances[0] == 1
    assert "fewer than 5 instances or clusters are not tested: 'g1, not given'" in found.pairs[0].test.reason
    comma = compare(long(**{"site,age": SITE}), subgroup="site,age").subgroups
    assert (comma.column, comma.subgroups) == ("site,age", ("g1", "g2", "g3"))
    for asked, words in (
        ("site,site", "must name different columns"),
        ("site,sex", "not 'sex'"),
        (["site", 1], "must be text, not int"),
    ):
        with pytest.raises((InvalidValueError, TableError, TypeError), match=words):
            compare(long(site=SITE, age=AGE), subgroup=asked)


def test_combinations_of_a_table_that_was_read_and_of_a_saved_report(tmp_path) -> None:
    """Spaces after the comma have no effect, and the report is verified."""
    table = read_table(long(site=SITE, age=AGE), columns={"subgroup": "site,age"})
    comparison = compare(table, subgroup="site,age")
    assert comparison.subgroups.column == "site, age"
    assert "g1, old" in report.text(comparison)
    saved = tmp_path / "report.json"
    saved.write_text(report.json(comparison))
    assert verify_report(saved).ok
