# no package of Debian has these posteriors; R's own integrate takes the one integral that is left

# The mean of f over a beta variable, as far as it is above a limit. In the angle whose squared sine is the variable, a
# density with parameters of 1/2 or more is nowhere infinite
beta_mean <- function(f, a, b, limit) {
  centre <- a / (a + b)
  sd <- sqrt(centre * (1 - centre) / (a + b + 1))
  ends <- asin(sqrt(sort(unique(pmin(1, pmax(limit, c(limit, 1, centre + sd * seq(-12, 12, by = 2))))))))
  density <- function(v) 2 * exp((2 * a - 1) * log(sin(v)) + (2 * b - 1) * log(cos(v)) - lbeta(a, b))
  piece <- function(i) {
    stats::integrate(function(v) density(v) * f(sin(v)^2), ends[i], ends[i + 1], rel.tol = 1e-12, abs.tol = 1e-15)$value
  }
  if (length(ends) < 2) 0 else sum(vapply(seq_len(length(ends) - 1), piece, 0))
}

paired_above <- function(p, q, rest, rope) {
  if (rope == 0) return(stats::pbeta(0.5, q, p))
  beta_mean(function(s) stats::pbeta((s - rope) / (2 * s), q, p), p + q, rest, min(rope, 1))
}

independent_above <- function(a_x, b_x, a_y, b_y, rope) {
  beta_mean(function(s) stats::pbeta(s - rope, a_y, b_y), a_x, b_x, min(rope, 1))
}

accuracy_posterior <- function(greater, less, rope) {
  list(p_less = less, p_rope = if (rope > 0) 1 - less - greater else 0, p_greater = greater)
}

bayes_accuracy_test <- function(x = NULL, y = NULL, counts = NULL, rope = 0, prior_count = 1, paired = TRUE) {
  if (paired) {
    if (is.null(counts)) counts <- matrix(c(sum(x & y), sum(!x & y), sum(x & !y), sum(!x & !y)), 2)
    cells <- counts + prior_count
    p <- cells[1, 2]
    q <- cells[2, 1]
    rest <- cells[1, 1] + cells[2, 2]
    total <- p + q + rest
    mean <- (p - q) / total
    return(c(
      accuracy_posterior(paired_above(p, q, rest, rope), paired_above(q, p, rest, rope), rope),
      list(mean = mean, standard_deviation = sqrt(((p + q) / total - mean^2) / (total + 1)))
    ))
  }
  a <- c(sum(x), sum(y)) + prior_count
  b <- c(sum(!x), sum(!y)) + prior_count
  share <- a / (a + b)
  c(
    accuracy_posterior(
      independent_above(a[1], b[1], a[2], b[2], rope), independent_above(a[2], b[2], a[1], b[1], rope), rope
    ),
    list(mean = share[1] - share[2], standard_deviation = sqrt(sum(share * (1 - share) / (a + b + 1))))
  )
}

proportion_posterior <- function(n_successes, n, prior_count = 1) {
  a <- n_successes + prior_count
  b <- n - n_successes + prior_count
  share <- a / (a + b)
  list(a = a, b = b, mean = share, standard_deviation = sqrt(share * (1 - share) / (a + b + 1)))
}
