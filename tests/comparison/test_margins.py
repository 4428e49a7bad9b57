"""The verdict up to a margin, for each design that a comparison can have."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import evalstats
from evalstats import EvalstatsError, adjust_pvalues, clustered_ttest, compare, noninferiority_test
from evalstats.comparison.margins import verdicts_of
from evalstats.comparison.supplements import VERDICTS
from evalstats.comparison.validity import against_margin
from evalstats.paired.accuracy_noninferiority import AccuracyPair
from evalstats.paired.shifted_scores import expecting_another_cluster

RNG = np.random.default_rng(17)
BASE = RNG.uniform(0.6, 0.9, 30)
SCORES = np.stack([BASE, BASE + RNG.normal(0, 0.004, 30), BASE - 0.05, BASE + RNG.normal(-0.012, 0.03, 30)], axis=1)
NAMES = ("old", "alike", "bad", "unsure")
N = 600
TRUE = RNG.integers(0, 2, N)
SCORE = {name: TRUE + RNG.normal(0, spread, N) for name, spread in (("a", 0.5), ("b", 0.52), ("c", 1.5))}


def over_datasets(**choices):
    table = {"dataset": [f"d{i}" for i in range(30)], **dict(zip(NAMES, SCORES.T.tolist(), strict=True))}
    return compare(table, **choices)


def predictions(metric, **choices):
    table = {
        "dataset": ["test"] * 3 * N,
        "classifier": np.repeat(list(SCORE), N).tolist(),
        "row": [*range(N)] * 3,
        "y_true": TRUE.tolist() * 3,
        "y_pred": [int(s > 0.5) for values in SCORE.values() for s in values],
        "y_score": [float(s) for values in SCORE.values() for s in values],
    }
    return compare(evalstats.read_predictions(table), metric=metric, **choices)


def test_four_verdicts_comparison_with_control():
    margins = over_datasets(control="old", margin=0.01).margins

    assert {pair.classifier: pair.verdict for pair in margins.pairs} == {
        "alike": "not worse", "bad": "worse", "unsure": "undecided",
    }  # fmt: skip
    assert margins.classifiers("worse") == ("bad",)
    assert margins.classifiers("better") == ()


def test_better_is_what_the_comparison_shows_to_be_better():
    comparison = over_datasets(control="bad", margin=0.01)

    for pair in comparison.margins.pairs:
        assert pair.verdict == "better"
        assert comparison.pair(pair.classifier, "bad").different


def test_pvalues_are_those_of_the_test_adjusted_for_the_family():
    margins = over_datasets(control="old", margin=0.01).margins
    raw = [
        noninferiority_test(SCORES[:, NAMES.index(pair.classifier)], SCORES[:, 0], margin=0.01)
        for pair in margins.pairs
    ]

    assert margins.adjustment == "holm"
    assert [p.pvalue_noninferiority for p in margins.pairs] == pytest.approx(
        adjust_pvalues([r.pvalue for r in raw], "holm")
    )
    assert [p.smallest_margin for p in margins.pairs] == pytest.approx([r.smallest_margin() for r in raw])
    assert margins.test == "wilcoxon"


@pytest.mark.parametrize(
    ("choices", "test"),
    [({"posthoc": "sign"}, "sign"), ({"posthoc": "paired-t"}, "paired-t"), ({"posthoc": "tukey"}, "paired-t")],
)
def test_margin_follows_the_test_of_the_pairs(choices, test):
    varied = dict(zip(NAMES, (SCORES + RNG.normal(0, 1e-3, SCORES.shape)).T.tolist(), strict=True))

    assert compare(varied, margin=0.01, **choices).margins.test == test


def test_margin_follows_the_test_that_replaces_another():
    """One classifier is behind by the same amount everywhere: no t-test of it has a p-value."""
    assert over_datasets(margin=0.01, posthoc="paired-t").margins.test == "wilcoxon"


def test_without_a_control_the_lower_ranked_one_is_asked():
    comparison = over_datasets(margin=0.01)
    place = {name: i for i, name in enumerate(comparison.ranking)}

    assert len(comparison.margins.pairs) == 6
    assert all(place[pair.classifier] > place[pair.reference] for pair in comparison.margins.pairs)


def test_a_loss_turns_around_the_interval_and_keeps_the_verdict():
    gain = over_datasets(control="old", margin=0.01).margins
    table = {"dataset": [f"d{i}" for i in range(30)], **dict(zip(NAMES, (1 - SCORES).T.tolist(), strict=True))}
    loss = compare(table, control="old", margin=0.01, greater_is_better=False).margins

    for a, b in zip(gain.pairs, loss.pairs, strict=True):
        assert (a.classifier, a.verdict) == (b.classifier, b.verdict)
        assert (b.difference, b.low, b.high) == pytest.approx((-a.difference, -a.high, -a.low))
        assert b.smallest_margin == pytest.approx(a.smallest_margin)


def test_missing_scores_leave_out_datasets_of_a_pair():
    scores = SCORES.copy()
    scores[:4, 1] = np.nan

    pair = compare(scores, control="classifier 1", margin=0.01, missing="skillings-mack").margins.pairs[0]

    expected = noninferiority_test(SCORES[4:, 1], SCORES[4:, 0], margin=0.01)
    assert pair.classifier == "classifier 2"
    assert pair.difference == pytest.approx(expected.difference)


def test_folds_are_tested_by_the_corrected_t():
    rng = np.random.default_rng(3)
    folds = rng.normal([0.80, 0.803], 0.01, (10, 2))
    rows = [("d", name, i, 90, 10, folds[i, j]) for i in range(10) for j, name in enumerate("ab")]
    columns = ("dataset", "classifier", "fold", "n_train", "n_test", "accuracy")
    comparison = compare(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)), control="b", margin=0.05)
    expected = noninferiority_test(*folds.T, margin=0.05, test="corrected-t", n_train=90, n_test=10)

    (pair,) = comparison.margins.pairs

    assert comparison.margins.test == "corrected-t"
    assert pair.pvalue_noninferiority == pytest.approx(expected.pvalue, rel=1e-9)


def test_cases_are_tested_by_what_compares_them():
    """Accuracies by the score test, areas by DeLong's, other metrics by the bootstrap."""
    right = {name: (values > 0.5) == TRUE for name, values in SCORE.items()}
    expected = {
        "accuracy": lambda n: noninferiority_test(right[n], right["a"], margin=0.05, test="accuracy").pvalue,
        "roc_auc": lambda n: noninferiority_test(SCORE[n], SCORE["a"], y_true=TRUE, margin=0.05, test="auc").pvalue,
    }
    for metric, pvalue in expected.items():
        margins = predictions(metric, control="a", adjust="none", margin=0.05).margins
        assert {p.classifier: p.pvalue_noninferiority for p in margins.pairs} == pytest.approx(
            {n: pvalue(n) for n in "bc"}
        )
    margins = predictions("f1", control="a", adjust="none", margin=0.05, n_resamples=199, rng=3).margins
    of_b = noninferiority_test(
        SCORE["b"] > 0.5, SCORE["a"] > 0.5, y_true=TRUE, margin=0.05, metric="f1", n_resamples=199, rng=3, test="metric"
    )
    assert {p.classifier: p.pvalue_noninferiority for p in margins.pairs}["b"] == pytest.approx(of_b.pvalue, abs=0.03)


def test_error_rate_is_the_mirror_of_accuracy():
    gain, loss = (predictions(metric, control="a", margin=0.05).margins for metric in ("accuracy", "error_rate"))

    for a, b in zip(gain.pairs, loss.pairs, strict=True):
        assert (a.classifier, a.verdict) == (b.classifier, b.verdict)
        assert b.difference == pytest.approx(-a.difference)
        assert b.high == pytest.approx(-a.low)


def test_percentages_have_margins_in_percentage_points():
    table = {"dataset": [f"d{i}" for i in range(30)], **dict(zip(NAMES, (100 * SCORES).T.tolist(), strict=True))}

    assert [p.verdict for p in compare(table, control="old", margin=1).margins.pairs] == [
        p.verdict for p in over_datasets(control="old", margin=0.01).margins.pairs
    ]


def test_verdicts_are_not_two_at_a_time():
    """Whatever the table, a classifier is not both worse and not worse."""
    rng = np.random.default_rng(5)
    tables = rng.integers(0, 40, (50, 2, 2)) + 1
    problems = [AccuracyPair(table, "score") for table in tables]

    found = [against_margin(problem, 0.1, 0.05) for problem in problems]

    pvalues, verdicts = verdicts_of(found, 0.05, "holm", [False] * 50)

    assert not ((pvalues <= 0.05).all(axis=0)).any()
    assert set(verdicts) <= set(VERDICTS)


def test_nothing_is_tested_without_a_margin():
    assert over_datasets().margins is None


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"margin": 1}, r"write 0\.01"),
        ({"margin": -0.1}, "margin must be larger than 0"),
        ({"margin": 0.01, "alpha": 0.6}, r"alpha must be below 0\.5 with a margin"),
    ],
)
def test_messages(choices, message):
    with pytest.raises(EvalstatsError, match=message):
        over_datasets(**choices)


def test_too_many_pairs_want_a_control():
    scores = np.random.default_rng(1).random((5, 30))
    with pytest.raises(EvalstatsError, match=r"too long for 435 pairs .* name a control"):
        compare(scores, margin=0.1)


def test_unknown_verdict_is_refused():
    with pytest.raises(EvalstatsError, match="verdict must be 'better' or 'not worse'"):
        over_datasets(control="old", margin=0.01).margins.classifiers("good")


def questions(n_passages: int, margin: float, **choices):
    """Three models on two benchmarks: alike but for noise, and one much worse."""
    rng = np.random.default_rng(n_passages)
    n = 8 * n_passages
    ease = np.repeat(rng.uniform(0.4, 0.9, 2 * n_passages), 4)
    right = {"old": rng.random(n) < ease, "new": rng.random(n) < ease, "bad": rng.random(n) < ease - 0.35}
    right["new"] = np.where(rng.random(n) < 0.9, right["old"], right["new"])
    table = {
        "model": np.repeat(list(right), n).tolist(),
        "benchmark": np.repeat(["x", "y"], n // 2).tolist() * 3,
        "question_id": [*range(n)] * 3,
        "passage": np.repeat(np.arange(2 * n_passages), 4).tolist() * 3,
        "correct": np.concatenate(list(right.values())).astype(int).tolist(),
    }
    return compare(table, margin=margin, **choices)


@pytest.mark.parametrize("n_passages", [150, 8])
def test_questions_are_tested_in_their_clusters_and_benchmarks(n_passages):
    """T of the clusters, strata and average, with one question that differs in its variance; beside unseen clusters."""
    comparison = questions(n_passages, 0.1, control="old")
    items = comparison.table._items
    at = comparison.table.position

    margins = comparison.margins
    assert margins.test == "clustered-t"
    n, unseen = 4 * n_passages, (n_passages * 4**2) / (4 * n_passages) ** 3 / 4
    raw = []
    for pair in margins.pairs:
        x, y = items.scores[:, at(pair.classifier)], items.scores[:, at(pair.reference)]
        alone = clustered_ttest(x, y, clusters=items.cluster, strata=items.benchmark, average="macro")
        error = np.sqrt(alone.standard_error**2 + unseen)
        of_design = {"clusters": items.cluster, "strata": items.benchmark, "average": "macro"}
        leads = expecting_another_cluster(x, y, **of_design).leads
        raw.append(max(stats.t.sf((alone.mean_difference + 0.1) / error, alone.df), leads.pvalue(-0.1, "greater")))
        half = stats.t.isf(0.05, alone.df) * error
        assert alone.n_instances == 2 * n
        limits = leads.limits(0.05, (pair.difference - half, pair.difference + half))
        assert (pair.low, pair.high) == pytest.approx(limits, rel=1e-9, abs=1e-12)
        assert pair.smallest_margin == pytest.approx(max(-limits[0], 0), rel=1e-9)
    expected = adjust_pvalues(raw, "holm")
    assert [pair.pvalue_noninferiority for pair in margins.pairs] == pytest.approx(expected, rel=1e-7)


@pytest.mark.long
@pytest.mark.parametrize(("n_clusters", "most"), [(8, 16), (30, 16)])
def test_margins_of_few_uneven_clusters_keep_their_level(n_clusters, most):
    """.95 and .90 right at a margin of .05: 5 % of 150 are shown; plain t, or signs, show .13 and more."""
    generator, n_shown = np.random.default_rng(2), 0
    for _ in range(150):
        cluster = np.repeat(
            np.arange(n_clusters), np.maximum(1, np.exp(generator.normal(2, 1, n_clusters)).astype(int))
        )
        hard = generator.normal(size=(2, n_clusters))[:, cluster] + generator.normal(size=(2, cluster.size))
        right = hard < np.sqrt(2) * stats.norm.ppf([[0.95], [0.90]])
        table = {
            "model": ["old"] * cluster.size + ["new"] * cluster.size,
            "question_id": [*range(cluster.size)] * 2,
            "passage": cluster.tolist() * 2,
            "correct": right.astype(int).ravel().tolist(),
        }
        found = compare(table, control="old", margin=0.05, n_resamples=99).margins
        n_shown += found.classifiers("not worse") == ("new",)

    assert n_shown <= most


def rows_of(comparison, name, scores):
    """Return the answers to questions once more, with other scores of shape (n_items, n_models)."""
    items = comparison.table._items
    return {
        "model": np.repeat(comparison.table.classifiers, len(items.questions)).tolist(),
        "benchmark": np.array(["x", "y"])[items.benchmark].tolist() * 3,
        "question_id": [*items.questions] * 3,
        "passage": items.cluster.tolist() * 3,
        name: scores.T.ravel().tolist(),
    }


def test_questions_of_any_unit_expect_a_question_that_differs_as_much_as_any():
    """Scores in percent have the same p-values as shares, whose largest difference is 1."""
    comparison = questions(8, 0.1, control="old")
    percent = rows_of(comparison, "points", 100 * comparison.table._items.scores)

    found = compare(percent, control="old", margin=10, score="points").margins

    for pair, other in zip(found.pairs, comparison.margins.pairs, strict=True):
        assert (pair.classifier, pair.verdict) == (other.classifier, other.verdict)
        assert pair.pvalue_noninferiority == pytest.approx(other.pvalue_noninferiority, rel=1e-9)
        assert pair.low == pytest.approx(100 * other.low, rel=1e-9)


def test_questions_have_the_four_fold_verdict():
    verdicts = {pair.classifier: pair.verdict for pair in questions(150, 0.1, control="old").margins.pairs}

    assert verdicts == {"new": "not worse", "bad": "worse"}
    assert questions(8, 0.01, control="old").margins.classifiers("undecided") == ("new",)
    turned = questions(150, 0.1, control="bad").margins
    assert set(turned.classifiers("better")) == {"old", "new"}


def test_losses_of_questions_are_mirrored():
    comparison = questions(150, 0.1, control="old")
    loss = rows_of(comparison, "loss", 1 - comparison.table._items.scores)

    mirrored = compare(loss, control="old", margin=0.1, score="loss", greater_is_better=False)

    for pair, other in zip(comparison.margins.pairs, mirrored.margins.pairs, strict=True):
        assert (other.classifier, other.verdict) == (pair.classifier, pair.verdict)
        assert (other.difference, other.low) == pytest.approx((-pair.difference, -pair.high), rel=1e-9)


def test_reports_of_questions_tell_the_margin():
    comparison = questions(150, 0.1, control="old")

    assert (
        "; bad is shown to be worse than old by more than the margin (one-sided cluster-robust t-test"
        in comparison.verdict
    )
    for style in (evalstats.report.markdown, evalstats.report.html, evalstats.report.latex):
        assert "Noninferiority" in style(comparison)
    words = (
        "300 clusters do not necessarily include all kinds of clusters. Therefore, the variance includes one "
        "additional cluster"
    )
    assert words in evalstats.report.text(comparison, width=10_000)
