"""May a judge replace annotators? Values by hand, of the definition, and of other programs."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.agreement import alternative_annotator_test, label_variation
from evalstats.agreement.alternative_annotators import MISSED, _exact_pvalue, _sum_at_most

HUMANS = [list("AABBAABBAA"), list("AABBABBBAA"), list("ABBBAABAAA")]
LABELS, JUDGE = [list(row) for row in zip(*HUMANS, strict=True)], list("AABBAABBBA")


def literal_differences(labels, judge, similarity):
    """Return d of each annotator: by the definition, instance by instance."""
    found = []
    for j in range(len(labels[0])):
        d = []
        for row, of_judge in zip(labels, judge, strict=True):
            others = [row[m] for m in range(len(row)) if m != j and row[m] is not None]
            if row[j] is None or not others:
                continue
            if similarity == "agreement":
                own, judged = (np.mean([one == other for other in others]) for one in (row[j], of_judge))
            else:
                own, judged = (-math.sqrt(np.mean([(one - o) ** 2 for o in others])) for one in (row[j], of_judge))
            d.append(int(own >= judged) - int(judged >= own))
        found.append(d)
    return found


@pytest.mark.parametrize(
    ("epsilon", "pvalues"), [(0.1, [0.5, 0.25958872, 0.14703693]), (0.2, [0.17171820, 0.10628995, 0.06450273])]
)
def test_ten_instances_by_hand(epsilon: float, pvalues: list[float]) -> None:
    result = alternative_annotator_test(LABELS, JUDGE, epsilon=epsilon, min_instances=10)

    assert result.pvalue == pytest.approx(pvalues, abs=1e-8)
    assert (result.win_rate.tolist(), result.winning_rate) == ([0.9, 0.9, 0.9], 0.0)
    assert result.advantage_probability == pytest.approx(0.9, rel=1e-15)
    assert result.may_replace is False


@pytest.mark.parametrize("similarity", ["agreement", "rmse"])
def test_pvalues_are_those_of_the_definition(similarity: str) -> None:
    """With missing labels; the t-test of SciPy, and the adjustment of Benjamini and Yekutieli by hand."""
    from scipy.stats import false_discovery_control, ttest_1samp

    rng = np.random.default_rng(4)
    labels = [[int(v) if rng.random() < 0.8 else None for v in rng.integers(1, 4, 5)] for _ in range(80)]
    judge = rng.integers(1, 4, 80).tolist()

    result = alternative_annotator_test(labels, judge, epsilon=0.1, similarity=similarity)

    differences = literal_differences(labels, judge, similarity)
    expected = [ttest_1samp(d, 0.1, alternative="less").pvalue for d in differences]
    assert result.pvalue == pytest.approx(expected, rel=1e-12)
    assert result.adjusted_pvalue == pytest.approx(false_discovery_control(expected, method="by"), rel=1e-12)
    assert result.n_instances.tolist() == list(map(len, differences))
    assert result.win_rate == pytest.approx([np.mean(np.array(d) <= 0) for d in differences], rel=1e-15)


def test_dicts_are_the_table_with_names() -> None:
    """Instances and annotators in any order; an instance that the judge did not label is left out."""
    annotators = {name: dict(enumerate(given)) for name, given in zip("abc", HUMANS, strict=True)}
    annotators["a"][99] = "A"
    judge = dict(reversed(list(enumerate(JUDGE))))

    result = alternative_annotator_test(annotators, judge, min_instances=10)
    table = alternative_annotator_test(LABELS, JUDGE, min_instances=10)

    assert result.annotators == ("a", "b", "c")
    assert result.pvalue == pytest.approx(table.pvalue, rel=1e-15)
    assert result.exact_pvalue == pytest.approx(table.exact_pvalue, rel=1e-15)


def test_sum_of_differences_by_enumeration() -> None:
    n, mean, zero = 5, 0.2, 0.3
    up, down = (1 - zero + mean) / 2, (1 - zero - mean) / 2
    chance = {1: up, 0: zero, -1: down}
    for total in range(-n, n + 1):
        expected = sum(
            math.prod(chance[d] for d in outcome)
            for outcome in itertools.product((-1, 0, 1), repeat=n)
            if sum(outcome) <= total
        )

        assert _sum_at_most(n, total, mean, zero) == pytest.approx(expected, rel=1e-12)


@pytest.mark.long
def test_exact_test_keeps_its_level() -> None:
    """All outcomes of 30 differences, at the limit of the null hypothesis, for any rate of 0."""
    from scipy.stats import multinomial

    n, epsilon, alpha = 30, 0.2, 0.05
    outcomes = [(plus, minus) for plus in range(n + 1) for minus in range(n + 1 - plus)]
    rejected = [one for one in outcomes if _exact_pvalue(n, *one, epsilon) <= alpha]
    assert len(rejected) > 50
    for zero in (0.0, 0.2, 0.5, 0.7, 0.8):
        chance = np.maximum([(1 - zero + epsilon) / 2, (1 - zero - epsilon) / 2, zero], 0)
        chance = chance / chance.sum()
        level = sum(multinomial.pmf([plus, minus, n - plus - minus], n, chance) for plus, minus in rejected)

        assert level <= alpha


def test_exact_test_decides_without_a_variance() -> None:
    """A judge that equals both annotators everywhere: all differences are 0."""
    labels = [["A", "A"], ["B", "B"]] * 20

    result = alternative_annotator_test(labels, ["A", "B"] * 20)

    assert np.isnan(result.pvalue).all()
    assert result.reason.startswith("all differences of at least one annotator are equal")
    # 40 differences of 0, at the largest rate of 0
    assert (result.exact_pvalue >= 0.8**40).all()
    assert result.exact_pvalue.max() < 0.01
    assert (result.winning_rate, result.may_replace) == (1.0, True)


def test_epsilon_of_the_picture_is_that_of_a_call() -> None:
    result = alternative_annotator_test(LABELS, JUDGE, epsilon=0.1, min_instances=10)

    assert (
        result.at(0.3).to_dict() == alternative_annotator_test(LABELS, JUDGE, epsilon=0.3, min_instances=10).to_dict()
    )


def test_frames_give_names_and_must_have_one_index() -> None:
    frame = pd.DataFrame(LABELS, columns=["a", "b", "c"])
    judge = pd.Series(JUDGE)

    assert alternative_annotator_test(frame, judge, min_instances=10).annotators == ("a", "b", "c")
    with pytest.raises(InvalidValueError, match="annotators and judge must have equal indexes"):
        alternative_annotator_test(frame, judge[::-1], min_instances=10)


def test_annotators_with_few_instances_are_named() -> None:
    labels = [[1, 1, 1 if i < 10 else None] for i in range(40)]

    result = alternative_annotator_test(labels, [1, 0] * 20)

    assert (result.annotators, result.left_out) == ((0, 1), (2,))


def test_interval_resamples_instances() -> None:
    """The standard deviation of the mean over instances, for two annotators who share them."""
    rng = np.random.default_rng(3)
    labels, judge = rng.integers(0, 2, (300, 2)), rng.integers(0, 2, 300)
    result = alternative_annotator_test(labels, judge)
    wins = np.array(literal_differences(labels.tolist(), judge.tolist(), "agreement")).T <= 0
    error = wins.mean(axis=1).std() / math.sqrt(300)

    low, high = result.confidence_interval(0.95, rng=1)

    assert low < result.advantage_probability < high
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.1)
    assert tuple(result.confidence_interval(rng=1)) == (low, high)


@pytest.mark.parametrize(
    ("annotators", "judge", "options", "message"),
    [
        ({"a": {1: 0}}, {1: 0}, {}, "two annotators or more, not 1"),
        ({"a": {1: 0}, "b": {1: 0}}, {2: 0}, {}, "have instances in common"),
        ([[1], [0]], [1, 0], {}, "two raters or more"),
        ([[1, 0], [0, 1]], [1], {}, "one label for each of the 2 instances"),
        ([[1, 0], [0, 1]], [1, 0], {}, "one with 30 or more instances"),
        (LABELS, JUDGE, {"epsilon": 1}, "epsilon must be at least 0 and below 1"),
        (LABELS, JUDGE, {"similarity": "kappa"}, "similarity must be 'agreement' or 'rmse'"),
    ],
)
def test_wrong_arguments_are_named(annotators, judge, options, message) -> None:
    with pytest.raises(InvalidValueError, match=message):
        alternative_annotator_test(annotators, judge, **options)


def test_wrong_types_are_named() -> None:
    with pytest.raises(InvalidTypeError, match="must both be dicts, or both be arrays"):
        alternative_annotator_test(LABELS, {1: "A"})
    with pytest.raises(InvalidTypeError, match="must hold numbers for the similarity 'rmse'"):
        alternative_annotator_test(LABELS, JUDGE, similarity="rmse", min_instances=10)


def test_missed_rates_are_counted() -> None:
    assert _exact_pvalue(1000, 0, 1000, 0.2) == pytest.approx(MISSED, rel=1e-9)


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (str, "write one label in two ways, 1 and '1'"),
        (lambda label: str(bool(label)), "write one label in two ways, 1 and 'True'"),
        (lambda label: f"{label}.0", r"write one label in two ways, 1 and '1\.0'"),
        (lambda label: ["no", "yes"][label], "must use the labels of the annotators"),
    ],
)
@pytest.mark.parametrize("test", [alternative_annotator_test, label_variation])
def test_labels_in_two_spellings_are_no_disagreement(test, write, words):
    """A judge with other spellings would never agree, and annotators with two spellings would make the judge better."""
    labels = {f"q{i}": int(i % 3 > 0) for i in range(1, 90)}
    people = {name: {**labels, other: 1 - labels[other]} for name, other in (("ann", "q2"), ("bob", "q4"))}
    spelled = {key: write(label) for key, label in labels.items()}

    with pytest.raises(InvalidValueError, match=words):
        test(people, spelled)
    if "two ways" in words:
        with pytest.raises(InvalidValueError, match=words):
            test(people | {"eva": spelled}, labels)


def test_case_of_a_label_is_a_spelling():
    """'Yes' and 'yes.' are one label; free-text answers are compared as they are."""
    people = {name: {i: ["No", "Yes"][i % 2] for i in range(40)} for name in "ab"}
    with pytest.raises(InvalidValueError, match=r"in two ways, 'No' and 'no\.'"):
        alternative_annotator_test(people, {i: ["no.", "yes."][i % 2] for i in range(40)})

    texts = {name: {i: f"text {i} of {name}" for i in range(40)} for name in "ab"}
    assert label_variation(texts, {i: f"Text {i} of a" for i in range(40)}).judge_agreement == 0
