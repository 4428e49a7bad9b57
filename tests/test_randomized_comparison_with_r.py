"""The page of generated inputs holds the counts of its data, and the script counts what R was asked."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "randomized_comparison_with_r.py"


@pytest.fixture(scope="module")
def figure() -> dict:
    return runpy.run_path(str(ROOT / "docs" / "figures" / "randomized_comparison_with_r.py"))


def test_page_holds_the_counts_of_the_data(figure: dict) -> None:
    page = figure["PAGE"].read_text(encoding="utf-8")

    assert figure["written"](page, figure["read"]()) == page


def test_what_differed_stands_on_the_page_and_not_in_the_last_run(figure: dict) -> None:
    runs = figure["read"]()
    told = figure["PAGE"].read_text(encoding="utf-8").partition("## Differences that were found")[2]
    differed = {name for run in runs for name, one in run["functions"].items() if one["differs"]}

    assert differed
    for name in differed:
        assert name.rpartition("/")[2].replace("bayes_pairwise_", "bayes_") in told
    assert not [name for name, one in runs[-1]["functions"].items() if one["differs"]]


def test_every_function_with_generated_inputs_was_asked(figure: dict) -> None:
    known = set(runpy.run_path(str(SCRIPT))["functions"]())

    assert known == {name for run in figure["read"]() for name, one in run["functions"].items() if one["inputs"]}


@pytest.mark.live
@pytest.mark.usefixtures("r")
def test_ctrl_c_ends_the_script_and_counts_no_part_of_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main = runpy.run_path(str(SCRIPT))["main"]
    monkeypatch.setitem(main.__globals__, "validate", lambda **_: SimpleNamespace(complete=False, rows=()))

    with pytest.raises(KeyboardInterrupt):
        main(tmp_path / "counts.json", 5, is_new=False)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@pytest.mark.live
@pytest.mark.usefixtures("r")
def test_script_counts_what_it_asked(tmp_path: Path, figure: dict) -> None:
    path, main = tmp_path / "counts.json", runpy.run_path(str(SCRIPT))["main"]
    main.__globals__["BLOCK"] = 5

    for is_new in (False, False, True):
        main(path, 0.01, is_new=is_new)

    first, second = json.loads(path.read_text())
    assert [one["blocks"] for one in first["functions"].values()][:3] == [1, 1, 0]
    assert [one["inputs"] for one in second["functions"].values()][:2] == [5, 0]
    assert second["first"] == 1
    assert figure["total"](first, "inputs") == figure["total"](first, "answered") == 10
