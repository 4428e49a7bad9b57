"""Is more of it better? The direction of a metric, by its name."""

from __future__ import annotations

__all__ = ["direction_of", "direction_of_metric", "names_no_metric", "words_of"]

import re


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# words that make a name that of a loss, whatever stands beside them
LOSSES = _set(
    """
    error errors err errs loss losses logloss nll ce mmce bbrier mbrier brier mse rmse mae medae mape smape rmsle
    fid kid bpb bpc bpd bpp co2 carbon emissions
    msle rae rrse rse ece mce crossentropy deviance misclassification misclassifications misclassified incorrect
    misclass mlogloss nloglik merror epe lpips mpjpe hausdorff crps mase rmsse wape wmape toxicity
    wrong mistake mistakes unclassified perplexity ppl wer cer ter eer fpr fnr fdr fallout hinge regret
    """
)
# words of a loss, unless the name has a word of the other kind: "cost-sensitive accuracy", "time series accuracy"
WEAK_LOSSES = _set(
    """
    cost costs risk time times runtime duration seconds secs sec ms latency memory rank ranks ranking entropy
    divergence distance miss missed false fails failures
    """
)
GAINS = _set(
    """
    accuracy acc accuracies auc auroc auprc aucpr roc prauc f1 f2 fbeta fmeasure fscore precision recall
    sensitivity specificity selectivity kappa mcc tpr tnr ppv npv correct ap map ndcg mrr gmean bac bacc balacc r2
    rsq youden jaccard iou dice bleu rouge meteor pass passed exact match em hit hits reward win wins elo
    likelihood informedness markedness correlation ari ami nmi success throughput fps qps
    loglik elpd psnr ssim chrf cider spearman pearson pearsonr spearmanr silhouette qwk bertscore bleurt
    """
)
# words of names that are known to be of metrics; elsewhere they may be those of datasets, classifiers or anything
_LOSSES_OF_METRICS = _set(
    """
    energy kwh flops macs params parameters frr dcf mindcf hd assd chamfer wasserstein emd mmd kld jsd kullback pinball
    quantile huber l1 l2 aic aicc bic waic looic dic ibs hallucination hallucinations violations distortion
    """
)
_GAINS_OF_METRICS = _set(
    """
    corr corrcoef matthews kendall gini lift cindex concordance hmeasure pesq stoi snr sdr skill q2 similarity agreement
    quality utility
    profit gain purity homogeneity completeness dprime comet faithfulness relevance helpfulness correctness
    groundedness coherence fluency rating ratings grade grades points marks detected solved resolved speedup
    """
)
# what is measured is not named, and everybody means more of it
_UNNAMED = _set("score scores value values result results performance metric measure")
# beside these, such words still name no metric
_BESIDE = _set(
    "mean average avg median test val valid validation eval dev final best overall total percent pct out oof cv"
)
# units of information that a model needs for one of these: bits per byte, nats/token
_INFORMATION, _CODED = (
    _set("bit bits nat nats"),
    _set(
        """
    byte bytes char character chars dim dimension subpixel pixel token tokens word symbol letter base sample spike
    """
    ),
)
# so much in a second: tokens/s, samples per second
_RATE = re.compile(r"(?:\bper[\W_]+|/\s*|_per_)(?:second|sec|s|minute|min|hour|h)(?![^\W_])", re.IGNORECASE)
# a camel's humps, digits kept with their word
_WORD = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+", re.ASCII)
# names of gains whose words alone say nothing
_WRITTEN_APART = [name.split() for name in ["f", "f measure", "f score", "h measure", "c index", "c statistic", "r 2"]]
_ONE_MINUS = re.compile(r"^\s*(?:1|100\s*%?)\s*[-\N{MINUS SIGN}\N{EN DASH}]\s*(?=\D)")


def direction_of(name: str) -> bool | None:
    """Return whether more of a metric is better, less, or None where its name does not tell.

    Parameters
    ----------
    name : str
        Such as ``'Error rate (%)'``, ``'test_error'``, ``'neg_log_loss'`` or ``'Percent_correct'``.

    Returns
    -------
    bool or None

    Examples
    --------
    >>> from evalstats.metrics.directions import direction_of
    >>> [direction_of(name) for name in ("Error rate (%)", "classif.ce", "neg_log_loss", "F1", "score")]
    [False, False, True, True, None]
    """
    if complement := _ONE_MINUS.match(name):
        of_rest = direction_of(name[complement.end() :])
        return None if of_rest is None else not of_rest
    words = [word.casefold() for word in words_of(name)]
    if words[:1] in (["neg"], ["negative"], ["negated"]):
        if "likelihood" in words:
            return False  # the negative log-likelihood is a loss by this name
        of_rest = _of_words(words[1:])
        return True if of_rest is False else of_rest
    if (rate := _RATE.search(name)) and rate.start():
        # what is done in a second; time/s is a time in seconds, and 12 h a length
        return _of_words([word.casefold() for word in _WORD.findall(name[: rate.start()])]) is not False
    return _of_words(words)


def direction_of_metric(name: str) -> bool | None:
    """Return the direction of what is known to be a metric, also by words that elsewhere may say something else.

    Examples
    --------
    >>> from evalstats.metrics.directions import direction_of, direction_of_metric
    >>> direction_of("energy"), direction_of_metric("energy"), direction_of_metric("Gini")
    (None, False, True)
    """
    told = direction_of(name)
    if told is not None:
        return told
    words = {word.casefold() for word in words_of(name)}
    words |= {word.rstrip("0123456789") for word in words} | {name.strip().casefold()}  # ndcg10, map50, hd95; FLOPs
    if words & (LOSSES | _LOSSES_OF_METRICS):
        return False
    return True if words & (GAINS | _GAINS_OF_METRICS) else None


def names_no_metric(name: str) -> bool:
    """Tell whether a name only says that something was measured, as ``'score'`` and ``'test score (%)'`` do.

    More of it is taken for better, as everybody means it, and every report says so.
    """
    words = {word.casefold() for word in words_of(name)}
    return not words.isdisjoint(_UNNAMED) and words <= _UNNAMED | _BESIDE and name.isascii()


def words_of(name: str) -> list[str]:
    """Return the words of a name, also those that only a capital letter divides."""
    return _WORD.findall(name.replace("\N{SUPERSCRIPT TWO}", "2"))


def _of_words(words: list[str]) -> bool | None:
    found = set(words)
    if found & LOSSES:
        return False
    if found & _INFORMATION and found & _CODED:
        return False
    if {"false", "positive"} <= found or {"false", "negative"} <= found or {"zero", "one"} <= found:
        return False
    if found & GAINS or words in _WRITTEN_APART:
        return True
    return False if found & WEAK_LOSSES else None
