"""direction_of(): a loss is known by its name, however it is written."""

from __future__ import annotations

import pytest

from evalstats.metrics import METRICS
from evalstats.metrics.directions import direction_of, direction_of_metric, is_negated_loss, names_no_metric

LOSSES = "".join(
    [
        "error|Error|error rate|Error rate (%)|error_rate|test_error|val_loss|loss|log loss|LogLoss|logloss|",
        "Log Loss__test|NLL|negative log-likelihood|classif.ce|classif.logloss|classif.bbrier|regr.rmse|",
        "metric_error|Percent_incorrect|Number_incorrect|Root_mean_squared_error|brier|brier_score_loss|",
        "mean_squared_error|mean_absolute_error|zero_one_loss|zero-one|classification error|misclassification|",
        "misclassification rate|error (%)|fit_time|time (s)|perplexity|FID|BPB|CO2 (kg)|",
        "WER|cer|FPR|false positive rate|",
        "False_negative_rate|mmce|rmsle|MAPE|crossEntropy|rank|mean rank|1 - accuracy|1-AUC|100% - accuracy|",
        "bits per byte|bits-per-byte|bits_per_byte|Bits per character|bits/dim|nats per token|nats/token (test)|BPD|",
        "seconds per sample|ms/token|time/s|runtime / h|errors per second|",
        "latency_ms|expected calibration error|accuracy loss|regret|ECE",
    ]
).split("|")
GAINS = "".join(
    [
        "accuracy|Accuracy (%)|acc|test_accuracy|classif.acc|classif.auc|balanced accuracy|AUC|AUROC|roc_auc|f1|",
        "F1-score|f|F-measure|F1__test|precision|recall|kappa|Kappa_statistic|mcc|neg_log_loss|",
        "neg_root_mean_squared_error|neg_brier_score|negative mean squared error|Percent_correct|specificity|",
        "exact_match|acc,none|pass@1|1 - error|time series accuracy|cost-sensitive accuracy|log likelihood|R2|",
        "tokens per second|samples/sec|tokens/s|images_per_second|throughput (samples / s)|FPS",
    ]
).split("|")


def test_losses_are_known_by_their_names() -> None:
    assert [name for name in LOSSES if direction_of(name) is not False] == []


def test_gains_are_known_by_their_names() -> None:
    assert [name for name in GAINS if direction_of(name) is not True] == []


@pytest.mark.parametrize("name", ["score", "value", "result", "x", "", "metric", "Ergebnis", "%", "bits", "per s"])
def test_other_names_do_not_tell(name: str) -> None:
    assert direction_of(name) is None


def test_names_of_metrics_tell_what_the_metrics_declare() -> None:
    wrong = [
        name
        for metric, record in METRICS.items()
        for name in (metric, record.function, f"{metric}_macro")
        if direction_of(name) not in (record.greater_is_better, None)
    ]
    unknown = [
        metric for metric, record in METRICS.items() if not record.greater_is_better and direction_of(metric) is None
    ]

    assert wrong == []
    assert unknown == []


@pytest.mark.parametrize(
    ("name", "is_better"),
    [
        *(
            (name, False)
            for name in (
                "mlogloss",
                "test-mlogloss-mean",
                "LPIPS",
                "CRPS",
                "MASE",
                "AIC",
                "toxicity",
                "FLOPs",
                "hd95",
                "l2",
            )
        ),
        *(
            (name, False)
            for name in (
                "energy (kWh)",
                "Hausdorff95",
                "KL divergence",
                "JS divergence",
                "quantile loss",
                "hallucination rate",
            )
        ),
        *(
            (name, True)
            for name in (
                "R²",
                "R^2",
                "C-index",
                "H-measure",
                "PSNR",
                "Gini",
                "ndcg10",
                "mAP50",
                "log-likelihood",
                "lift",
                "rouge1",
            )
        ),
        *((name, None) for name in ("speed", "goodness", "terror", "x", "ASR")),
    ],
)
def test_names_that_are_known_to_be_of_metrics_tell_more(name: str, is_better: bool | None) -> None:
    assert direction_of_metric(name) is is_better


USED = (
    *("used (MB)", "used [GB]", "peak (GiB)", "total ($)", "bill (€)", "NB (kWh)", "used [min]", "used (h)", "[J]"),
    *("ms/image", "s/epoch", "min/epoch", "J/inference", "$/1M tokens", "$ per 1k tokens", "USD/hour", "kWh per day"),
    *("speed (s/image)", "training (μs)", "used (µs)"),
)
PER_USED = (
    "tokens/s",
    "MB/s",
    "samples/J",
    "tokens/$",
    "images per kWh",
    "accuracy per watt",
    "accuracy (MB)",
    "F1 [min]",
)


@pytest.mark.parametrize(("names", "is_better"), [(USED, False), (PER_USED, True)])
def test_units_of_what_a_system_uses_are_losses(names: tuple[str, ...], is_better: bool) -> None:
    assert [name for name in names if direction_of(name) is not is_better] == []


def test_units_without_brackets_are_losses_of_metrics_only() -> None:
    """GB may be gradient boosting."""
    names = (
        "$",
        "USD",
        "kWh",
        "MB",
        "GB",
        "tokens",
        "used tokens",
        "price",
        "peak_gb",
        "total $",
        "hours",
        "usd_per_run",
    )

    assert [name for name in names if direction_of_metric(name) is not False] == []
    assert [direction_of(name) for name in ("GB", "MB", "tokens", "price", "$")] == [None] * 5


@pytest.mark.parametrize(
    "name", ["used (min)", "score (J)", "used (M)", "min", "h", "s/n", "min/max", "power (G)", "NB (H)"]
)
def test_what_may_be_no_unit_is_unknown(name: str) -> None:
    assert direction_of(name) is direction_of_metric(name) is None


def test_more_correct_tokens_are_better() -> None:
    assert direction_of_metric("correct tokens") is direction_of_metric("token accuracy") is True


@pytest.mark.parametrize("name", ["energy", "quality", "l1", "Gini", "points", "params"])
def test_words_of_other_names_are_no_evidence_outside_metrics(name: str) -> None:
    assert direction_of(name) is None
    assert direction_of_metric(name) is not None


@pytest.mark.parametrize(
    ("name", "names_none"),
    [
        *(
            (name, True)
            for name in (
                "score",
                "Score (%)",
                "test_score",
                "mean_test_score",
                "value",
                "Result",
                "performance",
                "best score",
            )
        ),
        *(
            (name, False)
            for name in ("brier score", "silhouette score", "wer", "test", "", "score für Fehler", "goodness")
        ),
    ],
)
def test_scores_without_a_metric_are_told_apart(name: str, names_none: bool) -> None:
    assert names_no_metric(name) is names_none


@pytest.mark.parametrize(
    ("name", "is_better"),
    [
        ("-RMSE", True),
        ("1/RMSE", True),
        ("inverse RMSE", True),
        ("minus MAE", True),
        ("recall at 1% FPR", True),
        ("TPR@FPR=0.01", True),
        ("FPR@95TPR", False),
        ("error reduction", True),
        ("accuracy drop", False),
        ("reduction", None),
        ("Fehlerrate", False),
        ("taux d'erreur", False),
        ("错误率", False),
        ("précision", True),
        ("RMSE ↓", False),
        *((name, True) for name in ("- RMSE", "− RMSE", "-1 * RMSE", "- log loss", "rank correlation", "success rate")),
        *((name, False) for name in ("- accuracy", "F1 rank", "F1 ranking", "rank of accuracy", "steps to success")),
        *(
            (name, False)
            for name in ("episodes until solved", "number of queries to success", "epochs to 90% accuracy")
        ),
        *(
            (name, None)
            for name in ("accuracy gap", "gap in accuracy", "F1 difference", "delta AUC", "disparity of F1")
        ),
        ("image to text recall", True),
        ("speech to text error", False),
    ],
)
def test_words_that_reverse_or_restrict_a_metric(name: str, is_better: bool | None) -> None:
    assert direction_of(name) is is_better


# names of papers, leaderboards and programs, with the word that decides in different places
DECIDED_LOSSES = "".join(
    [
        "accuracy loss|error (1 - accuracy)|loss (F1)|accuracy rank|time-to-accuracy|loss in accuracy|",
        "drop in accuracy|top@1 error|error@5|1-NN error|5-fold CV error|zero-shot error|one minus accuracy|",
        "1-balanced accuracy|minus F1|neg_log_likelihood|mean_negative_log_likelihood|neg. loglik|",
        "negative class error|log_loss_weighted|false_positive_rate|classif.fp|KL divergence|PER|PER ↓|FPR95|AURC|",
        "NRMSE|minDCF|TER|mean_pinball_loss|hamming_loss|jaccard_loss|optimality gap|Davies-Bouldin index|",
        "variation of information|demographic parity difference|MedAE|KLD|abs_rel|minADE|val/loss|",
        "eval_loss|NIQE|sum of squared errors",
    ]
).split("|")
DECIDED_GAINS = "".join(
    [
        "error-free rate|error free|no errors (%)|zero-error rate|accuracy without errors|error AUROC|AUROC of errors|",
        "misclassification detection AUROC|error detection F1|toxicity F1|risk-adjusted return|loss-aware accuracy|",
        "reduction in error|RMSE improvement (%)|mean reciprocal rank|expected reciprocal rank|Brier skill score|",
        "d2_absolute_error_score|d2_pinball_score|d2_log_loss_score|explained variance|test_neg_log_loss|",
        "mean_test_neg_log_loss|split0_test_neg_mean_squared_error|neg_max_error|neg_negative_likelihood_ratio|",
        "1-shot accuracy|1-NN accuracy|1-vs-rest AUC|zero-shot CoT one-stage accuracy|rank-1 accuracy|f1_false|",
        "precision incorrect|AUC_toxicity|signal-to-distortion ratio|mIoU|P@10|R@1|HR@10|PESQ|IS|win-loss ratio|",
        "accuracy at test time|accuracy over time|XYZ ↑|ours (higher is better)|v_measure_score|1 minus error",
    ]
).split("|")
UNKNOWN = (
    "neg_accuracy",
    "negative F1",
    "neg_roc_auc",
    "accuracy gap",
    "ERR@20",
    "coverage at 5% risk",
    "Rank-1",
    "accuracy ↓",
)


@pytest.mark.parametrize(
    ("name", "is_better"), [("$f_1$", True), ("$R^2$", True), ("$", False), ("cost ($)", False), ("tokens/$", True)]
)
def test_formula_is_no_amount_of_dollars(name: str, is_better: bool | None) -> None:
    """Papers write metrics as formulas of LaTeX."""
    assert direction_of_metric(name) is is_better


def test_word_that_decides_shows_a_loss() -> None:
    assert [name for name in DECIDED_LOSSES if direction_of_metric(name) is not False] == []


def test_word_that_decides_shows_a_gain() -> None:
    assert [name for name in DECIDED_GAINS if direction_of_metric(name) is not True] == []


def test_names_with_two_meanings_show_no_direction() -> None:
    assert [name for name in UNKNOWN if direction_of_metric(name) is not None] == []


def test_negated_losses_are_known_behind_the_words_of_a_set() -> None:
    names = ("test_neg_log_loss", "mean_test_neg_mean_squared_error", "neg_accuracy", "neg_log_likelihood")

    assert [is_negated_loss(name) for name in names] == [True, True, False, False]
