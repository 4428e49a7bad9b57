"""What the page answers is what the command writes, to the byte; what it refuses is one sentence with the way out."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from evalstats.cli.options import PICTURES
from evalstats.cli.output import FORMATS
from evalstats.examples import example_path
from evalstats.serving import handlers as answers
from evalstats.serving.handlers import PICTURES_OF, File, Page, Refusal, answered, download, verdict
from evalstats.serving.sample_data import known_samples, sample_content

HIGHER = {"higher_is_better": True}
NASTY = "<img src=x onerror=alert(1)>\"'&{}\\`${alert(1)}</script><script>alert(2)</script>"


def content_of(answer: File | Refusal) -> bytes:
    assert isinstance(answer, File), answer
    return answer.content


@pytest.mark.sampled
@pytest.mark.parametrize("kind", [*FORMATS, "svg", "pdf", "png"])
def test_file_of_a_report_is_that_of_the_command(file: str, tmp_path: Path, printed: Callable, kind: str) -> None:
    written = tmp_path / f"report{FORMATS.get(kind, f'.{kind}')}"
    printed("compare", file, "--higher-is-better", "--alpha", "0.2", "--output", str(written))

    made = download("compare", file, HIGHER | {"alpha": "0.2"}, kind)

    assert content_of(made) == written.read_bytes()


@pytest.mark.parametrize("kind", [kind for kind in FORMATS if kind != "text"])
def test_report_of_what_was_pasted_is_that_of_standard_input(scores: bytes, printed: Callable, kind: str) -> None:
    command = printed("compare", "-", "--metric", "accuracy", "--format", kind, content=scores)

    assert content_of(download("compare", scores, {"metric": "accuracy"}, kind)) == command


@pytest.mark.parametrize("kind", ["xlsx", "parquet"])
def test_binary_files_are_read(tmp_path: Path, printed: Callable, kind: str) -> None:
    import pandas as pd

    table = pd.DataFrame({"dataset": ["iris", "glass", "wine"], "NB": [0.9, 0.7, 0.8], "SVM": [0.95, 0.6, 0.9]})
    path, written = tmp_path / f"scores.{kind}", tmp_path / "report.json"
    table.to_excel(path, index=False) if kind == "xlsx" else table.to_parquet(path)
    printed("compare", str(path), "--metric", "AUC", "--output", str(written))

    assert content_of(download("compare", str(path), {"metric": "AUC"}, "json")) == written.read_bytes()


def test_several_files_are_one_table(tmp_path: Path, printed: Callable) -> None:
    paths = [str(tmp_path / f"{model}.csv") for model in ("lr", "rf")]
    for path, right in zip(paths, ("01101101", "11111101"), strict=True):
        rows = "".join(f"{i},1,{bit}\n" for i, bit in enumerate(right))
        Path(path).write_text(f"case,y_true,y_pred\n{rows}", encoding="utf-8")
    written = tmp_path / "report.md"
    printed("compare", *paths, "--output", str(written))

    assert content_of(download("compare", paths, {}, "markdown")) == written.read_bytes()


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("text", {"part": "sentence"}, ["--part", "sentence"]),
        ("latex", {"part": "ranks", "latex_width": "text"}, ["--part", "ranks", "--latex-width", "text"]),
        ("html", {"part": "figure"}, ["--part", "figure"]),
        ("png", {"plot_kind": "win-matrix", "dpi": "72"}, ["--plot-kind", "win-matrix", "--dpi", "72"]),
    ],
)
def test_part_and_picture_are_those_of_the_command(
    file: str, tmp_path: Path, printed: Callable, kind: str, options: dict, words: list[str]
) -> None:
    written = tmp_path / f"part{FORMATS.get(kind, f'.{kind}')}"
    printed("compare", file, "--higher-is-better", *words, "--output", str(written))

    assert content_of(download("compare", file, HIGHER | options, kind)) == written.read_bytes()


def test_references_are_those_of_the_command(file: str, tmp_path: Path, printed: Callable) -> None:
    report, bib = tmp_path / "report.tex", tmp_path / "references.bib"
    printed("compare", file, "--higher-is-better", "--output", str(report), "--bib", str(bib))

    assert content_of(download("compare", file, HIGHER, "bib")) == bib.read_bytes()


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("question", "fields", "words"),
    [
        (
            "plan",
            {"test": "mcnemar", "instances": 200, "simulations": 200},
            ["mcnemar", "--instances", "200", "--simulations", "200"],
        ),
        ("plan", {"datasets": "12"}, ["wilcoxon", "--datasets", "12"]),
        ("which-test", {"classifiers": 3, "datasets": 10}, ["--classifiers", "3", "--datasets", "10"]),
    ],
)
def test_forms_answer_as_the_commands(printed: Callable, question: str, fields: dict, words: list[str]) -> None:
    page = answered(question, None, fields)

    assert isinstance(page, Page), page
    assert content_of(download(question, None, fields, "json")) == printed(question, *words, "--format", "json")
    assert page.command == " ".join(["evalstats", question, *words])


def test_table_is_audited_as_by_the_command(tmp_path: Path, printed: Callable) -> None:
    ranks = sample_content("ranks")
    path = tmp_path / "ranks.csv"
    path.write_text(ranks, encoding="utf-8")
    fields = {
        "datasets": 14,
        "different": [["C4.5", "C4.5+m+cf"]],
        "not_different": [["C4.5", "C4.5+cf"]],
        "alpha": 0.1,
    }
    words = [
        "--datasets",
        "14",
        "--different",
        "C4.5",
        "C4.5+m+cf",
        "--not-different",
        "C4.5",
        "C4.5+cf",
        "--alpha",
        "0.1",
    ]

    pasted, chosen = (download("audit", content, fields, "json") for content in (ranks.encode(), str(path)))

    assert content_of(pasted) == content_of(chosen) == printed("audit", str(path), *words, "--format", "json")


def test_table_that_was_pasted_with_its_scores_is_audited_with_them(tmp_path: Path, printed: Callable) -> None:
    table = "dataset,NB,SVM\niris,0.9,0.8\nwine,0.7,0.9\nzoo,0.5,0.9\nAverage rank,1.67,1.33\n"
    path = tmp_path / "table.csv"
    path.write_text(table, encoding="utf-8")

    assert content_of(download("audit", table.encode(), {}, "json")) == printed("audit", str(path), "--format", "json")


def test_direction_that_the_metric_does_not_tell_is_asked(scores: bytes) -> None:
    refusal = verdict(scores, {"metric": "speed"})

    assert isinstance(refusal, Refusal)
    assert refusal.sentence.endswith("pass --higher-is-better or --lower-is-better")
    assert refusal.field == "higher_is_better"
    assert isinstance(verdict(scores, {"metric": "speed"} | HIGHER), Page)
    assert isinstance(verdict(scores, {"metric": "speed", "lower_is_better": True}), Page)
    assert isinstance(verdict(scores, {"metric": "log loss"}), Page)


def test_scores_without_a_metric_are_answered_as_the_command_does(scores: bytes, printed: Callable, file: str) -> None:
    page = verdict(scores, {})

    assert isinstance(page, Page)
    assert "score, higher is better" in page.body
    assert content_of(download("compare", file, {}, "text")) == printed("compare", file)


def test_direction_of_each_of_several_metrics_is_asked() -> None:
    table = b"dataset,model,accuracy,speed\na,x,1,2\na,y,2,1\nb,x,3,4\nb,y,4,5\nc,x,1,1\nc,y,2,3\n"

    refusal = verdict(table, {"metric": "accuracy,speed"})

    assert isinstance(refusal, Refusal)
    assert "it is not known whether higher or lower 'speed' is better" in refusal.sentence


def test_page_names_the_line_of_the_command(file: str) -> None:
    page = verdict(file, {"metric": "a b", "higher_is_better": True, "drop": ["tree"], "transpose": False})

    assert isinstance(page, Page)
    assert page.command == "evalstats compare scores.csv --metric 'a b' --higher-is-better --drop tree --no-transpose"


@pytest.mark.parametrize("sample", known_samples(), ids=lambda sample: sample.name)
def test_every_sample_is_answered(sample) -> None:
    page = answered(sample.question, sample_content(sample.name).encode(), sample.options)

    assert isinstance(page, Page), page
    assert 'class="verdict"' in page.body


@pytest.mark.long
@pytest.mark.parametrize("sample", ["wide", "two", "folds", "test-set", "questions"])
def test_every_picture_that_is_offered_is_drawn(sample: str) -> None:
    content = sample_content(sample).encode()
    options = next(one.options for one in known_samples() if one.name == sample)
    page = verdict(content, options)

    assert isinstance(page, Page)
    assert page.pictures
    for name in page.pictures:
        assert content_of(download("compare", content, options | {"plot_kind": name, "dpi": 50}, "png")).startswith(
            b"\x89PNG"
        )


def test_pictures_are_those_of_the_command() -> None:
    assert {name for names in PICTURES_OF.values() for name in names} <= set(PICTURES)


@pytest.mark.parametrize(
    ("content", "options", "sentence"),
    [
        (b"", {}, "empty"),
        (b"dataset,a,b\nx,1\n", {}, "line 2"),
        (b"dataset,a,b\nx,1,zwei\ny,2,3\n", {}, "'zwei'"),
        (b"\xff\xfe\x00", {}, "the table"),
        (b"dataset,a,b\nx,1,2\n", {"alpha": "0"}, "alpha"),
        (b"dataset,a,b\nx,1,2\n", {"alpha": "much"}, "--alpha"),
        (b"dataset,a,b\nx,1,2\ny,3,4\n", HIGHER | {"control": "c"}, "control must be one of 'a', 'b', not 'c'"),
        (b"dataset,a,b\nx,1,2\n", {"format_in": "elsewhere"}, "trec-eval, wandb, weka, not 'elsewhere'"),
        (b"dataset,a,b\nx,1,2\n", {"lower_is_better": True, "higher_is_better": True}, "cannot be combined"),
        (None, {}, ""),
    ],
)
def test_mistakes_are_one_sentence(content: bytes | None, options: dict, sentence: str) -> None:
    refusal = verdict(content, options)

    assert isinstance(refusal, Refusal)
    assert sentence in refusal.sentence
    assert refusal.sentence
    assert "\n" not in refusal.sentence


def test_mistake_in_a_table_shows_the_way_out_and_a_sample() -> None:
    refusal = verdict(b"model,dataset,acc\na,x,\nb,x,1\na,y,1\nb,y,2\n", {})

    assert isinstance(refusal, Refusal)
    assert (refusal.field, refusal.value) == ("missing", "drop-datasets")
    assert refusal.sentence.endswith("leave out their datasets with --missing drop-datasets")
    assert isinstance(verdict(refusal.sample.encode(), {}), Page)


@pytest.mark.parametrize("name", ["output", "plot", "bib", "format", "scores", "help", "files", "no such field"])
def test_no_field_names_a_place_on_the_machine(scores: bytes, tmp_path: Path, name: str) -> None:
    for question in ("compare", "audit"):
        refusal = answered(question, scores, HIGHER | {name: str(tmp_path / "x")})

        assert isinstance(refusal, Refusal)
        assert "has no field" in refusal.sentence
    assert list(tmp_path.iterdir()) == []


@pytest.mark.sampled
@pytest.mark.parametrize("value", [{"a": 1}, [["a"]], True, 1.5, "-x", "--output=x", NASTY, "\x00", "é" * 5000, ""])
def test_any_value_in_any_field_is_answered_or_refused(scores: bytes, value) -> None:
    from evalstats.cli.compare_command import compare
    from evalstats.serving.form_arguments import fields_of

    for field in fields_of(compare):
        answer = verdict(scores, {"metric": "auc"} | {field["name"]: value})

        assert isinstance(answer, Page | Refusal)
        if isinstance(answer, Refusal):
            assert len(answer.sentence) <= 1000


def test_hostile_names_are_escaped() -> None:
    quoted = NASTY.replace('"', '""').replace("\\", "")  # a backslash may be LaTeX
    table = f'dataset,"{quoted}",b,c\n"{quoted}",1,2,3\ny,3,4,1\nz,1,5,2\n'

    page = verdict(table.encode(), HIGHER | {"metric": NASTY})

    assert isinstance(page, Page)
    assert "<img" not in page.body
    assert "<script" not in page.body


def test_where_files_are_kept_is_not_told(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("dataset,a,b\nx,1\n", encoding="utf-8")
    missing = tmp_path / "gone.csv"

    for each in (path, missing):
        refusal = verdict(str(each), {})

        assert isinstance(refusal, Refusal)
        assert refusal.sentence.startswith(each.name)
        assert str(tmp_path) not in refusal.sentence


def test_download_computes_nothing_again(scores: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    options = HIGHER | {"alpha": 0.123}
    verdict(scores, options)
    monkeypatch.setattr("evalstats.cli.compare_command.compared", None)

    assert json.loads(content_of(download("compare", scores, options, "json")))


def test_few_answers_are_kept(scores: bytes) -> None:
    for i in range(20):
        verdict(scores, HIGHER | {"alpha": 0.01 + i / 100})

    assert len(answers._KEPT.records) <= answers.MOST_KEPT


def test_warnings_of_the_command_are_told() -> None:
    names = ",".join(f"c{j}" for j in range(40))
    rows = "".join(f"d{i}," + ",".join(str((i * 7 + j * 3) % 41) for j in range(40)) + "\n" for i in range(12))
    answer = download("compare", f"dataset,{names}\n{rows}".encode(), HIGHER, "png")

    assert content_of(answer)


@pytest.mark.parametrize("kind", ["exe", "", "csv", "../x"])
def test_unknown_kind_of_file_is_refused(scores: bytes, kind: str) -> None:
    assert isinstance(download("compare", scores, HIGHER, kind), Refusal)


def test_unknown_question_is_refused(scores: bytes) -> None:
    assert isinstance(answered("study", scores, {}), Refusal)


def test_several_metrics_have_a_picture_and_a_script(tmp_path: Path, printed: Callable) -> None:
    path = example_path("sklearn-predictions")
    content, options = path.read_bytes(), {"metric": "accuracy,roc_auc"}
    page = verdict(content, options)

    assert isinstance(page, Page)
    for kind in ("svg", "R"):
        printed("compare", str(path), "--metric", "accuracy,roc_auc", "--output", str(tmp_path / f"x.{kind}"))
        made = download("compare", str(path), options, kind.lower())
        assert content_of(made) == (tmp_path / f"x.{kind}").read_bytes()


@pytest.mark.parametrize("name", ["-o", "-", "--help", "a b;c"])
def test_command_of_a_file_reads_this_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scores: bytes, printed: Callable, name: str
) -> None:
    """A name may look like an option, or like what was pasted."""
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(scores)

    page = verdict(str(tmp_path / name), HIGHER)

    assert isinstance(page, Page)
    _, *words = shlex.split(page.command)
    assert json.loads(printed(*words, "--format", "json"))["comparison"]["table"]["source"].endswith(name)


def test_battles_have_a_report_and_a_plot_but_no_script() -> None:
    battles = b"model_a,model_b,winner\n" + b"A,B,model_a\nB,C,model_a\nC,A,tie\nB,A,model_a\nC,B,model_a\n" * 4

    page = verdict(battles, {"control": "A"})

    assert isinstance(page, Page)
    assert "Comparison of 3 models in 20 battles" in page.body
    assert (page.pictures, "r" in page.formats) == (("battle-strengths",), False)
    assert isinstance(download("compare", battles, {}, "r"), Refusal)
