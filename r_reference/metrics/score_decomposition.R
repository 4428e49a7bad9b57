# Isotonic frequencies by stats::isoreg, frequencies of distinct forecasts by stats::ave

brier_decomposition <- function(y_true, y_proba, method = "isotonic") {
  fitted <- numeric(length(y_true))
  if (method == "isotonic") {
    order <- order(y_proba, -y_true)
    fitted[order] <- stats::isoreg(y_true[order])$yf
  } else {
    fitted <- stats::ave(y_true, y_proba)
  }
  brier <- mean((y_true - y_proba)^2)
  after <- mean((y_true - fitted)^2)
  uncertainty <- mean((y_true - mean(y_true))^2)
  list(brier = brier, miscalibration = brier - after, discrimination = uncertainty - after, uncertainty = uncertainty,
       n_instances = length(y_true))
}

miscalibration <- function(y_true, y_proba) brier_decomposition(y_true, y_proba)$miscalibration
