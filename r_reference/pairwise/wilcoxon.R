# Each pair by stats::wilcox.test, or by coin where exact with ties or with Pratt's zeros; adjusted by stats::p.adjust.

pairwise_wilcoxon_test <- function(scores, control = NULL, adjust = "holm", alternative = "two-sided",
                                   zero_method = "wilcox", method = "auto", correction = TRUE) {
  sides <- dotted(alternative)
  one <- function(i, j) {
    # R compares bits: tell it which digits are noise
    d <- round(scores[, i] - scores[, j], 9)
    n_zero <- sum(d == 0)
    if (n_zero == length(d)) return(c(statistic = 0, unadjusted_pvalue = 1, rank_biserial = 0, n_zero = n_zero))
    zeros <- if (n_zero > 0 && zero_method == "pratt") "Pratt" else "Wilcoxon"
    coin_test <- function(d, distribution) {
      coin::wilcoxsign_test(d ~ rep(0, length(d)), alternative = sides, zero.method = zeros, distribution = distribution)
    }
    rank_sum <- function(d) as.numeric(coin::statistic(coin_test(d, "asymptotic"), "linear"))
    is_exact <- method != "asymptotic"
    pvalue <- if (zeros == "Wilcoxon" && (!is_exact || anyDuplicated(abs(d[d != 0])) == 0)) {
      suppressWarnings(stats::wilcox.test(d[d != 0], alternative = sides, exact = is_exact, correct = correction)$p.value)
    } else if (is_exact) {
      as.numeric(coin::pvalue(coin_test(d, "exact")))
    } else {
      if (correction) stop("coin has no continuity correction")
      as.numeric(coin::pvalue(coin_test(d, "asymptotic")))
    }
    c(statistic = rank_sum(d), unadjusted_pvalue = pvalue,
      rank_biserial = (rank_sum(d) - rank_sum(-d)) / (rank_sum(d) + rank_sum(-d)), n_zero = n_zero)
  }
  family_of_pairs(scores, one, control, adjust, "n_zero")
}
