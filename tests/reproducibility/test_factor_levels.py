from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats import InvalidValueError
from evalstats.reproducibility.factor_levels import understand_levels

NESTED = {"sample": ["question"]}


def test_array_and_list_are_the_same_design() -> None:
    array = np.arange(6.0).reshape(3, 2)
    columns = {"question": [1, 1, 2, 2, 3, 3], "sample": list("ababab")}

    one, other = (
        understand_levels(s, f, NESTED) for s, f in [(array, ["question", "sample"]), (array.ravel(), columns)]
    )

    assert other.complete.tolist() == one.complete.tolist() == array.tolist()
    assert one.sizes == other.sizes == {"question": 3, "sample": 2}
    assert list(map(one.name_of, one.terms)) == ["question", "question:sample"]
    assert one.level_of(one.terms[0]).tolist() == other.level_of(other.terms[0]).tolist() == [0, 0, 1, 1, 2, 2]


def test_names_of_nested_levels_count_within_theirs() -> None:
    """Samples that are numbered throughout are the same samples as those that begin anew."""
    anew = understand_levels([1, 2, 3, 4.0], {"question": [1, 1, 2, 2], "sample": [1, 2, 1, 2]}, NESTED)
    throughout = understand_levels([1, 2, 3, 4.0], {"question": [1, 1, 2, 2], "sample": [7, 3, 9, 4]}, NESTED)

    assert throughout.sizes == anew.sizes == {"question": 2, "sample": 2}
    assert throughout.complete.shape == (2, 2)


def test_size_of_an_uneven_factor_is_the_harmonic_mean() -> None:
    """The variance of a mean of answers that are means of 3 and 1 samples is that of 1.5 samples each."""
    design = understand_levels([1, 2, 3, 4.0], {"question": [1, 1, 1, 2], "sample": [1, 2, 3, 1]}, NESTED)

    assert design.sizes == {"question": 2, "sample": pytest.approx(1.5)}
    assert design.complete is None


def test_a_data_frame_names_the_levels() -> None:
    frame = pd.DataFrame({"run": [1, 1, 2], "fold": [1, 2, 1], "score": [0.5, 0.6, 0.7]})

    design = understand_levels(frame["score"], frame[["run", "fold"]], None)

    assert design.names == ("run", "fold")
    assert design.scores.tolist() == [0.5, 0.6, 0.7]


@pytest.mark.parametrize(
    ("scores", "factors", "message"),
    [
        (
            [1, 2, 3],
            {"a": [1, 1, 2], "b": [1, 1, 1]},
            r"must have one score, but a 1, b 1 has 2; a factor that numbers",
        ),
        ([1, 2], {"a": [1, 2], "b": [1, 1]}, r"each factor must have 2 levels or more, but 'b' has 1"),
        ([[1, 2]], {"a": [1, 2]}, r"scores must be one list where factors tell the level of each, .* \(1, 2\)"),
        ([], {"a": []}, r"scores must be one list"),
        ([1, 2], {"a": [1, 2, 3]}, r"factors\['a'\] must name one level for each of the 2 cases"),
        ([1, 2], {"a": [1, None]}, r"factors\['a'\]"),
        ([1, float("nan")], {"a": [1, 2]}, r"scores must be finite, but scores\[1\] is nan"),
        ([1, 2], {}, r"there must be 1 to 6 factors, not 0"),
        ([1, 2], {"a:b": [1, 2]}, r"factors must have different names without ':'"),
    ],
)
def test_what_does_not_fit_is_refused(scores, factors, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        understand_levels(scores, factors, None)


def test_labels_of_another_order_are_refused() -> None:
    scores = pd.Series([1.0, 2.0], index=["x", "y"])

    with pytest.raises(InvalidValueError, match="must have equal indexes"):
        understand_levels(scores, {"a": pd.Series([1, 2], index=["y", "x"])}, None)
