"""Files as people keep them: runs in names, one file for each model, columns beside the scores, words of languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalstats import TableError, read_table

FOLDS = ((0.8, 0.82, 0.81, 0.85), (0.7, 0.75, 0.71, 0.72))


def written(folder: Path, **files: str) -> list[str]:
    """Write files of some names, and return their paths."""
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return [str(folder / f"{name}.csv") for name in files]


@pytest.mark.parametrize(
    ("head", "line", "options"),
    [
        ("fold,acc\n", "{i},{x}\n", {}),
        ("seed,acc\n", "{i},{x}\n", {}),
        ("acc\n", "{x}\n", {"rows_are": "folds", "same_order": True}),
        ("", "{x}\n", {"rows_are": "folds", "same_order": True}),
        (",0\n", "{i},{x}\n", {"rows_are": "folds", "same_order": True}),
    ],
)
def test_a_file_for_each_classifier(tmp_path: Path, head: str, line: str, options: dict) -> None:
    texts = [head + "".join(line.format(i=i, x=x) for i, x in enumerate(own)) for own in FOLDS]

    table = read_table(written(tmp_path, NB=texts[0], SVM=texts[1]), **options)

    assert table.classifiers == ("NB", "SVM")
    assert table.folds[0].scores.reshape(-1, 2).T.tolist() == [list(own) for own in FOLDS]


def test_a_file_of_answers_for_each_classifier(tmp_path: Path) -> None:
    texts = ["id,correct\n" + "".join(f"{i},{int(i % n > 0)}\n" for i in range(30)) for n in (2, 3)]

    table = read_table(written(tmp_path, old=texts[0], new=texts[1]))

    assert table.answers is not None
    assert dict(zip(table.classifiers, table.scores[0].tolist(), strict=True)) == {"old": 0.5, "new": 20 / 30}


@pytest.mark.parametrize("text", ["pred\n0\n1\n0\n", "id,target\n1,0\n2,1\n3,1\n"])
def test_labels_alone_are_no_scores(tmp_path: Path, text: str) -> None:
    with pytest.raises(TableError, match="has the name of labels"):
        read_table(written(tmp_path, a=text, b=text), rows_are="folds", same_order=True)


@pytest.mark.parametrize("run", ["_seed{}", "-fold{}", " run {}", ".rep{}"])
def test_runs_stand_behind_names_of_rows_and_columns(read, run: str) -> None:
    names = [f"{name}{run.format(i)}" for name in ("bert", "gpt") for i in range(4)]
    scores = [*FOLDS[0], *FOLDS[1]]
    rows = "name,acc\n" + "".join(f"{name},{x}\n" for name, x in zip(names, scores, strict=True))
    columns = f"dataset,{','.join(names)}\nx,{','.join(map(str, scores))}\ny,{','.join(map(str, scores))}\n"

    for table in (read(rows), read(columns)):
        assert table.classifiers == ("bert", "gpt")
        assert table.folds[0].scores.reshape(-1, 2).T.tolist() == [list(own) for own in FOLDS]


def test_folds_behind_names_of_datasets(read) -> None:
    text = "run,NB,SVM\n" + "".join(f"{name}_fold{i},0.{i}1,0.{i}2\n" for name in ("iris", "wine") for i in range(3))

    table = read(text)

    assert (table.datasets, table.classifiers, len(table.folds)) == (("iris", "wine"), ("NB", "SVM"), 2)


@pytest.mark.parametrize("header", ["NB_1,NB_2,SVM_1,SVM_2", "VGG16,VGG19,NB,SVM", "NB_fold1,SVM_fold2,a,b"])
def test_other_numbers_in_names_are_left_alone(read, header: str) -> None:
    assert read(f"dataset,{header}\nx,1,2,3,4\ny,1,2,3,5\n", layout="wide").classifiers == tuple(header.split(","))


@pytest.mark.parametrize("corner", ["fold", "seed", "repeat"])
def test_folds_in_a_second_header_without_a_row_of_names_below(read, corner: str) -> None:
    """What a spreadsheet keeps of `pivot_table(columns=['model', 'fold'])` of pandas."""
    text = f",RF,RF,SVM,SVM\n{corner},0,1,0,1\niris,.8,.9,.7,.75\nwine,.7,.8,.6,.65\n"

    table = read(text)

    assert (table.datasets, table.classifiers) == (("iris", "wine"), ("RF", "SVM"))
    assert table.scores.tolist() == [pytest.approx([0.85, 0.725]), pytest.approx([0.75, 0.625])]


@pytest.mark.parametrize(
    ("beside", "score"),
    [("train_acc,test_acc", "test_acc"), ("acc_mean,acc_std", "acc_mean"), ("fit_time,acc", "acc")],
)
def test_columns_beside_the_scores_of_a_long_table_are_listed(read, beside: str, score: str) -> None:
    text = f"dataset,model,{beside}\nx,a,.9,.8\nx,b,.8,.7\ny,a,.9,.8\ny,b,.8,.7\n"

    table = read(text)

    (other,) = {*beside.split(",")} - {score}
    assert table.metric == score
    assert [one.name for one in table.left_out] == [other]


def test_a_p_value_is_no_classifier(read) -> None:
    table = read("dataset,A,B,p\nx,.9,.8,.01\ny,.8,.7,.3\nz,.7,.75,.2\n")

    assert (table.classifiers, [one.name for one in table.left_out]) == (("A", "B"), ["p"])
    assert read("dataset,p,q,r\nx,.9,.8,.01\ny,.8,.7,.3\nz,.7,.75,.2\n").classifiers == ("p", "q", "r")


@pytest.mark.parametrize("size", ["params_M", "flops G", "Params (B)", "memory_gb"])
def test_sizes_of_models_are_no_datasets(read, size: str) -> None:
    table = read(f"model,{size},MMLU,ARC\nA,7,.8,.7\nB,13,.9,.75\nC,70,.92,.8\n")

    assert table.datasets == ("MMLU", "ARC")


@pytest.mark.parametrize(
    "header",
    [
        "Datensatz;Verfahren;Genauigkeit",
        "jeu de données;modèle;exactitude",
        "数据集;模型;准确率",
        "dataset;modelo;acurácia",
    ],
)
def test_columns_of_other_languages(read, header: str) -> None:
    text = f"{header}\n" + "".join(f"{d};{c};0,{i}{j}\n" for i, d in enumerate("xyz") for j, c in enumerate("ab"))

    table = read(text)

    assert (table.datasets, table.classifiers, table.scores[1, 1]) == (("x", "y", "z"), ("a", "b"), 0.11)


@pytest.mark.parametrize("word", ["OOM", "timeout", "T/O", "memout", ".", r"\N"])
def test_a_model_that_did_not_finish_lacks_its_score(read, word: str) -> None:
    with pytest.raises(TableError, match="1 score is missing"):
        read(f"dataset,A,B\nx,.9,.8\ny,{word},.7\nz,.8,.7\n")


def test_marks_of_right_answers(read) -> None:
    table = read("id,A,B\n" + "".join(f"{i},{'✓✗'[i % 2]},{'✓✗'[i % 3 > 0]}\n" for i in range(12)))

    assert table.scores.tolist() == [[0.5, pytest.approx(1 / 3)]]


def test_a_tracker_without_datasets_holds_the_seeds_of_one(read) -> None:
    head = "Name,State,Runtime,seed,lr,test/acc,train/loss\n"
    text = head + "".join(
        f"{m}-{s},finished,9,{s},0.1,{x},0.3\n" for m, own in zip("ab", FOLDS, strict=True) for s, x in enumerate(own)
    )

    table = read(text)

    assert (table.classifiers, table.metric, table.format) == (("a", "b"), "test/acc", "wandb")
    assert table.folds[0].same_split


@pytest.mark.parametrize(("task", "score", "right"), [("task_id", "passed", "True"), ("problem", "score", "1")])
def test_right_and_wrong_under_names_of_tasks_are_asked(read, task: str, score: str, right: str) -> None:
    wrong = {"True": "False", "1": "0"}[right]
    rows = [f"{m},t{i},{right if i % n else wrong}" for m, n in (("a", 2), ("b", 3)) for i in range(12)]
    text = f"model,{task},{score}\n" + "\n".join(rows)

    with pytest.raises(TableError, match="rows_are='questions' or rows_are='datasets'"):
        read(text)
    assert read(text, rows_are="questions").scores.tolist() == [[0.5, 8 / 12]]
    if right == "1":
        assert len(read(text, rows_are="datasets").datasets) == 12


def test_counts_of_labels_are_no_cases(read) -> None:
    text = "model,truth,prediction,count\n" + "".join(
        f"{m},{t},{p},{9 if t == p else 2}\n" for m in "XY" for t in "ab" for p in "ab"
    )

    with pytest.raises(TableError, match="in 'count', the number of instances with both"):
        read(text)


def test_long_table_that_r_wrote_with_row_numbers(read) -> None:
    rows = [f'"{i}","d{i // 2}","{"ab"[i % 2]}",0.{i + 10}' for i in range(12)]

    table = read("\n".join(['"","data","algo","Accuracy"', *rows]))

    assert (table.classifiers, len(table.datasets), table.metric) == (("a", "b"), 6, "Accuracy")
