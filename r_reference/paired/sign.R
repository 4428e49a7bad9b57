# Exact binomial test of the wins. Ties: dropped, or split evenly after ignoring one if their number is odd, or kept: base
# R has no trinomial test, but dmultinom().

sign_test <- function(x, y, alternative = "two-sided", ties = "drop", confidence_level = 0.95) {
  wins <- sum(x > y)
  losses <- sum(x < y)
  n_ties <- sum(x == y)
  decided <- wins + losses
  half <- if (ties == "split") n_ties %/% 2 else 0L
  n <- decided + 2 * half
  alternative <- dotted(alternative)
  best <- if (alternative == "less") half else decided + half

  answer <- list(
    statistic = if (ties == "split") wins + n_ties / 2 else wins,
    n_pairs = length(x), n_wins = wins, n_losses = losses, n_ties = n_ties
  )
  # where no pair is decided nothing is tested, and binom.test refuses 0 of 0
  if (decided > 0) {
    if (ties == "keep") {
      answer$pvalue <- trinomial_pvalue(wins - losses, n_ties, length(x), alternative)
      answer$min_attainable_pvalue <- trinomial_pvalue(if (alternative == "less") -decided else decided, n_ties, length(x), alternative)
    } else {
      answer$pvalue <- stats::binom.test(wins + half, n, alternative = alternative)$p.value
      answer$min_attainable_pvalue <- stats::binom.test(best, n, alternative = alternative)$p.value
    }
    test <- stats::binom.test(wins, decided, alternative = alternative, conf.level = confidence_level)
    answer$win_probability <- unname(test$estimate)
    answer$confidence_interval <- as.numeric(test$conf.int)
  }
  answer
}
