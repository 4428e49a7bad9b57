# As dm.test() of the package forecast computes it, from stats::acf: the losses are its |e|^power

diebold_mariano_test <- function(x, y, horizon = 1, alternative = "two-sided", method = "t", variance = "acf") {
  d <- x - y
  n <- length(d)
  answer <- list(mean_difference = mean(d), n_times = n, horizon = horizon, alternative = alternative)
  if (max(d) - min(d) < 1e-12 * max(abs(c(x, y)))) return(answer)
  covariances <- stats::acf(d, type = "covariance", lag.max = horizon - 1, plot = FALSE)$acf[, , 1]
  weights <- if (variance == "bartlett") 1 - seq_len(horizon - 1) / horizon else rep(1, horizon - 1)
  squared <- sum(c(covariances[1], 2 * weights * covariances[-1])) / n
  # acf() sums in double precision, so the digits that cancel are lost
  if (abs(squared) * n < 1e-3 * covariances[1]) stop("the autocovariances cancel")
  if (squared <= 0) return(answer)
  answer$standard_error <- sqrt(squared)
  answer$statistic <- mean(d) / sqrt(squared)
  if (method == "t") {
    answer$df <- n - 1
    answer$statistic <- answer$statistic * sqrt((n + 1 - 2 * horizon + (horizon / n) * (horizon - 1)) / n)
    answer$pvalue <- t_pvalue(answer$statistic, n - 1, alternative)
  } else {
    answer$pvalue <- t_pvalue(answer$statistic, Inf, alternative)
  }
  answer
}
