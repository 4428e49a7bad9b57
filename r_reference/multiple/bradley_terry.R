# Both models are log-linear in the counts of win, tie and loss of each pair; glm() fits them, and its covariance of
# differences from the first classifier is turned into that of strengths with mean 0. Rao and Kupper's is not log-linear.

bradley_terry_from_counts <- function(n_wins, n_ties = NULL, ties = "davidson") {
  k <- nrow(n_wins)
  if (is.null(n_ties)) n_ties <- matrix(0, k, k)
  if (ties == "rao-kupper") stop("the model is not log-linear")
  if (ties == "drop") n_ties <- 0 * n_ties
  if (ties == "split") {
    n_wins <- n_wins + n_ties / 2
    n_ties <- 0 * n_ties
  }
  pairs <- which(upper.tri(n_wins) & n_wins + t(n_wins) + n_ties > 0, arr.ind = TRUE)
  has_ties <- any(n_ties > 0)
  rows <- lapply(seq_len(nrow(pairs)), function(p) {
    i <- pairs[p, 1]
    j <- pairs[p, 2]
    strength <- diag(k)
    outcomes <- rbind(strength[i, ], strength[j, ], (strength[i, ] + strength[j, ]) / 2)
    data.frame(count = c(n_wins[i, j], n_wins[j, i], n_ties[i, j]), pair = p, tie = c(0, 0, 1), outcomes)[c(TRUE, TRUE, has_ties), ]
  })
  data <- do.call(rbind, rows)
  design <- as.matrix(data[, 4 + seq_len(k - 1), drop = FALSE])
  if (has_ties) design <- cbind(design, data$tie)
  of_pair <- outer(data$pair, seq_len(nrow(pairs)), "==") + 0
  fit <- suppressWarnings(stats::glm.fit(
    cbind(design, of_pair), data$count, family = stats::poisson(),
    control = stats::glm.control(epsilon = 1e-15, maxit = 200)
  ))
  if (max(abs(fit$coefficients[seq_len(k - 1)])) > 12) stop("some strengths are infinite")
  design <- cbind(design, of_pair)
  information <- crossprod(design * sqrt(fit$fitted.values))
  if (rcond(information) < 1e-13) stop("some strengths are infinite")
  inverse <- solve(information)
  centre <- diag(k) - 1 / k
  strengths <- c(0, fit$coefficients[seq_len(k - 1)])
  covariance <- matrix(0, k, k)
  covariance[-1, -1] <- inverse[seq_len(k - 1), seq_len(k - 1)]
  covariance <- centre %*% covariance %*% t(centre)
  c(
    list(estimate = unname(strengths - mean(strengths)), covariance = covariance, standard_error = sqrt(diag(covariance))),
    if (ties == "davidson") list(tie_parameter = if (has_ties) exp(unname(fit$coefficients[k])) else 0)
  )
}

# The same log-linear model with a row for each outcome of each comparison: sandwich::vcovCL sums the scores of a dataset.
over_datasets <- function(scores, ties) {
  k <- ncol(scores)
  strength <- diag(k)
  has_ties <- ties == "davidson" && any(apply(scores, 1, function(row) any(duplicated(row))))
  rows <- list()
  for (d in seq_len(nrow(scores))) {
    for (i in seq_len(k - 1)) {
      for (j in (i + 1):k) {
        above <- sign(scores[d, i] - scores[d, j])
        if (ties == "drop" && above == 0) next
        count <- c(above > 0, above < 0, above == 0) + 0
        if (ties == "split") count <- c(count[1] + count[3] / 2, count[2] + count[3] / 2, 0)
        outcomes <- rbind(strength[i, ], strength[j, ], (strength[i, ] + strength[j, ]) / 2)
        own <- data.frame(count = count, dataset = d, pair = paste(i, j), tie = c(0, 0, 1), outcomes)
        rows[[length(rows) + 1]] <- own[c(TRUE, TRUE, has_ties), ]
      }
    }
  }
  data <- do.call(rbind, rows)
  design <- as.matrix(data[, 5 + seq_len(k - 1), drop = FALSE])
  if (has_ties) design <- cbind(design, data$tie)
  design <- cbind(design, outer(data$pair, unique(data$pair), "==") + 0)
  fit <- suppressWarnings(stats::glm(
    data$count ~ 0 + design, family = stats::poisson(), control = stats::glm.control(epsilon = 1e-15, maxit = 200)
  ))
  own <- seq_len(k - 1)
  centre <- diag(k) - 1 / k
  covariance <- matrix(0, k, k)
  covariance[-1, -1] <- sandwich::vcovCL(fit, cluster = data$dataset, type = "HC0", cadjust = TRUE)[own, own]
  centre %*% covariance %*% t(centre)
}

bradley_terry_model <- function(scores, ties = "davidson", covariance = "datasets", greater_is_better = TRUE, tie_tolerance = 1e-12) {
  scores <- without_noise(scores, tie_tolerance) * (if (greater_is_better) 1 else -1)
  k <- ncol(scores)
  wins <- outer(seq_len(k), seq_len(k), Vectorize(function(i, j) sum(scores[, i] > scores[, j])))
  tied <- outer(seq_len(k), seq_len(k), Vectorize(function(i, j) if (i == j) 0 else sum(scores[, i] == scores[, j])))
  answer <- bradley_terry_from_counts(wins, tied, ties)
  if (covariance == "datasets") {
    own <- over_datasets(scores, ties)
    if (any(diag(own) < 1e-12 * diag(answer$covariance))) stop("no variance is left")
    answer$covariance <- own
    answer$standard_error <- sqrt(diag(answer$covariance))
  }
  answer
}
