"""What a program shows of its results is called by its name, with what to give instead."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from sklearn.metrics import classification_report, confusion_matrix

from evalstats import TableError, read_table

ANALYSE = """Tester:     weka.experiment.PairedCorrectedTTester -G 4,5,6 -D 1 -R 2 -S 0.05
Analysing:  Percent_correct
Datasets:   2
Resultsets: 2

Dataset                   (1) rules.Ze | (2) trees
---------------------------------------------------
iris                     (100)   33.33 |   94.73 v
glass                    (100)   35.51 |   67.63 v
"""
EXPLORER = """=== Run information ===

Scheme:       weka.classifiers.trees.J48 -C 0.25 -M 2
Relation:     iris

=== Summary ===

Correctly Classified Instances         144               96      %
"""
CARET = """Call:
summary.resamples(object = results)

Models: rf, gbm
Number of resamples: 10
"""
HARNESS = """|Tasks|Version|Filter|n-shot|Metric|   |Value |   |Stderr|
|-----|------:|------|-----:|------|---|-----:|---|-----:|
|rte  |      1|none  |     0|acc   |↑  |0.6931|±  |0.0278|
"""
TSML = "Coffee,ROCKET,TEST,0,MILLISECONDS,none\n{}\n0.9,12,3,-1,-1,2,,-1,-1\n0,0,,0.7,0.3\n1,0,,0.8,0.2\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ANALYSE, "is what the Analyse panel of WEKA shows, with rounded scores; give the results of the experiment"),
        (EXPLORER, "is what the Explorer of WEKA shows for one classifier on one dataset; give the predictions"),
        (classification_report([0, 1, 1], [0, 1, 0]), "is a classification report of scikit-learn for one classifier"),
        (CARET, "is what caret's summary(resamples()) prints; give write.csv"),
        (HARNESS, "is the table that lm-evaluation-harness prints for one model; for each model, give the files"),
        (TSML, "is a result file of tsml for one estimator on one dataset; give the directory"),
        ('{| class="wikitable"\n! Data !! NB !! SVM\n|-\n| iris || 0.9 || 0.8\n|}\n', "is a table in MediaWiki; write"),
        ("|===\n|Data |NB |SVM\n\n|iris |0.9 |0.8\n|===\n", "is a table in AsciiDoc; write the table as CSV"),
        ("||Data||NB||SVM||\n|iris|0.9|0.8|\n", "is a table in Jira; write the table as CSV"),
        ("question,a,b\n2+2?,[PASS] 4,[FAIL] 5\n", "is the table of results that promptfoo shows; write them as JSON"),
        ("<table><tr><td>[PASS] 4</td><td>[FAIL] 5</td></tr></table>", "is the table of results that promptfoo shows"),
        ("evalId: e\nresults:\n  version: 3\n", "is the results of promptfoo in YAML; write them as JSON"),
        ("301 Q0 d1 1 14.2 bm25\n301 Q0 d2 2 13.9 bm25\n", "is a run of TREC with ranked documents"),
        (
            "301 0 d1 1\n301 0 d2 0\n",
            "is a file of relevance judgments of TREC, without scores of queries; compute a measure",
        ),
        ('structure(list(NB = c(0.9, 0.8)), row.names = c("a", "b"))\n', "is the output of dput() in R; write"),
        ("iris:\n  NB: 0.9\n  SVM: 0.8\n", "is YAML; write it as JSON"),
        ("[iris]\nNB = 0.9\nSVM = 0.8\n", "is TOML; write it as JSON"),
        ("{'iris': {'NB': 0.9, 'SVM': 0.8}}\n", "is a dict as Python prints it; write it with json.dump()"),
    ],
    ids=[
        *("WEKA Analyze", "WEKA Explorer", "scikit-learn", "caret", "lm-eval", "tsml", "MediaWiki", "AsciiDoc", "Jira"),
        *(
            "promptfoo CSV",
            "promptfoo HTML",
            "promptfoo YAML",
            "TREC run",
            "TREC judgements",
            "dput",
            "YAML",
            "TOML",
            "repr",
        ),
    ],
)
def test_texts_of_programs_are_called_by_their_name(text: str, message: str) -> None:
    with pytest.raises(TableError) as caught:
        read_table(io.StringIO(text))
    assert message in str(caught.value)


def test_names_like_those_of_programs_are_names() -> None:
    table = read_table(io.StringIO("Tester,NB,SVM\nTEST,0.9,0.8\nTRAIN,0.7,0.6\nStderr,0.5,0.4\n"), rows_are="datasets")

    assert table.classifiers == ("NB", "SVM")


REPORT = classification_report([0, 1, 1], [0, 1, 0], output_dict=True)
MATRIX = confusion_matrix([0, 1, 1], [0, 1, 0])


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (REPORT, "holds a classification report of scikit-learn for one classifier; give the scores"),
        (
            {"NB": REPORT, "SVM": REPORT},
            "holds classification reports of scikit-learn for one dataset; give the scores",
        ),
        ({"valid": {"auc": [0.7, 0.8], "binary_logloss": [0.5, 0.4]}}, "holds a training history of LightGBM"),
        ({"NB": MATRIX, "SVM": MATRIX}, "holds confusion matrices of one dataset, which do not show which classifiers"),
        ({"NB": 0.9, "SVM": 0.8}, "holds one value for each name, for at most one dataset; give the scores"),
        ({"NB": "0.9 ± 0.1", "SVM": "0.8 ± 0.1"}, "holds one value for each name, for at most one dataset; give"),
    ],
    ids=["report", "reports", "rounds", "confusion matrices", "means", "means with deviations"],
)
def test_documents_of_programs_are_called_by_their_name(document: dict[str, Any], message: str) -> None:
    for source in (document, io.StringIO(json.dumps(document, default=lambda array: array.tolist()))):
        with pytest.raises(TableError) as caught:
            read_table(source)
        assert message in str(caught.value)
