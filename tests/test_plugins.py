"""What other packages add to evalstats: formats, metrics and renderers, and what is told if they do not work."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from evalstats import (
    EvalstatsWarning,
    InvalidValueError,
    TableError,
    compare,
    read_predictions,
    read_table,
    report,
    score_predictions,
)
from evalstats._plugins import PluginError, plugins
from evalstats.io import known_formats

EXAMPLE = Path(__file__).parent / "data" / "plugin_example"
ACME = "acme_job,task,learner,loss,state\n1,iris,tree,.3,done\n2,iris,svm,.1,done\n3,wine,tree,.4,done\n"
ACME += "4,wine,svm,.2,done\n5,wine,svm,9,failed\n"
WIDE = "dataset,NB,SVM\niris,.9,.8\nglass,.7,.6\nwine,.8,.9\n"
PREDICTIONS = {
    "dataset": ["d"] * 6,
    "classifier": ["a"] * 6,
    "fold": [1, 1, 1, 2, 2, 2],
    "y_true": ["x", "x", "y", "x", "y", "y"],
    "y_pred": ["x", "y", "y", "x", "y", "x"],
}


@pytest.fixture(autouse=True)
def _looked_up_anew():
    plugins.cache_clear()
    yield
    plugins.cache_clear()
    for name in [name for name in sys.modules if name.startswith(("evalstats_acme", "broken_"))]:
        del sys.modules[name]


@pytest.fixture(scope="session")
def installed(tmp_path_factory) -> Path:
    """Install the example package into a folder of its own."""
    source, target = tmp_path_factory.mktemp("source") / "acme", tmp_path_factory.mktemp("packages")
    shutil.copytree(EXAMPLE, source)
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check")
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(target), str(source)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return target


@pytest.fixture
def acme(installed, monkeypatch) -> Path:
    """Find the example package."""
    monkeypatch.syspath_prepend(str(installed))
    return installed


def package(folder: Path, name: str, code: str, group: str, entry: str) -> None:
    """Write a package as an installer leaves it."""
    folder.joinpath(f"{name}.py").write_text(code, encoding="utf-8")
    info = folder / f"{name}-0.1.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n", encoding="utf-8")
    info.joinpath("entry_points.txt").write_text(f"[evalstats.{group}]\n{entry}\n", encoding="utf-8")


def test_format_of_another_package_is_recognized_and_read(acme) -> None:
    table = read_table(io.StringIO(ACME))

    assert (table.format, table.metric, table.greater_is_better) == ("acme", "loss", False)
    assert table.scores.tolist() == [[0.1, 0.3], [0.2, 0.4]]
    assert read_table(io.StringIO(ACME), format="acme").scores.tolist() == table.scores.tolist()
    assert "Read as Acme, its table of jobs (acme)." in report.text(compare(io.StringIO(ACME)))
    assert known_formats()[-1].name == "acme"


def test_formats_of_evalstats_come_first(acme) -> None:
    text = ACME.replace("acme_job,task", "acme_job,framework,fold,result,mode,metric,task")
    text = "\n".join([text.splitlines()[0], "1,a,1,.1,local,auc,t,l,.2,done", "2,b,1,.2,local,auc,t,l,.3,done"])

    assert read_table(io.StringIO(text)).format == "amlb-results"


def test_report_of_a_format_that_is_gone_names_it(acme, monkeypatch) -> None:
    comparison = compare(io.StringIO(ACME))
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(acme)])
    plugins.cache_clear()

    assert "Read as acme." in report.text(comparison)


def test_metric_of_another_package_scores_predictions(acme) -> None:
    """The recalls are 1/2 and 1 in the first fold, 1 and 1/2 in the second; 2/3 and 2/3 of all cases together."""
    predictions = read_predictions(PREDICTIONS)

    scores = score_predictions(predictions, metric="geometric_mean_recall")

    assert scores.groups[0].fold_scores == pytest.approx([np.sqrt(0.5), np.sqrt(0.5)])
    assert scores.scores == pytest.approx(np.array([[2 / 3]]))
    assert scores.greater_is_better
    of_folds = score_predictions(predictions, metric="geometric_mean_recall", aggregate="mean")
    assert of_folds.scores == pytest.approx(np.array([[np.sqrt(0.5)]]))


def test_renderer_of_another_package_writes_a_report(acme) -> None:
    comparison = compare(io.StringIO(WIDE))
    shown = report.document(comparison)

    lines = report.render(comparison, "outline").splitlines()

    assert lines == [shown.title, *(f"- {section.heading}" for section in shown.sections)]


def test_command_reads_and_writes_by_the_package(installed, tmp_path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text(ACME, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "evalstats", "compare", str(path), "--format", "outline"]

    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    assert done.stdout.startswith("Comparison of 2 classifiers on 2 datasets: loss")


FAILS_TO_READ = """
from evalstats.io.formats.format import Format, Sign
FORMAT = Format(
    name="broken", title="", description="", example="", read=lambda seen, asked: 1 / 0,
    recognises=(Sign("columns", ("NB",)),),
)
"""
FAILS_TO_CONFIRM = FAILS_TO_READ.replace("recognises", "confirms=lambda seen: seen.nothing, recognises")


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("import no_such_module", r"cannot be loaded \(ModuleNotFoundError: No module named 'no_such_module'\)"),
        ("FORMAT = 7", "must be a Format or a tuple of Formats, not 7"),
        (FAILS_TO_READ, r"cannot read the table \(ZeroDivisionError: division by zero\)"),
        (FAILS_TO_CONFIRM, r"cannot determine whether it reads the table \(AttributeError: .* attribute 'nothing'\)"),
    ],
)
def test_format_that_does_not_work_is_told_with_its_package(code, problem, tmp_path, monkeypatch) -> None:
    package(tmp_path, "broken_format", code, "formats", "broken = broken_format:FORMAT")
    monkeypatch.syspath_prepend(str(tmp_path))

    message = f"^the format 'broken' of the package broken_format 0.1 {problem}; to read a plain table without it, pass"
    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(WIDE))
    assert read_table(io.StringIO(WIDE), format="table").datasets == ("iris", "glass", "wine")


def test_list_of_formats_warns_of_a_package_that_does_not_work(tmp_path, monkeypatch) -> None:
    package(tmp_path, "broken_list", "FORMAT = None", "formats", "broken = broken_list:FORMAT")
    monkeypatch.syspath_prepend(str(tmp_path))

    with pytest.warns(EvalstatsWarning, match="the format 'broken' of the package broken_list 0.1 must be a Format"):
        assert "broken" not in {one.name for one in known_formats()}


def test_command_tells_of_a_package_that_does_not_work_in_one_line(tmp_path) -> None:
    package(tmp_path, "broken_command", "raise OSError('no licence')", "formats", "broken = broken_command:FORMAT")
    path = tmp_path / "scores.csv"
    path.write_text(WIDE, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "evalstats", "compare", str(path)]

    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    problem = "the format 'broken' of the package broken_command 0.1 cannot be loaded (OSError: no licence)"
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"evalstats: error: {problem}; to read a plain table without it, pass --from table"
    ]


def test_metric_and_renderer_that_do_not_work_are_told_with_their_package(tmp_path, monkeypatch) -> None:
    code = "METRIC = len\n\ndef render(document):\n    return document.nothing\n\ndef number(document):\n    return 7\n"
    package(tmp_path, "broken_metric", code, "metrics", "odd = broken_metric:METRIC")
    package(
        tmp_path, "broken_renderer", code, "renderers", "odd = broken_renderer:render\nseven = broken_renderer:number"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    comparison = compare(io.StringIO(WIDE))

    with pytest.raises(PluginError, match=r"^the metric 'odd' of the package broken_metric 0.1 must be an External"):
        score_predictions(read_predictions(PREDICTIONS), metric="odd")
    with pytest.raises(PluginError, match=r"^the renderer 'odd' of the package broken_renderer 0.1 cannot write this"):
        report.render(comparison, "odd")
    with pytest.raises(PluginError, match=r"'seven' of the package broken_renderer 0.1 returned int, not text"):
        report.render(comparison, "seven")


def test_unknown_renderer_is_refused() -> None:
    comparison = compare(io.StringIO(WIDE))

    with pytest.raises(InvalidValueError, match="must be one of text, markdown, latex, html, json, r, not 'pdf'"):
        report.render(comparison, "pdf")


def test_nothing_is_looked_up_before_it_is_needed() -> None:
    """Neither an import, nor the help, nor a file of a known format looks for other packages."""
    script = (
        "import io, sys, evalstats\n"
        "from evalstats.cli import main\n"
        "evalstats.read_table(io.StringIO('Key_Dataset,Key_Scheme,Percent_correct\\nd,a,1\\nd,b,2\\n'))\n"
        "print('evalstats._plugins' in sys.modules and evalstats._plugins.plugins.cache_info().currsize)"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.strip() in ("0", "False")
