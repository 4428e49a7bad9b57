"""What is the best rule on a single attribute? The simplest classifier that looks at a case."""

from __future__ import annotations

__all__ = ["OneRule"]

from typing import Any, Self

import numpy as np


class OneRule:
    """The rule 1R: the one attribute whose values tell the class best, each value its most frequent class.

    Attributes must be codes. What has the methods of a classifier of scikit-learn can be cloned by it.

    References
    ----------
    Holte, R. C. (1993). Very simple classification rules perform well on most commonly used datasets. Machine Learning
    11, 63-90.
    """

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return no parameters: there are none."""
        return {}

    def set_params(self) -> Self:
        """Set no parameter."""
        return self

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803  (the words of scikit-learn)
        """Choose the attribute with the fewest errors in the training data; of equal ones, the first."""
        codes, target = np.asarray(X), np.asarray(y)
        classes, numbers = np.unique(target, return_inverse=True)
        self.default_ = classes[np.bincount(numbers).argmax()]
        rules = [_rule(column, numbers, classes) for column in codes.T]
        self.attribute_ = int(np.argmin([errors for _, errors in rules]))
        self.rule_ = rules[self.attribute_][0]
        return self

    def predict(self, X: Any) -> Any:  # noqa: N803 - scikit-learn calls it so
        """Return the class of the value of the chosen attribute; of an unseen value, the most frequent one."""
        column = np.asarray(X)[:, self.attribute_].tolist()
        return np.array([self.rule_.get(value, self.default_) for value in column])


def _rule(column: Any, numbers: Any, classes: Any) -> tuple[dict[Any, Any], int]:
    """Return the most frequent class of each value, and how many cases are of another one."""
    values, places = np.unique(column, return_inverse=True)
    counts = np.zeros((len(values), len(classes)), dtype=np.int64)
    np.add.at(counts, (places, numbers), 1)
    rule = dict(zip(values.tolist(), classes[counts.argmax(axis=1)].tolist(), strict=True))
    return rule, int(counts.sum() - counts.max(axis=1).sum())
