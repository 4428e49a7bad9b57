from __future__ import annotations

import io
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import evalstats
from evalstats import InvalidValueError, TableError, known_formats, read_predictions, read_table
from evalstats.io.formats.recognition import STEMS, _candidates, format_named
from evalstats.io.sources.source import look

SAMPLES = Path(__file__).parents[2] / "data" / "formats"
SOURCES = Path(evalstats.__file__).parent / "io" / "formats"
WIDE = "dataset,NB,SVM\niris,.9,.8\nglass,.7,.6\nwine,.8,.9\n"
# folders that are one source; everything else is a file of its own
FOLDERS = ("aeon", "amlb/runs", "keel/results", "openml", "tsml", "weka-explorer")
OF_SAMPLES = {
    "amlb": "amlb-results",
    "mlflow": "mlflow-runs",
    "openml-evaluations": "openml-evaluations",
    "scikit-learn": "sklearn-search",
    "sktime": "sktime-results",
    "tabarena": "tabarena-results",
    "tabzilla": "tabzilla-results",
    "tidymodels": "tidymodels-metrics",
    "ucr": "ucr-summary",
    "wandb": "wandb-runs",
    "weka": "weka-csv",
    "weka-explorer": "weka-predictions",
    "orange": "orange-predictions",
    "mlr3": "mlr3-scores",
}
OTHERS = {
    "sktime/results.json": "sktime-json",
    "weka/experiment.arff": "weka-arff",
    "mlr3/predictions.csv": "mlr3-predictions",
    "tidymodels/cells_predictions.csv": "tidymodels-predictions",
}


def sample_files() -> list[str]:
    known = [path for folder in OF_SAMPLES for path in SAMPLES.joinpath(folder).glob("*.*")]
    return sorted(str(path.relative_to(SAMPLES)) for path in known)


def recognised(source: object) -> list[str]:
    seen = look(source)
    return [one.name for one in _candidates(seen) if one.recognises(seen)]


def test_every_format_stands_in_the_table_of_signs() -> None:
    modules = {path.stem for path in SOURCES.glob("*/[!_]*.py")}

    assert modules == set(STEMS)
    assert [one.name for one in known_formats()] == [stem.replace("_", "-") for stem in sorted(modules)]


@pytest.mark.parametrize("one", known_formats(), ids=lambda one: one.name)
def test_every_format_is_described_in_one_line_and_has_an_example(one) -> None:
    assert one.title
    assert one.description.endswith(".")
    assert "\n" not in one.description
    assert one.example.endswith("\n")


@pytest.mark.parametrize("name", sample_files())
def test_a_sample_is_recognised_by_one_format_and_no_other(name) -> None:
    assert recognised(SAMPLES / name) == [OTHERS.get(name, OF_SAMPLES[name.split("/", maxsplit=1)[0]])]


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_is_recognised_by_one_format_and_no_other(name) -> None:
    assert len(recognised(SAMPLES / name)) == 1


@pytest.mark.parametrize("one", known_formats(), ids=lambda one: one.name)
def test_an_example_of_a_file_is_recognised(one, tmp_path) -> None:
    """An example begins with the path of the file where that matters."""
    first, _, rest = one.example.partition("\n")
    if first.endswith(":"):
        path = tmp_path / first[:-1]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rest)
        assert recognised(tmp_path) == [one.name]
    elif "evalstats.compare(" not in one.example:
        assert recognised(io.StringIO(one.example)) == [one.name]


def test_plain_table_loads_no_format() -> None:
    script = (
        f"import io, sys, evalstats; evalstats.read_table(io.StringIO({WIDE!r})); "
        "print([m for m in sys.modules if m.startswith('evalstats.io.formats.') and m.count('.') > 3])"
    )

    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout

    assert loaded.strip() == "[]"


def test_format_can_be_forced_and_refused() -> None:
    text = SAMPLES.joinpath("ucr/DataSummary.csv").read_text()

    assert read_table(io.StringIO(text), format="ucr-summary").format == "ucr-summary"
    assert read_table(io.StringIO(WIDE), format="table").format == ""
    with pytest.raises(TableError, match=r"lacks the column 'Name' of the summary of the UCR archive"):
        read_table(io.StringIO(WIDE), format="ucr-summary")


@pytest.mark.parametrize("name", ["ucr_summary", "ucr", "", "recognition"])
def test_unknown_format_lists_the_known_ones(name) -> None:
    with pytest.raises(InvalidValueError, match=r"format must be 'auto', 'table' or one of aeon-results, "):
        read_table(io.StringIO(WIDE), format=name)
    with pytest.raises(InvalidValueError):
        format_named(name)


def test_columns_that_are_named_make_a_plain_table() -> None:
    """Who names the columns of a file reads it as before."""
    text = "Key_Dataset,Key_Scheme,Percent_incorrect\nd,a,10\nd,b,20\n"
    named = {"dataset": "Key_Dataset", "classifier": "Key_Scheme", "score": "Percent_incorrect"}

    assert read_table(io.StringIO(text)).format == "weka-csv"
    assert read_table(io.StringIO(text), **named).format == ""
    with pytest.raises(
        InvalidValueError, match=r"classifier cannot be given: WEKA Experimenter, CSV has columns of fixed"
    ):
        read_table(io.StringIO(text), format="weka-csv", **named)


def test_layout_makes_a_plain_table() -> None:
    text = "Key_Dataset,Key_Scheme,Percent_correct\nd,a,10\nd,b,20\n"

    with pytest.raises(TableError, match=r"none of the columns .* is known to name the datasets"):
        read_table(io.StringIO(text), layout="long")


def test_two_formats_are_asked(monkeypatch) -> None:
    twice = [format_named("ucr-summary"), format_named("weka-csv")]
    monkeypatch.setattr("evalstats.io.formats.recognition._candidates", lambda seen: twice)
    text = "Name,ED (w=0),Key_Dataset,Key_Scheme\nx,.1,d,a\n"

    with pytest.raises(TableError, match=r"may be ucr-summary or weka-csv; choose one with format='ucr-summary'"):
        read_table(io.StringIO(text))


def test_names_of_a_format_are_names_also_if_they_are_called_like_a_summary() -> None:
    text = "method,dataset,metric_error\nMean,Average,.1\nMedian,Average,.2\n"

    table = read_table(io.StringIO(text))

    assert (table.datasets, table.classifiers) == (("Average",), ("Mean", "Median"))
    assert read_table(io.StringIO(text), drop="Median").classifiers == ("Mean",)


def test_scores_are_no_predictions() -> None:
    with pytest.raises(TableError, match=r"DataSummary.csv holds scores .ucr-summary., not predictions"):
        read_predictions(SAMPLES / "ucr/DataSummary.csv")


def test_every_format_stands_on_its_page() -> None:
    pages = Path(__file__).parents[3].joinpath("docs/reference/tables").glob("formats*.md")
    lines = "\n".join(page.read_text(encoding="utf-8") for page in pages).splitlines()
    headings = {name for line in lines if line.startswith("#") for name in line.lstrip("# ").split(", ")}

    assert {one.name for one in known_formats()} <= headings


# a frame has no name, which stands for the dataset or the classifier in these
NAMED_BY_FILE = ("scikit-learn", "tidymodels", "weka-explorer", "orange", "weka")
NEEDED = {"mlflow/runs.csv": "accuracy", "mlflow/exported.csv": "accuracy", "mlr3/score.csv": "classif.auc"}


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in sample_files()
        if name.endswith(".csv") and "chart" not in name and not name.startswith(NAMED_BY_FILE)
    ],
)
def test_frame_that_pandas_made_of_a_sample_says_the_same(name) -> None:
    pandas = import_module("pandas")
    options = {"metric": NEEDED.get(name), "missing": "skillings-mack"}

    first, second = (read_table(source, **options) for source in (SAMPLES / name, pandas.read_csv(SAMPLES / name)))

    assert (first.format, first.datasets, first.classifiers) == (second.format, second.datasets, second.classifiers)
    assert second.scores.ravel() == pytest.approx(first.scores.ravel(), nan_ok=True)


def test_format_that_is_no_text_is_refused_by_name() -> None:
    """An array has no truth value, and must not get as far as a comparison with names."""
    with pytest.raises(TypeError, match="format must be text, not ndarray"):
        read_table({"a": [1, 2], "b": [2, 3]}, format=np.arange(3))
