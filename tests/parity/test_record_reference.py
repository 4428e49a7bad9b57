"""R is asked every case; answers are written only where all is well."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalstats._errors import EvalstatsError
from evalstats.parity.live_r import R
from evalstats.parity.record_reference import freeze, main
from evalstats.parity.reference_cases import read_stem


@pytest.mark.live
def test_freezing_twice_changes_nothing(reference: Path, r: R, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], reference) == 0
    first = (reference / "demo" / "subject.json").read_bytes()
    assert main(["demo/subject"], reference) == 0

    assert (reference / "demo" / "subject.json").read_bytes() == first
    assert capsys.readouterr().out == "demo/subject: 4 results written\ndemo/subject: 4 results unchanged\n"


@pytest.mark.live
def test_new_case_changes_its_own_line_and_the_digest_only(reference: Path, r: R) -> None:
    main([], reference)
    before = (reference / "demo" / "subject.json").read_text().splitlines()
    toml = reference / "demo" / "subject.toml"
    toml.write_text(toml.read_text() + "\n[shift.new]\nx = [7]\n")
    main([], reference)

    after = (reference / "demo" / "subject.json").read_text().splitlines()

    assert [line.split(":")[0] for line in after if line not in before] == ['"digest"', '"new"']


@pytest.mark.live
def test_error_of_r_writes_nothing_and_names_every_case(
    reference: Path, r: R, capsys: pytest.CaptureFixture[str]
) -> None:
    toml = reference / "demo" / "subject.toml"
    toml.write_text(toml.read_text().replace("x = [1, 2, 4.5]", "x = [9999]").replace("x = [101, 3]", "x = [8888]"))

    assert main([], reference) == 1
    assert not (reference / "demo" / "subject.json").exists()
    assert capsys.readouterr().err.splitlines() == [
        "demo/subject/spread/plain: R error: x is too large",
        "demo/subject/spread/wide: R error: x is too large",
        "demo/subject: nothing written",
    ]


@pytest.mark.live
def test_missing_package_is_named(reference: Path, r: R) -> None:
    toml = reference / "demo" / "subject.toml"
    toml.write_text(toml.read_text().replace('["base", "stats"]', '["noSuchPackage"]'))

    with pytest.raises(EvalstatsError, match="demo/subject: R package noSuchPackage is missing"):
        freeze(read_stem("demo/subject", reference), r)
