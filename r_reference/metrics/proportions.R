# Intervals of a proportion: Wilson is prop.test without continuity correction, Clopper-Pearson is binom.test.

proportion_interval <- function(n_successes, n, method = "wilson", confidence_level = 0.95) {
  test <- if (method == "wilson") {
    # prop.test warns where the normal approximation of its p-value, which is not asked for, is poor
    suppressWarnings(stats::prop.test(n_successes, n, conf.level = confidence_level, correct = FALSE))
  } else {
    stats::binom.test(n_successes, n, conf.level = confidence_level)
  }
  list(low = test$conf.int[1], high = test$conf.int[2])
}

accuracy_interval <- function(counts, method = "wilson", confidence_level = 0.95) {
  proportion_interval(sum(diag(counts)), sum(counts), method, confidence_level)
}
