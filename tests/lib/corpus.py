"""What do programs write about the same experiments, and what is true of it?

scikit-learn runs the experiments; pandas, polars, DuckDB, Arrow, tabulate, openpyxl and R write them. Every source has
what pandas computed of it, and what a person answers who knows the experiment.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from table_files import FILES, FILES_OF_SCORES, FRAMES, written

from evalstats import ScoreTable, TableError, read_table
from evalstats.io.options import given_together

__all__ = ["Outcome", "Source", "outcome", "sources"]

N_FOLDS = 5
MOST_QUESTIONS = 3  # that may be asked about one source


class Source(NamedTuple):
    """Something to read, what is true of it, and what a person answers who is asked about it.

    `scores` has a row for each dataset and a column for each classifier. Where `refused` is not empty there is no
    comparison, and the refusal has to say so in these words. Sources of one `group` lead to one verdict.
    """

    name: str
    data: Any
    scores: pd.DataFrame | None = None
    n_folds: int = 1
    greater_is_better: bool = True
    answers: Mapping[str, Any] = {}
    refused: str = ""
    group: str = ""


# --- experiments ------------------------------------------------------------------------------------------------------


@lru_cache
def runs() -> pd.DataFrame:
    """Return the scores of four classifiers in five folds of six datasets, as scikit-learn measures them."""
    from sklearn import datasets, model_selection

    problems = {
        "iris": datasets.load_iris(return_X_y=True),
        "wine": datasets.load_wine(return_X_y=True),
        "breast cancer": datasets.load_breast_cancer(return_X_y=True),
        "sonar": datasets.make_classification(208, 60, n_informative=8, flip_y=0.1, random_state=1),
        "vehicle": datasets.make_classification(300, 18, n_informative=6, n_classes=4, random_state=2),
        "german": datasets.make_classification(400, 20, n_informative=4, flip_y=0.3, random_state=3),
    }
    frames = []
    for dataset, (cases, labels) in problems.items():
        for classifier, model in models().items():
            measured = model_selection.cross_validate(
                model, cases, labels, cv=N_FOLDS, scoring=["accuracy", "f1_macro", "neg_log_loss"]
            )
            own = pd.DataFrame(measured).rename(columns=lambda name: name.removeprefix("test_"))
            frames.append(own.assign(dataset=dataset, classifier=classifier, fold=range(1, N_FOLDS + 1)))
    found = pd.concat(frames, ignore_index=True)
    found["log_loss"] = -found["neg_log_loss"]
    return found[["dataset", "classifier", "fold", "accuracy", "f1_macro", "log_loss", "neg_log_loss", "fit_time"]]


def models() -> dict[str, Any]:
    from sklearn import linear_model, naive_bayes, neighbors, pipeline, preprocessing, tree

    return {
        "LR": pipeline.make_pipeline(preprocessing.StandardScaler(), linear_model.LogisticRegression(max_iter=1000)),
        "NB": naive_bayes.GaussianNB(),
        "tree": tree.DecisionTreeClassifier(max_depth=4, random_state=0),
        "kNN": neighbors.KNeighborsClassifier(),
    }


def means(metric: str = "accuracy") -> pd.DataFrame:
    return runs().pivot_table(index="dataset", columns="classifier", values=metric)


@lru_cache
def predictions() -> pd.DataFrame:
    """Return the labels that the classifiers predict for the same instances."""
    from sklearn import datasets, model_selection

    cases, labels = datasets.load_wine(return_X_y=True)
    names = np.array(["barolo", "grignolino", "barbera"])
    found = {
        name: names[model_selection.cross_val_predict(model, cases, labels, cv=N_FOLDS)]
        for name, model in models().items()
    }
    return pd.DataFrame({"id": range(1, len(labels) + 1), "y_true": names[labels], **found})


def accuracies() -> pd.DataFrame:
    table = predictions()
    right = {name: (table[name] == table["y_true"]).mean() for name in models()}
    return pd.DataFrame(right, index=["wine"])


# --- layouts of scores: a frame with named columns, which every program can write -------------------------------------


class Layout(NamedTuple):
    frame: pd.DataFrame
    scores: pd.DataFrame
    n_folds: int = 1
    greater_is_better: bool = True
    answers: Mapping[str, Any] = {}


def percent(table: pd.DataFrame) -> pd.DataFrame:
    return (100 * table).round(2)


def with_spread() -> Layout:
    mean, std = (
        runs().pivot_table(index="dataset", columns="classifier", values="accuracy", aggfunc=how) * 100
        for how in ("mean", "std")
    )
    cells = mean.map("{:.2f}".format) + " ± " + std.map("{:.2f}".format)
    return Layout(cells.reset_index(), mean.round(2))


def with_average() -> Layout:
    table = means().round(4)
    ranks = table.rank(axis=1, ascending=False).mean()
    frame = pd.concat([table, pd.DataFrame({"Average": table.mean(), "Mean rank": ranks}).T])
    return Layout(frame.rename_axis("dataset").reset_index(), table)


def with_sizes() -> Layout:
    frame = means().reset_index()
    frame.insert(1, "n_instances", [569, 400, 150, 208, 300, 178])
    frame.insert(2, "n_features", [30, 20, 4, 60, 18, 13])
    return Layout(frame, means())


def with_summary(name: str, of: Callable[[pd.DataFrame], pd.Series]) -> Layout:
    table = means().T.round(4)
    frame = table.assign(**{name: of(table)}).rename_axis("model").reset_index()
    return Layout(frame, table.T)


def layouts() -> dict[str, Layout]:
    """Return one frame for each way of laying out the same scores."""
    long, table = runs().drop(columns=["neg_log_loss", "log_loss", "fit_time", "f1_macro"]), means()
    long_means = table.stack().rename("accuracy").reset_index()
    both = pd.concat([means(metric).stack().rename(metric) for metric in ("accuracy", "f1_macro")], axis=1)
    losses = means("log_loss")
    folds = long.pivot_table(index=["dataset", "fold"], columns="classifier", values="accuracy").reset_index()
    spreads = long.groupby(["dataset", "classifier"])["accuracy"].agg(["mean", "std"]).reset_index()
    one = long[long["dataset"] == "german"]
    of_one = one.pivot_table(index="fold", columns="classifier", values="accuracy").reset_index()
    german = table.loc[["german"]]
    by_fold = long.pivot_table(index=["dataset", "classifier"], columns="fold", values="accuracy")
    return {
        "wide": Layout(table.reset_index(), table),
        "wide, per cent": Layout(percent(table).reset_index(), percent(table)),
        "wide, classifiers in rows": Layout(table.T.reset_index(), table),
        "wide, averages below": with_average(),
        "wide, sizes of datasets": with_sizes(),
        "wide, mean ± sd": with_spread(),
        "wide, errors": Layout((1 - table).rename_axis("error rate").reset_index(), 1 - table, 1, False),
        "wide, GLUE score": with_summary("GLUE score", lambda table: table.mean(axis=1).round(4)),
        "wide, geometric mean": with_summary("Geo. mean", lambda table: np.exp(np.log(table).mean(axis=1)).round(4)),
        "wide, mean rank": with_summary("avg. Rang", lambda table: table.rank(ascending=False).mean(axis=1).round(3)),
        "wide, median": with_summary("Zentralwert", lambda table: table.median(axis=1).round(4)),
        "wide, sum": with_summary("Σ", lambda table: table.sum(axis=1).round(4)),
        "long": Layout(long_means, table),
        "long, two metrics": Layout(both.reset_index(), table, answers={"score": "accuracy", "metric": "accuracy"}),
        "long, column of metrics": Layout(
            both.rename_axis(columns="metric").stack().rename("value").reset_index(),
            table,
            answers={"metric": "accuracy"},
        ),
        "long, losses": Layout(losses.stack().rename("log_loss").reset_index(), losses, 1, False),
        "long, negated losses": Layout((-losses).stack().rename("neg_log_loss").reset_index(), -losses),
        "long, mean and std": Layout(spreads, table),
        "long, folds": Layout(long, table, N_FOLDS),
        "long, folds and times": Layout(
            runs().drop(columns=["log_loss", "neg_log_loss", "f1_macro"]),
            table,
            N_FOLDS,
            answers={"score": "accuracy", "metric": "accuracy"},
        ),
        "long, a column for each fold": Layout(by_fold.add_prefix("fold_").reset_index(), table, N_FOLDS),
        "long, columns as R's caret calls folds": Layout(
            by_fold.set_axis([f"Fold{i}.Rep1" for i in by_fold], axis=1).reset_index(), table, N_FOLDS
        ),
        "wide, folds": Layout(folds, table, N_FOLDS),
        "wide, folds of one dataset": Layout(of_one, german, N_FOLDS),
        "wide, named folds of one dataset": Layout(
            of_one.assign(fold=[f"Fold{i}.Rep1" for i in of_one["fold"]]), german, N_FOLDS
        ),
        "long, folds of one dataset": Layout(one.drop(columns="dataset"), german, N_FOLDS),
    }


SPELLINGS = {
    "as they are": {},
    "capitals": {"dataset": "Dataset", "classifier": "Classifier", "fold": "Fold", "accuracy": "Accuracy"},
    "other words": {"dataset": "data set", "classifier": "algorithm", "fold": "cv_fold", "accuracy": "acc"},
    "tasks": {"dataset": "task", "classifier": "model", "fold": "split", "accuracy": "accuracy_score"},
    "problems": {"dataset": "problem", "classifier": "METHOD", "fold": "fold_id", "accuracy": "test_accuracy"},
}
DIGITS = 6


def written_scores(directory: Path) -> Iterator[Source]:
    """Write each layout by many programs: in each of them another order of rows and another spelling of the names."""
    kinds = [*FILES, *FILES_OF_SCORES, *FRAMES]
    for i, (name, layout) in enumerate(layouts().items()):
        # each layout by a part of the programs, so that each program meets each layout of a kind
        for n, kind in enumerate(kinds[i % 3 :: 3] + ["CSV"] * (i % 3 > 0)):
            spelling = list(SPELLINGS)[n % len(SPELLINGS)]
            words = {**SPELLINGS[spelling], "error rate": "error rate"}
            frame = layout.frame.rename(columns=words).round(DIGITS)
            has_summaries = "averages" in name
            order = "as they are" if has_summaries or n % 2 else "shuffled"
            if order == "shuffled":
                frame = frame.sample(frac=1, random_state=n).reset_index(drop=True)
            names = words if "column of metrics" not in name else {}
            answers = {role: names.get(answer, answer) for role, answer in layout.answers.items()}
            texts = [one for one in frame if kind == "categories" and frame[one].dtype == "str"]
            own = dict.fromkeys(texts, "category")
            data = frame.astype(own) if own else written(frame, kind, new_directory(directory), "scores")
            yield Source(
                f"{name}; {kind}; {spelling}; rows {order}",
                data,
                layout.scores.round(DIGITS),
                layout.n_folds,
                layout.greater_is_better,
                answers,
                group=name,
            )


def new_directory(directory: Path) -> Path:
    """Return a new directory, so every file has its own name and nothing beside it."""
    own = directory / str(sum(1 for _ in directory.iterdir()))
    own.mkdir()
    return own


# --- two levels, which pandas writes in its own ways ------------------------------------------------------------------


def pivots() -> dict[str, Layout]:
    """Return what pivot_table and groupby make, with names in two levels of rows or columns."""
    long, table = runs(), means()
    both = long.pivot_table(index="dataset", columns="classifier", values=["accuracy", "f1_macro"])
    by_fold = long.pivot_table(index="dataset", columns=["classifier", "fold"], values="accuracy")
    aggregated = long.groupby(["dataset", "classifier"])["accuracy"].agg(["mean", "std"]).unstack()
    return {
        "pivot, one level": Layout(table, table),
        "pivot, margins": Layout(
            long.pivot_table(index="dataset", columns="classifier", values="accuracy", margins=True), table
        ),
        "pivot, metrics above": Layout(both, table, answers={"metric": "accuracy"}),
        "pivot, metrics below": Layout(
            both.swaplevel(axis=1).sort_index(axis=1), table, answers={"metric": "accuracy"}
        ),
        "pivot, folds below": Layout(by_fold, table, N_FOLDS),
        "pivot, folds above": Layout(by_fold.swaplevel(axis=1).sort_index(axis=1), table, N_FOLDS),
        "pivot, dataset and fold in rows": Layout(
            long.pivot_table(index=["dataset", "fold"], columns="classifier", values="accuracy"), table, N_FOLDS
        ),
        "pivot, mean and std": Layout(aggregated, table),
        "pivot, classifiers in rows": Layout(table.T, table),
    }


def table_json(frame: pd.DataFrame) -> str:
    return frame.to_json(orient="split")


PIVOT_FILES: dict[str, tuple[str, Callable[[pd.DataFrame], str | bytes | None]]] = {
    "CSV": ("csv", lambda frame: frame.to_csv()),
    "decimal commas": ("csv", lambda frame: frame.to_csv(sep=";", decimal=",")),
    "tabs": ("tsv", lambda frame: frame.to_csv(sep="\t")),
    "HTML": ("html", lambda frame: frame.to_html()),
    "HTML of a style": ("html", lambda frame: frame.style.to_html()),
    "LaTeX": ("tex", lambda frame: frame.style.to_latex(hrules=True)),
    "LaTeX, booktabs": ("tex", lambda frame: frame.to_latex()),
    "Markdown": ("md", lambda frame: frame.to_markdown()),
    "JSON split": ("json", table_json),
    "printed": ("txt", lambda frame: frame.to_string()),
}


def written_pivots(directory: Path) -> Iterator[Source]:
    """Write each pivot with its index, in rows and in all levels of columns."""
    for name, layout in pivots().items():
        scores, frame = layout.scores.round(DIGITS), layout.frame.round(DIGITS)
        truth = (scores, layout.n_folds, layout.greater_is_better, layout.answers)
        yield Source(f"{name}; frame", frame, *truth, group=name)
        path = new_directory(directory) / "scores.xlsx"
        frame.to_excel(path)
        yield Source(f"{name}; Excel", path, *truth, group=name)
        for kind, (suffix, write) in PIVOT_FILES.items():
            if kind in ("Markdown", "JSON split") and frame.columns.nlevels + frame.index.nlevels > 2:
                continue  # tuples of Python in the names
            path = new_directory(directory) / f"scores.{suffix}"
            path.write_text(write(frame), encoding="utf-8")
            yield Source(f"{name}; {kind}", path, *truth, group=name)


# --- predictions ------------------------------------------------------------------------------------------------------


def written_predictions(directory: Path) -> Iterator[Source]:
    """Write predictions in a column for each classifier, and in a row for each prediction."""
    wide = predictions()
    long = wide.melt(["id", "y_true"], var_name="model", value_name="y_pred")
    right = long.assign(correct=(long["y_true"] == long["y_pred"]).astype(int)).drop(columns=["y_true", "y_pred"])
    frames = {
        "predictions, wide": wide,
        "predictions, bare": wide.drop(columns="id"),
        "predictions, long": long,
        "questions, long": right.rename(columns={"id": "question_id"}),
    }
    for i, (name, frame) in enumerate(frames.items()):
        for n, kind in enumerate([*FILES, *FRAMES][i % 2 :: 2]):
            own = frame.sample(frac=1, random_state=n).reset_index(drop=True) if n % 2 else frame
            yield Source(
                f"{name}; {kind}",
                written(own, kind, new_directory(directory)),
                accuracies(),
                answers={"metric": "accuracy"},
                group=name,
            )


# --- what scikit-learn returns ----------------------------------------------------------------------------------------


def written_by_sklearn(directory: Path) -> Iterator[Source]:
    from sklearn import datasets, metrics, model_selection, tree

    cases, labels = datasets.load_breast_cancer(return_X_y=True)
    scores = {
        name: model_selection.cross_val_score(
            model, cases, labels, cv=model_selection.KFold(10, shuffle=True, random_state=0)
        )
        for name, model in models().items()
    }
    truth = pd.DataFrame({name: [own.mean()] for name, own in scores.items()})
    frame = pd.DataFrame(scores)
    unnamed: dict[str, Any] = {"answers": {"rows_are": "folds"}, "refused": "scores of the folds of one dataset"}
    yield Source("cross_val_score, frame", frame, truth, 10, **unnamed)
    path = new_directory(directory) / "cv.csv"
    frame.to_csv(path)
    yield Source("cross_val_score, CSV with an index", path, truth, 10, **unnamed)
    path = new_directory(directory) / "cv.csv"
    frame.rename_axis("fold").to_csv(path)
    yield Source("cross_val_score, CSV with folds", path, truth, 10)
    search = model_selection.GridSearchCV(tree.DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 4]}, cv=5)
    found = pd.DataFrame(search.fit(cases, labels).cv_results_)
    split = [f"split{i}_test_score" for i in range(5)]
    truth = pd.DataFrame([found[split].mean(axis=1).tolist()], columns=[f"max_depth={n}" for n in (1, 2, 4)])
    yield Source("cv_results_", search.cv_results_, truth, 5)
    yield Source("cv_results_, frame", found, truth, 5)
    for suffix, write in (("csv", found.to_csv), ("json", found.to_json), ("xlsx", found.to_excel)):
        path = new_directory(directory) / f"search.{suffix}"
        write(path)
        yield Source(f"cv_results_, {suffix}", path, truth, 5)
    predicted = models()["NB"].fit(cases, labels).predict(cases)
    report = metrics.classification_report(labels, predicted, output_dict=True)
    path = new_directory(directory) / "report.csv"
    pd.DataFrame(report).T.to_csv(path)
    yield Source("classification_report, CSV", path, refused="one classifier")
    path = new_directory(directory) / "report.txt"
    path.write_text(metrics.classification_report(labels, predicted))
    yield Source("classification_report, printed", path, refused="classif")
    path = new_directory(directory) / "confusion.csv"
    pd.DataFrame(metrics.confusion_matrix(labels, predicted)).to_csv(path)
    yield Source("confusion_matrix, CSV", path, refused="confusion")
    path = new_directory(directory) / "describe.csv"
    frame.describe().to_csv(path)
    yield Source("describe, CSV", path, refused="describe")
    path = new_directory(directory) / "corr.csv"
    frame.corr().to_csv(path)
    yield Source("corr, CSV", path, refused="same names")
    sizes, train, test = model_selection.learning_curve(models()["NB"], cases, labels, cv=3)
    path = new_directory(directory) / "curve.csv"
    pd.DataFrame({"train_size": sizes, "train_score": train.mean(axis=1), "test_score": test.mean(axis=1)}).to_csv(
        path, index=False
    )
    yield Source("learning_curve, CSV", path, refused="train")


# --- what R writes ----------------------------------------------------------------------------------------------------

R_PROGRAM = Path(__file__).with_name("corpus.R")


def written_by_r(directory: Path) -> Iterator[Source]:
    """Let R write the same scores by write.csv, write.csv2, write.table and print, and in the frames of caret."""
    own = new_directory(directory)
    runs().to_csv(own / "runs.csv", index=False)
    predictions().to_csv(own / "predictions.csv", index=False)
    subprocess.run(["Rscript", "--vanilla", str(R_PROGRAM), str(own)], check=True, capture_output=True)
    (own / "runs.csv").unlink()
    (own / "predictions.csv").unlink()
    table, german = means(), means().loc[["german"]]
    truths: dict[str, dict[str, Any]] = {
        "wide": {"scores": table},
        "matrix": {"scores": table},
        "turned": {"scores": table},
        "long": {"scores": table},
        "folds": {"scores": table, "n_folds": N_FOLDS},
        "resamples": {"scores": german, "n_folds": N_FOLDS, "answers": {"metric": "Accuracy"}},
        "repeated": {"scores": german, "n_folds": N_FOLDS, "answers": {"metric": "Accuracy"}},
        "rounded": {"scores": table},
        "tests": {"refused": "statistical test or model"},
        "looks": {"refused": "give the table itself|dput"},
        "results": {"refused": "one classifier|tuning|setting"},
        "models": {"refused": "scores on one dataset"},
        "pred": {"scores": accuracies()[["NB"]].set_axis(["classifier"], axis=1), "n_folds": N_FOLDS},
        "preds": {"scores": accuracies(), "n_folds": N_FOLDS},
    }
    for path in sorted(own.iterdir()):
        yield Source(f"R, {path.name}", path, group="", **truths[path.name.partition("-")[0]])


# --- words around tables, which alone say that less is better ---------------------------------------------------------

WORDS = "Table 2. Error rates of four classifiers on six datasets; lower is better"


def written_with_words(directory: Path) -> Iterator[Source]:
    """Write errors under a caption, a title, a heading or in a file that says so, and nothing else does."""
    errors = (1 - means()).round(DIGITS)
    for layout, frame in {
        "wide": errors.reset_index(),
        "long": errors.stack().rename("score").reset_index(),
    }.items():
        texts = {
            "title, CSV": ("scores.csv", f'"{WORDS}"\n' + frame.to_csv(index=False)),
            "comment, CSV": ("scores.csv", f"# {WORDS}\n" + frame.to_csv(index=False)),
            "paragraph, Markdown": ("scores.md", f"{WORDS}\n\n" + frame.to_markdown(index=False)),
            "caption, LaTeX": ("scores.tex", frame.style.hide(axis="index").to_latex(caption=WORDS, hrules=True)),
            "caption, LaTeX of to_latex": ("scores.tex", frame.to_latex(index=False, caption=WORDS, label="tab:main")),
            "caption, HTML": ("scores.html", frame.style.hide(axis="index").set_caption(WORDS).to_html()),
            "heading, HTML": (
                "scores.html",
                f"<h1>{WORDS}</h1>" + frame.rename_axis(None, axis=1).to_html(index=False),
            ),
            "name of the file": ("error_rate.csv", frame.to_csv(index=False)),
        }
        for name, (file, text) in texts.items():
            path = new_directory(directory) / file
            path.write_text(text, encoding="utf-8")
            yield Source(f"words, {layout}; {name}", path, errors, 1, False, group="words")
        path = new_directory(directory) / "scores.xlsx"
        frame.to_excel(path, sheet_name="error rate", index=False)
        yield Source(f"words, {layout}; name of the sheet", path, errors, 1, False, group="words")
        path = new_directory(directory) / "scores.xlsx"
        path.write_bytes(FILES_OF_SCORES["Excel below a title"][1](frame))
        yield Source(f"words, {layout}; no words", path, errors, 1, True)


def written_leaderboards(directory: Path) -> Iterator[Source]:
    """Write classifiers in rows with what leaderboards say of them beside their scores."""
    table = percent(means()).T
    notes = {"Organization": ["ACME", "Uni", "Uni", "Lab"], "License": ["MIT", "BSD", "MIT", "GPL"]}
    frame = table.assign(**notes).rename_axis("Model").reset_index()
    frame = frame[["Model", "Organization", "License", *table.columns]]
    ranked = frame.assign(Rank=range(1, len(frame) + 1))[["Rank", *frame.columns]]
    sized = frame.assign(Params=[1, 2, 3, 4], Average=table.mean(axis=1).round(2).to_numpy())
    for name, own in {"notes": frame, "ranks": ranked, "sizes and averages": sized}.items():
        for kind in ("CSV", "Markdown", "JSON records", "Parquet", "Excel", "HTML", "LaTeX", "pandas", "polars"):
            data = written(own, kind, new_directory(directory), "leaderboard")
            yield Source(f"leaderboard, {name}; {kind}", data, table.T, group="leaderboard")


def sources(directory: Path) -> Iterator[Source]:
    """Write everything into a directory."""
    yield from written_with_words(directory)
    yield from written_leaderboards(directory)
    yield from written_scores(directory)
    yield from written_pivots(directory)
    yield from written_predictions(directory)
    yield from written_by_sklearn(directory)
    if shutil.which("Rscript"):
        yield from written_by_r(directory)
    # they write the experiments of this module
    from other_files import other_files
    from program_files import program_files

    yield from other_files(directory)
    yield from program_files(directory)


# --- what comes of it -------------------------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """What came of a source: ``read``, ``asked``, ``refused``, ``wrong`` or ``dead end``; why, and the table."""

    what: str
    why: str = ""
    table: ScoreTable | None = None


def outcome(source: Source) -> Outcome:
    """Read a source, and answer what is asked as a person does who knows the experiment."""
    options: dict[str, Any] = {}
    said = ""
    for _ in range(MOST_QUESTIONS + 1):
        try:
            table = read_table(source.data, **given_together(options))
        except TableError as error:
            said = str(error)
            offered = [error.argument, *re.findall(r"\{(\w+)\}", error.hint)]
            new = next((name for name in offered if name in source.answers and name not in options), None)
            if new is None:
                is_told = bool(source.refused) and re.search(source.refused, said) is not None
                return Outcome("refused" if is_told else "dead end", said)
            options[new] = source.answers[new]
        else:
            if fault := fault_of(table, source):
                return Outcome("wrong", f"{fault}, with the options {options}")
            return Outcome("asked" if options else "read", said, table)
    return Outcome("dead end", said)


def fault_of(table: ScoreTable, source: Source) -> str:
    """Return what is wrong with a table that was read; empty if nothing is."""
    truth = source.scores
    if truth is None:
        return "it was read, although there is no comparison"
    found = pd.DataFrame(table.scores, table.datasets, table.classifiers)
    if len(truth) == 1 and len(found) == 1:
        found.index = truth.index  # the name of the only dataset is not told
    n_folds = {one.scores.shape[0] * one.scores.shape[1] for one in table.folds} or {1}
    faults = {
        f"the classifiers are {table.classifiers}": set(found.columns) != set(truth.columns),
        f"the datasets are {table.datasets}": set(found.index) != set(truth.index),
        f"the folds are {n_folds}": n_folds != {source.n_folds},
        "the direction is the opposite": table.greater_is_better != source.greater_is_better,
    }
    wrong = "; ".join(fault for fault, is_so in faults.items() if is_so)
    if wrong or np.allclose(found.loc[truth.index, truth.columns], truth, rtol=0, atol=2 * 10.0**-DIGITS):
        return wrong
    return f"the scores are {found.to_dict()}"
