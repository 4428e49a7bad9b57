"""evalstats compare says what compare says."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from evalstats import report
from evalstats.comparison.analysis import compare
from evalstats.examples import example_path
from evalstats.io.reader.tables import read_table

DEMSAR = str(example_path("demsar-2006"))
PREDICTIONS = str(example_path("sklearn-predictions"))


def test_compare_prints_the_text_report(run) -> None:
    result = run("compare", DEMSAR, "--metric", "AUC")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == report.text(compare(read_table(DEMSAR, metric="AUC")))


@pytest.mark.parametrize("style", ["text", "markdown", "latex", "html", "json"])
def test_compare_prints_every_format(run, style: str) -> None:
    expected = getattr(report, style)(compare(DEMSAR))

    assert run("compare", DEMSAR, "--format", style).stdout == expected


def test_compare_prints_an_r_script(run) -> None:
    assert run("compare", DEMSAR, "--format", "r").stdout == report.r_script(compare(read_table(DEMSAR)))


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--control", "C4.5"], {"control": "C4.5"}),
        (["--alpha", ".1"], {"alpha": 0.1}),
        (["--lower-is-better"], {"greater_is_better": False}),
        (["--method", "chi2"], {"method": "chi2"}),
        (["--posthoc", "nemenyi"], {"posthoc": "nemenyi"}),
        (["--posthoc", "max-t", "--seed", "3"], {"posthoc": "max-t", "rng": 3}),
        (["--posthoc", "romano-wolf", "--seed", "3"], {"posthoc": "romano-wolf", "rng": 3}),
        (["--posthoc", "steel", "--control", "C4.5"], {"posthoc": "steel", "control": "C4.5"}),
        (["--method", "monte-carlo", "--seed", "7"], {"method": "monte-carlo", "rng": 7}),
    ],
)
def test_options_are_the_arguments_of_compare(run, options: list[str], arguments: dict) -> None:
    expected = report.json(compare(DEMSAR, **arguments))

    assert run("compare", DEMSAR, "--format", "json", *options).stdout == expected


def test_cluster_names_the_clusters_of_predictions(run, tmp_path: Path) -> None:
    path = tmp_path / "predictions.csv"
    frame = pd.read_csv(PREDICTIONS)
    frame = frame[frame["dataset"] == frame["dataset"].iloc[0]].rename(columns={"row": "instance"})
    frame["patient"] = frame["instance"] // 12
    frame.to_csv(path, index=False)

    done = run("compare", str(path), "--metric", "auc", "--cluster", "patient", "--aggregate", "merge")

    expected = compare(path, metric="auc", columns={"cluster": "patient"}, aggregate="merge")
    assert (done.exit_code, done.stdout) == (0, report.text(expected))
    assert expected.n_clusters == len(set(frame["patient"]))


def test_predictions_are_compared(run) -> None:
    done = run("compare", PREDICTIONS, "--metric", "roc_auc", "--format", "json")

    assert done.stdout == report.json(compare(PREDICTIONS, metric="roc_auc"))


def test_options_of_predictions_are_the_arguments_of_read_table(run, folder: Path) -> None:
    text = Path(PREDICTIONS).read_text(encoding="utf-8").replace("fold,row,y_true,y_pred", "part,item,gold,guess", 1)
    (folder / "p.csv").write_text(text, encoding="utf-8")
    columns = {"fold": "part", "instance": "item", "y_true": "gold", "y_pred": "guess"}
    choices = {"metric": "f1", "aggregate": "mean", "undefined": "skip", "pos_label": "0"}
    options = [f"--{name.replace('_', '-')}={value}" for name, value in (columns | choices).items()]

    done = run("compare", "p.csv", "--format", "json", *options)

    assert done.stdout == report.json(compare("p.csv", **columns, **choices))


def test_one_dataset_has_an_r_script_and_a_picture(run, folder: Path) -> None:
    (folder / "folds.csv").write_text("fold,NB,SVM\n1,0.8,0.9\n2,0.7,0.9\n3,0.6,0.65\n")

    assert run("compare", "folds.csv", "--output", "check.R", "--plot", "pairs.svg").exit_code == 0
    assert (folder / "check.R").read_text().startswith("# Made by evalstats")
    assert (folder / "pairs.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize("style", ["text", "markdown", "latex", "html"])
def test_part_is_that_of_the_function(run, style: str) -> None:
    done = run("compare", DEMSAR, "--format", style, "--part", "scores")

    assert (done.exit_code, done.stdout) == (0, getattr(report, style)(compare(DEMSAR), part="scores"))


def test_width_is_that_of_the_function(run, folder: Path) -> None:
    run("compare", DEMSAR, "--output", "figure.tex", "--part", "figure", "--latex-width", "text")

    written = (folder / "figure.tex").read_text(encoding="utf-8")
    assert written == report.latex(compare(DEMSAR), part="figure", width="text")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--part", "scores", "--format", "json"],
            "--part requires --format text, markdown, latex or html, not json",
        ),
        (["--part", "scores", "--output", "x.R"], "--part requires --format text, markdown, latex or html, not r"),
        (["--latex-width", "text", "--format", "html"], "--latex-width requires --format latex"),
        (["--part", "table"], "--part must be 'sentence' or 'methods' or "),
        (["--latex-width", "page", "--format", "latex"], "Invalid value for '--latex-width': 'page' is not one of"),
    ],
)
def test_parts_that_do_not_go_with_a_format_are_refused(
    refused, folder: Path, options: list[str], message: str
) -> None:
    assert refused("compare", "scores.csv", *options).startswith(message)


def test_one_dataset_is_compared_and_said_to_be_too_few(run, folder: Path) -> None:
    (folder / "scores.csv").write_text("dataset,NB,SVM,C4.5\niris,1,2,3\n")

    record = json.loads(run("compare", "scores.csv", "--format", "json").stdout)["comparison"]

    assert record["significant"] is False
    assert record["min_attainable_pvalue"] > 0.05


def test_several_files_are_one_table(run, folder: Path) -> None:
    for name, answer in (("lr", "a"), ("rf", "b")):
        rows = "".join(f"{row},{'ab'[row % 2]},{answer if row < 6 else 'ab'[row % 2]}\n" for row in range(12))
        (folder / f"{name}.csv").write_text("row,y_true,y_pred\n" + rows)

    record = json.loads(run("compare", "lr.csv", "rf.csv", "--format", "json").stdout)["comparison"]

    assert (record["table"]["classifiers"], record["design"]) == (["lr", "rf"], "instances")
    assert "The classifiers have the names of their files: 'lr', 'rf'." in run("compare", "lr.csv", "rf.csv").stdout


def test_none_of_several_files_is_overwritten(refused, folder: Path) -> None:
    (folder / "more.csv").write_text((folder / "scores.csv").read_text())

    assert "more.csv is the input file" in refused(
        "compare", "scores.csv", "more.csv", "--format", "text", "--output", "more.csv"
    )


def test_standard_input_stands_alone(refused, folder: Path) -> None:
    assert "standard input cannot be read together with files" in refused("compare", "-", "scores.csv")


def test_workbook_may_come_by_a_pipe(program, folder: Path) -> None:
    pd.read_csv(folder / "scores.csv").to_excel(folder / "scores.xlsx", index=False)

    done = program("compare", "-", "--format", "json", input=(folder / "scores.xlsx").read_bytes())

    assert json.loads(done.stdout)["comparison"]["table"]["datasets"] == ["iris", "glass", "wine"]


def test_record_of_a_comparison_is_compared_again(run, folder: Path) -> None:
    (folder / "c.json").write_text(run("compare", "scores.csv", "--format", "json").stdout)

    again, before = (
        json.loads(run("compare", "c.json", "--format", "json").stdout),
        json.loads((folder / "c.json").read_text()),
    )

    for record in (again, before):  # the data are in another file
        del record["comparison"]["data_checksum"], record["checksum"]
    assert again == before


def test_scores_that_metrics_wrote_are_compared(run, folder: Path) -> None:
    path = str(example_path("sklearn-predictions"))
    (folder / "m.csv").write_text(run("metrics", path, "--format", "csv").stdout)

    of_scores, of_predictions = (
        json.loads(run("compare", file, "--format", "json").stdout)["verdict"] for file in ("m.csv", path)
    )

    assert of_scores == of_predictions


def test_options_that_a_refusal_names_can_be_typed(run, refused, folder: Path) -> None:
    (folder / "none.csv").write_text("iris,0.93,0.95\nglass,0.71,0.5\nwine,0.8,0.9\n")
    (folder / "nested.json").write_text('{"a": {"p": 1.5, "q": 2}, "b": {"p": 3, "q": 5}}')
    (folder / "title.csv").write_text("By me, and you, and all\nd,NB,SVM,RF\nx,1,2,3\ny,1,3,2\n")

    for file, option in (
        ("none.csv", "--header-rows 0"),
        ("nested.json", "--no-transpose"),
        ("title.csv", "--rows 2-"),
    ):
        assert f"pass {option}" in refused("compare", file)
        assert run("compare", file, *option.split()).exit_code == 0


# --- several metrics --------------------------------------------------------------------------------------------------

LONG = "dataset,classifier,metric,score\n" + "".join(
    f"d{i},c{j},{metric},{i + j + (metric == 'auc') * j}\n"
    for i in range(6)
    for j in range(3)
    for metric in ("f1", "auc")
)


@pytest.mark.parametrize("style", ["text", "markdown", "latex", "html", "json"])
def test_several_metrics_are_separated_by_commas(run, folder, style: str) -> None:
    (folder / "long.csv").write_text(LONG)
    found = compare("long.csv", metric=["f1", "auc"], rope=0.5)

    result = run("compare", "long.csv", "--metric", "f1,auc", "--rope", ".5", "--format", style)

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == getattr(report, style)(found)


def test_several_metrics_from_standard_input(run, folder) -> None:
    assert run("compare", "-", "--metric", "f1,auc", input=LONG).stdout.startswith("Comparison of 3 classifiers")


def test_several_metrics_have_parts_a_picture_and_a_script(run, folder) -> None:
    (folder / "long.csv").write_text(LONG)
    found, several = compare("long.csv", metric=["f1", "auc"]), ("compare", "long.csv", "--metric", "f1,auc")

    assert run(*several, "--part", "ranks").stdout == report.text(found, part="ranks")
    assert run(*several, "--format", "r").stdout == report.r_script(found)
    assert run(*several, "--output", "x.R", "--plot", "x.svg").exit_code == 0
    assert (folder / "x.R").read_text() == report.r_script(found)
    assert "<!-- auc -->" in (folder / "x.svg").read_text()


def test_pictures_of_one_metric_say_so(refused, folder) -> None:
    (folder / "long.csv").write_text(LONG)
    said = refused("compare", "long.csv", "--metric", "f1,auc", "--plot", "x.svg", "--plot-kind", "win-matrix")

    assert "comparison must be a result of compare" in said


def test_rope_is_passed_on(run, folder) -> None:
    assert run("compare", "scores.csv", "--rope", "0.01").stdout == report.text(compare("scores.csv", rope=0.01))


def test_stability_of_the_ranking_is_a_section(run) -> None:
    said = run("compare", DEMSAR, "--stability", "--seed", "2").output

    assert "Is the ranking stable?" in said
    assert "of the resamples of 14 datasets" in " ".join(said.split())


def test_consensus_of_tasks_is_a_section(run, folder) -> None:
    values = [
        (t, c, a, (7 * c + 3 * i + t * i) % 10 / 10) for t in (1, 2) for c in range(8) for i, a in enumerate("AB")
    ]
    rows = [f"{'liver' if task == 1 else 'spleen'},c{case},{name},{value}" for task, case, name, value in values]
    (folder / "challenge.csv").write_text("\n".join(["task,case,algorithm,value", *rows]))

    found = compare("challenge.csv", consensus=True, rng=2)
    said = run("compare", "challenge.csv", "--consensus", "--seed", "2").stdout
    told = json.loads(run("compare", "challenge.csv", "--consensus", "--seed", "2", "--format", "json").stdout)

    assert said == report.text(found)
    assert "the consensus of 2 tasks" in " ".join(said.split())
    assert told["comparison"]["consensus"]["ranks_by_task"] == found.consensus.ranks_by_task.tolist()
    drawn = run("compare", "challenge.csv", "--consensus", "--plot", "x.svg", "--plot-kind", "rank-frequencies")
    assert drawn.exit_code == 0
