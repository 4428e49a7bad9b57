# t: sandwich::vcovCL of the differences in each stratum, as in metrics/clustered. Permutation: coin, on the totals of the groups.

clustered_ttest <- function(x, y, groups = NULL, strata = NULL, average = "micro", alternative = "two-sided",
                            confidence_level = 0.95) {
  if (is.null(groups)) groups <- seq_along(x)
  if (is.null(strata)) strata <- rep(1, length(x))
  parts <- clustered_strata(x - y, groups, strata, average, max(abs(x), abs(y)))
  mean <- parts$answer$estimate
  error <- parts$answer$standard_error
  answer <- list(mean_difference = mean, standard_error = error, df = parts$answer$df, stratum_differences = parts$means,
                 n_groups = length(unique(groups)))
  if (error == 0) return(answer)
  c(answer, list(statistic = mean / error, pvalue = t_pvalue(mean / error, parts$answer$df, alternative),
                 confidence_interval = t_limits(mean, error, parts$answer$df, alternative, confidence_level)))
}

clustered_permutation_test <- function(x, y, groups = NULL, alternative = "two-sided") {
  if (is.null(groups)) groups <- seq_along(x)
  d <- as.vector(tapply(x - y, groups, sum))
  answer <- list(statistic = mean(x - y), n_groups = length(d), n_zero = sum(d == 0))
  # where nothing differs coin has no p-value
  if (all(d == 0)) return(answer)
  pvalue <- function(d) as.numeric(coin::pvalue(exchange_test(d, alternative)))
  answer$pvalue <- pvalue(d)
  answer$smallest_pvalue <- pvalue(if (alternative == "less") -abs(d) else abs(d))
  answer$method <- "exact"
  answer
}
