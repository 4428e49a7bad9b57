# Tests of x - y against the margin: mu of t.test and wilcox.test; binom.test, and coin where there are ties

noninferiority_test <- function(x, y, margin, test = "wilcoxon", greater_is_better = TRUE, n_train = NULL, n_test = NULL,
                                confidence_level = 0.95, clusters = NULL, strata = NULL, average = "micro") {
  side <- if (greater_is_better) "greater" else "less"
  if (test == "clustered-t") {
    return(shifted_clusters(x, y, if (greater_is_better) -margin else margin, side, clusters, strata, average, confidence_level))
  }
  shift <- if (greater_is_better) -margin else margin
  if (test == "clustered-permutation") return(list(pvalue = signs_of_clusters(x, y, shift, side, clusters)))
  answer <- shifted_test(x, y, shift, side, test, n_train, n_test)
  answer$confidence_interval <- shifted_limits(x, y, side, test, n_train, n_test, confidence_level)
  answer
}

equivalence_test <- function(x, y, margin, test = "wilcoxon", n_train = NULL, n_test = NULL, confidence_level = 0.9,
                             clusters = NULL, strata = NULL, average = "micro") {
  if (test == "clustered-t") {
    low <- shifted_clusters(x, y, -margin, "greater", clusters, strata, average, (1 + confidence_level) / 2)
    high <- shifted_clusters(x, y, margin, "less", clusters, strata, average, (1 + confidence_level) / 2)
    answer <- list(pvalue_low = low$pvalue, pvalue_high = high$pvalue, pvalue = max(low$pvalue, high$pvalue),
                   difference = low$difference)
    answer$confidence_interval <- c(low$confidence_interval[1], high$confidence_interval[2])
    return(answer)
  }
  if (test == "clustered-permutation") {
    low <- signs_of_clusters(x, y, -margin, "greater", clusters)
    high <- signs_of_clusters(x, y, margin, "less", clusters)
    return(list(pvalue_low = low, pvalue_high = high, pvalue = max(low, high)))
  }
  low <- shifted_test(x, y, -margin, "greater", test, n_train, n_test)
  high <- shifted_test(x, y, margin, "less", test, n_train, n_test)
  answer <- list(pvalue_low = low$pvalue, pvalue_high = high$pvalue, pvalue = max(low$pvalue, high$pvalue))
  if (test %in% c("paired-t", "corrected-t")) answer$difference <- low$difference
  limits <- lapply(c("greater", "less"), function(side) {
    shifted_limits(x, y, side, test, n_train, n_test, (1 + confidence_level) / 2)
  })
  if (!is.null(limits[[1]])) answer$confidence_interval <- c(limits[[1]][1], limits[[2]][2])
  answer
}

# sandwich::vcovCL of the differences in each stratum, moved by the shift; without variance, and of one group, there is no t distribution
shifted_clusters <- function(x, y, shift, side, clusters, strata, average, level) {
  if (is.null(clusters)) clusters <- seq_along(x)
  if (is.null(strata)) strata <- rep(1, length(x))
  part <- clustered_strata(x - y, clusters, strata, average, max(abs(c(x, y))))$answer
  if (part$standard_error == 0 || is.infinite(part$standard_error)) {
    return(list(pvalue = NaN, difference = part$estimate))
  }
  t <- (part$estimate - shift) / part$standard_error
  list(statistic = t, pvalue = t_pvalue(t, part$df, side), difference = part$estimate,
       confidence_interval = t_limits(part$estimate, part$standard_error, part$df, side, level))
}

# the signs of the sums of whole clusters change, each with all of its cases
signs_of_clusters <- function(x, y, shift, side, clusters) {
  if (is.null(clusters)) clusters <- seq_along(x)
  totals <- c(rowsum(differences_without_noise(x, y + shift), clusters))
  if (all(totals == 0)) 1 else as.numeric(coin::pvalue(exchange_test(totals, side)))
}

shifted_test <- function(x, y, shift, side, test, n_train, n_test) {
  d <- differences_without_noise(x, y + shift)
  if (test == "sign") {
    wins <- sum(d > 0)
    return(list(statistic = wins, pvalue = if (any(d != 0)) {
      stats::binom.test(wins, sum(d != 0), alternative = side)$p.value
    } else 1))
  }
  if (test == "permutation") {
    return(list(pvalue = if (any(d != 0)) as.numeric(coin::pvalue(exchange_test(d, side))) else 1))
  }
  if (test == "wilcoxon") {
    if (all(d == 0)) return(list(pvalue = 1))
    if (!any(d == 0) && !anyDuplicated(abs(d))) {
      asked <- stats::wilcox.test(x, y, paired = TRUE, mu = shift, alternative = side, exact = TRUE)
      return(list(statistic = unname(asked$statistic), pvalue = asked$p.value))
    }
    ranked <- coin::wilcoxsign_test(d ~ rep(0, length(d)), alternative = side, zero.method = "Wilcoxon", distribution = "exact")
    return(list(pvalue = as.numeric(coin::pvalue(ranked))))
  }
  if (stats::sd(x - y) == 0) stop("the differences have no variance")
  if (test == "paired-t") {
    asked <- stats::t.test(x, y, paired = TRUE, mu = shift, alternative = side)
    return(list(statistic = unname(asked$statistic), pvalue = asked$p.value, difference = unname(asked$estimate)))
  }
  error <- sqrt((1 / length(x) + n_test / n_train) * stats::var(x - y))
  t <- (mean(x - y) - shift) / error
  list(statistic = t, pvalue = t_pvalue(t, length(x) - 1, side), difference = mean(x - y))
}

# None where R has none: of a permutation test, and of signed ranks with ties or too few of them
shifted_limits <- function(x, y, side, test, n_train, n_test, level) {
  if (test == "paired-t") return(as.numeric(stats::t.test(x, y, paired = TRUE, alternative = side, conf.level = level)$conf.int))
  if (test == "corrected-t") {
    error <- sqrt((1 / length(x) + n_test / n_train) * stats::var(x - y))
    return(t_limits(mean(x - y), error, length(x) - 1, side, level))
  }
  d <- sort(differences_without_noise(x, y))
  n <- length(d)
  if (test == "permutation" || 2^-n > 1 - level) return(NULL)
  if (test == "sign") {
    beyond <- sum(stats::pbinom(seq_len(n) - 1, n, 0.5) <= 1 - level)
    return(if (side == "greater") c(d[beyond], Inf) else c(-Inf, d[n + 1 - beyond]))
  }
  # equal differences have equal ranks, which wilcox.test counts as if they were not
  if (any(d == 0) || anyDuplicated(abs(d))) return(NULL)
  as.numeric(stats::wilcox.test(d, alternative = side, exact = TRUE, conf.int = TRUE, conf.level = level)$conf.int)
}
