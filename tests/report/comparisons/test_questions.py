"""The report of a comparison on questions says which population each answer is about."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest

import evalstats
from evalstats import report


def answers(n: int, n_samples: int = 2, benchmarks: tuple[str, ...] = ("law", "maths")) -> pd.DataFrame:
    rng = np.random.default_rng(n)
    rows = [
        (b, m, f"q{q}", s, int(rng.random() < p))
        for b in benchmarks
        for q in range(n)
        for m, p in (("good", 0.9), ("bad", 0.3), ("ugly", 0.3))
        for s in range(n_samples)
    ]
    return pd.DataFrame(rows, columns=["benchmark", "model", "question", "sample", "correct"])


def test_verdict_tells_the_two_populations_apart() -> None:
    verdict = evalstats.compare(answers(40)).verdict

    assert verdict.startswith(
        "On these 2 benchmarks, with the questions as the sample: of 3 pairs, 2 are shown to differ"
    )
    assert "good has the best accuracy" in verdict
    assert "and is better than all others" in verdict
    assert "For the population of similar benchmarks, with the benchmarks as the sample: " in verdict


def test_kinds_of_benchmarks_speak_of_models_and_benchmarks() -> None:
    """The tests over benchmarks are those of tables, but nobody speaks of classifiers and datasets here."""
    found = evalstats.compare(answers(40, benchmarks=tuple("abcdefg")))
    beside = found.verdict.partition("with the benchmarks as the sample: ")[2]

    assert beside.startswith("the 3 models do not all perform equally (Friedman test, p = ")
    assert "the sample, regardless of their numbers of questions. The 3 models do not" in " ".join(
        report.text(found).split()
    )
    assert "classifier" not in found.verdict
    assert "dataset" not in found.verdict


def test_differences_have_the_same_number_of_decimals() -> None:
    table = report.document(evalstats.compare(answers(40))).sections[1].blocks[0]
    decimals = {len(row[2].partition(".")[2]) for row in table.rows}

    assert decimals == {3}


def test_two_benchmarks_can_show_nothing_of_their_kind() -> None:
    verdict = evalstats.compare(answers(40)).verdict

    assert "2 benchmarks cannot show any difference" in verdict


def test_margin_is_asked_of_both_populations() -> None:
    """Ten benchmarks can show that a model is as good on their kind; two cannot."""
    many = answers(30, benchmarks=tuple("abcdefghij"))
    few, enough = (evalstats.compare(frame, margin=0.3) for frame in (answers(40), many))
    of_kind = [said.verdict.split("For the population of similar benchmarks, ")[1] for said in (few, enough)]

    assert of_kind[0].endswith(
        "With a margin of 0.3, the lower-ranked model of each of 3 pairs was tested against the other: "
        "in 3 it is undecided whether it is worse by more than the margin (one-sided Wilcoxon signed-rank test with "
        "Holm's "
        "method, family-wise α = 0.05). With 2 benchmarks, no p-value can be below 0.75, so a significant "
        "result needs 6 benchmarks."
    )
    assert "With a margin of 0.3" in of_kind[1]
    margins = enough.over_benchmarks.margins
    assert "not worse" in [pair.verdict for pair in margins.pairs]
    wide = many.groupby(["benchmark", "model"])["correct"].mean().unstack()
    by_hand = evalstats.compare(wide, margin=0.3, posthoc="wilcoxon").margins
    assert [pair.pvalue_noninferiority for pair in margins.pairs] == [
        pair.pvalue_noninferiority for pair in by_hand.pairs
    ]


def test_over_benchmarks_speaks_of_models_and_benchmarks_alone_too() -> None:
    """Its verdict stands in files of its own, where nothing else tells what the columns are."""
    over = evalstats.compare(answers(30, benchmarks=tuple("abcdefghij")), margin=0.01).over_benchmarks

    for said in (over.verdict, json.loads(report.json(over))["verdict"], report.document(over).title):
        assert "classifier" not in said
        assert "dataset" not in said
    assert "models on 10 benchmarks" in report.document(over).title


def test_margin_over_benchmarks_has_its_table() -> None:
    compared = evalstats.compare(answers(30, benchmarks=tuple("abcdefg")), margin=0.1)
    page = report.html(compared)

    assert 'id="margins-table-margins"' in page
    assert 'id="benchmarks-table-margins-over-benchmarks"' in page


def test_methods_cite_what_they_name() -> None:
    document = report.document(evalstats.compare(answers(60)))

    assert {"bell2002", "korn1998", "wilson1927"} <= set(document.cited)


def test_one_benchmark_is_named() -> None:
    assert evalstats.compare(answers(40, benchmarks=("law",))).verdict.startswith("On law: ")
    unnamed = answers(40, benchmarks=("law",)).drop(columns="benchmark")
    assert evalstats.compare(unnamed).verdict.startswith("On these questions: ")


@pytest.mark.parametrize(
    ("models", "words"),
    [(["good", "bad"], "good is better than bad"), (["ugly", "bad"], "no difference between ugly and bad is shown")],
)
def test_two_models(models: list[str], words: str) -> None:
    frame = answers(40)

    assert words in evalstats.compare(frame[frame["model"].isin(models)]).verdict


def test_control_is_named() -> None:
    verdict = evalstats.compare(answers(40), control="bad").verdict

    assert "good is better than the control, bad (cluster-robust t-tests" in verdict
    assert "ugly is not shown to differ from it." in verdict


def test_sections() -> None:
    document = report.document(evalstats.compare(answers(40)))

    assert document.title == "3 models on 80 questions of 2 benchmarks"
    assert [one.name for one in document.sections] == [
        "reading",
        "models",
        "pairs",
        "benchmarks",
        "variance",
        "design",
        "findings",
        "methods",
    ]


def test_without_samples_nothing_is_said_of_them() -> None:
    names = [one.name for one in report.document(evalstats.compare(answers(40, n_samples=1))).sections]

    assert "variance" not in names


def test_more_samples_help_where_the_variance_lies_within_questions() -> None:
    """All questions are equally hard: nothing of the variance is due to them."""
    text = report.text(evalstats.compare(answers(400, n_samples=5, benchmarks=("law",))))

    assert "0 %" in text.split("Effect of more samples")[1].split("lies between questions")[0]


def test_models_that_share_the_best_score_are_all_named() -> None:
    frame = answers(40)
    frame["correct"] = (frame["model"] != "ugly").astype(int)

    assert "bad has, like good, the best accuracy (1.000, 95 % interval" in evalstats.compare(frame).verdict


def test_nobody_is_called_the_best_where_nothing_is_shown() -> None:
    verdict = evalstats.compare(answers(40).assign(correct=1)).verdict

    assert "no difference between any two of the 3 models is shown" in verdict
    assert "best" not in verdict


def test_one_cluster_shows_nothing_and_says_so() -> None:
    frame = answers(40, benchmarks=("law",)).assign(passage="p")
    comparison = evalstats.compare(frame, cluster="passage")
    said = {finding.code: finding.sentence for finding in comparison.findings}

    assert said["few-clusters"].startswith("All questions belong to one cluster")
    assert said["clusters-found"].endswith("40 questions in 1 cluster.")
    assert not any(pair.different for pair in comparison.pairs)


@pytest.mark.parametrize("n_benchmarks", [3, 7])
def test_what_holds_for_benchmarks_speaks_of_benchmarks(n_benchmarks):
    """Notes, captions and methods; names with these words in them stay what they are."""
    right = np.random.default_rng(3).random((3, n_benchmarks * 20)) < 0.6
    benchmarks = [f"datasets {i}" for i in range(n_benchmarks)]
    table = {
        "model": np.repeat(["datasets-1", "classifier", "c"], right.shape[1]).tolist(),
        "benchmark": np.repeat(benchmarks, 20).tolist() * 3,
        "question_id": [*range(right.shape[1])] * 3,
        "correct": right.astype(int).ravel().tolist(),
    }
    over = evalstats.compare(table).over_benchmarks

    told = [repr(report.document(over, with_scores=True)), over.verdict]
    told += [report.markdown(over, part=part) for part in ("sentence", "scores", "ranks", "pairs", "figure")]
    for text in told:
        without_names = re.sub(r"datasets [0-9]|datasets-1|\bclassifier\b|n_classifiers=", "", text)
        assert re.findall(".{20}(?:[Cc]lassifier|[Dd]ataset).{20}", without_names) == []
    assert "datasets-1" in told[0]
    assert "of which these benchmarks are a random sample" in told[0]
    assert "compare the answers to the questions instead" not in told[0]
