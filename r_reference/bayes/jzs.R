# BayesFactor, which has it, brings a hundred packages; R's own integrate takes the one integral in the variable log(g)

jzs_bayes_factor <- function(x, y, scale = sqrt(2) / 2) {
  d <- x - y
  n <- length(d)
  answer <- list(df = n - 1, n_pairs = n, mean_difference = mean(d), scale = scale)
  if (all(d == 0)) {
    t <- 0
  } else {
    if (is_noise(stats::sd(d), x, y)) stop("the differences have no variance")
    t <- mean(d) / (stats::sd(d) / sqrt(n))
  }
  log_integrand <- function(u) {
    variance <- 1 + n * scale^2 * exp(u)
    -0.5 * log(2 * pi) - 0.5 * u - 0.5 * exp(-u) - 0.5 * log(variance) - n / 2 * log1p(t^2 / ((n - 1) * variance))
  }
  ends <- c(-8, seq(-4, 20, by = 2), 30, 45, 60, 90, 150)
  largest <- max(log_integrand(seq(-8, 60, by = 0.01)))
  piece <- function(i) {
    stats::integrate(function(u) exp(log_integrand(u) - largest), ends[i], ends[i + 1], rel.tol = 1e-13, abs.tol = 1e-14)$value
  }
  integral <- sum(vapply(seq_len(length(ends) - 1), piece, 0))
  log_factor <- log(integral) + largest + n / 2 * log1p(t^2 / (n - 1))
  c(answer, list(statistic = t, log_bayes_factor = log_factor, bayes_factor = exp(log_factor)))
}
