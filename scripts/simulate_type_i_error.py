"""Simulate the type-I error rate of each test for one dataset.

python scripts/simulate_type_i_error.py --experiments 1000 --out run.jsonl --jobs 2

Each experiment draws a dataset on which two classifiers have the same expected accuracy. It trains and tests both on
the same real splits, and applies every test. The counts are appended to the file in chunks, so an interrupted run can
be resumed and a finished run can be extended. ``--table FILE`` writes the rejection rates as CSV.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import platform
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
from generated_tables import write_rows

import evalstats as ev
from evalstats.metrics import proportion_interval

ALPHAS = (0.01, 0.05, 0.10)
SEED = 1998

N_CASES, N_TRAIN, N_TEST = 300, 200, 100  # size of the hold-out set and of each random resample
N_RESAMPLES, N_RUNS, N_FOLDS = 30, 10, 10
N_FEATURES = 5  # of each half
SHIFT = 0.8  # distance between the classes, in standard deviations of a feature
SHARED = 0.5  # correlation of the halves, so a hard instance is hard for both classifiers
N_PERMUTATIONS = 999  # also of the bootstrap; 1,000 times any alpha is an integer


# --- classifiers: scores of all splits at once; the predicted label is 1 if the score is above 0 ---


@dataclass(frozen=True)
class Splits:
    """Splits of one dataset, and the pairs of a split and one of its test instances."""

    is_train: np.ndarray  # (n_splits, n_instances)
    split: np.ndarray
    case: np.ndarray


def naive_bayes(features: np.ndarray, labels: np.ndarray, splits: Splits) -> np.ndarray:
    """Return the log odds of label 1, as scikit-learn's GaussianNB."""
    weights = splits.is_train.astype(float)
    smoothing = 1e-9 * np.array([features[train].var(axis=0).max() for train in splits.is_train])
    joint = []
    for label in (0, 1):
        of_class = weights * (labels == label)
        n = of_class.sum(axis=1, keepdims=True)
        mean = of_class @ features / n
        variance = of_class @ features**2 / n - mean**2 + smoothing[:, None]
        constant = np.log(n[:, 0]) - 0.5 * np.log(variance).sum(axis=1)
        distance = (features[splits.case] - mean[splits.split]) ** 2 / variance[splits.split]
        joint.append(constant[splits.split] - 0.5 * distance.sum(axis=1))
    return joint[1] - joint[0]


def nearest_neighbour(features: np.ndarray, labels: np.ndarray, splits: Splits) -> np.ndarray:
    """Return 1 if the nearest training instance has label 1, else -1, as scikit-learn's KNeighborsClassifier(1)."""
    distance = ((features[:, None, :] - features[None, :, :]) ** 2).sum(axis=2)
    order = distance.argsort(axis=1)
    nearest = splits.is_train[splits.split[:, None], order[splits.case]].argmax(axis=1)
    return np.where(labels[order[splits.case, nearest]] == 1, 1.0, -1.0)


# --- null settings: two classifiers and their features, with equal expected accuracy ---

Learner = Callable[[np.ndarray, np.ndarray, Splits], np.ndarray]
Dataset = tuple[np.ndarray, np.ndarray, np.ndarray]


def noise_labels(rng: np.random.Generator) -> Dataset:
    """Draw labels that are independent of the features. Each classifier has an expected accuracy of one half."""
    labels = rng.integers(0, 2, N_CASES)
    features = rng.normal(size=(N_CASES, 2 * N_FEATURES))
    return features, features, labels


def equal_halves(rng: np.random.Generator) -> Dataset:
    """Draw a problem that both halves of the features predict equally well."""
    labels = rng.integers(0, 2, N_CASES)
    own, shared = rng.normal(size=(2, N_CASES, N_FEATURES)), rng.normal(size=(N_CASES, 1))
    halves = own + SHARED * shared + SHIFT * labels[:, None]
    return halves[0], halves[1], labels


@dataclass(frozen=True)
class Setting:
    """A setting in which the null hypothesis is true."""

    draw: Callable[[np.random.Generator], Dataset]
    x: Learner
    y: Learner


SETTINGS = {
    "noise labels: naive Bayes, nearest neighbour": Setting(noise_labels, naive_bayes, nearest_neighbour),
    "equal halves: naive Bayes": Setting(equal_halves, naive_bayes, naive_bayes),
    "equal halves: nearest neighbour": Setting(equal_halves, nearest_neighbour, nearest_neighbour),
}


# --- one experiment: the accuracies in all folds, and the predictions of one test set ---

SCHEMES = {"30 resamples": (30,), "10 folds": (10,), "10 x 10 folds": (10, 10), "5 x 2 folds": (5, 2)}


def draw_splits(rng: np.random.Generator) -> Splits:
    """Draw 30 random splits, 10 repeats of 10 folds and 5 repeats of 2 folds, without stratification."""
    places = np.arange(N_CASES)

    def shuffled(n: int) -> np.ndarray:
        return rng.permuted(np.tile(places, (n, 1)), axis=1)

    resamples = shuffled(N_RESAMPLES) < N_TRAIN
    fold_of = [shuffled(runs) % folds for runs, folds in ((N_RUNS, N_FOLDS), (5, 2))]
    folds = [
        (number[:, None, :] != np.arange(n)[:, None]).reshape(-1, N_CASES)
        for number, n in zip(fold_of, (N_FOLDS, 2), strict=True)
    ]
    is_train = np.concatenate([resamples, *folds])
    return Splits(is_train, *np.nonzero(~is_train))


@dataclass(frozen=True)
class Outcome:
    """Results of two classifiers in one experiment. The leading axis of a batch is the experiment."""

    accuracies: dict[str, np.ndarray]  # of shape (2, *scheme)
    scores: np.ndarray  # (2, n_test), of the hold-out set
    labels: np.ndarray  # (n_test,)


def experiment(setting: Setting, rng: np.random.Generator) -> Outcome:
    """Draw a dataset, and train and test both classifiers on all splits."""
    features_x, features_y, labels = setting.draw(rng)
    splits = draw_splits(rng)
    scores = np.stack([setting.x(features_x, labels, splits), setting.y(features_y, labels, splits)])

    is_right = (scores > 0) == (labels[splits.case] == 1)
    n_splits, n_test = len(splits.is_train), (~splits.is_train).sum(axis=1)
    accuracy = np.stack([np.bincount(splits.split, right, n_splits) for right in is_right]) / n_test
    resamples, folds, halves = np.split(accuracy, [N_RESAMPLES, N_RESAMPLES + N_RUNS * N_FOLDS], axis=1)
    shaped = folds.reshape(2, N_RUNS, N_FOLDS)
    accuracies = (resamples, shaped[:, 0], shaped, halves.reshape(2, 5, 2))
    is_held_out = splits.split == 0
    return Outcome(
        dict(zip(SCHEMES, accuracies, strict=True)), scores[:, is_held_out], labels[splits.case[is_held_out]]
    )


# --- the tests: names and p-values of a chunk of experiments ---


def fold_tests(accuracies: dict[str, np.ndarray]) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield test, scores and p-values of the tests of fold scores, of arrays of shape (n, 2, ...)."""
    sizes = {"30 resamples": (N_TRAIN, N_TEST), "10 folds": (9, 1), "10 x 10 folds": (9, 1)}
    for scheme, (n_train, n_test) in sizes.items():
        x, y = (values.reshape(len(values), -1) for values in np.moveaxis(accuracies[scheme], 1, 0))
        yield "naive_resampled_ttest", scheme, ev.paired.naive_resampled_ttest(x, y).pvalue
        yield "corrected_ttest", scheme, ev.corrected_ttest(x, y, n_train=n_train, n_test=n_test).pvalue
        for test in (ev.permutation_test, ev.wilcoxon_test, ev.sign_test):
            if scheme != "10 x 10 folds":
                yield test.__name__, scheme, test(x, y).pvalue
    x, y = np.moveaxis(accuracies["10 x 10 folds"], 1, 0)
    yield "ttest_10x10", "10 x 10 folds", ev.paired.ttest_10x10(x, y).pvalue
    for use in ("folds", "runs", "sorted-runs"):
        yield f"ttest_10x10, {use}, df=9", "10 x 10 folds", ev.paired.ttest_10x10(x, y, averaging=use, df=9).pvalue
    x, y = np.moveaxis(accuracies["5 x 2 folds"], 1, 0)
    yield "ttest_5x2cv", "5 x 2 folds", ev.ttest_5x2cv(x, y).pvalue
    yield "ftest_5x2cv", "5 x 2 folds", ev.ftest_5x2cv(x, y).pvalue


def test_set_tests(
    scores: np.ndarray, labels: np.ndarray, generators: list[np.random.Generator]
) -> Iterator[tuple[str, Any]]:
    """Yield test and p-values of the tests of one test set, of scores (n, 2, n_test) and labels (n, n_test)."""
    predicted = (scores > 0).astype(int)
    right_x, right_y = np.moveaxis(predicted == labels[:, None], 1, 0)
    yield "mcnemar_test, exact", ev.mcnemar_test(right_x, right_y).pvalue
    yield "mcnemar_test, midp", ev.mcnemar_test(right_x, right_y, method="midp").pvalue
    for correction, words in ((True, "corrected"), (False, "uncorrected")):
        result = ev.mcnemar_test(right_x, right_y, method="asymptotic", correction=correction)
        yield f"mcnemar_test, asymptotic {words}", result.pvalue
    yield "delong_test", ev.delong_test(labels, *np.moveaxis(scores, 1, 0), df="infinite").pvalue
    for metric in ("balanced_accuracy", "f1"):
        for test in (ev.paired.metric_permutation_test, ev.paired.metric_bootstrap_test):
            pvalues = [
                test(true, x, y, metric=metric, n_resamples=N_PERMUTATIONS, rng=rng).pvalue
                for true, (x, y), rng in zip(labels, predicted, generators, strict=True)
            ]
            yield f"{test.__name__}, {metric}", np.array(pvalues)


def chunk(task: tuple[int, str, int, int]) -> dict[str, Any]:
    """Count the rejections in n experiments of a setting, starting at the index `first`.

    Each experiment has its own seed, as from SeedSequence(seed).spawn(), so the sizes of chunks do not matter.
    """
    seed, name, first, n = task
    place = list(SETTINGS).index(name)
    seeds = [np.random.SeedSequence(seed, spawn_key=(place, i)) for i in range(first, first + n)]
    generators = [np.random.default_rng(s) for s in seeds]

    outcomes = [experiment(SETTINGS[name], rng) for rng in generators]
    accuracies = {scheme: np.stack([o.accuracies[scheme] for o in outcomes]) for scheme in SCHEMES}
    scores, labels = np.stack([o.scores for o in outcomes]), np.stack([o.labels for o in outcomes])
    on_test_set = ((test, "test set", p) for test, p in test_set_tests(scores, labels, generators))
    rejections = [
        [test, scheme, [int(np.sum(p <= alpha)) for alpha in ALPHAS]]
        for test, scheme, p in (*fold_tests(accuracies), *on_test_set)
    ]
    return {"setting": name, "first": first, "n": n, "rejections": rejections}


# --- the run: a file of one line about the run and one line for each chunk ---


def conditions(seed: int) -> dict[str, Any]:
    """Return the conditions that all chunks of one file must have in common."""
    return {
        "seed": seed,
        "evalstats": ev.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def read_run(out: Path, seed: int) -> list[dict[str, Any]]:
    """Return the chunks of a file and remove an incomplete last line. Create the file if it does not exist."""
    wanted = conditions(seed)
    header = json.dumps(wanted) + "\n"
    text = out.read_text(encoding="utf-8") if out.exists() else ""
    if header.startswith(text):
        out.write_text(header, encoding="utf-8")
        return []
    whole = text[: text.rfind("\n") + 1]
    try:
        begun, *chunks = (json.loads(line) for line in whole.splitlines())
        differs = [name for name in wanted if begun.get(name) != wanted[name]]
    except (ValueError, AttributeError):
        message = f"{out} is not a run of this script; give another file to --out"
        raise click.ClickException(message) from None
    for name in differs:
        message = f"{out} was begun with {name} {begun.get(name)}, not {wanted[name]}; give another file to --out"
        raise click.ClickException(message)
    os.truncate(out, len(whole.encode()))
    return chunks


def tasks(chunks: list[dict[str, Any]], n_experiments: int, seed: int, size: int) -> list[tuple[int, str, int, int]]:
    """Return the remaining chunks."""
    left = []
    for name in SETTINGS:
        done = sum(c["n"] for c in chunks if c["setting"] == name)
        left += [(seed, name, i, min(size, n_experiments - i)) for i in range(done, n_experiments, size)]
    return left


def run(out: Path, n_experiments: int, seed: int, jobs: int, size: int) -> list[dict[str, Any]]:
    """Run the remaining experiments, and return all chunks."""
    chunks = read_run(out, seed)
    left = tasks(chunks, n_experiments, seed, size)
    bar = click.progressbar(length=sum(n for *_, n in left), label="experiments", file=sys.stderr)
    with workers(jobs) as each, out.open("a", encoding="utf-8") as file, bar:
        for done in each(chunk, left):
            file.write(json.dumps(done) + "\n")
            file.flush()
            chunks.append(done)
            bar.update(done["n"])
    return chunks


@contextmanager
def workers(jobs: int) -> Iterator[Callable[..., Any]]:
    """Yield a map function that keeps the order, with the given number of processes."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small, so threads would be slower
    with multiprocessing.get_context("spawn").Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield pool.imap


def table(chunks: list[dict[str, Any]], seed: int) -> list[dict[str, Any]]:
    """Return the rejection rate of each test at each level, with the 95% interval of its simulation error (Wilson)."""
    rows = []
    for setting in SETTINGS:
        of_setting = [c for c in chunks if c["setting"] == setting]
        n = sum(c["n"] for c in of_setting)
        for of_test in zip(*(c["rejections"] for c in of_setting), strict=True):
            test, scheme, _ = of_test[0]
            for place, alpha in enumerate(ALPHAS):
                rejections = sum(counts[place] for *_, counts in of_test)
                low, high = proportion_interval(rejections, n)
                rates = zip(("rate", "low", "high"), (rejections / n, low, high), strict=True)
                row = {"setting": setting, "test": test, "scores": scheme, "alpha": alpha}
                row |= {"n_experiments": n, "n_rejections": rejections}
                rows.append(row | {name: round(value, 5) for name, value in rates} | conditions(seed))
    return rows


@click.command(help=__doc__)
@click.option("--experiments", default=1000, show_default=True, type=click.IntRange(min=1), help="For each setting.")
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The run, to go on with.")
@click.option("--table", "table_file", type=click.Path(path_type=Path, dir_okay=False), help="CSV of the rates.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(min=1), help="Processes.")
@click.option("--chunk", "size", default=50, show_default=True, type=click.IntRange(min=1), help="Between two writes.")
@click.option("--seed", default=SEED, show_default=True, type=click.IntRange(min=0))
def main(experiments: int, out: Path, table_file: Path | None, jobs: int, size: int, seed: int) -> None:
    """Run the remaining experiments and show the rates at level .05."""
    started = time.monotonic()
    rows = table(run(out, experiments, seed, jobs, size), seed)
    click.echo(f"{time.monotonic() - started:.0f} s", err=True)
    if table_file is not None:
        write_rows(table_file, rows, seed)
    for setting in SETTINGS:
        click.echo(f"\n{setting}, level .05")
        for row in rows:
            if row["setting"] == setting and row["alpha"] == 0.05:
                click.echo(
                    f"  {row['scores']:14} {row['test']:42} {row['rate']:.3f} ({row['low']:.3f} to {row['high']:.3f})"
                )


if __name__ == "__main__":
    main()
