critical_difference <- function(n_datasets, n_classifiers, alpha = 0.05, test = "nemenyi") {
  quantile <- switch(test,
    "nemenyi" = qtukey(alpha, n_classifiers, Inf, lower.tail = FALSE) / sqrt(2),
    "bonferroni-dunn" = qnorm(alpha / (2 * (n_classifiers - 1)), lower.tail = FALSE)
  )
  list(value = quantile * sqrt(n_classifiers * (n_classifiers + 1) / (6 * n_datasets)))
}
