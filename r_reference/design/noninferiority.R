# power.t.test for noninferiority; the two one-sided tests together are integrated over the standard deviation, and
# tables of right and wrong answers are added up

noninferiority_power <- function(test, n, margin, hypothesis = "noninferiority", difference = 0, discordance = NULL, sd = NULL,
                         n_train = NULL, n_test = NULL, cluster_size = NULL, intraclass_correlation = NULL, alpha = 0.05) {
  if (test == "sign") return(list(n = n, power = power_over_signs(n, margin / sd, hypothesis, difference / sd, alpha)))
  if (test == "clustered-t") {
    # the means of clusters of equal size
    sd <- sd * sqrt((1 + (cluster_size - 1) * intraclass_correlation) / cluster_size)
    return(list(n = n, power = power_with_margin("paired-t", n / cluster_size, margin, hypothesis, difference, NULL, sd, NULL, NULL, alpha)))
  }
  list(n = n, power = power_with_margin(test, n, margin, hypothesis, difference, discordance, sd, n_train, n_test, alpha))
}

noninferiority_sample_size <- function(test, margin, hypothesis = "noninferiority", power = 0.8, difference = 0,
                               discordance = NULL, sd = NULL, n_train = NULL, n_test = NULL, alpha = 0.05) {
  n <- 2
  repeat {
    reached <- power_with_margin(test, n, margin, hypothesis, difference, discordance, sd, n_train, n_test, alpha)
    if (reached >= power) return(list(n = n, power = reached))
    n <- n + 1
  }
}

power_with_margin <- function(test, n, margin, hypothesis, difference, discordance, sd, n_train, n_test, alpha) {
  if (test == "accuracy") return(power_over_tables(n, margin, hypothesis, difference, discordance, alpha))
  error <- sd * sqrt(1 / n + if (test == "corrected-t") n_test / n_train else 0)
  if (hypothesis == "noninferiority") {
    if (test == "corrected-t") {
      return(stats::pt(stats::qt(alpha, n - 1, lower.tail = FALSE), n - 1, ncp = (difference + margin) / error, lower.tail = FALSE))
    }
    return(stats::power.t.test(n = n, delta = difference + margin, sd = sd, sig.level = alpha, type = "one.sample",
                               alternative = "one.sided")$power)
  }
  critical <- stats::qt(alpha, n - 1, lower.tail = FALSE)
  both <- function(s) {
    inside <- stats::pnorm((margin - difference) / error - critical * s) - stats::pnorm(critical * s - (margin + difference) / error)
    pmax(inside, 0) * 2 * s * (n - 1) * stats::dchisq((n - 1) * s^2, n - 1)
  }
  # in parts, so that none is nearly constant
  ends <- seq(0, min(margin / error / critical, 1 + 12 / sqrt(2 * (n - 1))), length.out = 21)
  sum(mapply(function(a, b) stats::integrate(both, a, b, rel.tol = 1e-12, abs.tol = 1e-14)$value, ends[-21], ends[-1]))
}

# binom.test decides on every number of differences above the lower margin, and below the upper one
power_over_signs <- function(n, margin, hypothesis, difference, alpha) {
  rejects <- sapply(0:n, function(k) stats::binom.test(k, n, alternative = "greater")$p.value <= alpha)
  if (hypothesis == "noninferiority") return(sum(stats::dbinom(0:n, n, stats::pnorm(difference + margin))[rejects]))
  p <- c(stats::pnorm(-margin - difference), stats::pnorm(difference - margin))
  tables <- expand.grid(below = 0:n, above = 0:n)
  tables <- tables[tables$below + tables$above <= n & rejects[n - tables$below + 1] & rejects[n - tables$above + 1], ]
  sum(mapply(function(b, a) stats::dmultinom(c(b, a, n - b - a), prob = c(p, 1 - sum(p))), tables$below, tables$above))
}

power_over_tables <- function(n, margin, hypothesis, difference, discordance, alpha) {
  z <- function(b, c, shift) {
    roots <- Re(polyroot(c(-c * shift * (1 - shift), (2 * n - b + c) * shift - b - c, 2 * n)))
    (b - c - n * shift) / sqrt(n * max(2 * max(roots, 0) + shift * (1 - shift), 0))
  }
  tables <- expand.grid(b = 0:n, c = 0:n)
  tables <- tables[tables$b + tables$c <= n, ]
  shown <- mapply(function(b, c) {
    z(b, c, -margin) >= stats::qnorm(1 - alpha) && (hypothesis == "noninferiority" || z(c, b, -margin) >= stats::qnorm(1 - alpha))
  }, tables$b, tables$c)
  p <- c((discordance + difference) / 2, (discordance - difference) / 2, 1 - discordance)
  sum(mapply(function(b, c) stats::dmultinom(c(b, c, n - b - c), prob = p), tables$b, tables$c)[shown])
}
