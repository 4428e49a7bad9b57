# no package of Debian has this posterior; R integrates the densities of three gamma variables (stats::integrate), or
# takes the beta distribution where one of the three parameters is 0

bayes_sign_test <- function(x, y, rope = 0, prior_strength = 1, prior_place = "rope") {
  d <- x - y
  counts <- c(sum(d < -rope), sum(abs(d) <= rope), sum(d > rope))
  alpha <- counts + prior_strength * (c("less", "rope", "greater") == prior_place)
  largest <- function(c) {
    if (alpha[c] == 0) return(0)
    others <- alpha[-c]
    others <- others[others > 0]
    if (length(others) == 0) return(1)
    if (length(others) == 1) return(stats::pbeta(0.5, alpha[c], others, lower.tail = FALSE))
    integrand <- function(g) stats::dgamma(g, alpha[c]) * stats::pgamma(g, others[1]) * stats::pgamma(g, others[2])
    edges <- c(0, seq(0.5, 1.5, 0.25) * max(alpha), 3 * max(alpha) + 60)
    sum(mapply(function(from, to) stats::integrate(integrand, from, to, rel.tol = 1e-12, abs.tol = 0)$value,
               edges[-length(edges)], edges[-1]))
  }
  p <- sapply(1:3, largest)
  list(p_less = p[1], p_rope = p[2], p_greater = p[3], n_less = counts[1], n_rope = counts[2], n_greater = counts[3],
       n_datasets = length(d))
}

bayes_pairwise_sign_test <- function(scores, rope = 0, prior_strength = 1, prior_place = "rope") {
  one <- function(name) {
    all_pairs(ncol(scores), function(i, j) {
      bayes_sign_test(scores[, i], scores[, j], rope, prior_strength, prior_place)[[name]]
    })
  }
  names <- c("p_less", "p_rope", "p_greater", "n_less", "n_rope", "n_greater")
  stats::setNames(lapply(names, one), names)
}
