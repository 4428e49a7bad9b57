# quade.test() ranks the ranges bit by bit; it is given the scores as multiples of their last significant digit, which
# are whole numbers. The post-hoc tests by rank(), pnorm(), p.adjust() and, for t, the residual of aov(): Conover (1999), 5.8

quade_test <- function(scores, method = "auto", n_resamples = 9999, rng = NULL, greater_is_better = TRUE,
                       tie_tolerance = 1e-12) {
  scores <- whole_numbers(scores, tie_tolerance)
  ranks <- ranks_of(scores, greater_is_better)
  weight <- rank(apply(scores, 1, max) - apply(scores, 1, min))
  n <- nrow(scores)
  k <- ncol(scores)
  answer <- list(
    alternative = "two-sided",
    df = c(k - 1, (k - 1) * (n - 1)),
    mean_ranks = colMeans(ranks),
    weighted_mean_ranks = colSums(weight * ranks) / sum(weight),
    range_ranks = weight,
    n_datasets = n,
    n_classifiers = k
  )
  # quade.test() has no answer for one dataset, nor where all is tied
  if (n == 1 || all(ranks == (k + 1) / 2)) return(answer)
  test <- quade.test(scores)
  # and NaN where all datasets agree, with a probability that knows no ties
  if (is.nan(test$statistic)) {
    if (all(apply(ranks, 1, function(row) length(unique(row)) == k))) answer$f_pvalue <- test$p.value
    return(answer)
  }
  answer$statistic <- unname(test$statistic)
  answer$f_pvalue <- test$p.value
  answer$method <- if (method == "f") "f" else "exact"
  answer$pvalue <- if (method == "f") test$p.value else exact_pvalue(scores, answer$statistic)
  answer
}

quade_posthoc_test <- function(scores, control = NULL, adjust = "holm", method = "normal", greater_is_better = TRUE,
                               tie_tolerance = 1e-12) {
  scores <- whole_numbers(scores, tie_tolerance)
  ranks <- ranks_of(scores, greater_is_better)
  weight <- rank(apply(scores, 1, max) - apply(scores, 1, min))
  n <- nrow(scores)
  k <- ncol(scores)
  weighted <- weight * (ranks - (k + 1) / 2)
  if (method == "normal") {
    # the variance of a difference is twice the sum of the variances of the permuted rows
    standard_error <- sqrt(2 * sum(apply(weighted, 1, var)))
    pvalue <- function(z) 2 * pnorm(-abs(z))
  } else {
    residual <- aov(c(weighted) ~ factor(col(weighted)) + factor(row(weighted)))
    standard_error <- sqrt(2 * n * deviance(residual) / df.residual(residual))
    pvalue <- function(t) 2 * pt(-abs(t), df.residual(residual))
  }
  sums <- colSums(weighted)
  statistic <- outer(sums, sums, "-") / if (standard_error > 0) standard_error else 1
  answer <- family_of_ranks(statistic, pvalue(statistic), adjust, control)
  answer$mean_ranks <- colMeans(ranks)
  answer$weighted_mean_ranks <- colSums(weight * ranks) / sum(weight)
  if (method == "normal" && standard_error > 0) {
    answer$min_attainable_pvalue <- pvalue(sum(apply(weighted, 1, max) - apply(weighted, 1, min)) / standard_error)
  }
  answer
}

exact_pvalue <- function(scores, observed) {
  statistics <- over_all_orders(scores, function(scores) quade.test(scores)$statistic)
  mean(is.nan(statistics) | statistics >= observed * (1 - 1e-9))
}
