# The quadratic form of the weighted ranks by coin, with the covariance of their permutations within datasets; one of
# Skillings and Mack's own where nothing is tied

skillings_mack_test <- function(scores, method = "auto", n_resamples = 9999, rng = NULL, greater_is_better = TRUE,
                                tie_tolerance = 1e-12) {
  scores <- without_noise(scores, tie_tolerance)
  n <- nrow(scores)
  k <- ncol(scores)
  answer <- list(
    alternative = "two-sided",
    n_datasets = n,
    n_classifiers = k,
    n_missing = sum(is.na(scores))
  )
  scores <- scores[rowSums(!is.na(scores)) > 1, , drop = FALSE]
  if (nrow(scores) == 0) return(answer)
  ranks <- ranks_of(scores, greater_is_better)
  answer$mean_ranks <- colMeans(ranks, na.rm = TRUE)
  m <- rowSums(!is.na(ranks))
  weighted <- (ranks - (m + 1) / 2) * sqrt(12 / (m + 1))
  answer$adjusted_rank_sums <- colSums(weighted, na.rm = TRUE)
  if (all(is.na(weighted) | weighted == 0)) return(answer)
  test <- stratified(weighted)
  # coin takes the rank from singular values; where single classifiers drop out it must not guess
  answer$df <- test@statistic@df
  answer$statistic <- answer$chi2 <- c(coin::statistic(test))
  answer$chi2_pvalue <- c(coin::pvalue(test))
  if (method == "chi2") answer$pvalue <- answer$chi2_pvalue
  answer$method <- if (method == "chi2") "chi2" else NULL
  untied <- apply(ranks, 1, function(row) !anyDuplicated(row[!is.na(row)]))
  if (all(untied)) answer$chi2_uncorrected <- answer$chi2
  answer
}

stratified <- function(weighted) {
  long <- long_table(weighted)
  long <- droplevels(long[!is.na(long$value), ])
  coin::independence_test(value ~ classifier | dataset, data = long, teststat = "quadratic")
}
