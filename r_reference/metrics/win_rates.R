# A logistic regression on tanh of the standardized length; sandwich has its covariance.

length_adjusted_win_rate <- function(preference, length_difference, clusters = NULL) {
  shape <- tanh(length_difference / stats::sd(length_difference))
  # equal lengths give NaN
  if (!isTRUE(stats::sd(shape) >= 1e-3)) stop("the columns are nearly collinear")
  fit <- stats::glm(
    preference ~ shape, family = stats::quasibinomial(), control = stats::glm.control(epsilon = 1e-15, maxit = 200)
  )
  if (max(abs(fit$linear.predictors)) > 40) stop("the estimates are infinite")
  fit <- refitted(fit)
  covariance <- if (is.null(clusters)) {
    sandwich::vcovHC(fit, type = "HC0")
  } else {
    sandwich::vcovCL(fit, cluster = clusters, type = "HC0", cadjust = TRUE)
  }
  error <- unname(sqrt(diag(covariance)))
  if (max(abs(preference - stats::fitted(fit))) < 1e-9) error <- c(NaN, NaN) # an exact fit: rounding errors
  b <- unname(stats::coef(fit))
  df <- if (is.null(clusters)) Inf else length(unique(clusters)) - 1
  rate <- stats::plogis(b[1])
  list(
    estimate = rate, standard_error = rate * (1 - rate) * error[1], win_rate = mean(preference), intercept = b[1],
    intercept_standard_error = error[1], slope = b[2], slope_standard_error = error[2],
    confidence_interval = stats::plogis(b[1] + c(-1, 1) * stats::qt(0.975, df) * error[1])
  )
}
