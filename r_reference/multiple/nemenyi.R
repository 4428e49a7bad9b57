# Ranks by rank(), the null distribution by ptukey() and qtukey(); Demsar (2006), section 3.2.2

nemenyi_test <- function(scores, greater_is_better = TRUE, tie_tolerance = 1e-12, alpha = 0.05) {
  ranks <- ranks_of(scores, greater_is_better, tie_tolerance)
  n <- nrow(ranks)
  k <- ncol(ranks)
  standard_error <- sqrt(k * (k + 1) / (6 * n))
  statistic <- outer(colMeans(ranks), colMeans(ranks), "-") / standard_error
  list(
    statistic = statistic,
    pvalue = ptukey(abs(statistic) * sqrt(2), k, Inf, lower.tail = FALSE),
    mean_ranks = colMeans(ranks),
    n_datasets = n,
    n_classifiers = k,
    min_attainable_pvalue = ptukey((k - 1) / standard_error * sqrt(2), k, Inf, lower.tail = FALSE),
    critical_difference = qtukey(alpha, k, Inf, lower.tail = FALSE) / sqrt(2) * standard_error
  )
}
