# Exact: binom.test of the discordant cases. Asymptotic: mcnemar.test; one-sided, where it has no answer, prop.test of the
# discordant cases against 1/2, whose chi-squared is the same. Mid-p: sums of dbinom. Groups: coin's symmetry_test.
# Unconditional: no package of Debian has it; sums of dbinom * pbinom, and optimize() over the share of discordant cases.

mcnemar_test <- function(x = NULL, y = NULL, counts = NULL, alternative = "two-sided", method = "exact", correction = TRUE,
                         confidence_level = 0.95, clusters = NULL) {
  if (is.null(counts)) counts <- matrix(c(sum(x & y), sum(!x & y), sum(x & !y), sum(!x & !y)), nrow = 2)
  if (is.null(clusters)) return(mcnemar_of_cases(counts, alternative, method, correction, confidence_level))
  mcnemar_of_groups(counts, tapply(x, clusters, sum) - tapply(y, clusters, sum), alternative, method, correction)
}

# d: right answers of x minus those of y, in each group
mcnemar_of_groups <- function(table, d, alternative, method, correction) {
  answer <- list(table = table, n_instances = sum(table), n_discordant = table[1, 2] + table[2, 1], n_clusters = length(d))
  # coin has no p-value where nothing differs, no continuity correction, and another mid-p where the sum of d is 0
  if (all(d == 0) || (method == "asymptotic" && correction) || (method == "midp" && sum(d) == 0)) return(answer)
  answer$statistic <- sum(pmax(d, 0))
  if (method == "asymptotic") answer$statistic <- as.numeric(coin::statistic(exchange_test(d, "two-sided", "asymptotic")))^2
  distribution <- if (method == "asymptotic") "asymptotic" else coin::exact()
  tail <- if (method == "midp") coin::midpvalue else coin::pvalue
  pvalue <- function(d) as.numeric(tail(exchange_test(d, alternative, distribution)))
  answer$pvalue <- pvalue(d)
  answer$min_attainable_pvalue <- pvalue(if (alternative == "less") -abs(d) else abs(d))
  answer
}

mcnemar_of_cases <- function(table, alternative, method, correction, confidence_level) {
  b <- table[1, 2]
  c <- table[2, 1]
  answer <- list(
    table = table, n_instances = sum(table), n_discordant = b + c,
    difference = sum(table[1, ]) / sum(table) - sum(table[, 1]) / sum(table)
  )
  if (method %in% c("exact", "midp")) answer$statistic <- b
  # where no case is discordant nothing is tested: binom.test refuses 0 of 0 and mcnemar.test says NaN
  if (b + c > 0) {
    answer$odds_ratio <- b / c
    pvalue <- function(b, c) {
      if (method == "unconditional") return(unconditional_pvalue(b, c, sum(table), alternative))
      mcnemar_pvalue(b, c, alternative, method, correction)
    }
    answer$pvalue <- pvalue(b, c)
    answer$min_attainable_pvalue <- if (alternative == "less") pvalue(0, b + c) else pvalue(b + c, 0)
    if (method == "unconditional") {
      answer$statistic <- unname(stats::mcnemar.test(table, correct = FALSE)$statistic)
    }
    if (method == "asymptotic") answer$statistic <- unname(stats::mcnemar.test(table, correct = correction)$statistic)
    # the limits of the other proportion: 1 - share would lose digits of large odds
    opposite <- c("two-sided" = "two.sided", greater = "less", less = "greater")[[alternative]]
    share <- stats::binom.test(b, b + c, alternative = dotted(alternative), conf.level = confidence_level)$conf.int
    other <- stats::binom.test(c, b + c, alternative = opposite, conf.level = confidence_level)$conf.int
    answer$odds_ratio_interval <- as.numeric(share) / rev(as.numeric(other))
  }
  answer
}

# Suissa & Shuster (1991): how likely is so large a z, at the share of discordant cases at which that is the most likely?
unconditional_pvalue <- function(b, c, n, alternative) {
  z <- function(b, discordant) (2 * b - discordant) / sqrt(max(discordant, 1))
  far <- switch(alternative,
    greater = function(other) other >= z(b, b + c) - 1e-9,
    less = function(other) other <= z(b, b + c) + 1e-9,
    function(other) abs(other) >= abs(z(b, b + c)) - 1e-9)
  # given their number, the discordant cases of x are binomial
  given <- vapply(0:n, function(d) sum(stats::dbinom(0:d, d, 0.5)[far(z(0:d, d))]), 0)
  tail <- function(share) sum(stats::dbinom(0:n, n, share) * given)
  grid <- seq(0, 1, length.out = 2001)
  tails <- vapply(grid, tail, 0)
  best <- which.max(tails)
  near <- range(grid[pmin(pmax(best + c(-1, 1), 1), 2001)])
  min(1, max(tails, stats::optimize(tail, near, maximum = TRUE, tol = 1e-12)$objective))
}
