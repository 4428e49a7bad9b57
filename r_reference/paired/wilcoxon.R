# Exact without ties and zeros, and asymptotic without zeros or with zeros dropped: wilcox.test. Ties and zeros: coin.

wilcoxon_test <- function(x, y, alternative = "two-sided", zero_method = "wilcox", method = "auto", correction = TRUE,
                          tie_tolerance = 1e-12, confidence_level = 0.95) {
  d <- differences_without_noise(x, y, tie_tolerance)
  answer <- list(n_pairs = length(d), n_zero = sum(d == 0))
  if (all(d == 0)) return(answer)

  sides <- dotted(alternative)
  has_zeros <- any(d == 0)
  has_ties <- anyDuplicated(abs(d[d != 0])) > 0
  is_asymptotic <- method == "asymptotic"
  zeros <- if (!has_zeros || zero_method == "wilcox") "Wilcoxon" else "Pratt"
  is_split <- has_zeros && zero_method == "zsplit"

  stats_test <- function(d, exact, ...) {
    suppressWarnings(stats::wilcox.test(d[d != 0], alternative = sides, exact = exact, correct = correction, ...))
  }
  # coin refuses differences that are all very small; it needs to know their order only
  order_of <- function(d) sign(d) * match(abs(d), sort(unique(c(0, abs(d)))))
  coin_test <- function(d, distribution) {
    coin::wilcoxsign_test(order_of(d) ~ rep(0, length(d)), alternative = sides, zero.method = zeros, distribution = distribution)
  }
  pvalue <- function(d) {
    if (zeros == "Wilcoxon" && (is_asymptotic || !has_ties)) {
      stats_test(d, !is_asymptotic)$p.value
    } else if (!is_asymptotic) {
      as.numeric(coin::pvalue(coin_test(d, "exact")))
    } else if (!correction && !is_split) {
      # coin's own p-value is one minus a probability
      z <- as.numeric(coin::statistic(coin_test(d, "asymptotic")))
      if (alternative == "two-sided") 2 * stats::pnorm(-abs(z)) else stats::pnorm(z, lower.tail = alternative == "less")
    }
  }
  answer$pvalue <- pvalue(d)
  answer$min_attainable_pvalue <- pvalue(if (alternative == "less") -abs(d) else abs(d))
  if (!is_split) {
    test <- coin_test(d, "asymptotic")
    answer$statistic <- as.numeric(coin::statistic(test, "linear"))
    if (!correction) answer$z <- as.numeric(coin::statistic(test))
  }
  if (zeros == "Wilcoxon") {
    # effectsize loses the signs of differences that are all of one size
    if (length(unique(abs(d[d != 0]))) > 1) {
      answer$rank_biserial <- effectsize::rank_biserial(d, rep(0, length(d)), paired = TRUE, ci = NULL,
                                                        verbose = FALSE)$r_rank_biserial
    }

    # the root of a step function, as precisely as a float can tell it
    test <- stats_test(d, !is_asymptotic, conf.int = TRUE, conf.level = confidence_level, tol.root = 1e-300)
    is_exact <- !is_asymptotic && !has_ties
    n <- sum(d != 0)
    # where the number of Walsh averages is even, the root is any value between the two in the middle
    if (is_exact || n %% 4 %in% c(1, 2)) answer$hodges_lehmann <- unname(test$estimate)
    # wilcox.test lowers a level that it cannot reach; exact, the interval is then the widest, and so is ours
    # the search ranks d minus a limit: differences that rounding then makes equal are ties that the data do not have
    n_distinct <- function(limit) if (is.finite(limit)) length(unique(d - limit)) else length(unique(d))
    has_false_ties <- any(sapply(test$conf.int, n_distinct) < length(unique(d)))
    reaches_level <- isTRUE(attr(test$conf.int, "conf.level") == confidence_level)
    if (is_exact || (is_asymptotic && reaches_level && !has_false_ties)) {
      answer$confidence_interval <- as.numeric(test$conf.int)
    }
  }
  answer
}
