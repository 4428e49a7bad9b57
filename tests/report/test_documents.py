"""Every record has every format, and no label of anybody becomes markup, LaTeX, or an order to a terminal."""

from __future__ import annotations

import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evalstats
from evalstats import report
from evalstats._result import Record
from evalstats.io.reader.saved_reports import UNSEEN, has_own_checksum, report_faults
from evalstats.parity import ParityReport
from evalstats.parity.numeric_difference import Mismatch
from evalstats.parity.validation import FunctionParity
from evalstats.report.documents import KINDS, OF_COMPARISONS, kind_of
from evalstats.study.result import COLUMNS, StudyResult

FORMATS = ("text", "markdown", "latex", "html", "json")
MARKUP = "<script>alert(1)</script> [x](http://e) ![y](http://e) `c` *b* a|b &copy; $x$ \\j {i} 5% #1 ~ ^"
ORDERS = "yes\x1b]0;pwned\x07 \x9b31m \u202ereversed \ud800 \ufffe \x00"
# what a page of this kind may hold; nothing of it comes from a label
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "main", "section", "h1", "h2", "p", "ul", "li", "a", "sup"),
    *("div", "table", "caption", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "footer"),
    *("svg", "desc", "g", "line", "path", "text"),
    *("b", "u", "bdi", "wbr", "tfoot", "details", "summary", "pre", "script", "span"),
}


def name_of(label: str) -> str:
    """Return what of a label may be the name of a classifier: tables refuse the rest."""
    return " ".join(UNSEEN.sub("", label).split())


def comparison(label: str) -> Record:
    scores = np.linspace(0, 1, 12)[:, None] + np.array([0.0, 0.1, 0.3])
    names = (name_of(label), "B", "C")
    table = evalstats.ScoreTable(scores=scores, datasets=[f"d{i}" for i in range(12)], classifiers=names, metric="AUC")
    return evalstats.compare(table)


def one_dataset(label: str) -> Record:
    scores = np.random.default_rng(1).random((2, 10, 2))
    at = list(np.ndindex(scores.shape))
    columns = {"dataset": ["d"] * len(at), "repeat": [r for r, _, _ in at], "fold": [f for _, f, _ in at]}
    names = [(name_of(label), "B")[c] for *_, c in at]
    return evalstats.compare(evalstats.read_table({**columns, "classifier": names, "score": scores.ravel().tolist()}))


def by_metric(label: str) -> Record:
    names = [name_of(label), "B", "C"]
    rows = [(f"d{i}", name, metric, i * j + 1) for i in range(4) for j, name in enumerate(names) for metric in "mn"]
    columns = dict(zip(("dataset", "classifier", "metric", "score"), zip(*rows, strict=True), strict=True))
    columns["score"] = [score + (i % 4) / 8 for i, score in enumerate(columns["score"])]
    return replace(evalstats.compare(columns, metric=["m", "n"]), metrics=(label, "n"))


def questions(label: str) -> Record:
    keys = [(b, m, f"{b}-{q}", q // 2, s) for b in "de" for q in range(12) for m in ("A", "B", "C") for s in "12"]
    columns = ("benchmark", "model", "question_id", "passage", "sample")
    rows = dict(zip(columns, (list(column) for column in zip(*keys, strict=True)), strict=True))
    rows["model"] = [name_of(label) if name == "A" else name for name in rows["model"]]
    rows["benchmark"] = [name_of(label) if name == "d" else name for name in rows["benchmark"]]
    rows["passage"] = [f"{b}{p}" for b, p in zip(rows["benchmark"], rows["passage"], strict=True)]
    rows["correct"] = np.random.default_rng(1).integers(0, 2, len(keys)).tolist()
    return evalstats.compare(rows)


def runs(label: str) -> Record:
    rows = [(name, c, run, 0.1 * run + (c == "B")) for name in (name_of(label), "e") for c in "AB" for run in range(4)]
    columns = dict(zip(("dataset", "classifier", "repeat", "score"), zip(*rows, strict=True), strict=True))
    return replace(evalstats.analyze_runs(columns), metric=label)


def predictions(label: str) -> Record:
    data = {"dataset": ["d"] * 6, "classifier": ["c"] * 6, "fold": [1, 1, 1, 2, 2, 2]}
    data |= {"y_true": [1, 0, 0, 1, 0, 0], "y_pred": [0, 0, 0, 1, 0, 0]}
    made = evalstats.analyze_predictions(evalstats.read_predictions(data), metric="f1")
    return replace(made, scores=replace(made.scores, description=f"F1 of the positive label {label}", metric=label))


def advice(label: str) -> Record:
    made = evalstats.which_test(n_classifiers=3, n_datasets=10, control="A")
    return replace(made, design=replace(made.design, control=label))


def calibration(label: str) -> Record:
    names = (name_of(label), "B", "C")
    table = evalstats.ScoreTable(scores=np.eye(6)[:, :3], datasets=tuple("abcdef"), classifiers=names)
    made = evalstats.simulate_error_rates(table, n_simulations=9, shift=0.5, shifted_classifier=names[0])
    return replace(made, shifted_classifier=label, source=label)


def decisions(label: str) -> Record:
    columns = {name: [0.1, 0.2, 0.7, 0.9, 0.4, 0.4][i:] + [0.3] * i for i, name in enumerate("abc")}
    predictions = evalstats.read_predictions({"y_true": [0, 1, 0, 1, 1, 0], **columns})
    made = evalstats.tables.analyze_decisions(predictions, thresholds=0.3)
    return replace(
        made,
        curves=(replace(made.curves[0], dataset=label, classifiers=(label, "b", "c")),),
        comparisons=tuple(replace(one, dataset=label, first=label) for one in made.comparisons),
    )


def plan(label: str) -> Record:
    return replace(evalstats.plan_design("sign", n=10, effects=[0.8]), alternative=label)


def study(label: str) -> Record:
    values = {"dataset": label, "classifier": "c", "metric": "m", "score": np.nan, "failure": f"boom {label}"}
    columns = {name: np.array([values.get(name, 1)], dtype=kind) for name, kind in COLUMNS.items()}
    return StudyResult(
        datasets=(label,),
        classifiers=("c",),
        metric=label,
        scheme="k-fold",
        seed=1,
        columns=columns,
        n_failed=1,
        complete=False,
        directory=label,
    )


def parity(label: str) -> Record:
    numbers = dict.fromkeys(("n_cases", "n_frozen", "n_live", "n_generated", "n_unanswered"), 1)
    sizes = dict.fromkeys(("largest_frozen", "largest_live", "largest_generated", "tolerance", "widest_tolerance"), 1.0)
    wrong = Mismatch(
        case=label, field=label, source="frozen", ours=label, r=np.array([1.0]), difference=1.0, tolerance=0.0,
        arguments={"x": np.array([1.0, np.nan])},
    )  # fmt: skip
    row = FunctionParity(
        **numbers, **sizes, statistic=label, stem="a/b", asked=label, frozen_versions={"R": label}, live_versions={},
        absolute_tolerance=0.0, reasons=(label,), unanswered={label: 1}, mismatches=(wrong,), verdict="differs",
        remark=label, ok=False, source="formula", second_source=label,
    )  # fmt: skip
    return ParityReport(rows=(row,), live=None, not_live=label, seed=None, complete=True)


def ranks(label: str) -> Record:
    return evalstats.multiple.check_published_ranks([0.5, 1.6, 1.9], 20, names=[label, "b", "c"])


def ranks_of_several(label: str) -> Record:
    return evalstats.multiple.check_published_ranks([[0.5, 1.6, 1.9], [2.5, 1.6, 1.9]], 20, names=[label, "b", "c"])


def ranking(label: str) -> Record:
    scores = pd.DataFrame(
        [[0.9, 0.8, 0.3], [0.6, 0.7, 0.5], [0.8, 0.5, 0.6], [0.7, 0.6, 0.8]],
        columns=pd.Index([label, "b", "c"], dtype=object),
    )
    return evalstats.multiple.ranking_stability(scores)


def consensus(label: str) -> Record:
    scores = pd.DataFrame(
        [[0.9, 0.8, 0.3], [0.6, 0.7, 0.5], [0.8, 0.5, 0.6], [0.7, 0.6, 0.8]],
        columns=pd.Index([label, "b", "c"], dtype=object),
    )
    return evalstats.multiple.consensus_ranking(scores, [label, label, "second", "second"], n_resamples=50)


def projection(label: str) -> Record:
    return evalstats.multiple.project_classifiers({label: [[5, 1], [2, 6]], "b": [[4, 2], [0, 8]]})


def learning_curves(label: str) -> Record:
    rows = [(name, size, r, (r * size) % 7) for name in (name_of(label), "B") for size in (10, 20) for r in range(4)]
    columns = dict(zip(("classifier", "n_train", "repeat", "score"), map(list, zip(*rows, strict=True)), strict=True))
    columns["score"] = [score + i % 3 for i, score in enumerate(columns["score"])]
    return replace(evalstats.comparison.compare_learning_curves(columns, n_test=5), metric=label)


def scores(label: str) -> Record:
    return evalstats.ScoreTable(scores=[[1.0, 2.0]], datasets=(name_of(label),), classifiers=("a", "b"))


def test_result(label: str) -> Record:
    return replace(evalstats.wilcoxon_test([1, 2, 3, 4], [2, 1, 5, 9]), reason=label)


def test_batch(label: str) -> Record:
    return replace(evalstats.wilcoxon_test(np.eye(4), np.zeros((4, 4))), reason=np.array([label] * 4, dtype=object))


def posterior(label: str) -> Record:
    return replace(evalstats.bayes.bayes_sign_test([1, 2, 3, 4], [2, 1, 5, 9]), reason=label)


def estimate(label: str) -> Record:
    return replace(evalstats.effects.cohen_d([1, 2, 3, 4], [2, 1, 5, 9]), reason=label)


def folds(label: str) -> Record:
    made = evalstats.metrics.check_folds([1, 1, 0, 0], [1, 1, 2, 2])
    return replace(made, findings=tuple(replace(one, sentence=label, code=label) for one in made.findings))


RECORDS: dict[str, Callable[[str], Record]] = {
    make.__name__: make
    for make in (
        comparison, one_dataset, by_metric, questions, runs, predictions, advice, plan, study, parity, ranks,
        ranks_of_several, calibration, decisions,
        projection, ranking, consensus, learning_curves, scores, test_result, test_batch, posterior, estimate, folds,
    )
}  # fmt: skip
for make in (test_result, test_batch):
    make.__test__ = False  # type: ignore[attr-defined]  # pytest reads it


@cache
def written(record: str, label: str, style: str) -> str:
    return str(getattr(report, style)(RECORDS[record](label)))


each_record = pytest.mark.parametrize("record", RECORDS)
each_label = pytest.mark.parametrize("label", [MARKUP, ORDERS], ids=["markup", "orders"])


@pytest.mark.sampled
@each_record
@each_label
def test_every_format_writes_what_can_be_seen(record: str, label: str) -> None:
    """Nothing for a terminal to obey, nothing that reorders a line, half a character or none."""
    found = {style: UNSEEN.search(written(record, label, style).replace("\n", "")) for style in FORMATS}

    assert not any(found.values()), found
    assert all(written(record, label, style).endswith("\n") for style in FORMATS)
    assert all(written(record, label, style).encode() for style in FORMATS)


@each_record
@each_label
def test_page_has_only_its_own_tags(record: str, label: str) -> None:
    tags: set[str] = set()
    sources: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.add(tag)
            sources.extend(str(value) for name, value in attrs if name in {"href", "src"} or name.startswith("on"))

    Reader().feed(written(record, label, "html"))

    assert tags <= TAGS
    assert all(source.startswith(("#ref-", "https://")) for source in sources)


@each_record
def test_markdown_escapes_what_labels_hold(record: str) -> None:
    text = re.sub(r"^(```+)text$.*?^\1$", "", written(record, MARKUP, "markdown"), flags=re.DOTALL | re.MULTILINE)

    assert not re.search(r"(?<!\\)(?:<script|\[x\]|!\[|`c`|\*b\*|&copy|\$x\$)", text)


@each_record
def test_latex_escapes_what_labels_hold(record: str) -> None:
    """A label of dollars, percent signs and backslashes leaves no command, no comment and no mathematics."""
    text = "\n".join(line for line in written(record, MARKUP, "latex").splitlines() if not line.startswith("% "))

    assert not re.search(r"\\j\b|\$x\$|(?<!\\)5%|(?<!\\)\{i\\?\}|(?<!\\)#1|(?<!\\)&copy", text)
    plain = re.sub(r"\\[{}%]", "", text)
    assert plain.count("{") == plain.count("}")


@each_record
@each_label
def test_json_gives_every_label_back(record: str, label: str) -> None:
    made = RECORDS[record](label)
    kind = kind_of(made)
    read = json.loads(written(record, label, "json"))

    assert read["kind"] == f"evalstats {type(made).__name__ if kind == 'record' else kind}"
    assert read[kind].keys() == made.to_dict().keys()
    assert (report_faults(read), has_own_checksum(read)) == ((), True)
    if record not in {"comparison", "one_dataset", "questions", "scores"}:
        assert json.dumps(label)[1:-1] in json.dumps(read)


@each_record
def test_sentence_is_the_verdict_of_the_document(record: str) -> None:
    made = RECORDS[record]("a label")
    if record == "test_batch":
        return
    said = "".join(part for part in report.document(made).verdict.content if isinstance(part, str))

    assert " ".join(said.split()).rstrip(" .") == " ".join(report.sentence(made).split()).rstrip(" .")


# heads that are names of what the table lists
PLAIN = {
    "answer",
    "battles",
    "first",
    "second",
    "analyses",
    "number of worse classifiers",
    "range",
    "test of the pairs",
    "to",
}
NAMES = {*"abcde", *"1234", "mean accuracy", "median accuracy", "mean score", "median score"}


def test_glossary_explains_the_heads_of_tables() -> None:
    """A term is in bold, or in italics within the explanation of another term."""
    glossary = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8").casefold()
    terms = " | ".join(re.findall(r"\*+([^*]+)\*+", glossary))
    table = evalstats.read_table(evalstats.example_path("japkowicz-accuracy"), metric="accuracy")
    votes = {"model_a": [*"AABBCCAB"], "model_b": [*"BCACABBC"], "winner": ["model_a", "model_b"] * 4}
    records = [
        evalstats.compare(table, margin=5.0, rope=1.0, robustness=True, stability=True),
        evalstats.compare(table, posthoc="nemenyi"),
        evalstats.compare(votes | {"question_id": [*"11223344"]}),
        one_dataset("A"),
        questions("A"),
    ]

    heads = {
        column.head.casefold()
        for record in records
        for section in report.document(record).sections
        for block in section.blocks
        for column in getattr(block, "columns", ())
    }

    unknown = {head for head in heads - PLAIN - NAMES if not re.search(rf"(?<!\w){re.escape(head)}(?!\w)", terms)}
    assert unknown == set()


def test_document_is_shown_as_it_is() -> None:
    shown = report.document(advice("A"))

    assert report.document(shown) is shown
    assert report.text(shown) == report.text(advice("A"))


@pytest.mark.parametrize("style", [*FORMATS, "document", "sentence"])
@pytest.mark.parametrize("record", [5, None, "x", {"statistic": 1}])
def test_what_is_no_record_is_refused(style: str, record: object) -> None:
    kind = type(record).__name__
    with pytest.raises(evalstats.InvalidTypeError, match=f"record must be a result of evalstats, .* not {kind}"):
        getattr(report, style)(record)


@pytest.mark.parametrize("choice", [{"max_rows": 0}, {"max_rows": 2.5}, {"with_scores": "yes"}])
def test_odd_choices_are_refused(choice: dict[str, object]) -> None:
    with pytest.raises((evalstats.InvalidTypeError, evalstats.InvalidValueError), match=next(iter(choice))):
        report.document(advice("A"), **choice)


def test_room_shows_its_public_names_alone() -> None:
    assert dir(report) == list(report.__all__)
    assert {"text", "html", "document", "sentence"} <= set(dir(report))


def test_every_kind_has_a_class_and_a_module() -> None:
    inside = pkgutil.iter_modules(evalstats.__path__, "evalstats.")
    shown = {name for m in inside if m.ispkg for name in import_module(m.name).__all__}

    assert set(KINDS) - shown == {Record.__name__}
    for kind in KINDS.values():
        folder = "comparisons" if kind in OF_COMPARISONS else "records"
        module = import_module(f"evalstats.report.{folder}.{kind}")
        assert {"document", "verdict"} <= set(module.__all__)


def test_one_record_loads_what_it_needs() -> None:
    """Advice is shown without the report of comparisons, and without anything heavy."""
    script = (
        "import sys; from evalstats import report, which_test\n"
        "report.text(which_test(n_classifiers=3, n_datasets=9))\n"
        "heavy = ('evalstats.report.comparisons.comparison', 'evalstats.report.sentences', 'scipy.stats')\n"
        "heavy += ('pandas', 'matplotlib')\n"
        "print([name for name in heavy if name in sys.modules])"
    )

    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_sentence_takes_the_names_of_two_classifiers() -> None:
    result = evalstats.sign_test([3, 2, 4], [1, 3, 1])

    assert report.sentence(result, names=("my SVM", "x")).startswith("Sign test: my SVM is larger in 2 pairs, smaller")
    with pytest.raises(ValueError, match="names must be two names, of x and y, not "):
        report.sentence(result, names=("a",))
    with pytest.raises(ValueError, match="which Comparison does not contain"):
        report.sentence(evalstats.compare([[0.1, 0.2, 0.3]] * 3), names=("a", "b"))
