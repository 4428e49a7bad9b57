paired_ttest <- function(x, y, alternative = "two-sided", confidence_level = 0.95) {
  test <- stats::t.test(x, y, paired = TRUE, alternative = sub("-", ".", alternative, fixed = TRUE),
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
  if (any(d != 0) && sqrt(variance) <= 1e-12 * max(abs(x), abs(y))) stop("the differences have no variance")
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
  pvalue <- switch(alternative,
    "two-sided" = 2 * stats::pt(abs(t), n - 1, lower.tail = FALSE),
    "less" = stats::pt(t, n - 1),
    "greater" = stats::pt(t, n - 1, lower.tail = FALSE))
  limits <- switch(alternative,
    "two-sided" = mean(d) + standard_error * stats::qt((1 + c(-1, 1) * confidence_level) / 2, n - 1),
    "less" = c(-Inf, mean(d) + standard_error * stats::qt(confidence_level, n - 1)),
    "greater" = c(mean(d) - standard_error * stats::qt(confidence_level, n - 1), Inf))
  c(answer, list(statistic = t, pvalue = pvalue, confidence_interval = limits))
}
