"""Frozen answers: written, read back, and found stale."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from evalstats._errors import InvalidValueError
from evalstats.parity.live_r import Answer
from evalstats.parity.record_reference import main
from evalstats.parity.reference_cases import read_stem
from evalstats.parity.reference_values import Frozen, read_answers, render_answers


def frozen(**fields) -> Frozen:
    return Frozen(
        r="4.2.2",
        packages={"stats": "4.2.2"},
        adapter="0" * 16,
        answers={("f", "one"): Answer(fields=fields, warnings=("a warning",))},
        digests={("f", "one"): "1" * 16},
    )


def back_from_file(folder: Path, content: Frozen) -> Frozen:
    (folder / "subpackage").mkdir()
    (folder / "subpackage" / "stem.json").write_text(render_answers(content), encoding="utf-8")
    return read_answers("subpackage/stem", folder)


def test_answers_come_back_with_15_digits(tmp_path: Path) -> None:
    fields = {
        "number": 0.1 + 0.2,
        "tiny": 5e-324,
        "infinite": [math.inf, -math.inf, 0.25],
        "matrix": [[1.0, 2.0], [3.0, math.pi]],
        "word": "nan",
        "words": ["Šidák", '"'],
        "truth": True,
        "empty": [],
    }

    back = back_from_file(tmp_path, frozen(**fields))

    written = fields | {"number": 0.3, "matrix": [[1.0, 2.0], [3.0, 3.14159265358979]]}
    assert dict(back.answers["f", "one"].fields) == written
    assert back.answers["f", "one"].warnings == ("a warning",)


def test_nan_is_no_string_and_the_file_is_json(tmp_path: Path) -> None:
    back = back_from_file(tmp_path, frozen(pvalue=math.nan, word="nan"))
    text = render_answers(frozen(pvalue=math.nan))

    assert math.isnan(back.answers["f", "one"].fields["pvalue"])
    assert back.answers["f", "one"].fields["word"] == "nan"
    assert json.loads(text, parse_constant=pytest.fail)["answers"]["f"]["one"]["answer"] == {
        "pvalue": {"number": "nan"}
    }


def test_each_case_is_one_line_in_sorted_order() -> None:
    answers = {("g", "a"): Answer(fields={}, warnings=()), ("f", "b"): Answer(fields={}, warnings=())}
    answers["f", "a"] = answers["f", "b"]
    text = render_answers(
        Frozen(r="4", packages={"z": "1", "a": "2"}, adapter="", answers=answers, digests=dict.fromkeys(answers, ""))
    )

    lines = text.splitlines()

    assert [line.split(":")[0] for line in lines if line.startswith('"')] == [
        '"digest"', '"r"', '"packages"', '"adapter"', '"answers"', '"f"', '"a"', '"b"', '"g"', '"a"',
    ]  # fmt: skip
    assert '"packages": {"a": "2", "z": "1"},' in lines


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"r": "4.2.2"', '"r": "4.5.0"'),
        ('"stats": "4.2.2"', '"stats": "4.2.3"'),
        ("0" * 16, "2" * 16),
        ("1" * 16, "2" * 16),
        ("0.25", "0.25000000000000006"),
        ("0.25", "[0.25]"),
        ('"pvalue"', '"p"'),
        ('"a warning"', '"another"'),
        ('["a warning"]', "[]"),
        ('"one"', '"two"'),
        ('"f"', '"g"'),
        ('"digest": "', '"digest": "0'),
    ],
)
def test_edited_file_is_refused_by_its_name_whatever_was_edited(tmp_path: Path, old: str, new: str) -> None:
    text = render_answers(frozen(pvalue=0.25))
    (tmp_path / "subpackage").mkdir()
    (tmp_path / "subpackage" / "stem.json").write_text(text.replace(old, new, 1), encoding="utf-8")

    assert old in text
    with pytest.raises(InvalidValueError) as refused:
        read_answers("subpackage/stem", tmp_path)
    assert str(refused.value) == (
        "subpackage/stem.json was edited after the R results were stored; run "
        "python -m evalstats.parity.record_reference subpackage/stem"
    )


def test_layout_and_ends_of_lines_are_no_edit(tmp_path: Path) -> None:
    content = json.loads(render_answers(frozen(pvalue=0.25)))
    (tmp_path / "subpackage").mkdir()
    (tmp_path / "subpackage" / "stem.json").write_text(json.dumps(content, indent=4), encoding="utf-8", newline="\r\n")

    assert read_answers("subpackage/stem", tmp_path).answers["f", "one"].fields == {"pvalue": 0.25}


def test_missing_file_is_none_and_a_broken_one_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "subpackage").mkdir()
    (tmp_path / "subpackage" / "broken.json").write_text('{"r": "4.2.2"}')

    command = "python -m evalstats.parity.record_reference subpackage/broken"
    sentence = rf"^subpackage/broken.json is not a file of stored R results; run {command}$"

    assert read_answers("subpackage/stem", tmp_path) is None
    with pytest.raises(InvalidValueError, match=sentence):
        read_answers("subpackage/broken", tmp_path)


@pytest.mark.live
@pytest.mark.usefixtures("r")
@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        (
            "subject.toml",
            "x = [1]",
            "x = [2]",
            "demo/subject/shift/one has arguments that differ from the arguments of its stored result",
        ),
        ("subject.toml", "[shift.one]", "[shift.two]", "demo/subject/shift/two has no stored result"),
        (
            "subject.toml",
            "[shift.one]\nx = [1]\nby = 2.5",
            "",
            "demo/subject.json holds a result of shift/one, which is no longer a case",
        ),
        (
            "subject.R",
            "mean(x)",
            "median(x)",
            "demo/subject.R, or what it uses of common.R, differs from the code of the stored results",
        ),
    ],
)
def test_stale_answer_is_named(reference: Path, file: str, old: str, new: str, sentence: str) -> None:
    main([], reference)
    assert read_answers("demo/subject", reference).stale(read_stem("demo/subject", reference)) is None
    path = reference / "demo" / file
    path.write_text(path.read_text().replace(old, new))

    stale = read_answers("demo/subject", reference).stale(read_stem("demo/subject", reference))

    assert stale == f"{sentence}; run python -m evalstats.parity.record_reference demo/subject"
