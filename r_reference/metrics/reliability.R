# stats::isoreg on the instances, the largest outcomes of tied forecasts first, which pools them

reliability_curve <- function(y_true, y_proba, band = "none") {
  order <- order(y_proba, -y_true)
  fitted <- stats::isoreg(y_true[order])$yf
  first <- !duplicated(y_proba[order])
  list(
    probability = y_proba[order][first], frequency = fitted[first],
    n_instances = as.vector(table(y_proba)), n_events = as.vector(tapply(y_true, y_proba, sum))
  )
}
