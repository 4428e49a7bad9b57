"""evalstats plan says what plan_design says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from click.testing import Result

import evalstats
from evalstats import report
from evalstats.design import plan_design, plan_margin
from evalstats.design.questions import pilot_variance

PROGRAM = [sys.executable, "-m", "evalstats"]


@pytest.fixture(scope="module")
def planned(run) -> Callable[[str], Result]:
    """Call the command with the words of a line."""
    return lambda line: run("plan", *line.split())


def test_plan_prints_what_plan_design_says(planned) -> None:
    plan = plan_design("sign", n=10, effects=[0.7, 0.8], tie_rate=0.1, power=0.9)

    result = planned("sign --datasets 10 --effect .7 --effect .8 --tie-rate .1 --power .9")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == report.text(plan)


def test_plan_of_a_test_set(planned) -> None:
    known = {"accuracy": 0.9, "difference": 0.01, "correlation": 0.5}
    command = "mcnemar --instances 2000 --accuracy .9 --difference .01 --correlation .5 --method midp --format json"

    assert (
        json.loads(planned(command).stdout)["plan"] == plan_design("mcnemar", n=2000, method="midp", **known).to_dict()
    )


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ("--folds 10 --repeats 5", {"n": 50, "n_train": 9, "n_test": 1}),
        ("--folds 30 --train 200 --test 100", {"n": 30, "n_train": 200, "n_test": 100}),
        ("--train 2 --test 1", {"n_train": 2, "n_test": 1}),
    ],
)
def test_plan_of_folds(planned, options: str, arguments: dict) -> None:
    """Of k folds, k - 1 are for training; random splits say their sizes."""
    assert planned(f"corrected-t {options}").stdout == report.text(plan_design("corrected-t", **arguments))


def test_plan_of_several_classifiers_is_seeded(planned) -> None:
    command = "friedman --datasets 8 --classifiers 3 --effect 1 --simulations 200 --seed 7"
    plan = plan_design("friedman", n=8, n_classifiers=3, effects=[1], n_simulations=200, rng=7)

    assert planned(command).stdout == report.text(plan)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("options", "test", "arguments"),
    [
        ("sign --datasets 20 --sd .02", "sign", {"n": 20, "sd": 0.02}),
        ("mcnemar --instances 500 --equivalence", "accuracy", {"n": 500, "hypothesis": "equivalence"}),
        ("corrected-t --folds 10 --repeats 2", "corrected-t", {"n": 20, "n_train": 9, "n_test": 1}),
        (
            "clustered-t --questions 300 --sd .3 --cluster-size 5 --intraclass-correlation .2 --difference -.002",
            "clustered-t",
            {"n": 300, "sd": 0.3, "cluster_size": 5, "intraclass_correlation": 0.2, "difference": -0.002},
        ),
        ("wilcoxon --sd .01 --simulations 200 --seed 3", "wilcoxon", {"sd": 0.01, "n_simulations": 200, "rng": 3}),
    ],
)
def test_plan_with_a_margin_prints_what_plan_margin_says(planned, options, test, arguments) -> None:
    assert planned(f"{options} --margin .01").stdout == report.text(plan_margin(test, margin=0.01, **arguments))


def test_plan_from_a_pilot(planned, tmp_path) -> None:
    """The standard deviation and the clusters are those of the differences in the file."""
    rng = np.random.default_rng(2)
    keys = [(m, f"q{q}", f"p{q // 3}", s) for q in range(60) for m in "ab" for s in range(2)]
    rows = [",".join([*map(str, key), str(rng.integers(0, 2))]) for key in keys]
    path = tmp_path / "pilot.csv"
    path.write_text("\n".join(["model,item_id,passage,sample,correct", *rows]), encoding="utf-8")
    of = evalstats.read_table(path).answers
    found = pilot_variance(of.scores, of.n_samples, of.within, of.benchmark, of.cluster)

    for options, known in (("", found.known()), ("--samples 8", found.known(8)), ("--sd 1", found.known() | {"sd": 1})):
        result = planned(f"clustered-t --questions 500 --margin .05 --pilot {path} {options}")
        assert result.stdout == report.text(plan_margin("clustered-t", n=500, margin=0.05, **known))


def test_difference_from_a_pilot(planned, tmp_path) -> None:
    """Answers of two models, or class scores of two classifiers: the standard deviation comes from the file."""
    rng = np.random.default_rng(2)
    rows = [f"{m},q{q},{rng.integers(0, 2)}" for q in range(60) for m in "ab"]
    answers, scores = tmp_path / "answers.csv", tmp_path / "scores.csv"
    answers.write_text("\n".join(["model,item_id,correct", *rows]), encoding="utf-8")
    y_true, x, y = rng.integers(0, 2, 50), rng.random(50), rng.random(50)
    lines = [f"{i},{t},{c},{s:.6f}" for i, t in enumerate(y_true) for c, s in (("x", x[i]), ("y", y[i]))]
    scores.write_text("\n".join(["row,y_true,classifier,y_score", *lines]), encoding="utf-8")
    test = evalstats.paired.delong_test(y_true, np.round(x, 6), np.round(y, 6), df="infinite")
    of = evalstats.read_table(answers).answers
    found = pilot_variance(of.scores, of.n_samples, of.within, of.benchmark, of.cluster)

    for line, plan in (
        (
            f"clustered-t --questions 500 --difference .05 --pilot {answers}",
            plan_design("clustered-t", n=500, difference=0.05, **found.known()),
        ),
        (
            f"auc --instances 500 --difference .05 --pilot {scores}",
            plan_design("auc", n=500, difference=0.05, sd=test.standard_error * 50**0.5),
        ),
        (
            "battles --classifiers 5 --effect .3 --tie-rate .1 --battles 90",
            plan_design("battles", n=90, n_classifiers=5, effects=[0.3], tie_rate=0.1),
        ),
        (
            "clustered-t --sd .4 --sd-within .6 --samples 4",
            plan_design("clustered-t", sd=0.4, sd_within=0.6, n_samples=4),
        ),
    ):
        assert planned(line).stdout == report.text(plan)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("sign --margin .1 --pilot x.csv", "--pilot requires clustered-t or auc, not sign"),
        ("clustered-t --margin .1 --samples 3", "--samples requires --pilot"),
        ("auc --margin .1 --pilot x.csv", "with --margin, --pilot requires clustered-t, not auc"),
        ("sign --equivalence", "--equivalence requires --margin"),
        ("auc --pilot x.csv --samples 3", "--samples requires clustered-t, not auc"),
        ("sign --sd 2", "--sd is not used by the test 'sign'"),
        ("sign --margin .1 --auc .8", "--auc cannot be combined with sign, which requires --sd"),
        ("sign --margin .1 --effect .8", "--effect cannot be combined with --margin"),
        ("sign --margin .1 --alternative less", "--alternative cannot be combined with --margin"),
        ("auc --margin .1 --datasets 9", "--datasets cannot be combined with auc, which requires --instances"),
        ("anova", "test must be 'sign' or 'wilcoxon'"),
        ("friedman --datasets 9", "the test 'friedman' requires --classifiers, the number of classifiers"),
        (
            "mcnemar --datasets 9",
            "--datasets cannot be combined with mcnemar, which requires --instances (see evalstats plan --help)",
        ),
        ("sign --test 9", "--test cannot be combined with sign, which requires --datasets (see evalstats plan --help)"),
        ("corrected-t", "corrected-t requires --folds, or both --train and --test (see evalstats plan --help)"),
        ("corrected-t --folds 5 --train 5", "corrected-t requires --folds, or both --train and --test"),
        ("sign --datasets 0", "Invalid value for '--datasets': 0 is not in the range x>=1."),
        ("sign --effect 2", "win_probability must lie between 0 and 1, not 2.0"),
        ("mcnemar --instances 9 --effect 2", "--effect is not used by the test 'mcnemar'"),
    ],
)
def test_plan_refuses_in_one_line(refused, options: str, message: str) -> None:
    assert refused("plan", *options.split()).startswith(message.rstrip("."))


def test_plan_shows_its_progress_on_a_terminal(shown_on) -> None:
    main, terminal = os.openpty()
    options = ["plan", "wilcoxon", "--datasets", "9", "--effect", "1", "--simulations", "1000"]
    with subprocess.Popen([*PROGRAM, *options], stdout=subprocess.PIPE, stderr=terminal) as process:
        os.close(terminal)
        text = process.stdout.read()
        shown = shown_on(main)

    assert text.startswith(b"Wilcoxon signed-rank test on 9 datasets")
    assert b"1000/1000 experiments" in shown
    assert shown.endswith(b"\r\x1b[K")
