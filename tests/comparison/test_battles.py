"""Comparison of models by battles, from the file to the report."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

import evalstats
from evalstats import InvalidValueError, plot, report
from evalstats.io import read_battles
from evalstats.metrics import length_adjusted_win_rate
from evalstats.multiple import bradley_terry_from_battles, rank_confidence_sets
from evalstats.tables.errors import TableError

STRENGTHS = {"orca": 1.0, "lynx": 0.5, "newt": -1.5}


def votes(n: int = 400, seed: int = 1) -> dict[str, list[Any]]:
    rng = np.random.default_rng(seed)
    names = list(STRENGTHS)
    rows: dict[str, list[Any]] = {name: [] for name in ("model_a", "model_b", "winner", "question_id")}
    for battle in range(n):
        a, b = rng.choice(names, 2, replace=False)
        wins = rng.random() < 1 / (1 + math.exp(STRENGTHS[b] - STRENGTHS[a]))
        word = "tie" if rng.random() < 0.1 else "model_a" if wins else "model_b"
        for column, value in zip(rows.values(), (str(a), str(b), word, battle // 8), strict=True):
            column.append(value)
    return rows


def written(path: Path, rows: dict[str, list[Any]]) -> Path:
    lines = [",".join(rows), *(",".join(map(str, row)) for row in zip(*rows.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_file_frame_and_json_give_the_same_comparison(tmp_path: Path) -> None:
    rows = votes()
    records = [dict(zip(rows, row, strict=True)) for row in zip(*rows.values(), strict=True)]
    (tmp_path / "battles.json").write_text(json.dumps(records), encoding="utf-8")
    sources = (rows, written(tmp_path / "battles.csv", rows), tmp_path / "battles.json", records)

    found = [evalstats.compare(source) for source in sources]

    expected = bradley_terry_from_battles(
        rows["model_a"], rows["model_b"], rows["winner"], clusters=rows["question_id"]
    )
    for one in found:
        assert one.strengths.estimate == pytest.approx(expected.estimate)
        assert one.strengths.covariance == pytest.approx(expected.covariance)
        assert (one.ranking, one.clusters) == (("orca", "lynx", "newt"), ("question_id",))


@pytest.mark.parametrize("how", ["name", "letter"])
def test_winner_may_be_the_name_of_the_model_or_a_letter(how: str) -> None:
    rows = votes()
    for battle, word in enumerate(rows["winner"]):
        if word != "tie":
            rows["winner"][battle] = rows[word][battle] if how == "name" else word[-1].upper()

    assert read_battles(rows).winner == read_battles(votes()).winner


def test_letters_are_no_winners_where_a_model_has_such_a_name() -> None:
    rows = {"model_a": ["B", "C"], "model_b": ["A", "D"], "winner": ["A", "A"]}

    with pytest.raises(TableError, match=r"row 2: the winner must be .* or one of the two models, not 'A'"):
        read_battles(rows)
    assert read_battles({name: own[:1] for name, own in rows.items()}).winner == ("model_b",)


def test_pairs_agree_with_their_ranks() -> None:
    comparison = evalstats.compare(votes())

    assert comparison.rank_set("newt") == (3, 3)
    assert comparison.best == tuple(m for m in comparison.ranking if comparison.rank_set(m)[0] == 1)
    last = [pair for pair in comparison.pairs if pair.second == "newt"]
    assert [pair.different for pair in last] == [True, True]
    assert all(0 < pair.low < pair.difference < pair.high for pair in last)


@pytest.mark.parametrize("render", [report.text, report.markdown, report.latex, report.html, report.json])
def test_every_format_names_the_models_and_the_first(render: Any) -> None:
    shown = render(evalstats.compare(votes()))

    assert "orca is first. With 95" in shown
    assert all(name in shown for name in STRENGTHS)


def test_adjusted_strengths_stand_beside_the_unadjusted() -> None:
    rows = votes()
    rows |= {"length_a": list(range(400)), "length_b": [7 * n % 301 for n in range(400)]}
    battles = read_battles(rows, covariates=["position", "length"])

    comparison = evalstats.compare(battles)

    assert comparison.strengths.terms == ("position", "length")
    assert comparison.unadjusted is not None
    assert comparison.unadjusted.estimate == pytest.approx(evalstats.compare(votes()).strengths.estimate)
    assert "Unadjusted" in report.text(comparison)
    difference = (0 - 0) / 1, (1 - 7) / 9
    assert battles.covariates["length"][:2] == pytest.approx(difference)


def test_groups_without_a_battle_between_them_are_named() -> None:
    rows = {"model_a": ["A", "B", "C", "D"], "model_b": ["B", "A", "D", "C"], "winner": ["model_a"] * 4}

    comparison = evalstats.compare(rows)

    assert comparison.ranks is None
    assert "2 groups that no battle connects ('A', 'B'; 'C', 'D')" in report.text(comparison).replace("\n", " ")


def test_model_that_never_lost_is_said() -> None:
    rows = {"model_a": list("AABC"), "model_b": list("BCCB"), "winner": ["model_a"] * 4}

    assert "'A' never lost or tied" in report.sentence(evalstats.compare(rows))


def test_few_clusters_are_a_warning() -> None:
    rows = votes(40)

    assert [one.code for one in evalstats.compare(rows).findings] == ["clusters-of-battles", "few-clusters"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"winner": "modela"},
            "row 3: the winner must be model_a, model_b, tie or both_bad, or one of the two models, not 'modela'",
        ),
        ({"model_a": "x", "model_b": "x"}, "row 3: the model 'x' has a battle against itself"),
    ],
)
def test_bad_row_is_named(change: dict[str, str], message: str) -> None:
    rows = votes(10)
    for name, value in change.items():
        rows[name][2] = value

    with pytest.raises(TableError, match=message):
        evalstats.compare(rows)


def test_options_of_tables_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="margin cannot be used for battles"):
        evalstats.compare(votes(), margin=0.1)


def test_verdicts_of_arena_hard_are_two_battles_each(tmp_path: Path) -> None:
    """The baseline is A in the first game and B in the second."""
    path = tmp_path / "judgments.jsonl"
    lines = [
        {"question_id": q, "model": "new", "judge": "j", "games": [{"score": first}, {"score": second}]}
        for q, first, second in ((1, "A>>B", "A>B"), (2, "B>A", "A=B"))
    ]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")

    battles = read_battles(path, strong_weight=3)

    assert battles.model_a == ("baseline", "new", "baseline", "new")
    assert battles.winner == (1, 1, 0, 0.5)
    assert battles.weight is not None
    assert battles.weight.tolist() == [3, 1, 1, 1]


def test_preferences_of_alpaca_eval_are_fractions() -> None:
    rows = {"generator_1": ["b"] * 4, "generator_2": ["m"] * 4, "preference": [1.0000102895, 2, 0, None]}

    battles = read_battles(rows)

    assert battles.winner == pytest.approx((0.9999897105, 0, 0.5))


def test_three_columns_are_one_winner() -> None:
    rows = {"model_a": ["a", "b"], "model_b": ["b", "a"], "winner_model_a": [1, 0], "winner_model_b": [0, 0]}

    assert read_battles(rows | {"winner_tie": [0, 1]}).winner == ("model_a", "tie")


def test_style_is_the_sum_of_the_counts() -> None:
    meta = {f"sum_assistant_{s}_tokens": n for s, n in (("a", 30), ("b", 9))}
    meta |= {f"{name}_count_{s}": {"h1": 2, "h2": 1} for name in ("header", "list", "bold") for s in "ab"}
    rows = {"model_a": ["a"], "model_b": ["b"], "winner": ["tie"], "conv_metadata": [json.dumps(meta)]}

    found = read_battles(rows, covariates=["style"]).covariates

    assert [values.tolist() for values in found.values()] == [[21 / 40], [0], [0], [0]]


def test_two_clusterings_by_name() -> None:
    rows = votes() | {"judge": [f"u{n % 12}" for n in range(400)]}

    assert evalstats.compare(rows, cluster="question_id,judge").strengths.n_clusters == (50, 12)


def test_plot_has_a_row_and_a_rank_set_for_each_model() -> None:
    comparison = evalstats.compare(votes())

    ax = plot.battle_strengths(comparison)

    assert [label.get_text() for label in ax.get_yticklabels()] == list(comparison.ranking)
    assert [text.get_text() for text in ax.texts][-1] == "rank 3"
    plt.close(ax.figure)


def with_lengths() -> dict[str, list[Any]]:
    rng = np.random.default_rng(2)
    return votes() | {f"length_{side}": rng.integers(50, 500, 400).tolist() for side in "ab"}


def test_pairs_with_a_control_are_a_smaller_family() -> None:
    """Their p-values and intervals are those of the pairs of the control alone."""
    every, some = evalstats.compare(votes()), evalstats.compare(votes(), control="orca")
    own = some.strengths
    single = rank_confidence_sets(own.estimate, own.covariance, df=own.df, method="single-step", simultaneous=False)

    assert [(one.first, one.second) for one in some.pairs] == [("orca", "lynx"), ("orca", "newt")]
    assert some.ranking == every.ranking
    for pair in some.pairs:
        same = next(one for one in every.pairs if (one.first, one.second) == (pair.first, pair.second))
        assert pair.difference == same.difference
        assert pair.pvalue <= same.pvalue
        error = own.differences_standard_error[2, own.models.index(pair.second)]
        assert pair.high - pair.difference == pytest.approx(single.critical_value[2] * error)
        assert pair.high < same.high
    assert "0 of the other 2 models are shown to be better than orca, and 2 worse" in report.sentence(some)


def test_win_rates_at_equal_length_are_those_of_the_battles_with_the_control() -> None:
    rows = with_lengths()
    control = np.array(rows["model_a"]) == "newt"
    own = (control & (np.array(rows["model_b"]) == "orca")) | (
        (np.array(rows["model_a"]) == "orca") & (np.array(rows["model_b"]) == "newt")
    )
    outcome = np.array([{"model_a": 1, "model_b": 0, "tie": 0.5}[word] for word in rows["winner"]])
    length = np.array(rows["length_a"]) - np.array(rows["length_b"])
    expected = length_adjusted_win_rate(
        np.where(control, 1 - outcome, outcome)[own],
        np.where(control, -length, length)[own],
        clusters=np.array(rows["question_id"])[own],
    )

    comparison = evalstats.compare(rows, control="newt", covariates=["position", "length"])

    found = next(one for one in comparison.win_rates if one.model == "orca")
    assert comparison.strengths.terms == ("position", "length")
    assert (found.n_battles, found.win_rate) == (own.sum(), expected.win_rate)
    assert (found.adjusted, found.low) == pytest.approx((expected.estimate, expected.confidence_interval().low))
    assert "Win rates at equal length" in report.text(comparison)


def test_model_whose_answers_all_had_one_length_has_a_reason() -> None:
    rows = votes() | {"length_a": [7] * 400, "length_b": [9] * 200 + [7] * 200}
    rows = {name: values[200:210] + values[:190] for name, values in rows.items()}
    rows["length_b"] = [7] * 199 + [9]

    found = {one.model: one for one in evalstats.compare(rows, control="newt", covariates=["length"]).win_rates}

    assert any(
        one.reason == "length_difference must have different values, but all are equal" for one in found.values()
    )


def test_length_of_alpaca_eval_is_in_characters() -> None:
    rows = {"generator_1": ["b", "b"], "generator_2": ["m", "m"], "preference": [1, 2]}
    rows |= {"output_1": ["abc", "a"], "output_2": ["a", "abcde"]}

    battles = read_battles(rows, covariates=["length"])

    assert battles.length_difference is not None
    assert battles.length_difference.tolist() == [2, -4]
    assert battles.covariates["length"] == pytest.approx([2 / 5, -4 / 7])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"control": "cat"}, "control must be one of 'lynx', 'newt', 'orca', not 'cat'"),
        ({"small_sample": "cr3"}, "small_sample must be 'cr1' or 'cr0' or 'cr2', not 'cr3'"),
        ({"covariates": ["width"]}, "no columns width_a and width_b"),
    ],
)
def test_bad_choice_for_battles_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        evalstats.compare(votes(), **options)


def test_win_rates_take_one_clustering() -> None:
    rows = with_lengths() | {"judge": [f"u{n % 12}" for n in range(400)]}

    with pytest.raises(InvalidValueError, match="one column of clusters, not two"):
        evalstats.compare(rows, control="orca", covariates=["length"], cluster="question_id,judge")


def test_battles_that_are_read_take_no_option_of_reading() -> None:
    with pytest.raises(InvalidValueError, match="the battles are already read; pass 'cluster' to read_battles"):
        evalstats.compare(read_battles(votes()), cluster="question_id")


@pytest.mark.parametrize("small_sample", ["cr0", "cr2"])
def test_correction_for_few_clusters_is_passed_on(small_sample: str) -> None:
    comparison = evalstats.compare(votes(), small_sample=small_sample)

    assert comparison.strengths.covariance_method == small_sample.upper()
    assert f"cluster-robust standard errors ({small_sample.upper()})" in report.html(comparison)


def alpaca(n: int = 60, **columns: list[Any]) -> dict[str, list[Any]]:
    """Return a file of AlpacaEval: one pair of generators, each prompt once, one annotator."""
    rng = np.random.default_rng(4)
    return {
        "dataset": ["helpful"] * n,
        "instruction": [f"prompt {row}" for row in range(n)],
        "output_1": ["o" * int(size) for size in rng.integers(20, 90, n)],
        "generator_1": ["baseline"] * n,
        "output_2": ["o" * int(size) for size in rng.integers(20, 90, n)],
        "generator_2": ["lynx"] * n,
        "annotator": ["judge"] * n,
        "preference": [float(value) for value in rng.choice([1.1, 1.4, 1.6, 1.9], n)],
    } | columns


@pytest.mark.parametrize(
    ("columns", "clusters", "n_clusters"),
    [
        ({}, ("instruction",), (60,)),
        ({"annotator": [f"judge {row % 2}" for row in range(60)]}, ("instruction",), (60,)),
        ({"instruction": [f"prompt {row // 3}" for row in range(60)]}, ("instruction",), (20,)),
        ({"instruction": ["prompt"] * 60}, (), ()),
        (
            {"instruction": ["prompt"] * 60, "annotator": [f"judge {row % 12}" for row in range(60)]},
            ("annotator",),
            (12,),
        ),
    ],
)
def test_column_of_equal_values_is_not_taken_as_the_clusters(
    columns: dict[str, list[Any]], clusters: tuple[str, ...], n_clusters: tuple[int, ...]
) -> None:
    comparison = evalstats.compare(alpaca(**columns), control="baseline", covariates=["length"])

    assert (comparison.clusters, comparison.strengths.n_clusters) == (clusters, n_clusters)
    assert np.isfinite(comparison.strengths.standard_error).all()
    assert all(math.isfinite(one.low) for one in comparison.win_rates)


class Pipe(io.BytesIO):
    def seekable(self) -> bool:
        return False


@pytest.mark.parametrize("stream", [io.BytesIO, Pipe])
def test_stream_of_battles_is_recognized(tmp_path: Path, stream: Any) -> None:
    content = written(tmp_path / "battles.csv", votes()).read_bytes()

    assert evalstats.compare(stream(content)).ranking == ("orca", "lynx", "newt")


def test_report_is_recomputed_from_the_battles(tmp_path: Path) -> None:
    path = written(tmp_path / "battles.csv", with_lengths())
    told = report.json(evalstats.compare(path, control="orca", covariates=["length"], small_sample="cr2", rng=5))

    found = evalstats.verify_report(io.StringIO(told), data=path)

    assert (found.status, found.changes) == ("verified", ())
    assert found.options == {"control": "orca", "rng": 5, "covariates": ["length"], "small_sample": "cr2"}
    other = written(tmp_path / "others.csv", with_lengths() | {"winner": votes(seed=3)["winner"]})
    assert evalstats.verify_report(io.StringIO(told), data=other).status == "not verified"


def test_file_of_the_battles_may_have_another_name(tmp_path: Path) -> None:
    told = report.json(evalstats.compare(written(tmp_path / "battles.csv", votes())))

    found = evalstats.verify_report(io.StringIO(told), data=written(tmp_path / "renamed.csv", votes()))

    assert (found.status, "$.battles.source" in found.taken_as_given) == ("verified", True)


def test_report_of_battles_without_its_data_asks_for_them() -> None:
    with pytest.raises(InvalidValueError, match="holds results, but not the data: pass data"):
        evalstats.verify_report(io.StringIO(report.json(evalstats.compare(votes()))))


def said(winner: list[object], models: tuple[str, str] = ("model_a", "model_b"), called: str = "winner") -> Any:
    """Return three battles of gpt and phi, of which gpt wins the first, phi the second, and none the third."""
    return {models[0]: ["gpt", "gpt", "phi"], models[1]: ["phi", "phi", "gpt"], called: winner}


@pytest.mark.parametrize(
    ("rows"),
    [
        said(["A", "B", "tie"]),
        said(["a", "b", "Both"]),
        said(["left", "right", "draw"]),
        said(["first", "second", "tied"]),
        said(["[[A]]", "[[B]]", "[[C]]"]),
        said(["A>>B", "B>A", "A=B"]),
        said(["Model A", "Model-B", "TIE"]),
        said(["gpt", "phi", "equal"], called="preferred"),
        said(["1", "2", "tie"], called="outcome"),
        said([1, 2, "tie"], ("model_1", "model_2"), "preference"),
        said(["model_1", "model_2", "tie"], ("model_1", "model_2")),
        said(["left", "right", "tie"], ("left_model", "right_model"), "verdict"),
    ],
    ids=lambda rows: "-".join([*map(str, rows), *map(str, list(rows.values())[-1])]),
)
def test_winner_is_said_in_many_words(rows: dict[str, list[object]], tmp_path: Path) -> None:
    path = tmp_path / "battles.jsonl"
    lines = (dict(zip(rows, cells, strict=True)) for cells in zip(*rows.values(), strict=True))
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")

    for source in (rows, path):
        battles = read_battles(source)
        assert (battles.model_a, battles.winner) == (("gpt", "gpt", "phi"), ("model_a", "model_b", "tie"))


@pytest.mark.parametrize("winner", [[0, 1, 1], [1, 0, 0.5], [1, 2, 0], [1, -1, 0], ["win", "loss", "win"]])
def test_numbers_that_may_count_either_side_are_refused(winner: list[object]) -> None:
    with pytest.raises(TableError, match="row 1: the winner must be model_a"):
        read_battles(said(winner))


def test_word_that_is_the_name_of_a_model_is_that_model() -> None:
    rows = {"model_a": ["b", "b"], "model_b": ["a", "x"], "winner": ["a", "b"]}

    assert read_battles(rows).winner == ("model_b", "model_a")
    with pytest.raises(TableError, match="row 2: the winner must be"):
        read_battles(rows | {"winner": ["a", "a"]})


@pytest.mark.parametrize("column", ["score_a", "a_wins", "wins_a"])
def test_battles_without_a_winner_are_not_read_as_scores(column: str) -> None:
    with pytest.raises(TableError, match=f"holds battles: .* and perhaps '{column}' the winner"):
        evalstats.compare(said([1, 0, 1], called=column))


def test_header_alone_has_no_battles():
    """The message names the table, not an argument of the model."""
    with pytest.raises(TableError, match="has no row of battles"):
        read_battles(io.StringIO("model_a,model_b,winner\n"))
