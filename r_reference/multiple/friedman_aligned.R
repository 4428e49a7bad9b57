# Scores as multiples of their last significant digit, times k: aligned scores are whole numbers, and rank() finds their
# ties. Variances by var(), the null distributions by pchisq() and pnorm()

friedman_aligned_test <- function(scores, method = "auto", n_resamples = 9999, rng = NULL, greater_is_better = TRUE,
                                  tie_tolerance = 1e-12) {
  ranks <- aligned_ranks(scores, greater_is_better, tie_tolerance)
  n <- nrow(ranks)
  k <- ncol(ranks)
  answer <- list(alternative = "two-sided", df = k - 1, mean_aligned_ranks = colMeans(ranks), n_datasets = n,
                 n_classifiers = k)
  if (all(ranks == ranks[, 1])) return(answer)
  answer$statistic <- aligned_statistic(ranks)
  answer$chi2_pvalue <- pchisq(answer$statistic, k - 1, lower.tail = FALSE)
  answer$method <- if (method == "chi2") "chi2" else "exact"
  answer$pvalue <- if (method == "chi2") {
    answer$chi2_pvalue
  } else if (n == 1) {
    1  # every order of one dataset is as extreme
  } else {
    mean(over_all_orders(ranks, aligned_statistic) >= answer$statistic * (1 - 1e-9))
  }
  answer
}

friedman_aligned_posthoc_test <- function(scores, control = NULL, adjust = "holm", greater_is_better = TRUE,
                                          tie_tolerance = 1e-12) {
  ranks <- aligned_ranks(scores, greater_is_better, tie_tolerance)
  # the variance of a difference is twice the sum of the variances of the permuted rows
  standard_error <- sqrt(2 * sum(apply(ranks, 1, var)))
  sums <- colSums(ranks)
  statistic <- outer(sums, sums, "-") / if (standard_error > 0) standard_error else 1
  answer <- family_of_ranks(statistic, 2 * pnorm(-abs(statistic)), adjust, control)
  answer$mean_aligned_ranks <- colMeans(ranks)
  answer
}

# the spread of the column sums over the variances of the permuted rows
aligned_statistic <- function(ranks) {
  n <- nrow(ranks)
  between <- n^2 * (ncol(ranks) - 1) * var(colMeans(ranks))
  between / sum(apply(ranks, 1, var))
}

aligned_ranks <- function(scores, greater_is_better, tie_tolerance) {
  whole <- whole_numbers(if (greater_is_better) -scores else scores, tie_tolerance)
  aligned <- ncol(whole) * whole - rowSums(whole)
  matrix(rank(aligned), nrow(whole))
}
