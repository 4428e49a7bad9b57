"""Training and test instances in each fold of each repeat.

A split depends only on the seed of the study, the name of the dataset and the index of the repeat. Therefore, all
classifiers are trained and tested on the same instances, in any order and on any machine.
"""

from __future__ import annotations

__all__ = ["BOOTSTRAPS", "SCHEMES", "Splitting", "check_size", "seeds_of", "understand_splits"]

import hashlib
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._types import AnyArray, IndexArray

Split = tuple[IndexArray, IndexArray]

BOOTSTRAPS = ("e0", ".632", ".632+")
SCHEMES = ("k-fold", "5x2", "leave-one-out", "hold-out", *BOOTSTRAPS, "temporal", "precomputed")


@dataclass(frozen=True, kw_only=True)
class Splitting:
    """Splits of the instances of one dataset, in every repeat."""

    scheme: str
    dataset: str
    seed: int
    folds: int
    test_size: float
    stratify: bool
    given: tuple[Split, ...] = ()

    def of_repeat(self, repeat: int, codes: IndexArray) -> Iterator[Split]:
        """Yield the training and the test instances of each fold of a repeat, given the classes of the instances."""
        rng = np.random.default_rng(seeds_of(self.seed, self.dataset, repeat))
        n = len(codes)
        if self.scheme == "precomputed":
            start = (repeat - 1) * self.folds if len(self.given) > self.folds else 0
            yield from self.given[start : start + self.folds]
        elif self.scheme in BOOTSTRAPS:
            yield _bootstrap_sample(n, rng)
        elif self.scheme == "hold-out":
            yield _hold_out(codes if self.stratify else np.zeros_like(codes), self.test_size, rng)
        elif self.scheme == "temporal":
            yield from _temporal_blocks(n, self.folds)
        elif self.scheme == "leave-one-out":
            yield from _parts(np.arange(n), n)
        else:
            yield from _parts(_dealt(codes if self.stratify else np.zeros_like(codes), self.folds, rng), self.folds)


def seeds_of(seed: int, *key: str | int) -> np.random.SeedSequence:
    """Return a derived seed. It depends on names, not on the other content of the study."""
    words = [int.from_bytes(hashlib.sha256(str(part).encode()).digest()[:8], "little") for part in key]
    return np.random.SeedSequence(seed, spawn_key=words)


def understand_splits(splits: Any, sizes: Mapping[str, int]) -> dict[str, tuple[Split, ...]]:
    """Return the validated training and test instances of each dataset."""
    if isinstance(splits, Mapping):
        if missing := [name for name in sizes if name not in splits]:
            raise InvalidValueError(f"splits must name every dataset, but {short(missing[0])} is missing")
        return {name: _checked(splits[name], f"splits[{name!r}]", n) for name, n in sizes.items()}
    words = "pairs of training and test instances, or a dict of them"
    pairs = _checks.listed(splits, "splits", words)  # an iterator is read only once, for all datasets
    return {name: _checked(pairs, "splits", n) for name, n in sizes.items()}


def _checked(pairs: Any, name: str, n: int) -> tuple[Split, ...]:
    try:
        checked = tuple((np.asarray(train), np.asarray(test)) for train, test in pairs)
    except (TypeError, ValueError):
        raise InvalidTypeError(f"{name} must be pairs of training and test instances") from None
    if not checked:
        raise InvalidValueError(f"{name} must hold at least one pair of training and test instances")
    return tuple((_cases(train, f"{name}, training", n), _cases(test, f"{name}, test", n)) for train, test in checked)


def _cases(index: AnyArray, name: str, n: int) -> IndexArray:
    if index.ndim != 1 or index.dtype.kind not in "iu" or not index.size:
        raise InvalidTypeError(f"{name} instances must be a list of one or more row numbers")
    if index.min() < 0 or index.max() >= n:
        raise InvalidValueError(f"{name} instances must be row numbers below {n}, but one is {index.max()}")
    return index.astype(np.intp)


def _dealt(codes: IndexArray, folds: int, rng: np.random.Generator) -> IndexArray:
    """Assign the shuffled instances of each class to folds in turn. Sizes and class counts differ by at most 1."""
    shuffled = rng.permutation(len(codes))
    by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
    fold = np.empty(len(codes), dtype=np.intp)
    fold[by_class] = np.arange(len(codes)) % folds
    return fold


def _parts(fold: IndexArray, folds: int) -> Iterator[Split]:
    for k in range(folds):
        is_test = fold == k
        yield np.flatnonzero(~is_test), np.flatnonzero(is_test)


def _hold_out(codes: IndexArray, test_size: float, rng: np.random.Generator) -> Split:
    """Split every class in the same proportion. Remainders are assigned to the largest fractions."""
    shares = np.bincount(codes) * test_size
    wanted = min(max(round(shares.sum()), 1), len(codes) - 1)
    sizes = np.floor(shares).astype(np.intp)
    by_remainder = np.argsort(sizes - shares, kind="stable")
    missing = wanted - int(sizes.sum())
    sizes[by_remainder[: max(missing, 0)]] += 1
    shuffled = rng.permutation(len(codes))
    parts = [shuffled[codes[shuffled] == label][:size] for label, size in enumerate(sizes)]
    test = np.sort(np.concatenate(parts))
    return np.setdiff1d(np.arange(len(codes)), test), test


def _bootstrap_sample(n: int, rng: np.random.Generator) -> Split:
    """Draw n of n instances with replacement. Repeat the draw if it contains all instances."""
    while True:
        train = np.sort(rng.integers(n, size=n))
        test = np.setdiff1d(np.arange(n), train)
        if len(test):
            return train, test


def _temporal_blocks(n: int, folds: int) -> Iterator[Split]:
    """Split the ordered instances into folds + 1 blocks; test each block with a model trained on the earlier blocks."""
    edges = np.linspace(0, n, folds + 2).round().astype(np.intp)
    for start, stop in itertools.pairwise(edges[1:]):
        yield np.arange(start), np.arange(start, stop)


def check_size(scheme: str, dataset: str, n: int, folds: int) -> None:
    """Raise an error if a dataset has too few instances for its folds."""
    least = {"temporal": folds + 1, "precomputed": 1, "k-fold": folds, "5x2": 2}.get(scheme, 2)
    if n < least:
        raise InvalidValueError(f"dataset {dataset!r} has {n} instances, but {scheme} needs {least} or more")
