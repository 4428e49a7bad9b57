from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evalstats.io.reader.tables import read_table
from evalstats.io.sources.field_encoding import coded_fields
from evalstats.io.sources.number_parser import Fields, last_eight
from evalstats.tables.categorical import CodedColumn, coded


def block_of(texts: list[str]) -> tuple[Fields, np.ndarray]:
    text = "".join(f"{one}\n" for one in texts)
    codes = np.frombuffer(text.encode(), dtype=np.uint8)
    return Fields(text, np.concatenate([[-1], np.flatnonzero(codes == ord("\n"))])), last_eight(codes)


def coded_column(*blocks: list[str]) -> CodedColumn | None:
    return coded_fields(list(map(block_of, blocks)), [np.arange(len(block)) for block in blocks])


@pytest.mark.parametrize("length", [1, 7, 8, 9, 15, 16])
def test_texts_are_numbered_as_they_come(length: int) -> None:
    """Texts that differ in one character, or are the end of another, are different; empty ones are one text."""
    rng = np.random.default_rng(length)
    full = "".join(chr(97 + i) for i in range(length))
    names = ["", full, *(full[i:] for i in range(length)), *(full[:i] + "z" + full[i + 1 :] for i in range(length))]
    first, second = (rng.choice(names, 40_000).tolist() for _ in range(2))

    found = coded_column(first, second)

    expected = coded(first + second)
    assert found is not None
    assert list(found.values) == expected.values
    assert found.codes.tolist() == expected.codes.tolist()


def test_many_texts_meet_in_places_of_the_table() -> None:
    """Eight thousand of them in each piece share 65,536 places: hundreds of pairs meet."""
    texts = [f"name {i % 8000}" for i in range(70_000)]

    found = coded_column(texts)

    assert found is not None
    assert list(found) == texts


def test_what_is_not_short_or_not_repeated_is_left_to_others() -> None:
    assert coded_column(["a" * 17]) is None
    assert coded_column([str(i) for i in range(40_000)]) is None


@pytest.mark.parametrize(("decimal", "delimiter"), [(".", ","), (",", ";")])
@pytest.mark.parametrize(("written", "name"), [("{}", "clf 7"), ("**{}**", "clf 7"), ("{}", "Bäume")])
def test_long_table_of_many_rows(tmp_path: Path, decimal: str, delimiter: str, written: str, name: str) -> None:
    """Bold names and scores, decimal commas and names beyond ASCII are understood as in a small table."""
    n, k = 1050, 100
    names = [f"clf {j}" if j != 7 else name for j in range(k)]
    scores = np.random.default_rng(0).random((n, k)).round(3)
    lines = [delimiter.join(("dataset", "classifier", "accuracy"))]
    for i, row in enumerate(scores.tolist()):
        for j, score in enumerate(row):
            shown = written if j == 7 else "{}"
            cells = f"d{i}", shown.format(names[j]), shown.format(str(score).replace(".", decimal))
            lines.append(delimiter.join(cells))
    path = tmp_path / "long.csv"
    path.write_text("\n".join(lines), encoding="utf-8")

    table = read_table(path)

    assert list(table.datasets) == [f"d{i}" for i in range(n)]
    at = [table.classifiers.index(one) for one in names]
    np.testing.assert_array_equal(table.scores[:, at], scores)
