"""Tables as libraries of Python print and export them: of scores, of tests, of searches, and of one dataset.

Each has what is true of it, which pandas computed from the same experiments as those of `corpus`.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import tabulate
from corpus import N_FOLDS, Source, accuracies, means, models, percent, predictions, runs
from other_files import Frame, book, csv, german, of_german, table, written_files

__all__ = ["program_files"]

One = tuple[Any, ...]  # name, suffix, content, truth, number of folds, direction, and what is answered or said
REFUSED: dict[str, str] = {
    "printed": "is a printed table|lines around its cells",
    "test": "statistical test or model",
    "one dataset": "of one dataset|of one classifier|on one dataset",
}


def refused(what: str) -> dict[str, Any]:
    """Return that something is no comparison, in the words of a refusal."""
    return {"refused": REFUSED.get(what, what)}


# --- tables that are printed ------------------------------------------------------------------------------------------

# by the name of a format of tabulate, why it is refused
NOT_READ = {
    **dict.fromkeys(
        (
            f"{lines}_{what}"
            for lines in ("simple", "rounded", "heavy", "mixed", "double", "fancy")
            for what in ("grid", "outline")
        ),
        REFUSED["printed"],
    ),
    "mediawiki": "MediaWiki",
    "moinmoin": "Jira",
    "youtrack": "Jira",
    "jira": "Jira",
    "textile": "Textile",
    "asciidoc": "AsciiDoc",
}


def of_tabulate() -> Iterator[One]:
    """Yield a table in each format that tabulate has."""
    frame = table().reset_index()
    suffixes = {"html": "html", "unsafehtml": "html", "github": "md", "pipe": "md", "tsv": "tsv"}
    for name in sorted(tabulate.tabulate_formats):
        text = tabulate.tabulate(frame, headers="keys", tablefmt=name, showindex=False, floatfmt=".4f")
        suffix = "tex" if name.startswith("latex") else suffixes.get(name, "txt")
        how = refused(NOT_READ[name]) if name in NOT_READ else {}
        yield name, suffix, text, table(), 1, True, how


def of_rich() -> Iterator[One]:
    """Yield what rich shows in a terminal, and exports."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    def shown(lines: Any, export: str = "text") -> str:
        console = Console(record=True, width=100, file=io.StringIO())
        own = Table(title="Accuracy", box=lines)
        for name in ("dataset", *table()):
            own.add_column(name)
        for name, *scores in table().reset_index().itertuples(index=False):
            own.add_row(name, *(f"{score:.4f}" for score in scores))
        console.print(own)
        return console.export_html() if export == "html" else console.export_text()

    for name, lines in {"heavy": box.HEAVY_HEAD, "square": box.SQUARE, "rounded": box.ROUNDED}.items():
        yield f"rich, {name}", "txt", shown(lines), table(), 1, True, refused("printed")
    yield "rich, Markdown", "md", shown(box.MARKDOWN), table(), 1, True, {}
    yield "rich, ASCII", "txt", shown(box.ASCII), table(), 1, True, refused("printed")
    yield "rich, simple", "txt", shown(box.SIMPLE), table(), 1, True, refused("printed")
    yield "rich, no lines", "txt", shown(None), table(), 1, True, {}
    yield "rich, HTML", "html", shown(box.SQUARE, "html"), table(), 1, True, refused("table")


def of_pandas() -> Iterator[One]:
    """Yield what pandas writes of scores and of their summaries."""
    frame, long = table(), runs()[["dataset", "classifier", "fold", "accuracy"]]
    yield "to_string", "txt", frame.to_string(), frame, 1, True, {}
    yield "to_string, no index", "txt", frame.reset_index().to_string(index=False), frame, 1, True, {}
    yield "repr of a long frame", "txt", repr(long), None, 1, True, refused("pandas printed without")
    style = frame.style.format("{:.2%}").highlight_max(axis=1).set_caption("Accuracy")
    yield "style, percent, HTML", "html", style.to_html(), percent(frame), 1, True, {}
    yield (
        "style, percent, LaTeX",
        "tex",
        frame.style.format(lambda value: f"{100 * value:.2f}\\%").to_latex(),
        percent(frame),
        1,
        True,
        {},
    )
    yield "style, text", "txt", frame.style.to_string(delimiter=";"), frame, 1, True, {}
    for name, own in {"describe": frame.describe(), "describe, turned": frame.describe().T}.items():
        yield f"{name}, CSV", "csv", csv(own), None, 1, True, refused("describe")
        yield f"{name}, Excel", "xlsx", book({"a": own}), None, 1, True, refused("describe")
    grouped = long.groupby("classifier")["accuracy"].describe()
    yield "describe of groups", "csv", csv(grouped), None, 1, True, refused("describe")
    both = long.groupby(["dataset", "classifier"])["accuracy"].describe()
    yield "describe of datasets and classifiers", "csv", csv(both), means(), 1, True, {}
    yield "info", "txt", info_of(frame), None, 1, True, refused("info")
    crossed = pd.crosstab(predictions()["y_true"], predictions()["NB"])
    yield "crosstab", "csv", csv(crossed), None, 1, True, refused("confusion|same names")
    yield (
        "crosstab, margins",
        "csv",
        csv(pd.crosstab(predictions()["y_true"], predictions()["NB"], margins=True)),
        None,
        1,
        True,
        refused("confusion|same names|counts"),
    )
    yield (
        "value_counts",
        "csv",
        csv(predictions()["NB"].value_counts()),
        None,
        1,
        True,
        refused("one column|one classifier|count"),
    )
    yield "rank", "csv", csv(frame.rank(axis=1, ascending=False)), frame.rank(axis=1, ascending=False), 1, False, {}
    yield (
        "agg of mean and std",
        "csv",
        csv(long.groupby(["dataset", "classifier"])["accuracy"].agg(["mean", "std", "count"])),
        means(),
        1,
        True,
        {},
    )
    yield "to_json, table", "json", frame.to_json(orient="table"), frame, 1, True, {}
    yield "to_json, values", "json", frame.to_json(orient="values"), None, 1, True, refused("names")
    yield "to_json, index", "json", frame.to_json(orient="index"), frame, 1, True, {"answers": {"transpose": True}}
    yield "to_xml", "xml", frame.reset_index().to_xml(index=False, parser="etree"), None, 1, True, refused("XML")


def info_of(frame: Frame) -> str:
    text = io.StringIO()
    frame.info(buf=text)
    return text.getvalue()


# --- statistics -------------------------------------------------------------------------------------------------------


def of_statistics() -> Iterator[One]:
    """Yield results of tests and models, which are not scores."""
    import statsmodels.api as sm
    import statsmodels.formula.api as smf
    from scipy import stats
    from statsmodels.stats.multicomp import pairwise_tukeyhsd

    long = table().rename_axis("dataset").reset_index().melt("dataset", var_name="model", value_name="acc")
    fitted = smf.ols("acc ~ C(model) + C(dataset)", long).fit()
    summary = fitted.summary()
    tukey = pairwise_tukeyhsd(long["acc"], long["model"])
    what = refused("test")
    yield "summary, text", "txt", summary.as_text(), None, 1, True, what
    yield "summary, CSV", "csv", summary.as_csv(), None, 1, True, what
    yield "summary, LaTeX", "tex", summary.as_latex(), None, 1, True, refused("test|table")
    yield "summary, HTML", "html", summary.as_html(), None, 1, True, refused("test|table")
    coefficients = Frame({"coef": fitted.params, "std err": fitted.bse, "t": fitted.tvalues, "P>|t|": fitted.pvalues})
    yield "coefficients", "csv", csv(coefficients), None, 1, True, what
    yield "anova_lm", "csv", csv(sm.stats.anova_lm(fitted)), None, 1, True, what
    yield "anova_lm, Excel", "xlsx", book({"anova": sm.stats.anova_lm(fitted)}), None, 1, True, what
    yield "Tukey, text", "txt", str(tukey.summary()), None, 1, True, what
    yield "Tukey, CSV", "csv", tukey.summary().as_csv(), None, 1, True, what
    cells = tukey.summary().data
    yield "Tukey, frame", "csv", csv(Frame(cells[1:], columns=cells[0]), index=False), None, 1, True, what
    test = stats.friedmanchisquare(*table().to_numpy().T)
    yield "repr of a test", "txt", repr(test), None, 1, True, refused("one column|statistical test")
    tidy = Frame(
        {
            "term": ["(Intercept)", "modelLR"],
            "estimate": [0.7, 0.1],
            "std.error": [0.07, 0.1],
            "statistic": [10.8, 0.4],
            "p.value": [0, 0.7],
        }
    )
    yield "broom's tidy", "csv", csv(tidy, index=False), None, 1, True, what
    pairs = Frame(
        {
            "Contrast": "model",
            "A": ["LR", "LR"],
            "B": ["NB", "kNN"],
            "Paired": True,
            "Parametric": False,
            "W-val": [9, 3.0],
            "alternative": "two-sided",
            "p-unc": [0.8, 0.1],
            "hedges": [0.05, 0.4],
        }
    )
    yield "pingouin, pairs", "csv", csv(pairs, index=False), None, 1, True, what
    wilcoxon = [
        (a, b, *stats.wilcoxon(table()[a], table()[b])) for a, b in (("LR", "NB"), ("LR", "kNN"), ("NB", "kNN"))
    ]
    yield (
        "a test of each pair",
        "csv",
        csv(Frame(wilcoxon, columns=["model_a", "model_b", "statistic", "pvalue"]), index=False),
        None,
        1,
        True,
        refused("test|pairs of classifiers"),
    )
    yield (
        "a matrix of p-values",
        "csv",
        csv(table().corr(method=lambda x, y: stats.wilcoxon(x, y)[1])),
        None,
        1,
        True,
        refused("same names"),
    )


# --- what scikit-learn returns ----------------------------------------------------------------------------------------


def of_sklearn() -> Iterator[One]:
    """Yield results of cross-validations and searches, and reports of one classifier."""
    from sklearn import datasets, metrics, model_selection, tree

    cases, labels = datasets.load_breast_cancer(return_X_y=True)
    validated = {
        name: model_selection.cross_validate(model, cases, labels, cv=5, scoring=["accuracy", "f1"])
        for name, model in models().items()
    }
    truth = Frame({name: [own["test_accuracy"].mean()] for name, own in validated.items()})
    one = Frame(validated["NB"])
    yield (
        "cross_validate of one",
        "csv",
        csv(one, index=False),
        None,
        1,
        True,
        refused("one dataset|one classifier|metrics"),
    )
    all_of_them = pd.concat({name: Frame(own) for name, own in validated.items()}, names=["model", "fold"])
    told = {"answers": {"metric": "accuracy", "score": "test_accuracy"}}
    yield "cross_validate, concat", "csv", csv(all_of_them), truth, 5, True, told
    yield "cross_validate, concat, Excel", "xlsx", book({"a": all_of_them}), truth, 5, True, told
    lists = {name: {key: values.tolist() for key, values in own.items()} for name, own in validated.items()}
    yield "cross_validate, JSON", "json", json.dumps(lists), truth, 5, True, told
    scores = {name: own["test_accuracy"].tolist() for name, own in validated.items()}
    yield "cross_val_score, JSON", "json", json.dumps(scores), truth, 5, True, {"answers": {"rows_are": "folds"}}
    grid = {"max_depth": [1, 3], "criterion": ["gini", "entropy"]}
    search = model_selection.GridSearchCV(tree.DecisionTreeClassifier(random_state=0), grid, cv=4)
    found = Frame(search.fit(cases, labels).cv_results_)
    split = [f"split{i}_test_score" for i in range(4)]
    names = [f"criterion={row.param_criterion}, max_depth={row.param_max_depth}" for row in found.itertuples()]
    of_search = Frame([found[split].mean(axis=1).tolist()], columns=names)
    for kind, suffix, text in (
        ("CSV", "csv", csv(found)),
        ("CSV without an index", "csv", csv(found, index=False)),
        ("Excel", "xlsx", book({"Sheet1": found})),
        ("Markdown", "md", found.to_markdown()),
        ("HTML", "html", found.to_html()),
        ("JSON lines", "jsonl", found.to_json(orient="records", lines=True)),
    ):
        how = refused("search by scikit-learn|must be a number or a string") if kind in ("HTML", "JSON lines") else {}
        yield f"GridSearchCV, {kind}", suffix, text, of_search, 4, True, how
    told = {"answers": {"decimal": ","}}
    yield "GridSearchCV, semicolons", "csv", csv(found, sep=";", decimal=","), of_search, 4, True, told
    ranks = found[["params", "mean_test_score", "std_test_score", "rank_test_score"]]
    yield "GridSearchCV, means only", "csv", csv(ranks), None, 1, True, refused("one dataset|split|fold|mean")
    predicted = models()["NB"].fit(cases, labels).predict(cases)
    report = metrics.classification_report(labels, predicted, output_dict=True)
    text = metrics.classification_report(labels, predicted, target_names=["malignant", "benign"])
    what = refused("one classifier")
    yield "classification_report, names", "txt", text, None, 1, True, what
    yield "classification_report, JSON", "json", json.dumps(report), None, 1, True, what
    yield "classification_report, Markdown", "md", Frame(report).T.to_markdown(), None, 1, True, what
    yield "classification_report, LaTeX", "tex", Frame(report).T.to_latex(), None, 1, True, what
    yield "classification_report, Excel", "xlsx", book({"a": Frame(report).T}), None, 1, True, what
    yield (
        "confusion_matrix, printed",
        "txt",
        str(metrics.confusion_matrix(labels, predicted)),
        None,
        1,
        True,
        refused("confusion|array|print"),
    )
    curve = model_selection.validation_curve(
        tree.DecisionTreeClassifier(), cases, labels, param_name="max_depth", param_range=[1, 2, 3], cv=3
    )
    frame = Frame({"max_depth": [1, 2, 3], "train_score": curve[0].mean(axis=1), "test_score": curve[1].mean(axis=1)})
    yield "validation_curve", "csv", csv(frame, index=False), None, 1, True, refused("one dataset|train|setting")
    fpr, tpr, at = metrics.roc_curve(labels, models()["NB"].fit(cases, labels).predict_proba(cases)[:, 1])
    yield (
        "roc_curve",
        "csv",
        csv(Frame({"fpr": fpr, "tpr": tpr, "threshold": at}), index=False),
        None,
        1,
        True,
        refused("curve|metrics|one dataset"),
    )
    importances = tree.DecisionTreeClassifier(random_state=0).fit(cases, labels).feature_importances_
    yield (
        "feature_importances_",
        "csv",
        csv(Frame({"feature": np.arange(30).astype(str), "importance": importances}), index=False),
        None,
        1,
        True,
        refused("one classifier|importance|feature"),
    )


# --- spreadsheets -----------------------------------------------------------------------------------------------------


def of_spreadsheets() -> Iterator[One]:
    """Yield sheets with merged cells, as people lay out results."""

    def merged_datasets(workbook: Any) -> None:
        page = workbook.active
        for first in range(2, 2 + N_FOLDS * 6, N_FOLDS):
            page.merge_cells(start_row=first, end_row=first + N_FOLDS - 1, start_column=1, end_column=1)

    folds = runs().pivot_table(index=["dataset", "fold"], columns="classifier", values="accuracy").reset_index()
    yield (
        "datasets merged over folds",
        "xlsx",
        book({"a": folds}, merged_datasets, index=False),
        means(),
        N_FOLDS,
        True,
        {},
    )

    def titled(workbook: Any) -> None:
        page = workbook.active
        page.insert_rows(1, 3)
        page["A1"] = "Comparison of classifiers"
        page["A2"] = "Error rate in percent"
        page.merge_cells("A1:E1")
        page.merge_cells("A2:E2")

    errors = (100 * (1 - table())).round(2)
    yield "two merged titles, errors", "xlsx", book({"a": errors}, titled), errors, 1, False, {}

    def families(workbook: Any) -> None:
        page = workbook.active
        page.insert_rows(2)
        page["A2"] = "Small datasets"
        page.merge_cells("A2:E2")

    yield "a merged heading of a group", "xlsx", book({"a": table()}, families), table(), 1, True, {}

    def averages(workbook: Any) -> None:
        page = workbook.active
        last = page.max_row
        page.append(["Average", *(f"=AVERAGE({column}2:{column}{last})" for column in "BCDE")])

    yield "a formula without a value", "xlsx", book({"a": table()}, averages), table(), 1, True, {}
    both = pd.concat({"accuracy": means(), "F1": means("f1_macro")}, axis=1).round(4)
    yield (
        "metrics merged above classifiers",
        "xlsx",
        book({"a": both}),
        table(),
        1,
        True,
        {"answers": {"metric": "accuracy"}},
    )
    own = of_german().rename(columns={"fold": "seed"})
    yield (
        "seeds in a block of each model",
        "xlsx",
        book({"a": own.set_index(["classifier", "seed"])}),
        german(),
        N_FOLDS,
        True,
        {},
    )
    passed = Frame(
        {
            "Question": predictions()["id"],
            "NB": np.where(predictions()["NB"] == predictions()["y_true"], "✓", "✗"),
            "kNN": np.where(predictions()["kNN"] == predictions()["y_true"], "✓", "✗"),
        }
    )
    yield (
        "check marks",
        "xlsx",
        book({"a": passed}, index=False),
        accuracies()[["NB", "kNN"]],
        1,
        True,
        {"answers": {"rows_are": "questions"}},
    )


def of_pairs() -> Iterator[One]:
    """Yield how often each model won against each other one."""
    names = list(table())
    wins = Frame([[int((table()[a] > table()[b]).sum()) for b in names] for a in names], names, names)
    what = refused("of wins of the model in each row")
    yield "wins", "csv", csv(wins), None, 1, True, what
    yield "wins, named", "csv", csv(wins.rename_axis("model")), None, 1, True, what
    yield "wins, Excel", "xlsx", book({"a": wins}), None, 1, True, what
    blank = wins.astype(object)
    for name in names:
        blank.loc[name, name] = "-"
    yield "wins, dashes", "md", blank.to_markdown(), None, 1, True, what
    rates = (wins / (wins + wins.T)).round(2).fillna(0.5)
    yield "win rates", "csv", csv(rates), None, 1, True, what
    yield "win rates, percent", "csv", csv(100 * rates), None, 1, True, what


GROUPS: dict[str, Callable[[], Iterator[One]]] = {
    "tabulate": of_tabulate,
    "rich": of_rich,
    "pandas": of_pandas,
    "statistics": of_statistics,
    "scikit-learn": of_sklearn,
    "spreadsheet": of_spreadsheets,
    "pairs": of_pairs,
}


# one table as libraries print it that need not be installed
PRINTED = Path(__file__).parents[1] / "data" / "formats" / "printed-tables"


def printed_samples() -> Iterator[Source]:
    """Yield the samples of ``scripts/format_samples/printed_tables.py``."""
    truth = pd.read_csv(PRINTED / "truth.csv", index_col="dataset")
    for path in sorted(PRINTED.iterdir()):
        own = percent(truth) if "percent" in path.name else truth
        if path.name.startswith("test_"):
            yield Source(f"sample, {path.name}", path, refused=REFUSED["test"])
        elif path.name == "kable_jira.txt":
            yield Source(f"sample, {path.name}", path, refused="Jira")
        elif path.name != "VERSION":
            yield Source(f"sample, {path.name}", path, own)


def program_files(directory: Path) -> Iterator[Source]:
    """Write everything into a directory."""
    yield from written_files(GROUPS, directory)
    yield from printed_samples()
