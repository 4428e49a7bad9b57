"""What follows for models on questions is what the tests of clusters say, and both populations are told apart."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import pytest

import evalstats
from evalstats import InvalidValueError, clustered_ttest, compare
from evalstats.metrics import clustered_mean
from evalstats.paired import betting_test, clustered_permutation_test
from evalstats.pairwise import pairwise_betting_test, pairwise_clustered_ttest, pairwise_max_t_test

MODELS = ("alpha", "beta", "gamma")


def answers(
    n_passages: int, n_samples: int = 3, benchmarks: tuple[str, ...] = ("law", "maths", "reading")
) -> pd.DataFrame:
    rng = np.random.default_rng(n_passages)
    rows = []
    for benchmark in ("law", "maths", "reading"):
        for passage in range(n_passages):
            shared = rng.normal()
            for question in range(4):
                ease = shared + rng.normal()
                for model, skill in zip(MODELS, (0.2, 0.9, 1.0), strict=True):
                    for sample in range(n_samples):
                        right = int(ease + skill + rng.logistic() > 0)
                        rows.append(
                            (benchmark, model, f"{passage}.{question}", f"{benchmark} {passage}", sample, right)
                        )
    return pd.DataFrame(rows, columns=["benchmark", "model", "question_id", "passage", "sample", "correct"])


MANY, FEW = answers(20), answers(4)


def by_question(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.groupby(["benchmark", "passage", "question_id", "model"])["correct"].mean().unstack()


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_models_are_those_of_the_clustered_mean(average: str) -> None:
    comparison, wide = compare(MANY, average=average), by_question(MANY)

    for model in comparison.models:
        expected = clustered_mean(
            wide[model.classifier].to_numpy(),
            clusters=wide.index.get_level_values("passage").to_numpy(),
            strata=wide.index.get_level_values("benchmark").to_numpy(),
            average=average,
        )
        assert model.score == pytest.approx(expected.estimate, rel=1e-12)
        assert model.standard_error == pytest.approx(expected.standard_error, rel=1e-12)
        assert (model.low, model.high) == pytest.approx(tuple(expected.confidence_interval()), rel=1e-10)
    assert comparison.ranking == tuple(model.classifier for model in comparison.models)


def test_pairs_are_those_of_the_clustered_t_tests_with_holm() -> None:
    comparison, wide = compare(MANY), by_question(MANY)
    groups, strata = (wide.index.get_level_values(name).to_numpy() for name in ("passage", "benchmark"))

    expected = pairwise_clustered_ttest(wide.to_numpy(), clusters=groups, strata=strata, average="macro")

    assert comparison.pair_test == "clustered_ttest"
    for pair in comparison.pairs:
        i, j = (list(wide.columns).index(name) for name in (pair.first, pair.second))
        assert pair.pvalue == pytest.approx(expected.pvalue[i, j], rel=1e-9)
        assert pair.difference == pytest.approx(expected.mean_difference[i, j], rel=1e-9)
        assert pair.df == pytest.approx(expected.df[i, j], rel=1e-9)
        assert pair.different == (pair.pvalue <= 0.05)
        assert pair.n_wins + pair.n_ties + pair.n_losses == len(wide)
        assert np.mean([one.difference for one in pair.benchmarks]) == pytest.approx(pair.difference, abs=1e-12)


@pytest.mark.parametrize(("frame", "control"), [(MANY, None), (MANY, "alpha"), (FEW, None)])
def test_max_t_is_that_of_the_clusters(frame: pd.DataFrame, control: str | None) -> None:
    comparison, wide = compare(frame, posthoc="max-t", control=control, n_resamples=999, rng=4), by_question(frame)
    groups, strata = (wide.index.get_level_values(name).to_numpy() for name in ("passage", "benchmark"))

    expected = pairwise_max_t_test(
        wide, clusters=groups, strata=strata, average="macro", control=control, n_resamples=999, rng=4
    )

    assert (comparison.pair_test, comparison.adjustment) == ("pairwise_max_t_test", "single-step")
    for pair in comparison.pairs:
        found = expected[pair.first, pair.second]
        assert (pair.pvalue, pair.statistic) == pytest.approx((found.pvalue, found.statistic), rel=1e-9)
        assert pair.unadjusted_pvalue <= pair.pvalue
        usual = compare(frame, control=control).pair(pair.first, pair.second)
        assert (pair.difference, pair.low, pair.high) == (usual.difference, usual.low, usual.high)
    assert "seed 4" in " ".join(finding.sentence for finding in comparison.findings)
    assert "cluster-wise step-down max-T test" in " ".join(evalstats.report.text(comparison).split())


@pytest.mark.parametrize("frame", [MANY, FEW, MANY.drop(columns="passage")])
def test_range_is_the_randomized_tukey_test_of_the_clusters(frame: pd.DataFrame) -> None:
    """`compare` gives the p-values of the function, and names the test and its permutations."""
    comparison, wide = compare(frame, posthoc="range", n_resamples=499, rng=4), by_question(MANY)
    if frame is FEW:
        wide = by_question(FEW)
    groups, strata = (wide.index.get_level_values(name).to_numpy() for name in ("passage", "benchmark"))
    has_clusters = "passage" in frame
    expected = pairwise_max_t_test(
        wide,
        clusters=groups if has_clusters else None,
        strata=strata,
        average="macro",
        method="range",
        n_resamples=499,
        rng=4,
    )

    assert (comparison.pair_test, comparison.adjustment) == ("range", "single-step")
    for pair in comparison.pairs:
        found = expected[pair.first, pair.second]
        assert (pair.pvalue, pair.statistic) == pytest.approx((found.pvalue, found.statistic), rel=1e-9)
    told = " ".join(evalstats.report.text(comparison).split())
    assert "randomized Tukey HSD test" in told
    assert f"499 random permutations within {'clusters' if has_clusters else 'questions'} (seed 4)" in told
    assert "permutes the models within each cluster" in " ".join(
        evalstats.report.text(comparison, part="methods").split()
    )
    with pytest.raises(InvalidValueError, match="does not support a control"):
        compare(frame, posthoc="range", control="alpha")


def test_max_t_of_very_few_clusters_says_what_it_cannot_show() -> None:
    comparison = compare(FEW[FEW["passage"].isin(["law 0", "law 1"])], posthoc="max-t")

    assert comparison.validity.min_attainable_pvalue == comparison.min_attainable_pvalue == 0.5
    assert not comparison.significant


def test_few_clusters_are_tested_by_their_signs() -> None:
    comparison, wide = compare(FEW), by_question(FEW)
    groups, strata = (wide.index.get_level_values(name).to_numpy() for name in ("passage", "benchmark"))

    assert (comparison.n_clusters, comparison.pair_test) == (12, "clustered_permutation_test")
    for pair in comparison.pairs:
        x, y = wide[pair.first].to_numpy(), wide[pair.second].to_numpy()
        expected = clustered_permutation_test(x, y, clusters=groups, strata=strata, average="macro")
        assert pair.unadjusted_pvalue == expected.pvalue
        assert (pair.low, pair.high) == pytest.approx(tuple(expected.confidence_interval()), rel=1e-12)
    assert comparison.min_attainable_pvalue > 0
    assert "few-clusters" in [finding.code for finding in comparison.findings]


def in_clusters(sizes: list[int], benchmark: list[str] | None = None) -> Any:
    """Return right and wrong answers of two equal models, with clusters of the given sizes."""
    rng = np.random.default_rng(3)
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    own = {} if benchmark is None else {"benchmark": np.repeat(benchmark, sizes)}
    return pd.concat(
        pd.DataFrame(
            {
                "question_id": [f"q{j}" for j in range(cluster.size)],
                "passage": [f"p{c}" for c in cluster],
                "model": model,
                "correct": (rng.normal(size=len(sizes))[cluster] + rng.normal(size=cluster.size) < 1).astype(int),
                **own,
            }
        )
        for model in "AB"
    )


@pytest.mark.parametrize(
    ("sizes", "test", "words"),
    [
        ([5] * 20, "clustered_ttest", None),
        (
            [5] * 19,
            "clustered_permutation_test",
            "With 19 clusters, the variance of a mean is uncertain: the test permutes the signs of the clusters",
        ),
        (
            [3] * 29 + [57],
            "clustered_permutation_test",
            "The 30 clusters have unequal sizes and count as 5.9 clusters of equal size, so the variance of a mean is",
        ),
        (
            [1] * 198 + [100] * 2,
            "clustered_permutation_test",
            "The 200 clusters have unequal sizes and count as 7.8 clusters of equal size",
        ),
        ([1, 3] * 20, "clustered_ttest", None),
    ],
)
def test_effective_clusters_choose_the_test(sizes: list[int], test: str, words: str | None) -> None:
    comparison = compare(in_clusters(sizes))

    said = [finding.sentence for finding in comparison.findings if finding.code == "few-clusters"]
    assert comparison.pair_test == test
    assert (comparison.pairs[0].df is None) == (test == "clustered_permutation_test")
    assert len(said) == (words is not None)
    assert all(sentence.startswith(words) for sentence in said)


def test_benchmark_of_one_cluster_is_tested_by_signs() -> None:
    """Its variance cannot be estimated, so t has no p-value."""
    comparison = compare(in_clusters([5] * 30, ["law"] * 29 + ["maths"]))

    said = {finding.code: finding.sentence for finding in comparison.findings}["few-clusters"]
    assert comparison.pair_test == "clustered_permutation_test"
    assert said.startswith(
        "A benchmark has a single cluster, so the variance between its clusters is unknown: the test permutes the "
        "signs of the clusters"
    )
    assert 0 < comparison.pairs[0].pvalue <= 1


def test_control_is_compared_with_each_other() -> None:
    comparison = compare(MANY, control="beta")

    assert {(pair.first, pair.second) for pair in comparison.pairs} == {("alpha", "beta"), ("gamma", "beta")}
    raw = [pair.unadjusted_pvalue for pair in comparison.pairs]
    assert [pair.pvalue for pair in comparison.pairs] == pytest.approx(evalstats.adjust_pvalues(raw, "holm").tolist())


def test_two_models_need_no_adjustment() -> None:
    frame = MANY[MANY["model"] != "alpha"]
    comparison, wide = compare(frame), by_question(frame)

    expected = clustered_ttest(
        wide["gamma"].to_numpy(),
        wide["beta"].to_numpy(),
        clusters=wide.index.get_level_values("passage").to_numpy(),
        strata=wide.index.get_level_values("benchmark").to_numpy(),
        average="macro",
    )
    assert comparison.adjustment == "none"
    assert comparison.pairs[0].pvalue == pytest.approx(expected.pvalue, rel=1e-10)


def test_benchmarks_of_this_kind_are_a_comparison_of_their_own() -> None:
    comparison = compare(MANY)

    assert comparison.over_benchmarks.table.datasets == ("law", "maths", "reading")
    assert comparison.over_benchmarks.omnibus.pvalue == compare(comparison.over_benchmarks.table).omnibus.pvalue
    assert "few-benchmarks" in [finding.code for finding in comparison.findings]
    assert compare(MANY[MANY["benchmark"] == "law"]).over_benchmarks is None


def test_share_between_questions_is_that_of_the_analysis_of_variance() -> None:
    """Balanced: (MSB - MSW) / (MSB + (m - 1) MSW), with the benchmark as a fixed effect."""
    frame = MANY[MANY["model"] == "beta"]
    m = 3
    cells = frame.groupby(["benchmark", "question_id"])["correct"]
    mean_of = cells.mean()
    between = m * ((mean_of - mean_of.groupby("benchmark").transform("mean")) ** 2).sum() / (len(mean_of) - 3)
    within = (cells.var(ddof=1)).mean()

    share = next(model for model in compare(MANY).models if model.classifier == "beta").intraclass_correlation

    assert share == pytest.approx((between - within) / (between + (m - 1) * within), rel=1e-10)


def test_one_answer_each_has_no_variance_within() -> None:
    comparison = compare(answers(20, n_samples=1))

    assert np.isnan([model.intraclass_correlation for model in comparison.models]).all()


def test_losses_are_better_where_they_are_smaller() -> None:
    frame = MANY.assign(loss=1 - MANY["correct"]).drop(columns="correct")

    comparison = compare(frame, score="loss")

    assert comparison.ranking == compare(MANY).ranking
    assert comparison.pairs[0].difference < 0
    assert comparison.pairs[0].n_wins > comparison.pairs[0].n_losses


def test_equal_models_are_not_different() -> None:
    frame = MANY[MANY["model"] != "alpha"].copy()
    frame["correct"] = (frame["question_id"].str.len() + frame["sample"]) % 2

    comparison = compare(frame)

    assert (comparison.pairs[0].pvalue, comparison.significant) == (1, False)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"posthoc": "nemenyi"}, "answers to questions"),
        ({"omnibus": "quade"}, "answers to questions"),
        ({"margin": 1}, "if 1 means percentage points, write 0.01"),
        ({"margin": -0.1}, "margin must be larger than 0"),
        ({"margin": 0.1, "alpha": 0.5}, "alpha must be below 0.5 with a margin"),
        ({"rope": 0.1}, "rope cannot be used for answers to questions"),
        ({"robustness": True}, "robustness cannot be used for answers to questions"),
        ({"average": "mean"}, "average must be 'macro' or 'micro', not 'mean'"),
        ({"control": "delta"}, "control must be one of 'alpha', 'beta', 'gamma', not 'delta'"),
        ({"adjust": "mine"}, "adjust must be"),
        ({"posthoc": "max-t", "adjust": "holm"}, "adjust cannot be combined with posthoc='max-t'"),
    ],
)
def test_choices_that_do_not_fit_are_refused(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compare(MANY, **choices)


def test_average_belongs_to_questions() -> None:
    with pytest.raises(ValueError, match="average is for answers to questions"):
        compare(evalstats.example_table("demsar-2006"), average="macro")


def test_several_metrics_are_compared_one_at_a_time() -> None:
    with pytest.raises(ValueError, match=r"metric must be accuracy for answers .*, not 'strict'"):
        compare({"strict": MANY, "flexible": MANY}, metric=["strict", "flexible"], greater_is_better=True)


# --- betting ----------------------------------------------------------------------------------------------------------


def batch(n: int, **columns: Any) -> pd.DataFrame:
    """Return the answers of three models to the first n of 1240 questions, in a row for each question."""
    right = np.random.default_rng(1).random((1240, 3)) < [0.85, 0.75, 0.74]
    frame = pd.DataFrame(right[:n].astype(int), columns=["A", "B", "C"])
    frame.insert(0, "question_id", [f"q{number}" for number in range(n)])
    return frame.melt("question_id", var_name="model", value_name="correct")


@pytest.mark.parametrize("adjust", [None, "e-bh"])
@pytest.mark.parametrize("control", [None, "B"])
def test_betting_is_that_of_the_questions_in_the_order_of_their_names(adjust: str | None, control: str | None) -> None:
    rows = batch(1240)
    wide = np.random.default_rng(1).random((1240, 3)) < [0.85, 0.75, 0.74]
    at = None if control is None else 1
    expected = pairwise_betting_test(wide, control=at, adjust=adjust or "e-holm")

    comparison = compare(rows.sample(frac=1, random_state=3), posthoc="betting", adjust=adjust, control=control)

    assert (comparison.design, comparison.pair_test) == ("questions", "pairwise_betting_test")
    assert comparison.adjustment == (adjust or "e-holm")
    for pair in comparison.pairs:
        i, j = ("ABC".index(name) for name in (pair.first, pair.second))
        place = (i, j) if control is None else (i if pair.second == control else j,)
        assert pair.pvalue == pytest.approx(expected.pvalue[place], rel=1e-9)
        assert pair.statistic == pytest.approx(expected.e_value[place], rel=1e-9)
        assert pair.different == expected.rejected[place]
        limits = betting_test(wide[:, i], wide[:, j]).confidence_interval()
        assert (pair.low, pair.high) == pytest.approx((limits.low, limits.high), abs=1e-9)


def test_steps_of_clusters_and_benchmarks_are_their_means() -> None:
    """A step is the mean of the next cluster of each benchmark, as far as the benchmark with the fewest reaches."""
    wide = by_question(MANY)
    rows = MANY[(MANY["benchmark"] != "law") | ~MANY["passage"].isin(["law 3", "law 7"])]
    means = by_question(rows).groupby(["benchmark", "passage"]).mean()
    number = [int(passage.split()[1]) for _, passage in means.index]
    means = means.iloc[np.argsort(number, kind="stable")]
    parts = [part.to_numpy() for _, part in means.groupby("benchmark")]
    n = min(map(len, parts))
    expected = pairwise_betting_test(np.mean([part[:n] for part in parts], axis=0))

    comparison = compare(rows, posthoc="betting")

    assert [len(part) for part in parts] == [18, 20, 20]
    for pair in comparison.pairs:
        i, j = (list(wide.columns).index(name) for name in (pair.first, pair.second))
        assert pair.statistic == pytest.approx(expected.e_value[i, j], rel=1e-9)
    assert any("of any size, from each benchmark" in one.sentence for one in comparison.findings)


def test_verdict_of_betting_names_the_stopping_time_and_the_price() -> None:
    holm, bh = (evalstats.report.sentence(compare(batch(600), posthoc="betting", adjust=one)) for one in (None, "e-bh"))

    assert "valid at any stopping time" in holm
    assert "The test has less power than a test with a fixed number of questions." in holm
    assert "may withdraw" in bh
    assert "may withdraw" not in holm


def test_saved_report_of_betting_is_verified() -> None:
    told = evalstats.report.json(compare(batch(300), posthoc="betting", control="A"))

    assert evalstats.verify_report(io.StringIO(told)).status == "verified"


def test_script_in_r_leaves_out_the_pairs() -> None:
    script = evalstats.report.r_script(compare(batch(100), posthoc="betting"))

    assert "base R has no tests by betting" in script


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        (batch(50), {"adjust": "holm"}, "adjust must be 'e-holm' or 'e-bh', not 'holm'"),
        (batch(50), {"margin": 0.1}, "margin cannot be combined with .*betting'; .* use gate.anytime=True."),
        (
            batch(50).assign(correct=lambda rows: rows["correct"] * 3.0),
            {},
            "requires scores between 0 and 1, but the scores contain 3",
        ),
        (MANY, {"average": "micro"}, "requires average='macro' over benchmarks"),
        (
            batch(200).assign(correct=lambda rows: (rows["question_id"].str[1:].astype(int) > 100).astype(int)),
            {},
            "requires questions in random order, but the correct answers of 'A' come last",
        ),
    ],
)
def test_what_betting_cannot_take_is_named(frame: pd.DataFrame, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        compare(frame, posthoc="betting", **options)


def test_betting_is_for_questions() -> None:
    with pytest.raises(InvalidValueError, match="posthoc='betting' is for answers to questions"):
        compare(evalstats.example_table("demsar-2006"), posthoc="betting")
