"""`compare_judged`: models by an LLM judge and a few human labels, from the file to the report."""

from __future__ import annotations

import math

import numpy as np
import pytest
from click.testing import CliRunner

from evalstats import report
from evalstats.cli import cli
from evalstats.comparison import compare_judged
from evalstats.metrics import ppi_mean, ppi_score
from evalstats.paired import ppi_ttest

N, N_LABELED = 80, 24
rng = np.random.default_rng(7)
TRUE = (rng.random((3, N)) < np.array([[0.8], [0.5], [0.45]])).astype(float)
JUDGE = np.where(rng.random((3, N)) < 0.85, TRUE, 1.0)
HUMAN = np.where(np.arange(N) < N_LABELED, TRUE, np.nan)
PASSAGE = [f"p{i // 4}" for i in range(N)]
COLUMNS = {"human": "people", "judge": "grade"}


def rows(n_models: int = 3) -> dict[str, list]:
    """Return a row for each model and question."""
    return {
        "model": [name for name in "ABC"[:n_models] for _ in range(N)],
        "question": [*range(N)] * n_models,
        "passage": PASSAGE * n_models,
        "people": HUMAN[:n_models].ravel().tolist(),
        "grade": JUDGE[:n_models].ravel().tolist(),
    }


def csv_of(table: dict[str, list]) -> str:
    """Return the rows as CSV, with an empty cell for nan."""
    lines = [",".join(table)]
    for row in zip(*table.values(), strict=True):
        lines.append(",".join("" if isinstance(one, float) and math.isnan(one) else str(one) for one in row))
    return "\n".join(lines)


@pytest.mark.parametrize("cluster", [None, "passage"])
def test_numbers_are_those_of_the_functions(cluster) -> None:
    """Means, intervals and tests; the p-values are adjusted by Holm's method."""
    found = compare_judged(rows(), **COLUMNS, cluster=cluster)
    groups = PASSAGE if cluster else None
    for i, one in enumerate(found.means):
        expected = ppi_mean(HUMAN[i], JUDGE[i], clusters=groups)
        assert (one.estimate, one.standard_error) == (expected.estimate, expected.standard_error)
        assert tuple(one.confidence_interval())[:2] == tuple(expected.confidence_interval())[:2]
    pvalues = []
    for pair, (i, j) in zip(found.pairs, ((0, 1), (0, 2), (1, 2)), strict=True):
        expected = ppi_ttest(HUMAN[i], HUMAN[j], JUDGE[i], JUDGE[j], clusters=groups)
        assert (pair.test.mean_difference, pair.test.pvalue) == (expected.mean_difference, expected.pvalue)
        pvalues.append(float(expected.pvalue))
    assert found.pairs[int(np.argmin(pvalues))].pvalue == pytest.approx(3 * min(pvalues))
    single = compare_judged(rows(), **COLUMNS, cluster=cluster, adjust="none")
    assert [one.pvalue for one in single.pairs] == pvalues


def test_order_of_the_rows_has_no_effect() -> None:
    table, order = rows(), np.random.default_rng(1).permutation(3 * N)
    shuffled = {name: [cells[i] for i in order] for name, cells in table.items()}
    one, other = (compare_judged(source, **COLUMNS, cluster="passage") for source in (table, shuffled))
    by_name = {name: float(mean.estimate) for name, mean in zip(other.models, other.means, strict=True)}
    assert [by_name[name] for name in one.models] == pytest.approx([float(mean.estimate) for mean in one.means])


@pytest.mark.parametrize("n_models", [1, 2, 3])
@pytest.mark.parametrize("style", ["text", "markdown", "latex", "html", "json"])
def test_command_prints_the_report_of_the_function(tmp_path, n_models, style) -> None:
    """The report has the estimate of each model in every format."""
    path = tmp_path / "answers.csv"
    path.write_text(csv_of(rows(n_models)))
    asked = ["judge", str(path), "--human", "people", "--judge", "grade", "--cluster", "passage", "--format", style]
    result = CliRunner().invoke(cli, asked, catch_exceptions=False)
    assert result.exit_code == 0
    found = compare_judged(path, **COLUMNS, cluster="passage")
    assert result.output.strip() == getattr(report, style)(found).strip()
    if style != "json":
        assert all(f"{float(one.estimate):.3f}" in result.output for one in found.means)


def changed(**columns: list) -> dict[str, list]:
    return rows(2) | columns


NO_LABEL = [math.nan] * (2 * N)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (changed(people=NO_LABEL), "human must have a label for at least one instance"),
        (changed(people=HUMAN[0].tolist() + [math.nan] * N), "'0' has a human score for only some of the models"),
        (changed(grade=[math.nan, *rows(2)["grade"][1:]]), "the judge must score each instance of each model"),
        (changed(question=[0, 0, *rows(2)["question"][2:]]), "'0' of 'A' occurs twice"),
        (changed(passage=["x", *rows(2)["passage"][1:]]), "'0' is in two clusters"),
        ({name: cells for name, cells in rows(2).items() if name != "people"}, "human must name a column"),
    ],
)
def test_odd_input_is_one_sentence(table, words) -> None:
    with pytest.raises(ValueError, match=words):
        compare_judged(table, **COLUMNS, cluster="passage")


def test_one_cluster_has_no_interval_and_says_why() -> None:
    found = compare_judged(changed(passage=["p"] * (2 * N)), **COLUMNS, cluster="passage")
    told = " ".join(report.text(found).split())
    assert math.isnan(found.pairs[0].pvalue)
    assert "in a single cluster" in told
    assert "undefined" in told


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--human", "people"], "--human needs one FILE and --judge COLUMN"),
        (["--human", "people", "--judge", "grade", "--epsilon", "0.1"], "--epsilon"),
        (["--judge", "grade", "--cluster", "passage"], "--cluster"),
    ],
)
def test_options_that_do_not_belong_together(tmp_path, options, words) -> None:
    path = tmp_path / "answers.csv"
    path.write_text(csv_of(rows(2)))
    result = CliRunner().invoke(cli, ["judge", str(path), *options])
    assert result.exit_code == 2
    assert words in result.output


PREDICTED = np.where(rng.random((3, N)) < 0.9, TRUE, 1 - TRUE)
SCORE = np.round(0.3 * PREDICTED + rng.random((3, N)), 3)


def predictions(n_models: int = 2) -> dict[str, list]:
    """Return the rows with the predicted label and the score of each model."""
    own = {"answer": PREDICTED[:n_models].ravel().tolist(), "score": SCORE[:n_models].ravel().tolist()}
    return rows(n_models) | own


@pytest.mark.parametrize(
    ("column", "metric", "values"),
    [("answer", None, PREDICTED), ("answer", "f1", PREDICTED), ("score", "roc_auc", SCORE)],
)
def test_metric_of_predictions_is_that_of_the_function(column, metric, values) -> None:
    """Each model has its own estimate, and no pair is tested."""
    found = compare_judged(predictions(), **COLUMNS, prediction=column, metric=metric)

    assert found.pairs == ()
    assert found.metric == (metric or "f1")
    for i, one in enumerate(found.means):
        expected = ppi_score(HUMAN[i], JUDGE[i], values[i], metric=metric or "f1")
        assert (one.estimate, one.standard_error) == (expected.estimate, expected.standard_error)
        assert f"{'AB'[i]} {one.estimate:.3f}" in report.sentence(found)


def test_command_saves_and_verifies_a_metric_of_predictions(tmp_path) -> None:
    path, saved = tmp_path / "answers.csv", tmp_path / "report.json"
    path.write_text(csv_of(predictions()))
    options = ["--human", "people", "--judge", "grade", "--prediction", "score", "--metric", "roc_auc"]
    result = CliRunner().invoke(cli, ["judge", str(path), *options, "--format", "json"])
    saved.write_text(result.output)
    found = compare_judged(predictions(), **COLUMNS, prediction="score", metric="roc_auc")

    assert CliRunner().invoke(cli, ["verify", str(saved), "--data", str(path)]).exit_code == 0
    text = CliRunner().invoke(cli, ["judge", str(path), *options])
    assert text.output.strip() == report.text(found).strip()


def test_file_without_a_column_of_models_is_about_one_model() -> None:
    table = {name: cells for name, cells in predictions(1).items() if name != "model"}
    (one,) = compare_judged(table, **COLUMNS, prediction="answer").means

    assert one.estimate == ppi_score(HUMAN[0], JUDGE[0], PREDICTED[0]).estimate


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"metric": "f1"}, "metric='f1' requires prediction="),
        ({"prediction": "answer", "cluster": "passage"}, "cluster must be left out with prediction"),
        ({"prediction": "answer", "metric": "accuracy"}, "metric must be 'f1' or 'roc_auc'"),
        ({"prediction": "score"}, "for scores, use metric='roc_auc'"),
        ({"prediction": "missing"}, "prediction must name a column"),
        ({"prediction": "empty"}, "has no prediction"),
    ],
)
def test_odd_predictions_are_one_sentence(options, words) -> None:
    table = predictions() | {"empty": [math.nan, *predictions()["answer"][1:]]}

    with pytest.raises(ValueError, match=words):
        compare_judged(table, **COLUMNS, **options)


def test_verdict_names_the_higher_model_of_each_pair() -> None:
    assert report.sentence(compare_judged(rows(), **COLUMNS)) == (
        "Humans are shown to score 2 of 3 pairs differently (adjusted by Holm's method): A above B and A above C."
    )
    assert report.sentence(compare_judged(rows(), **COLUMNS, adjust="none", alpha=1e-9)) == (
        "Humans are not shown to score any of 3 pairs differently (not adjusted)."
    )
