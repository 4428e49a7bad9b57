"""There is a sample of every kind, and every sample of a format is read where it can be."""

from __future__ import annotations

import pytest

from evalstats._errors import InvalidValueError
from evalstats.serving.handlers import Page, verdict
from evalstats.serving.previews import Preview, preview
from evalstats.serving.sample_data import (
    LONG,
    PREDICTIONS,
    QUESTIONS,
    SAMPLES_BY_NAME,
    WIDE,
    known_samples,
    sample_content,
    sample_like,
)


def layout_of(name: str) -> str:
    seen = preview(sample_content(name).encode(), {})
    assert isinstance(seen, Preview), seen
    return seen.layout


def test_every_kind_has_a_sample() -> None:
    compared = [sample.name for sample in known_samples() if sample.question == "compare"]

    assert {layout_of(name) for name in compared} == {"wide", "long", "predictions", "answers"}
    assert {sample.name for sample in known_samples()} == set(SAMPLES_BY_NAME)


def test_long_sample_is_the_wide_one() -> None:
    wide, long = (verdict(sample_content(name).encode(), {"metric": "AUC"}) for name in ("wide", "long"))

    assert isinstance(wide, Page)
    assert isinstance(long, Page)
    assert wide.body.split("</p>")[0] == long.body.split("</p>")[0]


@pytest.mark.parametrize(
    ("header", "sample"),
    [
        (b"data,NB,SVM", WIDE),
        (b"Model;Dataset;acc", LONG),
        (b"\n\nid\ty_true\ty_pred", PREDICTIONS),
        (b"model,question_id,score", QUESTIONS),
        (b"\xff\x00", WIDE),
        (b"", WIDE),
    ],
)
def test_sample_is_of_the_kind_that_was_meant(header: bytes, sample: str) -> None:
    assert sample_like(header) == sample


@pytest.mark.parametrize("sample", [WIDE, LONG, PREDICTIONS, QUESTIONS])
def test_samples_beside_mistakes_are_read(sample: str) -> None:
    assert isinstance(preview(sample.encode(), {}), Preview)


def test_examples_of_formats_are_samples() -> None:
    assert "Key_Dataset" in sample_content("format:weka-csv")


@pytest.mark.parametrize("name", ["", "../x", "format:../x", "format:"])
def test_unknown_sample_is_refused(name: str) -> None:
    with pytest.raises(InvalidValueError):
        sample_content(name)
