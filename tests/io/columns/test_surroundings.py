"""What the words around a table say of its metric and its direction holds in every format and layout."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest

from evalstats import TableError, read_table
from evalstats.io.columns.surroundings import said_in
from evalstats.io.sources.grid import Around

WIDE = pd.DataFrame({"dataset": ["iris", "wine", "glass"], "LR": [0.1, 0.3, 0.2], "NB": [0.2, 0.1, 0.4]})
LONG = WIDE.melt("dataset", var_name="classifier", value_name="score")
TITLE = "Table 2: error rates, lower is better"


def latex(frame: pd.DataFrame, words: str) -> str:
    tabular = frame.to_latex(index=False)
    return f"\\begin{{table}}\n\\caption{{{words}}}\n\\label{{tab:results}}\n{tabular}\\end{{table}}\n"


def latex_below(frame: pd.DataFrame, words: str) -> str:
    return f"\\begin{{table}}\n{frame.to_latex(index=False)}\\caption[Short]{{\\textbf{{{words}}}}}\n\\end{{table}}\n"


def html(frame: pd.DataFrame, words: str) -> str:
    return frame.to_html(index=False).replace("<thead>", f"<caption>{words}</caption><thead>", 1)


WAYS: dict[str, tuple[str, Any]] = {
    "a title above CSV": ("csv", lambda frame, words: f'"{words}"\n{frame.to_csv(index=False)}'),
    "a comment above CSV": ("csv", lambda frame, words: f"# {words}\n{frame.to_csv(index=False)}"),
    "a title above semicolons": ("csv", lambda frame, words: f"{words}\n{frame.to_csv(index=False, sep=';')}"),
    "a paragraph of Markdown": (
        "md",
        lambda frame, words: f"# Results\n\n{words}\n\n{frame.to_markdown(index=False)}\n",
    ),
    "a heading of Markdown": ("md", lambda frame, words: f"## {words}\n\n{frame.to_markdown(index=False)}\n"),
    "a caption below Markdown": ("md", lambda frame, words: f"{frame.to_markdown(index=False)}\n\n{words}\n"),
    "a caption of LaTeX": ("tex", latex),
    "a caption below LaTeX": ("tex", latex_below),
    "a caption of HTML": ("html", html),
    "a heading of HTML": ("html", lambda frame, words: f"<h2>{words}</h2>\n<p>See.</p>{frame.to_html(index=False)}"),
    "a paragraph of HTML": ("html", lambda frame, words: f"<p>{words}</p>\n{frame.to_html(index=False)}"),
}


def file_of(way: str, frame: pd.DataFrame, words: str, directory: Path) -> Path:
    suffix, write = WAYS[way]
    path = directory / f"table.{suffix}"
    path.write_text(write(frame, words), encoding="utf-8")
    return path


@pytest.mark.parametrize("frame", [WIDE, WIDE.rename(columns={"dataset": ""}), LONG], ids=["wide", "bare", "long"])
@pytest.mark.parametrize("way", WAYS)
def test_words_give_metric_and_direction_in_every_format_and_layout(way, frame, tmp_path) -> None:
    table = read_table(file_of(way, frame, TITLE, tmp_path))

    assert (table.metric, table.greater_is_better) == ("error rates", False)
    assert any("says what was measured: error rates, lower is better" in one.sentence for one in table.findings)


@pytest.mark.parametrize("way", WAYS)
def test_words_that_contradict_the_name_of_a_column_are_asked_about(way, tmp_path) -> None:
    path = file_of(way, LONG.rename(columns={"score": "accuracy"}), TITLE, tmp_path)

    with pytest.raises(
        TableError, match=r"for the metric 'accuracy', higher is better, but .* says that lower is better"
    ):
        read_table(path)
    assert read_table(path, greater_is_better=True).greater_is_better


def test_title_row_and_name_of_a_sheet_of_excel_are_words_around_it(tmp_path) -> None:
    for title, sheet, metric in (
        (TITLE, "Sheet1", "error rates"),
        ("", "log loss", "log loss"),
        ("", "Sheet1", "score"),
    ):
        book = openpyxl.Workbook()
        book.active.title = sheet
        for row in ([title], [], list(WIDE), *WIDE.to_numpy().tolist()):
            book.active.append(row)
        book.save(path := tmp_path / "table.xlsx")
        table = read_table(path)
        assert (table.metric, table.greater_is_better) == (metric, metric == "score")


@pytest.mark.parametrize(
    ("name", "metric", "is_better"),
    [("rmse.csv", "rmse", False), ("test_error.csv", "test error", False), ("AUC.csv", "AUC", True)],
)
def test_name_of_a_file_that_is_a_metric_names_it(name, metric, is_better, tmp_path) -> None:
    WIDE.to_csv(tmp_path / name, index=False)
    table = read_table(tmp_path / name)

    assert (table.metric, table.greater_is_better) == (metric, is_better)


def test_label_of_latex_that_is_a_metric_names_it() -> None:
    text = latex(WIDE, "Results.").replace("tab:results", "tab:error-rates")

    assert (read_table(io.StringIO(text)).metric, read_table(io.StringIO(text)).greater_is_better) == (
        "error rates",
        False,
    )


@pytest.mark.parametrize(
    ("text", "metric", "is_better"),
    [
        ("Table 1. Accuracy of three classifiers", "accuracy", True),
        ("Mean log loss (lower is better)", "log loss", False),
        ("RMSE on the test sets", "RMSE", False),
        ("Accuracy and its standard error", "accuracy", True),
        ("Balanced accuracy, in percent", "balanced accuracy", True),
        ("Errors of two classifiers", "errors", False),
        ("Results; smaller values are better", "", False),
        ("ROC AUC ↑", "ROC AUC", True),
        ("Classification error (%)", "classification error", False),
        ("Accuracy and AUC", "", True),
        ("Results", "", None),
        ("Number of wins, and ranks", "", None),
        ("Our method passes the correct map", "", None),
    ],
)
def test_sentences_say_what_they_say(text, metric, is_better) -> None:
    said = said_in([Around("title", text, "the line above the table")], None)

    assert (said.metric, said.greater_is_better, said.is_doubtful) == (metric, is_better, False)


@pytest.mark.parametrize(
    "text",
    [
        "Error analysis of two classifiers",
        "Accuracy and error rate",
        "Runtimes of two classifiers",
        "Accuracy, lower is better",
    ],
)
def test_sentences_that_may_mean_something_else_are_asked_about(text) -> None:
    source = f"{text}\n{WIDE.to_csv(index=False, sep=';')}"

    with pytest.raises(TableError, match="the line above the table may mean losses or errors"):
        read_table(io.StringIO(source))
    assert not read_table(io.StringIO(source), metric="error rate").greater_is_better
    assert read_table(io.StringIO(source), greater_is_better=True).greater_is_better


def test_words_that_contradict_each_other_are_asked_about(tmp_path) -> None:
    path = tmp_path / "error_rate.csv"
    path.write_text(f"Accuracy of two classifiers\n{WIDE.to_csv(index=False)}")

    with pytest.raises(TableError, match="and nothing else identifies the metric"):
        read_table(path)


def test_note_below_a_table_tells_the_direction_alone(tmp_path) -> None:
    text = f"{WIDE.to_csv(index=False)}\nNote: lower is better. Standard errors are below 0.01.\n"

    table = read_table(io.StringIO(text))

    assert (table.metric, table.greater_is_better) == ("score", False)


def test_percentages_of_a_caption_are_the_unit() -> None:
    frame = WIDE.assign(LR=WIDE["LR"] * 100, NB=WIDE["NB"] * 100)

    assert read_table(io.StringIO(latex(frame, "Accuracy (\\%)"))).unit == "%"
    assert read_table(io.StringIO(latex(WIDE, "Accuracy (\\%)"))).unit == ""


def test_title_does_not_name_the_metric_of_predictions() -> None:
    text = "Error rates\ny_true,a,b\n1,1,0\n0,0,0\n1,1,1\n0,1,0\n"

    assert read_table(io.StringIO(text), metric="accuracy").greater_is_better


@pytest.mark.parametrize(
    ("corner", "greater_is_better"),
    [
        ("dataset (error %)", False),
        ("Dataset (1-AUC)", False),
        ("dataset (neg_root_mean_squared_error)", True),
        ("RMSE per dataset", False),
        ("false positive rate", False),
        ("runtime", False),
        ("dataset (AUC)", True),
        ("dataset (UCI)", True),
    ],
)
def test_cell_above_the_names_tells_the_metric(corner: str, greater_is_better: bool) -> None:
    scores = WIDE[["LR", "NB"]] * (-1 if corner.startswith("dataset (neg") else 1)
    table = read_table(io.StringIO(scores.set_index(WIDE["dataset"]).rename_axis(corner).to_csv()))

    assert table.greater_is_better is greater_is_better


@pytest.mark.parametrize(
    ("title", "greater_is_better"),
    [
        ("1-AUC of two classifiers", False),
        ("Table 3: 1-error", True),
        ("Table 1 - Accuracy", True),
        ("Table 1 - Error rates", False),
        ("False positive rates of two classifiers", False),
        ("Miss rate (%)", False),
        ("Training time (s)", None),
        ("Runtime of two classifiers", None),
        ("1 - Accuracy of two classifiers", None),
        ("Accuracy and runtime", True),
        ("Results over time", True),
    ],
)
def test_title_with_several_words_of_a_metric(title: str, greater_is_better: bool | None) -> None:
    """None means that an error asks for the direction."""
    text = f"{title}\n\n{WIDE.to_csv(index=False)}"

    if greater_is_better is None:
        with pytest.raises(TableError, match="and nothing else identifies the metric"):
            read_table(io.StringIO(text))
    else:
        assert read_table(io.StringIO(text)).greater_is_better is greater_is_better


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("val_loss", "val loss"),
        ("test_error", "test error"),
        ("err_rate", "err rate"),
        ("best_error", "best error"),
        ("bits_per_byte", "bits per byte"),
        ("kld", "kld"),
    ],
)
def test_whole_name_of_a_file_is_a_metric_with_its_set(name: str, metric: str, tmp_path) -> None:
    WIDE.to_csv(tmp_path / f"{name}.csv", index=False)

    table = read_table(tmp_path / f"{name}.csv")

    assert (table.metric, table.greater_is_better) == (metric, False)


@pytest.mark.parametrize("name", ["oob_error", "model_losses", "perplexity_wikitext", "latency_ms", "rank"])
def test_name_of_a_file_with_a_loss_in_it_is_asked_about(name: str, tmp_path) -> None:
    path = tmp_path / f"{name}.csv"
    WIDE.to_csv(path, index=False)

    with pytest.raises(TableError, match="the name of the file may mean losses or errors"):
        read_table(path)
    assert read_table(path, greater_is_better=False).greater_is_better is False
    assert read_table(path, metric="accuracy").greater_is_better is True


@pytest.mark.parametrize("name", ["results", "time_series", "cost_sensitive", "accuracy_vs_loss", "1-shot-accuracy"])
def test_other_names_of_files_say_nothing(name: str, tmp_path) -> None:
    WIDE.to_csv(tmp_path / f"{name}.csv", index=False)

    assert read_table(tmp_path / f"{name}.csv").findings == ()


@pytest.mark.parametrize(
    ("words", "metric", "is_better"),
    [
        ("Bits per byte of language models", "bits per byte", False),
        ("Test bits per character", "bits per character", False),
        ("Table 2: KLD", "KLD", False),
        ("KL divergence", "KL divergence", False),
        ("FPR95 of five detectors", "FPR95", False),
        ("Error-free rate", "error-free rate", True),
    ],
)
def test_metrics_of_several_words_and_abbreviations_are_known_in_captions(words, metric, is_better, tmp_path) -> None:
    table = read_table(file_of("a heading of Markdown", WIDE, words, tmp_path))

    assert (table.metric, table.greater_is_better) == (metric, is_better)


def test_sign_of_a_loss_is_asked_for_unless_words_state_the_direction(tmp_path) -> None:
    negative = WIDE.assign(LR=-WIDE["LR"], NB=-WIDE["NB"])

    with pytest.raises(TableError, match="'NLL' is the name of a loss, but all scores are negative"):
        read_table(file_of("a heading of Markdown", negative, "NLL of densities", tmp_path))
    stated = read_table(file_of("a heading of Markdown", negative, "NLL of densities, lower is better", tmp_path))
    assert stated.greater_is_better is False


@pytest.mark.parametrize(
    "words", ["Reduction in error", "Accuracy drop of models", "Accuracy gap", "Negative F1 of models"]
)
def test_differences_and_negated_gains_are_asked_about(words: str, tmp_path) -> None:
    with pytest.raises(TableError, match="the line above the table may mean losses or errors"):
        read_table(file_of("a heading of Markdown", WIDE, words, tmp_path))


def test_corner_cell_with_two_meanings_is_noted() -> None:
    table = read_table(WIDE.rename(columns={"dataset": "neg_accuracy"}))

    assert (table.metric, [one.code for one in table.findings]) == ("neg_accuracy", ["unknown-direction"])
