overlap <- function(x, y, pairing = "index", confidence_level = 0.95) {
  x <- without_noise(x)
  y <- without_noise(y)
  n <- length(x)
  if (pairing == "all") {
    u <- unname(suppressWarnings(stats::wilcox.test(x, y, exact = FALSE))$statistic)
    return(list(win_share = u / n^2, reproducibility = abs(2 * u / n^2 - 1), n_runs = n))
  }
  signs <- sign(x - y)
  answer <- list(
    win_share = mean((signs + 1) / 2),
    reproducibility = abs(mean(signs)),
    n_wins = sum(signs > 0),
    n_losses = sum(signs < 0),
    n_ties = sum(signs == 0),
    n_runs = n
  )
  if (all(signs != 0)) {
    test <- suppressWarnings(stats::prop.test(sum(signs > 0), n, conf.level = confidence_level, correct = FALSE))
    answer$win_share_interval <- as.vector(test$conf.int)
  }
  answer
}

overlap_matrix <- function(runs) {
  signs <- function(i, j) sign(without_noise(runs[, i]) - without_noise(runs[, j]))
  matrix_of <- function(f) all_pairs(ncol(runs), f)
  list(
    win_share = matrix_of(function(i, j) mean((signs(i, j) + 1) / 2)),
    reproducibility = matrix_of(function(i, j) abs(mean(signs(i, j)))),
    n_wins = matrix_of(function(i, j) sum(signs(i, j) > 0)),
    n_ties = matrix_of(function(i, j) sum(signs(i, j) == 0))
  )
}
