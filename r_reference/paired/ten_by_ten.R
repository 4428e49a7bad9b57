# no package of Debian has these tests; R computes the averages, their variance and the t distribution

ttest_10x10 <- function(x, y, averaging = "all", df = 10, alternative = "two-sided", confidence_level = 0.95) {
  d <- x - y
  used <- switch(averaging,
    "all" = as.vector(d),
    "folds" = rowMeans(d),
    "runs" = colMeans(d),
    "sorted-runs" = rowMeans(apply(d, 1, sort)))
  if (any(x != y) && is_noise(stats::sd(used), x, y)) stop("the differences have no variance")
  standard_error <- stats::sd(used) / sqrt(df + 1)
  answer <- list(
    df = df,
    nominal_df = length(used) - 1,
    calibrated = averaging == "all" && all(dim(x) == 10) && df == 10,
    n_repeats = nrow(x),
    n_folds = ncol(x),
    mean_difference = mean(used),
    standard_error = standard_error
  )
  if (all(d == 0)) return(c(answer, list(statistic = 0, pvalue = 1)))
  t <- mean(used) / standard_error
  c(answer, list(
    statistic = t,
    pvalue = t_pvalue(t, df, alternative),
    confidence_interval = t_limits(mean(used), standard_error, df, alternative, confidence_level)
  ))
}
