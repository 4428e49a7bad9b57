paired_ttest <- function(x, y, alternative = "two-sided", confidence_level = 0.95) {
  test <- stats::t.test(x, y, paired = TRUE, alternative = dotted(alternative),
                        conf.level = confidence_level)
  answer <- list(
    df = unname(test$parameter),
    n_pairs = length(x),
    mean_difference = unname(test$estimate),
    standard_error = test$stderr,
    confidence_interval = as.numeric(test$conf.int)
  )
  # where there is no difference, t.test says NaN
  if (test$stderr == 0) return(answer)
  c(answer, list(
    statistic = unname(test$statistic),
    pvalue = test$p.value,
    cohen_dz = suppressWarnings(effectsize::cohens_d(x, y, paired = TRUE, ci = NULL))$Cohens_d
  ))
}

# no package of Debian has this test; R computes the variance of the differences and the t distribution
corrected_ttest <- function(x, y, n_train, n_test, alternative = "two-sided", confidence_level = 0.95) {
  d <- x - y
  n <- length(d)
  variance <- stats::var(d)
  if (any(d != 0) && is_noise(sqrt(variance), x, y)) stop("the differences have no variance")
  standard_error <- sqrt((1 / n + n_test / n_train) * variance)
  answer <- list(
    df = n - 1,
    n_scores = n,
    mean_difference = mean(d),
    standard_error = standard_error,
    correlation = n_test / (n_train + n_test)
  )
  if (all(d == 0)) return(c(answer, list(statistic = 0, pvalue = 1)))
  t <- mean(d) / standard_error
  c(answer, list(
    statistic = t,
    pvalue = t_pvalue(t, n - 1, alternative),
    confidence_interval = t_limits(mean(d), standard_error, n - 1, alternative, confidence_level)
  ))
}

naive_resampled_ttest <- function(x, y, alternative = "two-sided") {
  test <- stats::t.test(x, y, paired = TRUE, alternative = dotted(alternative))
  answer <- list(
    df = unname(test$parameter),
    n_scores = length(x),
    mean_difference = unname(test$estimate),
    standard_error = test$stderr
  )
  # where there is no difference, t.test says NaN
  if (test$stderr == 0) return(answer)
  c(answer, list(statistic = unname(test$statistic), pvalue = test$p.value))
}
