"""Both sides, which must have the same questions, tasks and true labels."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

import evalstats
from evalstats import EvalstatsError, gate, report
from evalstats.paired.shifted_scores import expecting_another_cluster
from evalstats.tables.errors import TableError

RNG = np.random.default_rng(4)
N = 300
TRUE = RNG.integers(0, 2, N)
OLD, NEW = ((TRUE + RNG.normal(0, s, N)).round(3) for s in (0.6, 0.62))


def answers(score, items=range(N), **columns):
    items = list(items)
    made = {"item_id": [f"q{i}" for i in items], "y_true": TRUE[items].tolist()}
    return made | {"y_pred": (score[items] > 0.5).astype(int).tolist(), "y_score": score[items].tolist()} | columns


def test_order_of_the_items_does_not_matter():
    there = gate(answers(OLD), answers(NEW), margin=0.05).tasks[0]
    turned = gate(answers(OLD), answers(NEW, RNG.permutation(N)), margin=0.05).tasks[0]

    assert turned.to_dict() == there.to_dict()


@pytest.mark.parametrize(
    ("metric", "test"),
    [
        (
            "accuracy",
            lambda: evalstats.paired.noninferiority_test(
                (NEW > 0.5) == TRUE, (OLD > 0.5) == TRUE, margin=0.05, test="accuracy"
            ),
        ),
        ("roc_auc", lambda: evalstats.paired.noninferiority_test(NEW, OLD, y_true=TRUE, margin=0.05, test="auc")),
    ],
)
def test_each_metric_has_its_test(metric, test):
    task = gate(answers(OLD), answers(NEW), margin=0.05, metric=metric).tasks[0]

    assert task.pvalue_noninferiority == pytest.approx(test().pvalue)
    assert task.candidate - task.baseline == pytest.approx(task.difference)


@pytest.mark.parametrize("metric", ["f1", "balanced_accuracy", "error_rate", "brier"])
def test_other_metrics_are_bootstrapped_and_keep_their_sign(metric):
    old, new = (answers(np.clip(score, 0, 1)) for score in (OLD, NEW))

    task = gate(old, new, margin=0.05, metric=metric).tasks[0]

    assert task.candidate - task.baseline == pytest.approx(task.difference)
    assert task.low <= task.difference <= task.high


def test_clusters_are_those_of_the_baseline():
    text = [f"t{i // 5}" for i in range(N)]
    alone = gate(answers(OLD, text=text), answers(NEW), margin=0.05).tasks[0]
    grouped = gate(answers(OLD, text=text), answers(NEW), margin=0.05, cluster="text").tasks[0]

    assert (alone.n_clusters, grouped.n_clusters) == (None, 60)
    assert grouped.difference == pytest.approx(alone.difference)
    assert grouped.pvalue_noninferiority != alone.pvalue_noninferiority


def test_scores_of_datasets_are_compared_by_signed_ranks(tmp_path):
    """A committed report beside a table whose scores have no name."""
    table = evalstats.example_table("demsar-2006")
    (tmp_path / "old.json").write_text(report.json(evalstats.compare(table)), encoding="utf-8")
    rows = [f"{d},{s}" for d, s in zip(table.datasets, table.scores[:, 1].tolist(), strict=True)]
    (tmp_path / "new.csv").write_text("\n".join(["dataset,C4.5+m", *rows]) + "\n")
    expected = evalstats.noninferiority_test(table.scores[:, 1], table.scores[:, 0], margin=0.02)

    task = gate(tmp_path / "old.json", tmp_path / "new.csv", margin=0.02, baseline_name="C4.5").tasks[0]

    assert task.pvalue_noninferiority == pytest.approx(expected.pvalue)
    assert (task.unit, task.n, task.metric) == ("dataset", 14, "AUC")


def test_one_of_several_metrics_of_datasets_is_chosen():
    old = {"dataset": list("abcdef"), "accuracy": [0.7] * 6, "f1": [0.6, 0.61, 0.62, 0.63, 0.64, 0.65]}
    new = old | {"accuracy": [0.71] * 6, "f1": [0.5] * 6}

    with pytest.raises(TableError, match=r"'accuracy', 'f1' may hold the scores; choose one, .*metric='accuracy'"):
        gate(old, new, margin=0.02)
    assert [gate(old, new, margin=0.02, metric=name).status for name in ("accuracy", "f1")] == ["pass", "fail"]


def test_scores_must_be_measured_alike():
    old, new = {"dataset": list("abc"), "x": [0.1, 0.2, 0.3]}, {"dataset": list("abc"), "x": [0.2, 0.2, 0.3]}
    loss = evalstats.read_table(new, metric="log_loss")

    with pytest.raises(
        EvalstatsError, match="one is 'score', for which higher is better, and the other 'log_loss', for which"
    ):
        gate(old, loss, margin=0.1)
    assert gate(old, new, margin=0.1, metric="log_loss").tasks[0].metric == "log_loss"


def test_two_classifiers_of_one_file():
    both = {k: [*a, *b] for (k, a), b in zip(answers(OLD).items(), answers(NEW).values(), strict=True)}
    both["model"] = ["old"] * N + ["new"] * N

    result = gate(both, both, margin=0.05, baseline_name="old", candidate_name="new")

    assert result.tasks[0].to_dict() == gate(answers(OLD), answers(NEW), margin=0.05).tasks[0].to_dict()
    with pytest.raises(EvalstatsError, match=r"holds 2 classifiers .* choose one with baseline_name='old'"):
        gate(both, both, margin=0.05)


def test_other_items_are_refused_and_left_out_when_asked():
    with pytest.raises(
        EvalstatsError, match=r"the candidate lacks 2 \('q298' of 'all questions', 'q299' of .* pass intersect="
    ):
        gate(answers(OLD), answers(NEW, range(N - 2)), margin=0.05)
    with pytest.raises(EvalstatsError, match="the baseline lacks 2"):
        gate(answers(OLD, range(N - 2)), answers(NEW), margin=0.05)

    task = gate(answers(OLD), answers(NEW, range(N - 2)), margin=0.05, intersect=True).tasks[0]

    assert (task.n, task.n_left_out) == (N - 2, 2)


def test_a_task_is_never_left_out():
    tasks = ["a"] * 150 + ["b"] * 150
    old, new = answers(OLD, task=tasks), answers(NEW, range(150), task=tasks[:150])

    with pytest.raises(EvalstatsError, match="must have the same tasks, but the candidate lacks 'b'"):
        gate(old, new, margin=0.05, intersect=True)
    with pytest.raises(EvalstatsError, match="the policy names the task 'c', but baseline and candidate have 'a', 'b'"):
        gate(old, answers(NEW, task=tasks), policy={"gate": {"margin": 0.05}, "task": {"c": {}}})


@pytest.mark.parametrize(
    ("old", "new", "choices", "message"),
    [
        (answers(OLD), answers(NEW, y_true=(1 - TRUE).tolist()), {}, "must have one true label"),
        (answers(OLD), answers(NEW, y_pred=[""] + [1] * (N - 1)), {}, "the answer is missing"),
        (answers(OLD), answers(NEW, item_id=["q0"] * N), {}, "already occurs in "),
        (answers(OLD), {"item_id": ["q1"], "y_true": [1]}, {}, "to hold answers"),
        (answers(OLD), {"y_true": [1], "y_pred": [1]}, {}, "to name the questions"),
        (answers(OLD), {"item_id": ["q1"], "correct": [0.5]}, {}, "must be correct .* or incorrect"),
        (answers(OLD), {"dataset": ["a", "b"], "x": [0.1, 0.2]}, {}, "must be of the same kind"),
        (answers(OLD), answers(NEW), {"margin": 5}, r"if 5 means percentage points, write 0\.05"),
        (answers(OLD), answers(NEW), {"metric": "speed"}, "metric must be 'accuracy' or"),
        (answers(OLD), answers(NEW), {"metric": "fbeta"}, "metric must be 'accuracy' or .*, not 'fbeta'"),
        (answers(OLD), answers(NEW), {"cluster": "text"}, "cluster must name a column"),
    ],
)
def test_messages(old, new, choices, message):
    with pytest.raises(EvalstatsError, match=message):
        gate(old, new, **{"margin": 0.05, **choices})


@pytest.mark.parametrize(("name", "usual"), [("Accuracy", "accuracy"), ("F1 score", "f1"), ("kappa", "cohen_kappa")])
def test_metric_has_the_names_that_it_has_everywhere(name, usual):
    """As for `compare`: case does not matter, and the names of scikit-learn are known."""
    old, new = answers(OLD), answers(NEW)

    task, same = (gate(old, new, margin=0.05, metric=metric).tasks[0] for metric in (name, usual))

    assert (task.metric, task.difference) == (usual, same.difference)


def test_directories_of_studies(tmp_path):
    """Answers that a study kept, of the classifier that is named; an unfinished study has no say."""
    iris = {"iris": load_iris(return_X_y=True)}
    choices = {"n_folds": 3, "n_repeats": 1, "rng": 1, "predictions": True}
    evalstats.run_study(
        {"a": GaussianNB(), "b": GaussianNB(var_smoothing=0.5)}, iris, directory=tmp_path / "s", **choices
    )

    task = gate(tmp_path / "s", tmp_path / "s", margin=0.05, baseline_name="a", candidate_name="b").tasks[0]

    assert (task.task, task.n, task.metric) == ("iris", 150, "accuracy")
    assert task.candidate - task.baseline == pytest.approx((len(task.won) - len(task.lost)) / 150)
    with pytest.raises(EvalstatsError, match="there is no study in"):
        gate(tmp_path, tmp_path / "s", margin=0.05)


def sampled(seed, n=200, n_samples=5, chance=0.7, **columns):
    rng = np.random.default_rng(seed)
    ease = np.random.default_rng(0).uniform(chance - 0.3, chance + 0.2, n)
    right = rng.random((n, n_samples)) < ease[:, None]
    made = {"item_id": np.repeat(np.arange(n), n_samples).tolist(), "epoch": [*range(n_samples)] * n}
    return made | {"correct": right.astype(int).ravel().tolist()} | columns


def beside_unseen(new, old, *, clusters=None, strata=None, average="micro"):
    """Return the p-value at a margin of .05 beside clusters that were not seen."""
    problem = expecting_another_cluster(new, old, clusters=clusters, strata=strata, average=average)
    return problem.leads.pvalue(-0.05, "greater")


def test_samples_of_an_item_are_one_case():
    old, new = sampled(1), sampled(2)
    task = gate(old, new, margin=0.05).tasks[0]

    shares = [np.reshape(side["correct"], (200, 5)).mean(axis=1) for side in (new, old)]
    expected = evalstats.noninferiority_test(*shares, margin=0.05, test="clustered-t")
    assert (task.n, task.has_samples) == (200, True)
    assert task.difference == pytest.approx(expected.difference)
    assert task.pvalue_noninferiority == pytest.approx(max(expected.pvalue, beside_unseen(*shares)))
    assert "Several answers were given to the same question" in report.text(gate(old, new, margin=0.05))


@pytest.mark.parametrize("beside", ["sample", "sample_id", "row", "row_id", "id"])
def test_items_are_named_by_the_surest_column(beside):
    """Numbers of samples and rows beside questions pair nothing: the candidate has its rows in another order."""
    items = [f"q{i}" for i in range(60)]
    right = [int(i % 5 > 0) for i in range(60)]
    order = np.random.default_rng(1).permutation(60)
    old = {"item_id": items, beside: list(range(60)), "correct": right}
    new = {"item_id": [items[i] for i in order], beside: list(range(60)), "correct": [right[i] for i in order]}

    task = gate(old, new, margin=0.1).tasks[0]

    assert (task.lost, task.won, task.n) == ((), (), 60)


@pytest.mark.parametrize("name", ["sample", "sample_id", "epoch"])
def test_samples_by_any_name_stand_beside_their_item(name):
    old = sampled(1)
    old[name] = old.pop("epoch")

    task = gate(old, old, margin=0.1).tasks[0]

    assert (task.n, task.has_samples) == (200, True)


def test_every_column_of_rows_may_name_items():
    from evalstats._lexicon import ITEM_COLUMNS, PREDICTION_COLUMNS

    assert set(ITEM_COLUMNS) == {*PREDICTION_COLUMNS["instance"], "id", "uid"}


def test_one_answer_against_several_samples_pairs_by_item():
    one = {"item_id": list(range(200)), "correct": sampled(3)["correct"][::5]}

    with pytest.raises(
        EvalstatsError, match=r"baseline have 1 each and the questions of the candidate 5; .* pass allow_uneq"
    ):
        gate(one, sampled(4), margin=0.1)
    task = gate(one, sampled(4), margin=0.1, allow_unequal_samples=True).tasks[0]

    assert (task.n, task.has_samples) == (200, True)


def test_clusters_have_one_more_case_that_nobody_saw():
    """T of 8 clusters of 25 questions, with the variance of a case that differs and takes its cluster with it."""
    text = np.arange(200) // 25
    old, new = sampled(1, text=np.repeat(text, 5).tolist()), sampled(2)

    task = gate(old, new, margin=0.05, cluster="text").tasks[0]

    shares = [np.reshape(side["correct"], (200, 5)).mean(axis=1) for side in (new, old)]
    found = evalstats.clustered_ttest(*shares, clusters=text)
    error = math.hypot(found.standard_error, math.sqrt(8 * 25**2 / 200) / 200)
    assert task.n_clusters == 8
    of_t = stats.t.sf((found.mean_difference + 0.05) / error, 7)
    assert task.pvalue_noninferiority == pytest.approx(max(of_t, beside_unseen(*shares, clusters=text)))


@pytest.mark.long
def test_gate_keeps_its_level_with_large_clusters_that_are_seldom_wrong():
    """Ten clusters of very different sizes, .95 and .90 right: at the margin 5 % pass, where plain t passed 17 %."""
    generator, n_passed = np.random.default_rng(2), 0
    for _ in range(150):
        sizes = np.maximum(1, np.exp(generator.normal(2, 1, 10)).astype(int))
        cluster = np.repeat(np.arange(10), sizes)
        hard = generator.normal(size=(2, 10))[:, cluster] + generator.normal(size=(2, cluster.size))
        right = hard < math.sqrt(2) * stats.norm.ppf([[0.95], [0.90]])
        items = {"item_id": np.repeat(np.arange(cluster.size), 2).tolist(), "epoch": [0, 1] * cluster.size}
        old, new = ({**items, "correct": np.repeat(side, 2).tolist()} for side in right)
        n_passed += gate({**old, "text": np.repeat(cluster, 2).tolist()}, new, margin=0.05, cluster="text").passed

    assert n_passed <= 15


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_mean_over_tasks_is_stratified(average):
    tasks = np.repeat(["a", "b"], [300, 700]).tolist()
    old, new = (sampled(seed, task=tasks) for seed in (1, 2))

    result = gate(old, new, margin=0.05, average=average)

    shares = [np.reshape(side["correct"], (200, 5)).mean(axis=1) for side in (new, old)]
    strata = np.repeat(["a", "b"], [60, 140])
    expected = evalstats.noninferiority_test(*shares, margin=0.05, test="clustered-t", strata=strata, average=average)
    mean = result.tasks[0]
    assert (mean.tier, [task.tier for task in result.tasks[1:]]) == ("required", ["watched"] * 2)
    pvalue = max(expected.pvalue, beside_unseen(*shares, strata=strata, average=average))
    assert (mean.difference, mean.pvalue_noninferiority) == pytest.approx((expected.difference, pvalue))
    assert result.status == mean.status
    assert "The gate tests the mean over all tasks" in report.text(result)


def test_policy_may_require_a_task_beside_the_mean():
    tasks = np.repeat(["a", "b"], 500).tolist()
    old, new = (sampled(seed, task=tasks) for seed in (1, 2))
    policy = {"gate": {"margin": 0.2, "average": "macro"}, "task": {"a": {"tier": "required", "margin": 0.001}}}

    result = gate(old, new, policy=policy)

    assert [(task.tier, task.status) for task in result.tasks] == [
        ("required", "pass"),
        ("required", "inconclusive"),
        ("watched", "pass"),
    ]
    assert result.status == "inconclusive"


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"average": "mean"}, "average must be 'macro' or 'micro'"),
        ({"average": "macro", "metric": "f1"}, "average is for accuracies"),
        ({"metric": "f1"}, "f1 needs one answer to each question"),
    ],
)
def test_what_samples_and_means_cannot_have_is_refused(choices, message):
    with pytest.raises(EvalstatsError, match=message):
        gate(sampled(1), sampled(2), margin=0.05, **choices)


def test_samples_that_stand_twice_or_cross_clusters_are_refused():
    twice = {name: [*values, values[0]] for name, values in sampled(1).items()}
    crossing = sampled(1, text=["t1", *["t2"] * 999])

    with pytest.raises(EvalstatsError, match="sample '0', already occurs in row 1"):
        gate(twice, sampled(2), margin=0.05)
    with pytest.raises(EvalstatsError, match="must have one cluster"):
        gate(crossing, sampled(2), margin=0.05, cluster="text")


def test_one_cluster_decides_nothing():
    old = {"item_id": list(range(30)), "correct": [0] * 30, "text": ["one"] * 30}
    result = gate(old, {"item_id": list(range(30)), "correct": [1] * 30}, margin=0.9, cluster="text")

    assert result.status == "inconclusive"
    assert result.tasks[0].n_needed is None
    assert "all instances belong to one cluster" in result.tasks[0].reason


def test_samples_of_one_item_are_refused_in_words_of_the_gate():
    one = {"item_id": [1, 1], "sample": [0, 1], "correct": [1, 0]}

    with pytest.raises(EvalstatsError, match="sampled answers to a single question do not represent other questions"):
        gate(one, one, margin=0.1)


@pytest.mark.parametrize("policy", [None, {"gate": {"metric": ""}}])
def test_a_metric_without_a_name_is_refused(policy):
    """An empty variable of a script is no wish for accuracy."""
    side = {"item_id": [1, 2], "correct": [1, 0]}

    with pytest.raises(EvalstatsError, match="metric must be the name of a metric, not ''"):
        gate(side, side, margin=0.1, policy=policy, **({} if policy else {"metric": ""}))


def test_an_item_without_a_name_is_refused():
    side = {"item_id": ["", "b"], "correct": [1, 0]}

    with pytest.raises(EvalstatsError, match="the name of an item is empty"):
        gate(side, side, margin=0.1)


@pytest.mark.parametrize("name", ["loss", "error", "is_wrong", "failed", "hallucination"])
@pytest.mark.parametrize("beside", [{}, {"benchmark": ["x", "y"] * 20}])
def test_more_errors_do_not_pass_as_more_correct_answers(name, beside):
    """A column of 0 and 1 with the name of a loss: the gate asks, and either answer is obeyed."""
    items = {"item_id": [f"q{i}" for i in range(40)]} | beside
    old, new = items | {name: [0, 0, 0, 1] * 10}, items | {name: [0, 1, 1, 1] * 10}

    with pytest.raises(EvalstatsError, match=f"the column '{name}' has the name of a loss"):
        gate(old, new, margin=0.05)

    assert gate(old, new, margin=0.05, greater_is_better=False).status == "fail"
    assert gate(old, new, margin=0.05, greater_is_better=True).status == "pass"
    with pytest.raises(EvalstatsError, match="greater_is_better=False is for scores"):
        gate(items | {"correct": [1, 0] * 20}, new, margin=0.05, greater_is_better=False)


def test_losses_of_benchmarks_with_two_classifiers_in_a_side():
    """Columns of two classifiers become rows on another way."""
    side = {"item_id": [f"q{i}" for i in range(40)], "benchmark": ["x", "y"] * 20}
    side |= {"error_a": [0, 0, 0, 1] * 10, "error_b": [0, 1, 1, 1] * 10}
    names = {"baseline_name": "error_a", "candidate_name": "error_b"}

    with pytest.raises(EvalstatsError, match="have names of losses"):
        gate(side, side, margin=0.05, **names)

    assert gate(side, side, margin=0.05, **names, greater_is_better=False).status == "fail"


@pytest.mark.parametrize("name", ["score", "acc", "exact_match"])
def test_rows_of_answers_may_call_them_scores(name):
    """As compare reads them: 0 and 1 beside the names of a model and of a question."""
    side = {"item_id": [f"q{i}" for i in range(40)], "model": ["m"] * 40}

    assert gate(side | {name: [1, 0] * 20}, side | {name: [1, 0] * 20}, margin=0.1).status == "pass"
    assert gate(side | {name: [1, 1] * 20}, side | {name: [0, 0] * 20}, margin=0.1).status == "fail"


@pytest.mark.parametrize("name", ["error", "toxic", "result"])
def test_rows_of_answers_with_another_name_are_asked_about(name):
    side = {"id": [f"q{i}" for i in range(40)], "model": ["m"] * 40}
    few, many = side | {name: [0, 0, 0, 1] * 10}, side | {name: [0, 1, 1, 1] * 10}

    with pytest.raises(EvalstatsError, match=f"'{name}' (has the name of a loss|holds 0 and 1)"):
        gate(few, many, margin=0.05)

    assert gate(few, many, margin=0.05, greater_is_better=False).status == "fail"
    assert gate(few, many, margin=0.05, greater_is_better=True).status == "pass"


@pytest.mark.parametrize("beside", [{}, {"benchmark": ["x", "y"] * 20}])
def test_name_of_the_file_of_a_side_says_what_1_means(beside, tmp_path):
    sides = []
    for answers in ([0, 0, 0, 1] * 10, [0, 1, 1, 1] * 10):
        path = tmp_path / str(len(sides)) / "errors.csv"
        path.parent.mkdir()
        frame = pd.DataFrame({"item_id": [f"q{i}" for i in range(40)]} | beside | {"a": answers, "b": answers})
        path.write_text(frame.to_csv(index=False))
        sides.append(path)
    names = {"baseline_name": "a", "candidate_name": "a"}

    with pytest.raises(EvalstatsError, match="the name of the file says that lower is better"):
        gate(*sides, margin=0.05, **names)

    assert gate(*sides, margin=0.05, **names, greater_is_better=False).status == "fail"


def test_scores_of_questions_are_left_to_compare() -> None:
    old = {"question": ["q1", "q2", "q3"], "rating": [3, 4, 5]}

    with pytest.raises(TableError, match=r"baseline: .* 1 and 0\. For other scores .*evalstats\.compare"):
        gate(old, old | {"rating": [4, 4, 5]}, margin=0.2)


def test_fault_in_a_table_of_metrics_has_its_file_and_line(tmp_path: Path) -> None:
    """The rows were counted anew: 'the table, row 2' was line 3 of the file."""
    sides = tmp_path / "old.csv", tmp_path / "new.csv"
    sides[0].write_text("dataset,acc\niris,0.9\nwine,0.8\nzoo,0.7\n")
    sides[1].write_text("dataset,acc\niris,0.9\nwine,x\nzoo,0.7\n")

    with pytest.raises(TableError, match=r"candidate: new\.csv, line 3, column 'acc': 'x' is not a number"):
        evalstats.gate(*sides, margin=0.1)


@pytest.mark.parametrize(
    ("columns", "advice"),
    [
        ("predict,income\n" + "yes,no\nno,no\nyes,yes\n" * 4, "call the column 'income' 'y_true'"),
        ("input,accuracy,Duration\na,0.5,0.7\nb,0.8,0.6\n", "delete what is not compared, for example 'Duration'"),
        ("NB,SVM\n0.5,0.7\n0.8,0.6\n", "name the rows in a column 'dataset' or, if they are questions, 'item_id'"),
        ("income,PRE_1,PGR_1\n0,0.25,0\n1,0.75,1\n1,0.4,0\n", "name the rows in a column 'dataset' or"),
    ],
)
def test_advice_on_a_side_needs_no_option_that_a_gate_lacks(columns: str, advice: str, tmp_path: Path) -> None:
    """The last table is of SPSS: its 0 and 1 are labels, of which a gate would have counted 1 as correct."""
    (tmp_path / "old.csv").write_text(columns)

    with pytest.raises(TableError, match=rf"^baseline: .*; {advice}"):
        evalstats.gate(tmp_path / "old.csv", tmp_path / "old.csv", margin=0.1)


def test_labels_in_two_spellings_are_told() -> None:
    """The report of `compare` has the same note."""
    old, new = answers(OLD), answers(NEW)
    new |= {"y_true": [f"{label}.0" for label in new["y_true"]], "y_pred": [f"{label}.0" for label in new["y_pred"]]}

    result = gate(old, new, margin=0.1)

    assert result.tasks[0].to_dict() == gate(old, answers(NEW), margin=0.1).tasks[0].to_dict()
    (told,) = result.findings
    assert told.sentence == "'0.0', '1.0' are read as the labels '0', '1': the numbers are equal."
    assert told.sentence in report.text(result)


def test_questions_in_two_writings_are_told() -> None:
    old, new = ({"item_id": [f"{q}{i}" for i in range(9)], "correct": [1] * 9} for q in ("Q-", "q_"))

    with pytest.raises(EvalstatsError, match="'Q-0' and 'q_0' differ only in case"):
        gate(old, new, margin=0.1)


def test_unused_column_of_patients_is_a_warning_and_named_clusters_are_none() -> None:
    sides = [
        pd.DataFrame({"item_id": range(40), "patient": np.repeat(range(10), 4), "correct": [1, 1, 0, side] * 10})
        for side in (0, 1)
    ]

    plain, clustered = (evalstats.gate(*sides, margin=0.3, cluster=cluster) for cluster in (None, "patient"))

    assert [(one.code, one.severity) for one in plain.findings] == [("possible-clusters", "warning")]
    assert clustered.findings == ()


@pytest.mark.parametrize("column", ["correct", "m"])
def test_names_of_questions_that_begin_anew_in_each_task_are_no_clusters(column: str) -> None:
    sides = [
        pd.DataFrame({"task": ["x"] * 20 + ["y"] * 20, "doc_id": [*range(20)] * 2, column: [1, 1, 0, side] * 10})
        for side in (0, 1)
    ]

    assert evalstats.gate(*sides, margin=0.3, greater_is_better=None if column == "correct" else True).findings == ()
