# mcnemar.test among the positive and among the negative cases: the two statistics are added

sensitivity_specificity_test <- function(y_true = NULL, x = NULL, y = NULL, positives = NULL, negatives = NULL) {
  if (is.null(positives)) {
    positives <- results_of(y_true == 1, x, y)
    negatives <- results_of(y_true == 0, x, y)
  }
  statistics <- c(discordance(positives), discordance(negatives))
  df <- sum(!is.na(statistics))
  statistic <- sum(statistics, na.rm = TRUE)
  list(
    statistic = statistic, df = df,
    pvalue = if (df == 0) 1 else stats::pchisq(statistic, df, lower.tail = FALSE),
    sensitivity_x = sum(positives[1, ]) / sum(positives), sensitivity_y = sum(positives[, 1]) / sum(positives),
    specificity_x = sum(negatives[2, ]) / sum(negatives), specificity_y = sum(negatives[, 2]) / sum(negatives),
    n_positive = sum(positives), n_negative = sum(negatives)
  )
}

results_of <- function(cases, x, y) {
  by <- function(values) factor(values[cases], levels = c(1, 0))
  unclass(table(by(x), by(y)))
}

# mcnemar.test has NaN for a table without a discordant case
discordance <- function(counts) {
  if (counts[1, 2] + counts[2, 1] == 0) return(NA)
  unname(stats::mcnemar.test(counts, correct = FALSE)$statistic)
}
