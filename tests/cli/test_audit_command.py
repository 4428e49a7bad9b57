"""evalstats audit says what check_published_ranks says; its status tells whether something contradicts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalstats import report
from evalstats.multiple import check_published_ranks

# Demšar (2006), section 3.2.2
DEMSAR = {"C4.5": "3.143", "C4.5+m": "2.000", "C4.5+cf": "2.893", "C4.5+m+cf": "1.964"}


@pytest.fixture
def ranks(folder: Path) -> str:
    """Write the mean ranks of Demšar's example."""
    lines = ["classifier,mean rank", *(",".join(pair) for pair in DEMSAR.items())]
    (folder / "ranks.csv").write_text("\n".join(lines))
    return "ranks.csv"


@pytest.mark.parametrize("style", ["text", "markdown", "latex", "html", "json"])
def test_every_format(run, ranks: str, style: str) -> None:
    audit = check_published_ranks(DEMSAR, 14)
    result = run("audit", ranks, "--datasets", "14", "--format", style)

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == getattr(report, style)(audit)


def test_every_claim_is_passed_on(run, ranks: str) -> None:
    options = {"chi2": "9.28", "f": "3.69", "cd": "1.25", "test": "nemenyi", "best": "C4.5+m+cf", "pvalue": "0.026"}
    pairs = ["--not-different", "C4.5", "C4.5+m", "--different", "C4.5", "C4.5+m+cf", "--rejects"]
    claims = {("F" if name == "f" else name): value for name, value in options.items()}
    claims |= {"not_different": [("C4.5", "C4.5+m")], "different": [("C4.5", "C4.5+m+cf")], "rejects": True}

    result = run("audit", ranks, "--datasets", "14", *pairs, *(w for k, v in options.items() for w in (f"--{k}", v)))

    assert result.stdout == report.text(check_published_ranks(DEMSAR, 14, claims=claims))
    assert result.exit_code == 1  # the two differ by 1.179, less than 1.253
    assert "error: they are claimed to differ" in result.stdout


def test_without_a_test_the_claim_gets_a_caution(run, ranks: str) -> None:
    result = run("audit", ranks, "--datasets", "14", "--different", "C4.5", "C4.5+m+cf")

    assert result.exit_code == 0
    assert "warning: they are claimed to differ" in result.stdout


def test_scores_above_the_ranks_are_looked_at(run, folder: Path) -> None:
    """By hand: ranks 2 1, 1 2 and 2 1; two rows of summaries are not datasets."""
    scores = (folder / "scores.csv").read_text()
    (folder / "paper.csv").write_text(f"{scores}Average rank,1.50,1.50\nWins,1,2\n")

    told = json.loads(run("audit", "paper.csv", "--format", "json").stdout)

    assert [one["sentence"] for one in told["published_ranks"]["findings"] if one["code"] == "scores"] == [
        "the published scores give NB the mean rank 1.667, not 1.50",
        "the published scores give SVM the mean rank 1.333, not 1.50",
    ]
    assert told["published_ranks"]["n_datasets"] == 3


def test_scores_in_a_file_of_their_own(run, folder: Path) -> None:
    (folder / "ranks.csv").write_text("SVM,NB\n1.33,1.67\n")

    assert run("audit", "ranks.csv", "--scores", "scores.csv").exit_code == 0
    turned = run("audit", "ranks.csv", "--scores", "scores.csv", "--lower-is-better")
    assert "agree with the published scores only if the largest score" in " ".join(turned.stdout.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--datasets", "9", "--test", "nemeny"],
            "--test is 'nemeny', which is not the name of a test; did you mean 'nemenyi'?",
        ),
        ([], "give the number of datasets with --datasets, or the scores with --scores (see evalstats audit --help)"),
        (["--datasets", "14", "--test", "dunn"], "--test 'bonferroni-dunn' compares with a control"),
        (["--datasets", "14", "--best", "C5"], "--best must be an index from 0 to 3 or one of 'C4.5'"),
        (["--datasets", "0"], "Invalid value for '--datasets': 0 is not in the range x>=1"),
        (["--scores", "scores.csv"], "scores.csv has no scores of 'C4.5', which has a mean rank"),
        (["--mean-ranks", "F1"], "ranks.csv has no row and no column 'F1'"),
        (["--lower-is-better", "--higher-is-better"], "--lower-is-better and --higher-is-better cannot be combined"),
    ],
)
def test_mistakes_are_told_in_one_line(refused, ranks: str, options: list[str], message: str) -> None:
    assert refused("audit", ranks, *options).startswith(message)


def test_table_without_ranks_is_refused_with_the_option(refused, folder: Path) -> None:
    assert refused("audit", "scores.csv").endswith("name them with --mean-ranks")


def test_pair_that_is_claimed_to_differ_and_not_to_differ_is_refused(refused, ranks: str) -> None:
    """Both orders of the names are one pair."""
    claims = ["--different", "C4.5", "C4.5+m", "--not-different", "C4.5+m", "C4.5"]

    told = refused("audit", ranks, "--datasets", "14", *claims)
    assert told == "--different and --not-different must not contain the same pair: 'C4.5' and 'C4.5+m'"
