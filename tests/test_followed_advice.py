"""Each refusal that names an option leads on: to a verdict, or to another question, within three steps."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

from evalstats import EvalstatsError, TableError, compare
from evalstats.cli import cli
from evalstats.cli.errors import OptionNames
from evalstats.comparison import compare_readers
from evalstats.io.columns.rules import RULES

SAMPLES = Path(__file__).parent / "data" / "formats"
STEPS = 3
SEEDS = "".join(
    f"{model},{seed},{0.8 + seed * seed % 7 / 100 + 0.02 * (model == 'A')}\n" for model in "AB" for seed in range(5)
)
FOLDS = "\n".join(f"{0.9 + i * i % 5 / 100},{0.88 + i * i % 7 / 100}" for i in range(8))
RATED = "reader,modality,case,truth,rating\n" + "".join(
    f"R{r},{how},{case},{case % 2},{(7 * case * r + 3 * (how == 'MR')) % 11 + 4 * (case % 2)}\n"
    for r in (1, 2, 3)
    for how in ("CT", "MR")
    for case in range(9)
)
# files that people and programs write and that are asked about, by what they hold
FILES = {
    "scores without names of rows": f"LR,SVM\n{FOLDS}\n",
    "scores with an index": "".join(
        f"{i - 1 if i else ''},{line}\n" for i, line in enumerate(f"LR,SVM\n{FOLDS}".split("\n"))
    ),
    "labels and probabilities": "y_true,LR_pred,LR_proba,RF_pred,RF_proba,NB_pred,NB_proba,NN_pred,NN_proba\n"
    + "".join(f"{i % 2},{(i // 2) % 2},.4,{i % 2},{0.2 + 0.6 * (i % 2)},{i % 2},.3,1,{i / 20}\n" for i in range(20)),
    "leaderboard": "Model,Organization,MMLU,GSM8K\nA,X,86.4,92.0\nB,Y,86.8,95.0\nC,X,83.7,94.4\n",
    "leaderboard with licenses": "Rank,Model,License,Average,ARC,MMLU\n"
    "1,A,MIT,65,60,70\n2,B,Apache,62,58,66\n3,C,MIT,60,55,65\n",
    "several rows of each model": "model,acc\nA,0.9\nA,0.91\nA,0.93\nB,0.88\nB,0.9\nB,0.9\n",
    "several rows of each pair": "dataset,model,acc\n"
    "x,A,.9\nx,A,.91\nx,B,.8\nx,B,.82\ny,A,.7\ny,A,.71\ny,B,.6\ny,B,.61\n",
    "several rows of each dataset": "dataset,A,B\niris,0.9,0.8\niris,0.91,0.82\nwine,0.8,0.7\nwine,0.81,0.72\n",
    "runs": "model,trial,acc\n" + SEEDS,
    "seeds": "model,seed,acc\n" + SEEDS,
    "numbered columns": "model,k0,k1,k2,k3\nNB,.8,.81,.82,.8\nSVM,.7,.72,.73,.75\n",
    "predictions without truth": "pred_a,pred_b\n" + "".join(f"{i % 2},{(i // 2) % 2}\n" for i in range(15)),
    "scores of queries": "query,bm25,dpr\n" + "".join(f"q{i},{i * i % 7 / 10},{i * i % 5 / 10}\n" for i in range(9)),
    "two metrics": "dataset,model,acc,f1\nx,A,.9,.8\nx,B,.8,.8\ny,A,.9,.7\ny,B,.8,.7\n",
    "a run that failed": "model,seed,status,acc\n"
    "A,1,ok,.9\nA,2,error,\nA,3,ok,.91\nB,1,ok,.8\nB,2,ok,.81\nB,3,ok,.82\n",
    "a run of one model alone": "model,seed,acc\nA,1,.9\nA,2,.91\nA,3,.92\nB,1,.8\nB,2,.82\n",
    "seeds of its own for each model": "model,seed,acc\nA,1,.9\nA,2,.91\nA,3,.93\nB,11,.8\nB,12,.82\nB,13,.81\n",
    "two names that repeat": "dataset,A,A,B,B\na,.9,.8,.7,.6\nb,.8,.9,.6,.5\nc,.7,.6,.5,.4\n",
    "a dataset that repeats": "dataset,A,B\na,.9,.8\nb,.8,.9\na,.7,.6\nc,.6,.5\n",
    "a classifier in rows that repeats": "model,a,b,c\nA,.9,.8,.7\nB,.8,.9,.6\nA,.7,.6,.5\n",
    "numbers below classifiers": ",A,A,A,B,B,B\n,1,2,3,1,2,3\n"
    "x,.9,.8,.7,.6,.5,.4\ny,.8,.7,.6,.5,.4,.3\nz,.7,.6,.5,.4,.3,.2\n",
    "answers in words": "id,A,B\n"
    + "".join(f"{i},{'yes' if i % 3 else 'no'},{'yes' if i % 2 else 'no'}\n" for i in range(20)),
    "commas that may separate thousands": "dataset;A;B\na;1,234;2,345\nb;3,009;4,567\nc;1,111;1,234\n",
    "spaces that may separate thousands": "dataset;A;B\na;1 234;2 345\nb;3 009;999\nc;1 111;1 100\n",
    "several readers": RATED,
    "several readers as iMRMC writes them": "readerID,caseID,modalityID,score\n"
    + "".join(f"truth,{case},truth,{case % 2}\n" for case in range(9))
    + "".join("{0},{2},{1},{4}\n".format(*row.split(",")) for row in RATED.splitlines()[1:]),
    "a rating that each reader skipped": "\n".join(
        row for row in RATED.splitlines() if not row.startswith(("R1,CT,1,", "R2,MR,4,", "R3,CT,7,"))
    ),
    "predictions of tidymodels": "wflow_id,.config,id,.row,animal,.pred_class\n"
    + "".join(
        f"{model},Pre1_Mod1,Fold{i % 3 + 1},{i},{('cat', 'dog')[i % 2]},{('cat', 'dog')[i // k % 2]}\n"
        for k, model in ((1, "rf"), (2, "glm"))
        for i in range(24)
    ),
    "answers with a fold": "model,item,fold,note,grade\n"
    + "".join(
        f"{model},q{i},{i % 5},easy,{(i * k) % 3 // 2}\n" for k, model in ((1, "A"), (2, "B")) for i in range(20)
    ),
    "labels of three classes and confidences": "id,true,A_pred,A_conf,B_pred,B_conf\n"
    + "".join(f"{i},{'abc'[i % 3]},{'abc'[i % 3]},.{i + 1}5,{'abc'[i % 2]},.{i + 2}5\n" for i in range(24)),
    "a missing score": "dataset,A,B,C\na,.9,.8,.7\nb,.8,,.6\nc,.7,.6,.5\nd,.6,.5,.55\n",
}
# what is no comparison is refused without an option, and says what it is
NO_COMPARISON = {
    "one score of each": ("model,accuracy\nA,0.9\nB,0.8\n", "scores on one dataset"),
    "means and spreads": ("model,acc_mean,acc_std\nA,.9,.01\nB,.8,.02\n", "scores on one dataset"),
    "labels without truth": ("A,B\n" + "cat,dog\ncat,cat\ndog,dog\n" * 6, "no column holds the true labels"),
}


def source_of(data: Any) -> Any:
    """Return a source that can be read again."""
    return io.StringIO(data) if isinstance(data, str) else dict(data) if isinstance(data, Mapping) else data


def with_option(options: dict[str, Any], error: TableError) -> dict[str, Any]:
    """Return the options with the one that an error prints; names that may stand several times are added."""
    value: Any = {"True": True, "False": False}.get(str(error.value), error.value)
    if error.argument in ("drop", "keep"):
        names = [value] if isinstance(value, str) else list(value)
        return options | {error.argument: [*options.get(error.argument, []), *names]}
    return options | {error.argument: int(value) if error.argument == "header_rows" else value}


def compared(source: Any, options: dict[str, Any]) -> Any:
    """Return the comparison of a source; ratings of several readers have a function of their own."""
    if "reader" in options:
        return compare_readers(source, reader=options["reader"], drop=options.get("drop", ()))
    return compare(source, **options)


def followed(data: Any) -> tuple[list[str], EvalstatsError | None]:
    """Follow the advice of each refusal; return all that was said, and the error at the end, None for a verdict."""
    options: dict[str, Any] = {}
    said: list[str] = []
    for _ in range(STEPS + 1):
        try:
            compared(source_of(data), options)
        except EvalstatsError as error:
            said.append(str(error))
            if not (isinstance(error, TableError) and error.argument and error.value):
                return said, error
            options, last = with_option(options, error), error
        else:
            return said, None
    return said, last


@pytest.mark.parametrize("name", FILES)
def test_advice_on_a_file_leads_to_a_verdict(name: str) -> None:
    said, error = followed(FILES[name])

    assert error is None, said


@pytest.mark.parametrize("name", FILES)
def test_the_command_prints_options_that_it_takes(name: str, tmp_path: Path) -> None:
    """What is printed is typed, letter by letter, until there is a verdict."""
    path = tmp_path / "scores.csv"
    path.write_text(FILES[name])
    typed: list[str] = []
    for _ in range(STEPS + 1):
        done = CliRunner().invoke(cli, ["compare", str(path), *typed])
        if done.exit_code == 0:
            return
        with pytest.raises(TableError) as refused:
            compared(str(path), _arguments(typed))
        option = str(OptionNames(None).typed(refused.value.argument, refused.value.value))
        assert option in done.output
        typed += shlex.split(option)
    pytest.fail(done.output)


@pytest.mark.parametrize(
    "sheets", [("NB", "SVM"), ("accuracy", "F1"), ("Monday", "Tuesday")], ids=["classifiers", "metrics", "unknown"]
)
def test_advice_on_a_workbook_is_typed_as_it_is_printed(sheets: tuple[str, ...], tmp_path: Path) -> None:
    path = str(tmp_path / "scores.xlsx")
    columns = ("accuracy",) if "NB" in sheets else ("NB", "SVM")
    with pd.ExcelWriter(path) as book:
        for n, sheet in enumerate(sheets):
            own = {name: [0.9 - n / 10, 0.7 + j / 10, 0.6] for j, name in enumerate(columns)}
            pd.DataFrame({"dataset": ["iris", "wine", "glass"], **own}).to_excel(book, sheet_name=sheet, index=False)
    typed: list[str] = []
    for _ in range(STEPS):
        done = CliRunner().invoke(cli, ["compare", path, *typed])
        if done.exit_code == 0:
            break
        options = re.findall(r"--sheet (?:'[^']+'|\w+)", done.output)
        typed = shlex.split(options[0])

    assert done.exit_code == 0, done.output
    assert typed == ["--sheet", "*" if "NB" in sheets else sheets[0]]


def _arguments(typed: list[str]) -> dict[str, Any]:
    from evalstats.cli.compare_command import compare as command
    from evalstats.cli.options import reading_arguments

    with command.make_context("compare", ["x", *typed]) as context:
        options = {name: value for name, value in context.params.items() if name != "files"}
    arguments = reading_arguments(options) | {"reader": options["reader"]}
    return {name: value for name, value in arguments.items() if value is not None}


@pytest.mark.parametrize("name", NO_COMPARISON)
def test_what_is_no_comparison_says_what_it_is(name: str) -> None:
    data, message = NO_COMPARISON[name]

    said, error = followed(data)
    assert error is not None
    assert message in said[-1]


@pytest.mark.filterwarnings("ignore::evalstats._errors.EvalstatsWarning")
@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.option], ids=lambda rule: rule.code)
def test_advice_of_a_rule_leads_on(rule: Any) -> None:
    for example in rule.examples:
        if example.applies:
            said, _ = followed(example.data)
            assert len(said) == len(set(said)), said


@pytest.mark.parametrize(
    "sources",
    [
        ["lm-eval/acme__alpha", "lm-eval/acme__beta"],
        *(
            [f"{name}/{one.name}"]
            for name in ("plain-tables", "skore")
            for one in sorted((SAMPLES / name).glob("*.csv"))
        ),
    ],
)
def test_advice_on_files_of_programs_is_typed_as_it_is_printed(sources: list[str]) -> None:
    paths = [str(SAMPLES / source) for source in sources]

    said, error = followed(paths if len(paths) > 1 else paths[0])
    assert len(said) == len(set(said)), said
    assert error is None or not getattr(error, "value", ""), said


def test_a_metric_with_a_comma_can_be_typed() -> None:
    paths = [str(SAMPLES / "lm-eval" / name) for name in ("acme__alpha", "acme__beta")]

    asked = CliRunner().invoke(cli, ["compare", *paths])
    assert "--metric 'acc, none'" in asked.output
    assert CliRunner().invoke(cli, ["compare", *paths, "--metric", "acc, none"]).exit_code == 0
