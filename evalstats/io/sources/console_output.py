"""Rules that reject the console output of programs instead of their results."""

from __future__ import annotations

__all__ = ["DOCUMENT_RULES", "TEXT_RULES", "refuse_program_document", "refuse_program_text"]

import re
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any

from evalstats._lexicon import one_of
from evalstats.io.sources.rule import Example, Rule, Stage, apply_rules
from evalstats.metrics.directions import direction_of

MAX_CONSOLE_WIDTH = 1000  # characters of a line of console output
_SCORES = "give the scores of each classifier on each dataset, or its predictions"
_AS_CSV = "write the table as CSV or in Markdown"
_REPORT = "a classification report of scikit-learn for one classifier"

_SETS = re.compile(rf"(?:{one_of('sets.test', 'sets.validation', 'sets.training')}|learn)(?![^\W\d_])", re.IGNORECASE)
_NAMES = "dataset,Tester,YAML\niris,0.9,0.8\nSummary,0.7,0.6\nwine,0.5,0.4\n"  # of a table, like words of programs


def _text(code: str, sign: re.Pattern[str], what: str, instead: str, *examples: str) -> Rule:
    """Return a rule that rejects text with a pattern in its first lines."""
    return Rule(
        code=code,
        stage=Stage.TEXT,
        applies=lambda text: {} if sign.search(text) else None,
        sentence=f"{{name}} is {what}",
        hint=instead,
        examples=(*map(_example, examples), Example(data=_NAMES, applies=False)),
    )


def _example(data: Any) -> Example:
    return Example(data=data)


TEXT_RULES = (
    _text(
        "weka-analyse-panel",
        re.compile(r"^Tester:\s+weka\.experiment\.", re.MULTILINE),
        "what the Analyse panel of WEKA shows, with rounded scores",
        "give the results of the experiment, the file .arff or .csv that the Setup panel writes",
        "Tester:     weka.experiment.PairedCorrectedTTester -G 4\nDataset  (1) rules.Ze | (2) trees\n",
        "Tester:  weka.experiment.PairedTTester\n",
    ),
    _text(
        "weka-explorer",
        re.compile(r"^=== (?:Run information|Stratified cross-validation|Summary|Classifier model)\b", re.MULTILINE),
        "what the Explorer of WEKA shows for one classifier on one dataset",
        "give the predictions of each classifier ('More options', 'Output predictions', CSV), or use the Experimenter",
        "=== Run information ===\n\nScheme: weka.classifiers.trees.J48\n",
        "\n=== Summary ===\n\nCorrectly Classified Instances 144 96 %\n",
    ),
    _text(
        "printed-classification-report",
        re.compile(r"^\s+precision\s+recall\s+f1-score\s+support\s*$", re.MULTILINE),
        _REPORT,
        _SCORES,
        "              precision    recall  f1-score   support\n\n           0  1.00 1.00 1.00 1\n",
        "  precision recall f1-score support\n a 1 1 1 2\n",
    ),
    _text(
        "caret-resamples-summary",
        re.compile(r"^Models: .*\s+Number of resamples: \d+", re.MULTILINE),
        "what caret's summary(resamples()) prints",
        "give write.csv(resamples(...)$values)",
        "Call:\nsummary.resamples(object = results)\n\nModels: rf, gbm\nNumber of resamples: 10\n",
        "Models: a, b \nNumber of resamples: 25 \n",
    ),
    _text(
        "lm-eval-table",
        re.compile(r"^\|\s*Tasks\s*\|\s*Version\s*\|.*\|\s*Stderr\s*\|", re.MULTILINE),
        "the table that lm-evaluation-harness prints for one model",
        "for each model, give the files that lm-evaluation-harness writes with --output_path",
        "|Tasks|Version|Filter|Metric|Value|   |Stderr|\n|-|-|-|-|-|-|-|\n|rte|1|none|acc|0.7|±|0.03|\n",
        "| Tasks |Version|Metric|Value|Stderr|\n|-|-|-|-|-|\n|rte|1|acc|0.7|0.1|\n",
    ),
    _text(
        "tsml-result-file",
        re.compile(r"^[^,\n]*,[^,\n]*,(?:TEST|TRAIN),\d+,(?:MILLI|NANO)?SECONDS,", re.MULTILINE),
        "a result file of tsml for one estimator on one dataset",
        "give the directory of results, with ESTIMATOR/Predictions/DATASET/testResampleN.csv",
        "Coffee,ROCKET,TEST,0,MILLISECONDS,none\n{}\n0.9,12,3,-1,-1,2,,-1,-1\n0,0,,0.7,0.3\n",
        "Coffee,ROCKET,TRAIN,3,NANOSECONDS,none\n{}\n0.9,12,3\n",
    ),
    _text(
        "promptfoo-table",
        re.compile(r"\[(?:PASS|FAIL|ERROR)\][\s\S]*\[(?:PASS|FAIL|ERROR)\]|<title>[^<]*[Pp]romptfoo"),
        "the table of results that promptfoo shows",
        "write them as JSON, with 'promptfoo eval -o results.json' or 'promptfoo export eval'",
        'question,"[openai:a] Answer","[openai:b] Answer"\n2+2?,[PASS] 4,[FAIL] 5\n',
        "<html><head><title>LLM Evaluation Report (promptfoo)</title></head></html>\n",
    ),
    _text(
        "promptfoo-yaml",
        re.compile(r"^evalId: .*(?:\n.*)*^results:", re.MULTILINE),
        "the results of promptfoo in YAML",
        "write them as JSON, with 'promptfoo eval -o results.json'",
        "evalId: eval-abc\nresults:\n  version: 3\n",
        "config: 1\nevalId: eval-1\nresults: {}\n",
    ),
    _text(
        "trec-run",
        re.compile(r"\A\S+[ \t]+(?:Q0|q0)[ \t]+\S+[ \t]+\d+[ \t]+\S+[ \t]+\S+[ \t\r]*$", re.MULTILINE),
        "a run of TREC with ranked documents, without scores of queries",
        "compute a measure for each query, with ir_measures or trec_eval -q",
        "301 Q0 d1 1 14.2 bm25\n301 Q0 d2 2 13.9 bm25\n",
        "q1\tQ0\tdoc-7\t1\t0.5\tmine\n",
    ),
    _text(
        "trec-judgements",
        re.compile(r"\A(?:\S+[ \t]+0[ \t]+\S*[^\W\d]\S*[ \t]+-?\d[ \t\r]*\n){2}"),
        "a file of relevance judgments of TREC, without scores of queries",
        "compute a measure for each query of each run, with ir_measures or trec_eval -q",
        "301 0 d1 1\n301 0 d2 0\n302 0 d1 0\n",
        "q1\t0\tdoc-7\t1\nq1\t0\tdoc-8\t0\n",
    ),
    _text(
        "printed-test",
        re.compile(
            r"^(?:data: +\S.*(?:\n.*)*?p-value|P value adjustment method|Analysis of Variance Table|ANOVA\b"
            r"| *Tukey multiple comparisons of means| *Multiple Comparison of Means|.{0,40}Regression Results\b"
            r"|Call:\n(?:lm|glm|aov|lmer)\(|\A\w+Result\(statistic=|The statistical analysis was conducted for)",
            re.MULTILINE,
        ),
        "the printed result of a statistical test or model",
        _SCORES,
        "\n\tFriedman rank sum test\n\ndata:  m\nFriedman chi-squared = 1, df = 3, p-value = 0.8\n",
        "                OLS Regression Results\n=======================\nDep. Variable: acc R-squared: 0.5\n",
        "\nCall:\nlm(formula = acc ~ model)\n\nResiduals:\n Min 1Q\n",
        "FriedmanchisquareResult(statistic=1.2, pvalue=0.7)\n",
    ),
    _text(
        "printed-summary",
        re.compile(r"\bMin\. +:.*\bMin\. +:|^'data\.frame':\t\d+ obs\.|\A<class 'pandas\.", re.MULTILINE),
        "the output of summary() or str() in R, or of info() in pandas",
        "give the table itself, as CSV",
        "  dataset    LR   NB\n Length:6   Min.   :0.5   Min.   :0.4  \n",
        '\'data.frame\':\t6 obs. of  5 variables:\n $ dataset: chr  "a" "b"\n',
        "<class 'pandas.DataFrame'>\nIndex: 6 entries, a to f\n",
    ),
    _text(
        "tibble",
        re.compile(r"^# A tibble: ", re.MULTILINE),
        "a tibble as R prints it, with numbers that are rounded",
        "write it with write.csv()",
        "# A tibble: 2 x 3\n  dataset LR NB\n  <chr> <dbl> <dbl>\n1 a 0.9 0.8\n",
        "# A tibble: 6 × 2\n",
    ),
    _text(
        "numpy-array",
        re.compile(r"\A\[\[[-+\s\d.e]+\]"),
        "an array as NumPy prints it, without names",
        _AS_CSV,
        "[[ 70  11]\n [  3 120]]\n",
        "[[0.9 0.8]\n [0.7 0.6]]\n",
    ),
    _text(
        "xml",
        re.compile(r"\A<\?xml\b(?!(?:.*\n){0,3}.*<!DOCTYPE html)", re.IGNORECASE),
        "XML",
        "write it as CSV or JSON",
        "<?xml version='1.0'?>\n<data><row><NB>0.9</NB></row></data>\n",
        "<?xml version='1.0' encoding='utf-8'?>\n<x/>\n",
    ),
    _text(
        "textile-table",
        re.compile(r"\A\s*\|_[<>=]?\."),
        "a table in Textile",
        _AS_CSV,
        "|_.  Data |_. NB |\n| iris |>. 0.9 |\n",
        "|_. Data |_. NB |\n|a|1|\n",
    ),
    _text(
        "mediawiki-table",
        re.compile(r"\A\s*\{\|"),
        "a table in MediaWiki",
        _AS_CSV,
        '{| class="wikitable"\n! Data !! NB\n|-\n| iris || 0.9\n|}\n',
        "{|\n! Data !! NB\n| iris || 0.9\n|}\n",
    ),
    _text(
        "asciidoc-table",
        re.compile(r"^\|={3,}\s*$", re.MULTILINE),
        "a table in AsciiDoc",
        _AS_CSV,
        "|===\n|Data |NB |SVM\n\n|iris |0.9 |0.8\n|===\n",
        "|===\n|Data |NB\n|iris |1\n|===\n",
    ),
    _text(
        "jira-table",
        re.compile(r"\A\s*\|\|[^\n]+\|\|[ \t\r]*$", re.MULTILINE),
        "a table in Jira",
        _AS_CSV,
        "||Data||NB||SVM||\n|iris|0.9|0.8|\n",
        "||Data||NB||\n|iris|0.9|\n",
    ),
    _text(
        "r-dput",
        re.compile(r"\Astructure\(list\("),
        "the output of dput() in R",
        "write the table with write.csv()",
        'structure(list(NB = c(0.9, 0.8)), row.names = c("a", "b"))\n',
        "structure(list(a = 1))\n",
    ),
    _text(
        "yaml",
        re.compile(r"\A[\w\"'. -]+:[ \t]*\r?\n[ \t]+[\w\"'. -]+:"),
        "YAML",
        "write it as JSON, or as CSV",
        "iris:\n  NB: 0.9\n  SVM: 0.8\n",
        "wine: \n    NB: 0.9\n",
    ),
    _text(
        "toml",
        re.compile(r"\A\[[\w\"'. -]+\]\s*\n[\w\"'. -]+ *= *"),
        "TOML",
        "write it as JSON, or as CSV",
        "[iris]\nNB = 0.9\nSVM = 0.8\n",
        "[wine]\nNB=1\n",
    ),
    _text(
        "python-dict",
        re.compile(r"\A\s*[\[{]\s*(?:\{\s*)?'"),
        "a dict as Python prints it",
        "write it with json.dump(), or as CSV",
        "{'iris': {'NB': 0.9, 'SVM': 0.8}}\n",
        "{'wine': 0.9}\n",
    ),
)


def _is_report(value: Any) -> bool:
    return isinstance(value, Mapping) and {"macro avg", "weighted avg"} <= value.keys()


def _are_courses(document: Mapping[Any, Any]) -> bool:
    """Return whether a dict contains training curves by dataset, such as valid_0, train and eval."""
    return _all(_is_course)(document) and all(_SETS.match(str(name)) is not None for name in document)


def _is_course(value: Any) -> bool:
    """Return whether a dict maps metrics to lists of scores, one per training round."""
    return (
        isinstance(value, Mapping)
        and bool(value)
        and all(isinstance(own, list | tuple) and direction_of(str(name)) is not None for name, own in value.items())
    )


def _is_square(value: Any) -> bool:
    """Return whether a value is a square matrix of integers."""
    if getattr(value, "ndim", 2) != 2:  # a long column need not become a list
        return False
    rows = value.tolist() if hasattr(value, "tolist") else value
    return (
        isinstance(rows, list)
        and len(rows) > 1
        and all(isinstance(row, list) and len(row) == len(rows) for row in rows)
        and all(isinstance(cell, int) and not isinstance(cell, bool) for row in rows for cell in row)
    )


def _are_values(document: Mapping[Any, Any]) -> bool:
    return len(document) > 1 and all(isinstance(value, Real | str) for value in document.values())


def _are_metrics(document: Mapping[Any, Any]) -> bool:
    """Return whether a dict holds numbers, two or more of them metrics, and at most as many values by class.

    The values by class are a dict or a matrix. A list of records together with the numbers is a table.
    """
    names = [
        str(name) for name, value in document.items() if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    others = [value for value in document.values() if not isinstance(value, Real | str)]
    if not others or any(isinstance(own, list) and own and isinstance(own[0], Mapping) for own in others):
        return False
    # spaCy writes precision, recall and F1 as ents_p, ents_r and ents_f
    groups = [{f"{name[:-2]}_{end}" for end in "prf"} for name in names if name.endswith("_f")]
    metrics = {name for name in names if direction_of(name) is not None}
    metrics.update(*(group for group in groups if group.issubset(names)))
    by_class = [own for own in others if isinstance(own, Mapping) and own and _all(_is_of_class)(own)]
    return (len(metrics) > 1 or bool(by_class and names)) and 2 * len(names) >= len(document)


def _is_of_class(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == {"p", "r", "f"}


def _all(is_one: Callable[[Any], bool]) -> Callable[[Mapping[Any, Any]], bool]:
    return lambda document: all(map(is_one, document.values()))


def _document(code: str, is_such: Callable[[Mapping[Any, Any]], bool], what: str, *examples: Any) -> Rule:
    """Return a rule that rejects dicts in the form of a program."""
    return Rule(
        code=code,
        stage=Stage.DOCUMENT,
        applies=lambda document: {} if is_such(document) else None,
        sentence=f"{{name}} holds {what}",
        hint=_SCORES,
        examples=(*map(_example, examples), Example(data={"iris": {"NB": 0.9, "SVM": 0.8}}, applies=False)),
    )


_OF_CLASSES = {
    "0": {"precision": 1.0},
    "accuracy": 1.0,
    "macro avg": {"precision": 1.0},
    "weighted avg": {"precision": 1.0},
}
DOCUMENT_RULES = (
    _document(
        "deepchecks",
        lambda document: document.get("type") in ("CheckResult", "SuiteResult"),
        "results of checks by deepchecks on one dataset",
        {"type": "CheckResult", "header": "Simple Model Comparison", "value": {"scores": {}}, "display": []},
        {"type": "SuiteResult", "name": "Model Evaluation Suite", "results": []},
    ),
    _document("classification-report", _is_report, _REPORT, _OF_CLASSES),
    _document(
        "classification-reports",
        _all(_is_report),
        "classification reports of scikit-learn for one dataset",
        {"NB": _OF_CLASSES, "SVM": _OF_CLASSES},
    ),
    _document(
        "evaluation-rounds",
        _are_courses,
        "a training history of LightGBM or XGBoost on one dataset",
        {"valid": {"auc": [0.7, 0.8], "binary_logloss": [0.5, 0.4]}},
    ),
    _document(
        "confusion-matrices",
        _all(_is_square),
        "confusion matrices of one dataset, which do not show which classifiers make the same errors",
        {"NB": [[1, 0], [1, 2]], "SVM": [[1, 0], [0, 3]]},
    ),
    _document(
        "metrics-and-values-by-class",
        _are_metrics,
        "metrics of one classifier and values by class, for at most one dataset",
        {"token_acc": 0.9, "cats_macro_f": 0.8, "cats_f_per_type": {"A": {"p": 0.8, "r": 0.7, "f": 0.75}}},
        {"accuracy": 0.8, "auroc": 0.9, "confusion_matrix": [[50, 3], [4, 43]]},
        {"ents_p": 0.8, "ents_r": 0.7, "ents_f": 0.75, "ents_per_type": {"ORG": {"p": 0.8, "r": 0.7, "f": 0.75}}},
    ),
    _document(
        "single-values",
        _are_values,
        "one value for each name, for at most one dataset",
        {"NB": 0.9, "SVM": 0.8},
        {"NB": "0.9 ± 0.1", "SVM": "0.8 ± 0.1"},
    ),
)


def refuse_program_document(document: Mapping[Any, Any], name: str) -> None:
    """Reject a dict of summarized results, and name the correct input."""
    if document:
        apply_rules(DOCUMENT_RULES, Stage.DOCUMENT, document, name)


def refuse_program_text(head: Sequence[tuple[int, str]], name: str) -> None:
    """Reject text that begins like console output, and name the correct input."""
    # console output has short lines, unlike a table of hundreds of classifiers
    text = "".join(line.removesuffix("\n") + "\n" for _, line in head if len(line) <= MAX_CONSOLE_WIDTH)
    apply_rules(TEXT_RULES, Stage.TEXT, text, name)
