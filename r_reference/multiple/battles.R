# The model is a logistic regression without intercept on the indicators of the two models; the covariances are those of
# sandwich and, for CR2, of clubSandwich. That of the differences from the first model is turned into that of strengths
# with mean 0.

bradley_terry_from_battles <- function(model_a, model_b, winner, clusters = NULL, weight = NULL, position = FALSE,
                                       covariates = NULL, covariance = "robust", small_sample = "cr1") {
  models <- sort(unique(c(model_a, model_b)))
  k <- length(models)
  outcome <- if (is.character(winner)) unname(c(model_a = 1, model_b = 0, tie = 0.5, both_bad = 0.5)[winner]) else winner
  design <- (outer(model_a, models, "==") - outer(model_b, models, "=="))[, -1, drop = FALSE]
  if (position) design <- cbind(design, 1)
  for (column in covariates) design <- cbind(design, column / sqrt(mean(column^2)))
  if (is.null(weight)) weight <- rep(1, length(outcome))
  data <- data.frame(outcome = outcome, weight = weight)
  data$design <- design
  fit <- stats::glm(
    outcome ~ 0 + design, family = stats::quasibinomial(), weights = weight, data = data,
    control = stats::glm.control(epsilon = 1e-15, maxit = 200)
  )
  if (max(abs(fit$linear.predictors)) > 12) stop("some strengths are infinite")
  fit <- refitted(fit)
  if (is.matrix(clusters)) clusters <- as.data.frame(t(clusters))
  covariances <- if (covariance == "model") {
    summary(fit, dispersion = 1)$cov.scaled
  } else if (is.null(clusters)) {
    sandwich::vcovHC(fit, type = "HC0")
  } else if (small_sample == "cr2") {
    as.matrix(clubSandwich::vcovCR(fit, cluster = clusters, type = "CR2"))
  } else {
    sandwich::vcovCL(fit, cluster = clusters, type = "HC0", cadjust = small_sample == "cr1", fix = FALSE)
  }
  others <- seq_len(k - 1)
  centre <- diag(k) - 1 / k
  whole <- matrix(0, k, k)
  whole[-1, -1] <- covariances[others, others]
  strengths <- c(0, fit$coefficients[others])
  whole <- centre %*% whole %*% t(centre)
  of_terms <- if (length(fit$coefficients) > k - 1) {
    list(
      coefficients = unname(fit$coefficients[-others]),
      coefficients_standard_error = unname(sqrt(diag(covariances))[-others])
    )
  }
  c(
    list(estimate = unname(strengths - mean(strengths)), covariance = whole, standard_error = sqrt(diag(whole))),
    of_terms
  )
}
