# coin's friedman_test() of ordered classifiers is Page's test: normal, without continuity correction. That correction
# is 1/2 of L. The exact distribution by all orders of the ranks of small tables, and by pbinom() for two classifiers

page_test <- function(scores, order = NULL, alternative = "greater", method = "auto", correction = TRUE,
                      greater_is_better = TRUE, tie_tolerance = 1e-12) {
  scores <- without_noise(scores, tie_tolerance)
  if (!greater_is_better) scores <- -scores
  n <- nrow(scores)
  k <- ncol(scores)
  answer <- list(
    alternative = alternative,
    mean_ranks = colMeans(ranks_of(scores)),
    n_datasets = n,
    n_classifiers = k,
    correction = correction
  )
  columns <- if (is.null(order)) seq_len(k) else order + 1  # Python counts from 0
  scores <- scores[, columns, drop = FALSE]
  ranks <- ranks_of(scores, greater_is_better = FALSE)
  answer$statistic <- sum(ranks %*% seq_len(k))
  answer$expected <- n * sum(seq_len(k)) * (k + 1) / 2
  varies <- apply(ranks, 1, function(row) length(unique(row)) > 1)
  if (!any(varies)) return(answer)
  answer$mean_spearman <- mean(apply(scores[varies, , drop = FALSE], 1, cor, seq_len(k), method = "spearman"))
  # coin's own variance of L
  long <- data.frame(rank = c(ranks), place = factor(col(ranks), ordered = TRUE), dataset = factor(row(ranks)))
  test <- coin::independence_test(rank ~ place | dataset, data = long, scores = list(place = seq_len(k)))
  answer$standard_deviation <- sqrt(c(coin::variance(test)))
  if (method == "asymptotic") {
    answer$method <- "asymptotic"
    answer$pvalue <- normal_tail(answer$statistic - answer$expected, answer$standard_deviation, alternative, correction)
  } else if (k == 2) {
    answer$method <- "exact"
    wins <- sum(ranks[varies, 2] > ranks[varies, 1])
    answer$pvalue <- binom.test(wins, sum(varies), alternative = dotted(alternative))$p.value
  } else {
    answer$method <- "exact"
    answer$pvalue <- all_orders(ranks, answer$statistic, answer$expected, alternative)
  }
  answer
}

normal_tail <- function(excess, deviation, alternative, correction) {
  half <- if (correction) 0.5 else 0
  switch(alternative,
    greater = pnorm((excess - half) / deviation, lower.tail = FALSE),
    less = pnorm((excess + half) / deviation),
    min(1, 2 * pnorm((abs(excess) - if (excess == 0) 0 else half) / deviation, lower.tail = FALSE))
  )
}

all_orders <- function(ranks, observed, expected, alternative) {
  k <- ncol(ranks)
  orders <- orders_of(k)
  stopifnot(nrow(orders)^nrow(ranks) <= 1e6)
  sums <- Reduce(
    function(total, i) c(outer(total, apply(orders, 1, function(order) sum(ranks[i, order] * seq_len(k))), "+")),
    seq_len(nrow(ranks)), 0
  )
  switch(alternative,
    greater = mean(sums >= observed - 1e-9),
    less = mean(sums <= observed + 1e-9),
    mean(abs(sums - expected) >= abs(observed - expected) - 1e-9)
  )
}
