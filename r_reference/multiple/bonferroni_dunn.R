# Ranks by rank(), the null distribution by pnorm() and qnorm(), the adjustment by p.adjust(); Demsar (2006), 3.2.2

bonferroni_dunn_test <- function(scores, control, greater_is_better = TRUE, tie_tolerance = 1e-12, alpha = 0.05) {
  ranks <- ranks_of(scores, greater_is_better, tie_tolerance)
  n <- nrow(ranks)
  k <- ncol(ranks)
  column <- control + 1  # Python counts from 0
  standard_error <- sqrt(k * (k + 1) / (6 * n))
  statistic <- (colMeans(ranks) - colMeans(ranks)[column]) / standard_error
  statistic[column] <- NaN
  pvalue <- statistic
  pvalue[-column] <- p.adjust(2 * pnorm(-abs(statistic[-column])), "bonferroni")
  list(
    statistic = statistic,
    pvalue = pvalue,
    control = control,
    mean_ranks = colMeans(ranks),
    n_datasets = n,
    n_classifiers = k,
    min_attainable_pvalue = p.adjust(2 * pnorm(-(k - 1) / standard_error), "bonferroni", n = k - 1),
    critical_difference = qnorm(alpha / (2 * (k - 1)), lower.tail = FALSE) * standard_error
  )
}
