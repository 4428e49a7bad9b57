# the biased estimate is the square of the first statistic of kernlab's kmmd()

mmd_test <- function(x, y, bandwidth, scale = FALSE, n_resamples = 9) {
  if (!is.matrix(x)) x <- matrix(x, ncol = 1)
  if (!is.matrix(y)) y <- matrix(y, ncol = 1)
  if (scale) {
    both <- rbind(x, y)
    spread <- apply(both, 2, function(column) sqrt(mean((column - mean(column))^2)))
    spread[spread == 0] <- 1
    x <- sweep(x, 2, spread, "/")
    y <- sweep(y, 2, spread, "/")
  }
  kernel <- kernlab::rbfdot(sigma = 1 / (2 * bandwidth^2))
  list(statistic = kernlab::mmdstats(kernlab::kmmd(x, y, kernel = kernel, asymptotic = FALSE))[1]^2, bandwidth = bandwidth)
}
