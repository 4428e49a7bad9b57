# Exact: binom.test of the discordant cases. Asymptotic: mcnemar.test; one-sided, where it has no answer, prop.test of the
# discordant cases against 1/2, whose chi-squared is the same. Mid-p: sums of dbinom.

mcnemar_test <- function(x, y, alternative = "two-sided", method = "exact", correction = TRUE, confidence_level = 0.95) {
  table <- matrix(c(sum(x & y), sum(!x & y), sum(x & !y), sum(!x & !y)), nrow = 2)
  mcnemar_from_counts(table, alternative, method, correction, confidence_level)
}

mcnemar_from_counts <- function(table, alternative = "two-sided", method = "exact", correction = TRUE,
                                confidence_level = 0.95) {
  b <- table[1, 2]
  c <- table[2, 1]
  answer <- list(
    table = table, n_cases = sum(table), n_discordant = b + c,
    difference = sum(table[1, ]) / sum(table) - sum(table[, 1]) / sum(table)
  )
  if (method != "asymptotic") answer$statistic <- b
  # where no case is discordant nothing is tested: binom.test refuses 0 of 0 and mcnemar.test says NaN
  if (b + c > 0) {
    answer$odds_ratio <- b / c
    answer$pvalue <- mcnemar_pvalue(b, c, alternative, method, correction)
    best <- if (alternative == "less") c(0, b + c) else c(b + c, 0)
    answer$smallest_pvalue <- mcnemar_pvalue(best[1], best[2], alternative, method, correction)
    if (method == "asymptotic") answer$statistic <- unname(stats::mcnemar.test(table, correct = correction)$statistic)
    share <- stats::binom.test(b, b + c, alternative = dotted(alternative), conf.level = confidence_level)$conf.int
    answer$odds_ratio_interval <- as.numeric(share / (1 - share))
  }
  answer
}

mcnemar_pvalue <- function(b, c, alternative, method, correction) {
  if (method == "exact") return(stats::binom.test(b, b + c, alternative = dotted(alternative))$p.value)
  if (method == "midp") {
    at <- stats::dbinom(b, b + c, 0.5) / 2
    greater <- sum(stats::dbinom(seq_len(c) + b, b + c, 0.5)) + at
    less <- sum(stats::dbinom(seq_len(b) - 1, b + c, 0.5)) + at
    return(switch(alternative, greater = greater, less = less, min(1, 2 * greater, 2 * less)))
  }
  if (alternative == "two-sided") {
    return(stats::mcnemar.test(matrix(c(0, c, b, 0), nrow = 2), correct = correction)$p.value)
  }
  # the advice to use many cases is not the question here
  suppressWarnings(stats::prop.test(b, b + c, p = 0.5, alternative = alternative, correct = correction)$p.value)
}

dotted <- function(alternative) sub("-", ".", alternative, fixed = TRUE)
