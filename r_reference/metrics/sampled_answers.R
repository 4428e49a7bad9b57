# The number of right answers among k of n samples, of which c are right, is hypergeometric.

pass_at_k <- function(n_correct, n_samples, k) {
  list(value = stats::phyper(0, n_correct, n_samples - n_correct, k, lower.tail = FALSE))
}

pass_hat_k <- function(n_correct, n_samples, k) {
  list(value = stats::dhyper(k, n_correct, n_samples - n_correct, k))
}

majority_at_k <- function(n_correct, n_samples, k) {
  more <- stats::phyper(floor(k / 2), n_correct, n_samples - n_correct, k, lower.tail = FALSE)
  half <- if (k %% 2 == 0) stats::dhyper(k / 2, n_correct, n_samples - n_correct, k) else 0
  list(value = more + half / 2)
}
