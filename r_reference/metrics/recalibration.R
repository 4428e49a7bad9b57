# stats::glm with the logit as covariate or as offset; likelihood ratios by divergences, checked with the deviances, Wald's interval by confint.default

recalibration_test <- function(y_true, y_prob, confidence_level = 0.95, method = "wald") {
  logit <- stats::qlogis(y_prob)
  # the second fit starts at the maximum: glm takes its standard errors from the step before the last
  fitted <- function(formula, start = NULL) {
    fine <- stats::glm.control(epsilon = 1e-14, maxit = 200)
    suppressWarnings(stats::glm(formula, family = stats::binomial, control = fine, start = start))
  }
  both <- fitted(y_true ~ logit, stats::coef(fitted(y_true ~ logit)))
  alone <- fitted(y_true ~ offset(logit), stats::coef(fitted(y_true ~ offset(logit))))
  # the next step of Newton, which is zero at the maximum
  step <- function(fit) stats::vcov(fit) %*% crossprod(stats::model.matrix(fit), y_true - stats::fitted(fit))
  is_far <- function(fit) any(abs(step(fit)) > 1e-9 * pmax(1, abs(stats::coef(fit))))
  if (is_far(both) || is_far(alone)) stop("glm steps past the maximum")
  # the deviance of probabilities that are not fitted
  given <- -2 * sum(stats::dbinom(y_true, 1, y_prob, log = TRUE))
  errors <- sqrt(diag(stats::vcov(both)))
  # twice the divergence of the probabilities: the difference of two deviances loses the digits of a small statistic
  ratio <- function(eta, given) {
    change <- eta - given
    small <- log1p(stats::plogis(given) * expm1(ifelse(abs(change) < 1, change, 0)))
    large <- stats::plogis(given, lower.tail = FALSE, log.p = TRUE) - stats::plogis(eta, lower.tail = FALSE, log.p = TRUE)
    2 * sum(stats::plogis(eta) * change - ifelse(abs(change) < 1, small, large))
  }
  in_the_large <- ratio(alone$linear.predictors, logit)
  of_slope <- ratio(both$linear.predictors, alone$linear.predictors)
  statistic <- in_the_large + of_slope
  if (abs(given - stats::deviance(both) - statistic) > 1e-9 * given) stop("the deviances have another difference")
  list(
    statistic = statistic, pvalue = stats::pchisq(statistic, 2, lower.tail = FALSE),
    intercept = unname(stats::coef(both)[1]), slope = unname(stats::coef(both)[2]),
    intercept_standard_error = unname(errors[1]), slope_standard_error = unname(errors[2]),
    calibration_in_the_large = unname(stats::coef(alone)), in_the_large_standard_error = sqrt(stats::vcov(alone)[1, 1]),
    in_the_large_statistic = in_the_large, in_the_large_pvalue = stats::pchisq(in_the_large, 1, lower.tail = FALSE),
    slope_statistic = of_slope, slope_pvalue = stats::pchisq(of_slope, 1, lower.tail = FALSE),
    n_instances = length(y_true), n_positive = sum(y_true),
    slope_interval = as.numeric(stats::confint.default(both, "logit", level = confidence_level))
  )
}

calibration_slope <- function(y_true, y_prob) recalibration_test(y_true, y_prob)$slope
