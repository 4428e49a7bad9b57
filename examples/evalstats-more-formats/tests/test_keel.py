from __future__ import annotations

from pathlib import Path

import pytest

from evalstats import TableError, compare, read_table

HEAD = "@relation iris\n@attribute class {a,b}\n@outputs class\n@data\n"


def made(directory: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory


def test_score_is_the_share_of_right_labels(sample, content) -> None:
    expected = {}
    for folder in sample("keel/results").glob("*/*"):
        lines = [
            line for path in folder.glob("*.tst") for line in path.read_text().partition("@data\n")[2].splitlines()
        ]
        expected[folder.name, folder.parent.name] = sum(len(set(line.split())) == 1 for line in lines) / len(lines)

    table = read_table(sample("keel/results"))

    assert table.format == "keel"
    assert content(table) == pytest.approx(expected)


def test_unclassified_cases_are_wrong_and_told(sample) -> None:
    findings = {one.code: one.sentence for one in compare(sample("keel")).table.findings}

    assert findings["unclassified"].startswith("3 instances were not classified, which counts as a wrong answer")


def test_unclassified_among_numbers_is_minus_one(tmp_path) -> None:
    head = HEAD.replace("{a,b}", "{0,1}")
    folder = made(tmp_path, {"A/d/result0.tst": head + "0 0\n1 ?\n", "B/d/result0.tst": head + "0 0\n1 1\n"})

    assert read_table(folder).scores.tolist() == [[0.5, 1.0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "a b c\n", "result0.tst, line 5: 'a b c' is not an actual and a predicted label"),
        (HEAD.replace("@data\n", ""), "has no line @data"),
        (HEAD.replace("{a,b}", "real [0,1]") + "0.5 0.4\n", "numbers that were predicted"),
        ("", "has no line @data"),
    ],
)
def test_faults_are_told_with_their_file(text, message, tmp_path) -> None:
    with pytest.raises(TableError, match=message):
        read_table(made(tmp_path, {"A/d/result0.tst": text}))


def test_seeds_of_a_method_that_draws_numbers_are_repeats(tmp_path) -> None:
    files = {f"A/d/result{fold}s{seed}.tst": HEAD + "a a\nb a\n" for fold in (0, 1) for seed in (0, 1)}

    table = read_table(made(tmp_path, files))

    assert (table.folds[0].repeats, table.folds[0].folds) == (("0", "1"), ("0", "1"))


def test_folders_of_an_experiment_name_the_method_and_the_dataset(tmp_path) -> None:
    """KEEL writes results/METHOD.DATASET, with the seed in the names of the files and a space behind each line."""
    head = HEAD.replace("@relation iris", "@relation   unknow")
    right = {"C45-C.iris": 2, "C45-C.glass0": 3, "SMO-C.iris": 1, "SMO-C.glass0": 4}
    files = {
        f"{folder}/result{fold}s0.tst": head + "a a \n" * n + "a b \n" * (4 - n)
        for folder, n in right.items()
        for fold in (0, 1)
    }

    table = read_table(made(tmp_path / "results", files))

    assert (table.datasets, table.classifiers) == (("glass0", "iris"), ("C45-C", "SMO-C"))
    assert table.scores.tolist() == [[0.75, 1.0], [0.5, 0.25]]
    assert read_table(tmp_path / "results" / "SMO-C.iris").datasets == ("iris",)
