"""Runs of classifiers on datasets, repeated on the same splits with recorded seeds.

A study can be interrupted at any time and resumed later. Its numbers do not depend on the machine or the order in which
its runs were computed.
"""

from __future__ import annotations

__all__ = ["StudyResult", "StudyStorageError", "read_study", "run_study"]

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from itertools import combinations, islice
from pickle import PicklingError
from typing import Any, Self

import numpy as np

from evalstats import _checks
from evalstats._errors import EvalstatsError, EvalstatsWarning, InvalidValueError, short
from evalstats._types import AnyArray, Progress
from evalstats.study.plan import Plan, description_of, made_with, plan_of
from evalstats.study.result import NEED_APPARENT, StudyResult, result_of
from evalstats.study.single_run import Data, Notes, Protocol, Repeat, run_repeat
from evalstats.study.store import DirectoryStore, Key, MemoryStore, StudyStorageError, manifest_in, scores_of_cases

Store = MemoryStore | DirectoryStore
Subject = tuple[str, ...]  # a dataset, and one classifier or two


def run_study(
    classifiers: Mapping[str, Any],
    datasets: Mapping[str, Any],
    *,
    scheme: str = "k-fold",
    n_folds: int | None = None,
    n_repeats: int | None = None,
    splits: Any = None,
    test_size: float = 0.25,
    stratify: bool = True,
    metric: Any = "accuracy",
    pos_label: Any = None,
    stopping_rule: Any = None,
    predictions: bool = False,
    rng: Any = None,
    directory: Any = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> StudyResult:
    """Run classifiers on datasets repeatedly, on the same splits, and record every score.

    Parameters
    ----------
    classifiers : dict of str to estimator
        Classifiers of scikit-learn, or any objects with ``fit``, ``predict`` and ``get_params``. The function clones
        these objects and replaces every ``random_state`` in them by the seed of the run.
    datasets : dict of str to (X, y)
        Instances (an array, a data frame, a sparse matrix or a list) and their labels.
    scheme : {'k-fold', '5x2', 'leave-one-out', 'hold-out', 'e0', '.632', '.632+', ...}, default: 'k-fold'
        ``'k-fold'``: cross-validation, repeated with new splits. ``'5x2'``: five times two folds. ``'leave-one-out'``:
        each test set is one instance. ``'hold-out'``: one random test set in each repeat. ``'e0'``: train on a
        bootstrap sample, and test on the instances that are not in the sample. ``'.632'`` and ``'.632+'`` combine this
        score with the score on the training data. ``'temporal'``: the instances are in chronological order, and each
        block is tested after training on all earlier blocks. ``'precomputed'``: the given `splits`.
    n_folds : int, optional
        Number of folds of each repeat. Default: 10. With `splits`, it is the number of splits in one repeat, by default
        all splits.
    n_repeats : int, optional
        Number of repeats. Default: 10 for ``'k-fold'``, 100 for ``'hold-out'`` and the bootstrap, and 1 for fixed
        splits, for which only the seeds of the classifiers vary. With `stopping_rule`, it is the maximum number, by
        default 500.
    splits : iterable of (train, test), or dict of str to such iterables, optional
        Row numbers of the training and the test instances of each fold, for all datasets together or for each dataset.
    test_size : float, default: 0.25
        Proportion of the test set of ``'hold-out'``.
    stratify : bool, default: True
        Whether to stratify the folds, or the test set of ``'hold-out'``, by class.
    metric : str or callable, default: 'accuracy'
        Name of a metric in `evalstats.metrics.METRICS`, some of which accept the suffix ``_macro``, ``_micro`` or
        ``_weighted``. Alternatively, a callable ``(estimator, X, y)``, such as the scorers of scikit-learn.
    pos_label : label or dict of str to label, optional
        The positive label of datasets with two labels, for metrics that need one. Default: 1 or True, if it occurs;
        otherwise the greater label.
    stopping_rule : rule, optional
        A stopping rule. Each classifier on each dataset (with `AnytimeValid`, each pair of classifiers) has its own
        copy of the rule. The runs of a dataset are repeated until all its rules have stopped, so runs are paired. The
        rules of a classifier that failed are ignored.
    predictions : bool, default: False
        Whether to save the predictions of every instance as well.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means a new seed, or the seed of the study in `directory`. An integer is used
        as the seed. A Generator is used directly.
    directory : path, optional
        Directory to which each repeat is written as soon as it is finished. The same call resumes an interrupted study.
        This argument needs pyarrow.
    n_jobs : int, optional
        Number of worker processes. The number -1 uses all processors. Default: the setting of
        ``joblib.parallel_config``, or 1.
    progress : callable, optional
        Function that is called as ``progress(done, total, name)`` after each repeat of a classifier on a dataset.

    Returns
    -------
    StudyResult
        A failed run gives a row with the score nan and the reason; the other runs continue. After an interrupt
        (Ctrl-C), the result contains the finished runs, and `complete` is False.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If an argument has an invalid value, or if `directory` contains a different study. The message states the
        difference.
    EvalstatsError
        If a worker process crashed (the message names its task), or if joblib, scikit-learn or pyarrow is not
        installed.
    StudyStorageError
        If the directory cannot be written, for example because the disk is full. This error is also an OSError.

    Warns
    -----
    EvalstatsWarning
        If a class has fewer instances than there are folds, so some folds lack the class. If runs failed, or the study
        was interrupted.

    Notes
    -----
    Seeds are derived from the seed of the study, the names of the dataset and the classifier, the repeat and the fold.
    The numbers do not depend on the backend of joblib, the number of workers or the order in which they finish. They do
    not change if you add a classifier to the study. The only exceptions are classifiers that draw random numbers
    without a ``random_state``.

    A score of ``'.632'`` is the sum of two terms. The first is 0.368 times the training score of the classifier
    that is trained on all instances. The second is 0.632 times the score on the instances that are not in the bootstrap
    sample of the repeat. The weights of ``'.632+'`` depend on the means over all repeats. The estimate is the mean over
    the repeats.

    References
    ----------
    Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates.
    IEEE International Conference on Data Mining, 421-430.
    Efron, B. & Tibshirani, R. (1997). Improvements on cross-validation: the .632+ bootstrap method. Journal of the
    American Statistical Association 92, 548-560.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from evalstats.study.runner import run_study
    >>> classifiers = {"naive Bayes": GaussianNB(), "tree": DecisionTreeClassifier()}
    >>> study = run_study(classifiers, {"iris": load_iris(return_X_y=True)}, n_folds=10, n_repeats=2, rng=1)
    >>> study.to_frame()[["classifier", "repeat", "fold", "score"]].head(2)
        classifier  repeat  fold     score
    0  naive Bayes       1     1  ...
    1  naive Bayes       1     2  ...
    """
    _check_installed("joblib", "sklearn", *([] if directory is None else ["pyarrow"]))
    plan = plan_of(
        classifiers,
        datasets,
        scheme=scheme,
        n_folds=n_folds,
        n_repeats=n_repeats,
        splits=splits,
        test_size=test_size,
        stratify=stratify,
        metric=metric,
        pos_label=pos_label,
        stopping_rule=stopping_rule,
        predictions=predictions,
        seed=_understand_seed(rng, directory),
    )
    description = description_of(plan)
    store = MemoryStore() if directory is None else DirectoryStore(directory, description, made_with())
    if complete := _compute(plan, store, n_jobs, _checks.progress(progress)):
        store.finish()
    result = result_of(description, store, complete=complete)
    _warn(result)
    return result


def read_study(directory: Any) -> StudyResult:
    """Read the runs in the directory of a finished or running study.

    Parameters
    ----------
    directory : path
        Directory of the study.

    Returns
    -------
    StudyResult

    Raises
    ------
    InvalidValueError
        If the directory does not contain a study.
    StudyStorageError
        If the description of the study is damaged.

    Warns
    -----
    EvalstatsWarning
        If a file of runs is damaged, so these runs count as not computed. If runs of a finished study are missing, so
        the study is incomplete.

    Examples
    --------
    >>> import tempfile
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from evalstats.study.runner import read_study, run_study
    >>> directory = tempfile.mkdtemp()
    >>> iris = {"iris": load_iris(return_X_y=True)}
    >>> study = run_study({"naive Bayes": GaussianNB()}, iris, n_folds=3, n_repeats=1, rng=1, directory=directory)
    >>> read_study(directory).columns["score"]
    array([0.92, 1.  , 0.96])
    """
    _check_installed("pyarrow")
    manifest = manifest_in(directory)
    if manifest is None:
        raise InvalidValueError(f"there is no study in {str(directory)!r}")
    store = DirectoryStore(directory, manifest["description"], {})
    if store.n_missing:
        what = "repeat of a classifier is" if store.n_missing == 1 else "repeats of classifiers are"
        warnings.warn(
            f"{store.n_missing:,} {what} no longer in {short(str(directory))}; the same call of run_study computes "
            "the missing runs",
            EvalstatsWarning,
            stacklevel=2,
        )
    return result_of(manifest["description"], store, complete=manifest["finished"] and not store.n_missing)


def _check_installed(*modules: str) -> None:
    if missing := [name for name in modules if find_spec(name) is None]:
        raise EvalstatsError(f'a study needs {", ".join(missing)}: pip install "classifier-evalstats[study]"')


def _understand_seed(rng: Any, directory: Any) -> int:
    """Return the seed of the study: the given seed, the seed in the directory, or a new seed."""
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool):
        return _checks.count(rng, "rng", minimum=0)
    manifest = None if directory is None or rng is not None else manifest_in(directory)
    if manifest is not None:
        return int(manifest["description"]["seed"])
    _checks.random_source(rng)
    return int(np.random.default_rng(rng).integers(2**32))


def _compute(plan: Plan, store: Store, n_jobs: Any, progress: Progress | None) -> bool:
    """Compute the missing runs; return False after an interrupt."""
    data = {one.name: one for one in plan.data}
    try:
        with Notes.kept() as notes, _died(store, notes), _Workers(n_jobs) as workers:
            for keys, total in _rounds(plan, store):
                missing = [key for key in keys if key not in store.runs()]
                tasks = ((key, data[key[0]], plan.estimators[key[1]], plan.protocols[key[0]], notes) for key in missing)
                for key, repeat in workers.run(tasks):
                    store.keep(key, repeat)
                    if progress is not None:
                        progress(len(store.runs()), total, f"{key[0]} / {key[1]}")
    except KeyboardInterrupt:
        return False
    except PicklingError as error:
        # the cause is the traceback of another thread, as text; Python 3.14 adds notes below the error
        *_, reason = re.findall(r"^[\w.]+: .+", str(error.__cause__), re.MULTILINE) or [str(error)]
        raise EvalstatsError(f"a classifier or a dataset cannot be sent to another process: {reason}") from error
    return True


@contextmanager
def _died(store: Store, notes: Notes) -> Iterator[None]:
    """Convert the crash of a worker process to an error that names the current tasks and the exit code."""
    try:
        yield
    except BrokenExecutor as error:
        ended = re.search(r"exit codes of the workers are \{([^}]*)", str(error))  # joblib's words
        how = f" ({ended[1]})" if ended else ""
        current = notes.left()
        raise EvalstatsError(
            f"a worker process crashed{how}, possibly because of insufficient memory"
            + (current and f"; current tasks: {current}")
            + ("" if store.directory is None else "; the finished runs are saved, and the same call resumes the study")
        ) from error


def _rounds(plan: Plan, store: Store) -> Iterator[tuple[list[Key], int]]:
    """Yield lists of tasks that can run at the same time, with the maximum total number of tasks.

    A dataset is repeated until the rules of all its classifiers have stopped.
    """
    names = [one.name for one in plan.data]
    first = next(iter(plan.protocols.values())).splitting.scheme in NEED_APPARENT
    apparent = plan.keys(0, names) if first else []
    if plan.stop is None:
        keys = apparent + [key for repeat in range(1, plan.n_repeats + 1) for key in plan.keys(repeat, names)]
        yield keys, len(keys)
        return
    rules = {subject: plan.stop.fresh() for name in names for subject in _subjects(plan, name)}
    past = len(apparent)
    for repeat in range(1, plan.n_repeats + 1):
        going = [name for name in names if any(_is_going(rules[subject]) for subject in _subjects(plan, name))]
        if not going:
            return
        keys = plan.keys(repeat, going)
        yield (apparent if repeat == 1 else []) + keys, past + len(keys) * (plan.n_repeats - repeat + 1)
        past += len(keys)
        for name in going:
            for subject in _subjects(plan, name):
                _update(rules, subject, store, repeat)


def _subjects(plan: Plan, dataset: str) -> list[Subject]:
    """Return the subjects of the stopping rules: each classifier, or each pair of classifiers, on the dataset."""
    together = 2 if plan.stop.needs == "pair" else 1
    return [(dataset, *chosen) for chosen in combinations(plan.estimators, together)]


def _is_going(rule: Any) -> bool:
    return rule is not None and not rule.stopped


def _update(rules: dict[Subject, Any], subject: Subject, store: Store, repeat: int) -> None:
    """Update a stopping rule with one more repeat; remove the rule if a classifier failed."""
    rule = rules[subject]
    if not _is_going(rule):
        return
    dataset, *classifiers = subject
    scores = [np.array(store.runs()[dataset, classifier, repeat]["score"]) for classifier in classifiers]
    if np.isnan(np.concatenate(scores)).any():
        rules[subject] = None
    elif rule.needs == "probabilities":
        rule.update(scores_of_cases(store.predictions_of((dataset, classifiers[0], repeat))))
    elif rule.needs == "pair":
        rule.update([float(own.mean()) for own in scores])
    else:
        rule.update(float(scores[0].mean()))


class _Workers:
    """Workers of joblib (processes, threads or machines) that return results as they finish."""

    def __init__(self, n_jobs: Any) -> None:
        import joblib

        if n_jobs is not None and (isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or n_jobs == 0):
            raise InvalidValueError(f"n_jobs must be None or a whole number other than 0, not {short(n_jobs)}")
        try:
            self._parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")
            self._batch: int | None = None
        except ValueError:  # a backend that returns lists only
            self._parallel = joblib.Parallel(n_jobs=n_jobs)
            self._batch = 4 * max(joblib.effective_n_jobs(n_jobs), 1)

    def __enter__(self) -> Self:
        self._parallel.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._parallel.__exit__(*error)

    def run(self, tasks: Iterable[tuple[Key, Data, Any, Protocol, Notes]]) -> Iterator[tuple[Key, Repeat]]:
        from joblib import delayed

        # large arrays are separate arguments, so joblib maps them into memory, and Dask scatters them, only once
        calls = (
            delayed(_task)(key, data.X, data.y, data.codes, replace(data, X=None, y=_NOTHING, codes=_NOTHING), *rest)
            for key, data, *rest in tasks
        )
        if self._batch is None:
            yield from self._parallel(calls)
            return
        while batch := list(islice(calls, self._batch)):
            yield from self._parallel(batch)


_NOTHING: AnyArray = np.empty(0, dtype=np.intp)


def _task(
    key: Key, cases: Any, y: Any, codes: Any, data: Data, estimator: Any, protocol: Protocol, notes: Notes
) -> tuple[Key, Repeat]:
    whole = replace(data, X=cases, y=y, codes=codes)
    return key, run_repeat(whole, key[1], estimator, protocol, key[2], notes)


def _warn(result: StudyResult) -> None:
    if result.n_failed:
        first = next(reason for reason in result.columns["failure"] if reason is not None)
        warnings.warn(
            f"{result.n_failed} of {len(result.columns['score'])} runs failed; the first: {first}",
            EvalstatsWarning,
            stacklevel=3,
        )
    if not result.complete:
        kept = "the same call resumes it" if result.directory else "without a directory, it cannot be resumed"
        warnings.warn(f"the study was interrupted; {kept}", EvalstatsWarning, stacklevel=3)
