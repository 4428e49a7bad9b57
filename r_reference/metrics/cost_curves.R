# The lower envelope of ROCR, straight between its points, at the probability costs that are asked for
cost_curve <- function(y_true, y_score, probability_cost) {
  envelope <- ROCR::performance(ROCR::prediction(y_score, y_true), "ecost")
  list(at = stats::approx(envelope@x.values[[1]], envelope@y.values[[1]], probability_cost, ties = min)$y)
}
