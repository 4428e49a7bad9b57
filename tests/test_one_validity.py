"""One place decides whether a test is valid: the gate, a margin of `compare` and their reports say the same."""

from __future__ import annotations

import html
import math
import re
import warnings
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalstats
from evalstats import EvalstatsError, EvalstatsWarning, report
from evalstats.comparison.validity import FEW_CLUSTERS

OLD, NEW = "old", "new"
FORMATS = (report.text, report.markdown, report.html)
# right answers in clusters: by Tango's score test in the gate, by t of the questions in a comparison
OF_CLUSTERS = {"accuracy", "clustered-t"}


class Asked(NamedTuple):
    """Two sides of a gate, the same scores as a table of `compare`, and what both are told."""

    old: dict[str, Any]
    new: dict[str, Any]
    table: Any
    margin: float
    of_gate: dict[str, Any]
    of_compare: dict[str, Any]


@st.composite
def datasets(draw: st.DrawFn) -> Asked:
    """Draw accuracies on a few datasets, which may differ by a constant, by the margin itself, or not at all."""
    n, margin = draw(st.integers(2, 8)), draw(st.sampled_from([0.05, 0.1]))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    old = rng.integers(30, 60, n) / 100
    noise = rng.integers(-3, 4, n) / 100 * draw(st.booleans())
    new = np.round(old + draw(st.sampled_from([0.0, -margin, 0.2, -0.2])) + noise, 2)
    names = [f"d{i}" for i in range(n)]
    sides = ({"dataset": names, "accuracy": side.tolist()} for side in (old, new))
    table = {"dataset": names, OLD: old.tolist(), NEW: new.tolist()}
    # a last row of means is a dataset here
    return Asked(*sides, table, margin, {}, {"metric": "accuracy", "keep": names})


@st.composite
def cases(draw: st.DrawFn) -> Asked:
    """Draw labels or scores of the cases of one test set, from all right to all wrong."""
    n, metric = draw(st.integers(4, 70)), draw(st.sampled_from(["accuracy", "f1", "roc_auc"]))
    truth, rng = np.resize([0, 1], n), np.random.default_rng(draw(st.integers(0, 99)))
    said = []
    for _ in (OLD, NEW):
        right = rng.random(n) < draw(st.sampled_from([0.0, 0.7, 0.7, 1.0]))
        if metric == "roc_auc":
            said.append((np.where(right, 2 * truth - 1, 1 - 2 * truth) * (rng.integers(1, 5, n) / 4)).tolist())
        else:
            said.append(np.where(right, truth, 1 - truth).tolist())
    if draw(st.booleans()):
        said[1] = said[0]
    column = "y_score" if metric == "roc_auc" else "y_pred"
    sides = ({"item_id": [*range(n)], "y_true": truth.tolist(), column: side} for side in said)
    table = {
        "classifier": [OLD] * n + [NEW] * n,
        "row": [*range(n)] * 2,
        "y_true": truth.tolist() * 2,
        column: said[0] + said[1],
    }
    return Asked(*sides, table, 0.1, {"metric": metric}, {"metric": metric})


@st.composite
def questions(draw: st.DrawFn) -> Asked:
    """Draw right and wrong answers to questions, in clusters that may be one, few or unlike, or several to each."""
    n, size = draw(st.integers(2, 60)), draw(st.sampled_from([0, 1, 3, 60]))
    n_samples = draw(st.sampled_from([1, 3]))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    n_large = draw(st.sampled_from([0, n // 2]))
    cluster = [f"c{0 if i < n_large else i // max(size, 1)}" for i in range(n)]
    columns: dict[str, list[Any]] = {"item_id": [f"q{i}" for i in range(n) for _ in range(n_samples)]}
    if n_samples > 1:
        columns["sample"] = [*range(n_samples)] * n
    of_passage = {"passage": [name for name in cluster for _ in range(n_samples)]} if size else {}
    answers = [
        (rng.random(n * n_samples) < draw(st.sampled_from([0.0, 0.6, 1.0]))).astype(int).tolist() for _ in (OLD, NEW)
    ]
    sides = [{**columns, "correct": side} for side in answers]
    frame = pd.concat(
        [pd.DataFrame({**side, **of_passage, "model": name}) for name, side in zip((OLD, NEW), sides, strict=True)]
    )
    of_gate = {"cluster": "passage"} if size else {}
    of_compare = {"cluster": "passage"} if size else {}
    return Asked({**sides[0], **of_passage}, sides[1], frame, 0.1, of_gate, of_compare)


def answered(function: Any, *data: Any, **choices: Any) -> Any:
    """Return what a function says; None where it refuses the data."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", EvalstatsWarning)
            return function(*data, **choices)
    except EvalstatsError:
        return None


def plain(text: str) -> str:
    return html.unescape(re.sub(r"\s+", " ", text))


@pytest.mark.sampled
@pytest.mark.parametrize("design", [datasets, cases, questions])
@given(data=st.data())
def test_gate_and_comparison_agree_whether_a_pair_can_be_tested(design: Any, data: st.DataObject) -> None:
    asked: Asked = data.draw(design())
    gated = answered(evalstats.gate, asked.old, asked.new, margin=asked.margin, **asked.of_gate)
    compared = answered(evalstats.compare, asked.table, control=OLD, margin=asked.margin, **asked.of_compare)
    if gated is None or compared is None:
        return
    (task,), margins = gated.tasks, compared.margins
    (pair,) = margins.pairs
    of_gate, of_margin = task.validity, margins.validity

    assert task.test == margins.test or ({task.test, margins.test} == OF_CLUSTERS and "cluster" in asked.of_gate)
    assert bool(of_gate.untested) == bool(of_margin.untested)
    assert of_gate.reason == of_margin.reason
    assert (of_gate.min_attainable_pvalue, of_gate.out_of_reach) == (
        of_margin.min_attainable_pvalue,
        of_margin.out_of_reach,
    )
    assert of_gate.n_effective == of_margin.n_effective
    assert [one.sentence for one in of_gate.findings] == [one.sentence for one in of_margin.findings]
    if task.test == margins.test and task.test != "f1":  # the bootstrap draws the cases in their own order
        assert task.pvalue_noninferiority == pytest.approx(pair.pvalue_noninferiority, rel=1e-9, nan_ok=True)

    _nothing_follows_from_nan(gated, compared)
    _reports_say_it(gated, compared)


def _nothing_follows_from_nan(gated: Any, compared: Any) -> None:
    (task,), (pair,) = gated.tasks, compared.margins.pairs
    assert bool(task.validity.untested) == math.isnan(task.pvalue_noninferiority + task.pvalue_inferiority)
    if task.validity.untested:
        assert task.status == "inconclusive"
        assert task.reason is not None
        assert pair.verdict in ("undecided", "better")
        assert pair.verdict == "undecided" or compared.pairs[0].pvalue <= compared.alpha
    if task.validity.out_of_reach:
        assert task.status == "inconclusive"
        assert pair.verdict in ("undecided", "better")
    if compared.validity.untested or compared.validity.out_of_reach:
        assert not compared.different.any()


def _reports_say_it(gated: Any, compared: Any) -> None:
    for record, validity in ((gated, gated.tasks[0].validity), (compared, compared.margins.validity)):
        for write in FORMATS:
            text = plain(write(record))
            assert not validity.untested or "cannot be tested by" in text
            assert not re.search(r"\bnan\b", re.sub(r"<(style|script).*?</\1>", "", text))
            for finding in validity.findings:
                assert finding.sentence in text


@st.composite
def folds(draw: st.DrawFn) -> pd.DataFrame:
    """Draw scores of the folds of one dataset, which may differ by the same amount in each."""
    n = draw(st.sampled_from([3, 10]))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    old = rng.integers(30, 60, n) / 100
    new = old + draw(st.sampled_from([0.0, -0.1, 0.2])) + rng.integers(-3, 4, n) / 100 * draw(st.booleans())
    return pd.DataFrame(
        [("d", name, i, round(float(x), 3)) for name, own in ((OLD, old), (NEW, new)) for i, x in enumerate(own)],
        columns=["dataset", "classifier", "fold", "accuracy"],
    )


@given(table=folds())
def test_what_no_fold_tells_apart_is_tested_against_no_margin(table: pd.DataFrame) -> None:
    """A constant difference has no variance, with a margin or without; only one of 0, or at the margin, has p = 1."""
    compared = evalstats.compare(table, control=OLD, margin=0.1)
    (pair,) = compared.margins.pairs

    if compared.validity.untested:
        assert compared.margins.validity.untested or pair.pvalue_noninferiority == 1
    if compared.margins.validity.untested:
        assert compared.validity.untested or compared.pairs[0].pvalue == 1
        assert pair.verdict == "undecided"
        assert "cannot be tested by the corrected resampled t-test, because" in compared.verdict


@pytest.mark.parametrize("n", [3, 4, 5])
def test_gate_of_a_few_datasets_says_how_many_it_takes(n: int) -> None:
    """The smallest one-sided p-value of n signs is 2^-n: five datasets are the first with at most 0.05."""
    names = [f"d{i}" for i in range(n)]
    old, new = ({"dataset": names, "accuracy": [base + i / 100 for i in range(n)]} for base in (0.5, 0.7))

    result = evalstats.gate(old, new, margin=0.1)

    assert result.tasks[0].validity.min_attainable_pvalue == 2.0**-n
    assert result.passed == (n == 5)
    assert ("so a significant result needs 5" in plain(report.text(result))) == (n < 5)


def test_few_and_unlike_clusters_are_counted_alike() -> None:
    """18 clusters of 2 and 2 of 40 count as 116^2 / (18 * 2^2 + 2 * 40^2), in the gate and in `compare`."""
    passage = np.repeat(np.arange(20), [2] * 18 + [40] * 2)
    rng = np.random.default_rng(0)
    sides = [{"item_id": [*range(116)], "correct": (rng.random(116) < 0.7).astype(int).tolist()} for _ in "ab"]
    frame = pd.concat(
        [pd.DataFrame({**side, "model": m, "passage": passage}) for m, side in zip("ab", sides, strict=True)]
    )

    task = evalstats.gate({**sides[0], "passage": passage.tolist()}, sides[1], margin=0.1, cluster="passage").tasks[0]
    compared = evalstats.compare(frame, cluster="passage", margin=0.1)

    assert task.validity.n_effective == pytest.approx(116**2 / 3272)
    assert task.validity.n_effective < FEW_CLUSTERS
    assert compared.margins.validity.n_effective == compared.validity.n_effective == task.validity.n_effective
    shared = "20 clusters have unequal sizes and count as 4.1 clusters of equal size"
    assert shared in task.validity.findings[0].sentence
    assert any(shared in finding.sentence for finding in compared.findings)


def test_clusters_of_one_case_each_are_none() -> None:
    """As in `compare`: the gate says the same with and without such a column."""
    rng = np.random.default_rng(1)
    old, new = ({"item_id": [*range(50)], "correct": (rng.random(50) < 0.8).astype(int).tolist()} for _ in "ab")

    plainly = evalstats.gate(old, new, margin=0.1).tasks[0]
    clustered = evalstats.gate({**old, "page": [f"p{i}" for i in range(50)]}, new, margin=0.1, cluster="page").tasks[0]

    assert (clustered.n_clusters, clustered.validity.n_effective) == (50, None)
    assert clustered.pvalue_noninferiority == plainly.pvalue_noninferiority
    assert clustered.pvalue_different == plainly.pvalue_different


def test_areas_of_chance_and_1_are_tested_against_a_margin_by_the_same_test() -> None:
    """Without a margin a permutation test takes the place of DeLong's, which has no variance; a margin needs none."""
    truth, right = np.repeat([1, 0], 20), np.r_[np.linspace(1, 2, 20), np.linspace(-2, -1, 20)]
    equal = np.full(40, 0.5)
    sides = ({"item_id": [*range(40)], "y_true": truth.tolist(), "y_score": s.tolist()} for s in (equal, right))

    (pair,) = evalstats.compare({"y_true": truth, "bad": equal, "good": right}, control="bad", margin=0.1).margins.pairs
    (task,) = evalstats.gate(*sides, margin=0.1, metric="roc_auc").tasks

    assert pair.pvalue_noninferiority == pytest.approx(task.pvalue_noninferiority)
    assert task.status == "pass"


def answers_in_clusters(first: list[int], second: list[int], size: int) -> pd.DataFrame:
    n = len(first)
    return pd.DataFrame(
        {
            "question": [*range(n)] * 2,
            "passage": [f"p{i // size}" for i in range(n)] * 2,
            "model": ["A"] * n + ["B"] * n,
            "correct": first + second,
        }
    )


@pytest.mark.parametrize("n_clusters", [10, 30])
@pytest.mark.parametrize("second", [0, 1])
def test_clusters_that_all_differ_alike_give_no_interval(n_clusters: int, second: int) -> None:
    n = 4 * n_clusters
    comparison = evalstats.compare(answers_in_clusters([1] * n, [second] * n, 4), cluster="passage")
    pair = comparison.pairs[0]
    written = report.text(comparison)

    assert np.isnan([pair.low, pair.high]).all()
    assert pair.different == (second == 0)
    assert "no-interval" in [finding.code for finding in comparison.findings]
    assert "1.000 to 1.000" not in written
    assert "No interval is given for A and B" in " ".join(written.split())


@pytest.mark.parametrize(("n_clusters", "is_told"), [(12, True), (40, True), (120, False)])
def test_few_clusters_say_what_models_that_err_in_unlike_ways_do_to_the_test(n_clusters: int, is_told: bool) -> None:
    rng = np.random.default_rng(1)
    first, second = ((rng.random(5 * n_clusters) < share).astype(int).tolist() for share in (0.95, 0.4))
    comparison = evalstats.compare(answers_in_clusters(first, second, 5), cluster="passage")
    told = [finding for finding in comparison.findings if finding.code == "unlike-models"]

    assert comparison.significant
    assert bool(told) == is_told
    assert all(finding.numbers["n_simulated"] <= n_clusters for finding in told)


def at_the_margin(rng: np.random.Generator, n_clusters: int) -> pd.DataFrame:
    """Return answers of A, right in .95 here and there, and of B, right in .90 of clusters of ten, which err whole."""
    first = (rng.random(10 * n_clusters) < 0.95).astype(int).tolist()
    second = np.repeat((rng.random(n_clusters) < 0.9).astype(int), 10).tolist()
    return answers_in_clusters(first, second, 10)


def gate_of(table: pd.DataFrame, margin: float = 0.05) -> evalstats.GateResult:
    sides = {name: own.rename(columns={"question": "item_id"}) for name, own in table.groupby("model")}
    columns = ["item_id", "passage", "correct"]
    return evalstats.gate(*(sides[name][columns].to_dict("list") for name in "AB"), margin=margin, cluster="passage")


@pytest.mark.long
@pytest.mark.parametrize("n_clusters", [12, 30])
def test_candidate_at_the_margin_that_errs_by_whole_clusters_does_not_pass(n_clusters: int) -> None:
    """Of 100 samples at most ten pass, as in 2 of 100 runs at a level of 5 %; t passes 30 and 13 %."""
    rng, by_gate, by_margin = np.random.default_rng(3), 0, 0
    for _ in range(100):
        table = at_the_margin(rng, n_clusters)
        by_gate += gate_of(table).passed
        compared = evalstats.compare(table, cluster="passage", control="A", margin=0.05)
        by_margin += compared.margins.pairs[0].verdict in ("not worse", "better")

    assert max(by_gate, by_margin) <= 10


def test_clusters_that_were_not_seen_are_told_with_their_share_and_number() -> None:
    """Of 30 clusters none of which differs, 1 - .05^(1/30) = 9.5 % may be of another kind; 59 clusters show .05."""
    answers = [1] * 300
    few, enough = (answers_in_clusters(answers * times, answers * times, 10) for times in (1, 2))
    words = "up to 9.5% of all clusters may have a type that is not in this sample (the sample counts as 30 clusters"

    (task,) = gate_of(few).tasks

    assert (task.status, task.n_needed) == ("inconclusive", None)
    assert task.reason.startswith(words)
    assert "needs 59 clusters if the models do not differ in any cluster" in task.reason
    assert task.low == pytest.approx(0.05 ** (1 / 30) - 1)
    assert gate_of(enough).passed
    assert "up to 9.5% of all clusters" in plain(report.text(gate_of(few)))


def test_margins_of_a_comparison_tell_of_clusters_that_were_not_seen() -> None:
    rng = np.random.default_rng(5)
    table = answers_in_clusters(*((rng.random(300) < 0.95).astype(int).tolist() for _ in "AB"), 10)

    compared = evalstats.compare(table, cluster="passage", control="A", margin=0.05)
    (finding,) = [one for one in compared.margins.validity.findings if one.code == "unseen-clusters"]

    assert compared.margins.pairs[0].verdict == "undecided"
    assert finding.numbers == {"n_effective": 30, "proportion": pytest.approx(1 - 0.05 ** (1 / 30)), "n_enough": 59}
    assert "p to 9.5% of all clusters" in plain(report.text(compared))
    assert finding.sentence == next(iter(gate_of(table).tasks[0].validity.findings)).sentence
