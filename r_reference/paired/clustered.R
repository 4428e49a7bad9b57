# t: sandwich::vcovCL of the differences in each stratum, as in metrics/clustered. Permutation: coin, on the totals of the clusters.

clustered_ttest <- function(x, y, clusters = NULL, strata = NULL, average = "micro", alternative = "two-sided",
                            confidence_level = 0.95) {
  if (is.null(clusters)) clusters <- seq_along(x)
  if (is.null(strata)) strata <- rep(1, length(x))
  parts <- clustered_strata(x - y, clusters, strata, average, max(abs(x), abs(y)))
  mean <- parts$answer$estimate
  error <- parts$answer$standard_error
  answer <- list(mean_difference = mean, standard_error = error, df = parts$answer$df, stratum_differences = parts$means,
                 n_clusters = length(unique(clusters)))
  if (error == 0) return(answer)
  c(answer, list(statistic = mean / error, pvalue = t_pvalue(mean / error, parts$answer$df, alternative),
                 confidence_interval = t_limits(mean, error, parts$answer$df, alternative, confidence_level)))
}

clustered_permutation_test <- function(x, y, clusters = NULL, alternative = "two-sided") {
  if (is.null(clusters)) clusters <- seq_along(x)
  d <- as.vector(tapply(x - y, clusters, sum))
  answer <- list(statistic = mean(x - y), n_clusters = length(d), n_zero = sum(d == 0))
  # where nothing differs coin has no p-value
  if (all(d == 0)) return(answer)
  pvalue <- function(d) as.numeric(coin::pvalue(exchange_test(d, alternative)))
  answer$pvalue <- pvalue(d)
  answer$min_attainable_pvalue <- pvalue(if (alternative == "less") -abs(d) else abs(d))
  answer$method <- "exact"
  answer
}
