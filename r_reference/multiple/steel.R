# Steel's test of all orders of small tables; beyond, integrate() of the largest of normal variables with one correlation.
# The comparisons alone: stats::binom.test.

steel_sign_test <- function(scores, control, alternative = "two-sided", method = "auto", tie_tolerance = 1e-12) {
  ranks <- ranks_of(scores, FALSE, tie_tolerance)
  n <- nrow(ranks)
  k <- ncol(ranks)
  column <- control + 1  # Python counts from 0
  signs <- sign(ranks - ranks[, column])
  lead <- colSums(signs)
  wins <- colSums(signs > 0)
  ties <- colSums(signs == 0)
  towards <- function(lead) switch(alternative, greater = lead, less = -lead, abs(lead))
  alone <- vapply(seq_len(k), function(i) {
    if (i == column) return(NaN)
    decided <- n - ties[i]
    if (decided == 0) 1 else stats::binom.test(wins[i], decided, alternative = dotted(alternative))$p.value
  }, 0)
  answer <- list(
    statistic = replace(wins, column, NaN), n_wins = wins, win_difference = lead, n_ties = replace(ties, column, 0),
    unadjusted_pvalue = alone, n_datasets = n, n_classifiers = k, control = control, alternative = alternative
  )
  varied <- ranks[apply(ranks, 1, function(row) any(row != row[1])), , drop = FALSE]
  if (nrow(varied) == 0) return(answer)
  largest <- if (method == "exact") largest_leads(varied, column, towards)
  tail <- function(lead) {
    if (method == "exact") mean(largest >= lead) else normal_of_leads(varied, k, lead, alternative == "two-sided")
  }
  answer$method <- method
  answer$pvalue <- replace(vapply(towards(lead), tail, 0), column, NaN)
  answer$min_attainable_pvalue <- tail(nrow(varied))
  answer
}

# The largest lead in each of all orders of all rows
largest_leads <- function(ranks, column, towards) {
  k <- ncol(ranks)
  orders <- orders_of(k)
  stopifnot(nrow(orders)^nrow(ranks) <= 2e4)
  sums <- matrix(0, 1, k)
  for (i in seq_len(nrow(ranks))) {
    row <- t(apply(orders, 1, function(order) sign(ranks[i, order] - ranks[i, order[column]])))
    sums <- sums[rep(seq_len(nrow(sums)), each = nrow(row)), , drop = FALSE] + row[rep(seq_len(nrow(row)), nrow(sums)), ]
  }
  apply(towards(sums[, -column, drop = FALSE]), 1, max)
}

# Variance and correlation of the signs by all orders of each row
normal_of_leads <- function(ranks, k, lead, two_sided) {
  triples <- expand.grid(c = seq_len(k), i = seq_len(k), j = seq_len(k))
  pairs <- subset(triples, c != i & i == j)
  triples <- subset(triples, c != i & i != j & c != j)
  product <- function(t) sum(apply(ranks, 1, function(r) mean(sign(r[t$i] - r[t$c]) * sign(r[t$j] - r[t$c]))))
  variance <- product(pairs)
  rho <- if (k > 2) product(triples) / variance else 0
  has_ties <- any(apply(ranks, 1, anyDuplicated) > 0)
  half <- if (has_ties) 0.5 else 1
  if (two_sided && lead == 0) return(1)
  z <- (lead - half) / sqrt(variance)
  integrand <- function(y) {
    out <- stats::pnorm((z - sqrt(rho) * y) / sqrt(1 - rho), lower.tail = FALSE)
    if (two_sided) out <- out + stats::pnorm((z + sqrt(rho) * y) / sqrt(1 - rho), lower.tail = FALSE)
    stats::dnorm(y) * -expm1((k - 1) * log1p(-pmin(out, 1)))
  }
  ends <- unique(sort(c(-10 - abs(z), -abs(z) * sqrt(rho), 0, abs(z) * sqrt(rho), abs(z) + 10)))
  min(1, sum(mapply(function(from, to) {
    stats::integrate(integrand, from, to, rel.tol = 1e-13, abs.tol = 0, subdivisions = 500)$value
  }, ends[-length(ends)], ends[-1])))
}
