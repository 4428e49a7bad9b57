"""Box and violin plots of folds and repeats."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from evalstats import compare, example_table, read_table
from evalstats.plot import fold_distributions

NAMES = ("NB", "$x_1$", "SVM", "network-" * 8)


def folds(n_repeats: int = 2, n_folds: int = 5, datasets: tuple[str, ...] = ("iris",), scores: object = None) -> object:
    values = np.random.default_rng(7).normal([0.8, 0.81, 0.85, 0.7], 0.015, (len(datasets), n_repeats, n_folds, 4))
    values = values if scores is None else np.broadcast_to(scores, values.shape)
    rows = [
        (dataset, NAMES[j], r, f, values[d, r, f, j])
        for d, dataset in enumerate(datasets)
        for r in range(n_repeats)
        for f in range(n_folds)
        for j in range(4)
    ]
    columns = ("dataset", "classifier", "repeat", "fold", "accuracy")
    return read_table(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)))


def caption(ax: object) -> str:
    return ax.get_xlabel().replace("\n", " ")


def drawn(ax: object, label: str) -> list[list[float]]:
    return [line.get_xdata().tolist() for line in ax.lines if line.get_label() == label]


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["box", "violin"])
@pytest.mark.parametrize("unit", ["folds", "repeats"])
def test_new_figure_is_legible(kind: str, unit: str, assert_legible) -> None:
    assert_legible(fold_distributions(folds(), kind=kind, unit=unit, title="A title of the picture"))


@pytest.mark.parametrize("kind", ["box", "violin"])
def test_scores_without_spread_are_drawn(kind: str, assert_legible) -> None:
    assert_legible(fold_distributions(folds(scores=0.5), kind=kind))


@pytest.mark.parametrize("kind", ["box", "violin"])
def test_single_fold_is_drawn(kind: str, assert_legible) -> None:
    assert_legible(fold_distributions(folds(n_folds=1, n_repeats=1), kind=kind))


def test_comparison_is_legible_in_given_axes(of_folds, assert_legible) -> None:
    assert_legible(fold_distributions(of_folds, Figure(figsize=(6, 4), layout="constrained").add_subplot()))


def test_dots_are_the_folds_and_diamonds_their_means() -> None:
    table = folds()
    ax = fold_distributions(table)

    values = table.folds[0].scores.reshape(10, 4)
    order = np.argsort(-values.mean(axis=0))
    assert drawn(ax, "_values") == values.T[order].tolist()
    assert drawn(ax, "_mean") == [[pytest.approx(mean)] for mean in values.mean(axis=0)[order]]
    assert ax.get_yticklabels()[0].get_text() == table.classifiers[order[0]]


def test_repeats_are_the_runs_of_the_table() -> None:
    table = folds()
    ax = fold_distributions(table, unit="repeats")

    assert sorted(map(sorted, drawn(ax, "_values"))) == sorted(map(sorted, table.runs[0].scores.T.tolist()))
    assert "in 2 repeats of iris" in caption(ax)


def test_box_is_that_of_the_quartiles() -> None:
    ax = fold_distributions(folds())

    values = np.array(drawn(ax, "_values")[0])
    box = ax.lines[0].get_xdata()
    assert [box.min(), box.max()] == pytest.approx(np.quantile(values, [0.25, 0.75]))


def test_dataset_is_chosen() -> None:
    table = folds(datasets=("glass", "iris"))
    ax = fold_distributions(table, dataset="iris")

    shown = sorted(v for values in drawn(ax, "_values") for v in values)
    assert shown == sorted(table.folds[1].scores.ravel().tolist())
    assert "5 folds of each of 2 repeats of iris" in caption(ax)


def test_spread_is_called_no_interval() -> None:
    assert "their spread is not a confidence interval" in caption(fold_distributions(folds()))


class TestMessages:
    def test_no_folds(self) -> None:
        with pytest.raises(ValueError, match="data must hold the scores of folds; read_table keeps the folds"):
            fold_distributions(compare(example_table("demsar-2006")))

    def test_which_dataset(self) -> None:
        with pytest.raises(ValueError, match="dataset must name one of 'glass', 'iris', whose folds are drawn"):
            fold_distributions(folds(datasets=("glass", "iris")))

    def test_unknown_dataset(self) -> None:
        with pytest.raises(ValueError, match="dataset must be one of 'iris', not 'wine'"):
            fold_distributions(folds(), dataset="wine")

    def test_kind(self) -> None:
        with pytest.raises(ValueError, match="kind must be 'box' or 'violin', not 'bee'"):
            fold_distributions(folds(), kind="bee")

    def test_axes_too_small(self) -> None:
        with pytest.raises(ValueError, match="ax must have space for 4 classifiers; enlarge it, plot fewer"):
            fold_distributions(folds(), Figure(figsize=(4, 0.3)).add_subplot())
