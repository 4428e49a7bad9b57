"""Scores of several sampled answers to each question."""

from __future__ import annotations

__all__ = ["majority_at_k", "pass_at_k", "pass_hat_k"]

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._result import unbatch
from evalstats._types import FloatArray, IntArray
from evalstats.metrics.counts import place_of, whole_numbers

MOST_SAMPLES = 10_000


def pass_at_k(n_correct: ArrayLike, n_samples: ArrayLike, *, k: int) -> Any:
    """Compute pass@k: the probability that at least one of k sampled answers is correct.

    The result is an unbiased estimate from n >= k sampled answers: the proportion of all subsets of size k that contain
    a correct answer. The mean over questions is the pass@k of a benchmark. For its standard error and interval, pass
    the values to `clustered_mean`.

    Parameters
    ----------
    n_correct, n_samples : array_like of int
        Numbers of correct answers and of all sampled answers to each question. The two arguments broadcast.
    k : int
        Number of attempts, at most the number of sampled answers to each question.

    Returns
    -------
    float or ndarray
        pass@k of each question: 1 - C(n - c, k) / C(n, k).

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If the counts are not integers. If a question has more correct answers than sampled answers, or fewer sampled
        answers than k.

    References
    ----------
    Chen, M. et al. (2021). Evaluating large language models trained on code. arXiv:2107.03374, equation 1.

    Examples
    --------
    Three questions with five sampled answers each; the estimate 1 - (1 - c/n)^k would be too small.

    >>> from evalstats.metrics import clustered_mean, pass_at_k
    >>> values = pass_at_k([0, 2, 5], 5, k=2)
    >>> values.round(3)
    array([0. , 0.7, 1. ])
    >>> result = clustered_mean(values)
    >>> print(f"{result.estimate:.3f}, standard error {result.standard_error:.3f}")
    0.567, standard error 0.296
    """
    right, n, k = _understand(n_correct, n_samples, k)
    return unbatch(1 - _chance_of_all(n - right, n, k))


def pass_hat_k(n_correct: ArrayLike, n_samples: ArrayLike, *, k: int) -> Any:
    """Compute pass^k: the probability that all k sampled answers are correct.

    The result is an unbiased estimate from n >= k sampled answers: the proportion of all subsets of size k that are
    entirely correct. pass^k decreases with k, and pass@k increases.

    Parameters
    ----------
    n_correct, n_samples, k
        As in `pass_at_k`.

    Returns
    -------
    float or ndarray
        pass^k of each question: C(c, k) / C(n, k).

    Raises
    ------
    InvalidValueError, InvalidTypeError
        Under the same conditions as `pass_at_k`.

    References
    ----------
    Yao, S., Shinn, N., Razavi, P. & Narasimhan, K. (2024). tau-bench: a benchmark for tool-agent-user interaction in
    real-world domains. arXiv:2406.12045, section 5.

    Examples
    --------
    >>> from evalstats.metrics import pass_hat_k
    >>> pass_hat_k([0, 3, 5], 5, k=2).round(3)
    array([0. , 0.3, 1. ])
    """
    right, n, k = _understand(n_correct, n_samples, k)
    return unbatch(_chance_of_all(right, n, k))


def majority_at_k(n_correct: ArrayLike, n_samples: ArrayLike, *, k: int | None = None) -> Any:
    """Compute majority@k: the probability that most of k sampled answers are correct; a tie counts 1/2.

    The result is an unbiased estimate from n >= k sampled answers. A vote is correct if more than half of the k answers
    are correct. If a question has several possible incorrect answers, the most frequent answer can be correct even if
    at most half of the answers are correct. Therefore, this score is a lower bound on the probability that the most
    frequent answer is correct.

    Parameters
    ----------
    n_correct, n_samples
        As in `pass_at_k`.
    k : int, optional
        Number of votes, at most the number of sampled answers to each question. None: all sampled answers vote, so the
        values are 0, 0.5 or 1.

    Returns
    -------
    float or ndarray
        P(J > k/2) + P(J = k/2) / 2 of each question. J is the number of correct answers among k answers that are drawn
        without replacement.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        Under the same conditions as `pass_at_k`.

    References
    ----------
    Wang, X. et al. (2023). Self-consistency improves chain of thought reasoning in language models. ICLR,
    arXiv:2203.11171.

    Examples
    --------
    >>> from evalstats.metrics import majority_at_k
    >>> majority_at_k([0, 2, 4, 5], 5)
    array([0., 0., 1., 1.])
    >>> majority_at_k([0, 2, 4, 5], 5, k=3)
    array([0. , 0.3, 1. , 1. ])
    """
    right, n, votes = _understand(n_correct, n_samples, k)
    if k is None:
        return unbatch((np.sign(2 * right - n) + 1) / 2)
    return unbatch(_chance_of_most(right, n, votes))


def _understand(n_correct: Any, n_samples: Any, k: Any) -> tuple[IntArray, IntArray, int]:
    k = 1 if k is None else _checks.count(k, "k")
    _labels.same_labels(n_correct=n_correct, n_samples=n_samples)
    right, n = whole_numbers(n_correct, "n_correct"), whole_numbers(n_samples, "n_samples")
    try:
        right, n = np.broadcast_arrays(right, n)
    except ValueError as error:
        raise InvalidValueError(
            f"n_correct and n_samples must broadcast, but their shapes are {right.shape} and {n.shape}"
        ) from error
    for wrong, words in (
        (right > n, "n_correct must not be more than n_samples"),
        (n < k, f"n_samples must be at least k = {k}"),
        (n > MOST_SAMPLES, f"n_samples must be at most {MOST_SAMPLES:,}"),
    ):
        if wrong.any():
            at = tuple(np.argwhere(wrong)[0])
            place = place_of(at)
            raise InvalidValueError(f"{words}, but n_correct{place} is {right[at]} and n_samples{place} is {n[at]}")
    return right, n, k


def _chance_of_all(favorable: IntArray, n: IntArray, k: int) -> FloatArray:
    """Return C(favorable, k) / C(n, k), the probability that all of k draws are favorable."""
    chance = np.ones(n.shape)
    for drawn in range(k):
        chance *= np.maximum(favorable - drawn, 0) / (n - drawn)
    return chance


def _chance_of_most(right: IntArray, n: IntArray, k: int) -> FloatArray:
    """Return the hypergeometric probability of more than k/2 correct answers plus half the probability of k/2."""
    from scipy.special import gammaln

    def log_choose(a: Any, b: Any) -> FloatArray:
        return np.asarray(gammaln(a + 1.0) - gammaln(b + 1.0) - gammaln(a - b + 1.0))

    chance = np.zeros(n.shape)
    for j in range((k + 1) // 2, k + 1):
        possible = (j <= right) & (k - j <= n - right)
        # impossible values are replaced by a value for which the formula is defined, and then omitted
        c, m = np.where(possible, right, j), np.where(possible, n, k)
        log = log_choose(c, j) + log_choose(m - c, k - j) - log_choose(m, k)
        chance += np.where(possible, np.exp(log), 0.0) * (0.5 if 2 * j == k else 1.0)
    return np.asarray(np.minimum(chance, 1.0))
