from __future__ import annotations

import io
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import format_index
import numpy as np
import pytest

from evalstats import InvalidValueError, TableError, read_predictions, read_table
from evalstats.io import known_formats
from evalstats.io.formats import recognition
from evalstats.io.formats.recognition import format_named, format_names, formats_of
from evalstats.io.sources.source import look

SAMPLES = Path(__file__).parents[2] / "data" / "formats"
WIDE = "dataset,NB,SVM\niris,.9,.8\nglass,.7,.6\nwine,.8,.9\n"
# folders that are one source; everything else is a file of its own
FOLDERS = ("aeon", "amlb/runs", "openml", "tsml-results", "weka-predictions")
# samples of plain tables and of what is refused
NO_FORMAT = ("deepchecks", "plain-tables", "printed-tables", "search-logs", "skore", "training-logs")
WORDS_ABOUT = ("VERSION", "COMPOSED")


def sample_files() -> list[str]:
    """Return the samples that are a file of their own."""
    paths = (path.relative_to(SAMPLES).as_posix() for path in SAMPLES.glob("*/*") if path.is_file())
    beside = (*NO_FORMAT, *FOLDERS)
    return sorted(path for path in paths if not path.startswith(beside) and not path.endswith(WORDS_ABOUT))


def recognized(source: object) -> list[str]:
    return [entry.name for entry in recognition.recognized(look(source))]


def test_what_is_made_of_the_declarations_is_up_to_date() -> None:
    """Otherwise run ``python scripts/format_index.py``."""
    assert format_index.INDEX.read_text(encoding="utf-8") == format_index.index()
    assert {path: path.read_text(encoding="utf-8") for path in format_index.OF_PAGES.values()} == format_index.pages()


def test_every_format_is_listed_once_in_the_order_of_the_names() -> None:
    names = [one.name for one in known_formats()]

    assert names == sorted(set(names)) == [one.name for _, one in format_index.declared()]
    assert set(names) <= set(format_names())


def test_every_program_has_a_sample() -> None:
    """Objects of Python and dicts of dicts are no files."""
    folders = {path.name for path in SAMPLES.iterdir()}
    programs = {entry.program: {entry.program, entry.name} for entry in recognition._index()}

    assert {program for program, names in programs.items() if names.isdisjoint(folders)} <= {"nested-scores"}


@pytest.mark.parametrize("one", known_formats(), ids=lambda one: one.name)
def test_every_format_is_described_in_one_line_and_has_an_example(one) -> None:
    assert one.title
    assert one.description.endswith(".")
    assert "\n" not in one.description
    assert one.example.endswith("\n")


@pytest.mark.parametrize("name", sample_files())
def test_a_sample_is_recognized_as_one_format_of_its_program(name) -> None:
    """A folder of samples has the name of a program, or of the kind of its results."""
    found = recognized(SAMPLES / name)

    assert len(found) == 1
    assert found[0] in {one.name for one in formats_of(name.split("/", maxsplit=1)[0])}


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_is_recognized_by_one_format_and_no_other(name) -> None:
    assert len(recognized(SAMPLES / name)) == 1


@pytest.mark.parametrize("one", known_formats(), ids=lambda one: one.name)
def test_an_example_of_a_file_is_recognized(one, tmp_path) -> None:
    """An example begins with the path of the file where that matters."""
    first, _, rest = one.example.partition("\n")
    if first.endswith(":"):
        path = tmp_path / first[:-1]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rest)
        assert recognized(tmp_path) == [one.name]
    elif "evalstats.compare(" not in one.example:
        assert recognized(io.StringIO(one.example)) == [one.name]


def test_plain_table_loads_no_format() -> None:
    script = (
        f"import io, sys, evalstats; evalstats.read_table(io.StringIO({WIDE!r})); "
        "print([m for m in sys.modules if m.startswith('evalstats.io.formats.') and m.count('.') > 3])"
    )

    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout

    assert loaded.strip() == "[]"


def test_format_can_be_forced_and_refused() -> None:
    text = SAMPLES.joinpath("ucr-summary/DataSummary.csv").read_text()

    assert read_table(io.StringIO(text), format="ucr-summary").format == "ucr-summary"
    assert read_table(io.StringIO(WIDE), format="table").format == ""
    with pytest.raises(TableError, match=r"lacks the column 'Name' of the summary of the UCR archive"):
        read_table(io.StringIO(WIDE), format="ucr-summary")


@pytest.mark.parametrize(
    ("program", "name", "kind"),
    [
        ("weka", "weka/experiment.csv", "weka-csv"),
        ("weka", "weka/experiment.arff", "weka-arff"),
        ("aeon", "ucr-summary/DataSummary.csv", "ucr-summary"),
        ("openml", "openml-evaluations/evaluations.csv", "openml-evaluations"),
    ],
)
def test_name_of_a_program_finds_the_kind_of_its_results(program, name, kind) -> None:
    assert read_table(SAMPLES / name, format=program).format == kind


def test_program_of_several_kinds_asks_which_if_none_is_shown() -> None:
    message = r"is not recognized as weka-arff or weka-csv or weka-predictions; choose one with format='weka-arff'"
    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(WIDE), format="weka")


@pytest.mark.parametrize("name", ["ucr_summary", "ucr", "", "recognition"])
def test_unknown_format_lists_the_known_ones(name) -> None:
    with pytest.raises(InvalidValueError, match=r"format must be 'auto', 'table' or one of aeon, "):
        read_table(io.StringIO(WIDE), format=name)
    with pytest.raises(InvalidValueError):
        formats_of(name)
    assert format_named(name) is None


def test_columns_that_are_named_make_a_plain_table() -> None:
    """Who names the columns of a file reads it as before."""
    text = "Key_Dataset,Key_Scheme,Percent_incorrect\nd,a,10\nd,b,20\n"
    named = {"dataset": "Key_Dataset", "classifier": "Key_Scheme", "score": "Percent_incorrect"}

    assert read_table(io.StringIO(text)).format == "weka-csv"
    assert read_table(io.StringIO(text), columns=named).format == ""
    with pytest.raises(
        InvalidValueError, match=r"classifier must be left out, because WEKA Experimenter, CSV has columns with fixed"
    ):
        read_table(io.StringIO(text), format="weka-csv", columns=named)


@pytest.mark.parametrize("wanted", ["auto", "weka-csv"])
def test_number_of_folds_is_refused_where_it_has_no_meaning(wanted: str) -> None:
    text = "Key_Dataset,Key_Scheme,Percent_incorrect\nd,a,10\nd,b,20\n"

    with pytest.raises(InvalidValueError, match=r"n_folds is for results .* has the format WEKA Experimenter, CSV"):
        read_table(io.StringIO(text), format=wanted, parsing={"n_folds": 2})


def test_layout_makes_a_plain_table() -> None:
    text = "Key_Dataset,Key_Scheme,Percent_correct\nd,a,10\nd,b,20\n"

    with pytest.raises(TableError, match=r"none of the columns .* is known to name the datasets"):
        read_table(io.StringIO(text), layout="long")


def test_two_formats_are_asked() -> None:
    text = "Name,ED (w=0),Key_Dataset,Key_Scheme\nx,.1,d,a\n"

    with pytest.raises(TableError, match=r"may be ucr-summary or weka-csv; choose one with format='ucr-summary'"):
        read_table(io.StringIO(text))


def test_names_of_a_format_are_names_also_if_they_are_called_like_a_summary() -> None:
    text = "framework,task,fold,result,mode,metric\nMean,Average,1,.1,local,auc\nMedian,Average,1,.2,local,auc\n"

    table = read_table(io.StringIO(text))

    assert (table.datasets, table.classifiers) == (("Average",), ("Mean", "Median"))
    assert read_table(io.StringIO(text), drop="Median").classifiers == ("Mean",)


def test_scores_are_no_predictions() -> None:
    with pytest.raises(TableError, match=r"DataSummary.csv holds scores .ucr-summary., not predictions"):
        read_predictions(SAMPLES / "ucr-summary/DataSummary.csv")


# their text has marks of its own, which pandas does not know, or their name tells what a frame does not
OF_THEIR_OWN = ("weka", "orange", "scikit-learn", "inspect-ai")


def read(source: object, **options: str) -> object:
    """Read a table, with the metric that the message offers where one is asked for."""
    try:
        return read_table(source, missing="skillings-mack", **options)
    except TableError as error:
        if error.argument != "metric" or options:
            raise
        return read_table(source, missing="skillings-mack", metric=error.value)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in sample_files()
        if name.endswith(".csv") and "chart" not in name and not name.startswith(OF_THEIR_OWN)
    ],
)
def test_frame_that_pandas_made_of_a_sample_says_the_same(name) -> None:
    """A frame has no name, which stands for a dataset or a classifier in some formats."""
    pandas = import_module("pandas")

    first, second = read(SAMPLES / name), read(pandas.read_csv(SAMPLES / name))

    assert (first.format, first.metric, first.scores.shape) == (second.format, second.metric, second.scores.shape)
    assert second.scores.ravel() == pytest.approx(first.scores.ravel(), nan_ok=True)


def test_format_that_is_no_text_is_refused_by_name() -> None:
    """An array has no truth value, and must not get as far as a comparison with names."""
    with pytest.raises(TypeError, match="format must be text, not ndarray"):
        read_table({"a": [1, 2], "b": [2, 3]}, format=np.arange(3))
