# J by wilcox.test() of each pair of groups; its variance is that of Kendall's S, which cor.test() corrects for both ties;
# the exact distribution by wilcox.test() for two groups without ties, and by all orders of small samples

jonckheere_test <- function(samples, alternative = "greater", method = "auto", correction = TRUE, tie_tolerance = 1e-12) {
  if (is.matrix(samples)) samples <- lapply(seq_len(nrow(samples)), function(i) samples[i, ])
  samples <- lapply(samples, function(sample) without_noise(as.numeric(sample), tie_tolerance))
  sizes <- lengths(samples)
  group <- rep(seq_along(samples), sizes)
  values <- unlist(samples)
  total <- (sum(sizes)^2 - sum(sizes^2)) / 2
  answer <- list(
    statistic = in_order(values, group), expected = total / 2, order_probability = in_order(values, group) / total,
    alternative = alternative, correction = correction, sizes = sizes
  )
  if (length(unique(values)) == 1) return(answer)
  answer$standard_deviation <- deviation_of_order(values, group)
  best <- in_order(sort(values, decreasing = alternative == "less"), group)
  J <- c(answer$statistic, best)
  if (method == "asymptotic") {
    p <- vapply(J, function(j) tail_of_order(j - total / 2, answer$standard_deviation, alternative, correction), 0)
    answer$method <- "asymptotic"
  } else if (length(samples) == 2 && !anyDuplicated(values)) {
    w <- function(values) {
      stats::wilcox.test(values[group == 2], values[group == 1], exact = TRUE, alternative = dotted(alternative))$p.value
    }
    p <- c(w(values), w(sort(values, decreasing = alternative == "less")))
    answer$method <- "exact"
  } else if (length(values) <= 7) {
    all <- apply(orders_of(length(values)), 1, function(order) in_order(values[order], group))
    p <- vapply(J, function(j) share_as_far(all, j, total / 2, alternative), 0)
    answer$method <- "exact"
  } else {
    return(answer)
  }
  answer$pvalue <- p[1]
  answer$min_attainable_pvalue <- p[2]
  answer
}

jonckheere_block_test <- function(scores, order = NULL, alternative = "greater", method = "auto", correction = TRUE,
                                  greater_is_better = TRUE, tie_tolerance = 1e-12) {
  ranks <- ranks_of(scores, greater_is_better, tie_tolerance)
  n <- nrow(ranks)
  k <- ncol(ranks)
  values <- -ranks[, if (is.null(order)) seq_len(k) else order + 1, drop = FALSE]  # Python counts from 0
  total <- n * k * (k - 1) / 2
  J <- sum(apply(values, 1, in_order, seq_len(k)))
  answer <- list(
    statistic = J, expected = total / 2, order_probability = J / total, alternative = alternative,
    correction = correction, mean_ranks = colMeans(ranks), n_datasets = n, n_classifiers = k
  )
  varied <- values[apply(values, 1, function(row) length(unique(row)) > 1), , drop = FALSE]
  if (nrow(varied) == 0) return(answer)
  answer$standard_deviation <- sqrt(sum(apply(varied, 1, deviation_of_order, seq_len(k))^2))
  J <- c(J, sum(apply(t(apply(values, 1, sort, decreasing = alternative == "less")), 1, in_order, seq_len(k))))
  if (method == "asymptotic") {
    p <- vapply(J, function(j) tail_of_order(j - total / 2, answer$standard_deviation, alternative, correction), 0)
    answer$method <- "asymptotic"
  } else if (factorial(k)^nrow(values) <= 2e5) {
    all <- Reduce(function(sums, i) {
      c(outer(sums, apply(orders_of(k), 1, function(order) in_order(values[i, order], seq_len(k))), "+"))
    }, seq_len(n), 0)
    p <- vapply(J, function(j) share_as_far(all, j, total / 2, alternative), 0)
    answer$method <- "exact"
  } else {
    return(answer)
  }
  answer$pvalue <- p[1]
  answer$min_attainable_pvalue <- p[2]
  answer
}

# The pairs of different groups in order, equal values half: the sum of W of wilcox.test() over all pairs of groups
in_order <- function(values, group) {
  pairs <- utils::combn(max(group), 2)
  sum(apply(pairs, 2, function(p) {
    unname(suppressWarnings(stats::wilcox.test(values[group == p[2]], values[group == p[1]], exact = FALSE))$statistic)
  }))
}

# cor.test() gives z = S / sqrt(var S) with S = 2 J - pairs, without the pairs of one group; where S is 0, of other values
deviation_of_order <- function(values, group) {
  if (length(values) == 2) return(0.5)  # cor.test() divides by n - 2
  values <- sort(values)
  excess <- 2 * in_order(values, group) - (length(group)^2 - sum(table(group)^2)) / 2
  z <- suppressWarnings(stats::cor.test(group, values, method = "kendall", exact = FALSE))$statistic
  unname(excess / z) / 2
}

tail_of_order <- function(excess, deviation, alternative, correction) {
  half <- if (correction) 0.5 else 0
  switch(alternative,
    greater = stats::pnorm((excess - half) / deviation, lower.tail = FALSE),
    less = stats::pnorm((excess + half) / deviation),
    min(1, 2 * stats::pnorm((abs(excess) - if (excess == 0) 0 else half) / deviation, lower.tail = FALSE)))
}

share_as_far <- function(all, observed, expected, alternative) {
  switch(alternative,
    greater = mean(all >= observed - 1e-9),
    less = mean(all <= observed + 1e-9),
    mean(abs(all - expected) >= abs(observed - expected) - 1e-9))
}
