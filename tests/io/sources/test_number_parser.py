"""The numbers of a large text are read at once: they, the findings and the messages are those of cells read alone."""

from __future__ import annotations

import io
import json
import random
import struct
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats import EvalstatsError, read_predictions, read_table, report
from evalstats.io.sources import number_parser as number_columns
from evalstats.io.sources import plain_text
from evalstats.io.sources.delimited import grid_of_text
from evalstats.io.sources.number_parser import Fields, NumberColumn, plain_number_fields

WRITTEN = ("0", "1", "-0", "+.5", "5.", "007", "0.30000000000000004", "9007199254740993", "9" * 19, "-1.25")
# halfway between two floats, and as near to it as 64 bits come
HALFWAY = ("9007199254740993.0", "9007199254740995", "4503599627370497.5", "4503599627370496.75")


def fields_of(texts: list[str]) -> tuple[Fields, Any, Any]:
    joined = ",".join(texts) + "\n"
    codes = np.frombuffer(joined.encode("ascii", "replace"), dtype=np.uint8)
    ends = np.flatnonzero((codes == ord(",")) | (codes == ord("\n")))
    return Fields(joined, np.concatenate([[-1], ends])), codes, ends


def read_at_once(texts: list[str]) -> tuple[Any, Any]:
    fields, codes, ends = fields_of(texts)
    return plain_number_fields(codes, fields.ends[:-1] + 1, ends)


def bits(values: Any) -> list[bytes]:
    return [struct.pack("<d", value) for value in values]


def test_numbers_are_those_of_float() -> None:
    """To the last bit, the sign of zero too; what is not sure is left to float itself."""
    rng = np.random.default_rng(5)
    texts = [*WRITTEN, *map(repr, rng.random(20_000).tolist())]
    texts += [f"{x:.{digits}f}" for digits in range(18) for x in rng.normal(size=99)]

    values, is_plain = read_at_once([*texts, *HALFWAY])

    own = [text for text, is_known in zip([*texts, *HALFWAY], is_plain, strict=True) if is_known]
    assert bits(values[is_plain]) == bits(map(float, own))
    assert is_plain[: len(texts)].mean() > 0.99 or not number_columns._HAS_MORE_BITS


@pytest.mark.parametrize("has_more_bits", [True, False])
def test_halfway_between_two_floats_is_left_to_float(has_more_bits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(number_columns, "_HAS_MORE_BITS", has_more_bits and number_columns._HAS_MORE_BITS)

    assert not read_at_once(list(HALFWAY))[1].any()


@given(st.lists(st.text(st.sampled_from("0123456789.+-eE_ x%é\t"), max_size=24), min_size=1, max_size=30))
def test_whatever_is_understood_is_a_number(texts: list[str]) -> None:
    values, is_plain = read_at_once(texts)

    for text, value, is_known in zip(texts, values, is_plain, strict=True):
        assert not is_known or (set(text) <= set("0123456789.+-") and float(text) == value)


def test_column_is_a_sequence_of_texts() -> None:
    texts = ["0.10", "1", "-2.5"]
    fields, codes, ends = fields_of(texts)
    column = NumberColumn(fields, np.arange(3), plain_number_fields(codes, fields.ends[:-1] + 1, ends)[0])

    assert (list(column), len(column), column[1], column[-1], column.index("1")) == (texts, 3, "1", "-2.5", 1)
    assert (list(column[1:]), list(column.rows([2, 0]))) == (texts[1:], ["-2.5", "0.10"])
    assert column.rows([2, 0]).numbers.tolist() == [-2.5, 0.1]


def test_large_tables_are_read_so() -> None:
    lines = "".join(f"data {i},0.{i},{i}e-3,x{i}\n" for i in range(2_000))

    columns = grid_of_text(io.StringIO("dataset,NB,SVM,note\n" + lines, newline=""), "x.csv", None, "utf-8").columns

    assert [type(column).__name__ for column in columns] == ["list", "NumberColumn", "NumberColumn", "list"]


# --- whole tables, both ways ------------------------------------------------------------------------------------------

STYLES: dict[str, Callable[[random.Random], str]] = {
    "digits": lambda rng: f"{rng.random():.4f}",
    "all digits": lambda rng: repr(rng.random()),
    "whole": lambda rng: str(rng.randrange(100)),
    "bits": lambda rng: rng.choice("01"),
    "bits with points": lambda rng: rng.choice(("0.0", "1.0", "0.00")),
    "exponents": lambda rng: f"{rng.random():.3e}",
    "percent": lambda rng: f"{100 * rng.random():.1f}%",
    "comma": lambda rng: f"{rng.random():.3f}".replace(".", ","),
    "thousands": lambda rng: f"{rng.randrange(10**6):,}",
    "spread": lambda rng: f"{90 * rng.random():.1f} ± 0.{rng.randrange(10)}",
    "parentheses": lambda rng: f"{90 * rng.random():.1f} (0.{rng.randrange(10)})",
    "ranks": lambda rng: str(rng.randrange(1, 4)),
    "sometimes missing": lambda rng: rng.choice(("NA", "-", "", "?", *[f"{rng.random():.2f}"] * 20)),
    "sometimes huge": lambda rng: rng.choice(("1e999", "inf", *["0.5"] * 40)),
}
HEADERS = (
    *(["dataset", "NB", "SVM", "C4.5"], ["", "NB", "SVM", "n_train"], ["dataset", "NB", "NB time", "SVM"]),
    *(["fold", "NB", "SVM", "C4.5"], ["dataset", "fold", "NB", "SVM"], ["classifier", "iris", "glass", "wine"]),
    *(["dataset", "classifier", "score", "n"], ["dataset", "classifier", "fold", "accuracy"], ["a", "b", "c", "d"]),
    *(["row", "y_true", "NB", "SVM"], ["model", "question_id", "correct", "id"], ["dataset", "rank", "NB", "Average"]),
    *(["id", "y_true", "y_pred", "y_score"], ["dataset", "NB test", "NB train", "x"], ["dataset", "NB", "SVM", "diff"]),
)
FAULTS = (
    *("Average;0.5;0.6;0.7", "iris;0.5;0.6", "", "glass;0.5;0.6;0.7;0.8", '"a;b";1;2;3', "Wins;1/2/3;4/5/6;7/8/9"),
    *("x; 0.5;0.6;0.7", "é;0.5;0.6;0.7", "x;--1;2;3", "x;1_0;2;3", "x;NaN;2;3", "x;.;2;3", "x;1\r;2;3", "Std;1;2;3"),
    *("x;0.5**;1;2", "x;$1$;2;3", "x;\u22121;2;3", "x;1e5;+2;-3", "x;991;2;3", ";1;2;3", "x;0;0;0", "Note: see below"),
)
OPTIONS: tuple[dict[str, Any], ...] = (
    *[{}] * 10,
    *({"missing": "drop-datasets"}, {"missing": "skillings-mack"}, {"decimal": ","}, {"decimal": "."}),
    *({"transpose": True}, {"transpose": False}, {"layout": "wide"}, {"layout": "long"}, {"layout": "predictions"}),
    *({"drop": "SVM"}, {"keep": "Average"}, {"dataset": "dataset"}, {"metric": "accuracy"}, {"header_rows": 1}),
)


def written(rng: random.Random) -> str:
    """Return a table in which each column has its own style, and which may have a fault or two."""
    header, n = rng.choice((*HEADERS, *HEADERS[:3] * 4)), rng.randrange(24, 60)
    usual = rng.choice(list(STYLES))
    styles = [STYLES[usual if rng.random() < 0.9 else rng.choice(list(STYLES))] for _ in header]
    first = rng.choice((*[lambda i: f"data {i}"] * 5, lambda i: f"data {i % 8}", str, lambda i: f"{i}.5"))
    second = rng.choice((*[None] * 4, lambda i: f"m{i % 3}", lambda i: str(i % 5)))
    lines = []
    for i in range(n):
        cells = [first(i), *(style(rng) for style in styles[1:])]
        if second is not None:
            cells[1] = second(i)
        lines.append(";".join(cells))
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        lines.insert(rng.choice((n, n, rng.randrange(n))), rng.choice(FAULTS))
    text = ";".join(header) + "\n" + "\n".join(lines) + rng.choice(("\n", ""))
    delimiter = rng.choice(",;\t")
    text = text.replace(",", ".") if delimiter == "," and rng.random() < 0.7 else text
    return text.replace(";", delimiter).replace("\n", rng.choice(("\n", "\n", "\r\n")))


def outcome(text: str, options: dict[str, Any], read: Any) -> tuple[str, str]:
    """Return what came of a text, with everything that it holds and says."""
    try:
        found = read(io.BytesIO(text.encode()), **options)
    except EvalstatsError as error:
        return "refused", str(error)
    if read is read_predictions:
        return "read", repr((found, found.findings, read_table(found).scores.tobytes() if found.source else None))
    left = [one.to_dict() for one in found.left_out]
    spread = None if found.spread is None else found.spread.tobytes()
    return "read", repr((found.scores.tobytes(), spread, left, found.findings, json.loads(report.json(found))))


@pytest.mark.filterwarnings("ignore::evalstats._errors.EvalstatsWarning")
@pytest.mark.parametrize("start", range(0, 600, 100))
def test_both_ways_tell_the_same(start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the cells are: scores, messages, findings, and what was left out."""
    kinds: Counter[str] = Counter()
    for seed in range(start, start + 100):
        rng = random.Random(seed)
        text, options = written(rng), rng.choice(OPTIONS)
        read: Any = read_predictions if not options and rng.random() < 0.3 else read_table
        outcomes = []
        for large in (0, 1 << 40):
            monkeypatch.setattr(plain_text, "LARGE", large)
            outcomes.append(outcome(text, options, read))
        assert outcomes[0] == outcomes[1], (seed, text)
        kinds[outcomes[0][0]] += 1
    assert set(kinds) == {"read", "refused"}
