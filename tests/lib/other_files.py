"""Files as people and programs leave them: what stands around the scores, how names and numbers are written.

Each has what is true of it, which pandas computed from the same experiments as those of `corpus`.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from corpus import DIGITS, N_FOLDS, Source, accuracies, means, new_directory, percent, predictions, runs

__all__ = ["other_files", "written_files"]

Frame = pd.DataFrame


def table() -> Frame:
    """Return the scores, rounded as they are printed."""
    return means().round(4).rename_axis(columns=None)


def german() -> Frame:
    return means().loc[["german"]]


def of_german() -> Frame:
    """Return five scores of each classifier on one dataset."""
    own = runs().query("dataset == 'german'")
    return own[["classifier", "fold", "accuracy"]].reset_index(drop=True)


def right() -> Frame:
    """Return a row for each answer: question, model and whether it is right."""
    wide = predictions()
    long = wide.melt(["id", "y_true"], var_name="model", value_name="y_pred")
    return pd.DataFrame(
        {"question_id": long["id"], "model": long["model"], "correct": long["y_true"] == long["y_pred"]}
    )


def right_wide() -> Frame:
    wide = predictions()
    return wide.drop(columns=["id", "y_true"]).eq(wide["y_true"], axis=0).assign(question_id=wide["id"])


def csv(frame: Frame, **how: Any) -> str:
    return frame.to_csv(**how)


def book(sheets: dict[str, Frame], change: Callable[[Any], None] | None = None, **how: Any) -> bytes:
    """Return a workbook that pandas writes, which openpyxl may change."""
    file = io.BytesIO()
    with pd.ExcelWriter(file, engine="openpyxl") as writer:
        for name, frame in sheets.items():
            frame.to_excel(writer, sheet_name=name, **how)
        if change is not None:
            change(writer.book)
    return file.getvalue()


# --- two rows of names ------------------------------------------------------------------------------------------------


def two_levels() -> Iterator[tuple[Any, ...]]:
    """Yield headers of two levels whose numbers no name explains."""
    by_fold = runs().pivot_table(index="dataset", columns=["classifier", "fold"], values="accuracy").round(DIGITS)
    truth = means().round(DIGITS)
    unnamed = {"answers": {"columns_are": "folds", "rows_are": "folds"}}
    named = by_fold.rename_axis(columns=["model", "fold"])
    bare = by_fold.rename_axis(columns=[None, None])
    above = bare.swaplevel(axis=1).sort_index(axis=1)
    for what, frame, how in (
        ("named", named, {}),
        ("named, index without a name", named.rename_axis(None), {}),
        ("bare", bare, unnamed),
        ("bare, index without a name", bare.rename_axis(None), unnamed),
        ("bare, numbers above", above, unnamed),
        ("bare, from 0", bare.rename(columns=lambda one: one - 1 if isinstance(one, int) else one), unnamed),
    ):
        text = csv(frame)
        yield f"{what}; CSV", "csv", text, truth, N_FOLDS, True, how
        lines = text.splitlines(keepends=True)
        if lines[2].strip(",\n") in ("dataset", ""):
            yield f"{what}; CSV without the row below", "csv", "".join(lines[:2] + lines[3:]), truth, N_FOLDS, True, how
        yield f"{what}; Excel", "xlsx", book({"Sheet1": frame}), truth, N_FOLDS, True, how
        yield f"{what}; HTML", "html", frame.to_html(), truth, N_FOLDS, True, how
        yield f"{what}; LaTeX", "tex", frame.to_latex(), truth, N_FOLDS, True, how
    one = of_german().pivot_table(index="fold", columns="classifier", values="accuracy")
    metrics = pd.concat({"acc": means(), "f1": means("f1_macro")}, axis=1).round(DIGITS)
    yield "metrics; Excel", "xlsx", book({"Sheet1": metrics}), truth, 1, True, {"answers": {"metric": "acc"}}
    yield "metrics; CSV", "csv", csv(metrics), truth, 1, True, {"answers": {"metric": "acc"}}
    yield "folds of one; Excel", "xlsx", book({"Sheet1": one}), german(), N_FOLDS, True, {}
    spread = pd.concat({"mean": means(), "std": means() / 50}, axis=1).swaplevel(axis=1).sort_index(axis=1)
    yield "mean and std; Excel", "xlsx", book({"Sheet1": spread.round(DIGITS)}), truth, 1, True, {}
    groups = means().round(DIGITS)
    kinds = ["linear", "bayes", "lazy", "trees"]  # in the order of LR, NB, kNN, tree
    groups.columns = pd.MultiIndex.from_tuples(zip(kinds, groups.columns, strict=True))
    joined = truth.set_axis([f"{kind} {name}" for kind, name in zip(kinds, truth, strict=True)], axis=1)
    yield "names of one column each; CSV", "csv", csv(groups), joined, 1, True, {}
    yield "names of one column each; Excel", "xlsx", book({"Sheet1": groups}), joined, 1, True, {}


# --- workbooks --------------------------------------------------------------------------------------------------------


def workbooks() -> Iterator[tuple[Any, ...]]:
    """Yield workbooks with several sheets, merged cells, titles, notes, formats and formulas without values."""
    own, truth = table(), table()
    long = own.stack().rename("accuracy").reset_index()
    long.columns = ["dataset", "classifier", "accuracy"]
    each = {name: frame.drop(columns="classifier") for name, frame in long.groupby("classifier")}
    yield "a sheet for each classifier", "xlsx", book(each, index=False), truth, 1, True, {"answers": {"sheet": "*"}}
    folds = {name: one[["fold", "accuracy"]].reset_index(drop=True) for name, one in of_german().groupby("classifier")}
    sheets = {"answers": {"sheet": "*"}}
    yield "folds, a sheet for each classifier", "xlsx", book(folds, index=False), german(), N_FOLDS, True, sheets
    by_dataset = {
        name: one[["fold", "classifier", "accuracy"]].pivot_table(index="fold", columns="classifier", values="accuracy")
        for name, one in runs().groupby("dataset")
    }
    yield "a sheet for each dataset", "xlsx", book(by_dataset), means(), N_FOLDS, True, sheets
    two = {"accuracy": own, "F1": means("f1_macro").round(4)}
    yield "a sheet for each metric", "xlsx", book(two), truth, 1, True, {"answers": {"sheet": "accuracy"}}

    def titled(workbook: Any) -> None:
        page = workbook.active
        page.insert_rows(1, 2)
        page["A1"] = "Table 3. Accuracy of four classifiers"
        page.merge_cells("A1:E1")
        page.cell(page.max_row + 2, 1).value = "Note: mean over five folds."

    yield "title in merged cells, note below", "xlsx", book({"Table 3": own}, titled), truth, 1, True, {}

    def grouped(workbook: Any) -> None:
        page = workbook.active
        page.insert_rows(1)
        page["B1"], page["D1"] = "simple", "flexible"
        page.merge_cells("B1:C1")
        page.merge_cells("D1:E1")

    yield "groups in merged cells", "xlsx", book({"Sheet1": own}, grouped), truth, 1, True, {}

    def families(workbook: Any) -> None:
        page = workbook.active
        page.insert_rows(2)
        page["A2"] = "Small datasets"
        page.insert_rows(6)
        page["A6"] = "Larger datasets"

    yield "headings of groups of rows", "xlsx", book({"Sheet1": own}, families), truth, 1, True, {}

    def as_percent(workbook: Any) -> None:
        for row in workbook.active.iter_rows(min_row=2, min_col=2):
            for cell in row:
                cell.number_format = "0.0%"

    yield "formatted as percent", "xlsx", book({"Sheet1": own}, as_percent), truth, 1, True, {}

    def moved(workbook: Any) -> None:
        page = workbook.active
        page.insert_cols(1, 2)
        page.insert_rows(1, 3)

    yield "not in the corner", "xlsx", book({"Sheet1": own}, moved), truth, 1, True, {}
    merged = runs().pivot_table(index=["dataset", "fold"], columns="classifier", values="accuracy")
    yield "datasets in merged cells", "xlsx", book({"Sheet1": merged}), means(), N_FOLDS, True, {}
    index = own.rename_axis("dataset").stack().rename("accuracy").to_frame()
    yield (
        "long, datasets in merged cells",
        "xlsx",
        book({"Sheet1": index.rename_axis(["dataset", "model"])}),
        truth,
        1,
        True,
        {},
    )
    texts = own.map(lambda value: f"{value:.4f}".replace(".", ","))
    yield "numbers as text with commas", "xlsx", book({"Tabelle1": texts}), truth, 1, True, {}
    both = {"Sheet1": own, "Sheet2": Frame(), "Sheet3": Frame()}
    yield "empty sheets", "xlsx", book(both), truth, 1, True, {}
    twice = {"results": own, "raw": runs().drop(columns=["log_loss", "neg_log_loss", "fit_time", "f1_macro"])}
    yield "means and folds", "xlsx", book(twice), truth, 1, True, {"answers": {"sheet": "results"}}


# --- names ------------------------------------------------------------------------------------------------------------


def names() -> Iterator[tuple[Any, ...]]:
    """Yield tables in which a name occurs twice."""
    own = table()
    twice = own.set_axis(["LR", "NB", "LR", "kNN"], axis=1)
    numbered = own.set_axis(["LR", "NB", "LR (2)", "kNN"], axis=1)
    ask = {"answers": {"keep": "LR"}}
    yield "two classifiers", "csv", csv(twice), numbered, 1, True, ask
    yield "two classifiers, Excel", "xlsx", book({"a": twice}), numbered, 1, True, ask
    yield "two classifiers, Markdown", "md", twice.to_markdown(), numbered, 1, True, ask
    rows = ["breast cancer", "german", "iris", "german", "vehicle", "wine"]
    twice = own.set_axis(rows)
    numbered = own.set_axis([*rows[:3], "german (2)", *rows[4:]])
    ask = {"answers": {"keep": "german"}}
    yield "two datasets", "csv", csv(twice.rename_axis("dataset")), numbered, 1, True, ask
    yield "two datasets, Markdown", "md", twice.rename_axis("dataset").to_markdown(), numbered, 1, True, ask
    turned = own.T.set_axis(["LR", "NB", "LR", "kNN"]).rename_axis("model")
    ask = {"answers": {"keep": "LR"}}
    yield (
        "two classifiers in rows",
        "csv",
        csv(turned),
        own.set_axis(["LR", "NB", "LR (2)", "kNN"], axis=1),
        1,
        True,
        ask,
    )


# --- answers ----------------------------------------------------------------------------------------------------------


def answers() -> Iterator[tuple[Any, ...]]:
    """Yield answers that are right or wrong in words."""
    truth = accuracies()
    words = {
        "yes": ("yes", "no"),
        "Yes": ("Yes", "No"),
        "Y": ("Y", "N"),
        "correct": ("correct", "wrong"),
        "incorrect": ("Correct", "Incorrect"),
        "right": ("right", "wrong"),
        "pass": ("PASS", "FAIL"),
        "TRUE": ("TRUE", "FALSE"),
        "checks": ("✓", "✗"),
        "boolean": ("True", "False"),
        "richtig": ("richtig", "falsch"),
        "ja": ("ja", "nein"),
        "oui": ("oui", "non"),
        "passed": ("passed", "failed"),
    }
    for name, (yes, no) in words.items():
        long = right().assign(correct=lambda frame, yes=yes, no=no: np.where(frame["correct"], yes, no))
        wide = long.pivot_table(index="question_id", columns="model", values="correct", aggfunc="first")
        yield f"{name}, long", "csv", csv(long, index=False), truth, 1, True, {}
        told = {"answers": {"rows_are": "questions"}}
        yield f"{name}, wide", "csv", csv(wide), truth, 1, True, told
        bare = wide.rename_axis("id")
        yield f"{name}, wide, id", "csv", csv(bare), truth, 1, True, told
    long = right().assign(correct=lambda frame: np.where(frame["correct"], "yes", "no"))
    yield (
        "a column called result",
        "csv",
        csv(long.rename(columns={"correct": "result"}), index=False),
        truth,
        1,
        True,
        {"answers": {"rows_are": "questions", "score": "result"}},
    )
    yield (
        "a column called answer",
        "csv",
        csv(long.rename(columns={"correct": "is_correct"}), index=False),
        truth,
        1,
        True,
        {},
    )
    yield "Excel", "xlsx", book({"a": long}, index=False), truth, 1, True, {}
    yield "JSON lines", "jsonl", long.to_json(orient="records", lines=True), truth, 1, True, {}


# --- other programs ---------------------------------------------------------------------------------------------------


def exports() -> Iterator[tuple[Any, ...]]:
    """Yield what trackers of experiments export, and how spreadsheets and statistics programs write scores."""
    own = of_german()
    seeds = own.rename(columns={"fold": "seed"})
    wandb = pd.DataFrame(
        {
            "Name": [f"{word}-{i}" for i, word in enumerate(["sweet-dawn", "lunar-sea"] * 10, 1)],
            "State": "finished",
            "Created": "2026-01-05T10:00:00.000Z",
            "Runtime": np.arange(100, 120),
            "model": seeds["classifier"],
            "seed": seeds["seed"],
            "lr": 0.001,
            "val_acc": seeds["accuracy"].round(DIGITS),
            "val_loss": (1 - seeds["accuracy"]).round(DIGITS),
        }
    )
    how = {
        "answers": {"metric": "val_acc", "score": "val_acc", "classifier": "model", "repeat": "seed", "fold": "seed"}
    }
    yield "wandb, seeds", "csv", csv(wandb, index=False, quoting=1), german().round(DIGITS), N_FOLDS, True, how
    bare = wandb.drop(columns=["lr", "val_loss"])
    yield (
        "wandb, seeds and one metric",
        "csv",
        csv(bare, index=False, quoting=1),
        german().round(DIGITS),
        N_FOLDS,
        True,
        how,
    )
    named = wandb.drop(columns=["model"]).assign(Group=wandb["model"])
    yield (
        "wandb, groups",
        "csv",
        csv(named, index=False),
        german().round(DIGITS),
        N_FOLDS,
        True,
        {"answers": {**how["answers"], "classifier": "Group"}},
    )
    optuna = pd.DataFrame(
        {
            "number": range(20),
            "value": own["accuracy"],
            "datetime_start": "2026-01-05 10:00:00",
            "datetime_complete": "2026-01-05 10:01:00",
            "duration": "0 days 00:01:00",
            "params_model": own["classifier"],
            "params_seed": own["fold"],
            "state": "COMPLETE",
        }
    )
    yield (
        "optuna, trials_dataframe",
        "csv",
        csv(optuna),
        german(),
        N_FOLDS,
        True,
        {
            "answers": {"classifier": "params_model", "repeat": "params_seed", "score": "value"},
            "refused": "optuna|Optuna|trial",
        },
    )
    gluon = pd.DataFrame(
        {
            "model": list("ABC"),
            "score_test": [0.8, 0.7, 0.9],
            "score_val": [0.8, 0.75, 0.85],
            "eval_metric": "accuracy",
            "pred_time_test": 0.1,
            "fit_time": 1.0,
            "stack_level": 1,
            "can_infer": True,
            "fit_order": [1, 2, 3],
        }
    )
    yield "autogluon, leaderboard", "csv", csv(gluon, index=False), None, 1, True, {"refused": "one dataset"}
    flaml = pd.DataFrame(
        {
            "dataset": np.repeat(["a", "b", "c", "d"], 2),
            "learner": ["lgbm", "rf"] * 4,
            "best_loss": [0.1, 0.2, 0.3, 0.2, 0.15, 0.22, 0.4, 0.41],
        }
    )
    yield (
        "flaml",
        "csv",
        csv(flaml, index=False),
        flaml.pivot_table(index="dataset", columns="learner", values="best_loss"),
        1,
        False,
        {},
    )
    wide = table()
    yield "R, write.csv", "csv", csv(wide.rename_axis(None), quoting=2), wide, 1, True, {}
    yield "R, write.csv2", "csv", csv(wide.rename_axis(None), quoting=2, sep=";", decimal=","), wide, 1, True, {}
    yield "R, row numbers", "csv", csv(wide.reset_index().set_axis(range(1, 7)), quoting=2), wide, 1, True, {}
    text = csv(wide.rename_axis(None), sep=" ", quoting=2)
    yield "R, write.table", "txt", text.split(" ", 1)[1], wide, 1, True, {}
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"):
        accents = wide.rename(columns={"tree": "arbre"}, index={"wine": "vin rosé"})
        ask = {"answers": {"encoding": encoding}}
        yield f"encoding {encoding}", "csv", csv(accents).encode(encoding), accents, 1, True, ask
    yield (
        "Excel, CSV UTF-16 with tabs",
        "txt",
        csv(wide, sep="\t").encode("utf-16"),
        wide,
        1,
        True,
        {"answers": {"encoding": "utf-16"}},
    )
    yield "Excel, sep=", "csv", "sep=;\n" + csv(wide, sep=";", decimal=","), wide, 1, True, {}
    commas = csv(wide.map(lambda v: f"{v:.4f}".replace(".", ",")))
    yield "decimal commas in quotes", "csv", commas, wide, 1, True, {"answers": {"decimal": ","}}
    yield (
        "percent with commas",
        "csv",
        csv(percent(wide).map(lambda v: f"{v:.2f} %".replace(".", ",")), sep=";"),
        percent(wide),
        1,
        True,
        {},
    )
    yield "old Mac lines", "csv", csv(wide, lineterminator="\r"), wide, 1, True, {}
    yield "blank lines", "csv", csv(wide, lineterminator="\n\n"), wide, 1, True, {}
    yield "trailing commas", "csv", csv(wide, lineterminator=",,\n"), wide, 1, True, {}
    yield "rows of commas below", "csv", csv(wide) + ",,,,\n,,,,\n", wide, 1, True, {}
    yield "points left out", "csv", csv(wide.map(lambda v: f"{v:.4f}".lstrip("0"))), wide, 1, True, {}
    yield "no-break spaces", "csv", csv(wide.rename(columns=lambda name: f"\xa0{name} ")), wide, 1, True, {}
    full = csv(wide.map(lambda v: f"{v:.4f}".replace("0", "０")))
    yield "full-width digits", "csv", full, None, 1, True, {"refused": "is not a number"}
    yield (
        "Unicode minus",
        "csv",
        csv((-wide).map(lambda v: f"{v:.4f}".replace("-", "−"))),
        -wide,
        1,
        True,
        {"answers": {"greater_is_better": True}},
    )
    yield "SPSS, tabs and commas", "dat", csv(wide, sep="\t", decimal=","), wide, 1, True, {}
    yield "fixed width", "txt", wide.reset_index().to_string(index=False), wide, 1, True, {}


def published() -> Iterator[tuple[Any, ...]]:
    """Yield tables of papers: bold winners, spreads, signs of tests, lines of averages, notes below."""
    hundred = percent(means()).rename_axis(columns=None)
    std = (100 * runs().pivot_table(index="dataset", columns="classifier", values="accuracy", aggfunc="std")).round(2)

    def cells(how: str) -> Frame:
        return Frame(
            {name: [how.format(m, s) for m, s in zip(hundred[name], std[name], strict=True)] for name in hundred},
            hundred.index,
        )

    for name, how in {
        "± in a PDF": "{:.2f} ± {:.2f}",
        "± without spaces": "{:.2f}±{:.2f}",
        "parentheses": "{:.2f} ({:.2f})",
        "+/-": "{:.2f} +/- {:.2f}",
        "+-": "{:.2f} +- {:.2f}",
        "with a percent sign": "{:.2f}% ± {:.2f}%",
    }.items():
        own = cells(how)
        yield f"{name}, CSV", "csv", csv(own), hundred, 1, True, {}
        yield f"{name}, Markdown", "md", own.to_markdown(), hundred, 1, True, {}
        lines = [" ".join(["dataset", *own.columns])]
        lines += [
            " ".join([index.replace(" ", "-"), *row])
            for index, row in zip(own.index, own.to_numpy().tolist(), strict=True)
        ]
        if "parentheses" not in name:
            yield (
                f"{name}, copied",
                "txt",
                "\n".join(lines) + "\n",
                hundred.rename(index=lambda one: one.replace(" ", "-")),
                1,
                True,
                {},
            )
    bold = hundred.map(lambda v: f"{v:.2f}").where(
        hundred.ne(hundred.max(axis=1), axis=0), hundred.map(lambda v: f"**{v:.2f}**")
    )
    yield "bold, Markdown", "md", bold.to_markdown(), hundred, 1, True, {}
    tex = (
        hundred.style.highlight_max(axis=1, props="textbf:--rwrap;")
        .format(precision=2)
        .to_latex(hrules=True, caption="Accuracy (\\%)", label="tab:acc")
    )
    yield "bold, LaTeX", "tex", tex, hundred, 1, True, {}
    dots = hundred.map(lambda v: f"{v:.2f} •")
    yield "signs of tests", "md", dots.to_markdown(), hundred, 1, True, {}
    tail = hundred.astype(object)
    tail.loc["Avg."] = hundred.mean().round(2)
    tail.loc["W/T/L"] = ["-", "3/1/2", "4/0/2", "1/1/4"]
    yield "averages and wins", "md", tail.to_markdown(), hundred, 1, True, {}
    yield (
        "notes below, CSV",
        "csv",
        csv(hundred) + "\n* significantly worse than LR\nSource: own experiments.\n",
        hundred,
        1,
        True,
        {},
    )
    headed = (
        "dataset,LR,NB,kNN,tree\n"
        "Small,,,,\n"
        + csv(hundred.iloc[:3][sorted(hundred)], header=False)
        + "Large,,,,\n"
        + csv(hundred.iloc[3:][sorted(hundred)], header=False)
    )
    yield "headings of groups, CSV", "csv", headed, hundred, 1, True, {}
    family = hundred.copy()
    family.insert(0, "Family", ["medical", "finance", "botany", "physics", "vision", "food"])
    yield "a column of families", "csv", csv(family), hundred, 1, True, {"answers": {"drop": "Family"}}
    yield (
        "a column of families, Markdown",
        "md",
        family.to_markdown(),
        hundred,
        1,
        True,
        {"answers": {"drop": "Family"}},
    )
    board = hundred.T.rename_axis("Model").assign(**{"#Params": ["7B", "13B", "70B", "8B"], "Date": "2026-01-01"})
    yield "leaderboard, sizes", "csv", csv(board), hundred, 1, True, {"answers": {"drop": ["#Params", "Date"]}}
    ranks = (
        hundred.map(lambda v: f"{v:.2f}") + " (" + hundred.rank(axis=1, ascending=False).astype(int).astype(str) + ")"
    )
    yield "ranks in parentheses", "csv", csv(ranks), hundred, 1, True, {}
    yield (
        "HTML with links",
        "html",
        hundred.rename(columns=lambda n: f'<a href="x">{n}</a>').to_html(escape=False),
        hundred,
        1,
        True,
        {},
    )
    yield (
        "HTML of a page",
        "html",
        f"<html><body><nav><table><tr><td>Home</td></tr></table></nav>{hundred.to_html()}</body></html>",
        hundred,
        1,
        True,
        {},
    )
    yield "org", "org", hundred.to_markdown(tablefmt="orgtbl"), hundred, 1, True, {}
    yield "rst", "rst", hundred.to_markdown(tablefmt="rst"), hundred, 1, True, {}
    yield "grid", "txt", hundred.to_markdown(tablefmt="grid"), hundred, 1, True, {}
    yield "psql", "txt", hundred.to_markdown(tablefmt="psql"), hundred, 1, True, {}
    yield "mediawiki", "txt", hundred.to_markdown(tablefmt="mediawiki"), hundred, 1, True, {"refused": "MediaWiki"}
    yield "jira", "txt", hundred.to_markdown(tablefmt="jira"), hundred, 1, True, {"refused": "table in Jira"}
    box = hundred.to_markdown(tablefmt="rounded_outline")
    yield "rounded box", "txt", box, hundred, 1, True, {"refused": "is a printed table"}
    yield (
        "YAML",
        "yaml",
        "".join(f"{d}:\n" + "".join(f"  {c}: {v}\n" for c, v in row.items()) for d, row in hundred.T.to_dict().items()),
        hundred,
        1,
        True,
        {"answers": {"transpose": True}, "refused": "YAML"},
    )


def battles() -> Iterator[tuple[Any, ...]]:
    """Yield winners of pairs."""
    wide = right_wide().drop(columns="question_id")
    names = list(wide)
    rows = [
        {"question": i, "model_a": a, "model_b": b, "winner": a if row[a] > row[b] else b if row[b] > row[a] else "tie"}
        for i, row in enumerate(wide.to_dict("records"))
        for a, b in ((names[0], names[1]), (names[1], names[2]), (names[3], names[0]))
    ]
    frame = pd.DataFrame(rows)
    battle = {"refused": "battle"}
    yield "winner by name", "csv", csv(frame, index=False), None, 1, True, battle
    arena = frame.assign(
        winner=np.where(
            frame["winner"] == frame["model_a"],
            "model_a",
            np.where(frame["winner"] == frame["model_b"], "model_b", "tie"),
        )
    )
    yield "arena", "csv", csv(arena, index=False), None, 1, True, battle
    short = arena.assign(winner=arena["winner"].replace({"model_a": "A", "model_b": "B"}))
    yield "winner A or B", "csv", csv(short, index=False), None, 1, True, battle
    other = frame.rename(columns={"model_a": "left", "model_b": "right"})
    yield "left and right", "csv", csv(other, index=False), None, 1, True, battle
    names_ = frame.rename(columns={"model_a": "model_1", "model_b": "model_2"})
    yield "model_1 and model_2", "csv", csv(names_, index=False), None, 1, True, battle
    wins = pd.DataFrame(
        [
            (a, b, int((frame.query("model_a == @a and model_b == @b")["winner"] == a).sum()))
            for a, b in ((names[0], names[1]), (names[1], names[2]))
        ],
        columns=["winner", "loser", "count"],
    )
    yield "winner and loser", "csv", csv(wins, index=False), None, 1, True, battle
    best = means().idxmax(axis=1).rename("winner").to_frame()
    yield "the best of each dataset", "csv", csv(best), None, 1, True, {"refused": "winner"}


GROUPS: dict[str, Callable[[], Iterator[tuple[Any, ...]]]] = {
    "two levels": two_levels,
    "workbook": workbooks,
    "name twice": names,
    "answers": answers,
    "export": exports,
    "published": published,
    "battles": battles,
}


def other_files(directory: Path) -> Iterator[Source]:
    """Write everything into a directory."""
    yield from written_files(GROUPS, directory)
    yield from columns_of_files(directory)


def written_files(groups: dict[str, Callable[[], Iterator[tuple[Any, ...]]]], directory: Path) -> Iterator[Source]:
    """Write the files of each group into folders of their own."""
    for group, made in groups.items():
        for name, suffix, data, truth, n_folds, is_greater, how in made():
            path = new_directory(directory) / f"scores.{suffix}"
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
            yield Source(f"{group}, {name}", path, truth, n_folds, is_greater, **how)


def columns_of_files(directory: Path) -> Iterator[Source]:
    """Write a file for each classifier, with scores and nothing else."""
    own = of_german()
    for what, header in (("headed", True), ("bare", False)):
        folder = new_directory(directory)
        paths = []
        for name, one in own.groupby("classifier"):
            paths.append(folder / f"{name}.csv")
            one[["accuracy"]].to_csv(paths[-1], index=False, header=header)
        answers = {"same_order": True, "rows_are": "folds"}
        yield Source(
            f"a column of each file, {what}", [str(path) for path in paths], german(), N_FOLDS, answers=answers
        )
        yield Source(f"a column of each file, folder, {what}", folder, german(), N_FOLDS, answers=answers)
